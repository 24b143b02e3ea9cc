#!/usr/bin/env python3
"""Compares reading and printing of rule files with ip[6]tables-legacy in a fresh network namespace.

Usage: kernel.py RULES-TOOL [FILE|FOLDER...]; without any, all of $WEIR_CASES/rules. For every rules file: accepted by
both or refused by both; if accepted, `save` and the listing are the same text. What differs on purpose is in
DELIBERATE, with the reason; an entry that no longer differs is a failure too. For every case of a .t file: its save
and list sections are what the kernel prints; each line with an error is refused by the kernel too, and without them
the rest is accepted; "-- kernel accepts" and "-- kernel refuses" mark cases that differ on purpose. Exit 77 when the
comparison can't be made here.
"""
import os
import re
import subprocess
import sys
import tempfile

PROGRAMS = {4: "iptables-legacy", 6: "ip6tables-legacy"}

# Files that are treated otherwise on purpose: a part of the name, how it differs, why.
# "accept": weir accepts, the kernel refuses; "refuse": the other way round; "print": both accept, prints differ.
DELIBERATE = [
    # Extensions that aren't run here are kept without asking whether their values make sense, or the kernel has them.
    ("android-native-android11-bpf", "accept", "the pinned BPF object isn't there; weir doesn't open it"),
    ("ferm_modules_ecn", "accept", "ecn options that need -p tcp: not run, so not checked"),
    ("ferm_modules_nth", "accept", "no match 'nth' in iptables 1.8.9: unknown, kept"),
    ("ferm_modules_policy", "accept", "policy without a direction: not run, so not checked"),
    ("ferm_targets_ct", "accept", "a CT helper that isn't there: not run, so not checked"),
    ("ferm_targets_redirect", "accept", "REDIRECT's ports need a protocol: not run, so not checked"),
    ("ferm_targets_same", "accept", "no target 'SAME' in iptables 1.8.9: unknown, kept"),
    ("ferm_targets_tos", "accept", "TOS outside of mangle: not run, so not checked"),
    ("firewall-ipv6-prolog-after-flush", "accept", "ULOG has gone from the kernel; known, kept"),
    ("libvirt_ipset", "accept", "the IP set isn't there; weir doesn't look for it"),
]


def skip(why):
    print("SKIPPED:", why)
    sys.exit(77)


def kernel(path, family, tool_tables, modes=("-c", "")):
    """(accepted, message, save text, listing, counters kept)"""
    prog = PROGRAMS[family]
    lists = "; ".join(f"echo Table {t}; {prog} -t {t} -L -v -n -x --line-numbers || exit 3" for t in tool_tables)
    script = (f"{prog}-restore {{c}} < '{path}' && echo '#' SAVE && {prog}-save -c && echo '#' LIST"
              + (f" && {{{{ {lists}; }}}}" if lists else ""))
    for counters in modes:
        run = subprocess.run(["unshare", "-n", "sh", "-c", script.format(c=counters)], capture_output=True, text=True,
                             errors="surrogateescape")
        if run.returncode == 0:
            _, _, rest = run.stdout.partition("# SAVE\n")
            save, _, listing = rest.partition("# LIST\n")
            save = "".join(l for l in save.splitlines(True) if not l.startswith("#"))
            return True, run.stderr, save, listing, counters == "-c"
    return False, run.stderr.strip().splitlines()[0] if run.stderr.strip() else "?", "", "", False


def weir(tool, how, path, family, zero):
    args = [tool, f"-{family}"] + (["-z"] if zero else []) + [how, path]
    run = subprocess.run(args, capture_output=True, text=True, errors="surrogateescape")
    if run.returncode not in (0, 1):
        sys.exit(f"{' '.join(args)}: exit {run.returncode}\n{run.stderr}")
    return run.returncode == 0, run.stdout, run.stderr


def by_table(save):
    """Table name -> its lines; the kernel prints tables in an order of its own."""
    tables = {}
    for part in re.findall(r"^\*.*?^COMMIT$", save, re.M | re.S):
        tables[part.split("\n")[0][1:]] = part
    return tables


def first_difference(ours, theirs):
    a, b = ours.splitlines(), theirs.splitlines()
    for x, y in zip(a, b):
        if x != y:
            return f"\n    weir:   {x}\n    kernel: {y}"
    return f"\n    {len(a)} lines, kernel {len(b)}"


def compare(tool, path):
    """(kind, text): kind None when equal, else accept, refuse or print."""
    family = 6 if ".v6." in os.path.basename(path) else 4
    ok, text, errors = weir(tool, "save", path, family, True)
    tables = re.findall(r"^\*(\w+)", text, re.M)
    k_ok, message, save, listing, counted = kernel(path, family, tables)
    if ok != k_ok:
        return ("accept", message) if ok else ("refuse", errors.splitlines()[0])
    if not ok:
        return None, "both refuse"
    _, text, _ = weir(tool, "save", path, family, not counted)
    ours, theirs = by_table(text), by_table(save)
    for name, part in ours.items():
        if part != theirs.get(name):
            return "print", "save:" + first_difference(part, theirs.get(name, ""))
    _, text, _ = weir(tool, "list", path, family, not counted)
    if text != listing:
        return "print", "list:" + first_difference(text, listing)
    return None, "same"


def deliberate(name):
    for part, kind, why in DELIBERATE:
        if part in name:
            return kind, why
    return None, None


def check(tool, path):
    """True when as expected."""
    name = os.path.basename(path)
    kind, text = compare(tool, path)
    wanted, why = deliberate(name)
    if kind == wanted:
        if kind:
            print(f"differs on purpose ({kind}): {name}: {why}")
        return True
    print(f"FAIL {name}: {kind}: {text}")
    return False


def read_cases(path):
    """[(name, {section: (args, body)})] of a .t file."""
    cases, sections, body = [], None, None
    for line in open(path, encoding="utf-8", errors="surrogateescape", newline="\n"):
        if not line.startswith("-- "):
            if body is not None:
                body.append(line)
            continue
        name, _, args = line[3:].strip().partition(" ")
        if name == "case":
            sections, body = {}, None
            cases.append((args, sections))
        else:
            body = []
            sections[name] = (args, body)
    return cases


def kernel_text(lines, family, tables=(), modes=("-c", "")):
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", errors="surrogateescape", newline="\n") as f:
        f.write("".join(lines))
        f.flush()
        return kernel(f.name, family, tables, modes)


def strip_blank_end(body):
    return "".join(body).rstrip("\n") + "\n"


def check_refused(where, body, family, bad):
    """Each bad line alone is refused; all others together are accepted."""
    fails = []
    good = [l for i, l in enumerate(body, 1) if i not in bad]
    if not kernel_text(good, family, modes=["-c"])[0]:
        fails.append(f"the lines without errors are refused: {kernel_text(good, family, modes=['-c'])[1]}")
    for number in sorted(bad):
        rest = [l for i, l in enumerate(body, 1) if i not in bad or i == number]
        if kernel_text(rest, family, modes=["-c"])[0]:
            fails.append(f"line {number} is accepted by the kernel: {body[number - 1].strip()}")
    for text in fails:
        print(f"FAIL {where}: {text}")
    return not fails


def check_printed(where, sections, family):
    _, body = sections["rules"]
    table = sections["list"][0] if "list" in sections else ""
    ok, message, save, listing, _ = kernel_text([l for l in body], family, [table] if table else [])
    if not ok:
        print(f"FAIL {where}: refused by the kernel: {message}")
        return False
    good = True
    if "save" in sections:
        ours = by_table("".join(sections["save"][1]))
        theirs = by_table(save)
        for name, part in ours.items():
            if part != theirs.get(name):
                print(f"FAIL {where}: save:{first_difference(part, theirs.get(name, ''))}")
                good = False
    if table:
        theirs = listing.split("\n", 1)[1]
        if strip_blank_end(sections["list"][1]) != theirs:
            print(f"FAIL {where}: list:{first_difference(strip_blank_end(sections['list'][1]), theirs)}")
            good = False
    return good


def check_case(path, name, sections):
    where = f"{os.path.basename(path)}: {name}"
    args, body = sections["rules"]
    if "kernel" in sections:
        print(f"differs on purpose: {where}: {sections['kernel'][0]}")
        return True
    family = 6 if "-6" in args else 4
    errors = [l for l in sections.get("messages", ("", []))[1] if ": error: " in l]
    if "-l" in args or not re.search("-[46]", args):
        return True  # what only weir does: repairing, guessing the family
    if errors:
        return check_refused(where, body, family, {int(l.split(":")[0]) for l in errors})
    return check_printed(where, sections, family)


def check_cases(path):
    cases = read_cases(path)
    return len(cases), sum(not check_case(path, name, sections) for name, sections in cases)


def all_files(paths):
    for path in paths:
        if os.path.isdir(path):
            yield from sorted(os.path.join(path, f) for f in os.listdir(path))
        else:
            yield path


def main():
    tool, files = sys.argv[1], sys.argv[2:]
    if os.geteuid() != 0:
        skip("needs root, for network namespaces")
    if "WEIR_CROSS_BUILD" in os.environ:
        skip("a cross build: its programs don't run beside the kernel's")
    for prog in PROGRAMS.values():
        if subprocess.run(["unshare", "-n", prog + "-save"], capture_output=True).returncode:
            skip(f"{prog} doesn't work here")
    if not files:
        cases = os.environ.get("WEIR_CASES")
        if not cases:
            skip("WEIR_CASES isn't set: no rule files to compare")
        files = [os.path.join(cases, "rules")]
    nr = bad = 0
    for path in all_files(files):
        nr_here, bad_here = check_cases(path) if path.endswith(".t") else (1, not check(tool, path))
        nr, bad = nr + nr_here, bad + bad_here
    print(f"{nr} compared, {bad} not as expected")
    return 1 if bad or not nr else 0


if __name__ == "__main__":
    sys.exit(main())
