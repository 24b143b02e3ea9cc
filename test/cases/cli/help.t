How the command line is read and taught.

-- case version
-- run
weir --version
-- out
weir 0.1.0

-- case no command
-- run
weir 2>&1 | head -3
-- out
weir 0.1.0: packet rules and eBPF programs, compiled to native code, anywhere

usage: weir COMMAND [options] ...

-- case unknown command
-- run
weir fliter 2>&1 >/dev/null | head -1; weir fliter 2>/dev/null
-- exit
2
-- out
weir: there is no command 'fliter'

-- case every command has help
-- run
for c in filter check run verify inspect dump map bench; do weir $c --help | head -1; weir $c --help | grep -c '^examples:'; done
-- out
usage: weir filter RULES -r FILE [options]
1
usage: weir check RULES [options]
1
usage: weir run OBJ -r FILE | OBJ --data HEX | --raw HEX [options]
1
usage: weir verify OBJ [options]
1
usage: weir inspect OBJ [options]
1
usage: weir dump RULES|OBJ [--stage STAGE] [options]
1
usage: weir map COMMAND SET [NAME [KEY [VALUE]]] [options]
1
usage: weir bench jit|percpu|addr [options]
1

-- case missing argument
-- run
weir filter
-- exit
2
-- err
weir: filter: something is missing
usage: weir filter RULES -r FILE [options]
('weir filter --help' explains)

-- case no capture
-- file r
*filter
COMMIT
-- run
weir filter r
-- exit
2
-- err
weir: filter: which capture? -r FILE, or -r - for standard input

-- case wrong values
-- run
weir filter r -r c --engine fast; weir filter r -r c --workers 0; weir filter r -r c -t filtre; weir filter r -r c -c input
weir filter r -r c --uid root; weir filter r -r c -i a-name-that-is-too-long; weir filter r -r c --join 2001:db8::1
weir filter r -r c --json --save; weir check r -4 -6; weir dump r -d q; weir dump r --without a
weir filter r -r c --not-local 10.0.0.0/33; weir dump r --stage asm; weir filter r -r c --mark 0x100000000
-- exit
2
-- err
weir: --engine: 'fast' is not one of jit, interp, eval
weir: --workers: '0' is not a number from 1 to 255
weir: --table: 'filtre' is not one of filter, mangle, nat, raw, security
weir: --chain: 'input' is not one of PREROUTING, INPUT, FORWARD, OUTPUT, POSTROUTING
weir: --uid: 'root' is not a user id, 'none' or 'kernel'
weir: --in: 'a-name-that-is-too-long' is not an interface name of 1 to 15 bytes
weir: --join: '2001:db8::1' is not a multicast address (at most 64 of them)
weir: --save is not for use with --json
weir: --ipv6 is not for use with -4
weir: --passes: 'q' is not letters of passes (man weir lists them)
weir: --without: 'a' is not letters of passes that can be left out (man weir lists them)
weir: --not-local: '10.0.0.0/33' is not an address or prefix (at most 64 of them)
weir: --stage: 'asm' is not one of tree, elf, bpf, verifier, rewritten, x86_64, arm64, side
weir: --mark: '0x100000000' is not a 32-bit number

-- case options of other stages
-- run
weir dump r -d m; weir dump r --stage bpf --with h; weir dump r --stage verifier --without m; weir dump r --percpu thread
weir dump r --stage rewritten -d h; weir dump r --stage rewritten -d hm --without m
-- exit
2
-- err
weir: r: -d, --passes is for --stage rewritten
weir: r: --without and --with are for stages behind the passes: rewritten, x86_64, arm64, side
weir: r: --without and --with are for stages behind the passes: rewritten, x86_64, arm64, side
weir: r: --percpu is for machine code: --stage x86_64, arm64, side
weir: r: -d, --passes names a pass that runs on request only: see --with
weir: r: -d, --passes names a pass that runs on request only: see --with

-- case rules and capture from one pipe
-- run
weir filter - -r -
-- exit
2
-- err
weir: filter: rules and capture can't both come from standard input
