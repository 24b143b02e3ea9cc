How a line is split into words, and how words are printed again.

-- case quotes and backslashes
-- rules -4
*filter
-A INPUT -m comment --comment plain
-A INPUT -m comment --comment "two words"
-A INPUT -m comment --comment "a \"quoted\" word"
-A INPUT -m comment --comment "back\\slash"
-A INPUT -m comment --comment "back\slash"
-A INPUT -m comment --comment back\slash
-A INPUT -m comment --comment 'single
-A INPUT -m comment --comment it's
-A INPUT -m comment --comment a"b c"
-A INPUT -m comment --comment ""
-A INPUT -m comment --comment "-j ACCEPT"
-A INPUT -m comment --comment "!"
-A INPUT -m comment --comment !
-A INPUT -m comment --comment a.b
-A INPUT -m comment --comment a_b-c9
-A INPUT -m comment --comment "käse ☃"
-A INPUT -m comment --comment "tab	tab"
-A INPUT -m comment --comment "a  b "
-A INPUT -m comment --comment #hash
"-A" INPUT "-j" "ACCEPT"
"-AINPUT"
-A	INPUT	  -j   DROP
   -A INPUT -j DROP  
-A INPUT -m comment --comment=equals
-A INPUT -m comment --comment="equals"
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -m comment --comment plain
[0:0] -A INPUT -m comment --comment "two words"
[0:0] -A INPUT -m comment --comment "a \"quoted\" word"
[0:0] -A INPUT -m comment --comment "back\\slash"
[0:0] -A INPUT -m comment --comment backslash
[0:0] -A INPUT -m comment --comment "back\\slash"
[0:0] -A INPUT -m comment --comment "\'single"
[0:0] -A INPUT -m comment --comment "it\'s"
[0:0] -A INPUT -m comment --comment "ab c"
[0:0] -A INPUT -m comment --comment ""
[0:0] -A INPUT -m comment --comment "-j ACCEPT"
[0:0] -A INPUT -m comment --comment "!"
[0:0] -A INPUT -m comment --comment "!"
[0:0] -A INPUT -m comment --comment "a.b"
[0:0] -A INPUT -m comment --comment a_b-c9
[0:0] -A INPUT -m comment --comment "käse ☃"
[0:0] -A INPUT -m comment --comment "tab	tab"
[0:0] -A INPUT -m comment --comment "a  b "
[0:0] -A INPUT -m comment --comment "#hash"
[0:0] -A INPUT -j ACCEPT
[0:0] -A INPUT
[0:0] -A INPUT -j DROP
[0:0] -A INPUT -j DROP
[0:0] -A INPUT -m comment --comment equals
[0:0] -A INPUT -m comment --comment equals
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            /* plain */
2           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            /* two words */
3           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            /* a "quoted" word */
4           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            /* back\slash */
5           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            /* backslash */
6           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            /* back\slash */
7           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            /* 'single */
8           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            /* it's */
9           0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            /* ab c */
10          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            /*  */
11          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            /* -j ACCEPT */
12          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            /* ! */
13          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            /* ! */
14          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            /* a.b */
15          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            /* a_b-c9 */
16          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            /* käse ☃ */
17          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            /* tab	tab */
18          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            /* a  b  */
19          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            /* #hash */
20          0        0 ACCEPT     0    --  *      *       0.0.0.0/0            0.0.0.0/0           
21          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0           
22          0        0 DROP       0    --  *      *       0.0.0.0/0            0.0.0.0/0           
23          0        0 DROP       0    --  *      *       0.0.0.0/0            0.0.0.0/0           
24          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            /* equals */
25          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0            /* equals */

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case abbreviated options
-- rules -4
*filter
-A INPUT --proto tcp --dest 1.2.3.4 --sou 5.6.7.8 --match tcp --destination-p 5 --source-p 6
-A INPUT --prot tcp --mat tcp --dp 5 --sp 6 --tcp-f SYN SYN --ju ACCEPT
--app INPUT -p udp --in-i eth0
-A INPUT -p tcp -m multiport --dport 5,6
-A INPUT -p tcp -m multiport --port 5,6
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -s 5.6.7.8/32 -d 1.2.3.4/32 -p tcp -m tcp --sport 6 --dport 5
[0:0] -A INPUT -p tcp -m tcp --sport 6 --dport 5 --tcp-flags SYN SYN -j ACCEPT
[0:0] -A INPUT -i eth0 -p udp
[0:0] -A INPUT -p tcp -m multiport --dports 5,6
[0:0] -A INPUT -p tcp -m multiport --ports 5,6
COMMIT

-- case the protocol's match loads by itself
-- rules -6
*filter
-A INPUT -p tcp --dport 80
-A INPUT -p 6 --dport 80
-A INPUT -p udp ! --sport 53 --dport 5
-A INPUT -p icmpv6 --icmpv6-type 128
-A INPUT -p ipv6-icmp --icmpv6-type 129
-A INPUT -p tcp --dport 1 -m comment --comment x --sport 2
-A INPUT -p tcp -m comment --comment x --sport 2
-A INPUT -p sctp --dport 9
-A INPUT -p esp --espspi 5
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -p tcp -m tcp --dport 80
[0:0] -A INPUT -p tcp -m tcp --dport 80
[0:0] -A INPUT -p udp -m udp ! --sport 53 --dport 5
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 128
[0:0] -A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 129
[0:0] -A INPUT -p tcp -m tcp --sport 2 --dport 1 -m comment --comment x
[0:0] -A INPUT -p tcp -m comment --comment x -m tcp --sport 2
[0:0] -A INPUT -p sctp -m sctp --dport 9
[0:0] -A INPUT -p esp -m esp --espspi 5
COMMIT

-- case one match twice, and options of the same name
-- rules -4
*filter
-A INPUT -m comment --comment a -m comment --comment b
-A INPUT -m mark --mark 1 -m connmark --mark 0x2
-A INPUT -m connmark --mark 0x2 -m mark --mark 1
-A INPUT -p udp -m udp --sport 1 -m udp --dport 4 --sport 4
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -m comment --comment a -m comment --comment b
[0:0] -A INPUT -m mark --mark 0x1 -m connmark --mark 0x2
[0:0] -A INPUT -m connmark --mark 0x2 -m mark --mark 0x1
[0:0] -A INPUT -p udp -m udp --sport 1 -m udp --sport 4 --dport 4
COMMIT

-- case the match before the protocol
-- rules -4
*filter
-A INPUT -m tcp -p tcp --dport 80
-A INPUT -m udp --sport 1: -p udp
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -p tcp -m tcp --dport 80
[0:0] -A INPUT -p udp -m udp --sport 1:65535
COMMIT

-- case a line longer than iptables-restore can read
-- rules -4
*filter
-A INPUT -m comment --comment "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789abcde"
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -m comment --comment 0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789abcde
COMMIT

-- case a comment that is too long
-- rules -4
*filter
-A INPUT -m comment --comment "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789abcdef"
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -m comment --comment 0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789abcde
COMMIT
-- messages
2:31: warning: --comment: too long, its end is cut off

-- case values glued to their options
-- kernel refuses some of them: it takes the whole word for the value
-- rules -4
*filter
-A INPUT -mcomment --comment x -s1.2.3.4 -ptcp -jACCEPT -ilo
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -s 1.2.3.4/32 -i lo -p tcp -m comment --comment x -j ACCEPT
COMMIT
