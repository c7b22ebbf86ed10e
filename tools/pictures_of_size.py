#!/usr/bin/env python3
"""pictures_of_size.py WIDTH HEIGHT COUNT FOLDER: the first JPEG files, by name, of that size."""
import pathlib
import struct
import sys


def jpeg_size(data):
    at = 2
    while at + 9 < len(data):
        if data[at] != 0xFF:
            at += 1
            continue
        mark = data[at + 1]
        if 0xC0 <= mark <= 0xC2:
            height, width = struct.unpack(">HH", data[at + 5:at + 9])
            return width, height
        at += 2 if mark == 0xD8 or 0xD0 <= mark <= 0xD7 else 2 + struct.unpack(">H", data[at + 2:at + 4])[0]
    return None


def main():
    width, height, count = map(int, sys.argv[1:4])
    for path in sorted(pathlib.Path(sys.argv[4]).glob("*.jpg")):
        if count > 0 and jpeg_size(path.read_bytes()) == (width, height):
            print(path)
            count -= 1


if __name__ == "__main__":
    main()
