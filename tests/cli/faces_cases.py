"""Tests of `faces`, and of landmarks in `convert`, `inspect` and `models`."""

import csv
import io
import json
import math
import struct

import scene
from runner import CommandTest

SQUARES = [(20, 15, 20), (90, 60, 40)]


def number(value):
    """A whole number as dlib's files hold it."""
    size = max(1, (abs(value).bit_length() + 7) // 8)
    return bytes([size | (0x80 if value < 0 else 0)]) + abs(value).to_bytes(size, "little")


def real(value):
    """A float as dlib writes it: a mantissa of 24 bits, less its zero bytes, and an exponent."""
    fraction, exponent = math.frexp(value)
    mantissa, exponent = int(fraction * 2**24), exponent - 24
    for _ in range(8):
        if mantissa & 0xFF == 0:
            mantissa, exponent = mantissa >> 8, exponent + 8
    return number(mantissa) + number(exponent)


def column(*values):
    return number(-len(values)) + number(-1) + b"".join(real(value) for value in values)


def points_file():
    """dlib's file with three points. Its tree goes right in every picture, and moves the first point by (1/4, 1/8)."""
    tree = (number(1) + number(0) + number(1) + real(300) + number(2) + column(9, 9, 9, 9, 9, 9)
            + column(0.25, 0.125, 0, 0, 0, 0))
    return (number(1) + column(0, 0, 1, 0.5, 0.5, 1) + number(1) + number(1) + tree + number(1) + number(2) + number(0)
            + number(1) + number(1) + number(2) + real(0) * 4)


class Faces(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("a.pgm", scene.Picture(160, 120, SQUARES).pgm())
        self.write("none.pgm", scene.Picture(60, 50, []).pgm())
        self.write("points.dat", points_file())

    def faces(self, *arguments, code=0, landmarks="points.dat"):
        result = self.run_command("faces", "-m", "square", "--landmarks", landmarks, *arguments)
        self.assertEqual(result.code, code, result.err)
        return result

    def test_line(self):
        line, empty = self.faces("a.pgm", "none.pgm").lines()
        self.assertEqual(list(line), ["source", "frame", "time", "width", "height", "model", "faces"])
        boxes = self.detect("a.pgm").objects()[0]
        self.assertEqual(empty["faces"], [])
        self.assertEqual(len(line["faces"]), len(boxes))
        for face, box in zip(line["faces"], boxes):
            self.assertEqual(list(face), ["x", "y", "width", "height", "score", "confidence", "points"])
            self.assertEqual([face[key] for key in ("x", "y", "width", "height", "score")],
                             [box[key] for key in ("x", "y", "width", "height", "score")])
            self.assertIsNone(face["confidence"])
            # The box is placed as for dlib's detector: enlarged by 1.08, moved by 0.02 and 0.055 of its side.
            side = box["width"] - 1
            left = box["x"] + side * 0.02 - side * 0.04
            top = box["y"] + side * 0.055 - side * 0.04
            wanted = [(0.25, 0.125), (1, 0.5), (0.5, 1)]
            for (x, y, confidence), (u, v) in zip(face["points"], wanted):
                self.assertIsNone(confidence)
                self.assertAlmostEqual(x, left + u * side * 1.08, delta=0.006)
                self.assertAlmostEqual(y, top + v * side * 1.08, delta=0.006)

    def test_summary_counts_faces(self):
        count = len(self.faces("a.pgm").lines()[0]["faces"])
        self.assertGreater(count, 1)
        self.assertIn(", %d faces, " % count, self.faces("a.pgm").err)
        self.assertIn(", 0 faces, ", self.faces("none.pgm").err)
        self.assertIn(", %d objects, " % count, self.detect("a.pgm").err)

    def test_csv(self):
        rows = list(csv.DictReader(io.StringIO(self.faces("a.pgm", "--format", "csv").out.decode())))
        faces = self.faces("a.pgm").lines()[0]["faces"]
        self.assertEqual(len(rows), len(faces))
        for row, face in zip(rows, faces):
            self.assertEqual([float(row["x2"]), float(row["y2"])], face["points"][2][:2])
            self.assertEqual([row["confidence"], row["c2"]], ["", ""])

    def test_same_bytes_whoever_does_the_work(self):
        for i, size in enumerate([(160, 120), (61, 43), (19, 19), (1, 1), (97, 200)]):
            self.write("set/%d.pgm" % i, scene.Picture(*size, squares=SQUARES).pgm())
        self.assertEqual(self.run_command("convert", "points.dat", "points.winnow", "--bits", "16").code, 0)
        for landmarks in ("points.dat", "points.winnow"):
            wanted = self.faces("set", "--quiet", "--backend", "reference", landmarks=landmarks).out
            for variant in (["--backend", "cpu", "--threads", "1"], ["--threads", "2"], ["--batch", "1"], ["--batch", "3"]):
                self.assertEqual(self.faces("set", "--quiet", *variant, landmarks=landmarks).out, wanted, variant)

    def test_copies(self):
        self.write("a.ppm", scene.Picture(160, 120, SQUARES).ppm())
        self.faces("a.ppm", "--out", "marked")
        self.detect("a.ppm", "--out", "boxes")
        self.faces("a.ppm", "--out", "blurred", "--blur")
        marked, boxes, blurred = (self.read(folder + "/a.ppm") for folder in ("marked", "boxes", "blurred"))
        self.assertEqual(len(marked), len(boxes))
        self.assertNotEqual(marked, boxes)
        self.assertNotEqual(blurred, boxes)

    def test_mistakes(self):
        self.assert_usage_error("faces", "a.pgm", "--points", "5", "--landmarks", "points.dat", says="exclude each other")
        self.assert_usage_error("faces", "a.pgm", "--points", "7", says="--points is 68 or 5, not 7")
        for least in ("-0.5", "1.5", "nan"):
            self.assert_usage_error("faces", "a.pgm", "--min-confidence", least, says="the least confidence must be from 0 to 1")
        self.assert_usage_error("faces", "a.pgm", "--landmarks", "points.dat", "--min-confidence", "0.5",
                                says="the landmarks have no confidence, so no face can have the least one")
        self.assert_usage_error("faces", "a.pgm", "--landmarks", "nowhere.dat", says="nowhere.dat")
        missing = self.assert_usage_error("faces", "a.pgm", "--landmarks", "nowhere.dat", says="there is no file 'nowhere.dat'")
        self.assertNotIn("square", missing.err)
        self.assert_usage_error("faces", "a.pgm", "--landmarks", "no/where.dat", says="--landmarks: no/where.dat: there is no such file")
        for landmarks in ("face", "square"):
            self.assert_usage_error("faces", "a.pgm", "--landmarks", landmarks, says="--landmarks wants a model that marks points")
        for command in (["faces", "--landmarks", "points.dat"], ["detect"], ["bench"]):
            self.assert_usage_error(*command, "a.pgm", "-m", "points.dat", says="marks 3 points")
        self.assertEqual(self.run_command("faces", "a.pgm", "--landmarks", "a.pgm").code, 1)
        self.write("cut.dat", points_file()[:-3])
        self.assertIn("cut.dat", self.run_command("faces", "a.pgm", "--landmarks", "cut.dat").err)

    def test_convert(self):
        def convert(*arguments):
            result = self.run_command("convert", *arguments)
            return result.code, result.out.decode() + result.err

        code, text = convert("points.dat", "points.winnow", "--finds", "face")
        self.assertEqual(code, 0, text)
        self.assertIn("1 tree", text)
        self.assertEqual(convert("points.winnow", "again.dat")[0], 0)
        self.assertEqual(self.read("again.dat"), points_file())
        self.assertEqual(convert("points.dat", "small.winnow", "--bits", "16")[0], 0)
        for arguments, says in ((("points.dat", "x.winnow", "--bits", "8"), "--bits is 16"),
                                (("square", "x.winnow", "--bits", "16"), "for landmarks"),
                                (("small.winnow", "x.dat"), "whole numbers"),
                                (("small.winnow", "y.winnow", "--bits", "16"), "already")):
            code, text = convert(*arguments)
            self.assertIn(code, (1, 2), arguments)
            self.assertIn(says, text)

    def test_inspect(self):
        text = self.run_command("inspect", "points.dat", "--out", "shape.png").out.decode()
        self.assertIn("landmarks by regression trees, 3 points", text)
        self.assertEqual(struct.unpack(">I", self.read("shape.png")[16:20])[0], 12 + 2 * 272)
        report = json.loads(self.run_command("inspect", "points.dat", "--json").out)
        self.assertEqual([report[key] for key in ("kind", "points", "stages", "trees", "pixels", "depth")],
                         ["landmarks", 3, 1, 1, 2, 1])
