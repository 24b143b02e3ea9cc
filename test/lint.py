#!/usr/bin/env python3
"""Checks of the tree's shape: the include direction of the layers, include guards, ends of lines and files, dead code."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# A layer may include itself and what stands before it. The engine's layers are in a row; the features hang below.
LAYERS = ["base", "isa", "cpu", "map", "progtype", "helper", "verify", "rewrite", "interp", "jit", "engine",
          "obj", "rules", "run", "bench", "cli"]
# What the core may not even name: everything but libc.
FOREIGN = {"base", "isa", "cpu", "map", "progtype", "helper", "verify", "rewrite", "interp", "jit", "engine", "rules"}
LIBC = set("""assert ctype dlfcn elf errno fcntl inttypes limits math pthread sched signal stdalign stdarg stdatomic stdbool stddef
stdint stdio stdlib string strings time unistd arpa/inet netinet/in netdb grp pwd sys/auxv sys/mman sys/random sys/types sys/stat
sys/eventfd sys/syscall sys/uio linux/futex linux/membarrier setjmp asm/hwcap""".split())

errors = []


def fail(path, line, text):
    errors.append(f"{path.relative_to(ROOT)}:{line}: {text}")


def layer_of(path):
    parts = path.relative_to(ROOT).parts
    return parts[1] if parts[0] == "src" and parts[1] in LAYERS else None


def check_include(path, number, layer, kind, name):
    if kind == "<":
        if layer in FOREIGN and name.removesuffix(".h") not in LIBC:
            fail(path, number, f"layer {layer} may use libc only, but includes <{name}>")
        return
    target = name.split("/")[0]
    if target == "weir" or target not in LAYERS:
        return
    if LAYERS.index(target) > LAYERS.index(layer):
        fail(path, number, f"layer {layer} may not include {name}: {target} stands below it")


def check_file(path):
    text = path.read_text()
    layer = layer_of(path)
    if text and not text.endswith("\n"):
        fail(path, text.count("\n") + 1, "no newline at the end of the file")
    for number, line in enumerate(text.split("\n"), 1):
        if line != line.rstrip():
            fail(path, number, "blanks at the end of the line")
        if re.match(r"\s*#\s*if\s+0", line):
            fail(path, number, "code behind #if 0")
        m = re.match(r'\s*#\s*include\s+([<"])([^>"]+)', line)
        if m and layer:
            check_include(path, number, layer, m[1], m[2])
        if path.suffix == ".h" and m and m[1] == '"' and m[2].startswith(".."):
            fail(path, number, "includes are named from src/ or include/")


def main():
    files = [p for d in ("src", "include", "test", "bench", "examples") for p in sorted((ROOT / d).rglob("*"))
             if p.suffix in (".c", ".h", ".def") and p.is_file()]
    for path in files:
        check_file(path)
    for path in files:
        if path.suffix == ".h" and layer_of(path) and "#ifndef WEIR_" not in path.read_text():
            fail(path, 1, "a header without include guard WEIR_...")
    print("\n".join(errors) if errors else f"lint: {len(files)} files in order")
    return 1 if errors else 0


sys.exit(main())
