#!/usr/bin/env python3
"""Writes small files for the fuzzers to start from: make_seeds.py FOLDER

This program fills FOLDER/picture, FOLDER/stream, FOLDER/detections, FOLDER/objects and FOLDER/messages. make_model_seeds.py fills FOLDER/model,
make_hog_seeds.py FOLDER/hog, make_truth_seeds.py FOLDER/truth, make_track_seeds.py FOLDER/track, and make_pack_seeds.py
FOLDER/pack, if these programs exist. The bytes are the same every time. Only the standard library is needed."""
import os
import struct
import subprocess
import sys
import zlib


# PNM

def pnm_files():
    gray = bytes((x * 7) % 256 for x in range(35))
    return {
        "p1.pbm": b"P1\n# bits\n5 3\n0 1 0 1 0\n11111\n00000\n",
        "p2.pgm": b"P2 4 2 15\n0 1 2 3\n12 13 14 15\n",
        "p3.ppm": b"P3\n2 2\n255\n255 0 0 0 255 0 0 0 255 9 9 9\n",
        "p4.pbm": b"P4\n9 3\n" + gray[:6],
        "p5.pgm": b"P5\n7 5\n255\n" + gray,
        "p5-16.pgm": b"P5\n4 4 # deep\n65535\n" + gray[:32],
        "p6.ppm": b"P6\n3 3\n255\n" + gray[:27],
        "p6-12.ppm": b"P6 2 2 4095\n" + bytes(b & 15 if i % 2 == 0 else b for i, b in enumerate(gray[:24])),
    }


# EXIF

def exif(orientation, order="<"):
    head = b"II*\0" if order == "<" else b"MM\0*"
    entries = struct.pack(order + "HHIHH", 0x0112, 3, 1, orientation, 0)
    return head + struct.pack(order + "IH", 8, 1) + entries + struct.pack(order + "I", 0)


# PNG

def png(width, height, depth, kind, channels, interlaced=False, extra=(), behind=()):
    def chunk(name, data):
        body = name + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    passes = [(0, 0, 1, 1)]
    if interlaced:
        passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    rows = bytearray()
    count = 0
    for x0, y0, dx, dy in passes:
        columns = len(range(x0, width, dx))
        if columns == 0:
            continue
        for _ in range(y0, height, dy):
            rows.append(count % 5)  # the row's filter
            rows += bytes((count * 29 + i * 11) % 256 for i in range((columns * depth * channels + 7) // 8))
            count += 1
    out = b"\x89PNG\r\n\x1a\n"
    out += chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, int(interlaced)))
    for name, data in extra:
        out += chunk(name, data)
    packed = zlib.compress(bytes(rows), 9)
    half = len(packed) // 2
    out += chunk(b"IDAT", packed[:half]) + chunk(b"IDAT", packed[half:])
    for name, data in behind:
        out += chunk(name, data)
    return out + chunk(b"IEND", b"")


def png_files():
    palette = (b"PLTE", bytes(range(0, 48)))
    files = {}
    for interlaced in (False, True):
        end = "-i.png" if interlaced else ".png"
        for depth in (1, 2, 4, 8, 16):
            files["gray%d%s" % (depth, end)] = png(9, 5, depth, 0, 1, interlaced)
        files["rgb8" + end] = png(5, 6, 8, 2, 3, interlaced, [(b"eXIf", exif(6))])
        files["rgb16" + end] = png(3, 3, 16, 2, 3, interlaced, [(b"tRNS", b"\0\1\0\2\0\3")])
        files["palette4" + end] = png(7, 4, 4, 3, 1, interlaced, [palette, (b"tRNS", b"\0\x80")])
        files["graya8" + end] = png(4, 4, 8, 4, 2, interlaced)
        files["rgba16" + end] = png(3, 2, 16, 6, 4, interlaced, behind=[(b"eXIf", exif(8, ">")), (b"tEXt", b"a\0b")])
    return files


# JPEG: a small encoder with Huffman tables of its own

class Bits:
    def __init__(self):
        self.bytes, self.value, self.count = bytearray(), 0, 0

    def put(self, value, count):
        for i in range(count - 1, -1, -1):
            self.value = self.value << 1 | (value >> i & 1)
            self.count += 1
            if self.count == 8:
                self.bytes.append(self.value)
                if self.value == 0xFF:
                    self.bytes.append(0)
                self.value = self.count = 0

    def flush(self):
        while self.count:
            self.put(1, 1)
        return bytes(self.bytes)


DC_SYMBOLS = list(range(12))  # codes of 4 bits
AC_SYMBOLS = [0x00, 0x01, 0x11, 0x02, 0xF0, 0x10, 0x21]  # codes of 3 bits; 0x10 is a run of blocks in a progressive scan


def segment(marker, data):
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data


def tables():
    def huffman(kind, length, symbols):
        counts = bytes(len(symbols) if i == length else 0 for i in range(1, 17))
        return segment(0xC4, bytes([kind]) + counts + bytes(symbols))

    quant = segment(0xDB, bytes([0]) + bytes([8] * 64))
    return quant + huffman(0x00, 4, DC_SYMBOLS) + huffman(0x10, 3, AC_SYMBOLS)


def put_dc(bits, difference):
    size = abs(difference).bit_length()
    bits.put(DC_SYMBOLS.index(size), 4)
    bits.put(difference if difference > 0 else difference + (1 << size) - 1, size)


def put_ac(bits, number):
    if number % 2:
        bits.put(AC_SYMBOLS.index(0x01), 3)
        bits.put(number >> 1 & 1, 1)
        bits.put(AC_SYMBOLS.index(0x11), 3)
        bits.put(number >> 2 & 1, 1)
    bits.put(AC_SYMBOLS.index(0x00), 3)


def jpeg(units_x, units_y, sampling, frame=0xC0, app=b"", restart=0):
    """`sampling` has one (across, down) per component. The picture has blocks_x x blocks_y units of the largest."""
    most_x, most_y = max(s[0] for s in sampling), max(s[1] for s in sampling)
    width, height = units_x * most_x * 8 - 3, units_y * most_y * 8 - 1
    out = b"\xff\xd8" + app + tables()
    entries = b"".join(bytes([i + 1, across << 4 | down, 0]) for i, (across, down) in enumerate(sampling))
    out += segment(frame, struct.pack(">BHHB", 8, height, width, len(sampling)) + entries)
    if restart:
        out += segment(0xDD, struct.pack(">H", restart))

    def scan(components, first, last, high, low):
        return segment(0xDA, bytes([len(components)]) + b"".join(bytes([c + 1, 0]) for c in components) +
                       bytes([first, last, high << 4 | low]))

    everything = range(len(sampling))
    if frame == 0xC9:  # in arithmetic coding, any bytes have a meaning
        return out + scan(everything, 0, 63, 0, 0) + bytes(range(1, 12)) + b"\xff\xd9"
    progressive = frame == 0xC2
    out += scan(everything, 0, 0 if progressive else 63, 0, 1 if progressive else 0)
    bits, number, units, marker = Bits(), 0, 0, 0
    for _ in range(units_x * units_y):
        if restart and units and units % restart == 0:
            out += bits.flush() + bytes([0xFF, 0xD0 + marker % 8])
            bits, marker = Bits(), marker + 1
        units += 1
        for across, down in sampling:
            for _ in range(across * down):
                put_dc(bits, (number * 37) % 41 - 20)
                if not progressive:
                    put_ac(bits, number)
                number += 1
    out += bits.flush()
    if progressive:
        units = ((width + 7) // 8) * ((height + 7) // 8)
        # The low bits of the means come first, then the first coefficients of the first component in two steps.
        bits = Bits()
        for i in range(number):
            bits.put(i & 1, 1)
        out += scan(everything, 0, 0, 1, 0) + bits.flush()
        bits = Bits()
        for i in range(units):
            put_ac(bits, i)
        out += scan([0], 1, 5, 0, 1) + bits.flush()
        bits = Bits()
        for i in range(units):
            if i % 2:  # a correction bit for each coefficient that is not zero
                bits.put(AC_SYMBOLS.index(0x00), 3)
                bits.put(i >> 1 & 3, 2)
            else:
                bits.put(AC_SYMBOLS.index(0x00), 3)
        out += scan([0], 1, 5, 1, 0) + bits.flush()
    return out + b"\xff\xd9"


def jpeg_files():
    adobe = segment(0xEE, b"Adobe" + struct.pack(">HHHB", 100, 0, 0, 0))
    turned = segment(0xE1, b"Exif\0\0" + exif(6))
    thumbnail = segment(0xE1, b"thumb" + jpeg(1, 1, [(1, 1)]))
    gray, color, half = [(1, 1)], [(1, 1)] * 3, [(2, 2), (1, 1), (1, 1)]
    return {
        "gray.jpg": jpeg(2, 2, gray),
        "color.jpg": jpeg(2, 1, color, app=turned),
        "half.jpg": jpeg(2, 2, half, restart=1, app=thumbnail),
        "rgb.jpg": jpeg(1, 2, color, app=adobe),
        "cmyk.jpg": jpeg(1, 2, [(1, 1)] * 4, app=adobe),
        "two.jpg": jpeg(1, 1, [(1, 1)] * 2),
        "progressive-gray.jpg": jpeg(2, 2, gray, frame=0xC2),
        "progressive.jpg": jpeg(2, 2, half, frame=0xC2, app=turned),
        "arithmetic.jpg": jpeg(2, 2, color, frame=0xC9),
    }


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = sys.argv[1]

    def write(room, name, data):
        os.makedirs(os.path.join(folder, room), exist_ok=True)
        with open(os.path.join(folder, room, name), "wb") as file:
            file.write(data)

    pnms, jpegs = pnm_files(), jpeg_files()
    for name, data in {**pnms, **png_files(), **jpegs}.items():
        # The last byte is for the fuzzer: it asks for grey or colour.
        write("picture", "gray-" + name, data + b"\0")
        write("picture", "color-" + name, data + b"\1")
    # The first byte is for the fuzzer: it gives the size of the pieces.
    for name, data in {**pnms, **jpegs}.items():
        write("stream", "one-" + name, b"\x0f" + data)
    write("stream", "pnms", b"\xff" + b"".join(pnms[name] + b"\n" for name in sorted(pnms)))
    write("stream", "jpegs", b"\x02" + b"".join(jpegs[name] for name in sorted(jpegs)))
    write("stream", "mixed", b"\x40" + b"".join(p + j for p, j in zip(pnms.values(), jpegs.values())))
    # The bytes of `Detections` after the checksum. The fuzzer computes the checksum.
    counters = struct.pack("<4q", 7, 0, 0, 9) + struct.pack("<I2q", 2, 8, 1)
    for name, objects in (("none", []), ("two", [(1, -2, 3, 4, 1.5, 6), (9, 9, 0, 1, -2.0, 1)])):
        packed = b"".join(struct.pack("<4idi", *each) for each in objects)
        write("detections", name, struct.pack("<2iI", 640, 480, 3) + b"cpu" + counters +
              struct.pack("<I", len(objects)) + packed)
    # The bytes of saved objects after the checksum: none, one that is there, and one that is lost.
    patch = bytes(i * 37 % 251 for i in range(225))
    looks = struct.pack("<7I", 2, 5, 3, 1, 81919, 0, 2) + struct.pack("<IB", 1, 1) + patch + struct.pack("<I", 1) + patch[::-1]
    boxes = struct.pack("<12d", 10, 20, 30, 40, 20, 40, 60, 80, 21, 41, 60, 80)
    there = struct.pack("<2Q4i2d", 1, 100, 640, 360, 1, 163840, 99.5, 0.65) + boxes + struct.pack("<4d3B", 0.9, 0.8, 0.7, 1.5, 1, 1, 0) + looks
    lost = struct.pack("<2Q4i2d", 2, 0, 0, 0, 0, 163840, 9, 0.7) + boxes[:32] + bytes(64) + struct.pack("<4d3B", 0, 0, 0.6, 0, 0, 0, 2) + looks
    for name, objects in (("none", []), ("there", [there]), ("both", [there, lost])):
        write("objects", name, struct.pack("<I", len(objects)) + b"".join(objects))
    # Messages of ranks after the checksum, behind the number of parts.
    def text(words):
        return struct.pack("<I", len(words)) + words
    walk = b"\1\1" + text(b"walk.mp4") + text(b"walk.mp4")
    frame = b"\1" + walk + struct.pack("<qBdBBii", 3, 1, 0.12, 1, 0, 6, 4)
    record = text(b'{"source":"a.jpg"}\n') + struct.pack("<QiB", 2, 0, 1) + text(b"") + b"\0"
    failure = text(b"") + struct.pack("<QiB", 0, 0, 0) + text(b"") + b"\1" + b"\0\1" + text(b"no such thing") + text(b"a.jpg")
    level = struct.pack("<fd10iq", 1.0, 0.0, 22, 40, 2, 2, 0, 2, 2, 2, 20, 20, 0)
    for name, parts, body in (
            ("hello", 1, b"\0" + text(b"0.1.0") + struct.pack("<I", 2) + text(b"detect") + text(b"a.jpg") + struct.pack("<I", 1) + text(b"m")),
            ("ready", 0, b"\1\0\0"),
            ("pictures", 1, b"\2" + struct.pack("<I", 1) + b"\0\1\0" + text(b"a.jpg") + text(b"a.jpg")),
            ("frames", 1, b"\2" + struct.pack("<I", 2) + frame + b"\2"),
            ("end", 0, b"\3"),
            ("records", 0, b"\5" + text(b"") + struct.pack("<I", 2) + record + failure),
            ("done", 0, b"\6" + struct.pack("<qd", 64, 1.5)),
            ("rows", 1, b"\7" + struct.pack("<4iI", 1, 40, 2, 26, 1) + level),
            ("sifted", 0, b"\x08\0" + struct.pack("<Iqd4qI2q", 1, 3, 2.5, 4, 1, 0, 9, 2, 3, 1))):
        write("messages", name, bytes([parts]) + body)
    for name in ("make_model_seeds.py", "make_hog_seeds.py", "make_truth_seeds.py", "make_track_seeds.py", "make_pack_seeds.py"):
        maker = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
        if os.path.exists(maker):
            subprocess.run([sys.executable, "-B", maker, folder], check=True)


if __name__ == "__main__":
    main()
