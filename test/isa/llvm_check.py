#!/usr/bin/env python3
"""Compares the bytes in cases/isa/forms.t with what llvm-mc assembles from the same text.

Usage: llvm_check.py FORMS. Exits with 77 when there is no llvm-mc that knows BPF version 4."""
import re
import shutil
import subprocess
import sys

# Forms that LLVM can't write, or only with a symbol: maps, calls by distance, far jumps.
FOREIGN = re.compile(r'map|btf_id|func|call (pc|kfunc)|__percpu|gotol .\d{5}')


def to_llvm(text):
    text = re.sub(r'skb\[(r\d+) \+ 0\]', r'skb[\1]', text)
    text = re.sub(r'\((r\d+) ([+-])(\d+)\)', r'(\1 \2 \3)', text)
    m = re.fullmatch(r'(\w+) = atomic(64)?_xchg\(\(u\d+ \*\)\((.*?)\), (\w+)\)', text)
    if m:
        dst, wide, at, src = m.groups()
        return f'{dst} = xchg_64({at}, {src})' if wide else f'{w(dst)} = xchg32_32({at}, {w(src)})'
    m = re.fullmatch(r'r0 = atomic(64)?_cmpxchg\(\(u\d+ \*\)\((.*?)\), r0, (\w+)\)', text)
    if m:
        wide, at, src = m.groups()
        return f'r0 = cmpxchg_64({at}, r0, {src})' if wide else f'w0 = cmpxchg32_32({at}, w0, {w(src)})'
    m = re.fullmatch(r'(\w+) = atomic(64)?_fetch_(\w+)\((.*), (\w+)\)', text)
    if m:
        dst, wide, op, at, src = m.groups()
        return f'{dst} = atomic_fetch_{op}({at}, {src})' if wide else f'{w(dst)} = atomic_fetch_{op}({at}, {w(src)})'
    m = re.fullmatch(r'(lock \*\(u32 \*\)\(.*\) .=) (\w+)', text)
    if m:
        return f'{m.group(1)} {w(m.group(2))}'
    return text


def w(reg):
    return 'w' + reg[1:]


def read_forms(path):
    """Pairs of text and bytes."""
    asm, data, section = [], [], None
    for line in open(path):
        line = line.strip()
        if line.startswith('-- '):
            section = line.split()[1]
            continue
        if line and section == 'asm':
            asm.append(line)
        elif line and section == 'hex':
            data.append(line.replace(' ', ''))
    at = 0
    for text in asm:
        size = 2 if text.endswith(' ll') else 1
        yield text, ''.join(data[at:at + size])
        at += size
    assert at == len(data), 'more bytes than text'


def llvm_bytes(tool, texts):
    run = subprocess.run([tool, '-triple=bpfel', '-mcpu=v4', '-show-encoding'], input='\n'.join(texts) + '\n',
                         text=True, capture_output=True)
    if run.returncode:
        sys.exit(run.stderr)
    codes = re.findall(r'encoding: \[(.*?)\]', run.stdout)
    return [''.join(re.findall('0x(..)', code)) for code in codes]


def main():
    tool = next((t for t in ('llvm-mc', 'llvm-mc-19', 'llvm-mc-18', 'llvm-mc-17') if shutil.which(t) and subprocess.run(
        [t, '-triple=bpfel', '-mcpu=v4'], input='gotol +1', text=True, capture_output=True).returncode == 0), None)
    if not tool:
        print('SKIP: no llvm-mc that knows BPF version 4')
        sys.exit(77)
    forms = [f for f in read_forms(sys.argv[1]) if not FOREIGN.search(f[0])]
    got = llvm_bytes(tool, [to_llvm(text) for text, _ in forms])
    if len(got) != len(forms):
        sys.exit(f'{len(forms)} instructions, {len(got)} encodings')
    wrong = [(text, want, have) for (text, want), have in zip(forms, got) if want != have]
    for text, want, have in wrong:
        print(f'{text}: {want}, {tool} has {have}')
    print(f'{len(forms)} instructions compared with {tool}, {len(wrong)} differ')
    sys.exit(bool(wrong))


main()
