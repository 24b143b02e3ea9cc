Base options, chains and tables: what iptables-save makes of them.

-- case empty tables keep their built-in chains
-- rules -6
*filter
COMMIT
*nat
:INPUT DROP [1:2]
COMMIT
*mangle
COMMIT
*raw
COMMIT
*security
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
COMMIT
*nat
:PREROUTING ACCEPT [0:0]
:INPUT DROP [1:2]
:OUTPUT ACCEPT [0:0]
:POSTROUTING ACCEPT [0:0]
COMMIT
*mangle
:PREROUTING ACCEPT [0:0]
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:POSTROUTING ACCEPT [0:0]
COMMIT
*raw
:PREROUTING ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
COMMIT
*security
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
COMMIT
-- list nat
Chain PREROUTING (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain INPUT (policy DROP 1 packets, 2 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain POSTROUTING (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case chains and counters
-- rules -4
# comment
*filter
:zed - [0:0]
:INPUT DROP [3:4]

:Abc -
:FORWARD -
:OUTPUT ACCEPT [18446744073709551615:1]
:abc - [7:8]
[5:6] -A INPUT -j zed
[1:2]-A INPUT -g Abc
[3:4]    -A INPUT -j abc
-A INPUT -c 9 10 -j abc
-A INPUT -c 11,12
# comment
-A zed -j RETURN
-A zed -j QUEUE
-A Abc -j ACCEPT
COMMIT
# end
-- save
*filter
:INPUT DROP [3:4]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [18446744073709551615:1]
:Abc - [0:0]
:abc - [0:0]
:zed - [0:0]
[5:6] -A INPUT -j zed
[1:2] -A INPUT -g Abc
[3:4] -A INPUT -j abc
[9:10] -A INPUT -j abc
[11:12] -A INPUT
[0:0] -A Abc -j ACCEPT
[0:0] -A zed -j RETURN
[0:0] -A zed -j QUEUE
COMMIT
-- list filter
Chain INPUT (policy DROP 3 packets, 4 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           5        6 zed        0    --  *      *       0.0.0.0/0            0.0.0.0/0           
2           1        2 Abc        0    --  *      *       0.0.0.0/0            0.0.0.0/0           [goto] 
3           3        4 abc        0    --  *      *       0.0.0.0/0            0.0.0.0/0           
4           9       10 abc        0    --  *      *       0.0.0.0/0            0.0.0.0/0           
5          11       12            0    --  *      *       0.0.0.0/0            0.0.0.0/0           

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 18446744073709551615 packets, 1 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain Abc (1 references)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0 ACCEPT     0    --  *      *       0.0.0.0/0            0.0.0.0/0           

Chain abc (2 references)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain zed (1 references)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0 RETURN     0    --  *      *       0.0.0.0/0            0.0.0.0/0           
2           0        0 QUEUE      0    --  *      *       0.0.0.0/0            0.0.0.0/0           
-- tree
IPv4, 1 tables, 8 rules, 11 counters
table filter
  chain INPUT hook 1 policy DROP counter 0 rules 5 references 0 reached from hooks 0x2
    rule 1 counter 1 line 10: -A INPUT -j zed
    rule 2 counter 2 line 11: -A INPUT -g Abc
    rule 3 counter 3 line 12: -A INPUT -j abc
    rule 4 counter 4 line 13: -A INPUT -j abc
    rule 5 counter 5 line 14: -A INPUT
  chain FORWARD hook 2 policy ACCEPT counter 6 rules 0 references 0 reached from hooks 0x4
  chain OUTPUT hook 3 policy ACCEPT counter 7 rules 0 references 0 reached from hooks 0x8
  chain Abc rules 1 references 1 reached from hooks 0x2
    rule 1 counter 8 line 18: -A Abc -j ACCEPT
  chain abc rules 0 references 2 reached from hooks 0x2
  chain zed rules 2 references 1 reached from hooks 0x2
    rule 1 counter 9 line 16: -A zed -j RETURN
    rule 2 counter 10 line 17: -A zed -j QUEUE

-- case IPv6 address forms
-- rules -6
*filter
-A FORWARD -s 2001:db8:1::99/64 -d ::/0
-A FORWARD ! -s ::1 ! -d 2001:DB8::/33
-A FORWARD --source ::99/::ff --destination ::ffff:1.2.3.4/128
-A FORWARD ! --src ::/0 --dst fe80::/0x0a
-A FORWARD -s 1::,2::/16,3::3 -d 4::,5::
-A FORWARD -s whatever/0 -d /0
-A FORWARD -s 1:2:3:4:5:6:7:8/ffff:ff00:00ff::f
-A FORWARD -s 1::/127 -d 1::/1
-I FORWARD -s a::,b::
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A FORWARD -s b::/128
[0:0] -A FORWARD -s a::/128
[0:0] -A FORWARD -s 2001:db8:1::/64
[0:0] -A FORWARD ! -s ::1/128 ! -d 2001:db8::/33
[0:0] -A FORWARD -s ::99/::ff -d ::ffff:1.2.3.4/128
[0:0] -A FORWARD ! -s ::/0 -d fe80::/10
[0:0] -A FORWARD -s 1::/128 -d 4::/128
[0:0] -A FORWARD -s 1::/128 -d 5::/128
[0:0] -A FORWARD -s 2::/16 -d 4::/128
[0:0] -A FORWARD -s 2::/16 -d 5::/128
[0:0] -A FORWARD -s 3::3/128 -d 4::/128
[0:0] -A FORWARD -s 3::3/128 -d 5::/128
[0:0] -A FORWARD
[0:0] -A FORWARD -s 1:0:3::8/ffff:ff00:ff::f
[0:0] -A FORWARD -s 1::/127 -d ::/1
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            0    --  *      *       b::                  ::/0                
2           0        0            0    --  *      *       a::                  ::/0                
3           0        0            0    --  *      *       2001:db8:1::/64      ::/0                
4           0        0            0    --  *      *      !::1                 !2001:db8::/33       
5           0        0            0    --  *      *       ::99/::ff            ::ffff:1.2.3.4      
6           0        0            0    --  *      *      !::/0                 fe80::/10           
7           0        0            0    --  *      *       1::                  4::                 
8           0        0            0    --  *      *       1::                  5::                 
9           0        0            0    --  *      *       2::/16               4::                 
10          0        0            0    --  *      *       2::/16               5::                 
11          0        0            0    --  *      *       3::3                 4::                 
12          0        0            0    --  *      *       3::3                 5::                 
13          0        0            0    --  *      *       ::/0                 ::/0                
14          0        0            0    --  *      *       1:0:3::8/ffff:ff00:ff::f  ::/0                
15          0        0            0    --  *      *       1::/127              ::/1                

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case IPv4 address forms
-- rules -4
*filter
-A FORWARD -s 10.1.2.3/8 -d 0.0.0.0/0
-A FORWARD ! -s 1.2.3.4 ! -d 1.2.3.4/255.255.0.255
-A FORWARD -s 10/8 -d 10.1
-A FORWARD --source 1.2.3.4/255.255.255.0 --destination 010.0x10.1.1
-A FORWARD ! --src 0.0.0.0/0 --dst 1.2.3.4/0x10
-A FORWARD -s 1.1.1.1,2.2.2.2/16 -d 3.3.3.3,4.4.4.4
-A FORWARD -s "5.5.5.5, 6.6.6.6"
-A FORWARD -s any/0.0.0.0
-A FORWARD -s 1.2.3.4/0377.0.0.0
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A FORWARD -s 10.0.0.0/8
[0:0] -A FORWARD ! -s 1.2.3.4/32 ! -d 1.2.0.4/255.255.0.255
[0:0] -A FORWARD -s 10.0.0.0/8 -d 10.1.0.0/32
[0:0] -A FORWARD -s 1.2.3.0/24 -d 8.16.1.1/32
[0:0] -A FORWARD ! -s 0.0.0.0/0 -d 1.2.0.0/16
[0:0] -A FORWARD -s 1.1.1.1/32 -d 3.3.3.3/32
[0:0] -A FORWARD -s 1.1.1.1/32 -d 4.4.4.4/32
[0:0] -A FORWARD -s 2.2.0.0/16 -d 3.3.3.3/32
[0:0] -A FORWARD -s 2.2.0.0/16 -d 4.4.4.4/32
[0:0] -A FORWARD -s 5.5.5.5/32
[0:0] -A FORWARD -s 6.6.6.6/32
[0:0] -A FORWARD
[0:0] -A FORWARD -s 1.0.0.0/8
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            0    --  *      *       10.0.0.0/8           0.0.0.0/0           
2           0        0            0    --  *      *      !1.2.3.4             !1.2.0.4/255.255.0.255 
3           0        0            0    --  *      *       10.0.0.0/8           10.1.0.0            
4           0        0            0    --  *      *       1.2.3.0/24           8.16.1.1            
5           0        0            0    --  *      *      !0.0.0.0/0            1.2.0.0/16          
6           0        0            0    --  *      *       1.1.1.1              3.3.3.3             
7           0        0            0    --  *      *       1.1.1.1              4.4.4.4             
8           0        0            0    --  *      *       2.2.0.0/16           3.3.3.3             
9           0        0            0    --  *      *       2.2.0.0/16           4.4.4.4             
10          0        0            0    --  *      *       5.5.5.5              0.0.0.0/0           
11          0        0            0    --  *      *       6.6.6.6              0.0.0.0/0           
12          0        0            0    --  *      *       0.0.0.0/0            0.0.0.0/0           
13          0        0            0    --  *      *       1.0.0.0/8            0.0.0.0/0           

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case interfaces
-- rules -4
*filter
-A FORWARD -i eth0 -o eth1
-A FORWARD ! -i eth+ ! -o ppp0.5
-A FORWARD -i + -o +
-A FORWARD --in-interface abcdefghijklmno --out-interface abcdefghijklmn+
-A FORWARD ! -i +
-A FORWARD -i lo+lo -o ++
-A INPUT -i lo
-A OUTPUT -o lo
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -i lo
[0:0] -A FORWARD -i eth0 -o eth1
[0:0] -A FORWARD ! -i eth+ ! -o ppp0.5
[0:0] -A FORWARD
[0:0] -A FORWARD -i abcdefghijklmno -o abcdefghijklmn+
[0:0] -A FORWARD
[0:0] -A FORWARD -i lo+lo -o ++
[0:0] -A OUTPUT -o lo
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            0    --  lo     *       0.0.0.0/0            0.0.0.0/0           

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            0    --  eth0   eth1    0.0.0.0/0            0.0.0.0/0           
2           0        0            0    --  !eth+  !ppp0.5  0.0.0.0/0            0.0.0.0/0           
3           0        0            0    --  +      +       0.0.0.0/0            0.0.0.0/0           
4           0        0            0    --  abcdefghijklmno abcdefghijklmn+  0.0.0.0/0            0.0.0.0/0           
5           0        0            0    --  !+     *       0.0.0.0/0            0.0.0.0/0           
6           0        0            0    --  lo+lo  ++      0.0.0.0/0            0.0.0.0/0           

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            0    --  *      lo      0.0.0.0/0            0.0.0.0/0           

-- case protocols by name, number and any case
-- rules -6
*filter
-A INPUT -p tcp
-A INPUT ! -p UDP
-A INPUT --protocol 17
-A INPUT --proto Icmpv6
-A INPUT -p ipv6-icmp
-A INPUT -p 0x84
-A INPUT -p 011
-A INPUT -p all
-A INPUT -p 0
-A INPUT -p esp
-A INPUT -p 254
-A INPUT -p mh
-A INPUT -p mobility-header
-A INPUT -p udplite
-A INPUT ! -p 255
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -p tcp
[0:0] -A INPUT ! -p udp
[0:0] -A INPUT -p udp
[0:0] -A INPUT -p ipv6-icmp
[0:0] -A INPUT -p ipv6-icmp
[0:0] -A INPUT -p sctp
[0:0] -A INPUT -p igp
[0:0] -A INPUT
[0:0] -A INPUT
[0:0] -A INPUT -p esp
[0:0] -A INPUT -p 254
[0:0] -A INPUT -p mobility-header
[0:0] -A INPUT -p mobility-header
[0:0] -A INPUT -p udplite
[0:0] -A INPUT ! -p 255
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            6    --  *      *       ::/0                 ::/0                
2           0        0           !17   --  *      *       ::/0                 ::/0                
3           0        0            17   --  *      *       ::/0                 ::/0                
4           0        0            58   --  *      *       ::/0                 ::/0                
5           0        0            58   --  *      *       ::/0                 ::/0                
6           0        0            132  --  *      *       ::/0                 ::/0                
7           0        0            9    --  *      *       ::/0                 ::/0                
8           0        0            0    --  *      *       ::/0                 ::/0                
9           0        0            0    --  *      *       ::/0                 ::/0                
10          0        0            50   --  *      *       ::/0                 ::/0                
11          0        0            254  --  *      *       ::/0                 ::/0                
12          0        0            135  --  *      *       ::/0                 ::/0                
13          0        0            135  --  *      *       ::/0                 ::/0                
14          0        0            136  --  *      *       ::/0                 ::/0                
15          0        0           !255  --  *      *       ::/0                 ::/0                

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case extension headers are never a protocol
-- rules -6
*filter
-A INPUT -p ah
-A INPUT ! -p ipv6-frag
-A INPUT -p 43
-A INPUT -p ipv6-opts
-A INPUT -p ipv6-nonxt
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -p ah
[0:0] -A INPUT ! -p ipv6-frag
[0:0] -A INPUT -p ipv6-route
[0:0] -A INPUT -p ipv6-opts
[0:0] -A INPUT -p ipv6-nonxt
COMMIT
-- messages
2:13: warning: never matches: 'ah' is an extension header; use -m frag, rt, ah or dst
4:13: warning: never matches: '43' is an extension header; use -m frag, rt, ah or dst
5:13: warning: never matches: 'ipv6-opts' is an extension header; use -m frag, rt, ah or dst

-- case fragments of IPv4
-- rules -4
*filter
-A INPUT -f
-A INPUT ! -f -j DROP
-A INPUT --fragments
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -f
[0:0] -A INPUT ! -f -j DROP
[0:0] -A INPUT -f
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0            0    -f  *      *       0.0.0.0/0            0.0.0.0/0           
2           0        0 DROP       0    !f  *      *       0.0.0.0/0            0.0.0.0/0           
3           0        0            0    -f  *      *       0.0.0.0/0            0.0.0.0/0           

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case lines for one family only
-- rules -6
*filter
-4 -A INPUT -s 1.2.3.4
-A INPUT -4 -s
-A INPUT ! -s 1.2.3.4,5.6.7.8 -d 1.2.3.4/99 -4 -j NOSUCH
-A nosuch -4 --what
-A INPUT -6 -s ::1
-A INPUT --ipv6 -v -j ACCEPT
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -s ::1/128
[0:0] -A INPUT -j ACCEPT
COMMIT
-- messages
2:1: warning: the line is for IPv4 only and left out: this is read as a rule set for IPv6
3:10: warning: the line is for IPv4 only and left out: this is read as a rule set for IPv6
4:45: warning: the line is for IPv4 only and left out: this is read as a rule set for IPv6
5:11: warning: the line is for IPv4 only and left out: this is read as a rule set for IPv6

-- case lines for IPv6 only, in a file for both
-- rules -4
*filter
-A INPUT --ipv6 -s ::1 -j ACCEPT
-A INPUT --ipv4 -s 1.2.3.4
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -s 1.2.3.4/32
COMMIT
-- messages
2:10: warning: the line is for IPv6 only and left out: this is read as a rule set for IPv4

-- case what stands before the mark is read
-- rules -4
*filter
-A INPUT -p nosuch -6
COMMIT
-- messages
2:13: error: 'nosuch' is not a protocol: a name such as tcp or a number 0 to 255 was expected

-- case commands inside a file
-- rules -4
*filter
:a - [0:0]
:b - [0:0]
-N c
-A a -s 1.1.1.1
-A a -s 2.2.2.2
-A a -s 3.3.3.3
-A a -s 4.4.4.4
-I a -s 0.0.0.1
-I a 3 -s 0.0.0.3
-I a 7 -s 0.0.0.7
-D a 1
-D a -s 2.2.2.2
-R a 2 -s 9.9.9.9 -j c
-C a -s 4.4.4.4
-E b bee
-A bee -j c
-D bee -j c
-A bee -j ACCEPT
-F bee
-X bee
-P INPUT DROP
[5:6] -A a -p tcp
-Z a
-Z
-Z a 1
-A c -j RETURN
-F c
COMMIT
-- save
*filter
:INPUT DROP [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:a - [0:0]
:c - [0:0]
[0:0] -A a -s 1.1.1.1/32
[0:0] -A a -s 9.9.9.9/32 -j c
[0:0] -A a -s 3.3.3.3/32
[0:0] -A a -s 4.4.4.4/32
[0:0] -A a -s 0.0.0.7/32
[5:6] -A a -p tcp
COMMIT

-- case deleting all chains
-- rules -4
*filter
:a - [0:0]
:b - [0:0]
-A INPUT -j a
-A a -j b
-F
-X
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
COMMIT

-- case a table again starts anew
-- rules -4
*filter
:a - [0:0]
:INPUT DROP [0:0]
-A INPUT -j a
COMMIT
*filter
:b - [0:0]
-A INPUT -j b
COMMIT
-- save
*filter
:INPUT DROP [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:b - [0:0]
[0:0] -A INPUT -j b
COMMIT

-- case jumps without end that nothing leads to
-- rules -4
*filter
:a - [0:0]
:b - [0:0]
-A a -j b
-A b -j a
-A INPUT -j RETURN
-A INPUT -j a
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:a - [0:0]
:b - [0:0]
[0:0] -A INPUT -j RETURN
[0:0] -A INPUT -j a
[0:0] -A a -j b
[0:0] -A b -j a
COMMIT

-- case a goto counts as a reference
-- rules -6
*filter
:a - [0:0]
-A INPUT -g a
-A FORWARD -s ::1 -g a
-A OUTPUT -j a
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:a - [0:0]
[0:0] -A INPUT -g a
[0:0] -A FORWARD -s ::1/128 -g a
[0:0] -A OUTPUT -j a
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0 a          0    --  *      *       ::/0                 ::/0                [goto] 

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0 a          0    --  *      *       ::1                  ::/0                [goto] 

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0 a          0    --  *      *       ::/0                 ::/0                

Chain a (3 references)
num      pkts      bytes target     prot opt in     out     source               destination         
