#!/usr/bin/env python3
"""Compares reading and printing of rule files with ip[6]tables-legacy in a fresh network namespace.

Usage: kernel.py RULES-TOOL [FILE...]; without files all of $WEIR_CASES/rules. For every file: accepted by both or
refused by both; if accepted, `save` and the listing are the same text. What differs on purpose is in DELIBERATE, with
the reason; an entry that no longer differs is a failure too. Exit 77 when the comparison can't be made here.
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
]


def skip(why):
    print("SKIPPED:", why)
    sys.exit(77)


def kernel(path, family, tool_tables):
    """(accepted, message, save text, listing, counters kept)"""
    prog = PROGRAMS[family]
    lists = "; ".join(f"echo Table {t}; {prog} -t {t} -L -v -n -x --line-numbers || exit 3" for t in tool_tables)
    script = (f"{prog}-restore {{c}} < '{path}' && echo '#' SAVE && {prog}-save -c && echo '#' LIST"
              + (f" && {{{{ {lists}; }}}}" if lists else ""))
    for counters in ("-c", ""):
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


def main():
    tool, files = sys.argv[1], sys.argv[2:]
    if os.geteuid() != 0:
        skip("needs root, for network namespaces")
    for prog in PROGRAMS.values():
        if subprocess.run(["unshare", "-n", prog + "-save"], capture_output=True).returncode:
            skip(f"{prog} doesn't work here")
    if not files:
        cases = os.environ.get("WEIR_CASES")
        if not cases:
            skip("WEIR_CASES isn't set: no rule files to compare")
        folder = os.path.join(cases, "rules")
        files = sorted(os.path.join(folder, f) for f in os.listdir(folder))
    bad = sum(not check(tool, f) for f in files)
    print(f"{len(files)} files, {bad} not as expected")
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main())
