#!/usr/bin/env python3
"""Writes wlan.pcap and wlan.meta, the example's capture: a minute of a phone on Wi-Fi, addresses of RFC 3849."""
import ipaddress
import pathlib
import random
import struct

HERE = pathlib.Path(__file__).resolve().parent
PHONE, ROUTER, TV = "2001:db8:1::10", "fe80::1", "2001:db8:1::77"
SERVERS = ["2001:db8:2::443", "2001:db8:3:4::1", "2001:db8:ffff:0:8::5"]
DNS = "2001:db8:1::53"
PHONE_MAC, ROUTER_MAC = bytes.fromhex("020000000010"), bytes.fromhex("020000000001")
TCP, UDP, ICMP6 = 6, 17, 58
FIN, SYN, PSH, ACK = 1, 2, 8, 16
rng = random.Random(6)


def addr(text):
    return ipaddress.IPv6Address(text).packed


def checksum(src, dst, proto, body):
    data = src + dst + struct.pack("!II", len(body), proto) + body + b"\0" * (len(body) % 2)
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff


def with_checksum(src, dst, proto, body, at):
    value = checksum(src, dst, proto, body) or 0xffff
    return body[:at] + struct.pack("!H", value) + body[at + 2:]


def ip6(src, dst, proto, body, hops=64, headers=b"", first=None):
    head = struct.pack("!IHBB", 6 << 28, len(headers) + len(body), proto if first is None else first, hops)
    return head + addr(src) + addr(dst) + headers + body


def tcp(src, dst, sport, dport, flags, data=b""):
    body = struct.pack("!HHIIBBHHH", sport, dport, rng.getrandbits(32), 0, 5 << 4, flags, 65535, 0, 0) + data
    return ip6(src, dst, TCP, with_checksum(addr(src), addr(dst), TCP, body, 16))


def udp(src, dst, sport, dport, data, hops=64):
    body = struct.pack("!HHHH", sport, dport, 8 + len(data), 0) + data
    return ip6(src, dst, UDP, with_checksum(addr(src), addr(dst), UDP, body, 6), hops)


def icmp6(src, dst, kind, data, hops=255):
    body = struct.pack("!BBH", kind, 0, 0) + data
    return ip6(src, dst, ICMP6, with_checksum(addr(src), addr(dst), ICMP6, body, 2), hops)


def fragments(src, dst, proto, body, size):
    ident, out = rng.getrandbits(32), []
    for at in range(0, len(body), size):
        piece, more = body[at:at + size], at + size < len(body)
        header = struct.pack("!BBHI", proto, 0, at | more, ident)
        out.append(ip6(src, dst, proto, piece, headers=header, first=44))
    return out


packets = []  # (outgoing, bytes, what the sidecar says)


def outgoing(packet, owner):
    packets.append((True, packet, owner))


def incoming(packet):
    packets.append((False, packet, ""))


def connection(uid, server, port, count):
    sport = rng.randrange(32768, 61000)
    owner = f"uid={uid} gid={uid}"
    outgoing(tcp(PHONE, server, sport, port, SYN), owner)
    incoming(tcp(server, PHONE, port, sport, SYN | ACK))
    for _ in range(count):
        outgoing(tcp(PHONE, server, sport, port, PSH | ACK, rng.randbytes(rng.randrange(20, 400))), owner)
        incoming(tcp(server, PHONE, port, sport, ACK, rng.randbytes(rng.randrange(100, 1200))))
    outgoing(tcp(PHONE, server, sport, port, FIN | ACK), owner)
    incoming(tcp(server, PHONE, port, sport, FIN | ACK))
    outgoing(tcp(PHONE, server, sport, port, ACK), "uid=none")  # the last word, after the socket is gone


def record():
    incoming(icmp6(ROUTER, "ff02::1", 134, bytes.fromhex("40000708") + bytes(8)))
    outgoing(icmp6(PHONE, "ff02::1:ff00:53", 135, bytes(4) + addr(DNS)), "uid=kernel")
    incoming(icmp6(DNS, PHONE, 136, b"\x60\0\0\0" + addr(DNS)))
    for user, server, port, count in [(10050, 0, 443, 4), (10057, 1, 993, 2), (10180, 2, 5222, 1),
                                      (10120, 0, 1194, 3), (1000, 1, 443, 1), (10250, 2, 80, 1)]:
        outgoing(udp(PHONE, DNS, rng.randrange(32768, 61000), 53, rng.randbytes(40)), "uid=1051 gid=1051")
        incoming(udp(DNS, PHONE, 53, rng.randrange(32768, 61000), rng.randbytes(120)))
        connection(user, SERVERS[server], port, count)
    outgoing(udp(PHONE, TV, 40000, 8008, b"play"), "uid=10180 gid=10180")
    incoming(udp("fe80::77", "ff02::fb", 5353, 5353, rng.randbytes(60), 255))
    incoming(tcp(SERVERS[2], PHONE, 61999, 22, SYN))  # somebody knocks
    big = struct.pack("!HHHH", 53, 40001, 2408, 0) + rng.randbytes(2400)
    for piece in fragments(DNS, PHONE, UDP, big, 1232):
        incoming(piece)
    incoming(ip6(SERVERS[0], PHONE, TCP, b"\x01\xbb\x9c\x40\0\0\0\0"))  # a TCP header cut to 8 bytes
    incoming(icmp6(SERVERS[1], PHONE, 128, rng.randbytes(60), 58))


def write():
    with open(HERE / "wlan.pcap", "wb") as f, open(HERE / "wlan.meta", "w", encoding="ascii") as meta:
        f.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 262144, 1))
        meta.write("# who sent what, by packet number; made by make-capture.py\n")
        for number, (out, packet, owner) in enumerate(packets, 1):
            frame = (ROUTER_MAC + PHONE_MAC if out else PHONE_MAC + ROUTER_MAC) + b"\x86\xdd" + packet
            f.write(struct.pack("<IIII", 1767225600 + number // 2, number * 7919 % 1000000, len(frame), len(frame)))
            f.write(frame)
            meta.write(f"{number} dir=out {owner} out=wlan0\n" if out else f"{number} dir=in in=wlan0\n")


record()
write()
