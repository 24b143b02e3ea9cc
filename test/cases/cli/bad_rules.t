Rule files that are wrong: one clear message, no output, exit 1.

-- case not there
-- run
weir check nothing.v6; weir check .
-- exit
4
-- err
nothing.v6: error: can't be opened: No such file or directory
.: error: can't be read: Is a directory

-- case several errors, all told
-- file r.v6
*filter
:INPUT ACCEPT [0:0]
-A INPUT -s 2001:db8::/129 -j ACCEPT
-A INPUT -p tcp -m tcp --dport 80:79 -j ACCEPT
-A INPUT -p udp -m upd --dport 53 -j ACCEPT
-A INPUT -j NOWHERE
-A NOCHAIN -j ACCEPT
-A INPUT --bogus
COMMIT
-- run
weir check r.v6
-- exit
1
-- err
r.v6:3:13: error: -s: '129' is not a mask or a prefix length
    -A INPUT -s 2001:db8::/129 -j ACCEPT
                ^~~~~~~~~~~~~~
r.v6:4:32: error: --dport '80:79': the first port is above the second; right is a port, a service name or FROM:TO
    -A INPUT -p tcp -m tcp --dport 80:79 -j ACCEPT
                                   ^~~~~
r.v6:6:13: error: 'NOWHERE' is neither a chain of table filter nor a target
    -A INPUT -j NOWHERE
                ^~~~~~~
r.v6:7:4: error: no chain 'NOCHAIN' in table filter; declare it before with ':NOCHAIN - [0:0]'
    -A NOCHAIN -j ACCEPT
       ^~~~~~~
r.v6:8:10: error: unknown option '--bogus'; an option of a match needs '-m MATCH' before it
    -A INPUT --bogus
             ^~~~~~~

-- case a module that nobody knows
-- file r.v6
*filter
:INPUT ACCEPT [0:0]
-A INPUT -p udp -m upd --dport 53 -j ACCEPT
COMMIT
-- run
weir check r.v6
-- out
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
-A INPUT -p udp -m upd --dport 53 -j ACCEPT
COMMIT
-- err
r.v6:3:20: warning: weir doesn't know the match 'upd' and can't check its options; they are kept as they are
    -A INPUT -p udp -m upd --dport 53 -j ACCEPT
                       ^~~

-- case loop
-- file r.v6
*filter
:INPUT ACCEPT [0:0]
:a - [0:0]
:b - [0:0]
-A INPUT -j a
-A a -j b
-A b -j a
COMMIT
-- run
weir check r.v6
-- exit
1
-- err
r.v6:7:9: error: loop: chain b leads back to chain a
    -A b -j a
            ^

-- case missing COMMIT
-- file r.v6
*filter
:INPUT ACCEPT [0:0]
-- run
weir check r.v6
-- exit
1
-- err
r.v6:1:1: error: table filter has no COMMIT at its end
    *filter
    ^~~~~~~

-- case unknown table
-- file r.v6
*fliter
:INPUT ACCEPT [0:0]
COMMIT
-- run
weir check -6 r.v6
-- exit
1
-- err
r.v6:1:2: error: no table 'fliter'; there are filter, nat, mangle, raw, security
    *fliter
     ^~~~~~

-- case CRLF
-- run
printf '*filter\r\n:INPUT ACCEPT [0:0]\r\nCOMMIT\r\n' > r.v6; weir check -6 r.v6; echo $?; weir check -6 --lenient r.v6
-- out
1
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
COMMIT
-- err
r.v6:1:8: error: the line ends with CR LF; lines must end with LF
    *filter
           ^

-- case binary junk
-- run
head -c 3000 /dev/zero > zeros; weir check -6 zeros; printf '*filter\n:INPUT ACCEPT [0:0]\n-A INPUT \001\002\377 -j ACCEPT\nCOMMIT\n' > junk; weir check -6 junk
-- exit
1
-- err
zeros:1:1: error: a byte 0x00: this is not a text file as ip[6]tables-save writes it
junk:3:10: error: control character 0x01; is this a text file?
    -A INPUT ??? -j ACCEPT
             ^

-- case family
-- file r
*filter
:INPUT ACCEPT [0:0]
-A INPUT -j ACCEPT
COMMIT
-- run
weir check r; echo $?; weir check -4 r >/dev/null; echo $?
-- out
1
0
-- err
r: error: nothing in the file tells whether it is for IPv4 or IPv6; say -4 or -6

-- case what can't be run is told rule by rule
-- file r.v4
*filter
:INPUT ACCEPT [0:0]
-A INPUT -m conntrack --ctstate ESTABLISHED -j ACCEPT
-A INPUT -s 10.0.0.0/8 -m limit --limit 3/min -j LOG
-A INPUT -s 10.0.0.0/8 -j REJECT
-A INPUT -s 10.0.0.0/8 -m foo --bar 1 -j ACCEPT
-A INPUT -s 10.0.0.0/8 -j QUEUE
COMMIT
-- bytes c
d4c3b2a1 02000400 00000000 00000000 ffff0000 65000000
-- run
weir filter r.v4 -r c; echo $?; weir filter r.v4 -r c --skip-unsupported --save
-- out
1
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -m conntrack --ctstate ESTABLISHED -j ACCEPT
[0:0] -A INPUT -s 10.0.0.0/8 -m limit --limit 3/min -j LOG
[0:0] -A INPUT -s 10.0.0.0/8 -j REJECT --reject-with icmp-port-unreachable
[0:0] -A INPUT -s 10.0.0.0/8 -m foo --bar 1 -j ACCEPT
[0:0] -A INPUT -s 10.0.0.0/8 -j QUEUE
COMMIT
-- err
r.v4:3:13: error: match 'conntrack' can't be run here: it needs a flow table
    -A INPUT -m conntrack --ctstate ESTABLISHED -j ACCEPT
                ^~~~~~~~~
r.v4:4:27: error: match 'limit' can't be run here: it needs a rate limiter
    -A INPUT -s 10.0.0.0/8 -m limit --limit 3/min -j LOG
                              ^~~~~
r.v4:5:27: error: target 'REJECT' can't be run here: it answers with a packet of its own
    -A INPUT -s 10.0.0.0/8 -j REJECT
                              ^~~~~~
r.v4:6:27: error: match 'foo' can't be run here: weir doesn't know it
    -A INPUT -s 10.0.0.0/8 -m foo --bar 1 -j ACCEPT
                              ^~~
r.v4:7:27: error: target 'QUEUE' can't be run here: it needs a program that takes packets from the queue
    -A INPUT -s 10.0.0.0/8 -j QUEUE
                              ^~~~~
weir: note: 5 rules can't be run here; --skip-unsupported runs the others
r.v4:3:13: warning: match 'conntrack' can't be run here: it needs a flow table
    -A INPUT -m conntrack --ctstate ESTABLISHED -j ACCEPT
                ^~~~~~~~~
r.v4:4:27: warning: match 'limit' can't be run here: it needs a rate limiter
    -A INPUT -s 10.0.0.0/8 -m limit --limit 3/min -j LOG
                              ^~~~~
r.v4:5:27: warning: target 'REJECT' can't be run here: it answers with a packet of its own
    -A INPUT -s 10.0.0.0/8 -j REJECT
                              ^~~~~~
r.v4:6:27: warning: match 'foo' can't be run here: weir doesn't know it
    -A INPUT -s 10.0.0.0/8 -m foo --bar 1 -j ACCEPT
                              ^~~
r.v4:7:27: warning: target 'QUEUE' can't be run here: it needs a program that takes packets from the queue
    -A INPUT -s 10.0.0.0/8 -j QUEUE
                              ^~~~~
weir: warning: 5 rules are left out
0 packets: 0 accepted, 0 dropped

-- case chain that isn't there
-- file r.v6
*raw
:PREROUTING ACCEPT [0:0]
COMMIT
-- bytes c
d4c3b2a1 02000400 00000000 00000000 ffff0000 65000000
-- run
weir filter -6 r.v6 -r c -t raw; weir filter -6 r.v6 -r c -t filter
-- exit
1
-- err
r.v6: error: table raw has no chain INPUT
r.v6: error: has no table filter

-- case what nothing comes to needn't run
-- file r.v4
*filter
:x - [0:0]
:never - [0:0]
-A INPUT -s 10.0.0.0/8 -j x
-A INPUT -j ACCEPT
-A INPUT -m conntrack --ctstate NEW -j DROP
-A INPUT -j never
-A x -g never
-A never -j RETURN
-A never -m limit --limit 1/s -j REJECT
COMMIT
-- bytes c
d4c3b2a1 02000400 00000000 00000000 ffff0000 65000000
-- run
weir filter r.v4 -r c --save; weir filter r.v4 -r c --no-classifier --save | wc -l
-- out
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:never - [0:0]
:x - [0:0]
[0:0] -A INPUT -s 10.0.0.0/8 -j x
[0:0] -A INPUT -j ACCEPT
[0:0] -A INPUT -m conntrack --ctstate NEW -j DROP
[0:0] -A INPUT -j never
[0:0] -A never -j RETURN
[0:0] -A never -m limit --limit 1/sec -j REJECT --reject-with icmp-port-unreachable
[0:0] -A x -g never
COMMIT
14
-- err
0 packets: 0 accepted, 0 dropped
0 packets: 0 accepted, 0 dropped
