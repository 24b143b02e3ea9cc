#!/usr/bin/env python3
"""Writes the captures of the kernel comparison: packets built to meet every corner of the matches, valid and broken.

usage: make_captures.py FOLDER      -> NAME.v6.pcap and NAME.v4.pcap, Ethernet, some with a VLAN tag
"""
import ipaddress
import pathlib
import random
import struct
import sys

TCP, UDP, ICMP, ICMP6, ESP, AH, NONE, SCTP, HOP, ROUTE, FRAG, DST, MH = 6, 17, 1, 58, 50, 51, 59, 132, 0, 43, 44, 60, 135
A6, B6, C6 = "2001:db8:1::10", "2001:db8:2:3::4", "fd00:0:0:1::ff"
A4, B4, C4 = "198.51.100.10", "203.0.113.5", "10.1.2.3"


def a6(text):
    return ipaddress.IPv6Address(text).packed


def a4(text):
    return ipaddress.IPv4Address(text).packed


def ip6(body, proto, src=A6, dst=B6, hops=64, tc=0, length=None):
    size = len(body) if length is None else length
    return struct.pack("!IHBB", 6 << 28 | tc << 20, size, proto, hops) + a6(src) + a6(dst) + body


def sum16(data):
    total = sum(struct.unpack(f"!{(len(data) + 1) // 2}H", data + b"\0" * (len(data) % 2)))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff


def ip4(body, proto, src=A4, dst=B4, ttl=64, ident=7, frag=0, options=b"", total=None, tos=0):
    words = 5 + len(options) // 4
    size = words * 4 + len(body) if total is None else total
    head = struct.pack("!BBHHHBBH", 4 << 4 | words, tos, size, ident, frag, ttl, proto, 0) + a4(src) + a4(dst) + options
    return head[:10] + struct.pack("!H", sum16(head)) + head[12:] + body


def tcp(sport=1024, dport=80, flags=2, options=b"", data=b"", doff=None):
    words = 5 + len(options) // 4 if doff is None else doff
    return struct.pack("!HHIIBBHHH", sport, dport, 1, 0, words << 4, flags, 512, 0, 0) + options + data


def udp(sport=1024, dport=53, data=b"data", length=None):
    return struct.pack("!HHHH", sport, dport, 8 + len(data) if length is None else length, 0) + data


def icmp(kind, code=0, data=b"12345678"):
    return struct.pack("!BBH", kind, code, 0) + data


def ext(nxt, body, units=0, content=None):
    """A hop-by-hop, routing or destination header of (units + 1) * 8 bytes, padded by PadN, then body."""
    room = units * 8 + 6
    if content is None:
        content = b""
        while room - len(content) > 7:
            content += b"\x1e\x04abcd"  # an unknown option to be skipped
        pad = room - len(content)
        content += b"\0" if pad == 1 else b"\x01" + bytes([pad - 2]) + bytes(pad - 2) if pad else b""
    return struct.pack("!BB", nxt, units) + content + body


def frag6(nxt, body, offset, more, ident=9, reserved=0):
    return struct.pack("!BBHI", nxt, reserved, offset | more, ident) + body


def ah(nxt, body, words=4):
    return struct.pack("!BBHII", nxt, words, 0, 1, 1) + bytes((words - 1) * 4) + body


def transports6():
    for sport in (0, 22, 53, 1023, 1024, 65535):
        for dport in (22, 53, 80, 443, 8080, 65535):
            yield ip6(tcp(sport, dport), TCP)
            yield ip6(udp(sport, dport), UDP)
    for flags in range(256):
        yield ip6(tcp(flags=flags), TCP)
    for option in (b"\x02\x04\x05\xb4", b"\x01\x01\x04\x02", b"\x00\x02\x04\x05", b"\x08\x0a" + bytes(8) + b"\0\0", b"\x05\x00\x02\x04",
                   b"\x01\x01\x01\x02"):
        yield ip6(tcp(options=option), TCP)
    for doff in (0, 4, 5, 6, 15):
        yield ip6(tcp(doff=doff, data=b"xyz"), TCP)
    for kind in (1, 2, 3, 4, 128, 129, 130, 133, 134, 135, 136, 143, 255):
        for code in (0, 1, 4, 255):
            yield ip6(icmp(kind, code), ICMP6, hops=255)
    for proto in (NONE, ESP, SCTP, MH, 41, 47, 89, 4, 253):
        yield ip6(udp(), proto)


def headers6():
    inner = udp(1024, 53)
    for kind in (HOP, DST, ROUTE):
        content = b"\x00\x00\x00\x00\x00\x00" if kind == ROUTE else None
        yield ip6(ext(UDP, inner, content=content), kind)
    yield ip6(ah(UDP, inner), AH)
    yield ip6(ext(DST, ext(DST, ext(UDP, inner)), 3), DST)
    yield ip6(ext(DST, ext(HOP, inner[:0] + ext(UDP, inner))), DST)
    nested = inner
    nxt = UDP
    for _ in range(20):
        nested, nxt = ext(nxt, nested), DST
    yield ip6(nested, DST)
    nested, nxt = tcp(), TCP
    for _ in range(40):
        nested, nxt = ext(nxt, nested), DST
    yield ip6(nested, DST)
    yield ip6(ext(NONE, b""), DST)
    for options in (b"\x07\x08" + bytes(8) + b"\x01\x02\0\0", b"\x05\x02\0\0\x01\0", b"\x05\x03\0\0\0\0", b"\x31\x04" + bytes(4),
                    b"\x1e\0\x1e\0\x1e\0", (b"\x1e\0" * 9 + b"\x01\x02\0\0")[:22], b"\x5e\0\x01\x02\0\0", b"\0" * 6, b"\0" * 14):
        if (len(options) + 2) % 8 == 0:
            yield ip6(ext(UDP, inner, (len(options) + 2) // 8 - 1, options), HOP)
    yield ip6(ext(ESP, inner), DST)
    for cut in range(0, 20):
        yield ip6(ext(TCP, tcp())[:8 + cut], DST)
    for cut in range(0, 9):
        yield ip6(ext(UDP, inner)[:cut], DST)
    for cut in range(0, 9):
        yield ip6(frag6(UDP, inner, 0, 0)[:cut], FRAG)
    for cut in range(0, 13):
        yield ip6(ah(UDP, inner)[:cut], AH)
    for units in (1, 2, 5, 255):
        yield ip6(ext(UDP, inner, 0, struct.pack("!6x"))[:1] + bytes([units]) + bytes(6) + inner, DST)
    for words in (0, 1, 2, 100, 255):
        yield ip6(struct.pack("!BBHII", UDP, words, 0, 1, 1) + bytes(12) + inner, AH)


def truncated6():
    for size in range(0, 24):
        yield ip6(tcp()[:size], TCP)
        if size < 12:
            yield ip6(udp()[:size], UDP)
            yield ip6(icmp(128)[:size], ICMP6)
    yield ip6(udp(), UDP, length=4)
    yield ip6(udp(), UDP, length=0)
    yield ip6(udp() + b"padding behind", UDP, length=len(udp()))
    yield ip6(udp(), UDP, length=100)
    whole = ip6(udp(), UDP)
    yield whole[:39]
    yield whole[:1]
    yield b"\x50" + whole[1:]


def fragments6():
    for nxt, body in ((UDP, udp(53, 53, bytes(40))), (TCP, tcp(data=bytes(40))), (ICMP6, icmp(128, 0, bytes(40))), (DST, ext(UDP, udp(), 3)),
                      (ESP, bytes(48)), (NONE, bytes(48))):
        yield ip6(frag6(nxt, body[:24], 0, 1), FRAG)
        yield ip6(frag6(nxt, body[24:], 24, 0), FRAG)
        yield ip6(frag6(nxt, body[24:32], 24, 1), FRAG)
        yield ip6(frag6(nxt, body, 0, 0), FRAG)
        yield ip6(frag6(nxt, body[:8], 0, 1), FRAG)
        yield ip6(frag6(nxt, body[:8], 8, 1), FRAG)
    yield ip6(frag6(UDP, udp(), 0, 0, ident=0), FRAG)
    yield ip6(frag6(UDP, udp(), 0, 0, ident=0xffffffff), FRAG)
    yield ip6(frag6(UDP, udp(), 6, 0, reserved=5), FRAG)
    yield ip6(ext(FRAG, frag6(UDP, udp(), 0, 1)), DST)
    yield ip6(ext(FRAG, frag6(UDP, udp(), 8, 1)), DST)
    yield ip6(frag6(DST, ext(UDP, udp()), 0, 1), FRAG)
    yield ip6(frag6(FRAG, frag6(UDP, udp(), 0, 0), 0, 0), FRAG)


def addresses6():
    pool = [A6, B6, C6, "2001:db8:1::11", "2001:db8:1:0:8000::10", "2001:db9:1::10", "::", "::ffff:1.2.3.4", "64:ff9b::1", "2001:db8:1:1::10",
            "fd00:0:0:1::fe", "fd00:ff00::ff", "3fff::1", "fec0::1"]
    for src in pool:
        for dst in pool[:5]:
            yield ip6(udp(), UDP, src, dst)
    yield ip6(udp(), UDP, dst="ff02::1")
    yield ip6(udp(), UDP, dst="ff02::fb")
    yield ip6(udp(), UDP, dst="fe80::1")
    yield ip6(udp(), UDP, src="fe80::9")
    yield ip6(udp(), UDP, src="ff02::1")
    for hops in (0, 1, 2, 64, 254, 255):
        yield ip6(udp(), UDP, hops=hops)
    for size in (0, 1, 100, 1000, 1400):
        yield ip6(udp(data=bytes(size)), UDP)


def transports4():
    for sport in (0, 22, 53, 1023, 1024, 65535):
        for dport in (22, 53, 80, 443, 8080, 65535):
            yield ip4(tcp(sport, dport), TCP)
            yield ip4(udp(sport, dport), UDP)
    for flags in range(256):
        yield ip4(tcp(flags=flags), TCP)
    for option in (b"\x02\x04\x05\xb4", b"\x01\x01\x04\x02", b"\x00\x02\x04\x05", b"\x05\x00\x02\x04"):
        yield ip4(tcp(options=option), TCP)
    for doff in (0, 4, 5, 6, 15):
        yield ip4(tcp(doff=doff, data=b"xyz"), TCP)
    for kind in (0, 3, 5, 8, 11, 13, 255):
        for code in (0, 1, 3, 13, 255):
            yield ip4(icmp(kind, code), ICMP)
    for proto in (0, 2, 4, 41, 47, ESP, AH, SCTP, 255):
        yield ip4(udp(), proto)


def odd4():
    for size in range(0, 24):
        yield ip4(tcp()[:size], TCP)
        if size < 12:
            yield ip4(udp()[:size], UDP)
            yield ip4(icmp(8)[:size], ICMP)
    for options in (b"\x01\x01\x01\x00", b"\x94\x04\0\0", b"\x07\x07\x04\0\0\0\0\0", b"\x83\x07\x04\x01\x02\x03\x04\0", b"\x82\x01\0\0",
                    b"\x07\x03\x03\0", b"\x44\x08\x05\0\0\0\0\0", b"\x01" * 40, b"\x44\x0c\x09\x02" + bytes(8),
                    b"\x44\x0c\x0d\xf3" + bytes(8), b"\x44\x0c\x0d\xf0" + bytes(8), b"\x44\x08\x05\x01" + bytes(4),
                    b"\x44\x0c\x05\x03" + bytes(8), b"\x07\x07\x04\0\0\0\0" * 2 + b"\0\0", b"\x44\x08\x05\0\0\0\0\0" * 2,
                    b"\x86\x08\0\0\0\1\0\0", b"\x86\x04\0\0", b"\x89\x07\x04\x01\x02\x03\x04\0", b"\x94\x03\0\0",
                    b"\x19\x04\0\0", b"\x07\x08\x09\0\0\0\0\0"):
        yield ip4(udp(), UDP, options=options)
    yield ip4(udp(), UDP, total=27)
    yield ip4(udp(), UDP, total=19)
    yield ip4(udp() + b"padding", UDP, total=20 + len(udp()))
    yield ip4(udp(), UDP, total=100)
    broken = bytearray(ip4(udp(), UDP))
    broken[10] ^= 1
    yield bytes(broken)
    for src in (A4, C4, "0.0.0.0", "127.0.0.1", "224.0.0.1", "255.255.255.255", "240.0.0.1", "10.1.2.2", "10.1.3.3", "10.255.255.255"):
        for dst in (B4, C4, "224.0.0.1", "224.0.0.251", "255.255.255.255", "127.0.0.1"):
            yield ip4(udp(), UDP, src, dst)
    for ttl in (0, 1, 2, 64, 255):
        yield ip4(udp(), UDP, ttl=ttl)
    for size in (0, 1, 100, 1000, 1400):
        yield ip4(udp(data=bytes(size)), UDP)


def fragments4():
    ident = 100
    for proto, body in ((UDP, udp(53, 53, bytes(range(72)))), (TCP, tcp(data=bytes(60))), (ICMP, icmp(8, 0, bytes(68)))):
        for order in ((0, 1, 2), (2, 1, 0), (1, 0, 2), (0, 0, 1, 2), (0, 2)):
            ident += 1
            cuts = (0, 32, 64, len(body))
            for k in order:
                more = 0x2000 if k < 2 else 0
                yield ip4(body[cuts[k]:cuts[k + 1]], proto, ident=ident, frag=more | cuts[k] // 8)
        ident += 1  # overlap
        yield ip4(body[:32], proto, ident=ident, frag=0x2000)
        yield ip4(body[24:56], proto, ident=ident, frag=0x2000 | 3)
        yield ip4(body[56:], proto, ident=ident, frag=7)
        ident += 1  # tiny first fragment
        yield ip4(body[:8], proto, ident=ident, frag=0x2000)
        yield ip4(body[8:], proto, ident=ident, frag=1)
    body = udp(53, 53, bytes(range(72)))
    for first in range(4):  # ECN codepoints
        for second in range(4):
            ident += 1
            yield ip4(body[:32], UDP, ident=ident, frag=0x2000, tos=first)
            yield ip4(body[32:], UDP, ident=ident, frag=4, tos=second)
    ident += 1  # the last one is wholly inside what is there, and completes nothing
    yield ip4(body[:32], UDP, ident=ident, frag=0x2000)
    yield ip4(body[8:32], UDP, ident=ident, frag=1)
    for apart in (63, 64, 65):  # so many others of the same source come in between
        ident += 1
        wanted = ident
        yield ip4(body[:32], UDP, src=C4, ident=wanted, frag=0x2000)
        for _ in range(apart):
            ident += 1
            yield ip4(body[:16], UDP, src=C4, ident=ident, frag=0x2000)
        yield ip4(body[32:], UDP, src=C4, ident=wanted, frag=4)
    yield ip4(udp(), UDP, frag=0x4000)
    yield ip4(udp(), UDP, frag=0x8000)


def random_mutations(make, family, count):
    rng = random.Random(family)
    pool = [p for p in make if len(p) > 20]
    for _ in range(count):
        packet = bytearray(rng.choice(pool))
        for _ in range(rng.randrange(1, 4)):
            packet[rng.randrange(len(packet))] = rng.choice((0, 1, 6, 17, 43, 44, 51, 58, 60, 255, rng.randrange(256)))
        if family == 4 and len(packet) >= 20:
            packet[10:12] = b"\0\0"
            head = bytes(packet[:(packet[0] & 15) * 4])
            packet[10:12] = struct.pack("!H", sum16(head))
        yield bytes(packet[:rng.randrange(1, len(packet) + 1)] if rng.random() < 0.2 else packet)


def write(path, packets, family):
    with open(path, "wb") as f:
        f.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 262144, 1))
        for n, packet in enumerate(packets):
            vlan = b"\x81\x00\x00\x07" if n % 5 == 0 else b""
            head = b"\2\0\0\0\0\1" + bytes([2, 0, 0, 0, 0, 2 + n % 3]) + vlan + (b"\x86\xdd" if family == 6 else b"\x08\0")
            f.write(struct.pack("<IIII", n // 100, n % 100, len(head + packet), len(head + packet)) + head + packet)


def main():
    folder = pathlib.Path(sys.argv[1])
    sets = {
        ("transports", 6): list(transports6()), ("headers", 6): list(headers6()) + list(truncated6()),
        ("fragments", 6): list(fragments6()), ("addresses", 6): list(addresses6()),
        ("transports", 4): list(transports4()), ("odd", 4): list(odd4()), ("fragments", 4): list(fragments4()),
    }
    every = {family: [p for (_, f), packets in sets.items() if f == family for p in packets] for family in (4, 6)}
    sets["random", 6] = list(random_mutations(every[6], 6, 1500))
    sets["random", 4] = list(random_mutations([p for p in every[4] if not p[6] & 0x3f and not p[7]], 4, 1500))
    for (name, family), packets in sets.items():
        write(folder / f"{name}.v{family}.pcap", packets, family)


main()
