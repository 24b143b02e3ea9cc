What isn't run here is read by its options, or kept word by word, and printed back.

-- case known extensions
-- rules -4
*filter
-A INPUT -m state --state NEW -j REJECT --reject-with icmp-port-unreachable
-A INPUT -m conntrack ! --ctstate NEW --ctproto 6 -j ACCEPT
-A INPUT -p tcp -m limit --limit 3/min --limit-burst 3 -m tcp --dport 80 -j DROP
-A INPUT -m set --match-set blocked src,dst -j DROP
-A INPUT -m set ! --match-set blocked src --return-nomatch -j DROP
-A INPUT -m string --string "two words" --algo bm --to 65535 -j DROP
-A INPUT -p sctp -m sctp --chunk-types any INIT,DATA -j DROP
-A INPUT -m recent --update --seconds 60 --hitcount 4 --name "SSH list" --mask 255.255.255.255 --rsource -j DROP
-A INPUT -p tcp -m tcp --dport 80 -j REJECT --reject-with tcp-reset
-A INPUT -m rateest --rateest eth0 --rateest-bps --rateest-gt -j DROP
-A INPUT -m rateest --rateest eth0 --rateest-bps 8bit --rateest-gt -j DROP
COMMIT
*nat
-A PREROUTING -p tcp -m tcp --dport 80 -j DNAT --to-destination 10.0.0.1:8080
-A POSTROUTING -s 10.0.0.0/8 -j MASQUERADE
COMMIT
-- kernel has no sets here
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -m state --state NEW -j REJECT --reject-with icmp-port-unreachable
[0:0] -A INPUT -m conntrack ! --ctstate NEW --ctproto 6 -j ACCEPT
[0:0] -A INPUT -p tcp -m limit --limit 3/min --limit-burst 3 -m tcp --dport 80 -j DROP
[0:0] -A INPUT -m set --match-set blocked src,dst -j DROP
[0:0] -A INPUT -m set ! --match-set blocked src --return-nomatch -j DROP
[0:0] -A INPUT -m string --string "two words" --algo bm --to 65535 -j DROP
[0:0] -A INPUT -p sctp -m sctp --chunk-types any INIT,DATA -j DROP
[0:0] -A INPUT -m recent --update --seconds 60 --hitcount 4 --name "SSH list" --mask 255.255.255.255 --rsource -j DROP
[0:0] -A INPUT -p tcp -m tcp --dport 80 -j REJECT --reject-with tcp-reset
[0:0] -A INPUT -m rateest --rateest eth0 --rateest-bps --rateest-gt -j DROP
[0:0] -A INPUT -m rateest --rateest eth0 --rateest-bps 8bit --rateest-gt -j DROP
COMMIT
*nat
:PREROUTING ACCEPT [0:0]
:INPUT ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:POSTROUTING ACCEPT [0:0]
[0:0] -A PREROUTING -p tcp -m tcp --dport 80 -j DNAT --to-destination 10.0.0.1:8080
[0:0] -A POSTROUTING -s 10.0.0.0/8 -j MASQUERADE
COMMIT
-- list nat
Chain PREROUTING (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0 DNAT       6    --  *      *       0.0.0.0/0            0.0.0.0/0            tcp dpt:80 to:10.0.0.1:8080

Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain POSTROUTING (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0 MASQUERADE  0    --  *      *       10.0.0.0/8           0.0.0.0/0           
-- tree
IPv4, 2 tables, 13 rules, 20 counters
table filter
  chain INPUT hook 1 policy ACCEPT counter 0 rules 11 references 0 reached from hooks 0x2
    rule 1 counter 1 line 2: -A INPUT -m state --state NEW -j REJECT --reject-with icmp-port-unreachable
      match state (not run here) --state NEW
      target REJECT (not run here) --reject-with icmp-port-unreachable
    rule 2 counter 2 line 3: -A INPUT -m conntrack ! --ctstate NEW --ctproto 6 -j ACCEPT
      match conntrack (not run here) ! --ctstate NEW --ctproto 6
    rule 3 counter 3 line 4: -A INPUT -p tcp -m limit --limit 3/min --limit-burst 3 -m tcp --dport 80 -j DROP
      match limit (not run here) --limit 3/min --limit-burst 3
      match tcp --dport 80
    rule 4 counter 4 line 5: -A INPUT -m set --match-set blocked src,dst -j DROP
      match set (not run here) --match-set blocked src,dst
    rule 5 counter 5 line 6: -A INPUT -m set ! --match-set blocked src --return-nomatch -j DROP
      match set (not run here) ! --match-set blocked src --return-nomatch
    rule 6 counter 6 line 7: -A INPUT -m string --string "two words" --algo bm --to 65535 -j DROP
      match string (not run here) --string "two words" --algo bm --to 65535
    rule 7 counter 7 line 8: -A INPUT -p sctp -m sctp --chunk-types any INIT,DATA -j DROP
      match sctp (not run here) --chunk-types any INIT,DATA
    rule 8 counter 8 line 9: -A INPUT -m recent --update --seconds 60 --hitcount 4 --name "SSH list" --mask 255.255.255.255 --rsource -j DROP
      match recent (not run here) --update --seconds 60 --hitcount 4 --name "SSH list" --mask 255.255.255.255 --rsource
    rule 9 counter 9 line 10: -A INPUT -p tcp -m tcp --dport 80 -j REJECT --reject-with tcp-reset
      match tcp --dport 80
      target REJECT (not run here) --reject-with tcp-reset
    rule 10 counter 10 line 11: -A INPUT -m rateest --rateest eth0 --rateest-bps --rateest-gt -j DROP
      match rateest (not run here) --rateest eth0 --rateest-bps --rateest-gt
    rule 11 counter 11 line 12: -A INPUT -m rateest --rateest eth0 --rateest-bps 8bit --rateest-gt -j DROP
      match rateest (not run here) --rateest eth0 --rateest-bps 8bit --rateest-gt
  chain FORWARD hook 2 policy ACCEPT counter 12 rules 0 references 0 reached from hooks 0x4
  chain OUTPUT hook 3 policy ACCEPT counter 13 rules 0 references 0 reached from hooks 0x8
table nat
  chain PREROUTING hook 0 policy ACCEPT counter 14 rules 1 references 0 reached from hooks 0x1
    rule 1 counter 15 line 15: -A PREROUTING -p tcp -m tcp --dport 80 -j DNAT --to-destination 10.0.0.1:8080
      match tcp --dport 80
      target DNAT (not run here) --to-destination 10.0.0.1:8080
  chain INPUT hook 1 policy ACCEPT counter 16 rules 0 references 0 reached from hooks 0x2
  chain OUTPUT hook 3 policy ACCEPT counter 17 rules 0 references 0 reached from hooks 0x8
  chain POSTROUTING hook 4 policy ACCEPT counter 18 rules 1 references 0 reached from hooks 0x10
    rule 1 counter 19 line 16: -A POSTROUTING -s 10.0.0.0/8 -j MASQUERADE
      target MASQUERADE (not run here)

-- case options of the rule behind a known extension
-- rules -4
*filter
-A INPUT -p tcp -m state --state NEW --dport 80 -s 1.2.3.4 ! -i eth0 -j ACCEPT
-A INPUT -p tcp --dport 80 -m state --state NEW --sport 3 -j ACCEPT
-A INPUT -j REJECT --reject-with icmp-port-unreachable -p udp --dport 5
-A INPUT -m limit --limit 3/min --limit-b 7 -j ACCEPT
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -s 1.2.3.4/32 ! -i eth0 -p tcp -m state --state NEW -m tcp --dport 80 -j ACCEPT
[0:0] -A INPUT -p tcp -m tcp --sport 3 --dport 80 -m state --state NEW -j ACCEPT
[0:0] -A INPUT -p udp -m udp --dport 5 -j REJECT --reject-with icmp-port-unreachable
[0:0] -A INPUT -m limit --limit 3/min --limit-burst 7 -j ACCEPT
COMMIT

-- case unknown extensions
-- kernel refuses them
-- rules -6
*filter
-A INPUT -m quota2 ! --name globalAlert --quota 2097152 -j RETURN
-A INPUT -m vendor --one "two words" three ! -s ::1 -j DROP
-A INPUT -m vendor --x=1 -y 2 -p tcp -m tcp --dport 80
-A INPUT -j TARPIT --honeypot -s ::1
-A INPUT -j TARPIT --reset "a\"b" -m hl --hl-gt 1
COMMIT
-- save
*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
[0:0] -A INPUT -m quota2 ! --name globalAlert --quota 2097152 -j RETURN
[0:0] -A INPUT ! -s ::1/128 -m vendor --one "two words" three -j DROP
[0:0] -A INPUT -p tcp -m vendor --x=1 -y 2 -m tcp --dport 80
[0:0] -A INPUT -s ::1/128 -j TARPIT --honeypot
[0:0] -A INPUT -m hl --hl-gt 1 -j TARPIT --reset "a\"b"
COMMIT
-- list filter
Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
1           0        0 RETURN     0    --  *      *       ::/0                 ::/0                 quota2 ! name globalAlert quota 2097152
2           0        0 DROP       0    --  *      *      !::1                  ::/0                 vendor one "two words" three
3           0        0            6    --  *      *       ::/0                 ::/0                 vendor x=1 y 2 tcp dpt:80
4           0        0 TARPIT     0    --  *      *       ::1                  ::/0                 TARPIT honeypot
5           0        0 TARPIT     0    --  *      *       ::/0                 ::/0                 HL match HL > 1 TARPIT reset "a\"b"

Chain FORWARD (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         

Chain OUTPUT (policy ACCEPT 0 packets, 0 bytes)
num      pkts      bytes target     prot opt in     out     source               destination         
-- tree
IPv6, 1 tables, 5 rules, 8 counters
table filter
  chain INPUT hook 1 policy ACCEPT counter 0 rules 5 references 0 reached from hooks 0x2
    rule 1 counter 1 line 2: -A INPUT -m quota2 ! --name globalAlert --quota 2097152 -j RETURN
      match quota2 (unknown) ! --name globalAlert --quota 2097152
    rule 2 counter 2 line 3: -A INPUT ! -s ::1/128 -m vendor --one "two words" three -j DROP
      match vendor (unknown) --one "two words" three
    rule 3 counter 3 line 4: -A INPUT -p tcp -m vendor --x=1 -y 2 -m tcp --dport 80
      match vendor (unknown) --x=1 -y 2
      match tcp --dport 80
    rule 4 counter 4 line 5: -A INPUT -s ::1/128 -j TARPIT --honeypot
      target TARPIT (unknown) --honeypot
    rule 5 counter 5 line 6: -A INPUT -m hl --hl-gt 1 -j TARPIT --reset "a\"b"
      match hl --hl-gt 1
      target TARPIT (unknown) --reset "a\"b"
  chain FORWARD hook 2 policy ACCEPT counter 6 rules 0 references 0 reached from hooks 0x4
  chain OUTPUT hook 3 policy ACCEPT counter 7 rules 0 references 0 reached from hooks 0x8

-- case what nobody knows can't be run
-- kernel refuses it
-- rules -6
*filter
-A INPUT -m quota2 --name globalAlert --quota 2097152 -j RETURN
-A INPUT -j TARPIT --honeypot -s ::1
COMMIT
-- check INPUT
2:13: match 'quota2' can't be run here: weir doesn't know it
3:13: target 'TARPIT' can't be run here: weir doesn't know it

-- case reasons, rule by rule
-- rules -4
*filter
:web - [0:0]
:web2 - [0:0]
:never - [0:0]
-A INPUT -j web
-A INPUT -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT
-A INPUT -m limit --limit 3/min -m state --state NEW -j REJECT --reject-with icmp-port-unreachable
-A INPUT -j ACCEPT
-A INPUT -m state --state NEW -j DROP
-A web -s 1.2.3.4 -j REJECT --reject-with icmp-port-unreachable
-A web -g web2
-A web2 -s 1.2.3.4 -j REJECT --reject-with icmp-port-unreachable
-A never -m recent --set --name DEFAULT --mask 255.255.255.255 --rsource
-A FORWARD -j never
COMMIT
-- check INPUT
6:13: match 'conntrack' can't be run here: it needs a flow table
7:13: match 'limit' can't be run here: it needs a rate limiter
10:22: target 'REJECT' can't be run here: it answers with a packet of its own
12:23: target 'REJECT' can't be run here: it answers with a packet of its own
-- check FORWARD
13:13: match 'recent' can't be run here: it needs a list of recent addresses
-- check OUTPUT
ok
