#!/usr/bin/env python3
"""weir filter against the kernel: every rule set times every capture, counters of jit = interp = eval = kernel.

usage: compare.py WEIR own      rule sets and captures of this folder; the kernel itself is asked (root), else skipped
       compare.py WEIR cases    those of $WEIR_CASES, against its golden/ counters; the engines alone where there are none
       compare.py WEIR cases --kernel   asks the kernel instead of golden/ (root)

Prints how many combinations were compared and every difference. Exit 77: skipped.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ENGINES = ("jit", "interp", "eval")
# No JIT for the host is no difference: the caller says which engines there are.
if os.environ.get("WEIR_ENGINES"):
    ENGINES = tuple(os.environ["WEIR_ENGINES"].split(","))
WRAPPER = os.environ.get("WEIR_WRAPPER", "").split()


def counters(save):
    """{(table, chain, number of the rule, or 0 for the policy): (packets, bytes)} of a save -c text."""
    found, numbers, table = {}, {}, ""
    for line in save.split("\n"):
        if line.startswith("*"):
            table = line[1:].strip()
        m = re.match(r":(\S+) (\S+) \[(\d+):(\d+)\]", line)
        if m:
            found[table, m[1], 0] = (int(m[3]), int(m[4]))
        m = re.match(r"\[(\d+):(\d+)\] -A (\S+)", line)
        if m:
            numbers[table, m[3]] = numbers.get((table, m[3]), 0) + 1
            found[table, m[3], numbers[table, m[3]]] = (int(m[1]), int(m[2]))
    return found


# The namespace that the kernel was asked in has these networks on its device: their addresses aren't local.
NAMESPACE = ["-i", "eth0", "--not-local", "192.0.2.0/24", "--not-local", "2001:db8:ffff::/64"]


def run_weir(weir, rules, capture, family, engine, *more):
    command = WRAPPER + [weir, "filter", str(rules), "-r", str(capture), f"-{family}", *NAMESPACE, "-q", "--engine", engine,
                         *(more if "--json" in more else ("--save", *more))]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)


class Score:
    def __init__(self):
        self.combinations = self.against_kernel = self.differences = self.refused = self.incomplete = 0

    def differ(self, what, a, b):
        self.differences += 1
        print(f"DIFFERENT {what}")
        for key in sorted(set(a) | set(b), key=str):
            if a.get(key) != b.get(key):
                print(f"    {'/'.join(map(str, key))}: {a.get(key)} != {b.get(key)}")


def compare(score, weir, rules, capture, family, kernel):
    """kernel: its save -c text, or None when nobody asked it."""
    name = f"{rules.name} x {capture.name}"
    results = {}
    for engine in ENGINES:
        run = run_weir(weir, rules, capture, family, engine)
        if run.returncode == 1:
            return False
        if run.returncode not in (0, 3):
            score.differences += 1
            print(f"FAILED {name} ({engine}): exit {run.returncode}: {run.stderr.strip()}")
            return True
        score.incomplete += run.returncode == 3 and engine == ENGINES[0]
        results[engine] = counters(run.stdout)
    score.combinations += 1
    first = results[ENGINES[0]]
    for engine in ENGINES[1:]:
        if results[engine] != first:
            score.differ(f"{name}: {ENGINES[0]} and {engine}", first, results[engine])
    if kernel is not None:
        score.against_kernel += 1
        truth = counters(kernel)
        if truth != first:
            score.differ(f"{name}: weir and the kernel", first, truth)
    return True


def compare_workers(score, weir, rules, capture, family):
    """Three threads count the same, and what is written as accepted is accepted again, all of it."""
    name = f"{rules.name} x {capture.name}"
    accepted = capture.with_suffix(".accepted")
    one = counters(run_weir(weir, rules, capture, family, ENGINES[0]).stdout)
    three = counters(run_weir(weir, rules, capture, family, ENGINES[0], "--workers", "3", "-w", str(accepted)).stdout)
    if one != three:
        score.differ(f"{name}: one worker and three", one, three)
    stats = json.loads(run_weir(weir, rules, capture, family, ENGINES[0], "--json").stdout)
    again = json.loads(run_weir(weir, rules, accepted, family, ENGINES[0], "--json").stdout)
    if (again["accepted"], again["dropped"]) != (stats["accepted"], 0):
        score.differences += 1
        print(f"DIFFERENT {name}: {stats['accepted']} accepted and written; read again: {again}")


def runs_whole(weir, rules):
    """Nothing in the file is beyond weir: connection tracking anywhere in it changes what the kernel's rules see."""
    command = WRAPPER + [weir, "check", "-r", "-q", f"-{family_of(rules)}", str(rules)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def ask_kernel(rules, capture, family):
    run = subprocess.run([sys.executable, HERE / "kernel_counters.py", rules, capture, str(family)], capture_output=True,
                         text=True, check=False)
    if run.returncode:
        sys.exit(f"{rules.name} x {capture.name}: {run.stderr.strip()}")
    return run.stdout


def family_of(rules):
    return 6 if ".v6." in rules.name else 4


def compare_own(weir, score):
    if os.geteuid():
        print("only root can ask the kernel: engines compared among themselves")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, HERE / "make_captures.py", folder], check=True)
        for rules in sorted((HERE / "rules").glob("*.rules")):
            family = family_of(rules)
            for capture in sorted(pathlib.Path(folder).glob(f"*.v{family}.pcap")):
                kernel = None if os.geteuid() else ask_kernel(rules, capture, family)
                if compare(score, weir, rules, capture, family, kernel):
                    compare_workers(score, weir, rules, capture, family)
                else:
                    sys.exit(f"{rules.name}: refused: {run_weir(weir, rules, capture, family, 'eval').stderr}")


def compare_cases(weir, score, live):
    cases = pathlib.Path(os.environ["WEIR_CASES"])
    for rules in sorted((cases / "rules").glob("*.rules")):
        whole = runs_whole(weir, rules)
        for capture in sorted((cases / "pcaps").iterdir()):
            golden = cases / "golden" / f"{rules.name.removesuffix('.rules')}__{capture.name}.txt"
            if capture.suffix == ".tsv":
                continue
            kernel = golden.read_text(encoding="latin-1") if whole and golden.exists() else None
            if live and kernel is not None:
                kernel = ask_kernel(rules, capture, family_of(rules))
            if not compare(score, weir, rules, capture, family_of(rules), kernel):
                score.refused += 1
                break


def main():
    weir, what = sys.argv[1], sys.argv[2]
    score = Score()
    if what == "own":
        compare_own(weir, score)
    elif not os.environ.get("WEIR_CASES"):
        print("skipped: WEIR_CASES names no folder of cases")
        sys.exit(77)
    else:
        compare_cases(weir, score, "--kernel" in sys.argv)
    print(f"{score.combinations} combinations of rule set and capture, engines {' = '.join(ENGINES)}; "
          f"{score.against_kernel} of them also held against the kernel; {score.refused} rule sets not run here; "
          f"{score.incomplete} captures broken; {score.differences} differences")
    if not score.combinations:
        sys.exit("nothing was compared")
    sys.exit(1 if score.differences else 0)


if __name__ == "__main__":
    main()
