"""Draws and writes pictures, videos and a small cascade with the standard library only."""

import struct
import zlib

# A cascade of one stump. It finds windows of 20 x 20 whose middle is bright and whose border is darker.
CASCADE = """<?xml version="1.0"?>
<opencv_storage>
<cascade type_id="opencv-cascade-classifier">
  <stageType>BOOST</stageType>
  <featureType>HAAR</featureType>
  <height>20</height>
  <width>20</width>
  <stageParams><boostType>GAB</boostType><minHitRate>0.995</minHitRate><maxFalseAlarm>0.5</maxFalseAlarm>
    <weightTrimRate>0.95</weightTrimRate><maxDepth>1</maxDepth><maxWeakCount>1</maxWeakCount></stageParams>
  <featureParams><maxCatCount>0</maxCatCount><featSize>1</featSize><mode>BASIC</mode></featureParams>
  <stageNum>1</stageNum>
  <stages>
    <_>
      <maxWeakCount>1</maxWeakCount>
      <stageThreshold>0.5</stageThreshold>
      <weakClassifiers>
        <_><internalNodes>0 -1 0 1.5</internalNodes><leafValues>-1. 1.25</leafValues></_>
      </weakClassifiers>
    </_>
  </stages>
  <features>
    <_><rects><_>0 0 20 20 -1.</_><_>5 5 10 10 4.</_></rects><tilted>0</tilted></_>
  </features>
</cascade>
</opencv_storage>
"""

# A HOG SVM whose window of 16 x 24 is upright, like those for people.
UPRIGHT = """<?xml version="1.0"?>
<opencv_storage>
<upright type_id="opencv-object-detector-hog">
<winSize>16 24</winSize><blockSize>16 16</blockSize><blockStride>8 8</blockStride><cellSize>8 8</cellSize>
<nbins>2</nbins><L2HysThreshold>0.2</L2HysThreshold><gammaCorrection>1</gammaCorrection>
<SVMDetector>1. -.5 .25 1e-3 0. 2. -3. 4. 1. -.5 .25 1e-3 0. 2. -3. 4. -1.</SVMDetector></upright>
</opencv_storage>
"""


# A HOG SVM of one block in a window of 16 x 16, which finds a place whose left half is darker.
HOG = """%YAML:1.0
---
edge: !!opencv-object-detector-hog
   winSize: [ 16, 16 ]
   blockSize: [ 16, 16 ]
   blockStride: [ 8, 8 ]
   cellSize: [ 8, 8 ]
   nbins: 2
   winSigma: -1.
   L2HysThreshold: 0.20000000000000001
   gammaCorrection: 1
   SVMDetector: [ 1., -1., 1., -1., 1., -1., 1., -1., -0.25 ]
"""


class Picture:
    """A grey picture with bright squares, on a gentle slope so that no window is flat."""

    def __init__(self, width, height, squares=()):
        self.width, self.height = width, height
        self.rows = [bytearray((20 + (x + y) // 16 + (x * 7 + y * 13) % 5) & 255 for x in range(width))
                     for y in range(height)]
        for x, y, size in squares:
            for row in self.rows[max(y, 0):y + size]:
                row[max(x, 0):x + size] = bytes([220]) * (min(x + size, width) - max(x, 0))

    def crop(self, x, y, width, height):
        crop = Picture(0, 0)
        crop.rows = [row[x:x + width] for row in self.rows[y:y + height]]
        crop.width, crop.height = width, height
        return crop

    def pixels(self):
        return b"".join(self.rows)

    def pgm(self):
        return b"P5\n%d %d\n255\n" % (self.width, self.height) + self.pixels()

    def ppm(self):
        color = bytes(value for row in self.rows for pixel in row for value in (pixel, pixel, pixel))
        return b"P6\n%d %d\n255\n" % (self.width, self.height) + color

    def png(self):
        def chunk(name, data):
            return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 0, 0, 0, 0)
        data = zlib.compress(b"".join(b"\0" + bytes(row) for row in self.rows))
        return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")

    def bmp(self):
        padding = bytes(-self.width % 4)
        palette = b"".join(bytes([i, i, i, 0]) for i in range(256))
        header = struct.pack("<IiiHHIIiiII", 40, self.width, self.height, 1, 8, 0, 0, 2835, 2835, 256, 0)
        data = b"".join(bytes(row) + padding for row in reversed(self.rows))
        return b"BM" + struct.pack("<III", 54 + 1024 + len(data), 0, 54 + 1024) + header + palette + data

    def gif(self, frames=1):
        """The table of codes is cleared before codes of 10 bits are needed."""
        palette = b"".join(bytes([i, i, i]) for i in range(256))
        codes, clear, end = [], 256, 257
        for i, pixel in enumerate(self.pixels()):
            codes += [clear, pixel] if i % 200 == 0 else [pixel]
        bits = "".join(format(code, "09b")[::-1] for code in codes + [end])
        packed = bytes(int(bits[i:i + 8][::-1], 2) for i in range(0, len(bits), 8))
        blocks = b"".join(bytes([len(packed[i:i + 255])]) + packed[i:i + 255] for i in range(0, len(packed), 255))
        frame = b"," + struct.pack("<HHHHB", 0, 0, self.width, self.height, 0) + b"\x08" + blocks + b"\0"
        head = b"GIF89a" + struct.pack("<HHBBB", self.width, self.height, 0xF7, 0, 0)
        return head + palette + frame * frames + b";"


def y4m(pictures, rate=10):
    """An uncompressed video that FFmpeg reads. Its sides must be even."""
    first = pictures[0]
    gray = bytes([128]) * (first.width * first.height // 2)
    data = b"YUV4MPEG2 W%d H%d F%d:1 Ip A1:1 C420jpeg\n" % (first.width, first.height, rate)
    return data + b"".join(b"FRAME\n" + picture.pixels() + gray for picture in pictures)


def read_pnm(data):
    """Returns (kind, width, height, pixels) of a binary PNM without comments."""
    kind, width, height = data.split(maxsplit=3)[:3]
    size = int(width) * int(height) * (3 if kind == b"P6" else 1)
    assert len(data) > size
    return kind, int(width), int(height), data[-size:]


def png_size(data):
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", data[16:24])
