#!/usr/bin/env python3
"""Writes small models, in OpenCV's, dlib's and Winnow's own formats, to <dir>/model/, for fuzz_model to start from.

usage: make_model_seeds.py DIR
"""
import pathlib
import struct
import sys

HAAR = [
    ("0 8 20 12 -1.", "0 14 20 6 2."),
    ("9 1 4 15 -1.", "9 6 4 5 3."),
    ("0 0 20 20 -1.", "0 0 10 10 2.", "10 10 10 10 2."),
]
TILTED = ("8 1 4 6 -1.", "8 1 2 6 2.")
SUBSET = "-1 0 1 2147483647 -2147483648 5 6 7"


def items(values, indent=""):
    return "\n".join(f"{indent}<_>\n{indent}  {value}</_>" for value in values)


def haar_feature(rects, tilted):
    return f"<rects>\n{items(rects)}</rects>\n<tilted>{int(tilted)}</tilted>"


def new_format(kind, trees, features):
    """`trees` is a list of stages. Each stage is a list of (nodes, leaves)."""
    stages = []
    for stage in trees:
        weak = items(f"<internalNodes>\n{nodes}</internalNodes>\n<leafValues>\n{leaves}</leafValues>" for nodes, leaves in stage)
        stages.append(f"<maxWeakCount>{len(stage)}</maxWeakCount>\n<stageThreshold>-1.4562760591506958e+00</stageThreshold>\n"
                      f"<weakClassifiers>\n{weak}</weakClassifiers>")
    return f"""<?xml version="1.0"?>
<!-- A seed. -->
<opencv_storage>
<cascade type_id="opencv-cascade-classifier"><stageType>BOOST</stageType>
<featureType>{kind}</featureType>
<height>20</height>
<width>20</width>
<stageParams><maxWeakCount>2</maxWeakCount></stageParams>
<featureParams><maxCatCount>{256 if kind == "LBP" else 0}</maxCatCount></featureParams>
<stageNum>{len(stages)}</stageNum>
<stages>
{items(stages)}</stages>
<features>
{items(features)}</features></cascade>
</opencv_storage>
"""


def old_node(rects, tilted, left, right):
    return (f"<feature>\n{haar_feature(rects, tilted)}</feature>\n<threshold>1.6915600746870041e-002</threshold>\n"
            f"<left_{left[0]}>{left[1]}</left_{left[0]}>\n<right_{right[0]}>{right[1]}</right_{right[0]}>")


def old_format(trees):
    stages = []
    for index, stage in enumerate(trees):
        stages.append(f"<!-- stage {index} -->\n<trees>\n{items(items(tree) for tree in stage)}</trees>\n"
                      f"<stage_threshold>-2.0683259963989258e+000</stage_threshold>\n<parent>{index - 1}</parent>\n<next>-1</next>")
    return f"""<?xml version="1.0"?>
<opencv_storage>
<seed type_id="opencv-haar-classifier">
<size>
20 20</size>
<stages>
{items(stages)}</stages></seed>
</opencv_storage>
"""


class Buffer:
    """A FlatBuffer laid out by hand from front to back. An offset is filled in when its target is placed."""

    def __init__(self):
        self.bytes = bytearray(struct.pack("<I4s", 0, b"WNCS"))

    def align(self):
        self.bytes += bytes(-len(self.bytes) % 4)

    def point(self, where):
        struct.pack_into("<I", self.bytes, where, len(self.bytes) - where)

    def table(self, where, layout):
        """`layout` has struct formats and values in the order of the fields. Returns the places of the fields."""
        self.align()
        vtable = len(self.bytes)
        # Wide fields come first, so that all are aligned.
        fields = sorted(range(len(layout)), key=lambda i: -struct.calcsize("<" + layout[i][0]))
        offsets, size = [0] * len(layout), 4
        for i in fields:
            offsets[i] = size
            size += struct.calcsize("<" + layout[i][0])
        self.bytes += struct.pack(f"<{2 + len(layout)}H", 4 + 2 * len(layout), size, *offsets)
        self.align()
        if layout and struct.calcsize("<" + layout[fields[0]][0]) == 8 and len(self.bytes) % 8 == 0:
            self.bytes += bytes(4)
        self.point(where)
        start = len(self.bytes)
        self.bytes += bytes(size)
        struct.pack_into("<i", self.bytes, start, start - vtable)
        for offset, (code, value) in zip(offsets, layout):
            struct.pack_into("<" + code, self.bytes, start + offset, value)
        return [start + offset for offset in offsets]

    def vector(self, where, element, rows):
        self.align()
        self.point(where)
        self.bytes += struct.pack("<I", len(rows)) + b"".join(struct.pack("<" + element, *row) for row in rows)

    def string(self, where, text):
        self.vector(where, "B", [(byte,) for byte in text.encode()])
        self.bytes += b"\0"


def own_format(kind):
    """Two stumps and a tree of two nodes."""
    buffer = Buffer()
    at = buffer.table(0, [("I", 1), ("B", kind), ("i", 20), ("i", 20)] + [("I", 0)] * 10)
    buffer.vector(at[4], "If", [(2, -1.0), (1, 0.5)])
    buffer.vector(at[5], "I", [(1,), (1,), (2,)])
    threshold = 0.0 if kind else 0.25
    buffer.vector(at[6], "iiif", [(0, -1, 0, threshold), (-1, 0, 1, threshold), (1, 0, 0, threshold), (-1, -2, 1, threshold)])
    buffer.vector(at[7], "f", [(value / 8,) for value in range(7)])
    buffer.vector(at[8], "8i", [tuple(range(8))] * 4 if kind else [])
    buffer.vector(at[9], "4hf4hf4hfI", [] if kind else [(0, 8, 20, 12, -1, 0, 14, 20, 6, 2, 0, 0, 0, 0, 0, 0),
                                                       (8, 1, 4, 6, -1, 8, 1, 2, 6, 2, 0, 0, 0, 0, 0, 1)])
    buffer.vector(at[10], "4h", [(0, 0, 6, 6), (3, 6, 1, 3)] if kind else [])
    buffer.table(at[11], [("B", 0), ("B", 0), ("B", 0), ("B", kind), ("?", True), ("f", 1e-5)])
    card = buffer.table(at[12], [("I", 0)] * 4)
    for place, text in zip(card, ["seed", "", "made by hand", "none"]):
        buffer.string(place, text)
    buffer.vector(at[13], "I", [(0,)])
    buffer.string(len(buffer.bytes) - 4, "A note.")
    return bytes(buffer.bytes)


def own_mixed():
    """Two tables, then two stumps of LBP features, under one sum."""
    buffer = Buffer()
    at = buffer.table(0, [("I", 3), ("B", 0), ("i", 20), ("i", 20)] + [("I", 0)] * 11)
    buffer.vector(at[4], "If", [(2, -1.0), (1, 0.5), (1, -0.25)])
    buffer.vector(at[5], "I", [(1,), (1,)])
    buffer.vector(at[6], "iiif", [(0, -1, 1, 0.0), (0, -1, 0, 0.0)])
    buffer.vector(at[7], "f", [(value / 8,) for value in range(4)])
    buffer.vector(at[8], "8i", [tuple(range(8))] * 2)
    buffer.vector(at[9], "4hf4hf4hfI", [(0, 8, 20, 12, -1, 0, 14, 20, 6, 2, 0, 0, 0, 0, 0, 0)])
    buffer.vector(at[10], "4h", [(0, 0, 6, 6), (3, 6, 1, 3)])
    buffer.table(at[11], [("B", 0), ("B", 0), ("B", 0), ("B", 0), ("?", False), ("f", 0.0), ("B", 1)])
    card = buffer.table(at[12], [("I", 0)] * 4)
    for place, text in zip(card, ["seed", "", "made by hand", "none"]):
        buffer.string(place, text)
    buffer.vector(at[13], "I", [])
    buffer.vector(at[14], "iff16h", [(0, -0.5, 16.0, *range(16)), (0, 0.0, 1.0, *range(-8, 8))])
    return bytes(buffer.bytes)


def own_blocks():
    """A cascade of two HOG blocks in a window of 16x16, with its mean."""
    buffer = Buffer()
    at = buffer.table(0, [("I", 4), ("B", 2), ("I", 0), ("I", 0), ("I", 0)])
    blocks = buffer.table(at[2], [("q", 16 | 16 << 32), ("i", 4), ("i", 8)] + [("I", 0)] * 6 + [("i", 100), ("I", 0)])
    buffer.vector(blocks[3], "4B", [(0, 0, 1, 2), (1, 0, 1, 1)])
    buffer.vector(blocks[4], "h", [(value * 9,) for value in range(-36, 36)])
    buffer.vector(blocks[5], "f", [(-900.5,), (-1000,)])
    buffer.vector(blocks[6], "f", [(0.01,), (0.02,)])
    buffer.vector(blocks[7], "h", [(value,) for value in range(-32, 32)])
    buffer.vector(blocks[8], "i", [(-(1 << 30),), (-9,)])
    buffer.vector(blocks[10], "B", [(value,) for value in range(256)])
    card = buffer.table(at[3], [("I", 0)] * 4)
    for place, text in zip(card, ["seed", "", "made by hand", "none"]):
        buffer.string(place, text)
    buffer.vector(at[4], "I", [])
    return bytes(buffer.bytes)


def hog_svm():
    """A linear SVM of one block of four cells with two bins, as OpenCV's HOGDescriptor is saved."""
    return """<?xml version="1.0"?>
<opencv_storage>
<people type_id="opencv-object-detector-hog">
<winSize>16 16</winSize><blockSize>16 16</blockSize><blockStride>8 8</blockStride><cellSize>8 8</cellSize>
<nbins>2</nbins><derivAperture>1</derivAperture><winSigma>-1.</winSigma><histogramNormType>0</histogramNormType>
<L2HysThreshold>2.0000000000000001e-01</L2HysThreshold><gammaCorrection>1</gammaCorrection><nlevels>64</nlevels>
<signedGradient>0</signedGradient>
<SVMDetector>1. -.5 .25 1e-3 0. 2. -3. 4. -1.</SVMDetector></people>
</opencv_storage>
"""


def dlib_points():
    """dlib's shape_predictor with two points, a stage, a tree of one split, and two pixels."""
    def number(value):
        size = max(1, (abs(value).bit_length() + 7) // 8)
        return bytes([size | (0x80 if value < 0 else 0)]) + abs(value).to_bytes(size, "little")

    def real(mantissa, exponent):
        return number(mantissa) + number(exponent)

    def column(*values):
        return number(-len(values)) + number(-1) + b"".join(real(*value) for value in values)

    leaf = column((1, -5), (-3, -6), (0, 0), (5, -7))
    tree = number(1) + number(0) + number(1) + real(25, -1) + number(2) + leaf + leaf
    stage = number(1) + tree
    offsets = number(2) + real(1, -3) + real(0, 0) + real(-1, -2) + real(1, -4)
    return (number(1) + column((1, -2), (1, -1), (3, -2), (1, -1)) + number(1) + stage
            + number(1) + number(2) + number(0) + number(1) + number(1) + offsets)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1]) / "model"
    folder.mkdir(parents=True, exist_ok=True)
    upright = [haar_feature(rects, False) for rects in HAAR]
    stumps = [[("0 -1 0 .125", "-1. 1.")], [("0 -1 1 -1e-3", "5 .5"), ("-1 0 2 0.", "0. -0.")]]
    deep = [[("2 1 0 .5\n0 -1 1 .25\n-2 -3 2 1.", "-1. 1. 2. -2.")], [("0 -1 3 1e-2", "1 2")]]
    lbp = [[(f"0 -1 0 {SUBSET}", "-.5 .5")], [(f"1 0 0 {SUBSET}\n-1 -2 1 {SUBSET}", ".1 .2 .3")]]
    one = old_node(HAAR[0], False, ("val", "-.5"), ("val", "1.5"))
    root = old_node(HAAR[2], False, ("val", ".25"), ("node", "1"))
    seeds = {
        "new_stumps.xml": new_format("HAAR", stumps, upright),
        "new_trees.xml": new_format("HAAR", deep, upright + [haar_feature(TILTED, True)]),
        "new_lbp.xml": new_format("LBP", lbp, ["<rect>\n0 0 6 6</rect>", "<rect>\n3 6 1 3</rect>"]),
        "old_stumps.xml": old_format([[[one]], [[one], [one]]]),
        "old_trees.xml": old_format([[[root, old_node(TILTED, True, ("val", "1"), ("val", "2"))]]]),
    }
    seeds["hog.xml"] = hog_svm()
    for name, text in seeds.items():
        (folder / name).write_text(text)
    (folder / "points.dat").write_bytes(dlib_points())
    (folder / "own_haar.winnow").write_bytes(own_format(0))
    (folder / "own_lbp.winnow").write_bytes(own_format(1))
    (folder / "own_mixed.winnow").write_bytes(own_mixed())
    (folder / "own_blocks.winnow").write_bytes(own_blocks())


if __name__ == "__main__":
    main()
