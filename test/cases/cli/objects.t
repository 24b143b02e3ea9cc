weir run, verify, inspect, dump and map on an object that clang builds.

-- case counts packets
-- file count.c
typedef unsigned int u32;
typedef unsigned long long u64;
#define SEC(name) __attribute__((section(name), used))
#define __uint(name, value) int(*name)[value]
#define __type(name, value) typeof(value) *name
struct xdp_md { u32 data, data_end, data_meta, ingress_ifindex, rx_queue_index, egress_ifindex; };
static void *(*lookup)(void *map, const void *key) = (void *)1;

struct { __uint(type, 6); __uint(max_entries, 4); __type(key, u32); __type(value, u64); } packets SEC(".maps");
struct { __uint(type, 1); __uint(max_entries, 16); __type(key, u32); __type(value, u32); } blocked SEC(".maps");
const volatile u32 limit = 100;
u64 bytes;

SEC("xdp") int count(struct xdp_md *ctx)
{
	unsigned char *data = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	u32 key, source;
	u64 *n;

	if (data + 34 > end)
		return 0;
	key = data[12] == 8 && data[13] == 0;
	n = lookup(&packets, &key);
	if (n)
		*n += 1;
	__sync_fetch_and_add(&bytes, end - data);
	source = *(u32 *)(data + 26);
	if (key && lookup(&blocked, &source))
		return 1;
	return end - data > limit ? 3 : 2;
}

SEC("xdp/second") int ifindex(struct xdp_md *ctx)
{
	return ctx->ingress_ifindex;
}

char _license[] SEC("license") = "Dual BSD/GPL";
-- run
clang -O2 -g -target bpf -c count.c -o count.o
p=ffffffffffff0000000000000800450000140000000040060000c0a80001c0a80002
weir run count.o --prog count --data $p --data ${p}0000 --map blocked=192.168.0.2=1 --map packets --map .bss | grep -v ^time
echo "== blocked, in the interpreter"
weir run count.o --prog count --engine interp --data $p --map blocked=192.168.0.1=1,7=8 --map blocked | grep -v ^time
echo "== the context"
weir run count.o --prog ifindex --data $p --ctx ingress_ifindex=2 --map .bss --json | sed 's/"ns_per_run":[0-9.]*,//; s/"ctx_out".*//'
echo "== inspect"
weir inspect count.o
echo "== verify"
weir verify count.o
-- out
count (xdp, native code): 2 packets
  XDP_PASS                  2

map packets: percpu_array, key 4 bytes, value 8 bytes, 4 entries
  1: 2  (cpu 0: 2)
  3 more entries are zero

map .bss: array, key 4 bytes, value 8 bytes, 1 entries
  0: {"bytes":70}
== blocked, in the interpreter
count (xdp, interpreter): 1 packets
  XDP_DROP                  1

map blocked: hash, key 4 bytes, value 4 bytes, 16 entries
  7: 8
  16820416: 1
== the context
{"program":"ifindex","type":"xdp","engine":"jit","retval":2,"packets":1,"runs":1,"returned":[{"value":2,"name":"XDP_PASS","packets":1}],"other_values":0,"sent":[],"data_out":"ffffffffffff0000000000000800450000140000000040060000c0a80001c0a80002",
== inspect
license: Dual BSD/GPL
map packets: percpu_array, key 4 bytes, value 8 bytes, 4 entries
map blocked: hash, key 4 bytes, value 4 bytes, 16 entries
map .rodata: array, key 4 bytes, value 4 bytes, 1 entries, flags 0x480, global data, read-only
map .bss: array, key 4 bytes, value 8 bytes, 1 entries, flags 0x400, global data
program count: section "xdp", type xdp, 47 instructions
    calls: map_lookup_elem#1
program ifindex: section "xdp/second", type xdp, 2 instructions
== verify
count: accepted, 62 instructions walked
ifindex: accepted, 2 instructions walked
-- case maps of a run that goes on
-- file count.c
typedef unsigned int u32;
typedef unsigned long long u64;
#define SEC(name) __attribute__((section(name), used))
#define __uint(name, value) int(*name)[value]
#define __type(name, value) typeof(value) *name
struct xdp_md { u32 data, data_end, data_meta, ingress_ifindex, rx_queue_index, egress_ifindex; };
static void *(*lookup)(void *map, const void *key) = (void *)1;

struct { __uint(type, 6); __uint(max_entries, 4); __type(key, u32); __type(value, u64); } packets SEC(".maps");
struct { __uint(type, 1); __uint(max_entries, 16); __type(key, u32); __type(value, u32); } blocked SEC(".maps");
const volatile u32 limit = 100;
u64 bytes;

SEC("xdp") int count(struct xdp_md *ctx)
{
	unsigned char *data = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	u32 key, source;
	u64 *n;

	if (data + 34 > end)
		return 0;
	key = data[12] == 8 && data[13] == 0;
	n = lookup(&packets, &key);
	if (n)
		*n += 1;
	__sync_fetch_and_add(&bytes, end - data);
	source = *(u32 *)(data + 26);
	if (key && lookup(&blocked, &source))
		return 1;
	return end - data > limit ? 3 : 2;
}

SEC("xdp/second") int ifindex(struct xdp_md *ctx)
{
	return ctx->ingress_ifindex;
}

char _license[] SEC("license") = "Dual BSD/GPL";
-- run
clang -O2 -g -target bpf -c count.c -o count.o
p=ffffffffffff0000000000000800450000140000000040060000c0a80001c0a80002
weir run count.o --prog count --data $p -w one.pcap > /dev/null
mkfifo live
weir run count.o --prog count -r live --control maps --map packets --slots 2 > out &
exec 3> live
cat one.pcap >&3
for i in $(seq 200); do weir map dump maps packets 2> /dev/null | grep -q '1: 1 ' && break; sleep 0.05; done
weir map dump maps packets
weir map update maps blocked 192.168.0.1 1; weir map lookup maps blocked 192.168.0.1; weir map lookup maps blocked 10.0.0.1
weir map lookup maps blocked 192.168.0.1 --json; weir map lookup maps packets 1 --json; weir map list maps blocked --json
tail -c +25 one.pcap >&3
exec 3>&-
wait
grep -v ^time out
test -e maps && echo 'the socket is still there'
weir map dump maps
-- exit
4
-- out
map packets: percpu_array, key 4 bytes, value 8 bytes, 4 entries
  1: 1  (cpu 0: 1)
  3 more entries are zero
1
{"key":"c0a80001","value":"01000000","formatted":{"key":16820416,"value":1}}
{"key":"01000000","values":["0100000000000000","0000000000000000"],"formatted":{"key":1,"values":[{"cpu":0,"value":1},{"cpu":1,"value":0}]}}
[{"name":"blocked","type":"hash","key_size":4,"value_size":4,"max_entries":16}]
count (xdp, native code): 2 packets
  XDP_DROP                  1
  XDP_PASS                  1

map packets: percpu_array, key 4 bytes, value 8 bytes, 4 entries
  1: 2  (cpu 0: 2)
  3 more entries are zero
-- err
weir: map blocked: 10.0.0.1: there is no such entry
maps: error: can't be opened: No such file or directory
-- case maps are saved, changed and loaded
-- file m.txt
weir-maps 1 slots 0-1
map packets percpu_array key 4 value 8 entries 2 flags 0x0 extra 0 lock 0
00000000 0100000000000000 0200000000000000
01000000 0000000000000000 0000000000000000
map routes lpm_trie key 8 value 4 entries 10 flags 0x1 extra 0 lock 0
18000000c0a80000 05000000
-- run
weir map list m.txt
weir map dump m.txt
weir map update m.txt routes 10.0.0.0/8 7 && weir map lookup m.txt routes 10.1.2.3/32
weir map update m.txt packets 1 3; weir map dump m.txt packets --json; weir map delete m.txt routes 192.168.0.0/24; cat m.txt
weir map update m.txt routes 10.0.0.0/8 7 noexist; weir map update m.txt routes 10.0.0.0/33 7; weir map update m.txt packets 2 1
weir map lookup m.txt routes; weir map dump m.txt nothing; weir map drop m.txt
weir map delete m.txt packets 1; weir map list m.txt --json; weir map update m.txt packets hex:0100000g 1
weir map update m.txt routes 10.0.0.0/8 99999999999999999999; weir map update m.txt routes 10.0.0.0/8 x
-- exit
2
-- out
packets: percpu_array, key 4 bytes, value 8 bytes, 2 entries
routes: lpm_trie, key 8 bytes, value 4 bytes, 10 entries
map packets: percpu_array, key 4 bytes, value 8 bytes, 2 entries
  0: 3  (cpu 0: 1, cpu 1: 2)
  1 more entries are zero
map routes: lpm_trie, key 8 bytes, value 4 bytes, 10 entries
  192.168.0.0/24: 5
7
[{"name":"packets","type":"percpu_array","key_size":4,"value_size":8,"max_entries":2,"entries":[{"key":"00000000","values":["0100000000000000","0200000000000000"],"formatted":{"key":0,"values":[{"cpu":0,"value":1},{"cpu":1,"value":2}]}},{"key":"01000000","values":["0300000000000000","0300000000000000"],"formatted":{"key":1,"values":[{"cpu":0,"value":3},{"cpu":1,"value":3}]}}]}]
weir-maps 1 slots 0-1
map packets percpu_array key 4 value 8 entries 2 flags 0x0 extra 0 lock 0
00000000 0100000000000000 0200000000000000
01000000 0300000000000000 0300000000000000
map routes lpm_trie key 8 value 4 entries 10 flags 0x1 extra 0 lock 0
080000000a000000 07000000
[{"name":"packets","type":"percpu_array","key_size":4,"value_size":8,"max_entries":2},{"name":"routes","type":"lpm_trie","key_size":8,"value_size":4,"max_entries":10}]
-- err
weir: error: map routes, 10 entries: key 10.0.0.0/8: the entry is there already
weir: error: map routes: key '10.0.0.0/33' of 8 bytes: the prefix is longer than the address
weir: error: map packets, 2 entries: key 2: the index is beyond the last entry
weir: error: should be: lookup NAME KEY
weir: error: there is no map 'nothing' (list shows the names)
weir: error: drop is none of list, dump, lookup, update, delete, push, pop, peek
weir: error: map packets, 2 entries: key 1: entries of an array are always there: they can't be deleted
weir: error: map packets: key 'hex:0100000g' of 4 bytes: has a character that is no hex digit
weir: error: map routes: value '99999999999999999999' of 4 bytes: the number doesn't fit
weir: error: map routes: value 'x' of 4 bytes: is not a number, hex:0a0b..., an IPv4 address, an [IPv6 address], an address/length for lpm_trie, or str:text
-- case the memory of raw programs
-- file first.c
__attribute__((section("program"))) unsigned long long first(unsigned char *mem, unsigned long long bytes)
{
	*mem = 7;
	return mem[15] + bytes;
}
__attribute__((section("raw/16"))) unsigned long long second(unsigned char *mem, unsigned long long bytes)
{
	return mem[15] + 2 * bytes;
}
-- run
clang -O2 -target bpf -c first.c -o first.o || exit
data=000102030405060708090a0b0c0d0e0f1011
weir verify first.o --type raw --mem-size 16
weir verify first.o --type raw --mem-size 15
weir verify first.o --type raw
weir verify first.o --type raw --mem-size 16 --prog first --json
weir dump first.o --type raw --mem-size 16 --prog first --stage rewritten | head -1
for prog in first second; do
	weir run first.o --type raw --mem-size 18 --prog $prog --data $data --json | sed 's/"ns_per_run":[0-9.]*,//; s/"engine":"[a-z]*",//'
	weir run first.o --type raw --mem-size 18 --prog $prog --data 0001
done
weir dump first.o --type raw --prog first --stage rewritten >out
echo $?
weir run first.o --type raw --prog first --data $data
weir run first.o --type xdp --prog second --mem-size 16 --data $data
weir run first.o --mem-size 0
weir run --raw 00 --mem-size 5
echo '*filter' | weir dump - --mem-size 5
-- exit
2
-- out
first: accepted, 5 instructions walked
second: accepted, 5 instructions walked
first: refused: invalid access to memory, mem_size=15 off=15 size=1
second: accepted, 5 instructions walked
first: refused: invalid access to memory, mem_size=0 off=0 size=1
second: accepted, 5 instructions walked
[{"name":"first","accepted":true,"errno":0,"insns_walked":5,"compares_addresses":false,"reason":"","log":""}]
; first, section "program", type raw
{"program":"first","type":"raw","retval":33,"packets":1,"runs":1,"returned":[{"value":33,"packets":1}],"other_values":0,"sent":[],"data_out":"070102030405060708090a0b0c0d0e0f1011","maps":[]}
{"program":"second","type":"raw","retval":47,"packets":1,"runs":1,"returned":[{"value":47,"packets":1}],"other_values":0,"sent":[],"data_out":"000102030405060708090a0b0c0d0e0f1011","maps":[]}
1
-- err
first: insn 2: error: invalid access to memory, mem_size=15 off=15 size=1
first: insn 2: note: R1 min value is outside of the allowed memory range
first: insn 1: error: invalid access to memory, mem_size=0 off=0 size=1
first: insn 1: note: R1 min value is outside of the allowed memory range
weir: program first is given no memory: --mem-size BYTES, or a section named raw/BYTES
weir: --data: 2 bytes are too few: programs of type raw need 18 for their memory
weir: --data: 2 bytes are too few: programs of type raw need 16 for their memory
first: insn 1: error: invalid access to memory, mem_size=0 off=0 size=1
first: insn 1: note: R1 min value is outside of the allowed memory range
weir: program first is given no memory: --mem-size BYTES, or a section named raw/BYTES
first.o: first: insn 1: error: invalid access to memory, mem_size=0 off=0 size=1
first.o: first: insn 1: note: R1 min value is outside of the allowed memory range
weir: program first is given no memory: --mem-size BYTES, or a section named raw/BYTES
weir: --mem-size is for programs of type raw, not xdp
weir: --mem-size: '0' is not a number from 1 to 536870912
weir: run: --raw has no object: --prog, --type, --mem-size, --btf, --kconfig, --var, --load-maps, --save-maps and --control belong to one
weir: -: --prog, --type, --mem-size, --btf and --kconfig are for BPF objects

-- case every answer about maps as JSON
-- file m.txt
weir-maps 1 slots 1,3
map packets percpu_array key 4 value 8 entries 1 flags 0x0 extra 0 lock 0
00000000 0100000000000000 0200000000000000
map routes lpm_trie key 8 value 4 entries 10 flags 0x1 extra 0 lock 0
18000000c0a80000 05000000
map pairs hash key 6 value 3 entries 10 flags 0x0 extra 0 lock 0
0102030405ff 00a0ff
-- run
for words in 'list m.txt' 'list m.txt routes' 'dump m.txt' 'lookup m.txt packets 0' 'lookup m.txt routes 192.168.0.7/32' \
	'lookup m.txt pairs hex:0102030405ff' 'update m.txt routes 10.0.0.0/8 7' 'lookup m.txt routes 10.9.9.9/32' 'delete m.txt routes 10.0.0.0/8' \
	'lookup m.txt routes 10.9.9.9/32'; do
	weir map $words --json >json || { echo $?; continue; }
	python3 -c '
import json
text = open("json").read()
json.loads(text)
print(text, end="")'
done
-- out
[{"name":"packets","type":"percpu_array","key_size":4,"value_size":8,"max_entries":1},{"name":"routes","type":"lpm_trie","key_size":8,"value_size":4,"max_entries":10},{"name":"pairs","type":"hash","key_size":6,"value_size":3,"max_entries":10}]
[{"name":"routes","type":"lpm_trie","key_size":8,"value_size":4,"max_entries":10}]
[{"name":"packets","type":"percpu_array","key_size":4,"value_size":8,"max_entries":1,"entries":[{"key":"00000000","values":["0100000000000000","0200000000000000"],"formatted":{"key":0,"values":[{"cpu":1,"value":1},{"cpu":3,"value":2}]}}]},{"name":"routes","type":"lpm_trie","key_size":8,"value_size":4,"max_entries":10,"entries":[{"key":"18000000c0a80000","value":"05000000","formatted":{"key":"192.168.0.0/24","value":5}}]},{"name":"pairs","type":"hash","key_size":6,"value_size":3,"max_entries":10,"entries":[{"key":"0102030405ff","value":"00a0ff","formatted":{"key":"hex:0102030405ff","value":"hex:00a0ff"}}]}]
{"key":"00000000","values":["0100000000000000","0200000000000000"],"formatted":{"key":0,"values":[{"cpu":1,"value":1},{"cpu":3,"value":2}]}}
{"key":"20000000c0a80007","value":"05000000","formatted":{"key":"192.168.0.7/32","value":5}}
{"key":"0102030405ff","value":"00a0ff","formatted":{"key":"hex:0102030405ff","value":"hex:00a0ff"}}
null
{"key":"200000000a090909","value":"07000000","formatted":{"key":"10.9.9.9/32","value":7}}
null
1
-- err
weir: error: map routes: 10.9.9.9/32: there is no such entry

-- case saved sets that are wrong
-- file a
weir-maps 2 slots 0
-- file b
weir-maps 1 slots 0
map m hash key 4 value 4 entries 4 flags 0x0 extra 0 lock 0
0000000 00000000
-- file c
weir-maps 1 slots 0
map m hush key 4 value 4 entries 4 flags 0x0 extra 0 lock 0
-- file d
weir-maps 1 slots 0
map m percpu_hash key 4 value 4 entries 1 flags 0x0 extra 0 lock 0
00000000 00000000 00000000
-- file e
weir-maps 1 slots 0
map m hash key 4 value 4 entries 1 flags 0x0 extra 0 lock 0
00000000 00000000
00000001 00000000
-- run
for f in a b c d e; do weir map list $f; done; weir map list /nonexistent
-- exit
4
-- err
a:1:1: error: not a saved set of maps: the first line is 'weir-maps 1 slots LIST'
b:3:1: error: an entry begins with the key, two hex digits for each byte
c:2:1: error: there is no such type of map
d:3:1: error: something is left behind the value
e:4:1: error: the map is full, or the index beyond its end
/nonexistent: error: can't be opened: No such file or directory

-- case a capture of another kind
-- file p.c
__attribute__((section("xdp"), used)) int pass(void *ctx) { return 2; }
-- bytes wifi.pcap
d4c3b2a1 0200 0400 00000000 00000000 ffff0000 69000000
00000000 00000000 10000000 10000000 00112233445566778899aabbccddeeff
-- run
clang -O2 -target bpf -c p.c -o p.o
weir run p.o -r wifi.pcap | head -1
weir run p.o -r wifi.pcap > /dev/null
-- exit
3
-- out
pass (xdp, native code): 0 packets
-- err
weir: error: packet 1: link type 105 can't be read here; there are NULL, EN10MB, PPP, PPP_SERIAL, PPP_ETHER, RAW, LOOP, LINUX_SLL, IPV4, IPV6, LINUX_SLL2
weir: error: packet 1: link type 105 can't be read here; there are NULL, EN10MB, PPP, PPP_SERIAL, PPP_ETHER, RAW, LOOP, LINUX_SLL, IPV4, IPV6, LINUX_SLL2
