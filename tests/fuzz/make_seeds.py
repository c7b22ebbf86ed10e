#!/usr/bin/env python3
"""Writes small files for the fuzzers to start from: make_seeds.py FOLDER

This program fills FOLDER/picture, FOLDER/stream, FOLDER/detections, FOLDER/objects and FOLDER/messages. It calls the
programs make_*_seeds.py beside it: make_heif_seeds.py adds to FOLDER/picture, and the others fill FOLDER/model,
FOLDER/hog, FOLDER/truth, FOLDER/track and FOLDER/pack. The bytes are the same every time. Only the standard library is
needed."""
import glob
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


# BMP

def bmp(width, height, bits, pixels, compression=0, masks=(), colors=0, header=40):
    palette = bytes(range(1, 1 + colors * (3 if header == 12 else 4)))
    at = 14 + header + len(palette) + (len(masks) * 4 if header == 40 else 0)
    out = b"BM" + struct.pack("<IIII", at + len(pixels), 0, at, header)
    if header == 12:
        return out + struct.pack("<HHHH", width, height, 1, bits) + palette + pixels
    out += struct.pack("<iiHHIIIIII", width, height, 1, bits, compression, 0, 2835, 2835, colors, 0)
    out += b"".join(struct.pack("<I", mask) for mask in masks)
    return out.ljust(14 + header, b"\x55") + palette + pixels


def bmp_files():
    some = bytes((x * 37) % 256 for x in range(200))
    return {
        "1.bmp": bmp(9, 3, 1, some[:12], colors=2),
        "2.bmp": bmp(5, 2, 2, some[:8], colors=4),
        "4.bmp": bmp(5, -3, 4, some[:12], colors=16),
        "8.bmp": bmp(3, 2, 8, some[:8], colors=20, header=124),
        "old8.bmp": bmp(3, 2, 8, some[:8], colors=9, header=12),
        "16.bmp": bmp(3, 2, 16, some[:16]),
        "24.bmp": bmp(3, 2, 24, some[:24], header=12),
        "32.bmp": bmp(2, 2, 32, some[:16]),
        "masks16.bmp": bmp(3, 1, 16, some[:8], 3, (0xF800, 0x7E0, 0x1F)),
        "masks32.bmp": bmp(2, 1, 32, some[:8], 6, (0xFF, 0x3FF00, 0xFF000000, 0xFC0000), header=124),
        "runs8.bmp": bmp(5, 3, 8, b"\x05\x01\0\0\0\x03\1\2\3\0\0\2\1\1\1\7\0\1", 1, colors=8),
        "runs4.bmp": bmp(6, 2, 4, b"\x05\x12\0\0\0\x06\x12\x31\x20\0\0\1", 2, colors=16),
    }


# GIF: codes of indexes, with the table cleared before codes become longer

def gif_frame(x, y, width, height, packed=0, colors=b""):
    codes, bits, count = bytearray(), 0, 0
    for i in range(width * height + 1):
        for code in ([4] if i % 2 == 0 else []) + [5 if i == width * height else i % 4]:
            bits |= code << count
            count += 3
            while count >= 8:
                codes.append(bits & 255)
                bits >>= 8
                count -= 8
    codes.append(bits & 255)
    out = b"," + struct.pack("<HHHHB", x, y, width, height, packed) + colors + b"\2"
    for at in range(0, len(codes), 255):
        out += bytes([len(codes[at:at + 255])]) + codes[at:at + 255]
    return out + b"\0"


def gif_files():
    colors = bytes(range(12))
    screen = b"GIF89a" + struct.pack("<HHBBB", 7, 9, 0x81, 1, 0) + colors
    control = b"!\xf9\4\5\0\0\3\0"
    return {
        "one.gif": b"GIF87a" + screen[6:] + gif_frame(0, 0, 7, 9) + b";",
        "part.gif": screen + gif_frame(1, 2, 3, 4, 0x81, colors[::-1]) + b";",
        "interlaced.gif": screen + gif_frame(0, 0, 7, 9, 0x40) + b";",
        "many.gif": screen + b"!\xfe\3abc\0" + (control + gif_frame(0, 0, 2, 2)) * 3 + b";",
        "long.gif": screen + b",\0\0\0\0\7\0\x09\0\0\2\7\x84\x8f\xa9\xcb\xed\x0f\x05\0;",
    }


# WebP: a lossless and a lossy picture, as libwebp packs them, alone and in an extended file

def webp_files():
    lossless = bytes.fromhex("5650384c140000002f038000000f30c8579019adf98f165421a2ff01")
    lossy = bytes.fromhex("565038204c0000003002009d012a0800060004006825b0027435c03f5001287e55a000f6bd5ee4ca460eec7ba26a"
                          "36237e2b895c757ee8e4c3b74c03fbf872e9b6b96af9bcf73247d351c28efa2fbe2f16e00000")

    def chunk(name, data):
        return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)

    def riff(chunks):
        return b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WEBP" + chunks

    def extended(flags, width, height):
        return chunk(b"VP8X", struct.pack("<IHBHB", flags, width - 1, 0, height - 1, 0))

    def frame(x, y, width, height, pixels):
        return chunk(b"ANMF", struct.pack("<HBHBHBHBHBB", x // 2, 0, y // 2, 0, width - 1, 0, height - 1, 0, 40, 0, 2) + pixels)

    background = chunk(b"ANIM", b"\1\2\3\xff\0\0")
    return {
        "lossless.webp": riff(lossless),
        "lossy.webp": riff(lossy),
        "turned.webp": riff(extended(8, 4, 3) + lossless + chunk(b"EXIF", exif(6))),
        "many.webp": riff(extended(2, 9, 8) + background + frame(2, 4, 4, 3, lossless) + frame(0, 0, 8, 6, lossy)),
    }


# TIFF

def tiff(width, height, bits, samples, photometric, data, order="<", compression=1, tile=0, extra=(), pages=1):
    out = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(order + "I", 8)
    for page in range(pages):
        begin = len(out)
        tags = [(256, 4, 1, width), (257, 4, 1, height), (258, 3, 1, bits), (259, 3, 1, compression), (262, 3, 1, photometric),
                (277, 3, 1, samples), *extra]
        tags += [(322, 3, 1, tile), (323, 3, 1, tile), (324, 4, 1, 0), (325, 4, 1, len(data))] if tile else \
            [(273, 4, 1, 0), (278, 4, 1, height), (279, 4, 1, len(data))]
        behind = begin + 2 + 12 * len(tags) + 4
        out += struct.pack(order + "H", len(tags))
        for tag, kind, count, value in sorted(tags):
            if tag in (273, 324):
                value = behind
            packed = struct.pack(order + "HH", value, 0) if kind == 3 and count == 1 else struct.pack(order + "I", value)
            out += struct.pack(order + "HHI", tag, kind, count) + packed
        following = behind + len(data)
        out += struct.pack(order + "I", following if page + 1 < pages else 0) + data
    return out


def tiff_files():
    some = bytes((x * 37) % 256 for x in range(1024))
    return {
        "gray8.tif": tiff(5, 4, 8, 1, 1, some[:20]),
        "gray16.tif": tiff(5, 4, 16, 1, 0, some[:40], ">"),
        "bits.tif": tiff(17, 3, 1, 1, 0, some[:9]),
        "rgb.tif": tiff(4, 3, 8, 3, 2, some[:36], extra=[(274, 3, 1, 6)]),
        "cmyk.tif": tiff(4, 3, 8, 4, 5, some[:48]),
        "lab.tif": tiff(4, 3, 8, 3, 8, some[:36]),
        "tile.tif": tiff(12, 10, 8, 1, 1, some[:256], tile=16),
        "packed.tif": tiff(8, 2, 8, 1, 1, b"\xf9\7\7\1\2\3\4\5\6\7\x08", compression=32773),
        "deflate.tif": tiff(8, 2, 8, 1, 1, zlib.compress(some[:16]), compression=8),
        "lzw.tif": tiff(2, 1, 8, 1, 1, b"\x80\x0b\x60\x50\x22", compression=5),
        "pages.tif": tiff(5, 4, 8, 1, 1, some[:20], pages=3),
    }


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

    pnms, jpegs, pngs = pnm_files(), jpeg_files(), png_files()
    for name, data in {**pnms, **pngs, **jpegs, **bmp_files(), **gif_files(), **webp_files(), **tiff_files()}.items():
        # The last byte is for the fuzzer: it asks for grey or colour.
        write("picture", "gray-" + name, data + b"\0")
        write("picture", "color-" + name, data + b"\1")
    # The first byte is for the fuzzer: it gives the size of the pieces.
    for name, data in {**pnms, **jpegs, **pngs}.items():
        write("stream", "one-" + name, b"\x0f" + data)
    write("stream", "pnms", b"\xff" + b"".join(pnms[name] + b"\n" for name in sorted(pnms)))
    write("stream", "jpegs", b"\x02" + b"".join(jpegs[name] for name in sorted(jpegs)))
    write("stream", "mixed", b"\x40" + b"".join(p + j + g for p, j, g in zip(pnms.values(), jpegs.values(), pngs.values())))
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
    record = text(b'{"source":"a.jpg"}\n') + struct.pack("<QiBq", 2, 0, 1, 3) + text(b"") + b"\0"
    failure = text(b"") + struct.pack("<QiBq", 0, 0, 0, 0) + text(b"") + b"\1" + b"\0\1" + text(b"no such thing") + text(b"a.jpg")
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
    for maker in sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "make_*_seeds.py"))):
        subprocess.run([sys.executable, "-B", maker, folder], check=True)


if __name__ == "__main__":
    main()
