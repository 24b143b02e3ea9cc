#!/usr/bin/env python3
"""usage: plot.py FOLDER     makes data and scripts for gnuplot of FOLDER/jit.json and FOLDER/percpu.json"""
import json
import pathlib
import sys

STYLE = """set terminal svg size 900,420 font "sans-serif,12" background rgb "white"
set output "{output}"
set title "{title}"
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.8 border -1
set boxwidth 0.9
set grid y
set ylabel "{ylabel}"
set yrange [0:{top}]
set xtics nomirror font ",11"
set key outside top center horizontal
{extra}
plot {plots}
"""


def number(value):
    return f"{value:.4f}" if value else "?"


def write(folder, name, header, rows, **style):
    data = folder / f"{name}.dat"
    lines = ["\t".join([row[0]] + [number(v) for v in row[1:]]) for row in rows]
    data.write_text("\n".join(lines) + "\n")
    plots = ", ".join(f'"{data}" using {i + 2}:xtic(1) title "{title}"' for i, title in enumerate(header[1:]))
    intro = 'set datafile separator "\\t"\nset datafile missing "?"\n'
    (folder / f"{name}.gp").write_text(intro + STYLE.format(output=f"bench-{name}.svg", plots=plots, **style))


def jit(folder):
    bench = json.loads((folder / "jit.json").read_text())
    rows = []
    for p in bench["programs"]:
        counted = {a: p[a]["jit"] / p[a]["c"] if a in p else None for a in ("x86_64", "arm64")}
        kernel = p["kernel_ns"] / p["c_ns"] if p.get("kernel_ns") else None
        rows.append([p["name"], p["jit_ns"] / p["c_ns"], kernel, counted["x86_64"], counted["arm64"]])
    write(folder, "jit", ["program", "time, weir", "time, the kernel's JIT", "instructions, weir, x86-64", "instructions, weir, arm64"],
          rows, title="Native code of BPF programs, compiled C = 1 (lower is better)", ylabel="ratio to compiled C", top=2.5,
          extra="set arrow from graph 0, first 1 to graph 1, first 1 nohead lw 1.5 dt 2")


def percpu(folder):
    bench = json.loads((folder / "percpu.json").read_text())
    rates = {(r["counter"], r["form"], r["threads"]): r["to_called"] for r in bench["rates"] if "kernel" not in r["form"]}
    counters = list(dict.fromkeys(c for c, _, _ in rates))
    forms = list(dict.fromkeys(f for _, f, _ in rates))
    rows = [[c] + [rates.get((c, f, 1)) for f in forms] for c in counters]
    write(folder, "percpu", ["counter"] + forms, rows, title="Increments a second, one thread, helpers called = 1 (higher is better)",
          ylabel="ratio to helpers called", top="*", extra="")


folder = pathlib.Path(sys.argv[1])
jit(folder)
percpu(folder)
