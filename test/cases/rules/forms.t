Extensions that aren't run: how ip[6]tables-save and the listing write their options.

-- case state
-- rules -4
*filter
-A INPUT -m state --state NEW
-A INPUT -m state ! --state ESTABLISHED,INVALID
-A INPUT -m state --state new,rel,UNTRACKED
-A INPUT -m state --state NEW,NEW
-A INPUT -m state --state UNTRACKED,ESTABLISHED,RELATED,NEW,INVALID
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -m state --state NEW
[0:0] -A INPUT -m state ! --state INVALID,ESTABLISHED
[0:0] -A INPUT -m state --state NEW,RELATED,UNTRACKED
[0:0] -A INPUT -m state --state NEW
[0:0] -A INPUT -m state --state INVALID,NEW,RELATED,ESTABLISHED,UNTRACKED
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            state NEW
2           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            ! state INVALID,ESTABLISHED
3           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            state NEW,RELATED,UNTRACKED
4           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            state NEW
5           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            state INVALID,NEW,RELATED,ESTABLISHED,UNTRACKED

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case conntrack
-- rules -4
*filter
-A INPUT -m conntrack --ctstate NEW,SNAT,DNAT,INVALID
-A INPUT -m conntrack ! --ctstate RELATED
-A INPUT -m conntrack --ctproto tcp
-A INPUT -m conntrack ! --ctproto 47
-A INPUT -m conntrack --ctorigsrc 1.2.3.4
-A INPUT -m conntrack ! --ctorigdst 1.2.3.4/24 --ctreplsrc 5.6.7.8
-A INPUT -m conntrack --ctrepldst 1.2.3.4/0
-A INPUT -m conntrack --ctorigsrcport 5
-A INPUT -m conntrack ! --ctorigdstport 5:6 --ctorigsrcport http
-A INPUT -m conntrack --ctreplsrcport :6 --ctrepldstport 6:
-A INPUT -m conntrack --ctstatus NONE
-A INPUT -m conntrack ! --ctstatus conf,EXPECTED,SEEN_REPLY,ASSURED
-A INPUT -m conntrack --ctexpire 5
-A INPUT -m conntrack ! --ctexpire 5:9
-A INPUT -m conntrack --ctdir reply --ctexpire 1 --ctstatus ASSURED --ctproto 17 --ctstate NEW --ctorigsrc 1.1.1.1
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -m conntrack --ctstate INVALID,NEW,SNAT,DNAT
[0:0] -A INPUT -m conntrack ! --ctstate RELATED
[0:0] -A INPUT -m conntrack --ctproto 6
[0:0] -A INPUT -m conntrack ! --ctproto 47
[0:0] -A INPUT -m conntrack --ctorigsrc 1.2.3.4
[0:0] -A INPUT -m conntrack ! --ctorigdst 1.2.3.4/24 --ctreplsrc 5.6.7.8
[0:0] -A INPUT -m conntrack --ctrepldst 1.2.3.4/0
[0:0] -A INPUT -m conntrack --ctorigsrcport 5
[0:0] -A INPUT -m conntrack --ctorigsrcport 80 ! --ctorigdstport 5:6
[0:0] -A INPUT -m conntrack --ctreplsrcport 0:6 --ctrepldstport 6:65535
[0:0] -A INPUT -m conntrack --ctstatus NONE
[0:0] -A INPUT -m conntrack ! --ctstatus EXPECTED,SEEN_REPLY,ASSURED,CONFIRMED
[0:0] -A INPUT -m conntrack --ctexpire 5
[0:0] -A INPUT -m conntrack ! --ctexpire 5:9
[0:0] -A INPUT -m conntrack --ctstate NEW --ctproto 17 --ctorigsrc 1.1.1.1 --ctstatus ASSURED --ctexpire 1 --ctdir REPLY
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            ctstate INVALID,NEW,SNAT,DNAT
2           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            ! ctstate RELATED
3           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            ctproto 6
4           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            ! ctproto 47
5           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            ctorigsrc 1.2.3.4
6           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            ! ctorigdst 1.2.3.4/24 ctreplsrc 5.6.7.8
7           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            ctrepldst 1.2.3.4/0
8           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            ctorigsrcport 5
9           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            ctorigsrcport 80 ! ctorigdstport 5:6
10          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            ctreplsrcport 0:6 ctrepldstport 6:65535
11          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            ctstatus NONE
12          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            ! ctstatus EXPECTED,SEEN_REPLY,ASSURED,CONFIRMED
13          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            ctexpire 5
14          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            ! ctexpire 5:9
15          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            ctstate NEW ctproto 17 ctorigsrc 1.1.1.1 ctstatus ASSURED ctexpire 1 ctdir REPLY

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case conntrack of IPv6
-- rules -6
*filter
-A INPUT -m conntrack --ctorigsrc 2001:db8::1 --ctrepldst 2001:db8::/32 --ctdir ORIGINAL
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -m conntrack --ctorigsrc 2001:db8::1 --ctrepldst 2001:db8::/32 --ctdir ORIGINAL
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            0    --  *      *       ::/0                 ::/0                 ctorigsrc 2001:db8::1 ctrepldst 2001:db8::/32 ctdir ORIGINAL

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case limit
-- rules -4
*filter
-A INPUT -m limit
-A INPUT -m limit --limit 5
-A INPUT -m limit --limit 5/s
-A INPUT -m limit --limit 120/minute
-A INPUT -m limit --limit 90/min --limit-burst 5
-A INPUT -m limit --limit 3/h --limit-burst 6
-A INPUT -m limit --limit 10000/s
-A INPUT -m limit --limit 900/min
-A INPUT -m limit --limit 1000/min
-A INPUT -m limit --limit 24/day
-A INPUT -m limit --limit 25/day
-A INPUT -m limit --limit 3600/hour
-A INPUT -m limit --limit 3333/SECOND
-A INPUT -m limit --limit 59/min --limit-burst 10000
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -m limit --limit 3/hour
[0:0] -A INPUT -m limit --limit 5/sec
[0:0] -A INPUT -m limit --limit 5/sec
[0:0] -A INPUT -m limit --limit 2/sec
[0:0] -A INPUT -m limit --limit 90/min
[0:0] -A INPUT -m limit --limit 3/hour --limit-burst 6
[0:0] -A INPUT -m limit --limit 10000/sec
[0:0] -A INPUT -m limit --limit 15/sec
[0:0] -A INPUT -m limit --limit 1000/min
[0:0] -A INPUT -m limit --limit 1/hour
[0:0] -A INPUT -m limit --limit 25/day
[0:0] -A INPUT -m limit --limit 1/sec
[0:0] -A INPUT -m limit --limit 3333/sec
[0:0] -A INPUT -m limit --limit 59/min --limit-burst 10000
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            limit: avg 3/hour burst 5
2           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            limit: avg 5/sec burst 5
3           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            limit: avg 5/sec burst 5
4           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            limit: avg 2/sec burst 5
5           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            limit: avg 90/min burst 5
6           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            limit: avg 3/hour burst 6
7           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            limit: avg 10000/sec burst 5
8           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            limit: avg 15/sec burst 5
9           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            limit: avg 1000/min burst 5
10          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            limit: avg 1/hour burst 5
11          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            limit: avg 25/day burst 5
12          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            limit: avg 1/sec burst 5
13          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            limit: avg 3333/sec burst 5
14          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            limit: avg 59/min burst 10000

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case REJECT
-- rules -4
*filter
-A INPUT -j REJECT
-A INPUT -j REJECT --reject-with port-unreach
-A INPUT -j REJECT --reject-with net-unreach
-A INPUT -j REJECT --reject-with host-unreach
-A INPUT -j REJECT --reject-with proto-unreach
-A INPUT -j REJECT --reject-with net-prohib
-A INPUT -j REJECT --reject-with ICMP-HOST-PROHIBITED
-A INPUT -j REJECT --reject-with icmp-admin-prohibited
-A INPUT -j REJECT --reject-with icmp-n
-A INPUT -p tcp -j REJECT --reject-with tcp-reset
-A INPUT -p tcp -j REJECT --reject-with tcp-rst
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -j REJECT --reject-with icmp-port-unreachable
[0:0] -A INPUT -j REJECT --reject-with icmp-port-unreachable
[0:0] -A INPUT -j REJECT --reject-with icmp-net-unreachable
[0:0] -A INPUT -j REJECT --reject-with icmp-host-unreachable
[0:0] -A INPUT -j REJECT --reject-with icmp-proto-unreachable
[0:0] -A INPUT -j REJECT --reject-with icmp-net-prohibited
[0:0] -A INPUT -j REJECT --reject-with icmp-host-prohibited
[0:0] -A INPUT -j REJECT --reject-with icmp-admin-prohibited
[0:0] -A INPUT -j REJECT --reject-with icmp-net-unreachable
[0:0] -A INPUT -p tcp -j REJECT --reject-with tcp-reset
[0:0] -A INPUT -p tcp -j REJECT --reject-with tcp-reset
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0 REJECT     0    --  *      *       0.0.0.0/0            0.0.0.0/0            reject-with icmp-port-unreachable
2           0        0 REJECT     0    --  *      *       0.0.0.0/0            0.0.0.0/0            reject-with icmp-port-unreachable
3           0        0 REJECT     0    --  *      *       0.0.0.0/0            0.0.0.0/0            reject-with icmp-net-unreachable
4           0        0 REJECT     0    --  *      *       0.0.0.0/0            0.0.0.0/0            reject-with icmp-host-unreachable
5           0        0 REJECT     0    --  *      *       0.0.0.0/0            0.0.0.0/0            reject-with icmp-proto-unreachable
6           0        0 REJECT     0    --  *      *       0.0.0.0/0            0.0.0.0/0            reject-with icmp-net-prohibited
7           0        0 REJECT     0    --  *      *       0.0.0.0/0            0.0.0.0/0            reject-with icmp-host-prohibited
8           0        0 REJECT     0    --  *      *       0.0.0.0/0            0.0.0.0/0            reject-with icmp-admin-prohibited
9           0        0 REJECT     0    --  *      *       0.0.0.0/0            0.0.0.0/0            reject-with icmp-net-unreachable
10          0        0 REJECT     6    --  *      *       0.0.0.0/0            0.0.0.0/0            reject-with tcp-reset
11          0        0 REJECT     6    --  *      *       0.0.0.0/0            0.0.0.0/0            reject-with tcp-reset

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case REJECT of IPv6
-- rules -6
*filter
-A INPUT -j REJECT
-A INPUT -j REJECT --reject-with no-route
-A INPUT -j REJECT --reject-with icmp6-adm-prohibited
-A INPUT -j REJECT --reject-with addr-unreach
-A INPUT -j REJECT --reject-with port-unreach
-A INPUT -j REJECT --reject-with policy-fail
-A INPUT -j REJECT --reject-with icmp6-reject-route
-A INPUT -j REJECT --reject-with icmp6-a
-A INPUT -p tcp -j REJECT --reject-with tcp-reset
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -j REJECT --reject-with icmp6-port-unreachable
[0:0] -A INPUT -j REJECT --reject-with icmp6-no-route
[0:0] -A INPUT -j REJECT --reject-with icmp6-adm-prohibited
[0:0] -A INPUT -j REJECT --reject-with icmp6-addr-unreachable
[0:0] -A INPUT -j REJECT --reject-with icmp6-port-unreachable
[0:0] -A INPUT -j REJECT --reject-with icmp6-policy-fail
[0:0] -A INPUT -j REJECT --reject-with icmp6-reject-route
[0:0] -A INPUT -j REJECT --reject-with icmp6-adm-prohibited
[0:0] -A INPUT -p tcp -j REJECT --reject-with tcp-reset
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0 REJECT     0    --  *      *       ::/0                 ::/0                 reject-with icmp6-port-unreachable
2           0        0 REJECT     0    --  *      *       ::/0                 ::/0                 reject-with icmp6-no-route
3           0        0 REJECT     0    --  *      *       ::/0                 ::/0                 reject-with icmp6-adm-prohibited
4           0        0 REJECT     0    --  *      *       ::/0                 ::/0                 reject-with icmp6-addr-unreachable
5           0        0 REJECT     0    --  *      *       ::/0                 ::/0                 reject-with icmp6-port-unreachable
6           0        0 REJECT     0    --  *      *       ::/0                 ::/0                 reject-with icmp6-policy-fail
7           0        0 REJECT     0    --  *      *       ::/0                 ::/0                 reject-with icmp6-reject-route
8           0        0 REJECT     0    --  *      *       ::/0                 ::/0                 reject-with icmp6-adm-prohibited
9           0        0 REJECT     6    --  *      *       ::/0                 ::/0                 reject-with tcp-reset

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case what is refused of them
-- rules -4
*filter
-A INPUT -m state
-A INPUT -m state --state SNAT
-A INPUT -m state --state NEW,
-A INPUT -m state --state ""
-A INPUT -m conntrack
-A INPUT -m conntrack --ctstate NEW --ctstate NEW
-A INPUT -m conntrack --ctstate NOSUCH
-A INPUT -m conntrack ! --ctdir ORIGINAL
-A INPUT -m limit --limit 10001/s
-A INPUT -m limit --limit 0/s
-A INPUT -m limit --limit 1/x
-A INPUT -m limit --limit 5/
-A INPUT -m limit --limit /s
-A INPUT -m limit ! --limit 5/s
-A INPUT -m limit --limit-burst 0
-A INPUT -m limit --limit-burst 10000
-A INPUT -m limit --limit-burst 10001
-A INPUT -j REJECT --reject-with echo-reply
-A INPUT -j REJECT --reject-with nosuch
-A INPUT -j REJECT --reject-with tcp-reset
-A INPUT ! -p tcp -j REJECT --reject-with tcp-reset
-A INPUT -m recent --set --set
COMMIT
*mangle
-A INPUT -j REJECT
COMMIT
-- messages
2:13: error: match 'state' needs '--state', a list of INVALID,NEW,RELATED,ESTABLISHED,UNTRACKED
3:27: error: --state 'SNAT': 'SNAT' is not one of them; right is a list of INVALID,NEW,RELATED,ESTABLISHED,UNTRACKED
4:27: error: --state 'NEW,': '' is not one of them; right is a list of INVALID,NEW,RELATED,ESTABLISHED,UNTRACKED
5:27: error: --state '': '' is not one of them; right is a list of INVALID,NEW,RELATED,ESTABLISHED,UNTRACKED
6:13: error: match 'conntrack': needs at least one option
7:37: error: '--ctstate' was given before
8:33: error: --ctstate 'NOSUCH': 'NOSUCH' is not one of them; right is a list of INVALID,NEW,RELATED,ESTABLISHED,UNTRACKED,SNAT,DNAT
9:23: error: '!' can't stand before '--ctdir'
10:27: error: --limit '10001/s': too fast, 10000 a second is the most; right is a rate as 3/hour; day, hour, minute, second
11:27: error: --limit '0/s': no rate; right is a rate as 3/hour; day, hour, minute, second
12:27: error: --limit '1/x': no such unit of time; right is a rate as 3/hour; day, hour, minute, second
13:27: error: --limit '5/': no such unit of time; right is a rate as 3/hour; day, hour, minute, second
14:27: error: --limit '/s': no rate; right is a rate as 3/hour; day, hour, minute, second
15:19: error: '!' can't stand before '--limit'
16:13: error: match 'limit': the burst is 0, or too big for so slow a rate
17:13: error: match 'limit': the burst is 0, or too big for so slow a rate
18:33: error: --limit-burst '10001': out of range 0 to 10000; right is a number of packets, 1 to 10000
19:34: error: --reject-with 'echo-reply': no such answer; right is tcp-reset or the name of an ICMP error such as port-unreach
20:34: error: --reject-with 'nosuch': no such answer; right is tcp-reset or the name of an ICMP error such as port-unreach
21:13: error: target 'REJECT': tcp-reset needs '-p tcp'
22:22: error: target 'REJECT': tcp-reset needs '-p tcp'
23:26: error: '--set' was given before
26:13: error: target 'REJECT' can be used in table filter only

-- case matches
-- rules -4
*filter
-A INPUT -m addrtype --src-type LOCAL
-A INPUT -m addrtype --limit-iface-in --src-type UNICAST ! --dst-type LOCAL
-A INPUT -m connbytes --connbytes 1024:4096 --connbytes-dir both --connbytes-mode packets
-A INPUT -m connbytes ! --connbytes 10: --connbytes-mode bytes --connbytes-dir original
-A INPUT -m connlimit --connlimit-above 2
-A INPUT -m connlimit --connlimit-upto 3 --connlimit-mask 24 --connlimit-daddr
-A INPUT -m connlimit ! --connlimit-above 4
-A INPUT -m connmark --mark 5
-A INPUT -m connmark ! --mark 5/7
-A INPUT -m dscp --dscp 5
-A INPUT -m dscp ! --dscp-class EF
-A INPUT -m dscp --dscp-class cs1
-A INPUT -m dscp --dscp-class AF43
-A INPUT -m hashlimit --hashlimit 20/second --hashlimit-name h
-A INPUT -m hashlimit --hashlimit-upto 1/min --hashlimit-burst 7 --hashlimit-mode dstport,srcip --hashlimit-name i --hashlimit-htable-expire 1000 --hashlimit-srcmask 24
-A INPUT -m hashlimit --hashlimit-above 5/s --hashlimit-name z --hashlimit-htable-size 100 --hashlimit-htable-max 200 --hashlimit-htable-gcinterval 2000 --hashlimit-mode dstip,srcip
-A INPUT -m hashlimit ! --hashlimit-upto 120/minute --hashlimit-name k
-A INPUT -m helper --helper ftp
-A INPUT -m helper ! --helper irc
-A INPUT -m physdev --physdev-is-bridged --physdev-out vnet+ ! --physdev-in eth0 --physdev-is-in
-A INPUT -m pkttype --pkt-type multicast
-A INPUT -m pkttype ! --pkt-type broadcast
-A INPUT -m policy --dir in --pol ipsec
-A INPUT -m quota --quota 500
-A INPUT -m realm --realm 5
-A INPUT -m recent --set
-A INPUT -m recent --update --seconds 60 --hitcount 4 --name X --rdest
-A INPUT -m recent ! --rcheck --rttl --name Y --mask 255.255.0.0
-A INPUT -m recent --remove --rsource
-A INPUT -m recent --rcheck --seconds 5 --reap
-A INPUT -p sctp -m sctp --sport 80 --dport 1:5
-A INPUT -p dccp -m dccp ! --sport 80
-A INPUT -m socket --transparent
-A INPUT -m statistic --mode random --probability 0.5
-A INPUT -m statistic --mode random ! --probability 0.333333
-A INPUT -m statistic --mode nth --every 3 --packet 0
-A INPUT -m statistic --mode nth --packet 1 --every 3
-A INPUT -m string --string "abc" --algo bm
-A INPUT -p tcp -m tcpmss --mss 5:6
-A INPUT -m tos --tos Minimize-Delay
-A INPUT -m tos ! --tos 0x10
-A INPUT -m tos --tos 5/7
-A INPUT -m u32 --u32 "0x6&0xff=0x1"
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -m addrtype --src-type LOCAL
[0:0] -A INPUT -m addrtype --src-type UNICAST ! --dst-type LOCAL --limit-iface-in
[0:0] -A INPUT -m connbytes --connbytes 1024:4096 --connbytes-mode packets --connbytes-dir both
[0:0] -A INPUT -m connbytes ! --connbytes 10 --connbytes-mode bytes --connbytes-dir original
[0:0] -A INPUT -m connlimit --connlimit-above 2 --connlimit-mask 32 --connlimit-saddr
[0:0] -A INPUT -m connlimit --connlimit-upto 3 --connlimit-mask 24 --connlimit-daddr
[0:0] -A INPUT -m connlimit --connlimit-upto 4 --connlimit-mask 32 --connlimit-saddr
[0:0] -A INPUT -m connmark --mark 0x5
[0:0] -A INPUT -m connmark ! --mark 0x5/0x7
[0:0] -A INPUT -m dscp --dscp 0x05
[0:0] -A INPUT -m dscp ! --dscp 0x2e
[0:0] -A INPUT -m dscp --dscp 0x08
[0:0] -A INPUT -m dscp --dscp 0x26
[0:0] -A INPUT -m hashlimit --hashlimit-upto 20/sec --hashlimit-burst 5 --hashlimit-name h
[0:0] -A INPUT -m hashlimit --hashlimit-upto 1/min --hashlimit-burst 7 --hashlimit-mode srcip,dstport --hashlimit-name i --hashlimit-htable-expire 1000 --hashlimit-srcmask 24
[0:0] -A INPUT -m hashlimit --hashlimit-above 5/sec --hashlimit-burst 5 --hashlimit-mode srcip,dstip --hashlimit-name z --hashlimit-htable-size 100 --hashlimit-htable-max 200 --hashlimit-htable-gcinterval 2000
[0:0] -A INPUT -m hashlimit --hashlimit-above 2/sec --hashlimit-burst 5 --hashlimit-name k --hashlimit-htable-expire 60000
[0:0] -A INPUT -m helper --helper ftp
[0:0] -A INPUT -m helper ! --helper irc
[0:0] -A INPUT -m physdev --physdev-is-in ! --physdev-in eth0 --physdev-out vnet+ --physdev-is-bridged
[0:0] -A INPUT -m pkttype --pkt-type multicast
[0:0] -A INPUT -m pkttype ! --pkt-type broadcast
[0:0] -A INPUT -m policy --dir in --pol ipsec
[0:0] -A INPUT -m quota --quota 500
[0:0] -A INPUT -m realm --realm 0x5
[0:0] -A INPUT -m recent --set --name DEFAULT --mask 255.255.255.255 --rsource
[0:0] -A INPUT -m recent --update --seconds 60 --hitcount 4 --name X --mask 255.255.255.255 --rdest
[0:0] -A INPUT -m recent ! --rcheck --rttl --name Y --mask 255.255.0.0 --rsource
[0:0] -A INPUT -m recent --remove --name DEFAULT --mask 255.255.255.255 --rsource
[0:0] -A INPUT -m recent --rcheck --seconds 5 --reap --name DEFAULT --mask 255.255.255.255 --rsource
[0:0] -A INPUT -p sctp -m sctp --sport 80 --dport 1:5
[0:0] -A INPUT -p dccp -m dccp ! --sport 80
[0:0] -A INPUT -m socket --transparent
[0:0] -A INPUT -m statistic --mode random --probability 0.50000000000
[0:0] -A INPUT -m statistic --mode random ! --probability 0.33333300008
[0:0] -A INPUT -m statistic --mode nth --every 3 --packet 0
[0:0] -A INPUT -m statistic --mode nth --every 3 --packet 1
[0:0] -A INPUT -m string --string "abc" --algo bm
[0:0] -A INPUT -p tcp -m tcpmss --mss 5:6
[0:0] -A INPUT -m tos --tos 0x10/0x3f
[0:0] -A INPUT -m tos ! --tos 0x10/0xff
[0:0] -A INPUT -m tos --tos 0x05/0x07
[0:0] -A INPUT -m u32 --u32 "0x6&0xff=0x1"
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            ADDRTYPE match src-type LOCAL
2           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            ADDRTYPE match src-type UNICAST dst-type !LOCAL limit-in
3           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            connbytes 1024:4096 connbytes mode packets connbytes direction both
4           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            ! connbytes 10 connbytes mode bytes connbytes direction original
5           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            #conn src/32 > 2
6           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            #conn dst/24 <= 3
7           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            #conn src/32 <= 4
8           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            connmark match  0x5
9           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            connmark match ! 0x5/0x7
10          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            DSCP match 0x05
11          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            DSCP match !0x2e
12          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            DSCP match 0x08
13          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            DSCP match 0x26
14          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            limit: up to 20/sec burst 5
15          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            limit: up to 1/min burst 7 mode srcip-dstport htable-expire 1000 srcmask 24
16          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            limit: above 5/sec burst 5 mode srcip-dstip htable-size 100 htable-max 200 htable-gcinterval 2000
17          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            limit: above 2/sec burst 5 htable-expire 60000
18          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            helper match "ftp"
19          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            helper match ! "irc"
20          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            PHYSDEV match --physdev-is-in ! --physdev-in eth0 --physdev-out vnet+ --physdev-is-bridged
21          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            PKTTYPE = multicast
22          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            PKTTYPE != broadcast
23          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            policy match dir in pol ipsec
24          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            quota: 500 bytes
25          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            realm 0x5
26          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            recent: SET name: DEFAULT side: source mask: 255.255.255.255
27          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            recent: UPDATE seconds: 60 hit_count: 4 name: X side: dest mask: 255.255.255.255
28          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            ! recent: CHECK TTL-Match name: Y side: source mask: 255.255.0.0
29          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            recent: REMOVE name: DEFAULT side: source mask: 255.255.255.255
30          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            recent: CHECK seconds: 5 reap name: DEFAULT side: source mask: 255.255.255.255
31          0        0            132  --  *      *       0.0.0.0/0            0.0.0.0/0            sctp spt:80 dpts:1:5
32          0        0            33   --  *      *       0.0.0.0/0            0.0.0.0/0            dccp spt:!80
33          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            socket --transparent
34          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            statistic mode random probability 0.50000000000
35          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            statistic mode random ! probability 0.33333300008
36          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            statistic mode nth every 3
37          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            statistic mode nth every 3 packet 1
38          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            STRING match  "abc" ALGO name bm
39          0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            tcpmss match 5:6
40          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            tos match0x10/0x3f
41          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            tos match!0x10/0xff
42          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            tos match0x05/0x07
43          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            u32 "0x6&0xff=0x1"

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case matches of IPv6
-- rules -6
*filter
-A INPUT -m connlimit --connlimit-above 2
-A INPUT -m recent --set
-A INPUT -m rt --rt-type 0
-A INPUT -m rt ! --rt-type 0 --rt-segsleft 1:2 --rt-len 5
-A INPUT -m rt --rt-type 0 --rt-0-res --rt-0-addrs ::1,::2 --rt-0-not-strict
-A INPUT -m ipv6header --header dst --soft
-A INPUT -m ipv6header ! --header prot,hop,route,frag,auth,esp,none
-A INPUT -m hbh --hbh-len 5
-A INPUT -m hbh --hbh-opts 1:2,3
-A INPUT -m dst ! --dst-len 5 --dst-opts 1
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -m connlimit --connlimit-above 2 --connlimit-mask 128 --connlimit-saddr
[0:0] -A INPUT -m recent --set --name DEFAULT --mask ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff --rsource
[0:0] -A INPUT -m rt --rt-type 0
[0:0] -A INPUT -m rt ! --rt-type 0 --rt-segsleft 1:2 --rt-len 5
[0:0] -A INPUT -m rt --rt-type 0 --rt-0-res --rt-0-addrs ::1,::2 --rt-0-not-strict
[0:0] -A INPUT -m ipv6header --header ipv6-opts --soft
[0:0] -A INPUT -m ipv6header ! --header hop-by-hop,ipv6-route,ipv6-frag,ah,esp,ipv6-nonxt,protocol
[0:0] -A INPUT -m hbh --hbh-len 5
[0:0] -A INPUT -m hbh --hbh-opts 1:2,3
[0:0] -A INPUT -m dst ! --dst-len 5 --dst-opts 1
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            0    --  *      *       ::/0                 ::/0                 #conn src/128 > 2
2           0        0            0    --  *      *       ::/0                 ::/0                 recent: SET name: DEFAULT side: source mask: ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
3           0        0            0    --  *      *       ::/0                 ::/0                 rt type:0
4           0        0            0    --  *      *       ::/0                 ::/0                 rt type:!0 segslefts:1:2 length:5
5           0        0            0    --  *      *       ::/0                 ::/0                 rt type:0 reserved 0-addrs ::1,::2 0-not-strict
6           0        0            0    --  *      *       ::/0                 ::/0                 ipv6header flags:0x40 soft
7           0        0            0    --  *      *       ::/0                 ::/0                 ipv6header flags:!0xBF
8           0        0            0    --  *      *       ::/0                 ::/0                 hbh length:5
9           0        0            0    --  *      *       ::/0                 ::/0                 hbh opts 1:2,3
10          0        0            0    --  *      *       ::/0                 ::/0                 dst length:!5 opts 1

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case targets
-- rules -4
*mangle
-A PREROUTING -j CONNMARK --save-mark
-A PREROUTING -j CONNMARK --restore-mark --mask 0xff
-A PREROUTING -j CONNMARK --save-mark --nfmask 1 --ctmask 2
-A PREROUTING -j CONNMARK --restore-mark --ctmask 0xff
-A PREROUTING -j CONNMARK --set-mark 5
-A PREROUTING -j CONNMARK --set-mark 5/7
-A PREROUTING -j CONNMARK --set-xmark 5/7
-A PREROUTING -j CONNMARK --and-mark 5
-A PREROUTING -j CONNMARK --or-mark 5
-A PREROUTING -j CONNMARK --xor-mark 5
-A PREROUTING -j NFQUEUE
-A PREROUTING -j NFQUEUE --queue-num 5
-A PREROUTING -j NFQUEUE --queue-balance 0:3 --queue-bypass --queue-cpu-fanout
-A PREROUTING -j TOS --set-tos 0x10
-A PREROUTING -j TOS --set-tos Minimize-Delay
-A PREROUTING -j TTL --ttl-set 5
-A PREROUTING -j TTL --ttl-inc 5
-A PREROUTING -j DSCP --set-dscp 5
-A PREROUTING -j DSCP --set-dscp-class EF
-A PREROUTING -p tcp -j TPROXY --on-port 80 --tproxy-mark 1/1
-A PREROUTING -j CHECKSUM --checksum-fill
-A PREROUTING -j TEE --gateway 1.2.3.4
-A POSTROUTING -p tcp --syn -j TCPMSS --set-mss 1400
-A POSTROUTING -p tcp --syn -j TCPMSS --clamp-mss-to-pmtu
COMMIT
-- save
*mangle
:PREROUTING ACCEPT [0:0]
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:POSTROUTING ACCEPT [0:0]
[0:0] -A PREROUTING -j CONNMARK --save-mark --nfmask 0xffffffff --ctmask 0xffffffff
[0:0] -A PREROUTING -j CONNMARK --restore-mark --nfmask 0xff --ctmask 0xff
[0:0] -A PREROUTING -j CONNMARK --save-mark --nfmask 0x1 --ctmask 0x2
[0:0] -A PREROUTING -j CONNMARK --restore-mark --nfmask 0xffffffff --ctmask 0xff
[0:0] -A PREROUTING -j CONNMARK --set-xmark 0x5/0xffffffff
[0:0] -A PREROUTING -j CONNMARK --set-xmark 0x5/0x7
[0:0] -A PREROUTING -j CONNMARK --set-xmark 0x5/0x7
[0:0] -A PREROUTING -j CONNMARK --set-xmark 0x0/0xfffffffa
[0:0] -A PREROUTING -j CONNMARK --set-xmark 0x5/0x5
[0:0] -A PREROUTING -j CONNMARK --set-xmark 0x5/0x0
[0:0] -A PREROUTING -j NFQUEUE --queue-num 0
[0:0] -A PREROUTING -j NFQUEUE --queue-num 5
[0:0] -A PREROUTING -j NFQUEUE --queue-balance 0:3 --queue-bypass --queue-cpu-fanout
[0:0] -A PREROUTING -j TOS --set-tos 0x10/0xff
[0:0] -A PREROUTING -j TOS --set-tos 0x10/0x3f
[0:0] -A PREROUTING -j TTL --ttl-set 5
[0:0] -A PREROUTING -j TTL --ttl-inc 5
[0:0] -A PREROUTING -j DSCP --set-dscp 0x05
[0:0] -A PREROUTING -j DSCP --set-dscp 0x2e
[0:0] -A PREROUTING -p tcp -j TPROXY --on-port 80 --on-ip 0.0.0.0 --tproxy-mark 0x1/0x1
[0:0] -A PREROUTING -j CHECKSUM --checksum-fill
[0:0] -A PREROUTING -j TEE --gateway 1.2.3.4
[0:0] -A POSTROUTING -p tcp -m tcp --tcp-flags FIN,SYN,RST,ACK SYN -j TCPMSS --set-mss 1400
[0:0] -A POSTROUTING -p tcp -m tcp --tcp-flags FIN,SYN,RST,ACK SYN -j TCPMSS --clamp-mss-to-pmtu
COMMIT
-- list mangle
Chain PREROUTING (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0 CONNMARK   0    --  *      *       0.0.0.0/0            0.0.0.0/0            CONNMARK save
2           0        0 CONNMARK   0    --  *      *       0.0.0.0/0            0.0.0.0/0            CONNMARK restore mask 0xff
3           0        0 CONNMARK   0    --  *      *       0.0.0.0/0            0.0.0.0/0            CONNMARK save nfmask 0x1 ctmask ~0x2
4           0        0 CONNMARK   0    --  *      *       0.0.0.0/0            0.0.0.0/0            CONNMARK restore ctmask 0xff nfmask ~0xffffffff
5           0        0 CONNMARK   0    --  *      *       0.0.0.0/0            0.0.0.0/0            CONNMARK set 0x5
6           0        0 CONNMARK   0    --  *      *       0.0.0.0/0            0.0.0.0/0            CONNMARK xset 0x5/0x7
7           0        0 CONNMARK   0    --  *      *       0.0.0.0/0            0.0.0.0/0            CONNMARK xset 0x5/0x7
8           0        0 CONNMARK   0    --  *      *       0.0.0.0/0            0.0.0.0/0            CONNMARK and 0x5
9           0        0 CONNMARK   0    --  *      *       0.0.0.0/0            0.0.0.0/0            CONNMARK or 0x5
10          0        0 CONNMARK   0    --  *      *       0.0.0.0/0            0.0.0.0/0            CONNMARK xor 0x5
11          0        0 NFQUEUE    0    --  *      *       0.0.0.0/0            0.0.0.0/0            NFQUEUE num 0
12          0        0 NFQUEUE    0    --  *      *       0.0.0.0/0            0.0.0.0/0            NFQUEUE num 5
13          0        0 NFQUEUE    0    --  *      *       0.0.0.0/0            0.0.0.0/0            NFQUEUE balance 0:3 bypass cpu-fanout
14          0        0 TOS        0    --  *      *       0.0.0.0/0            0.0.0.0/0            TOS set 0x10/0xff
15          0        0 TOS        0    --  *      *       0.0.0.0/0            0.0.0.0/0            TOS set 0x10/0x3f
16          0        0 TTL        0    --  *      *       0.0.0.0/0            0.0.0.0/0            TTL set to 5
17          0        0 TTL        0    --  *      *       0.0.0.0/0            0.0.0.0/0            TTL increment by 5
18          0        0 DSCP       0    --  *      *       0.0.0.0/0            0.0.0.0/0            DSCP set 0x05
19          0        0 DSCP       0    --  *      *       0.0.0.0/0            0.0.0.0/0            DSCP set 0x2e
20          0        0 TPROXY     6    --  *      *       0.0.0.0/0            0.0.0.0/0            TPROXY redirect 0.0.0.0:80 mark 0x1/0x1
21          0        0 CHECKSUM   0    --  *      *       0.0.0.0/0            0.0.0.0/0            CHECKSUM fill
22          0        0 TEE        0    --  *      *       0.0.0.0/0            0.0.0.0/0            TEE gw:1.2.3.4

Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain POSTROUTING (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0 TCPMSS     6    --  *      *       0.0.0.0/0            0.0.0.0/0            tcp flags:0x17/0x02 TCPMSS set 1400
2           0        0 TCPMSS     6    --  *      *       0.0.0.0/0            0.0.0.0/0            tcp flags:0x17/0x02 TCPMSS clamp to PMTU

-- case targets of nat
-- rules -4
*nat
-A PREROUTING -p tcp -j DNAT --to-destination 1.2.3.4
-A PREROUTING -p tcp -j DNAT --to-destination 1.2.3.4-1.2.3.9:80-90 --persistent --random
-A PREROUTING -p tcp -j REDIRECT
-A PREROUTING -p tcp -j REDIRECT --to-ports 5-6 --random
-A POSTROUTING -p tcp -j SNAT --random-fully --to-source 1.2.3.4
-A POSTROUTING -p tcp -j SNAT --to 1.2.3.4:5-6 --persistent --random
-A POSTROUTING -p tcp -j MASQUERADE
-A POSTROUTING -p tcp -j MASQUERADE --to-ports 5-6 --random
-A POSTROUTING -p tcp -j NETMAP --to 1.2.3.0/24
COMMIT
-- save
*nat
:PREROUTING ACCEPT [0:0]
:INPUT ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:POSTROUTING ACCEPT [0:0]
[0:0] -A PREROUTING -p tcp -j DNAT --to-destination 1.2.3.4
[0:0] -A PREROUTING -p tcp -j DNAT --to-destination 1.2.3.4-1.2.3.9:80-90 --random --persistent
[0:0] -A PREROUTING -p tcp -j REDIRECT
[0:0] -A PREROUTING -p tcp -j REDIRECT --to-ports 5-6 --random
[0:0] -A POSTROUTING -p tcp -j SNAT --to-source 1.2.3.4 --random-fully
[0:0] -A POSTROUTING -p tcp -j SNAT --to-source 1.2.3.4:5-6 --random --persistent
[0:0] -A POSTROUTING -p tcp -j MASQUERADE
[0:0] -A POSTROUTING -p tcp -j MASQUERADE --to-ports 5-6 --random
[0:0] -A POSTROUTING -p tcp -j NETMAP --to 1.2.3.0/24
COMMIT
-- list nat
Chain PREROUTING (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0 DNAT       6    --  *      *       0.0.0.0/0            0.0.0.0/0            to:1.2.3.4
2           0        0 DNAT       6    --  *      *       0.0.0.0/0            0.0.0.0/0            to:1.2.3.4-1.2.3.9:80-90 random persistent
3           0        0 REDIRECT   6    --  *      *       0.0.0.0/0            0.0.0.0/0           
4           0        0 REDIRECT   6    --  *      *       0.0.0.0/0            0.0.0.0/0            redir ports 5-6 random

Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain POSTROUTING (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0 SNAT       6    --  *      *       0.0.0.0/0            0.0.0.0/0            to:1.2.3.4 random-fully
2           0        0 SNAT       6    --  *      *       0.0.0.0/0            0.0.0.0/0            to:1.2.3.4:5-6 random persistent
3           0        0 MASQUERADE  6    --  *      *       0.0.0.0/0            0.0.0.0/0           
4           0        0 MASQUERADE  6    --  *      *       0.0.0.0/0            0.0.0.0/0            masq ports: 5-6 random
5           0        0 NETMAP     6    --  *      *       0.0.0.0/0            0.0.0.0/0            to:1.2.3.0/24

-- case targets of raw
-- rules -4
*raw
-A PREROUTING -p udp --dport 69 -j NOTRACK
-A PREROUTING -p udp --dport 69 -j CT --notrack
-A PREROUTING -j CT --zone 5
-A PREROUTING -j CT
COMMIT
-- save
*raw
:PREROUTING ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A PREROUTING -p udp -m udp --dport 69 -j NOTRACK
[0:0] -A PREROUTING -p udp -m udp --dport 69 -j CT --notrack
[0:0] -A PREROUTING -j CT --zone 5
[0:0] -A PREROUTING -j CT
COMMIT
-- list raw
Chain PREROUTING (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0 CT         17   --  *      *       0.0.0.0/0            0.0.0.0/0            udp dpt:69 NOTRACK
2           0        0 CT         17   --  *      *       0.0.0.0/0            0.0.0.0/0            udp dpt:69 CT notrack
3           0        0 CT         0    --  *      *       0.0.0.0/0            0.0.0.0/0            CT zone 5
4           0        0 CT         0    --  *      *       0.0.0.0/0            0.0.0.0/0            CT

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case targets of IPv6
-- rules -6
*mangle
-A PREROUTING -j HL --hl-set 5
-A PREROUTING -j HL --hl-dec 5
-A PREROUTING -j HL --hl-inc 5
-A PREROUTING -p tcp -j TPROXY --on-port 80 --on-ip ::1 --tproxy-mark 1
COMMIT
-- save
*mangle
:PREROUTING ACCEPT [0:0]
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:POSTROUTING ACCEPT [0:0]
[0:0] -A PREROUTING -j HL --hl-set 5
[0:0] -A PREROUTING -j HL --hl-dec 5
[0:0] -A PREROUTING -j HL --hl-inc 5
[0:0] -A PREROUTING -p tcp -j TPROXY --on-port 80 --on-ip ::1 --tproxy-mark 0x1/0xffffffff
COMMIT
-- list mangle
Chain PREROUTING (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0 HL         0    --  *      *       ::/0                 ::/0                 HL set to 5
2           0        0 HL         0    --  *      *       ::/0                 ::/0                 HL decrement by 5
3           0        0 HL         0    --  *      *       ::/0                 ::/0                 HL increment by 5
4           0        0 TPROXY     6    --  *      *       ::/0                 ::/0                 TPROXY redirect ::1:80 mark 0x1/0xffffffff

Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain POSTROUTING (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
