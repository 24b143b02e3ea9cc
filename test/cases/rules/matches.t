Every option of every match that runs.

-- case tcp
-- rules -4
*filter
-A FORWARD -p tcp -m tcp
-A FORWARD -p tcp -m tcp --sport 1
-A FORWARD -p tcp -m tcp ! --sport 1:5 --dport 7
-A FORWARD -p tcp -m tcp --source-port :100 --destination-port 80:
-A FORWARD -p tcp -m tcp --dport :
-A FORWARD -p tcp -m tcp --dport 0:65535
-A FORWARD -p tcp -m tcp ! --dport 0:65535
-A FORWARD -p tcp -m tcp --dport :0
-A FORWARD -p tcp -m tcp --dport 65535:
-A FORWARD -p tcp -m tcp --dport 0x50 --sport 010
-A FORWARD -p tcp -m tcp --dport http --sport domain:https
-A FORWARD -p tcp -m tcp --syn
-A FORWARD -p tcp -m tcp ! --syn
-A FORWARD -p tcp -m tcp --tcp-flags ALL NONE
-A FORWARD -p tcp -m tcp --tcp-flags all Syn,aCK
-A FORWARD -p tcp -m tcp ! --tcp-flags URG,PSH,FIN URG
-A FORWARD -p tcp -m tcp --tcp-flags SYN,,ACK ACK,
-A FORWARD -p tcp -m tcp --tcp-flags NONE NONE
-A FORWARD -p tcp -m tcp ! --tcp-flags NONE NONE
-A FORWARD -p tcp -m tcp --tcp-flags NONE SYN
-A FORWARD -p tcp -m tcp --tcp-option 1
-A FORWARD -p tcp -m tcp ! --tcp-option 255
-A FORWARD -p tcp -m tcp --tcp-option 5 --syn --dport 1 --sport 2
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A FORWARD -p tcp -m tcp
[0:0] -A FORWARD -p tcp -m tcp --sport 1
[0:0] -A FORWARD -p tcp -m tcp ! --sport 1:5 --dport 7
[0:0] -A FORWARD -p tcp -m tcp --sport 0:100 --dport 80:65535
[0:0] -A FORWARD -p tcp -m tcp
[0:0] -A FORWARD -p tcp -m tcp
[0:0] -A FORWARD -p tcp -m tcp
[0:0] -A FORWARD -p tcp -m tcp --dport 0
[0:0] -A FORWARD -p tcp -m tcp --dport 65535
[0:0] -A FORWARD -p tcp -m tcp --sport 8 --dport 80
[0:0] -A FORWARD -p tcp -m tcp --sport 53:443 --dport 80
[0:0] -A FORWARD -p tcp -m tcp --tcp-flags FIN,SYN,RST,ACK SYN
[0:0] -A FORWARD -p tcp -m tcp ! --tcp-flags FIN,SYN,RST,ACK SYN
[0:0] -A FORWARD -p tcp -m tcp --tcp-flags FIN,SYN,RST,PSH,ACK,URG NONE
[0:0] -A FORWARD -p tcp -m tcp --tcp-flags FIN,SYN,RST,PSH,ACK,URG SYN,ACK
[0:0] -A FORWARD -p tcp -m tcp ! --tcp-flags FIN,PSH,URG URG
[0:0] -A FORWARD -p tcp -m tcp --tcp-flags SYN,ACK ACK
[0:0] -A FORWARD -p tcp -m tcp
[0:0] -A FORWARD -p tcp -m tcp ! --tcp-flags NONE NONE
[0:0] -A FORWARD -p tcp -m tcp
[0:0] -A FORWARD -p tcp -m tcp --tcp-option 1
[0:0] -A FORWARD -p tcp -m tcp ! --tcp-option 255
[0:0] -A FORWARD -p tcp -m tcp --sport 2 --dport 1 --tcp-option 5 --tcp-flags FIN,SYN,RST,ACK SYN
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            tcp
2           0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            tcp spt:1
3           0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            tcp spts:!1:5 dpt:7
4           0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            tcp spts:0:100 dpts:80:65535
5           0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            tcp
6           0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            tcp
7           0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            tcp dpts:!0:65535
8           0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            tcp dpt:0
9           0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            tcp dpt:65535
10          0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            tcp spt:8 dpt:80
11          0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            tcp spts:53:443 dpt:80
12          0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            tcp flags:0x17/0x02
13          0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            tcp flags:!0x17/0x02
14          0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            tcp flags:0x3F/0x00
15          0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            tcp flags:0x3F/0x12
16          0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            tcp flags:!0x29/0x20
17          0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            tcp flags:0x12/0x10
18          0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            tcp
19          0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            tcp flags:!0x00/0x00
20          0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            tcp
21          0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            tcp option=1
22          0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            tcp option=!255
23          0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            tcp spt:2 dpt:1 option=5 flags:0x17/0x02

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case udp
-- rules -6
*filter
-A FORWARD -p udp -m udp
-A FORWARD -p udp -m udp --sport 1 --dport 2:3
-A FORWARD -p udp -m udp ! --sport domain ! --dport 5:
-A FORWARD -p udp -m udp --dport 0:65535
-A FORWARD -p udp -m udp --source-port tftp --destination-port 3:3
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A FORWARD -p udp -m udp
[0:0] -A FORWARD -p udp -m udp --sport 1 --dport 2:3
[0:0] -A FORWARD -p udp -m udp ! --sport 53 ! --dport 5:65535
[0:0] -A FORWARD -p udp -m udp
[0:0] -A FORWARD -p udp -m udp --sport 69 --dport 3
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            17   --  *      *       ::/0                 ::/0                 udp
2           0        0            17   --  *      *       ::/0                 ::/0                 udp spt:1 dpts:2:3
3           0        0            17   --  *      *       ::/0                 ::/0                 udp spt:!53 dpts:!5:65535
4           0        0            17   --  *      *       ::/0                 ::/0                 udp
5           0        0            17   --  *      *       ::/0                 ::/0                 udp spt:69 dpt:3

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case icmp
-- rules -4
*filter
-A INPUT -p icmp -m icmp --icmp-type 8
-A INPUT -p icmp -m icmp ! --icmp-type 3/4
-A INPUT -p icmp -m icmp --icmp-type any
-A INPUT -p icmp -m icmp ! --icmp-type any
-A INPUT -p icmp -m icmp --icmp-type 255
-A INPUT -p icmp -m icmp --icmp-type 255/0
-A INPUT -p icmp -m icmp --icmp-type 3/1:4
-A INPUT -p icmp -m icmp --icmp-type 0
-A INPUT -p icmp -m icmp --icmp-type 0x0b/0x1
-A INPUT -p icmp --icmp-type echo-req
-A INPUT -p icmp --icmp-type PING
-A INPUT -p icmp --icmp-type pong
-A INPUT -p icmp --icmp-type echo-reply
-A INPUT -p icmp --icmp-type destination-unreachable
-A INPUT -p icmp --icmp-type network-unreachable
-A INPUT -p icmp --icmp-type host-unreachable
-A INPUT -p icmp --icmp-type protocol-unreachable
-A INPUT -p icmp --icmp-type port-unreachable
-A INPUT -p icmp --icmp-type fragmentation-needed
-A INPUT -p icmp --icmp-type source-route-failed
-A INPUT -p icmp --icmp-type network-unknown
-A INPUT -p icmp --icmp-type host-unknown
-A INPUT -p icmp --icmp-type network-prohibited
-A INPUT -p icmp --icmp-type host-prohibited
-A INPUT -p icmp --icmp-type TOS-network-unreachable
-A INPUT -p icmp --icmp-type TOS-host-unreachable
-A INPUT -p icmp --icmp-type communication-prohibited
-A INPUT -p icmp --icmp-type host-precedence-violation
-A INPUT -p icmp --icmp-type precedence-cutoff
-A INPUT -p icmp --icmp-type source-quench
-A INPUT -p icmp --icmp-type redirect
-A INPUT -p icmp --icmp-type network-redirect
-A INPUT -p icmp --icmp-type host-redirect
-A INPUT -p icmp --icmp-type TOS-network-redirect
-A INPUT -p icmp --icmp-type TOS-host-redirect
-A INPUT -p icmp --icmp-type router-advertisement
-A INPUT -p icmp --icmp-type router-solicitation
-A INPUT -p icmp --icmp-type time-exceeded
-A INPUT -p icmp --icmp-type ttl-exceeded
-A INPUT -p icmp --icmp-type ttl-zero-during-transit
-A INPUT -p icmp --icmp-type ttl-zero-during-reassembly
-A INPUT -p icmp --icmp-type parameter-problem
-A INPUT -p icmp --icmp-type ip-header-bad
-A INPUT -p icmp --icmp-type required-option-missing
-A INPUT -p icmp --icmp-type timestamp-request
-A INPUT -p icmp --icmp-type timestamp-reply
-A INPUT -p icmp --icmp-type address-mask-request
-A INPUT -p icmp --icmp-type address-mask-reply
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -p icmp -m icmp --icmp-type 8
[0:0] -A INPUT -p icmp -m icmp ! --icmp-type 3/4
[0:0] -A INPUT -p icmp -m icmp --icmp-type any
[0:0] -A INPUT -p icmp -m icmp ! --icmp-type any
[0:0] -A INPUT -p icmp -m icmp --icmp-type any
[0:0] -A INPUT -p icmp -m icmp --icmp-type any
[0:0] -A INPUT -p icmp -m icmp --icmp-type 3/1
[0:0] -A INPUT -p icmp -m icmp --icmp-type 0
[0:0] -A INPUT -p icmp -m icmp --icmp-type 11/1
[0:0] -A INPUT -p icmp -m icmp --icmp-type 8
[0:0] -A INPUT -p icmp -m icmp --icmp-type 8
[0:0] -A INPUT -p icmp -m icmp --icmp-type 0
[0:0] -A INPUT -p icmp -m icmp --icmp-type 0
[0:0] -A INPUT -p icmp -m icmp --icmp-type 3
[0:0] -A INPUT -p icmp -m icmp --icmp-type 3/0
[0:0] -A INPUT -p icmp -m icmp --icmp-type 3/1
[0:0] -A INPUT -p icmp -m icmp --icmp-type 3/2
[0:0] -A INPUT -p icmp -m icmp --icmp-type 3/3
[0:0] -A INPUT -p icmp -m icmp --icmp-type 3/4
[0:0] -A INPUT -p icmp -m icmp --icmp-type 3/5
[0:0] -A INPUT -p icmp -m icmp --icmp-type 3/6
[0:0] -A INPUT -p icmp -m icmp --icmp-type 3/7
[0:0] -A INPUT -p icmp -m icmp --icmp-type 3/9
[0:0] -A INPUT -p icmp -m icmp --icmp-type 3/10
[0:0] -A INPUT -p icmp -m icmp --icmp-type 3/11
[0:0] -A INPUT -p icmp -m icmp --icmp-type 3/12
[0:0] -A INPUT -p icmp -m icmp --icmp-type 3/13
[0:0] -A INPUT -p icmp -m icmp --icmp-type 3/14
[0:0] -A INPUT -p icmp -m icmp --icmp-type 3/15
[0:0] -A INPUT -p icmp -m icmp --icmp-type 4
[0:0] -A INPUT -p icmp -m icmp --icmp-type 5
[0:0] -A INPUT -p icmp -m icmp --icmp-type 5/0
[0:0] -A INPUT -p icmp -m icmp --icmp-type 5/1
[0:0] -A INPUT -p icmp -m icmp --icmp-type 5/2
[0:0] -A INPUT -p icmp -m icmp --icmp-type 5/3
[0:0] -A INPUT -p icmp -m icmp --icmp-type 9
[0:0] -A INPUT -p icmp -m icmp --icmp-type 10
[0:0] -A INPUT -p icmp -m icmp --icmp-type 11
[0:0] -A INPUT -p icmp -m icmp --icmp-type 11
[0:0] -A INPUT -p icmp -m icmp --icmp-type 11/0
[0:0] -A INPUT -p icmp -m icmp --icmp-type 11/1
[0:0] -A INPUT -p icmp -m icmp --icmp-type 12
[0:0] -A INPUT -p icmp -m icmp --icmp-type 12/0
[0:0] -A INPUT -p icmp -m icmp --icmp-type 12/1
[0:0] -A INPUT -p icmp -m icmp --icmp-type 13
[0:0] -A INPUT -p icmp -m icmp --icmp-type 14
[0:0] -A INPUT -p icmp -m icmp --icmp-type 17
[0:0] -A INPUT -p icmp -m icmp --icmp-type 18
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 8
2           0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmp !type 3 code 4
3           0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 255
4           0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmp !type 255
5           0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 255
6           0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 255 code 0
7           0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 3 codes 1-4
8           0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 0
9           0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 11 code 1
10          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 8
11          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 8
12          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 0
13          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 0
14          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 3
15          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 3 code 0
16          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 3 code 1
17          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 3 code 2
18          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 3 code 3
19          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 3 code 4
20          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 3 code 5
21          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 3 code 6
22          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 3 code 7
23          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 3 code 9
24          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 3 code 10
25          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 3 code 11
26          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 3 code 12
27          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 3 code 13
28          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 3 code 14
29          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 3 code 15
30          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 4
31          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 5
32          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 5 code 0
33          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 5 code 1
34          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 5 code 2
35          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 5 code 3
36          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 9
37          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 10
38          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 11
39          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 11
40          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 11 code 0
41          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 11 code 1
42          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 12
43          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 12 code 0
44          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 12 code 1
45          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 13
46          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 14
47          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 17
48          0        0            1    --  *      *       0.0.0.0/0            0.0.0.0/0            icmptype 18

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case icmp6
-- rules -6
*filter
-A INPUT -p icmpv6 -m icmp6 --icmpv6-type 128
-A INPUT -p icmpv6 -m icmpv6 ! --icmpv6-type 1/4
-A INPUT -p icmpv6 -m ipv6-icmp --icmpv6-type 255
-A INPUT -p icmpv6 --icmpv6-type 128/0:255
-A INPUT -p icmpv6 --icmpv6-type 1/2:5
-A INPUT -p icmpv6 --icmpv6-type destination-unreachable
-A INPUT -p icmpv6 --icmpv6-type no-route
-A INPUT -p icmpv6 --icmpv6-type communication-prohibited
-A INPUT -p icmpv6 --icmpv6-type beyond-scope
-A INPUT -p icmpv6 --icmpv6-type address-unreachable
-A INPUT -p icmpv6 --icmpv6-type port-unreachable
-A INPUT -p icmpv6 --icmpv6-type failed-policy
-A INPUT -p icmpv6 --icmpv6-type reject-route
-A INPUT -p icmpv6 --icmpv6-type packet-too-big
-A INPUT -p icmpv6 --icmpv6-type time-exceeded
-A INPUT -p icmpv6 --icmpv6-type TTL-Exceeded
-A INPUT -p icmpv6 --icmpv6-type ttl-zero-during-t
-A INPUT -p icmpv6 --icmpv6-type ttl-zero-during-reassembly
-A INPUT -p icmpv6 --icmpv6-type parameter-problem
-A INPUT -p icmpv6 --icmpv6-type bad-header
-A INPUT -p icmpv6 --icmpv6-type unknown-header-type
-A INPUT -p icmpv6 --icmpv6-type unknown-option
-A INPUT -p icmpv6 --icmpv6-type echo-request
-A INPUT -p icmpv6 --icmpv6-type ping
-A INPUT -p icmpv6 --icmpv6-type echo-reply
-A INPUT -p icmpv6 --icmpv6-type pong
-A INPUT -p icmpv6 --icmpv6-type router-solicitation
-A INPUT -p icmpv6 --icmpv6-type router-advertisement
-A INPUT -p icmpv6 --icmpv6-type neighbour-solicitation
-A INPUT -p icmpv6 --icmpv6-type neighbor-s
-A INPUT -p icmpv6 --icmpv6-type neighbour-advertisement
-A INPUT -p icmpv6 --icmpv6-type neighbor-advertisement
-A INPUT -p icmpv6 --icmpv6-type redirect
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 128
[0:0] -A INPUT -p ipv6-icmp -m icmp6 ! --icmpv6-type 1/4
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 255
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 128
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 1/2
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 1
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 1/0
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 1/1
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 1/2
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 1/3
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 1/4
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 1/5
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 1/6
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 2
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 3
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 3
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 3/0
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 3/1
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 4
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 4/0
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 4/1
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 4/2
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 128
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 128
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 129
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 129
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 133
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 134
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 135
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 135
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 136
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 136
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 137
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 128
2           0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmp !type 1 code 4
3           0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 255
4           0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 128
5           0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 1 codes 2-5
6           0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 1
7           0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 1 code 0
8           0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 1 code 1
9           0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 1 code 2
10          0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 1 code 3
11          0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 1 code 4
12          0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 1 code 5
13          0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 1 code 6
14          0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 2
15          0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 3
16          0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 3
17          0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 3 code 0
18          0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 3 code 1
19          0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 4
20          0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 4 code 0
21          0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 4 code 1
22          0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 4 code 2
23          0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 128
24          0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 128
25          0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 129
26          0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 129
27          0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 133
28          0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 134
29          0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 135
30          0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 135
31          0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 136
32          0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 136
33          0        0            58   --  *      *       ::/0                 ::/0                 ipv6-icmptype 137

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case multiport
-- rules -4
*filter
-A FORWARD -p tcp -m multiport --dports 80
-A FORWARD -p tcp -m multiport --sports 80,443
-A FORWARD -p udp -m multiport --ports 1:5,9
-A FORWARD -p tcp -m multiport ! --dports 80,http,ssh:25
-A FORWARD -p tcp -m multiport --source-ports 5
-A FORWARD -p tcp -m multiport ! --destination-ports 4
-A FORWARD -p tcp -m multiport ! --ports 4,5:6
-A FORWARD -p tcp -m multiport --dports 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
-A FORWARD -p tcp -m multiport --dports 1:2,3:4,5:6,7:8,9:10,11:12,13:14,15
-A FORWARD -p tcp -m multiport --dports 0:65535
-A FORWARD -p tcp -m multiport --dports 0x10,010
-A FORWARD -p udp -m multiport --dports domain,tftp
-A FORWARD -p sctp -m multiport --dports 5
-A FORWARD -p dccp -m multiport --dports 5
-A FORWARD -p udplite -m multiport --dports 5
-A FORWARD -p 6 -m multiport --dports 5
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A FORWARD -p tcp -m multiport --dports 80
[0:0] -A FORWARD -p tcp -m multiport --sports 80,443
[0:0] -A FORWARD -p udp -m multiport --ports 1:5,9
[0:0] -A FORWARD -p tcp -m multiport ! --dports 80,80,22:25
[0:0] -A FORWARD -p tcp -m multiport --sports 5
[0:0] -A FORWARD -p tcp -m multiport ! --dports 4
[0:0] -A FORWARD -p tcp -m multiport ! --ports 4,5:6
[0:0] -A FORWARD -p tcp -m multiport --dports 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
[0:0] -A FORWARD -p tcp -m multiport --dports 1:2,3:4,5:6,7:8,9:10,11:12,13:14,15
[0:0] -A FORWARD -p tcp -m multiport --dports 0:65535
[0:0] -A FORWARD -p tcp -m multiport --dports 16,8
[0:0] -A FORWARD -p udp -m multiport --dports 53,69
[0:0] -A FORWARD -p sctp -m multiport --dports 5
[0:0] -A FORWARD -p dccp -m multiport --dports 5
[0:0] -A FORWARD -p udplite -m multiport --dports 5
[0:0] -A FORWARD -p tcp -m multiport --dports 5
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            multiport dports 80
2           0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            multiport sports 80,443
3           0        0            17   --  *      *       0.0.0.0/0            0.0.0.0/0            multiport ports 1:5,9
4           0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            multiport dports  !80,80,22:25
5           0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            multiport sports 5
6           0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            multiport dports  !4
7           0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            multiport ports  !4,5:6
8           0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            multiport dports 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
9           0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            multiport dports 1:2,3:4,5:6,7:8,9:10,11:12,13:14,15
10          0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            multiport dports 0:65535
11          0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            multiport dports 16,8
12          0        0            17   --  *      *       0.0.0.0/0            0.0.0.0/0            multiport dports 53,69
13          0        0            132  --  *      *       0.0.0.0/0            0.0.0.0/0            multiport dports 5
14          0        0            33   --  *      *       0.0.0.0/0            0.0.0.0/0            multiport dports 5
15          0        0            136  --  *      *       0.0.0.0/0            0.0.0.0/0            multiport dports 5
16          0        0            6    --  *      *       0.0.0.0/0            0.0.0.0/0            multiport dports 5

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case mark
-- rules -6
*filter
-A INPUT -m mark --mark 1
-A INPUT -m mark ! --mark 0x10/0xff
-A INPUT -m mark --mark 0x1/0xffffffff
-A INPUT -m mark --mark 5/0
-A INPUT -m mark --mark 4294967295/010
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -m mark --mark 0x1
[0:0] -A INPUT -m mark ! --mark 0x10/0xff
[0:0] -A INPUT -m mark --mark 0x1
[0:0] -A INPUT -m mark --mark 0x5/0x0
[0:0] -A INPUT -m mark --mark 0xffffffff/0x8
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            0    --  *      *       ::/0                 ::/0                 mark match 0x1
2           0        0            0    --  *      *       ::/0                 ::/0                 mark match ! 0x10/0xff
3           0        0            0    --  *      *       ::/0                 ::/0                 mark match 0x1
4           0        0            0    --  *      *       ::/0                 ::/0                 mark match 0x5/0x0
5           0        0            0    --  *      *       ::/0                 ::/0                 mark match 0xffffffff/0x8

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case owner
-- rules -6
*filter
:x - [0:0]
-A OUTPUT -m owner --uid-owner 0
-A OUTPUT -m owner --uid-owner root
-A OUTPUT -m owner --gid-owner daemon
-A OUTPUT -m owner --uid-owner 5-9 ! --gid-owner 7
-A OUTPUT -m owner ! --socket-exists
-A OUTPUT -m owner --socket-exists
-A OUTPUT -m owner --gid-owner 5 --suppl-groups
-A OUTPUT -m owner ! --uid-owner 0-4294967294
-A OUTPUT -m owner --uid-owner 0x10 --gid-owner 5-5
-A OUTPUT -m owner --uid-owner 1 --gid-owner 2 --socket-exists
-A OUTPUT -j x
-A x -m owner ! --gid-owner 1-3 --suppl-groups
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:x - [0:0]
[0:0] -A OUTPUT -m owner --uid-owner 0
[0:0] -A OUTPUT -m owner --uid-owner 0
[0:0] -A OUTPUT -m owner --gid-owner 1
[0:0] -A OUTPUT -m owner --uid-owner 5-9 ! --gid-owner 7
[0:0] -A OUTPUT -m owner ! --socket-exists
[0:0] -A OUTPUT -m owner --socket-exists
[0:0] -A OUTPUT -m owner --gid-owner 5 --suppl-groups
[0:0] -A OUTPUT -m owner ! --uid-owner 0-4294967294
[0:0] -A OUTPUT -m owner --uid-owner 16 --gid-owner 5
[0:0] -A OUTPUT -m owner --socket-exists --uid-owner 1 --gid-owner 2
[0:0] -A OUTPUT -j x
[0:0] -A x -m owner ! --gid-owner 1-3 --suppl-groups
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            0    --  *      *       ::/0                 ::/0                 owner UID match 0
2           0        0            0    --  *      *       ::/0                 ::/0                 owner UID match 0
3           0        0            0    --  *      *       ::/0                 ::/0                 owner GID match 1
4           0        0            0    --  *      *       ::/0                 ::/0                 owner UID match 5-9 ! owner GID match 7
5           0        0            0    --  *      *       ::/0                 ::/0                 ! owner socket exists
6           0        0            0    --  *      *       ::/0                 ::/0                 owner socket exists
7           0        0            0    --  *      *       ::/0                 ::/0                 owner GID match 5 incl. suppl. groups
8           0        0            0    --  *      *       ::/0                 ::/0                 ! owner UID match 0-4294967294
9           0        0            0    --  *      *       ::/0                 ::/0                 owner UID match 16 owner GID match 5
10          0        0            0    --  *      *       ::/0                 ::/0                 owner socket exists owner UID match 1 owner GID match 2
11          0        0 x          0    --  *      *       ::/0                 ::/0                

Chain x (1 references)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            0    --  *      *       ::/0                 ::/0                 ! owner GID match 1-3 incl. suppl. groups

-- case owner behind a verdict, where nothing comes
-- rules -4
*filter
-A INPUT -j DROP
-A INPUT -m owner --uid-owner 0
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -j DROP
[0:0] -A INPUT -m owner --uid-owner 0
COMMIT

-- case length
-- rules -4
*filter
-A INPUT -m length --length 5
-A INPUT -m length --length 5:9
-A INPUT -m length ! --length 5:
-A INPUT -m length --length :5
-A INPUT -m length --length :
-A INPUT -m length --length 65535
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -m length --length 5
[0:0] -A INPUT -m length --length 5:9
[0:0] -A INPUT -m length ! --length 5:65535
[0:0] -A INPUT -m length --length 0:5
[0:0] -A INPUT -m length --length 0:65535
[0:0] -A INPUT -m length --length 65535
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            length 5
2           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            length 5:9
3           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            length !5:65535
4           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            length 0:5
5           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            length 0:65535
6           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            length 65535

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case length that never matches
-- rules -4
*filter
-A INPUT -m length --length 9:5
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -m length --length 9:5
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            length 9:5

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
-- messages
2:29: warning: --length: never matches: the first number is above the second

-- case ttl
-- rules -4
*filter
-A INPUT -m ttl --ttl-eq 5
-A INPUT -m ttl ! --ttl-eq 5
-A INPUT -m ttl --ttl 6
-A INPUT -m ttl --ttl-lt 255
-A INPUT -m ttl --ttl-gt 0
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -m ttl --ttl-eq 5
[0:0] -A INPUT -m ttl ! --ttl-eq 5
[0:0] -A INPUT -m ttl --ttl-eq 6
[0:0] -A INPUT -m ttl --ttl-lt 255
[0:0] -A INPUT -m ttl --ttl-gt 0
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            TTL match TTL == 5
2           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            TTL match TTL != 5
3           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            TTL match TTL == 6
4           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            TTL match TTL < 255
5           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            TTL match TTL > 0

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case hl
-- rules -6
*filter
-A INPUT -m hl --hl-eq 5
-A INPUT -m hl ! --hl-eq 5
-A INPUT -m hl --hl 6
-A INPUT -m hl --hl-lt 255
-A INPUT -m hl --hl-gt 0
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -m hl --hl-eq 5
[0:0] -A INPUT -m hl ! --hl-eq 5
[0:0] -A INPUT -m hl --hl-eq 6
[0:0] -A INPUT -m hl --hl-lt 255
[0:0] -A INPUT -m hl --hl-gt 0
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            0    --  *      *       ::/0                 ::/0                 HL match HL == 5
2           0        0            0    --  *      *       ::/0                 ::/0                 HL match HL != 5
3           0        0            0    --  *      *       ::/0                 ::/0                 HL match HL == 6
4           0        0            0    --  *      *       ::/0                 ::/0                 HL match HL < 255
5           0        0            0    --  *      *       ::/0                 ::/0                 HL match HL > 0

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case frag
-- rules -6
*filter
-A INPUT -m frag
-A INPUT -m frag --fragid 5
-A INPUT -m frag ! --fragid 5:9
-A INPUT -m frag --fragid :
-A INPUT -m frag --fragid 5:
-A INPUT -m frag ! --fragid 0:4294967295
-A INPUT -m frag --fragid 0
-A INPUT -m frag --fragres
-A INPUT -m frag --fragfirst
-A INPUT -m frag --fragmore
-A INPUT -m frag --fraglast
-A INPUT -m frag --fragfirst --fraglast
-A INPUT -m frag --fragmore --fragfirst --fragres --fragid 3
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -m frag
[0:0] -A INPUT -m frag --fragid 5
[0:0] -A INPUT -m frag ! --fragid 5:9
[0:0] -A INPUT -m frag
[0:0] -A INPUT -m frag --fragid 5:4294967295
[0:0] -A INPUT -m frag
[0:0] -A INPUT -m frag --fragid 0
[0:0] -A INPUT -m frag --fragres
[0:0] -A INPUT -m frag --fragfirst
[0:0] -A INPUT -m frag --fragmore
[0:0] -A INPUT -m frag --fraglast
[0:0] -A INPUT -m frag --fragfirst --fraglast
[0:0] -A INPUT -m frag --fragid 3 --fragres --fragfirst --fragmore
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            0    --  *      *       ::/0                 ::/0                 frag 
2           0        0            0    --  *      *       ::/0                 ::/0                 frag id:5
3           0        0            0    --  *      *       ::/0                 ::/0                 frag ids:!5:9
4           0        0            0    --  *      *       ::/0                 ::/0                 frag 
5           0        0            0    --  *      *       ::/0                 ::/0                 frag ids:5:4294967295
6           0        0            0    --  *      *       ::/0                 ::/0                 frag ids:!0:4294967295
7           0        0            0    --  *      *       ::/0                 ::/0                 frag id:0
8           0        0            0    --  *      *       ::/0                 ::/0                 frag  reserved
9           0        0            0    --  *      *       ::/0                 ::/0                 frag  first
10          0        0            0    --  *      *       ::/0                 ::/0                 frag  more
11          0        0            0    --  *      *       ::/0                 ::/0                 frag  last
12          0        0            0    --  *      *       ::/0                 ::/0                 frag  first last
13          0        0            0    --  *      *       ::/0                 ::/0                 frag id:3 reserved first more

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case frag options without effect
-- rules -6
*filter
-A INPUT -m frag --fraglen 8
-A INPUT -m frag ! --fraglen 0 --fragid 9:5
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -m frag --fraglen 8
[0:0] -A INPUT -m frag --fragid 9:5 ! --fraglen 0
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            0    --  *      *       ::/0                 ::/0                 frag  length:8
2           0        0            0    --  *      *       ::/0                 ::/0                 frag ids:9:5 length:!0

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
-- messages
2:28: warning: --fraglen: has no effect: the Fragment header has no length
3:30: warning: --fraglen: has no effect: the Fragment header has no length
3:41: warning: --fragid: never matches: the first number is above the second

-- case iprange of IPv4
-- rules -4
*filter
-A INPUT -m iprange --src-range 1.2.3.4-1.2.3.9
-A INPUT -m iprange ! --src-range 1.2.3.4-1.2.3.9 --dst-range 5.5.5.5-6.6.6.6
-A INPUT -m iprange ! --dst-range 1.2.3.4
-A INPUT -m iprange --src-range 1.2-1.3
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -m iprange --src-range 1.2.3.4-1.2.3.9
[0:0] -A INPUT -m iprange ! --src-range 1.2.3.4-1.2.3.9 --dst-range 5.5.5.5-6.6.6.6
[0:0] -A INPUT -m iprange ! --dst-range 1.2.3.4-1.2.3.4
[0:0] -A INPUT -m iprange --src-range 1.2.0.0-1.3.0.0
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            source IP range 1.2.3.4-1.2.3.9
2           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            source IP range ! 1.2.3.4-1.2.3.9 destination IP range 5.5.5.5-6.6.6.6
3           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            destination IP range ! 1.2.3.4-1.2.3.4
4           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            source IP range 1.2.0.0-1.3.0.0

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case iprange of IPv6
-- rules -6
*filter
-A INPUT -m iprange --src-range ::1-::5
-A INPUT -m iprange ! --dst-range 1::-2:: --src-range 2001:DB8::-2001:db8::ffff
-A INPUT -m iprange --dst-range ::1
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -m iprange --src-range ::1-::5
[0:0] -A INPUT -m iprange --src-range 2001:db8::-2001:db8::ffff ! --dst-range 1::-2::
[0:0] -A INPUT -m iprange --dst-range ::1-::1
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            0    --  *      *       ::/0                 ::/0                 source IP range ::1-::5
2           0        0            0    --  *      *       ::/0                 ::/0                 source IP range 2001:db8::-2001:db8::ffff destination IP range ! 1::-2::
3           0        0            0    --  *      *       ::/0                 ::/0                 destination IP range ::1-::1

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case iprange that never matches
-- rules -6
*filter
-A INPUT -m iprange --dst-range ::5-::1
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -m iprange --dst-range ::5-::1
COMMIT
-- messages
2:33: warning: --dst-range: never matches: the first address is above the second

-- case mac
-- rules -6
*filter
-A INPUT -m mac --mac-source 00:11:22:33:44:5F
-A FORWARD -m mac ! --mac-source 0:1:2:3:4:a
COMMIT
*mangle
-A PREROUTING -m mac --mac-source ff:ff:ff:ff:ff:ff
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -m mac --mac-source 00:11:22:33:44:5f
[0:0] -A FORWARD -m mac ! --mac-source 00:01:02:03:04:0a
COMMIT
*mangle
:PREROUTING ACCEPT [0:0]
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:POSTROUTING ACCEPT [0:0]
[0:0] -A PREROUTING -m mac --mac-source ff:ff:ff:ff:ff:ff
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            0    --  *      *       ::/0                 ::/0                 MAC 00:11:22:33:44:5f

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            0    --  *      *       ::/0                 ::/0                 MAC ! 00:01:02:03:04:0a

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case all matches of a rule in their order
-- rules -6
*filter
-A INPUT -p tcp -m comment --comment one -m mark --mark 1 -m hl --hl-gt 1 -m tcp --dport 1 -m length --length 40: -m comment --comment two -m frag --fragfirst -m iprange --src-range ::1-::2 -j DROP
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -p tcp -m comment --comment one -m mark --mark 0x1 -m hl --hl-gt 1 -m tcp --dport 1 -m length --length 40:65535 -m comment --comment two -m frag --fragfirst -m iprange --src-range ::1-::2 -j DROP
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0 DROP       6    --  *      *       ::/0                 ::/0                 /* one */ mark match 0x1 HL match HL > 1 tcp dpt:1 length 40:65535 /* two */ frag  first source IP range ::1-::2

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
-- tree
IPv6, 1 tables, 1 rules, 4 counters
table filter
  chain INPUT hook 1 policy ACCEPT counter 0 rules 1 references 0 reached from hooks 0x2
    rule 1 counter 1 line 2: -A INPUT -p tcp -m comment --comment one -m mark --mark 0x1 -m hl --hl-gt 1 -m tcp --dport 1 -m length --length 40:65535 -m comment --comment two -m frag --fragfirst -m iprange --src-range ::1-::2 -j DROP
      match comment --comment one
      match mark --mark 0x1
      match hl --hl-gt 1
      match tcp --dport 1
      match length --length 40:65535
      match comment --comment two
      match frag --fragfirst
      match iprange --src-range ::1-::2
  chain FORWARD hook 2 policy ACCEPT counter 2 rules 0 references 0 reached from hooks 0x4
  chain OUTPUT hook 3 policy ACCEPT counter 3 rules 0 references 0 reached from hooks 0x8
