#!/usr/bin/env python3
"""Runs the corpus in the kernel and in weir, natively, interpreted and with the needed passes only, and compares verdicts,
results, packets, contexts, maps and records.

usage: compare.py FOLDER KERNEL_RUN WEIR_RUN [-e full|quick] [-n TEXT] [-v]
FOLDER is where objects are built. Only objects whose name contains TEXT. Without root weir's ways to run are compared with each
other. WEIR_WRAPPER: words in front of WEIR_RUN. Where the kernel can't judge at all, the exit code is 0 all the same: the
comparison of weir with itself is a test of its own."""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys

import build

MODES = ["native", "interpreter", "needed"]
ASK_SECONDS = 900  # takes less than one; machines may be busy
PER_RECORD = 8  # the kernel pads records of perf event arrays


def ask(words, path, plan, more=()):
    try:
        done = subprocess.run(words + [str(path)] + list(more), input=plan, capture_output=True, text=True, timeout=ASK_SECONDS)
    except subprocess.TimeoutExpired:
        return [{"died": "no answer", "stderr": f"none within {ASK_SECONDS} s"}]
    if done.returncode == 77:
        return None
    if done.returncode:
        return [{"died": done.returncode, "stderr": done.stderr[-2000:]}]
    return [json.loads(line) for line in done.stdout.splitlines()]


def interesting(entry, kind):
    return "array" not in kind or kind in ("array_of_maps", "prog_array") or entry[1].strip("0")


def tidy(answer, src):
    """Without what isn't to be compared, and in an order of its own."""
    a = dict(answer)
    if "run" in a:
        for what in ("retval", "data", "ctx"):
            if (what, a["run"]) in src.ignore:
                a.pop(what, None)
    if "map" in a:
        if ("map", a["map"]) in src.ignore:
            return {"map": a["map"], "type": a["type"]}
        if a["type"] not in ("queue", "stack"):
            a["entries"] = sorted(e for e in a["entries"] if interesting(e, a["type"]))
    return a


def same_records(kind, a, b):
    if kind != "perf_event_array":
        return a == b
    return len(a) == len(b) and all((x.startswith(y) or y.startswith(x)) and abs(len(x) - len(y)) < 2 * PER_RECORD
                                    for x, y in zip(a, b))


def same(a, b):
    if "map" in a and "map" in b:
        return (same_records(a["type"], a.get("records", []), b.get("records", []))
                and {k: v for k, v in a.items() if k != "records"} == {k: v for k, v in b.items() if k != "records"})
    if "load" in a and "load" in b:
        return a["load"] == b["load"]
    return a == b


def differences(src, left, right, names):
    """Lines that say where two lists of answers differ."""
    out = []
    left, right = ([tidy(a, src) for a in x] for x in (left, right))
    # Maps come in any order.
    for x in (left, right):
        x.sort(key=lambda a: (1, a["map"]) if "map" in a else (0, ""))
    for i in range(max(len(left), len(right))):
        a, b = left[i] if i < len(left) else {}, right[i] if i < len(right) else {}
        if same(a, b):
            continue
        for key in sorted(set(a) | set(b)):
            if a.get(key) != b.get(key):
                what = a.get("run") or a.get("map") or a.get("step") or ""
                out.append(f"  {what} (answer {i}) {key}:\n    {names[0]}: {a.get(key)}\n    {names[1]}: {b.get(key)}")
    return out


def check_kernel(src, prog, answers):
    """What the source says of the kernel's verdict."""
    first = next((a for a in answers if "load" in a), {"load": 0, "why": "no load"} if answers else {})
    if prog is None:
        bad = [a for a in answers if a.get("error") or a.get("open") or a.get("load") or a.get("died")]
        return [f"  the kernel: {a}" for a in bad]
    if not first["load"]:
        return [f"  {prog}: the kernel takes it, but should refuse it"]
    if src.refuse[prog] not in first["why"]:
        return [f"  {prog}: the kernel refuses it with '{first['why']}', not '{src.refuse[prog]}'"]
    return []


def check_reason(src, prog, answers, name):
    why = next((a.get("why", "") for a in answers if "load" in a), "")
    if prog and src.refuse[prog] not in why:
        return [f"  {prog}: {name} refuses it with '{why}', not '{src.refuse[prog]}'"]
    return []


def compare(obj, kernel_run, weir_run):
    out = []
    for prog, plan in obj.src.plans():
        kernel = ask(kernel_run, obj.twin, plan) if kernel_run else None
        if kernel is not None:
            out += check_kernel(obj.src, prog, kernel)
        if not weir_run or obj.src.pending:
            continue
        first = None
        for mode in MODES:
            weir = ask(weir_run, obj.path, plan, [mode])
            if weir is None:
                continue
            if kernel is not None:
                out += differences(obj.src, kernel, weir, ("kernel", "weir " + mode))
            elif first is not None:
                out += differences(obj.src, first, weir, ("weir " + MODES[0], "weir " + mode))
            out += check_reason(obj.src, prog, weir, "weir")
            first = first or weir
    return obj, out


def main():
    p = argparse.ArgumentParser()
    p.add_argument("folder")
    p.add_argument("kernel_run")
    p.add_argument("weir_run")
    p.add_argument("-e", "--extent", default="quick", choices=["full", "quick"])
    p.add_argument("-n", "--name", default="")
    p.add_argument("-v", "--verbose", action="store_true")
    args = p.parse_args()
    objects = build.build(args.folder, args.extent, args.name)
    if objects is None:
        return 1
    root = os.geteuid() == 0
    kernel_run = [args.kernel_run] if root and args.kernel_run != "-" else None
    weir_run = os.environ.get("WEIR_WRAPPER", "").split() + [args.weir_run] if args.weir_run != "-" else None
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for obj, out in pool.map(lambda o: compare(o, kernel_run, weir_run), objects):
            if out:
                bad += 1
                print(f"{obj.name}\n" + "\n".join(out if args.verbose else out[:12]))
    judge = "the kernel" if kernel_run else "weir's ways to run"
    for src in sorted({o.src for o in objects if o.src.pending}, key=lambda s: s.name):
        print(f"{src.name}: pending, {src.pending}")
    print(f"{len(objects)} objects of {len({o.src.name for o in objects})} programs against {judge}: {bad} differ")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
