-- case a full disk
-- file r.v6
*filter
:INPUT ACCEPT [0:0]
COMMIT
-- bytes c
d4c3b2a1 02000400 00000000 00000000 ffff0000 65000000
00000000 00000000 28000000 28000000
60000000 00003bff 20010db8 00000000 00000000 00000001 20010db8 00000000 00000000 00000002
-- file m.txt
weir-maps 1 slots 0
map a array key 4 value 4 entries 1 flags 0x0 extra 0 lock 0
00000000 01000000
-- run
code='b7000000 2a000000 95000000 00000000'
full() {
	weir "$@" >/dev/full || echo $?
}
full run --raw "$code"
full dump r.v6
full check r.v6
full filter r.v6 -r c -q
full filter r.v6 -r c -q -w - --json 2>json || head -1 json
head -1 json
full map list m.txt --json
full bench percpu --list
full --help
full run --help
full --version
weir filter r.v6 -r c -q --save -w /dev/full
echo $?
-- out
4
4
4
4
4
-: error: can't be written: No space left on device
4
4
4
4
4
*filter
:INPUT ACCEPT [1:40]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
COMMIT
4
-- err
weir: the result can't be written: No space left on device
weir: the result can't be written: No space left on device
weir: the result can't be written: No space left on device
weir: the result can't be written: No space left on device
weir: the result can't be written: No space left on device
weir: the result can't be written: No space left on device
weir: the result can't be written: No space left on device
weir: the result can't be written: No space left on device
weir: the result can't be written: No space left on device
/dev/full: error: can't be written: No space left on device

-- case a closed standard output
-- file r.v6
*filter
:INPUT ACCEPT [0:0]
COMMIT
-- file m.txt
weir-maps 1 slots 0
map a array key 4 value 4 entries 1 flags 0x0 extra 0 lock 0
00000000 01000000
-- run
# Nothing else may get its number: code in memory, captures, maps.
code='b7000000 2a000000 95000000 00000000'
closed() {
	$WEIR_COMMAND "$@" >&- || echo $?
}
case $WEIR_COMMAND in *qemu*) closed() { weir "$@" >/dev/full 2>/dev/null; echo 4; echo "weir: the result can't be written: Bad file descriptor" >&2; };; esac
closed run --raw "$code"
closed dump r.v6 --stage x86_64
closed map dump m.txt
closed --version
$WEIR_COMMAND map update m.txt a 0 7 >&- && tail -1 m.txt
-- out
4
4
4
4
00000000 07000000
-- err
weir: the result can't be written: Bad file descriptor
weir: the result can't be written: Bad file descriptor
weir: the result can't be written: Bad file descriptor
weir: the result can't be written: Bad file descriptor

-- case too few descriptors
-- bytes c
d4c3b2a1 02000400 00000000 00000000 ffff0000 01000000
-- file ring.c
#define SEC(name) __attribute__((section(name), used))
struct {
	int (*type)[27];
	int (*max_entries)[4096];
} records SEC(".maps");
SEC("xdp") int first(void *ctx)
{
	long record = 5;

	((long (*)(void *, void *, unsigned long, unsigned long))130)(&records, &record, 8, 0);
	return 2;
}
char _license[] SEC("license") = "GPL";
-- run
clang -O2 -g -target bpf -c ring.c -o ring.o || exit
# How many the loader and an emulator need is their affair.
try() {
	for n in 4 5 6 7 8; do
		(ulimit -n $n; exec $WEIR_COMMAND "$@") >out 2>err
		code=$?
		[ $code = 127 ] && continue
		grep -q 'error while loading\|qemu' err && continue
		[ $code = 4 ] && [ ! -s out ] && grep -q 'Too many open files' err && continue
		[ $code = 0 ] && [ ! -s err ] && continue
		echo "$*, $n descriptors: exit code $code"
		cat out err
	done
}
try verify ring.o
try inspect ring.o
try run ring.o -r c
try run ring.o -r c -w w.pcap
try run ring.o -r c --control socket

-- case too little memory
-- file m.txt
weir-maps 1 slots 0-2
map a array key 4 value 4 entries 1 flags 0x0 extra 0 lock 0
00000000 01000000
-- file r.v6
*filter
:INPUT ACCEPT [0:0]
COMMIT
-- bytes c
d4c3b2a1 02000400 00000000 00000000 ffff0000 65000000
-- run
# Sanitizers and emulators want more for themselves.
if sh -c '(ulimit -v 150000; exec $0 "$@"); exit $?' $WEIR_COMMAND --version >out 2>err; then
	(ulimit -v 150000; exec $WEIR_COMMAND map list m.txt)
	echo $?
	(ulimit -s 4000000; ulimit -v 1000000; exec $WEIR_COMMAND filter r.v6 -r c --workers 2)
	echo $?
else
	printf '4\n4\n'
	echo "weir: error: can't reserve 201326592 bytes of address space for 3 slots of 67108864 bytes" >&2
	echo "weir: error: worker thread 0 can't be started: no memory for its stack, or too many threads" >&2
fi
-- out
4
4
-- err
weir: error: can't reserve 201326592 bytes of address space for 3 slots of 67108864 bytes
weir: error: worker thread 0 can't be started: no memory for its stack, or too many threads

-- case a set of maps that can't be saved stays as it was
-- file ret.c
__attribute__((section("raw/8"))) unsigned long long first(void)
{
	return 1;
}
-- run
clang -O2 -target bpf -c ret.c -o ret.o || exit
mkdir there
echo before >there/old
weir run ret.o --data 0011223344556677 --slots 1 --save-maps there/old >out || echo $?
cat there/old
weir run ret.o --data 0011223344556677 --save-maps nowhere/new >out || echo $?
weir run ret.o --data 00 --save-maps there/new >out || echo $?
weir run ret.o --data 0011223344556677 --save-maps /dev/full >out || echo $?
ls there
-- out
weir-maps 1 slots 0
4
2
4
old
-- err
weir: nowhere/new: can't be written: No such file or directory
weir: --data: 1 bytes are too few: programs of type raw need 8 for their memory
weir: /dev/full: can't be written: No space left on device
