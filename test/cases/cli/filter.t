weir filter on a small capture: four IPv6 packets, raw IP: UDP to 53, TCP to 80, TCP to 22, ICMPv6 echo.

-- case listing
-- file r.v6
*filter
:INPUT DROP [7:700]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:web - [0:0]
-A INPUT -p udp -m udp --dport 53 -j ACCEPT
-A INPUT -p tcp -j web
-A web -s 2001:db8::/32 -p tcp -m tcp --dport 80 -m comment --comment "the web" -j ACCEPT
COMMIT
-- bytes c
d4c3b2a1 02000400 00000000 00000000 ffff0000 65000000
01000000 00000000 30000000 30000000
60000000 0008 11 40 20010db8000000000000000000000001 20010db8000000000000000000000002 04000035 00080000
02000000 00000000 3c000000 3c000000
60000000 0014 06 40 20010db8000000000000000000000001 20010db8000000000000000000000002 04000050 00000001 00000000 50020200 00000000
03000000 00000000 3c000000 3c000000
60000000 0014 06 40 20010db8000000000000000000000001 20010db8000000000000000000000002 04000016 00000001 00000000 50020200 00000000
04000000 00000000 30000000 30000000
60000000 0008 3a 40 20010db8000000000000000000000001 20010db8000000000000000000000002 80000000 00010001
-- run
weir filter r.v6 -r c
for e in interp eval; do weir filter r.v6 -r c --engine $e -q | cksum; done | uniq -c | sed 's/^ *//' | cut -d' ' -f1
weir filter r.v6 -r c --workers 3 --save -q
cat c | weir filter r.v6 -r - -w accepted --save -q | grep INPUT; weir filter r.v6 -r accepted -q --save | grep '^:INPUT\|web'
-- out
Chain INPUT (policy DROP 2 packets, 108 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           1       48 ACCEPT     17   --  *      *       ::/0                 ::/0                 udp dpt:53
2           2      120 web        6    --  *      *       ::/0                 ::/0                

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain web (1 references)
num      pkts      bytes target     prot opt in     out     source               destination         
1           1       60 ACCEPT     6    --  *      *       2001:db8::/32        ::/0                 tcp dpt:80 /* the web */
2
*filter
:INPUT DROP [2:108]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:web - [0:0]
[1:48] -A INPUT -p udp -m udp --dport 53 -j ACCEPT
[2:120] -A INPUT -p tcp -j web
[1:60] -A web -s 2001:db8::/32 -p tcp -m tcp --dport 80 -m comment --comment "the web" -j ACCEPT
COMMIT
:INPUT DROP [2:108]
[1:48] -A INPUT -p udp -m udp --dport 53 -j ACCEPT
[2:120] -A INPUT -p tcp -j web
:INPUT DROP [0:0]
:web - [0:0]
[1:60] -A INPUT -p tcp -j web
[1:60] -A web -s 2001:db8::/32 -p tcp -m tcp --dport 80 -m comment --comment "the web" -j ACCEPT
-- err
4 packets: 2 accepted, 2 dropped

-- case json
-- file r.v6
*filter
:INPUT ACCEPT
-A INPUT -p udp -m comment --comment "a \"quoted\" word"
COMMIT
-- bytes c
d4c3b2a1 02000400 00000000 00000000 ffff0000 65000000
01000000 00000000 30000000 30000000
60000000 0008 11 40 20010db8000000000000000000000001 20010db8000000000000000000000002 04000035 00080000
01000000 00000000 04000000 04000000 45000000
-- run
weir filter r.v6 -r c --json -6
-- out
{"family":"ipv6","complete":true,"packets":2,"not_ip":0,"other_family":1,"other_direction":0,"accepted":1,"dropped":0,"hotdropped":0,"fragments_joined":0,"lost":{},"tables":[{"name":"filter","chains":[{"name":"INPUT","policy":{"verdict":"ACCEPT","packets":1,"bytes":48},"rules":[{"number":1,"line":3,"packets":1,"bytes":48,"skipped":false,"rule":"-A INPUT -p udp -m comment --comment \"a \\\"quoted\\\" word\""}]},{"name":"FORWARD","policy":{"verdict":"ACCEPT","packets":0,"bytes":0},"rules":[]},{"name":"OUTPUT","policy":{"verdict":"ACCEPT","packets":0,"bytes":0},"rules":[]}]}]}
-- err
2 packets: 1 accepted, 0 dropped, 1 of the other IP family

-- case three kinds of owner, by option and by sidecar
-- file r.v6
*filter
:OUTPUT ACCEPT [0:0]
-A OUTPUT -m owner --uid-owner 7
-A OUTPUT -m owner --socket-exists
-A OUTPUT -m owner ! --uid-owner 0-4294967294
-A OUTPUT -m mark --mark 0x5 -o wlan0
COMMIT
-- file meta
1 uid=7 mark=5 out=wlan0
2 uid=kernel
3-4 dir=in
-- bytes c
d4c3b2a1 02000400 00000000 00000000 ffff0000 65000000
01000000 00000000 28000000 28000000 60000000 0000 3b 40 20010db8000000000000000000000001 20010db8000000000000000000000002
01000000 00000000 28000000 28000000 60000000 0000 3b 40 20010db8000000000000000000000001 20010db8000000000000000000000002
01000000 00000000 28000000 28000000 60000000 0000 3b 40 20010db8000000000000000000000001 20010db8000000000000000000000002
01000000 00000000 28000000 28000000 60000000 0000 3b 40 20010db8000000000000000000000001 20010db8000000000000000000000002
01000000 00000000 28000000 28000000 60000000 0000 3b 40 20010db8000000000000000000000001 20010db8000000000000000000000002
-- run
for u in 7 kernel none; do weir filter r.v6 -r c -c OUTPUT --uid $u --save -q | grep -- '-A'; done
weir filter r.v6 -r c -c OUTPUT --meta meta --save
-- out
[5:200] -A OUTPUT -m owner --uid-owner 7
[5:200] -A OUTPUT -m owner --socket-exists
[0:0] -A OUTPUT -m owner ! --uid-owner 0-4294967294
[0:0] -A OUTPUT -o wlan0 -m mark --mark 0x5
[0:0] -A OUTPUT -m owner --uid-owner 7
[5:200] -A OUTPUT -m owner --socket-exists
[5:200] -A OUTPUT -m owner ! --uid-owner 0-4294967294
[0:0] -A OUTPUT -o wlan0 -m mark --mark 0x5
[0:0] -A OUTPUT -m owner --uid-owner 7
[0:0] -A OUTPUT -m owner --socket-exists
[5:200] -A OUTPUT -m owner ! --uid-owner 0-4294967294
[0:0] -A OUTPUT -o wlan0 -m mark --mark 0x5
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [3:120]
[1:40] -A OUTPUT -m owner --uid-owner 7
[2:80] -A OUTPUT -m owner --socket-exists
[2:80] -A OUTPUT -m owner ! --uid-owner 0-4294967294
[1:40] -A OUTPUT -o wlan0 -m mark --mark 0x5
COMMIT
-- err
5 packets: 3 accepted, 0 dropped, 2 going the other way

-- case a log line for each packet that LOG sees
-- file r.v6
*filter
:INPUT ACCEPT [0:0]
-A INPUT -j LOG --log-prefix "hey "
-A INPUT -p 59 -j NFLOG
COMMIT
-- bytes c
d4c3b2a1 02000400 00000000 00000000 ffff0000 65000000
01000000 00000000 28000000 28000000 60000000 0000 3b 40 20010db8000000000000000000000001 20010db8000000000000000000000002
-- run
for e in jit interp eval; do weir filter r.v6 -r c --log -q --engine $e >/dev/null; done
-- err
log 1.000000000 filter:INPUT:1 len=40 mark=0x0 -A INPUT -j LOG --log-prefix "hey "
log 1.000000000 filter:INPUT:2 len=40 mark=0x0 -A INPUT -p ipv6-nonxt -j NFLOG
log 1.000000000 filter:INPUT:1 len=40 mark=0x0 -A INPUT -j LOG --log-prefix "hey "
log 1.000000000 filter:INPUT:2 len=40 mark=0x0 -A INPUT -p ipv6-nonxt -j NFLOG
log 1.000000000 filter:INPUT:1 len=40 mark=0x0 -A INPUT -j LOG --log-prefix "hey "
log 1.000000000 filter:INPUT:2 len=40 mark=0x0 -A INPUT -p ipv6-nonxt -j NFLOG

-- case tables in the kernel's order, nat left alone
-- file r.v4
*nat
:PREROUTING ACCEPT [0:0]
:INPUT ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:POSTROUTING ACCEPT [0:0]
-A POSTROUTING -j MASQUERADE
COMMIT
*filter
:INPUT ACCEPT [0:0]
-A INPUT -m mark --mark 0x2
COMMIT
*mangle
:PREROUTING ACCEPT [0:0]
-A PREROUTING -j MARK --set-mark 2
COMMIT
-- bytes c
d4c3b2a1 02000400 00000000 00000000 ffff0000 65000000
01000000 00000000 14000000 14000000 45000014 00010000 403b 1478 c6336401 cb007101
-- run
weir filter r.v4 -r c --save
weir filter r.v4 -r c -t filter --save -q | grep mark
weir filter r.v4 -r c -t nat
weir filter r.v4 -r c -c POSTROUTING
-- exit
1
-- out
*nat
:PREROUTING ACCEPT [0:0]
:INPUT ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:POSTROUTING ACCEPT [0:0]
[0:0] -A POSTROUTING -j MASQUERADE
COMMIT
*filter
:INPUT ACCEPT [1:20]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[1:20] -A INPUT -m mark --mark 0x2
COMMIT
*mangle
:PREROUTING ACCEPT [1:20]
:INPUT ACCEPT [1:20]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:POSTROUTING ACCEPT [0:0]
[1:20] -A PREROUTING -j MARK --set-xmark 0x2/0xffffffff
COMMIT
[0:0] -A INPUT -m mark --mark 0x2
[0:0] -A PREROUTING -j MARK --set-xmark 0x2/0xffffffff
-- err
r.v4:2:2: warning: table nat is not run: the policy of PREROUTING would count connections
r.v4:3:2: warning: table nat is not run: the policy of INPUT would count connections
1 packets: 1 accepted, 0 dropped
r.v4:3:2: error: table nat can't be run here: it counts connections, and that needs a flow table
r.v4:6:1: error: the rules of POSTROUTING in table nat can't be run here: they need a flow table
weir: note: 1 rules can't be run here; --skip-unsupported runs the others

-- case accepted packets to standard output, counters then to standard error
-- file r.v6
*filter
:INPUT ACCEPT [0:0]
-A INPUT -j ACCEPT
COMMIT
-- bytes c
d4c3b2a1 02000400 00000000 00000000 ffff0000 65000000
01000000 00000000 28000000 28000000 60000000 0000 3b 40 20010db8000000000000000000000001 20010db8000000000000000000000002
-- run
weir filter r.v6 -r c -w - --save -q | weir filter r.v6 -r - --save -q | grep '^.1:40'
-- out
[1:40] -A INPUT -j ACCEPT
-- err
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[1:40] -A INPUT -j ACCEPT
COMMIT

-- case text in JSON: UTF-8 as it is, other bytes as Latin-1
-- run
printf '*filter\n:INPUT ACCEPT [0:0]\n-A INPUT -m comment --comment "gr\303\274n"\n-A INPUT -m comment --comment "gr\374n"\nCOMMIT\n' > r.v6
printf '\324\303\262\241\2\0\4\0\0\0\0\0\0\0\0\0\377\377\0\0\145\0\0\0' > c
weir filter r.v6 -r c --json -q | grep -ao 'gr[^ ]*n\\"' | od -An -c | head -3
-- out
   g   r 303 274   n   \   "  \n   g   r   \   u   0   0   f   c
   n   \   "  \n

-- case an empty file of rules
-- run
: > r.v6; weir check r.v6

-- case interrupted while it waits for more
-- file r.v6
*filter
:INPUT ACCEPT [0:0]
-A INPUT -j ACCEPT
COMMIT
-- bytes c
d4c3b2a1 02000400 00000000 00000000 ffff0000 65000000
01000000 00000000 28000000 28000000 60000000 0000 3b 40 20010db8000000000000000000000001 20010db8000000000000000000000002
-- run
mkfifo p; (cat c; sleep 20) > p & weir filter r.v6 -r p --save & pid=$!
sleep 2; kill -TERM $pid; wait $pid; echo $?; kill %1 2>/dev/null; true
-- out
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[1:40] -A INPUT -j ACCEPT
COMMIT
0
-- err
1 packets: 1 accepted, 0 dropped
