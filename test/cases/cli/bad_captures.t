Captures that are broken: what was counted until then is printed and marked, exit 3.

-- case truncated in the second packet
-- file r.v6
*filter
:INPUT ACCEPT [0:0]
-A INPUT -s 2001:db8::/32
COMMIT
-- bytes c
d4c3b2a1 02000400 00000000 00000000 ffff0000 65000000
01000000 00000000 28000000 28000000 60000000 0000 3b 40 20010db8000000000000000000000001 20010db8000000000000000000000002
01000000 00000000 28000000 28000000 60000000
-- run
weir filter r.v6 -r c --save; echo $?; weir filter r.v6 -r c --json -q | grep -o '"complete":[a-z]*'; weir filter r.v6 -r c -q | head -1
-- out
# incomplete: the capture could be read only in part
*filter
:INPUT ACCEPT [1:40]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[1:40] -A INPUT -s 2001:db8::/32
COMMIT
3
"complete":false
# incomplete: the capture could be read only in part
-- err
c: error: packet 2: truncated dump file; tried to read 40 captured bytes, only got 4
1 packets: 1 accepted, 0 dropped
c: error: packet 2: truncated dump file; tried to read 40 captured bytes, only got 4
c: error: packet 2: truncated dump file; tried to read 40 captured bytes, only got 4

-- case record longer than the snap length
-- file r.v6
*filter
:INPUT ACCEPT [0:0]
-A INPUT -s 2001:db8::/32
COMMIT
-- bytes c
d4c3b2a1 02000400 00000000 00000000 20000000 65000000
01000000 00000000 28000000 28000000 60000000 0000 3b 40 20010db8000000000000000000000001 20010db8000000000000000000000002
-- run
weir filter r.v6 -r c --save -q
-- exit
3
-- out
# incomplete: the capture could be read only in part
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -s 2001:db8::/32
COMMIT
-- err
c: error: packet 1: has 40 captured bytes, more than the file's snap length of 32: the file is corrupt

-- case unknown link type
-- file r.v6
*filter
:INPUT ACCEPT [0:0]
-A INPUT -s 2001:db8::/32
COMMIT
-- bytes c
d4c3b2a1 02000400 00000000 00000000 ffff0000 93000000
01000000 00000000 04000000 04000000 60000000
-- run
weir filter r.v6 -r c --save -q
-- exit
3
-- out
# incomplete: the capture could be read only in part
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -s 2001:db8::/32
COMMIT
-- err
c: error: packet 1: link type 147 can't be read here; there are NULL, EN10MB, PPP, PPP_SERIAL, PPP_ETHER, RAW, LOOP, LINUX_SLL, IPV4, IPV6, LINUX_SLL2

-- case no packets
-- file r.v6
*filter
:INPUT ACCEPT [0:0]
-A INPUT -s 2001:db8::/32
COMMIT
-- bytes c
d4c3b2a1 02000400 00000000 00000000 ffff0000 65000000
-- run
weir filter r.v6 -r c --save -w out; weir filter r.v6 -r out --save
-- out
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -s 2001:db8::/32
COMMIT
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -s 2001:db8::/32
COMMIT
-- err
0 packets: 0 accepted, 0 dropped
0 packets: 0 accepted, 0 dropped

-- case no capture at all
-- file r.v6
*filter
:INPUT ACCEPT [0:0]
-A INPUT -s 2001:db8::/32
COMMIT
-- run
: > empty; echo text > text; printf '\037\213\010\000' > zipped
for c in empty text zipped . missing; do weir filter r.v6 -r $c; echo $?; done
-- out
3
3
3
4
4
-- err
empty: error: is empty: no capture
text: error: is neither a pcap nor a pcapng file (it starts with 74 65 78 74)
zipped: error: is gzip-compressed; unpack it first: zcat FILE | weir ... -r -
.: error: is a directory, not a capture
missing: error: can't be opened: No such file or directory

-- case a pipe that closes
-- file r.v6
*filter
:INPUT ACCEPT [0:0]
-A INPUT -s 2001:db8::/32
COMMIT
-- bytes c
d4c3b2a1 02000400 00000000 00000000 ffff0000 65000000
01000000 00000000 28000000 28000000 60000000 0000 3b 40 20010db8000000000000000000000001 20010db8000000000000000000000002
-- run
head -c 50 c | weir filter r.v6 -r - --save; echo $?; weir filter r.v6 -r - -q </dev/null; echo $?
weir filter r.v6 -r c -w /dev/full -q >/dev/null; echo $?; weir filter r.v6 -r c -q >/dev/full; echo $?
-- out
# incomplete: the capture could be read only in part
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -s 2001:db8::/32
COMMIT
3
3
4
4
-- err
-: error: packet 1: truncated dump file; tried to read 40 captured bytes, only got 10
0 packets: 0 accepted, 0 dropped
-: error: is empty: no capture
/dev/full: error: can't be written: No space left on device
weir: the result can't be written: No space left on device

-- case sidecar errors
-- file r.v6
*filter
:INPUT ACCEPT [0:0]
-A INPUT -s 2001:db8::/32
COMMIT
-- bytes c
d4c3b2a1 02000400 00000000 00000000 ffff0000 65000000
01000000 00000000 28000000 28000000 60000000 0000 3b 40 20010db8000000000000000000000001 20010db8000000000000000000000002
-- run
for line in 'x uid=1' '0 uid=1' '1 uid' '1 uid=abc' '1 color=red' '3-2 uid=1' '1 in=much-too-long-a-name'; do
echo "$line" > m; weir filter r.v6 -r c --meta m -q >/dev/null; done; exit 7
-- exit
7
-- err
m:1:1: error: 'x' is no packet number or range of them (N or N-M, from 1)
m:1:1: error: '0' is no packet number or range of them (N or N-M, from 1)
m:1:3: error: 'uid' is not of the form key=value
m:1:3: error: 'abc' is no uid: expected a user id, 'none' (no socket) or 'kernel'
m:1:3: error: unknown key 'color': there are uid, gid, mark, in, out and dir
m:1:1: error: packet numbers must ascend: '3-2' follows 0
m:1:3: error: 'much-too-long-a-name' is no in: expected an interface name of at most 15 bytes

-- case writing over what is being read
-- file r.v6
*filter
:INPUT ACCEPT [0:0]
COMMIT
-- bytes c
d4c3b2a1 02000400 00000000 00000000 ffff0000 65000000
01000000 00000000 28000000 28000000 60000000 0000 3b 40 20010db8000000000000000000000001 20010db8000000000000000000000002
-- run
ln c d; weir filter r.v6 -r c -w d; echo $?; weir filter r.v6 -r c -w r.v6; echo $?; weir filter r.v6 -r d --save -q | grep INPUT
-- out
2
2
:INPUT ACCEPT [1:40]
-- err
weir: filter: -w d would overwrite what is being read
weir: filter: -w r.v6 would overwrite what is being read
