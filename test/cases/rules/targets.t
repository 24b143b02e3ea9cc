Every option of every target that runs.

-- case MARK
-- rules -6
*mangle
-A INPUT -j MARK --set-mark 1
-A INPUT -j MARK --set-mark 0x1/0xf
-A INPUT -j MARK --set-xmark 3/0
-A INPUT -j MARK --set-xmark 0xff
-A INPUT -j MARK --set-xmark 5/0xffffffff
-A INPUT -j MARK --and-mark 0xf0
-A INPUT -j MARK --or-mark 0x3
-A INPUT -j MARK --xor-mark 0x3
-A INPUT -j MARK --set-mark 0x12/0x1
-A INPUT -j MARK --and-mark 0xffffffff
-A INPUT -j MARK --or-mark 0
-A INPUT -j MARK --xor-mark 0
-A INPUT -j MARK --or-mark 4294967295
-A INPUT -j MARK --set-xmark 0x5/0x7
-A INPUT -j MARK --set-xmark 0/0
-A INPUT -j MARK --and-mark 0
-A INPUT -j MARK --set-mark 010
COMMIT
*filter
-A FORWARD -j MARK --set-mark 1
COMMIT
*raw
-A OUTPUT -j MARK --set-mark 1
COMMIT
-- save
*mangle
:PREROUTING ACCEPT [0:0]
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:POSTROUTING ACCEPT [0:0]
[0:0] -A INPUT -j MARK --set-xmark 0x1/0xffffffff
[0:0] -A INPUT -j MARK --set-xmark 0x1/0xf
[0:0] -A INPUT -j MARK --set-xmark 0x3/0x0
[0:0] -A INPUT -j MARK --set-xmark 0xff/0xffffffff
[0:0] -A INPUT -j MARK --set-xmark 0x5/0xffffffff
[0:0] -A INPUT -j MARK --set-xmark 0x0/0xffffff0f
[0:0] -A INPUT -j MARK --set-xmark 0x3/0x3
[0:0] -A INPUT -j MARK --set-xmark 0x3/0x0
[0:0] -A INPUT -j MARK --set-xmark 0x12/0x13
[0:0] -A INPUT -j MARK --set-xmark 0x0/0x0
[0:0] -A INPUT -j MARK --set-xmark 0x0/0x0
[0:0] -A INPUT -j MARK --set-xmark 0x0/0x0
[0:0] -A INPUT -j MARK --set-xmark 0xffffffff/0xffffffff
[0:0] -A INPUT -j MARK --set-xmark 0x5/0x7
[0:0] -A INPUT -j MARK --set-xmark 0x0/0x0
[0:0] -A INPUT -j MARK --set-xmark 0x0/0xffffffff
[0:0] -A INPUT -j MARK --set-xmark 0x8/0xffffffff
COMMIT
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A FORWARD -j MARK --set-xmark 0x1/0xffffffff
COMMIT
*raw
:PREROUTING ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A OUTPUT -j MARK --set-xmark 0x1/0xffffffff
COMMIT
-- list mangle
Chain PREROUTING (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0 MARK       0    --  *      *       ::/0                 ::/0                 MARK set 0x1
2           0        0 MARK       0    --  *      *       ::/0                 ::/0                 MARK xset 0x1/0xf
3           0        0 MARK       0    --  *      *       ::/0                 ::/0                 MARK xor 0x3
4           0        0 MARK       0    --  *      *       ::/0                 ::/0                 MARK set 0xff
5           0        0 MARK       0    --  *      *       ::/0                 ::/0                 MARK set 0x5
6           0        0 MARK       0    --  *      *       ::/0                 ::/0                 MARK and 0xf0
7           0        0 MARK       0    --  *      *       ::/0                 ::/0                 MARK or 0x3
8           0        0 MARK       0    --  *      *       ::/0                 ::/0                 MARK xor 0x3
9           0        0 MARK       0    --  *      *       ::/0                 ::/0                 MARK xset 0x12/0x13
10          0        0 MARK       0    --  *      *       ::/0                 ::/0                 MARK and 0xffffffff
11          0        0 MARK       0    --  *      *       ::/0                 ::/0                 MARK and 0xffffffff
12          0        0 MARK       0    --  *      *       ::/0                 ::/0                 MARK and 0xffffffff
13          0        0 MARK       0    --  *      *       ::/0                 ::/0                 MARK or 0xffffffff
14          0        0 MARK       0    --  *      *       ::/0                 ::/0                 MARK xset 0x5/0x7
15          0        0 MARK       0    --  *      *       ::/0                 ::/0                 MARK and 0xffffffff
16          0        0 MARK       0    --  *      *       ::/0                 ::/0                 MARK and 0x0
17          0        0 MARK       0    --  *      *       ::/0                 ::/0                 MARK set 0x8

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain POSTROUTING (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case LOG
-- rules -4
*filter
-A INPUT -j LOG
-A INPUT -j LOG --log-prefix abc
-A INPUT -j LOG --log-prefix "a b: "
-A INPUT -j LOG --log-prefix 01234567890123456789012345678
-A INPUT -j LOG --log-level 7
-A INPUT -j LOG --log-level 0x6
-A INPUT -j LOG --log-level 4
-A INPUT -j LOG --log-level emerg
-A INPUT -j LOG --log-level panic
-A INPUT -j LOG --log-level alert
-A INPUT -j LOG --log-level crit
-A INPUT -j LOG --log-level error
-A INPUT -j LOG --log-level warning
-A INPUT -j LOG --log-level notice
-A INPUT -j LOG --log-level info
-A INPUT -j LOG --log-level debug
-A INPUT -j LOG --log-tcp-sequence
-A INPUT -j LOG --log-tcp-options
-A INPUT -j LOG --log-ip-options
-A INPUT -j LOG --log-uid
-A INPUT -j LOG --log-macdecode
-A INPUT -j LOG --log-macdecode --log-uid --log-ip-options --log-tcp-options --log-tcp-sequence --log-level 0 --log-prefix "x\"y\\z'"
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -j LOG
[0:0] -A INPUT -j LOG --log-prefix abc
[0:0] -A INPUT -j LOG --log-prefix "a b: "
[0:0] -A INPUT -j LOG --log-prefix 01234567890123456789012345678
[0:0] -A INPUT -j LOG --log-level 7
[0:0] -A INPUT -j LOG --log-level 6
[0:0] -A INPUT -j LOG
[0:0] -A INPUT -j LOG --log-level 0
[0:0] -A INPUT -j LOG --log-level 0
[0:0] -A INPUT -j LOG --log-level 1
[0:0] -A INPUT -j LOG --log-level 2
[0:0] -A INPUT -j LOG --log-level 3
[0:0] -A INPUT -j LOG
[0:0] -A INPUT -j LOG --log-level 5
[0:0] -A INPUT -j LOG --log-level 6
[0:0] -A INPUT -j LOG --log-level 7
[0:0] -A INPUT -j LOG --log-tcp-sequence
[0:0] -A INPUT -j LOG --log-tcp-options
[0:0] -A INPUT -j LOG --log-ip-options
[0:0] -A INPUT -j LOG --log-uid
[0:0] -A INPUT -j LOG --log-macdecode
[0:0] -A INPUT -j LOG --log-prefix "x\"y\\z\'" --log-level 0 --log-tcp-sequence --log-tcp-options --log-ip-options --log-uid --log-macdecode
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0 LOG        0    --  *      *       0.0.0.0/0            0.0.0.0/0            LOG flags 0 level 4
2           0        0 LOG        0    --  *      *       0.0.0.0/0            0.0.0.0/0            LOG flags 0 level 4 prefix "abc"
3           0        0 LOG        0    --  *      *       0.0.0.0/0            0.0.0.0/0            LOG flags 0 level 4 prefix "a b: "
4           0        0 LOG        0    --  *      *       0.0.0.0/0            0.0.0.0/0            LOG flags 0 level 4 prefix "01234567890123456789012345678"
5           0        0 LOG        0    --  *      *       0.0.0.0/0            0.0.0.0/0            LOG flags 0 level 7
6           0        0 LOG        0    --  *      *       0.0.0.0/0            0.0.0.0/0            LOG flags 0 level 6
7           0        0 LOG        0    --  *      *       0.0.0.0/0            0.0.0.0/0            LOG flags 0 level 4
8           0        0 LOG        0    --  *      *       0.0.0.0/0            0.0.0.0/0            LOG flags 0 level 0
9           0        0 LOG        0    --  *      *       0.0.0.0/0            0.0.0.0/0            LOG flags 0 level 0
10          0        0 LOG        0    --  *      *       0.0.0.0/0            0.0.0.0/0            LOG flags 0 level 1
11          0        0 LOG        0    --  *      *       0.0.0.0/0            0.0.0.0/0            LOG flags 0 level 2
12          0        0 LOG        0    --  *      *       0.0.0.0/0            0.0.0.0/0            LOG flags 0 level 3
13          0        0 LOG        0    --  *      *       0.0.0.0/0            0.0.0.0/0            LOG flags 0 level 4
14          0        0 LOG        0    --  *      *       0.0.0.0/0            0.0.0.0/0            LOG flags 0 level 5
15          0        0 LOG        0    --  *      *       0.0.0.0/0            0.0.0.0/0            LOG flags 0 level 6
16          0        0 LOG        0    --  *      *       0.0.0.0/0            0.0.0.0/0            LOG flags 0 level 7
17          0        0 LOG        0    --  *      *       0.0.0.0/0            0.0.0.0/0            LOG flags 1 level 4
18          0        0 LOG        0    --  *      *       0.0.0.0/0            0.0.0.0/0            LOG flags 2 level 4
19          0        0 LOG        0    --  *      *       0.0.0.0/0            0.0.0.0/0            LOG flags 4 level 4
20          0        0 LOG        0    --  *      *       0.0.0.0/0            0.0.0.0/0            LOG flags 8 level 4
21          0        0 LOG        0    --  *      *       0.0.0.0/0            0.0.0.0/0            LOG flags 32 level 4
22          0        0 LOG        0    --  *      *       0.0.0.0/0            0.0.0.0/0            LOG flags 47 level 0 prefix "x"y\z'"

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case NFLOG
-- rules -6
*filter
-A INPUT -j NFLOG
-A INPUT -j NFLOG --nflog-group 5
-A INPUT -j NFLOG --nflog-group 0
-A INPUT -j NFLOG --nflog-group 65535
-A INPUT -j NFLOG --nflog-size 64
-A INPUT -j NFLOG --nflog-size 0
-A INPUT -j NFLOG --nflog-threshold 1
-A INPUT -j NFLOG --nflog-threshold 0
-A INPUT -j NFLOG --nflog-prefix "a b"
-A INPUT -j NFLOG --nflog-prefix 012345678901234567890123456789012345678901234567890123456789012
-A INPUT -j NFLOG --nflog-threshold 65535 --nflog-size 4294967295 --nflog-prefix x.y --nflog-group 3
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -j NFLOG
[0:0] -A INPUT -j NFLOG --nflog-group 5
[0:0] -A INPUT -j NFLOG
[0:0] -A INPUT -j NFLOG --nflog-group 65535
[0:0] -A INPUT -j NFLOG --nflog-size 64
[0:0] -A INPUT -j NFLOG --nflog-size 0
[0:0] -A INPUT -j NFLOG --nflog-threshold 1
[0:0] -A INPUT -j NFLOG
[0:0] -A INPUT -j NFLOG --nflog-prefix "a b"
[0:0] -A INPUT -j NFLOG --nflog-prefix 012345678901234567890123456789012345678901234567890123456789012
[0:0] -A INPUT -j NFLOG --nflog-prefix "x.y" --nflog-group 3 --nflog-size 4294967295 --nflog-threshold 65535
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0 NFLOG      0    --  *      *       ::/0                 ::/0                
2           0        0 NFLOG      0    --  *      *       ::/0                 ::/0                 nflog-group 5
3           0        0 NFLOG      0    --  *      *       ::/0                 ::/0                
4           0        0 NFLOG      0    --  *      *       ::/0                 ::/0                 nflog-group 65535
5           0        0 NFLOG      0    --  *      *       ::/0                 ::/0                 nflog-size 64
6           0        0 NFLOG      0    --  *      *       ::/0                 ::/0                 nflog-size 0
7           0        0 NFLOG      0    --  *      *       ::/0                 ::/0                 nflog-threshold 1
8           0        0 NFLOG      0    --  *      *       ::/0                 ::/0                
9           0        0 NFLOG      0    --  *      *       ::/0                 ::/0                 nflog-prefix "a b"
10          0        0 NFLOG      0    --  *      *       ::/0                 ::/0                 nflog-prefix 012345678901234567890123456789012345678901234567890123456789012
11          0        0 NFLOG      0    --  *      *       ::/0                 ::/0                 nflog-prefix "x.y" nflog-group 3 nflog-size 4294967295 nflog-threshold 65535

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

-- case values that are cut off or have no effect
-- rules -4
*filter
-A INPUT -j LOG --log-prefix 012345678901234567890123456789
-A INPUT -j NFLOG --nflog-prefix 0123456789012345678901234567890123456789012345678901234567890123
-A INPUT -j NFLOG --nflog-range 64
-A INPUT -j NFLOG --nflog-range 0
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -j LOG --log-prefix 01234567890123456789012345678
[0:0] -A INPUT -j NFLOG --nflog-prefix 012345678901234567890123456789012345678901234567890123456789012
[0:0] -A INPUT -j NFLOG --nflog-range 64
[0:0] -A INPUT -j NFLOG
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0 LOG        0    --  *      *       0.0.0.0/0            0.0.0.0/0            LOG flags 0 level 4 prefix "01234567890123456789012345678"
2           0        0 NFLOG      0    --  *      *       0.0.0.0/0            0.0.0.0/0            nflog-prefix 012345678901234567890123456789012345678901234567890123456789012
3           0        0 NFLOG      0    --  *      *       0.0.0.0/0            0.0.0.0/0            nflog-range 64
4           0        0 NFLOG      0    --  *      *       0.0.0.0/0            0.0.0.0/0           

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
-- messages
2:30: warning: --log-prefix: too long, its end is cut off
3:34: warning: --nflog-prefix: too long, its end is cut off
4:33: warning: --nflog-range: has no effect in the kernel; --nflog-size has
5:33: warning: --nflog-range: has no effect in the kernel; --nflog-size has
