#!/usr/bin/env python3
"""What README shows is what the command prints: runs each "$ ... weir ..." of its examples and looks for the lines shown.
"$ clang ..." is run before, where there is a clang.

usage: readme.py WEIR        in the lines shown "..." stands for any lines left out
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def examples(text):
    """(command, lines shown behind it) of each indented block."""
    for block in re.findall(r"(?:^ {4}.*\n|^\n)+", text, re.M):
        lines = [line[4:].rstrip() for line in block.split("\n")]
        for i, line in enumerate(lines):
            if re.match(r"\$ ((build/)?weir|clang) ", line):
                yield line[2:], [shown for shown in lines[i + 1:] if shown]


def missing(shown, printed):
    """The first line shown that doesn't come, in this order; None when all do."""
    at = 0
    for line in shown:
        if line == "...":
            continue
        while at < len(printed) and printed[at].rstrip() != line:
            at += 1
        if at == len(printed):
            return line
    return None


def main():
    with tempfile.TemporaryDirectory() as folder:
        for entry in ROOT.iterdir():
            os.symlink(entry, pathlib.Path(folder) / entry.name)
        run_all(pathlib.Path(folder))


def run_all(folder):
    weir, ran, failed = os.path.abspath(sys.argv[1]), 0, 0
    for command, shown in examples((ROOT / "README.md").read_text(encoding="utf-8")):
        if command.startswith("clang "):
            if shutil.which("clang"):
                subprocess.run(command, shell=True, cwd=folder, check=True)
            continue
        words = shlex.split(command)
        if not (folder / words[2]).exists():
            continue  # a file of the reader's
        run = subprocess.run([weir] + words[1:], cwd=folder, capture_output=True, text=True, check=False)
        line = missing(shown, (run.stdout + run.stderr).split("\n"))
        ran += 1
        if line is not None:
            failed += 1
            print(f"$ {command}\nREADME shows a line that doesn't come there:\n{line}")
    print(f"{ran} examples, {failed} not as shown")
    sys.exit(1 if failed or ran < 2 else 0)


main()
