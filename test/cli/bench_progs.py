#!/usr/bin/env python3
"""The programs of weir bench as a user would have them: verified, dumped, run by each engine.

usage: bench_progs.py OBJECT ... -- WEIR ...
"""

import json
import subprocess
import sys

# A multiple of what each takes in a step, with room for the table of search and 16 keys.
MEM_BYTES = 2080
STAGES = ["elf", "bpf", "verifier", "rewritten", "side"]
RAW = ["--type", "raw", "--mem-size", str(MEM_BYTES)]


def run(weir, *words):
    done = subprocess.run([*weir, *words], capture_output=True, text=True, errors="replace")
    if done.returncode or done.stderr or not done.stdout:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr or 'says nothing'}")
    return done.stdout


def result(weir, path, data, *options):
    """What it returned, and the memory behind it."""
    answer = json.loads(run(weir, "run", path, *RAW, "--data", data, "--json", *options))
    return answer["retval"], answer["data_out"]


def look_at(weir, path, data):
    if ": accepted" not in run(weir, "verify", path, *RAW):
        sys.exit(f"{path}: isn't accepted")
    for stage in STAGES:
        run(weir, "dump", path, *RAW, "--stage", stage)
    interpreted = result(weir, path, data, "--engine", "interp")
    for options in ([], ["--harden"]):
        got = result(weir, path, data, *options)
        if got != interpreted:
            sys.exit(f"{path} {options}: {got[0]:#x}, interpreted {interpreted[0]:#x}, or other memory")


def main():
    split = sys.argv.index("--")
    objects, weir = sys.argv[1:split], sys.argv[split + 1:]
    data = "".join(f"{(i * 167 + i // 256 + 13) % 256:02x}" for i in range(MEM_BYTES))
    for path in objects:
        look_at(weir, path, data)
    print(f"{len(objects)} programs")
    return 0 if objects else 1


if __name__ == "__main__":
    sys.exit(main())
