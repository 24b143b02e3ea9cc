#!/usr/bin/env python3
"""Builds the corpus: every program with every compiler, CPU version, level of optimisation, with and without -g, where it can
be. usage: build.py FOLDER [quick|full]   objects are FOLDER/NAME.COMPILER.CPU.LEVEL[.g].o

An object with maps of the old form has a twin, NAME...twin.o, with -g and new maps: the kernel's side runs that one, since
libbpf no longer takes the old form."""
import concurrent.futures
import os
import pathlib
import platform
import subprocess
import sys

import source

COMPILE_SECONDS = 600  # takes a tenth of one; machines may be busy
HERE = pathlib.Path(__file__).resolve().parent
COMPILERS = {"clang-14": ["v1", "v2", "v3"], "clang-19": ["v1", "v2", "v3", "v4"]}
# Every value of every parameter at least once.
QUICK = [("clang-14", "v2", "O2", True), ("clang-14", "v1", "O2", False), ("clang-14", "v3", "O1", True),
         ("clang-19", "v4", "O2", True), ("clang-19", "v3", "O1", False), ("clang-19", "v1", "O1", True)]


class Object:
    def __init__(self, src, compiler, cpu, level, debug, folder):
        self.src, self.compiler, self.cpu, self.level, self.debug = src, compiler, cpu, level, debug
        self.name = ".".join([src.name, compiler, cpu, level] + ["g"] * debug)
        self.path = folder / (self.name + ".o")
        self.legacy = "legacy" in src.build and not debug
        self.twin = folder / (self.name + ".twin.o") if self.legacy else self.path

    def command(self, out, twin):
        words = [self.compiler, "-target", "bpf", "-mcpu=" + self.cpu, "-" + self.level, "-Wall", "-Werror", "-std=gnu11",
                 "-Wno-unused-function", "-Wno-pass-failed", "-fno-ident",
                 "-idirafter", f"/usr/include/{platform.machine()}-linux-gnu", "-c", str(self.src.path), "-o", str(out)]
        if self.debug or twin:
            words.append("-g")
        if self.legacy and not twin:
            words.append("-DLEGACY_MAPS")
        return words

    def fresh(self, out, newest):
        return out.exists() and out.stat().st_mtime > newest

    def make(self):
        newest = max(p.stat().st_mtime for p in (self.src.path, HERE / "corpus.h", HERE / "build.py"))
        for out, twin in {(self.path, False), (self.twin, self.legacy)}:
            if self.fresh(out, newest):
                continue
            try:
                done = subprocess.run(self.command(out, twin), capture_output=True, text=True, timeout=COMPILE_SECONDS)
            except subprocess.TimeoutExpired:
                return f"{' '.join(self.command(out, twin))}\ntook over {COMPILE_SECONDS} s"
            if done.returncode:
                return f"{' '.join(self.command(out, twin))}\n{done.stderr}"
        return None


def wanted(src, compiler, cpu, level, debug):
    if "clang-19" in src.build and compiler != "clang-19":
        return False
    if "g" in src.build and not debug:
        return False
    return cpu >= max((w for w in src.build if w in ("v2", "v3", "v4")), default="v1")


def objects(folder, extent, name=""):
    rows = QUICK if extent == "quick" else [(c, cpu, level, debug) for c in COMPILERS for cpu in COMPILERS[c]
                                            for level in ("O1", "O2") for debug in (True, False)]
    every = (Object(s, *row, pathlib.Path(folder)) for s in source.sources(HERE) for row in rows if wanted(s, *row))
    return [o for o in every if name in o.name]


def build(folder, extent, name=""):
    """The objects whose names contain `name`, or None after messages."""
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    todo = objects(folder, extent, name)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        errors = [e for e in pool.map(Object.make, todo) if e]
    for e in errors:
        print(e, file=sys.stderr)
    return None if errors else todo


if __name__ == "__main__":
    built = build(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "full")
    print(f"{len(built)} objects" if built else "failed")
    sys.exit(not built)
