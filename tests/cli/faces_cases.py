"""Tests of `faces`, and of landmarks in `convert`, `inspect` and `models`."""

import csv
import io
import json
import math
import re
import shutil
import struct
import subprocess

import scene
from runner import DATA, CommandTest, need_file

SQUARES = [(20, 15, 20), (90, 60, 40)]
# Finds level stripes of two pixels. A blur leaves none.
STRIPES = scene.CASCADE.replace("<_>0 0 20 20 -1.</_><_>5 5 10 10 4.</_>",
                                "<_>5 4 10 8 -1.</_><_>5 4 10 2 2.</_><_>5 8 10 2 2.</_>").replace("0 -1 0 1.5", "0 -1 0 0.12")


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


def points_file(mean=(0, 0, 1, 0.5, 0.5, 1), move=(0.25, 0.125)):
    """dlib's file with three points. Its tree goes right in every picture, and moves the first point."""
    tree = (number(1) + number(0) + number(1) + real(300) + number(2) + column(9, 9, 9, 9, 9, 9)
            + column(*move, 0, 0, 0, 0))
    return (number(1) + column(*mean) + number(1) + number(1) + tree + number(1) + number(2) + number(0)
            + number(1) + number(1) + number(2) + real(0) * 4)


class Faces(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("a.pgm", scene.Picture(160, 120, SQUARES).pgm())
        self.write("none.pgm", scene.Picture(60, 50, []).pgm())
        self.write("points.dat", points_file())
        # Points near the corners of a square in its box, which flow carries.
        self.write("corners.dat", points_file((0.25, 0.25, 0.75, 0.25, 0.25, 0.75), (0, 0)))

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

    def walk(self, count, first=0):
        """Frames in which a square moves to the right, and another goes away after the fourth frame."""
        for i in range(first, first + count):
            yield scene.Picture(160, 120, [(20 + 2 * i, 15, 24), *([(90, 70, 36)] if i < 4 else [])])

    def follow(self, frames, *arguments, code=0):
        stream = b"".join(frame.pgm() for frame in frames)
        result = self.run_command("faces", "-m", "square", "--landmarks", "corners.dat", "-", *arguments, stdin=stream)
        self.assertEqual(result.code, code, result.err)
        return result

    def test_faces_of_a_stream_have_ids_and_states(self):
        lines = self.follow(self.walk(14)).lines()
        self.assertEqual([line["frame"] for line in lines], list(range(14)))
        for line in lines:
            for face in line["faces"]:
                self.assertEqual(list(face), ["id", "state", "x", "y", "width", "height", "score", "confidence", "points"])
        states = [{face["id"]: face["state"] for face in line["faces"]} for line in lines]
        first = [state[1] for state in states]
        self.assertEqual([first[0], first[10]], ["found", "found"], "the frames that are searched in any case")
        self.assertEqual(set(first), {"found", "tracked"})
        second = [state.get(2) for state in states]
        gone = second.index("lost")
        self.assertIn(gone, (4, 5, 6))
        self.assertNotIn("lost", second[:gone])
        self.assertEqual(second[gone + 1:], [None] * (13 - gone), "it is told once")
        last, lost = (next(face for face in lines[i]["faces"] if face["id"] == 2) for i in (gone - 1, gone))
        for field in ("x", "y", "width", "height", "score", "points"):
            self.assertEqual(lost[field], last[field])

    def test_options_of_following(self):
        each = self.follow(self.walk(8), "--detect-every", "1").lines()
        self.assertEqual([line["faces"][0]["state"] for line in each], ["found"] * 8)
        frames = [*self.walk(3), scene.Picture(160, 120), scene.Picture(160, 120), *self.walk(3, first=3)]
        ids = [max((face["id"] for face in line["faces"]), default=0) for line in self.follow(frames).lines()]
        no_gap = [max((face["id"] for face in line["faces"]), default=0)
                  for line in self.follow(frames, "--gap", "0").lines()]
        self.assertEqual(max(ids), 2)
        self.assertGreater(max(no_gap), 2)
        steady = self.follow(self.walk(8), "--smooth", "1").lines()
        self.assertNotEqual(steady, self.follow(self.walk(8)).lines())
        thinned = self.follow(self.walk(9), "--every", "3").lines()
        self.assertEqual([line["frame"] for line in thinned], [0, 3, 6])
        self.assertEqual([line["faces"] for line in thinned],
                         [line["faces"] for line in self.follow([*self.walk(9)][::3]).lines()])

    def test_points_between_searches(self):
        """A spot wanders down from the second point. Flow takes the point along, and a fit does not."""
        frames = []
        for i, frame in enumerate(self.walk(9, first=4)):
            top, left = 16 + max(0, i - 3), 46 + 2 * i
            for row in frame.rows[top:top + 5]:
                row[left:left + 5] = bytes([90] * 5)
            frames.append(frame)
        steady, fit, carry = (self.follow(frames, "--between", word).lines() for word in ("steady", "fit", "carry"))
        self.assertEqual(steady, self.follow(frames).lines())
        slopes = []
        for lines in (steady, fit, carry):
            self.assertEqual([face["state"] for face in lines[-1]["faces"]], ["tracked"])
            first, second, _ = lines[-1]["faces"][0]["points"]
            slopes.append(second[1] - first[1])
        self.assertEqual(slopes[1], 0)
        self.assertGreater(slopes[2], 1)
        self.assertTrue(0.2 < slopes[0] < slopes[2] - 0.2, slopes)

    def late(self):
        """Frames in which a square comes in frame 5. Frames 0 to 2 of a video are searched in any case."""
        return [*[scene.Picture(160, 120)] * 5, *self.walk(7)]

    @staticmethod
    def first_found(lines):
        return next(line["frame"] for line in lines if line["faces"])

    def test_a_stream_is_searched_until_a_face_is_found(self):
        for arguments, first in (([], 5), (["--until-found", "yes"], 5), (["--until-found", "no"], 10),
                                 (["--until-found", "no", "--detect-every", "4"], 8)):
            self.assertEqual(self.first_found(self.follow(self.late(), *arguments).lines()), first, arguments)

    def test_a_video_is_not_searched_until_a_face_is_found(self):
        self.need_video()
        self.write("late.y4m", scene.y4m(self.late()))
        for arguments, first in (([], 10), (["--until-found", "yes"], 5), (["--until-found", "no"], 10)):
            lines = self.faces("late.y4m", *arguments, landmarks="corners.dat").lines()
            self.assertEqual(self.first_found(lines), first, arguments)

    def test_ids_of_pictures_and_streams(self):
        stream = b"".join(frame.pgm() for frame in self.walk(4))
        rows = list(csv.DictReader(io.StringIO(self.run_command(
            "faces", "-m", "square", "--landmarks", "corners.dat", "a.pgm", "-", "a.pgm", "--format", "csv",
            stdin=stream).out.decode())))
        kinds = {row["source"]: set() for row in rows}
        for row in rows:
            kinds[row["source"]].add((row["id"], row["state"]))
        self.assertEqual(kinds["a.pgm"], {("", "")})
        self.assertEqual(kinds["-"], {("1", "found"), ("2", "found"), ("1", "tracked"), ("2", "tracked")})
        for options in (["--detect-every", "2"], ["--smooth", "1"], ["--gap", "0"], ["--between", "fit"], ["--until-found", "yes"]):
            self.assertEqual(self.faces("a.pgm", *options).out, self.faces("a.pgm").out, "no effect on pictures")

    def test_followed_faces_are_the_same_whoever_does_the_work(self):
        frames = [*self.walk(25)]
        wanted = self.follow(frames, "--quiet", "--backend", "reference").out
        for variant in (["--backend", "cpu", "--threads", "1"], ["--threads", "2"], ["--batch", "1"], ["--batch", "7"]):
            self.assertEqual(self.follow(frames, "--quiet", *variant).out, wanted, variant)

    def test_the_summary_counts_a_followed_face_once(self):
        result = self.follow(self.walk(6), "--timing")
        self.assertEqual({face["id"] for line in result.lines() for face in line["faces"]}, {1, 2})
        self.assertRegex(result.err, r"6 pictures, 2 faces, .* pictures/s; time per picture: median [0-9.]+ ms, ")
        several = self.run_command("faces", "-m", "square", "--landmarks", "corners.dat", "a.pgm", "-", "a.pgm",
                                   stdin=b"".join(frame.pgm() for frame in self.walk(3)))
        single = len(self.faces("a.pgm").lines()[0]["faces"])
        self.assertIn("5 pictures, %d faces, " % (2 * single + 2), several.err)
        for line in result.lines():
            self.assertGreater(line["seconds"], 0)
            self.assertIn(line["backend"], ("reference", "cpu", "cuda"))

    def test_copies_of_a_stream_show_ids(self):
        self.follow(self.walk(6), "--out", "marked")
        self.follow(self.walk(6), "--out", "blurred", "--blur")
        self.run_command("detect", "-m", "square", "-", "--out", "boxes", stdin=b"".join(f.pgm() for f in self.walk(6)))
        marked = [self.read("marked/stream-%06d.jpg" % i) for i in range(6)]
        self.assertEqual(len(self.files("marked")), 6)
        self.assertNotEqual(marked, [self.read("boxes/stream-%06d.jpg" % i) for i in range(6)])

    def striped_walk(self, count, unseen=(), visit=(), negative=()):
        """Frames with a striped square that moves to the right. In those of `unseen` no search finds it.

        In those of `negative`, flow loses it, too. Another square is there in the frames of `visit` only.
        """
        for i in range(count):
            picture = scene.Picture(160, 120)
            for row in picture.rows if i in unseen else []:
                row[:] = bytes([170 + x % 3 for x in range(160)])
            for left, top in [(20 + 2 * i, 16), *([(110, 76)] if i in visit else [])]:
                for y in range(top, top + 24):
                    picture.rows[y][left:left + 24] = bytes([120 if y & 2 else 220] * 24)
            for row in picture.rows if i in negative else []:
                row[:] = bytes(255 - value for value in row)
            yield picture

    def stripes(self, source, *arguments):
        """How many windows of each frame have stripes."""
        self.write("stripes.xml", STRIPES)
        lines = self.run_command("detect", "-m", "stripes.xml", "--raw", "--max-size", "20x20", source, *arguments).lines()
        return [len(line["objects"]) for line in lines]

    def test_a_blurred_stream_is_late(self):
        frames = [*self.striped_walk(42, negative=range(12, 36))]
        for i, frame in enumerate(frames):
            self.write("in/%02d.pgm" % i, frame.pgm())
        self.assertGreater(min(self.stripes("in")), 0)
        self.assertEqual(self.detect("in/12.pgm").objects(), [[]])
        result = self.follow(frames, "--out", "blurred", "--blur", "--gap", "26")
        self.assertIn("standard input: cannot be read again: its blurred copy is 26 frames late", result.err)
        self.assertEqual(self.files("blurred"), ["stream-%06d.jpg" % i for i in range(42)])
        self.assertEqual(self.stripes("blurred"), [0] * 42)
        self.assertEqual(self.follow(frames, "--out", "again", "--blur", "--quiet").err, "")

    def test_a_blurred_video_is_read_twice(self):
        self.need_video()
        frames = [*self.striped_walk(20, unseen=(0, 1, 8, 9, 10, 11, 12), visit=(14, 15, 16, 17))]
        self.write("walk.y4m", scene.y4m(frames))
        self.assertGreater(min(self.stripes("walk.y4m")), 0)
        plain = self.faces("walk.y4m", "a.pgm", "--detect-every", "3", landmarks="corners.dat")
        result = self.faces("walk.y4m", "a.pgm", "--out", "blurred", "--blur", landmarks="corners.dat")
        self.assertNotIn("late", result.err)
        covers = [line.pop("covers") for line in result.lines()]
        lines = result.lines()
        for line in lines:
            line.pop("covers")
            line.pop("copy")
        self.assertEqual(lines, plain.lines())
        self.assertTrue(all(covers))
        whys = {cover["why"] for each in covers for cover in each}
        self.assertLessEqual({"found", "carried"}, whys)
        self.assertEqual([cover["why"] for cover in covers[-1]], ["found"] * len(lines[-1]["faces"]))
        one = self.faces("walk.y4m", "--out", "one", "--blur", "--threads", "1", "--batch", "1", landmarks="corners.dat")
        self.assertEqual(one.out.replace(b"one/", b"blurred/"), result.out[:len(one.out) + 4 * one.out.count(b"\n")])
        table = self.faces("walk.y4m", "--out", "table", "--blur", "--format", "csv", landmarks="corners.dat")
        self.assertEqual(table.out.count(b"\n"), 1 + sum(len(line["faces"]) for line in lines[:-1]))
        self.assertEqual(self.files("blurred"), ["a.ppm", "walk.mkv"])
        self.assertEqual(self.stripes("blurred/walk.mkv"), [0] * len(frames))
        # What one search of each frame leaves.
        self.detect("walk.y4m", "--out", "each", "--blur")
        self.assertGreater(max(self.stripes("each/walk.mkv")), 0)
        thinned = self.faces("walk.y4m", "--out", "thinned", "--blur", "--every", "3", landmarks="corners.dat")
        self.assertEqual([line["frame"] for line in thinned.lines()], [*range(0, len(frames), 3)])
        self.assertEqual(self.stripes("thinned/walk.mkv"), [0] * len(thinned.lines()))
        text, _ = self.run_on_terminal("faces", "-m", "square", "--landmarks", "corners.dat", "walk.y4m", "--out", "shown", "--blur")
        self.assertIn("input 1 of 1, its copy: 1 of 20 pictures", text)

    def test_an_input_in_which_nothing_is_hidden_is_named(self):
        self.write("empty.pgm", b"P5 64 48 255\n" + bytes(64 * 48))
        result = self.faces("empty.pgm", "a.pgm", "--out", "blurred", "--blur", "--quiet", landmarks="corners.dat")
        self.assertEqual(result.err, "winnow: empty.pgm: nothing was found, so nothing is hidden in its copy; look at the copy\n")
        self.assertEqual([len(line["covers"]) for line in result.lines()], [0, len(result.lines()[1]["faces"])])
        self.assertEqual(self.faces("empty.pgm", "--out", "marked", "--quiet", landmarks="corners.dat").err, "")

    def test_a_failed_copy_leaves_the_other_copies_alone(self):
        self.need_video()
        if shutil.which("ffmpeg") is None:
            self.skipTest("the ffmpeg command is missing")
        frames = [*self.striped_walk(6)]
        # A transport stream whose second half has another size, which a copy cannot hold.
        for name, pictures in (("walk", frames), ("small", [frame.crop(0, 0, 120, 80) for frame in frames])):
            self.write(name + ".y4m", scene.y4m(pictures))
            done = subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-i", name + ".y4m", "-c:v", "mpeg4", "-q:v", "2",
                                   name + ".ts"], cwd=self.folder)
            self.assertEqual(done.returncode, 0)
        self.write("sizes.ts", self.read("walk.ts") + self.read("small.ts"))
        result = self.faces("sizes.ts", "walk.ts", "--out", "blurred", "--blur", landmarks="corners.dat", code=1)
        self.assertRegex(result.err, r"(?m)^winnow: sizes.ts: its blurred copy cannot be written: frame [0-9]+: ")
        self.assertEqual(sum(line["source"] == "sizes.ts" for line in result.lines()), 12)
        self.assertEqual(self.files("blurred"), ["walk.mkv"])
        self.assertEqual(self.stripes("blurred/walk.mkv"), [0] * 6)

    def test_a_frame_that_cannot_be_written_is_the_only_one(self):
        frames = [*self.striped_walk(9)]
        frames[3] = frames[7] = scene.Picture(65530, 2)  # wider than a JPEG file may be; 7 waits when the stream ends
        result = self.follow(frames, "--out", "blurred", "--blur", "--gap", "2", code=1)
        self.assertEqual(re.findall(r"(?m)^winnow: (.*): its blurred copy cannot be written: (frame [0-9]+):", result.err),
                         [("standard input", "frame 3"), ("standard input", "frame 7")])
        self.assertEqual(self.files("blurred"), ["stream-%06d.jpg" % i for i in range(9) if i not in (3, 7)])

    def test_unsure_faces_are_blurred(self):
        self.need_video()
        video = need_file(DATA + "/tracks/jumping/jumping.mpg")
        plain = self.run_command("faces", "--detect-every", "3", video)
        blurred = self.run_command("faces", "--blur", "--out", "blurred", video)
        seen = [sum(face["state"] != "lost" for line in run.lines() for face in line["faces"]) for run in (plain, blurred)]
        self.assertLess(*seen)

    def test_a_video(self):
        self.need_video()
        self.write("walk.y4m", scene.y4m([*self.walk(12)]))
        self.write("again.y4m", scene.y4m([*self.walk(12)]))
        lines = self.faces("walk.y4m", "a.pgm", "again.y4m").lines()
        self.assertEqual([face["id"] for face in lines[0]["faces"]], [1, 2])
        self.assertNotIn("id", lines[12]["faces"][0])
        self.assertEqual([line["faces"] for line in lines[:12]], [line["faces"] for line in lines[13:]],
                         "ids begin with 1 in each video")
        self.assertEqual(self.faces("walk.y4m", "--out", "marked").lines_without_copies(), lines[:12])
        self.assertEqual(self.files("marked"), ["walk.mkv"])
        self.assert_usage_error("faces", "walk.y4m", "--landmarks", "points.dat", "-m", "square", "--raw", says="leave out --raw")

    def test_lines_with_ids_may_be_read_as_labels(self):
        """`winnow eval` ignores the columns that it does not know."""
        head, *rows = self.faces("a.pgm", "--format", "csv").out.decode().splitlines()
        at = head.split(",").index("id")
        tables = []
        for words in (["7", "found"], ["", ""]):
            lines = [",".join([*row.split(",")[:at], *words, *row.split(",")[at + 2:]]) for row in rows]
            self.write("truth.csv", "\n".join([head.replace("source", "file"), *lines]) + "\n")
            result = self.run_command("eval", "detector", "-m", "square", "--truth", "truth.csv", "--out", "report")
            self.assertEqual(result.code, 0, result.err)
            # The last number of a row is a time.
            tables.append([row.split()[:-1] for row in result.out.splitlines() if row.startswith(b"square")])
        self.assertEqual(*tables)
        self.assertEqual(len(tables[0]), 1)

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
        for option, value in (("--detect-every", "0"), ("--gap", "-1"), ("--gap", "100001"), ("--smooth", "1.5"), ("--smooth", "nan")):
            self.assert_usage_error("faces", "a.pgm", option, value, says=option + " must be ")
        self.assert_usage_error("faces", "a.pgm", "--between", "flow", says="--between is steady, fit or carry, not 'flow'")
        self.assert_usage_error("faces", "a.pgm", "--until-found", "true", says="--until-found is yes or no, not 'true'")
        for option in ("--between", "--until-found"):
            self.assert_usage_error("detect", "a.pgm", option, "no", says=option)
        for search in (["--raw"], ["--min-neighbors", "0"]):
            self.assert_usage_error("faces", "-", "--landmarks", "points.dat", "-m", "square", *search, says="leave out --raw")
        for landmarks in ("face-5", "face-68"):
            result = self.assert_usage_error("faces", "a.pgm", "--landmarks", landmarks, "-m", "people")
            self.assertEqual(result.err, "winnow: the landmarks mark points of a face, and people finds people who stand or "
                             "walk, upright; name a detector of a face\n")
            # OpenCV's cascades do not say what they find.
            result = self.run_command("faces", "a.pgm", "--landmarks", landmarks, "-m", "square")
            self.assertEqual(result.code, 0, result.err)
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
