#!/usr/bin/env python3
"""What the kernel's ip[6]tables-legacy counts for a capture in INPUT: the truth that weir's counters are held against.

usage: kernel_counters.py RULES CAPTURE 4|6        as root; prints ip[6]tables-legacy-save -c

A fresh network namespace (tables, fragments and groups of its own), a veth pair, every unicast address local. Each IP packet
of the capture is sent into the namespace as a frame to its device eth0; what the kernel answers is dropped at OUTPUT.
"""
import os
import socket
import struct
import subprocess
import sys
import time

DEVICE_MAC, PEER_MAC = bytes.fromhex("020000000001"), bytes.fromhex("020000000002")
ETHERTYPE = {4: 0x0800, 6: 0x86dd}
TABLES = ("raw", "mangle", "nat", "filter", "security")
SETUP = """
set -e
ip link set lo up
ip link add eth0 address 02:00:00:00:00:01 mtu 9000 type veth peer name peer0 address 02:00:00:00:00:02 mtu 9000
echo 0 > /proc/sys/net/ipv6/conf/all/disable_ipv6
echo 1 > /proc/sys/net/ipv6/conf/peer0/disable_ipv6
echo 0 > /proc/sys/net/ipv6/conf/eth0/accept_dad
echo 0 > /proc/sys/net/ipv6/conf/eth0/accept_ra
echo 0 > /proc/sys/net/ipv4/conf/all/rp_filter
echo 0 > /proc/sys/net/ipv4/conf/eth0/rp_filter
echo 1 > /proc/sys/net/ipv4/conf/eth0/accept_local
echo 1 > /proc/sys/net/ipv4/conf/all/route_localnet
ip link set eth0 up
ip link set peer0 up
ip -6 addr add 2001:db8:ffff::1/64 dev eth0 nodad
ip addr add 192.0.2.254/24 dev eth0
ip -6 route add local default dev lo
ip route add local 0.0.0.0/0 dev lo
nft 'table inet silence { chain out { type filter hook output priority -500; policy drop; }; }'
"""


def pcap_frames(path):
    """(link type, bytes) of every record of a classic pcap file in this machine's byte order or the other."""
    with open(path, "rb") as f:
        data = f.read()
    order = "<" if data[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
    link = struct.unpack(order + "I", data[20:24])[0] & 0xffff
    at = 24
    while at + 16 <= len(data):
        captured = struct.unpack(order + "I", data[at + 8:at + 12])[0]
        yield link, data[at + 16:at + 16 + captured]
        at += 16 + captured


def ip_packets(path, family):
    for link, frame in pcap_frames(path):
        if link == 1:
            at = 12
            while frame[at:at + 2] in (b"\x81\x00", b"\x88\xa8"):
                at += 4
            if frame[at:at + 2] == struct.pack("!H", ETHERTYPE[family]):
                yield frame[6:12], frame[at + 2:]
        elif frame and frame[0] >> 4 == family:
            yield PEER_MAC, frame


def settle(save):
    """Counters when they have stopped moving."""
    before = None
    for _ in range(200):
        now = subprocess.run(save, capture_output=True, text=True, check=True).stdout
        strip = [line for line in now.split("\n") if not line.startswith("#")]
        if strip == before:
            return "\n".join(strip)
        before = strip
        time.sleep(0.02)
    sys.exit("the counters don't come to rest")


def main():
    rules, capture, family = sys.argv[1], sys.argv[2], int(sys.argv[3])
    tool = "ip6tables-legacy" if family == 6 else "iptables-legacy"
    subprocess.run(["sh", "-c", SETUP], check=True, capture_output=True)
    out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    out.bind(("peer0", 0))
    time.sleep(0.25)  # the device comes up; its own neighbour discovery is over
    with open(rules, encoding="latin-1") as f:
        load = subprocess.run([tool + "-restore"], stdin=f, capture_output=True, text=True, check=False)
    if load.returncode:
        sys.exit("the kernel refuses the rules: " + load.stderr.strip().split("\n")[0])
    for number, (mac, packet) in enumerate(ip_packets(capture, family), 1):
        try:
            out.send(DEVICE_MAC + mac + struct.pack("!H", ETHERTYPE[family]) + packet)
        except OSError as e:
            print(f"packet {number} not sent: {e}", file=sys.stderr)
        if number % 200 == 0:
            time.sleep(0.02)
    print(settle([tool + "-save", "-c"]))


if __name__ == "__main__":
    if os.environ.get("WEIR_TEST_NAMESPACE") != "1":
        os.environ["WEIR_TEST_NAMESPACE"] = "1"
        os.execvp("unshare", ["unshare", "-n", sys.executable, os.path.abspath(__file__)] + sys.argv[1:])
    main()
