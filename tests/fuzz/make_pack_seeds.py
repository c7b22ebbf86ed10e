#!/usr/bin/env python3
"""Writes small packs, as files and as bare streams, to <dir>/pack/, for fuzz_pack to start from.

usage: make_pack_seeds.py DIR
"""
import pathlib
import struct
import sys
import zlib


def text(value):
    return struct.pack("<I", len(value)) + value.encode()


def stream(positives, negatives):
    width, height = 4, 3
    data = struct.pack("<II", width, height) + text('{"window":[4,3]}') + struct.pack("<Q", positives)
    data += b"".join(text(f"crops/{i}.png") for i in range(positives))
    data += bytes(range(width * height)) * positives + struct.pack("<Q", len(negatives))
    for name, file in negatives:
        data += text(name) + struct.pack("<IIQ", 640, 480, len(file)) + file
    return data


def shard(data, number, shards, first, size):
    head = b"WNPACK\r\n" + struct.pack("<IIIQQQQ", 1, number, shards, 0x1234, len(data), first, size)
    piece = data[first:first + size]
    return head + struct.pack("<I", zlib.crc32(head)) + piece + struct.pack("<I", zlib.crc32(piece))


def main():
    folder = pathlib.Path(sys.argv[1]) / "pack"
    folder.mkdir(parents=True, exist_ok=True)
    packs = {"empty": stream(0, []), "some": stream(3, [("a.jpg", b"\xff\xd8\xff"), ("b.png", b"")])}
    for name, data in packs.items():
        (folder / f"{name}.stream").write_bytes(data)
        (folder / f"{name}.pack").write_bytes(shard(data, 1, 1, 0, len(data)))
        half = len(data) // 2
        (folder / f"{name}.joined").write_bytes(shard(data, 2, 2, half, len(data) - half) + shard(data, 1, 2, 0, half))


if __name__ == "__main__":
    main()
