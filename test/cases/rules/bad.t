What is refused, and what the messages say. Each line with an error is refused by ip[6]tables too, unless a section
"kernel" says why not.

-- case addresses
-- rules -6
*filter
-A FORWARD -s 1.2.3.4
-A FORWARD -s ::1/129
-A FORWARD -s ::1/
-A FORWARD -s ::1/255.255.0.0
-A FORWARD -s example.invalid
-A FORWARD -s ::1,
-A FORWARD -s ,::1
-A FORWARD -s ::g
-A FORWARD ! -s ::1,::2
-A FORWARD -s ::1 -s ::2
-A FORWARD -s
-A FORWARD -s ! ::1
-A FORWARD -s ""
COMMIT
-- messages
2:15: error: -s: '1.2.3.4' is an IPv4 address in a rule set for IPv6
3:15: error: -s: '129' is not a mask or a prefix length
4:15: error: -s: '' is not a mask or a prefix length
5:15: error: -s: '255.255.0.0' is not a mask or a prefix length
6:15: error: -s: 'example.invalid' is not an address (names are not looked up)
7:15: error: -s: an address is missing
8:15: error: -s: an address is missing
9:15: error: -s: '::g' is not an address (names are not looked up)
10:12: error: '!' with several addresses; write one rule for each in a chain of its own
11:19: error: -s was given before
12:12: error: '-s' needs an argument
13:15: error: '!' must stand before the option: '! -s'
14:15: error: -s: an address is missing

-- case addresses of IPv4
-- rules -4
*filter
-A FORWARD -d ::1
-A FORWARD -d 1.2.3.4/33
-A FORWARD -d 1.2.3.4/255.255.0
-A FORWARD -d 1.2.3.256
-A FORWARD -d 1.2.3.4.5
-A FORWARD -d 1.
-A FORWARD -d 1.2.3.4/255.0.0.0/8
COMMIT
-- messages
2:15: error: -d: '::1' is an IPv6 address in a rule set for IPv4
3:15: error: -d: '33' is not a mask or a prefix length
4:15: error: -d: '255.255.0' is not a mask or a prefix length
5:15: error: -d: '1.2.3.256' is not an address (names are not looked up)
6:15: error: -d: '1.2.3.4.5' is not an address (names are not looked up)
7:15: error: -d: '1.' is not an address (names are not looked up)
8:15: error: -d: '255.0.0.0/8' is not a mask or a prefix length

-- case interfaces
-- rules -4
*filter
-A FORWARD -i abcdefghijklmnop
-A FORWARD -o abcdefghijklmno+
-A FORWARD -i ""
-A FORWARD -i eth0 -i eth1
-A INPUT -o eth0
-A INPUT -o +
-A OUTPUT -i eth0
-A FORWARD -i ! eth0
COMMIT
*nat
-A PREROUTING -o eth0
-A POSTROUTING -i eth0
COMMIT
-- messages
2:15: error: -i 'abcdefghijklmnop': an interface's name has at most 15 characters
3:15: error: -o 'abcdefghijklmno+': an interface's name has at most 15 characters
4:15: error: -i: the interface's name is empty
5:20: error: -i was given before
6:4: error: -o can't be used in INPUT: there is no output interface yet
7:4: error: -o can't be used in INPUT: there is no output interface yet
8:4: error: -i can't be used in OUTPUT: there is no input interface any more
9:15: error: '!' must stand before the option: '! -i'
12:4: error: -o can't be used in PREROUTING: there is no output interface yet
13:4: error: -i can't be used in POSTROUTING: there is no input interface any more

-- case protocols
-- rules -4
*filter
-A INPUT -p 256
-A INPUT -p nosuch
-A INPUT -p ""
-A INPUT ! -p all
-A INPUT ! -p 0
-A INPUT -p tcp -p udp
-A INPUT -p ! tcp
COMMIT
-- messages
2:13: error: '256' is not a protocol: a name such as tcp or a number 0 to 255 was expected
3:13: error: 'nosuch' is not a protocol: a name such as tcp or a number 0 to 255 was expected
4:13: error: '' is not a protocol: a name such as tcp or a number 0 to 255 was expected
5:10: error: '! -p all' never matches
6:10: error: '! -p all' never matches
7:17: error: -p was given before
8:13: error: '!' must stand before the option: '! -p'

-- case options and words
-- rules -4
*filter
-A INPUT ACCEPT
-A INPUT --nosuch
-A INPUT -p tcp --nosuch
-A INPUT -m tcp -p tcp --nosuch 1
-A INPUT --s 1.2.3.4
-A INPUT ! ! -s 1.2.3.4
-A INPUT -s 1.2.3.4 !
-A INPUT ! -j ACCEPT
-A INPUT ! -m tcp -p tcp
-A INPUT -j ACCEPT ""
-A INPUT -j "ACC"EPT
-A INPUT -- -j ACCEPT
-A INPUT - -j ACCEPT
-A INPUT -k
-A INPUT -n -j ACCEPT
-A INPUT -x -j ACCEPT
-A INPUT --line-numbers -j ACCEPT
-A INPUT -w -j ACCEPT
-t filter -A INPUT
-A INPUT -A FORWARD
-A INPUT -p tcp --dport
-A INPUT --dport 80 -p tcp
-j ACCEPT
-A INPUT -p tcp --syn=1
-A INPUT -m
-A INPUT -m ""
COMMIT
-- messages
2:10: error: bad argument 'ACCEPT': an option was expected here
3:10: error: unknown option '--nosuch'; an option of a match needs '-m MATCH' before it
4:17: error: unknown option '--nosuch' (last loaded: match 'tcp')
5:24: error: unknown option '--nosuch' (last loaded: match 'tcp')
6:10: error: '--s' may mean several options; write it out
7:12: error: '!' twice for one option
8:21: error: nothing follows '!'
9:10: error: '!' can't stand before '--jump'
10:10: error: '!' can't stand before '--match'
11:20: error: bad argument '': an option was expected here
12:18: error: bad argument 'EPT': an option was expected here
13:10: error: bad argument '--'
14:10: error: bad argument '-': an option was expected here
15:10: error: unknown option '-k'
16:10: error: '--numeric' has no meaning in a rules file
17:10: error: '--exact' has no meaning in a rules file
18:10: error: '--line-numbers' has no meaning in a rules file
19:10: error: '--wait' has no meaning in a rules file
20:1: error: '--table' has no meaning in a rules file
21:10: error: a line has only one command
22:17: error: '--dport' needs an argument: a port, a service name or FROM:TO
23:10: error: unknown option '--dport'; an option of a match needs '-m MATCH' before it
24:1: error: no command: a line inside a table begins with ':', '-A CHAIN', 'COMMIT' or the like
25:17: error: '--syn' takes no argument
26:10: error: '-m' needs an argument
27:13: error: -m: the match's name is empty

-- case targets
-- rules -4
*filter
:a - [0:0]
-A INPUT -j nosuch
-A INPUT -g nosuch
-A INPUT -g ACCEPT
-A INPUT -g LOG
-A INPUT -j ACCEPT -j DROP
-A INPUT -g a -j a
-A INPUT -j 01234567890123456789012345678
-A INPUT -j ""
-A INPUT -j
-A INPUT -j later
:later - [0:0]
-A INPUT -j FORWARD
-A FORWARD -g FORWARD
COMMIT
-- messages
3:13: error: 'nosuch' is neither a chain of table filter nor a target
4:13: error: 'nosuch' is neither a chain of table filter nor a target
5:13: error: -g 'ACCEPT': not a chain
6:13: error: 'LOG' is neither a chain of table filter nor a target
7:20: error: a rule has only one target (-j or -g)
8:15: error: a rule has only one target (-j or -g)
9:13: error: -j '01234567890123456789012345678': a target's name has at most 28 characters
10:13: error: -j: the target's name is empty
11:10: error: '-j' needs an argument
12:13: error: chain 'later' is declared only in line 13; it must be declared before its first use
14:13: error: 'FORWARD' is a built-in chain; only user chains can be jumped to
15:15: error: 'FORWARD' is a built-in chain; only user chains can be jumped to

-- case chains
-- rules -4
*filter
:ok - [0:0]
:01234567890123456789012345678 - [0:0]
:ok - [0:0]
:ACCEPT - [0:0]
:RETURN - [0:0]
:user ACCEPT [0:0]
:INPUT QUEUE [0:0]
:INPUT REJECT [0:0]
:INPUT
:
:INPUT ACCEPT [x:0]
:INPUT ACCEPT 1:2
-A nosuch -j ACCEPT
-N ok
-N -x
-N !x
-N LOG
-N REJECT
-N "a b"
-P ok DROP
-P INPUT REJECT
-P INPUT
-P nosuch DROP
-X nosuch
-F nosuch
-Z nosuch
-E ok INPUT
-E nosuch b
-E INPUT in
-E ok
-I ok 2
-I ok 0
-I ok x
-D ok 1
-D ok
-R ok 1 -j ACCEPT
-R ok
-C ok -s 1.2.3.4
-D INPUT -s 1.2.3.4
-N new -s 1.2.3.4
-P INPUT DROP -j ACCEPT
COMMIT
-- messages
3:2: error: a chain's name has at most 28 characters
4:2: error: chain 'ok' is there already
5:2: error: 'ACCEPT' is a target's name
6:2: error: 'RETURN' is a target's name
7:7: error: 'user' is a user chain and has no policy: '-' was expected
8:8: error: 'QUEUE' is not a policy: ACCEPT, DROP or '-' was expected
9:8: error: 'REJECT' is not a policy: ACCEPT, DROP or '-' was expected
10:2: error: the policy is missing behind 'INPUT': ACCEPT, DROP or, for a user chain, '-'
11:1: error: a chain's name was expected behind ':'
12:15: error: bad counters: '[packets:bytes]' was expected
13:15: error: bad counters: '[packets:bytes]' was expected
14:4: error: no chain 'nosuch' in table filter; declare it before with ':nosuch - [0:0]'
15:4: error: chain 'ok' is there already
16:4: error: a chain's name can't begin with '-'
17:4: error: a chain's name can't begin with '!'
18:4: error: 'LOG' is a target's name
19:4: error: 'REJECT' is a target's name
20:4: error: a chain's name has no blanks
21:4: error: 'ok' is a user chain; only built-in chains have a policy
22:10: error: 'REJECT' is not a policy: ACCEPT or DROP was expected
23:1: error: -P needs a chain and a policy
24:4: error: no chain 'nosuch' in table filter; declare it before with ':nosuch - [0:0]'
25:4: error: no chain 'nosuch' in table filter; declare it before with ':nosuch - [0:0]'
26:4: error: no chain 'nosuch' in table filter; declare it before with ':nosuch - [0:0]'
27:4: error: no chain 'nosuch' in table filter; declare it before with ':nosuch - [0:0]'
28:7: error: chain 'INPUT' is there already
29:4: error: no chain 'nosuch' in table filter; declare it before with ':nosuch - [0:0]'
30:4: error: built-in chain 'INPUT' can't be renamed
31:1: error: -E needs a chain and its new name
32:4: error: no position 2 in chain ok, which has 0 rules
33:7: error: '0' is not a rule number (1, 2, ...)
34:7: error: 'x' is not a rule number (1, 2, ...)
35:4: error: no rule 1 in chain ok, which has 0 rules
36:1: error: no such rule in chain ok
37:4: error: no rule 1 in chain ok, which has 0 rules
38:1: error: -R needs a chain and a rule number
39:1: error: no such rule in chain ok
40:1: error: no such rule in chain INPUT
41:1: error: this command takes no rule, so no options of one
42:1: error: this command takes no rule, so no options of one

-- case chains in use
-- rules -4
*filter
:full - [0:0]
:used - [0:0]
-A full -j ACCEPT
-A INPUT -j used
-X full
-X used
-X INPUT
-X
COMMIT
-- messages
6:4: error: chain 'full' still has 1 rules
7:4: error: chain 'used' is still used by 1 rules
8:4: error: built-in chain 'INPUT' can't be deleted
9:1: error: chain 'used' is still used by 1 rules

-- case counters
-- rules -4
*filter
[a:b] -A FORWARD
[1:2 -A FORWARD
[1] -A FORWARD
[1:2] -A FORWARD -c 1 2
-A FORWARD -c 1
-A FORWARD -c x 1
-A FORWARD -c
-A FORWARD -c 1 2 -c 1 2
COMMIT
-- messages
2:1: error: bad counters: '[packets:bytes]' was expected
3:1: error: bad counters: '[packets:bytes]' was expected
4:1: error: bad counters: '[packets:bytes]' was expected
5:18: error: the rule's counters were given before
6:12: error: -c needs packets and bytes
7:12: error: -c needs two numbers, packets and bytes
8:12: error: '-c' needs an argument
9:19: error: the rule's counters were given before

-- case loop of two chains
-- rules -4
*filter
:a - [0:0]
:b - [0:0]
-A a -j b
-A b -g a
-A INPUT -j a
COMMIT
-- messages
5:9: error: loop: chain b leads back to chain a

-- case a chain that jumps to itself
-- rules -6
*filter
:a - [0:0]
-A FORWARD -j a
-A a -j a
COMMIT
-- messages
4:9: error: loop: chain a leads back to chain a

-- case -p all is a condition in IPv6, so that the loop behind it counts
-- rules -6
*filter
:a - [0:0]
-A INPUT -p all -j ACCEPT
-A INPUT -j a
-A a -j a
COMMIT
-- messages
5:9: error: loop: chain a leads back to chain a

-- case spellings of one option
-- rules -4
*mangle
-A INPUT -j CONNMARK --set-mark 1 --or-mark 2
COMMIT
-- messages
2:13: error: 'CONNMARK': several options for what is printed as '--set-xmark'

-- case COMMIT is missing
-- rules -4
*filter
-A INPUT -j ACCEPT
-- kernel refuses the whole text
-- messages
1:1: error: table filter has no COMMIT at its end

-- case COMMIT is missing before the next table
-- rules -4
*filter
-A INPUT -j ACCEPT
*nat
COMMIT
-- messages
3:1: error: COMMIT was expected before the next table

-- case COMMIT with a blank behind it
-- kernel refuses the whole text
-- rules -4
*filter
COMMIT 
-- messages
1:1: error: table filter has no COMMIT at its end
2:1: error: COMMIT must stand alone, but blanks follow it

-- case COMMIT twice
-- rules -4
*filter
COMMIT
COMMIT
-- messages
3:1: error: COMMIT without a table: '*TABLE' was expected before it

-- case outside of tables
-- rules -4
-A INPUT -j ACCEPT
:INPUT ACCEPT [0:0]
*filter
COMMIT
-- kernel refuses the first line
-- messages
1:1: error: outside of a table: '*TABLE' was expected before it (filter, nat, mangle, raw, security)

-- case no such table
-- rules -4
*nosuch
-A INPUT --what
COMMIT
*
COMMIT
-- kernel refuses the first line
-- messages
1:2: error: no table 'nosuch'; there are filter, nat, mangle, raw, security
4:1: error: a table's name was expected behind '*': filter, nat, mangle, raw, security

-- case a line of blanks
-- rules -4
*filter
  
COMMIT
-- messages
2:1: error: blanks only: an empty line has none

-- case an open quote
-- kernel accepts; the line end becomes a part of the text
-- rules -4
*filter
-A INPUT -m comment --comment "open -j ACCEPT
-A INPUT -j "ACCEPT
COMMIT
-- messages
2:31: error: the quote that opens here isn't closed in this line
3:13: error: the quote that opens here isn't closed in this line

-- case control characters
-- kernel accepts them
-- rules -4
*filter
-A INPUT -m comment --comment "bell"
COMMIT
-- messages

-- case tcp and udp
-- rules -6
*filter
-A INPUT -m tcp
-A INPUT ! -p tcp -m tcp
-A INPUT -p udp -m tcp
-A INPUT -p tcp -m udp
-A INPUT -p tcp --dport 65536
-A INPUT -p tcp --dport 5:4
-A INPUT -p tcp --dport 1:2:3
-A INPUT -p tcp --dport ""
-A INPUT -p tcp --dport -80
-A INPUT -p tcp --dport nosuch
-A INPUT -p udp --dport 5:nosuch
-A INPUT -p tcp --dport 1 --dport 2
-A INPUT -p tcp --sport 1 --source-port 2
-A INPUT -p tcp --dport ! 80
-A INPUT -p tcp --tcp-flags SYN
-A INPUT -p tcp --tcp-flags SYN NOSUCH
-A INPUT -p tcp --tcp-flags "SYN ACK" SYN
-A INPUT -p tcp --syn --tcp-flags SYN SYN
-A INPUT -p tcp --syn --syn
-A INPUT -p tcp --tcp-option 0
-A INPUT -p tcp --tcp-option 256
-A INPUT -p tcp --tcp-option x
COMMIT
-- messages
2:13: error: match 'tcp': needs '-p tcp'
3:22: error: match 'tcp': needs '-p tcp'
4:20: error: match 'tcp': needs '-p tcp'
5:20: error: match 'udp': needs '-p udp'
6:25: error: --dport '65536': '65536' is no port or service; right is a port, a service name or FROM:TO
7:25: error: --dport '5:4': the first port is above the second; right is a port, a service name or FROM:TO
8:25: error: --dport '1:2:3': '2:3' is no port or service; right is a port, a service name or FROM:TO
9:25: error: --dport '': '' is no port or service; right is a port, a service name or FROM:TO
10:25: error: --dport '-80': '-80' is no port or service; right is a port, a service name or FROM:TO
11:25: error: --dport 'nosuch': 'nosuch' is no port or service; right is a port, a service name or FROM:TO
12:25: error: --dport '5:nosuch': 'nosuch' is no port or service; right is a port, a service name or FROM:TO
13:27: error: '--dport' was given before
14:27: error: '--source-port' was given before
15:25: error: '!' must stand before the option: '! --dport'
16:17: error: '--tcp-flags' needs an argument: two lists of FIN,SYN,RST,PSH,ACK,URG, or ALL or NONE: those looked at, those set
17:29: error: --tcp-flags 'SYN': 'NOSUCH' is no TCP flag; right is two lists of FIN,SYN,RST,PSH,ACK,URG, or ALL or NONE: those looked at, those set
18:29: error: --tcp-flags 'SYN ACK': 'SYN ACK' is no TCP flag; right is two lists of FIN,SYN,RST,PSH,ACK,URG, or ALL or NONE: those looked at, those set
19:23: error: --tcp-flags: only one of --syn and --tcp-flags
20:23: error: '--syn' was given before
21:30: error: --tcp-option '0': out of range 1 to 255; right is an option's number, 1 to 255
22:30: error: --tcp-option '256': out of range 1 to 255; right is an option's number, 1 to 255
23:30: error: --tcp-option 'x': not a number; right is an option's number, 1 to 255

-- case icmp
-- rules -4
*filter
-A INPUT -p icmp -m icmp
-A INPUT -m icmp --icmp-type 8
-A INPUT ! -p icmp -m icmp --icmp-type 8
-A INPUT -p icmp --icmp-type 256
-A INPUT -p icmp --icmp-type 3/256
-A INPUT -p icmp --icmp-type 3/
-A INPUT -p icmp --icmp-type ho
-A INPUT -p icmp --icmp-type nosuch
-A INPUT -p icmp --icmp-type echo-request/0
-A INPUT -p icmp --icmp-type ""
-A INPUT -p icmp --icmp-type 8 --icmp-type 9
-A INPUT -p icmp --icmpv6-type 128
-A INPUT -m icmp6 --icmpv6-type 128
COMMIT
-- messages
2:21: error: match 'icmp' needs '--icmp-type', TYPE, TYPE/CODE or a name such as echo-request
3:13: error: match 'icmp': needs '-p icmp'
4:23: error: match 'icmp': needs '-p icmp'
5:30: error: --icmp-type '256': out of range 0 to 255; right is TYPE, TYPE/CODE or a name such as echo-request
6:30: error: --icmp-type '3/256': out of range 0 to 255; right is TYPE, TYPE/CODE or a name such as echo-request
7:30: error: --icmp-type '3/': not a number; right is TYPE, TYPE/CODE or a name such as echo-request
8:30: error: --icmp-type 'ho': may be host-unreachable or host-unknown; right is TYPE, TYPE/CODE or a name such as echo-request
9:30: error: --icmp-type 'nosuch': no such type; right is TYPE, TYPE/CODE or a name such as echo-request
10:30: error: --icmp-type 'echo-request/0': no such type; right is TYPE, TYPE/CODE or a name such as echo-request
11:30: error: --icmp-type '': empty; right is TYPE, TYPE/CODE or a name such as echo-request
12:32: error: '--icmp-type' was given before
13:18: error: unknown option '--icmpv6-type' (last loaded: match 'icmp')
14:13: error: match 'icmp6' is for IPv6 only

-- case icmp6
-- rules -6
*filter
-A INPUT -p icmpv6 -m icmp6
-A INPUT -m icmp6 --icmpv6-type 128
-A INPUT -p icmp -m icmp6 --icmpv6-type 128
-A INPUT -p icmpv6 --icmpv6-type neig
-A INPUT -p icmpv6 --icmpv6-type any
-A INPUT -p icmpv6 --icmpv6-type router
-A INPUT -p icmpv6 --icmpv6-type 256
-A INPUT -m icmp -p icmp --icmp-type 8
COMMIT
-- messages
2:23: error: match 'icmp6' needs '--icmpv6-type', TYPE, TYPE/CODE or a name such as echo-request
3:13: error: match 'icmp6': needs '-p icmpv6'
4:21: error: match 'icmp6': needs '-p icmpv6'
5:34: error: --icmpv6-type 'neig': may be neighbour-solicitation or neighbor-solicitation; right is TYPE, TYPE/CODE or a name such as echo-request
6:34: error: --icmpv6-type 'any': no such type; right is TYPE, TYPE/CODE or a name such as echo-request
7:34: error: --icmpv6-type 'router': may be router-solicitation or router-advertisement; right is TYPE, TYPE/CODE or a name such as echo-request
8:34: error: --icmpv6-type '256': out of range 0 to 255; right is TYPE, TYPE/CODE or a name such as echo-request
9:13: error: match 'icmp' is for IPv4 only

-- case multiport
-- rules -4
*filter
-A FORWARD -m multiport --dports 80
-A FORWARD -m multiport --dports 80 -p tcp
-A FORWARD ! -p tcp -m multiport --dports 80
-A FORWARD -p icmp -m multiport --dports 80
-A FORWARD -p tcp -m multiport
-A FORWARD -p tcp -m multiport --dports 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16
-A FORWARD -p tcp -m multiport --dports 1:2,3:4,5:6,7:8,9:10,11:12,13:14,15:16
-A FORWARD -p tcp -m multiport --dports 5:4
-A FORWARD -p tcp -m multiport --dports 5:5
-A FORWARD -p tcp -m multiport --dports :5
-A FORWARD -p tcp -m multiport --dports 5:
-A FORWARD -p tcp -m multiport --dports 5,
-A FORWARD -p tcp -m multiport --dports ,5
-A FORWARD -p tcp -m multiport --dports 70000
-A FORWARD -p tcp -m multiport --dports tftp
-A FORWARD -p tcp -m multiport --dports 1 --sports 2
-A FORWARD -p tcp -m multiport --sports 1 --sports 2
-A FORWARD -p tcp -m multiport --dports ""
COMMIT
-- messages
2:25: error: --dports: needs '-p tcp', udp, udplite, sctp or dccp before it
3:25: error: --dports: needs '-p tcp', udp, udplite, sctp or dccp before it
4:34: error: --dports: needs '-p tcp', udp, udplite, sctp or dccp before it
5:33: error: --dports: needs '-p tcp', udp, udplite, sctp or dccp before it
6:22: error: match 'multiport': needs --sports, --dports or --ports
7:41: error: --dports '1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16': more than 15 ports; right is up to 15 ports, a range FROM:TO counting as two, with commas between
8:41: error: --dports '1:2,3:4,5:6,7:8,9:10,11:12,13:14,15:16': more than 15 ports; right is up to 15 ports, a range FROM:TO counting as two, with commas between
9:41: error: --dports '5:4': a range must go up; right is up to 15 ports, a range FROM:TO counting as two, with commas between
10:41: error: --dports '5:5': a range must go up; right is up to 15 ports, a range FROM:TO counting as two, with commas between
11:41: error: --dports ':5': '' is no port or tcp service; right is up to 15 ports, a range FROM:TO counting as two, with commas between
12:41: error: --dports '5:': '' is no port or tcp service; right is up to 15 ports, a range FROM:TO counting as two, with commas between
13:41: error: --dports '5,': '' is no port or tcp service; right is up to 15 ports, a range FROM:TO counting as two, with commas between
14:41: error: --dports ',5': '' is no port or tcp service; right is up to 15 ports, a range FROM:TO counting as two, with commas between
15:41: error: --dports '70000': '70000' is no port or tcp service; right is up to 15 ports, a range FROM:TO counting as two, with commas between
16:41: error: --dports 'tftp': 'tftp' is no port or tcp service; right is up to 15 ports, a range FROM:TO counting as two, with commas between
17:43: error: --sports: only one of --sports, --dports and --ports
18:43: error: '--sports' was given before
19:41: error: --dports '': '' is no port or tcp service; right is up to 15 ports, a range FROM:TO counting as two, with commas between

-- case mark, length, ttl, mac
-- rules -4
*filter
-A INPUT -m mark
-A INPUT -m mark --mark 0x100000000
-A INPUT -m mark --mark 1/
-A INPUT -m mark --mark /1
-A INPUT -m mark --mark -1
-A INPUT -m mark --mark x
-A INPUT -m length
-A INPUT -m length --length 65536
-A INPUT -m length --length 5:x
-A INPUT -m ttl
-A INPUT -m ttl --ttl-eq 256
-A INPUT -m ttl ! --ttl-lt 5
-A INPUT -m ttl ! --ttl-gt 5
-A INPUT -m ttl --ttl-eq 5 --ttl-gt 4
-A INPUT -m ttl --ttl-lt 5 --ttl-gt 4
-A INPUT -m hl --hl-eq 5
-A INPUT -m mac
-A INPUT -m mac --mac-source 00:11:22:33:44
-A INPUT -m mac --mac-source 00:11:22:33:44:gg
-A INPUT -m mac --mac-source 001122334455
-A INPUT -m mac --mac-source 00:11:22:33:44:55:66
-A INPUT -m mac --mac-source 000:11:22:33:44:55
-A OUTPUT -m mac --mac-source 00:11:22:33:44:55
-A INPUT -m comment
-A INPUT -m comment --comment
-A INPUT -m comment --comment a --comment b
-A INPUT -m comment ! --comment a
COMMIT
-- messages
2:13: error: match 'mark' needs '--mark', VALUE or VALUE/MASK
3:25: error: --mark '0x100000000': out of range 0 to 4294967295; right is VALUE or VALUE/MASK
4:25: error: --mark '1/': not a number; right is VALUE or VALUE/MASK
5:25: error: --mark '/1': not a number; right is VALUE or VALUE/MASK
6:25: error: --mark '-1': not a number; right is VALUE or VALUE/MASK
7:25: error: --mark 'x': not a number; right is VALUE or VALUE/MASK
8:13: error: match 'length' needs '--length', BYTES or FROM:TO, 0 to 65535
9:29: error: --length '65536': out of range 0 to 65535; right is BYTES or FROM:TO, 0 to 65535
10:29: error: --length '5:x': not a number; right is BYTES or FROM:TO, 0 to 65535
11:13: error: match 'ttl': needs one of --ttl-eq, --ttl-lt and --ttl-gt
12:26: error: --ttl-eq '256': out of range 0 to 255; right is 0 to 255
13:17: error: '!' can't stand before '--ttl-lt'
14:17: error: '!' can't stand before '--ttl-gt'
15:28: error: --ttl-gt: only one of --ttl-eq, --ttl-lt and --ttl-gt
16:28: error: --ttl-gt: only one of --ttl-eq, --ttl-lt and --ttl-gt
17:13: error: match 'hl' is for IPv6 only
18:13: error: match 'mac' needs '--mac-source', six bytes as in 02:00:5e:10:00:01
19:30: error: --mac-source '00:11:22:33:44': not an Ethernet address; right is six bytes as in 02:00:5e:10:00:01
20:30: error: --mac-source '00:11:22:33:44:gg': not an Ethernet address; right is six bytes as in 02:00:5e:10:00:01
21:30: error: --mac-source '001122334455': not an Ethernet address; right is six bytes as in 02:00:5e:10:00:01
22:30: error: --mac-source '00:11:22:33:44:55:66': not an Ethernet address; right is six bytes as in 02:00:5e:10:00:01
23:30: error: --mac-source '000:11:22:33:44:55': not an Ethernet address; right is six bytes as in 02:00:5e:10:00:01
24:14: error: match 'mac' can't be used in chain OUTPUT: packets come there from OUTPUT
25:13: error: match 'comment' needs '--comment', a text of at most 255 bytes
26:21: error: '--comment' needs an argument: a text of at most 255 bytes
27:33: error: '--comment' was given before
28:21: error: '!' can't stand before '--comment'

-- case owner
-- rules -4
*filter
:x - [0:0]
-A OUTPUT -m owner
-A OUTPUT -m owner --socket-exists --suppl-groups
-A OUTPUT -m owner --suppl-groups --gid-owner 5
-A OUTPUT -m owner ! --suppl-groups --gid-owner 5
-A OUTPUT -m owner --gid-owner 5 ! --suppl-groups
-A OUTPUT -m owner --uid-owner 4294967295
-A OUTPUT -m owner --uid-owner 9-5
-A OUTPUT -m owner --uid-owner 9-
-A OUTPUT -m owner --uid-owner nosuchuser
-A OUTPUT -m owner --gid-owner root-5
-A OUTPUT -m owner --uid-owner :5
-A OUTPUT -m owner --uid-owner ""
-A OUTPUT -m owner --uid-owner 1 --uid-owner 2
-A INPUT -m owner --uid-owner 1
-A FORWARD -m owner --socket-exists
COMMIT
-- messages
3:14: error: match 'owner': needs at least one of --uid-owner, --gid-owner and --socket-exists
4:36: error: --suppl-groups: needs --gid-owner before it
5:20: error: --suppl-groups: needs --gid-owner before it
6:20: error: '!' can't stand before '--suppl-groups'
7:34: error: '!' can't stand before '--suppl-groups'
8:32: error: --uid-owner '4294967295': out of range 0 to 4294967294; right is a user's name or id, or FROM-TO
9:32: error: --uid-owner '9-5': the first id is above the second; right is a user's name or id, or FROM-TO
10:32: error: --uid-owner '9-': not a number; right is a user's name or id, or FROM-TO
11:32: error: --uid-owner 'nosuchuser': not a number; right is a user's name or id, or FROM-TO
12:32: error: --gid-owner 'root-5': not a number; right is a group's name or id, or FROM-TO
13:32: error: --uid-owner ':5': not a number; right is a user's name or id, or FROM-TO
14:32: error: --uid-owner '': not a number; right is a user's name or id, or FROM-TO
15:34: error: '--uid-owner' was given before
16:13: error: match 'owner' can't be used in chain INPUT: packets come there from INPUT
17:15: error: match 'owner' can't be used in chain FORWARD: packets come there from FORWARD

-- case owner in a chain that packets come to from INPUT and OUTPUT
-- rules -6
*mangle
:x - [0:0]
:y - [0:0]
-A OUTPUT -j x
-A INPUT -j y
-A y -g x
-A x -m owner --uid-owner 1
COMMIT
-- messages
7:9: error: match 'owner' can't be used in chain x: packets come there from INPUT

-- case mac in a chain that packets come to from OUTPUT
-- rules -4
*mangle
:x - [0:0]
-A OUTPUT -j x
-A INPUT -j x
-A x -m mac --mac-source 0:0:0:0:0:0
COMMIT
-- messages
5:9: error: match 'mac' can't be used in chain x: packets come there from OUTPUT

-- case hl, frag and iprange
-- rules -6
*filter
-A INPUT -m hl
-A INPUT -m hl --hl-eq 256
-A INPUT -m hl ! --hl-lt 5
-A INPUT -m hl --hl-eq 5 --hl-lt 4
-A INPUT -m ttl --ttl-eq 5
-A INPUT -m frag --fragmore --fraglast
-A INPUT -m frag --fraglast --fragmore
-A INPUT -m frag ! --fragfirst
-A INPUT -m frag --fragid 4294967296
-A INPUT -m frag --fragid 1 --fragid 2
-A INPUT -m frag --fraglen x
-A INPUT -m iprange
-A INPUT -m iprange --src-range ::1-
-A INPUT -m iprange --src-range -::1
-A INPUT -m iprange --src-range 1.1.1.1-2.2.2.2
-A INPUT -m iprange --src-range ::1-::2-::3
-A INPUT -m iprange --dst-range example.invalid
-A INPUT -m iprange --src-range ::1 --src-range ::2
COMMIT
-- messages
2:13: error: match 'hl': needs one of --hl-eq, --hl-lt and --hl-gt
3:24: error: --hl-eq '256': out of range 0 to 255; right is 0 to 255
4:16: error: '!' can't stand before '--hl-lt'
5:26: error: --hl-lt: only one of --hl-eq, --hl-lt and --hl-gt
6:13: error: match 'ttl' is for IPv4 only
7:29: error: --fraglast: contradicts --fragmore
8:29: error: --fragmore: contradicts --fraglast
9:18: error: '!' can't stand before '--fragfirst'
10:27: error: --fragid '4294967296': out of range 0 to 4294967295; right is an identification or FROM:TO, 0 to 4294967295
11:29: error: '--fragid' was given before
12:28: error: --fraglen 'x': not a number; right is a number, 0 to 4294967295
13:13: error: match 'iprange': needs --src-range or --dst-range
14:33: error: --src-range '::1-': '' is not an address; right is ADDRESS or FROM-TO
15:33: error: --src-range '-::1': '' is not an address; right is ADDRESS or FROM-TO
16:33: error: --src-range '1.1.1.1-2.2.2.2': '1.1.1.1' is not an address; right is ADDRESS or FROM-TO
17:33: error: --src-range '::1-::2-::3': '::2-::3' is not an address; right is ADDRESS or FROM-TO
18:33: error: --dst-range 'example.invalid': 'example.invalid' is not an address; right is ADDRESS or FROM-TO
19:37: error: '--src-range' was given before

-- case MARK, LOG and NFLOG
-- rules -4
*filter
-A INPUT -j MARK
-A INPUT -j MARK ! --set-mark 1
-A INPUT -j MARK --set-mark 1/
-A INPUT -j MARK --set-mark /1
-A INPUT -j MARK --set-mark -1
-A INPUT -j MARK --set-mark 0x100000000
-A INPUT -j MARK --set-mark 1 --or-mark 2
-A INPUT -j MARK --and-mark 1 --set-xmark 2
-A INPUT -j MARK --and-mark 1/2
-A INPUT -j LOG --log-prefix ""
-A INPUT -j LOG --log-level 8
-A INPUT -j LOG --log-level err
-A INPUT -j LOG --log-level WARNING
-A INPUT -j LOG --log-level ""
-A INPUT -j LOG --log-tcp-sequence --log-tcp-sequence
-A INPUT -j LOG --log-tcp
-A INPUT -j NFLOG --nflog-group 65536
-A INPUT -j NFLOG --nflog-size 4294967296
-A INPUT -j NFLOG --nflog-size 10 --nflog-range 20
-A INPUT -j NFLOG --nflog-range 10 --nflog-size 20
-A INPUT -j NFLOG --nflog-prefix ""
-A INPUT -j NFLOG --nflog-threshold 65536
-A INPUT -j NFLOG --nflog-group 1 --nflog-group 1
COMMIT
-- messages
2:13: error: target 'MARK': needs one of --set-xmark, --set-mark, --and-mark, --or-mark and --xor-mark
3:18: error: '!' can't stand before '--set-mark'
4:29: error: --set-mark '1/': not a number; right is VALUE or VALUE/MASK
5:29: error: --set-mark '/1': not a number; right is VALUE or VALUE/MASK
6:29: error: --set-mark '-1': not a number; right is VALUE or VALUE/MASK
7:29: error: --set-mark '0x100000000': out of range 0 to 4294967295; right is VALUE or VALUE/MASK
8:31: error: --or-mark: only one of --set-xmark, --set-mark, --and-mark, --or-mark and --xor-mark
9:31: error: --set-xmark: only one of --set-xmark, --set-mark, --and-mark, --or-mark and --xor-mark
10:29: error: --and-mark '1/2': not a number; right is the bits to keep
11:30: error: --log-prefix '': empty; right is a text of 1 to 29 bytes
12:29: error: --log-level '8': out of range 0 to 7; right is 0 to 7, or emerg, panic, alert, crit, error, warning, notice, info, debug
13:29: error: --log-level 'err': not a number; right is 0 to 7, or emerg, panic, alert, crit, error, warning, notice, info, debug
14:29: error: --log-level 'WARNING': not a number; right is 0 to 7, or emerg, panic, alert, crit, error, warning, notice, info, debug
15:29: error: --log-level '': not a number; right is 0 to 7, or emerg, panic, alert, crit, error, warning, notice, info, debug
16:36: error: '--log-tcp-sequence' was given before
17:17: error: '--log-tcp' may mean several options; write it out
18:33: error: --nflog-group '65536': out of range 0 to 65535; right is 0 to 65535
19:32: error: --nflog-size '4294967296': out of range 0 to 4294967295; right is a number of bytes
20:35: error: --nflog-range: only one of --nflog-size and --nflog-range
21:33: warning: --nflog-range: has no effect in the kernel; --nflog-size has
21:36: error: --nflog-size: only one of --nflog-size and --nflog-range
22:34: error: --nflog-prefix '': empty; right is a text of 1 to 63 bytes
23:37: error: --nflog-threshold '65536': out of range 0 to 65535; right is a number of packets, 0 to 65535
24:35: error: '--nflog-group' was given before

-- case counters that don't end
-- kernel accepts a missing bracket
-- rules -4
*filter
:INPUT ACCEPT [1:2
COMMIT
-- messages
2:15: error: bad counters: '[packets:bytes]' was expected

-- case line ends of other systems
-- kernel refuses the whole text
-- rules -4
*filter
-A INPUT -j ACCEPT
-A INPUT -j NOSUCH
COMMIT
-- messages
1:8: error: the line ends with CR LF; lines must end with LF
3:13: error: 'NOSUCH' is neither a chain of table filter nor a target

-- case every error of a file is reported, in its order
-- rules -4
*filter
-A INPUT -j nosuch
-A INPUT -s x
-A INPUT -p tcp --dport x
COMMIT
-- messages
2:13: error: 'nosuch' is neither a chain of table filter nor a target
3:13: error: -s: 'x' is not an address (names are not looked up)
4:25: error: --dport 'x': 'x' is no port or service; right is a port, a service name or FROM:TO
