-- case one program
-- run
weir bench jit --list >programs || { weir bench jit; exit; }
grep -c . programs
weir bench jit --only murmur --repeats 1 --qemu none --json >json
python3 -c '
import json
b = json.load(open("json"))
p, = b["programs"]
print(b["bench"], p["name"], p["insns"] > 20, p["executed"] > 256 * 15, p["c_ns"] > 0, p["jit_ns"] > 0, p["interp_ns"] > 0)
for f in b["figures"]:
    if f["name"].startswith("code of"):
        print(f["name"], f["reached"])'
-- out
13
jit murmur True True True True True
code of 'return 0', x86-64 True
code of 'return 0', arm64 True

-- case per-CPU counters
-- run
weir bench percpu --list
weir bench percpu --only arr-inc --repeats 2 --qemu none --json >json
python3 -c '
import json
b = json.load(open("json"))
rates = [r for r in b["rates"] if "kernel" not in r["form"]]
print(b["bench"], len(rates), {r["counter"] for r in rates}, min(r["million_per_s"] for r in rates) > 0)
print(len(b["parts"]), [len(p["ns"]) for p in b["parts"]])
print(len(b["figures"]), {f["measured"] for f in b["figures"]})'
-- out
glob-arr-inc
arr-inc
hash-inc
percpu-array-inc
percpu-hash-inc
percpu 10 {'arr-inc'} True
4 [4, 4, 4, 4]
8 {None}

-- case masked compare without qemu
-- run
weir bench addr --qemu none --json >json
python3 -c '
import json
b = json.load(open("json"))
print(b["bench"], {f["measured"] for f in b["figures"] if "instructions" in f["unit"]})
print({f["to_reach"] for f in b["figures"] if "constant" in f["name"] and "to_reach" in f})'
-- out
addr {None}
{4.0, 7.0}

-- case a reason for each program without the kernel's time, whoever runs it
-- run
cat >check.py <<'END'
import json, sys
b = json.load(open("json"))
lacks = [p["name"] for p in b["programs"] if "kernel_ns" not in p]
print(all(bool(p["kernel_why"]) for p in b["programs"] if "kernel_ns" not in p), "empty" in lacks)
row = next(line for line in open("text") if line.startswith("empty"))
said = [line for line in open("text") if line.startswith("kernel") and "empty" in line]
print(row.split()[11], len(said), said[0].split(": ", 1)[1].strip() != "")
END
look() {
	$1 $WEIR_COMMAND bench jit --only empty --repeats 1 --qemu none --json >json
	$1 $WEIR_COMMAND bench jit --only empty --repeats 1 --qemu none >text
	python3 check.py
}
weir bench jit --list >programs || { weir bench jit; exit; }
look ""
# root that may not do what only root may
[ "$(id -u)" = 0 ] && look "setpriv --bounding-set=-all --inh-caps=-all" || look ""
-- out
True True
- 1 True
True True
- 1 True

-- case a reason for each counter without the kernel's rate
-- run
look() {
	$1 $WEIR_COMMAND bench percpu --only arr-inc --repeats 2 --qemu none >text
	grep -c 'arr-inc  *the kernel, less the run  *[-0-9.]* *[+a-z]' text
}
look ""
[ "$(id -u)" = 0 ] && look "setpriv --bounding-set=-all --inh-caps=-all" || look ""
-- out
1
1

-- case no counts from what isn't qemu
-- run
weir bench jit --list >programs || { weir bench jit; exit; }
for bench in jit percpu addr; do
	weir bench $bench --qemu true
	echo $?
	weir bench $bench --json --qemu echo
	echo $?
	weir bench $bench --qemu false
	echo $?
done
-- out
1
1
1
1
1
1
1
1
1
-- err
weir: error: 'true bench jit --counts' printed no counts; a command is wanted that runs weir under qemu with the plugin qemu_count.so
weir: error: 'echo bench jit --counts' printed no counts; a command is wanted that runs weir under qemu with the plugin qemu_count.so
weir: error: 'false bench jit --counts' failed
weir: error: 'true bench percpu --counts' printed no counts; a command is wanted that runs weir under qemu with the plugin qemu_count.so
weir: error: 'echo bench percpu --counts' printed no counts; a command is wanted that runs weir under qemu with the plugin qemu_count.so
weir: error: 'false bench percpu --counts' failed
weir: error: 'true bench addr --counts' printed no counts; a command is wanted that runs weir under qemu with the plugin qemu_count.so
weir: error: 'echo bench addr --counts' printed no counts; a command is wanted that runs weir under qemu with the plugin qemu_count.so
weir: error: 'false bench addr --counts' failed

-- case wrong counter
-- run
weir bench percpu --only arr
-- exit
2
-- err
weir: there is no counter 'arr': see --list

-- case wrong benchmark
-- run
weir bench speed
-- exit
2
-- err
weir: there is no benchmark 'speed'; there are jit, percpu, addr

-- case wrong program
-- run
weir bench jit --only fast
-- exit
2
-- err
weir: there is no program 'fast': see --list

-- case wrong number of repeats
-- run
weir bench jit --repeats 0
-- exit
2
-- err
weir: --repeats: '0' is not a number from 1 to 1001

-- case counts without qemu
-- run
weir bench jit --counts
-- exit
2
-- err
weir: --counts is not possible outside of qemu with the plugin qemu_count.so
