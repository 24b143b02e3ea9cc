#!/usr/bin/env python3
"""usage: text.py OUTPUT.c NAME FILE.s     the instructions of an assembler text as a string of C"""
import pathlib
import re
import sys

output, name, source = sys.argv[1:]
lines = [line.split("//")[0].split("#APP")[0].rstrip() for line in pathlib.Path(source).read_text().splitlines()]
insns = [line.strip().replace("\t", " ") for line in lines if re.match(r"\s+[a-z]", line) and not re.match(r"\s+ret", line)]
text = "".join(f'\n\t"{line}\\n"' for line in insns)
pathlib.Path(output).write_text(f"/* Made by text.py. */\nextern const char {name}[];\nconst char {name}[] ={text};\n")
