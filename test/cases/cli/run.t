weir run --raw, and what weir run says of command lines. Objects are in objects.t.

-- case bare instructions
-- run
weir run --raw 'b7000000 2a000000 95000000 00000000'
echo 'b7 00 00 00 2a 00 00 00
95 00 00 00 00 00 00 00' | weir run --raw - --engine interp
weir run --raw b7000000ffffffff9500000000000000 --engine jit --json
-- out
0x2a
0x2a
{"retval":18446744073709551615}

-- case r1 is the memory, r2 its length
-- run
for e in jit interp; do weir run --raw '71100100 00000000 0f200000 00000000 95000000 00000000' --mem '01 ff 03' --engine $e; done
weir run --raw 'bf200000 00000000 95000000 00000000'
-- out
0x102
0x102
0x0

-- case the slot
-- run
weir run --raw '85000000 08000000 95000000 00000000' --cpu 5 --slots 0,4-7
-- out
0x5

-- case a slot that doesn't exist
-- run
weir run --raw '95000000 00000000' --cpu 3 --slots 0,4-7
-- exit
2
-- err
weir: run: --cpu names a slot that doesn't exist: see --slots

-- case the verifier says no
-- run
weir run --raw '71100200 00000000 95000000 00000000' --mem ff01
-- exit
1
-- err
raw: insn 0: error: invalid access to memory, mem_size=2 off=2 size=1
raw: insn 0: note: R1 min value is outside of the allowed memory range

-- case without the verifier accesses are checked as they happen
-- run
weir run --raw '71100100 00000000 95000000 00000000' --mem ff01 --no-verify --engine interp
weir run --raw '71100200 00000000 95000000 00000000' --mem ff01 --no-verify --engine interp
-- exit
1
-- out
0x1
-- err
raw: insn 0: error: an access of 1 bytes, neither in the 2 bytes of memory nor in the stack: at memory +2

-- case stack and frames without the verifier
-- run
weir run --raw '79a0f8ff 00000000 95000000 00000000' --no-verify --engine interp
weir run --raw '7a0afcff 01000000 b7000000 00000000 95000000 00000000' --no-verify --engine interp
weir run --raw '85100000 ffffffff 95000000 00000000' --no-verify --engine interp
-- exit
1
-- out
0x0
-- err
raw: insn 0: error: an access of 8 bytes, neither in the 0 bytes of memory nor in the stack: at r10 -4
raw: insn 0: error: the call stack of 9 frames is too deep

-- case calls without the verifier
-- run
weir run --raw '85000000 08000000 95000000 00000000' --no-verify --engine interp --cpu 3
weir run --raw '85000000 01000000 95000000 00000000' --no-verify --engine interp
-- exit
1
-- out
0x3
-- err
raw: insn 0: error: helpers that take pointers need the verifier

-- case hardened code does the same
-- run
for e in jit interp; do weir run --raw 'b7000000 78563412 a7000000 01010101 95000000 00000000' --harden --engine $e; done
-- out
0x13355779
0x13355779

-- case names for a profiler
-- run
sh -c 'weir run --raw "b7000000 2a000000 95000000 00000000" --perf-map --debugger --repeat 2 & pid=$!; wait $pid; sed "s/^[0-9a-f]* [0-9a-f]* //" /tmp/perf-$pid.map; rm -f /tmp/perf-$pid.map'
-- out
0x2a
weir_raw

-- case names of subprograms don't depend on what passes do
-- run
# r0 = 0x12345678; r1 = 0x11223344; call both subprograms; exit; r0 ^= r1, exit; r0 ^= 0x55667788, exit
code='b7000000 78563412 b7010000 44332211 bf060000 00000000 85100000 02000000 85100000 04000000 95000000 00000000
bf100000 00000000 a7000000 88776655 95000000 00000000 b7000000 42424242 95000000 00000000'
for options in --engine=jit --harden; do
	sh -c 'weir run --raw "$1" --perf-map $2 & pid=$!; wait $pid; sed "s/^[0-9a-f]* [0-9a-f]* //" /tmp/perf-$pid.map; rm -f /tmp/perf-$pid.map' \
		sh "$code" $options
done
-- out
0x42424242
weir_raw
weir_raw_6
weir_raw_9
0x42424242
weir_raw
weir_raw_6
weir_raw_9

-- case not hex
-- run
weir run --raw zz; weir run --raw b700; weir run --raw 'b7000000 2a000000 9500000' ; weir run --raw 95 --mem 0
-- exit
2
-- err
weir: --raw: at character 1: pairs of hex digits are expected, blanks between pairs are fine
weir: --raw: 2 bytes are no whole number of instructions of 8 bytes
weir: --raw: at character 25: pairs of hex digits are expected, blanks between pairs are fine
weir: --mem: at character 1: pairs of hex digits are expected, blanks between pairs are fine

-- case combinations
-- run
weir run; weir run o --mem 00; weir run --raw 00 --data 00; weir run --raw 00 --no-verify; weir run o; weir run o --data 00 -r x
weir run o --data 00 --engine fast; weir run o --data 00 --repeat 0; weir run o --ctx marks=1 --data 00; weir run o --slots 0,,2 --data 00
weir run --raw 00 --prog x; weir run --raw 00 --save-maps m; weir run --raw 00 --type xdp; weir run --raw 00 --ctx mark=1
weir run o -r a -r b; weir run o --data 00 --data 01 --repeat 2 --repeat 3; weir run o --data 00 --ctx ifindex=99999999999
-- exit
2
-- err
weir: run: which object? weir run OBJ, or --raw HEX
weir: run: --mem and --no-verify belong to --raw
weir: run: --raw runs on the memory of --mem, not on packets or maps
weir: run: --no-verify needs --engine interp: only the interpreter checks accesses as they happen
weir: run: on what? -r FILE, or --data HEX
weir: run: either -r or --data
weir: --engine: 'fast' is not jit or interp
weir: --repeat: '0' is not a number from 1 to 1000000000
weir: --ctx: 'marks=1' is not a field of the context with a number that fits, like mark=5 or ifindex=2
weir: --slots: '0,,2' is not a number from 1 to 256 or a list like 0,4-7
weir: run: --raw has no object: --prog, --type, --mem-size, --btf, --kconfig, --var, --load-maps, --save-maps and --control belong to one
weir: run: --raw has no object: --prog, --type, --mem-size, --btf, --kconfig, --var, --load-maps, --save-maps and --control belong to one
weir: run: --raw has no object: --prog, --type, --mem-size, --btf, --kconfig, --var, --load-maps, --save-maps and --control belong to one
weir: run: --raw runs on the memory of --mem, not on packets or maps
weir: --read is given twice
weir: --repeat is given twice
weir: --ctx: 'ifindex=99999999999' is not a field of the context with a number that fits, like mark=5 or ifindex=2
