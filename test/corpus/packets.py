"""The packets that programs of the corpus run on, by name."""
import struct

MAC_DST = bytes.fromhex("020000000002")
MAC_SRC = bytes.fromhex("020000000001")
CLIENT, SERVER = bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2])
CLIENT6, SERVER6 = bytes.fromhex("20010db8000000000000000000000001"), bytes.fromhex("20010db8000000000000000000000002")
TCP, UDP, ICMP, IPIP, ICMP6 = 6, 17, 1, 4, 58


def checksum(data):
    data += b"\0" * (len(data) % 2)
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff


def eth(payload, ethertype):
    return MAC_DST + MAC_SRC + struct.pack(">H", ethertype) + payload


def vlan(tci, ethertype, payload):
    return struct.pack(">HH", tci, ethertype) + payload


def ip4(proto, payload, src=CLIENT, dst=SERVER, ttl=64, frag=0x4000, ident=0x3039):
    head = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(payload), ident, frag, ttl, proto, 0, src, dst)
    return head[:10] + struct.pack(">H", checksum(head)) + head[12:] + payload


def ip6(proto, payload, hops=64):
    return struct.pack(">IHBB16s16s", 0x60012345, len(payload), proto, hops, CLIENT6, SERVER6) + payload


def upper(proto, pseudo_header, segment, check_at):
    value = checksum(pseudo_header(proto, len(segment)) + segment)
    if proto == UDP and not value:
        value = 0xffff
    return segment[:check_at] + struct.pack(">H", value) + segment[check_at + 2:]


def pseudo4(src=CLIENT, dst=SERVER):
    return lambda proto, size: src + dst + struct.pack(">BBH", 0, proto, size)


def pseudo6(proto, size):
    return CLIENT6 + SERVER6 + struct.pack(">II", size, proto)


def tcp(payload, pseudo, sport=40000, dport=80, flags=0x18, options=b""):
    offset = (5 + len(options) // 4) << 12
    head = struct.pack(">HHIIHHHH", sport, dport, 0x01020304, 0x0a0b0c0d, offset | flags, 0xfaf0, 0, 0) + options
    return upper(TCP, pseudo, head + payload, 16)


def udp(payload, pseudo, sport=5000, dport=6000):
    return upper(UDP, pseudo, struct.pack(">HHHH", sport, dport, 8 + len(payload), 0) + payload, 6)


def icmp4(kind):
    body = struct.pack(">BBHHH", kind, 0, 0, 7, 1) + b"echo this, please"
    return body[:2] + struct.pack(">H", checksum(body)) + body[4:]


def icmp6():
    return upper(ICMP6, pseudo6, struct.pack(">BBHHH", 128, 0, 0, 7, 1) + b"echo this", 2)


HELLO = b"GET / HTTP/1.0\r\n\r\n"
DNS = bytes.fromhex("abcd01000001000000000000") + b"\x07example\x03com\0" + bytes.fromhex("00010001")
TCP4 = ip4(TCP, tcp(HELLO, pseudo4()))
UDP4 = ip4(UDP, udp(b"thirteen byte", pseudo4()))
MSS_AND_MORE = bytes.fromhex("01010402" "020405b4" "01030307")

PACKETS = {
    "tcp4": eth(TCP4, 0x0800),
    "tcp4_reply": eth(ip4(TCP, tcp(b"HTTP/1.0 200 OK\r\n\r\n", pseudo4(SERVER, CLIENT), 80, 40000), SERVER, CLIENT), 0x0800),
    "tcp4_options": eth(ip4(TCP, tcp(b"", pseudo4(), flags=2, options=MSS_AND_MORE)), 0x0800),
    "tcp4_padded": eth(ip4(TCP, tcp(b"", pseudo4())) + b"\0" * 6, 0x0800),
    "udp4": eth(UDP4, 0x0800),
    "udp4_dns": eth(ip4(UDP, udp(DNS, pseudo4(), 33333, 53)), 0x0800),
    "big_udp4": eth(ip4(UDP, udp(bytes(i * 7 & 255 for i in range(1400)), pseudo4())), 0x0800),
    "ttl1": eth(ip4(UDP, udp(b"last hop", pseudo4()), ttl=1), 0x0800),
    "frag4": eth(ip4(UDP, b"the middle of a datagram", frag=0x2005), 0x0800),
    "icmp4": eth(ip4(ICMP, icmp4(8)), 0x0800),
    "icmp4_reply": eth(ip4(ICMP, icmp4(0), SERVER, CLIENT), 0x0800),
    "ipip": eth(ip4(IPIP, TCP4, bytes([192, 168, 0, 1]), bytes([192, 168, 0, 2])), 0x0800),
    "tcp6": eth(ip6(TCP, tcp(HELLO, pseudo6)), 0x86dd),
    "udp6": eth(ip6(UDP, udp(b"six", pseudo6)), 0x86dd),
    "icmp6": eth(ip6(ICMP6, icmp6()), 0x86dd),
    "vlan_tcp4": eth(vlan(0x6007, 0x0800, TCP4), 0x8100),
    "qinq_udp4": eth(vlan(5, 0x8100, vlan(6, 0x0800, UDP4)), 0x88a8),
    "arp": eth(bytes.fromhex("0001080006040001") + MAC_SRC + CLIENT + bytes(6) + SERVER, 0x0806),
    "eth_only": eth(b"", 0x88b5),
    "short_ip": eth(TCP4[:12], 0x0800),
}
