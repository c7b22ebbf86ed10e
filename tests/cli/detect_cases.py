"""Tests of `detect`: its search options, its formats, and the same bytes from every backend."""

import csv
import io
import json
import os

import scene
from runner import CASCADES, FACES, CommandTest, need_file

SQUARES = [(20, 15, 20), (90, 60, 40)]


class Answer(CommandTest):
    def setUp(self):
        super().setUp()
        self.picture = scene.Picture(160, 120, SQUARES)
        self.write("a.pgm", self.picture.pgm())

    def test_line(self):
        line = self.detect("a.pgm").lines()[0]
        self.assertEqual(list(line), ["source", "frame", "time", "width", "height", "model", "objects"])
        self.assertEqual([line[key] for key in list(line)[:6]], ["a.pgm", 0, None, 160, 120, "square"])
        self.assertEqual(len(line["objects"]), len(SQUARES))
        for found in line["objects"]:
            self.assertEqual(list(found), ["x", "y", "width", "height", "score", "neighbors"])
            self.assertEqual(found["score"], 1.25)
            self.assertGreater(found["neighbors"], 3)
            middle = (found["x"] + found["width"] / 2, found["y"] + found["height"] / 2)
            self.assertTrue(any(x < middle[0] < x + size and y < middle[1] < y + size for x, y, size in SQUARES))

    def test_devices_are_a_list_and_the_picture_is_none_of_them(self):
        plain = self.detect("--backend", "cpu", "a.pgm").out
        for devices in ("0", "0,1"):
            self.assertEqual(self.detect("--backend", "cpu", "--device", devices, "a.pgm").out, plain)

    def test_formats_of_pictures_give_the_same_boxes(self):
        self.write("a.png", self.picture.png())
        self.write("a.ppm", self.picture.ppm())
        gray, png, color = self.detect("a.pgm", "a.png", "a.ppm").objects()
        self.assertEqual(gray, png)
        self.assertEqual(gray, color)

    def test_same_bytes_whoever_does_the_work(self):
        for i, size in enumerate([(160, 120), (61, 43), (19, 19), (20, 20), (1, 1), (97, 200), (160, 120)]):
            self.write("set/%d.pgm" % i, scene.Picture(*size, squares=SQUARES).pgm())
        for more in ([], ["--raw"], ["--roi", "0,0,100,90"], ["--format", "csv"]):
            wanted = self.detect("set", "--backend", "reference", "--quiet", *more).out
            self.assertGreater(len(wanted), 200)
            for variant in (["--backend", "cpu", "--threads", "1"], ["--backend", "cpu", "--threads", "2"],
                            ["--batch", "3"], ["--batch", "100", "--threads", "2"],
                            ["--backend", "reference", "--batch", "3"], ["--backend", "auto", "--threads", "0"]):
                self.assertEqual(self.detect("set", "--quiet", *variant, *more).out, wanted, variant + more)

    def test_search_options(self):
        everything = self.detect("a.pgm").objects()[0]
        raw = self.detect("a.pgm", "--raw").objects()[0]
        self.assertGreater(len(raw), len(everything))
        self.assertEqual({found["neighbors"] for found in raw}, {1})
        self.assertEqual(len(self.detect("a.pgm", "--min-neighbors", "0").objects()[0]), len(raw))
        self.assertEqual(self.detect("a.pgm", "--min-neighbors", "100000").objects(), [[]])
        large = self.detect("a.pgm", "--min-size", "60x60", "--raw").objects()[0]
        small = self.detect("a.pgm", "--max-size", "59x59", "--raw").objects()[0]
        self.assertTrue(large and all(found["width"] >= 60 for found in large))
        self.assertTrue(small and all(found["width"] <= 59 for found in small))
        self.assertEqual(len(large) + len(small), len(raw))
        self.assertNotEqual(self.detect("a.pgm", "--raw", "--scale", "1.4").objects()[0], raw)
        self.assertEqual(self.detect("a.pgm", "--min-score", "1.25").objects()[0], everything)
        self.assertEqual(self.detect("a.pgm", "--min-score", "-7").objects()[0], everything)
        self.assertEqual(self.detect("a.pgm", "--min-score", "1.2500001").objects(), [[]])

    def test_merging_by_mean_shift(self):
        shifted = self.detect("a.pgm", "--merge", "meanshift").objects()[0]
        self.assertEqual(len(shifted), len(SQUARES))
        self.assertTrue(all(found["neighbors"] > 3 for found in shifted))
        self.assertNotEqual(shifted, self.detect("a.pgm", "--merge", "groups").objects()[0])
        raw = self.detect("a.pgm", "--raw").out
        self.assertEqual(self.detect("a.pgm", "--merge", "meanshift", "--raw").out, raw)
        everything = self.detect("a.pgm", "--merge", "meanshift", "--min-neighbors", "0").objects()[0]
        self.assertTrue(len(SQUARES) <= len(everything) < len(json.loads(raw)["objects"]))
        wanted = self.detect("a.pgm", "--merge", "meanshift", "--backend", "reference").out
        self.assertEqual(self.detect("a.pgm", "--merge", "meanshift", "--backend", "cpu", "--threads", "2").out, wanted)

    def test_a_border_finds_what_fills_the_picture(self):
        self.write("tight.pgm", self.picture.crop(78, 48, 64, 64).pgm())
        self.assertEqual(self.detect("tight.pgm", "--min-neighbors", "1").objects(), [[]])
        found = self.detect("tight.pgm", "--min-neighbors", "1", "--border", "0.2").lines()[0]
        self.assertEqual((found["width"], found["height"]), (64, 64))
        boxes = [[each[key] for key in ("x", "y", "width", "height")] for each in found["objects"]]
        self.assertEqual(boxes, [[0, 0, 64, 64]])
        roi = self.detect("a.pgm", "--min-neighbors", "1", "--border", "0.2", "--roi", "78,48,64,64").objects()[0]
        self.assertEqual([[each[key] for key in ("x", "y", "width", "height")] for each in roi], [[78, 48, 64, 64]])
        plain = self.detect("a.pgm", "--raw").out
        self.assertEqual(self.detect("a.pgm", "--raw", "--border", "0").out, plain)

    def test_models_in_opencv_form_keep_opencv_values(self):
        self.write("upright.xml", scene.UPRIGHT)
        values = ["--border", "0", "--scale", "1.05", "--merge", "groups", "--min-neighbors", "2", "--min-score", "0", "--enlarge", "1"]
        answers = [self.run_command("detect", "-m", "upright.xml", "a.pgm", *more).out
                   for more in ([], values, ["--border", "0.1"], ["--scale", "1.1"], ["--enlarge", "1.5"])]
        self.assertTrue(json.loads(answers[0])["objects"])
        self.assertEqual(answers[0], answers[1])
        for other in answers[2:]:
            self.assertNotEqual(answers[0], other)

    def test_a_small_object_needs_enlarging(self):
        small = scene.Picture(self.picture.width // 4, self.picture.height // 4)
        small.rows = [bytearray(row[::4][: small.width]) for row in self.picture.rows[::4]][: small.height]
        self.write("small.pgm", small.pgm())
        nothing = self.run_command("detect", "-m", "square", "small.pgm")
        self.assertEqual(nothing.objects(), [[]])
        self.assertIn("smaller objects need --enlarge 2", nothing.err)
        # Objects that these options may have dropped need no enlarging.
        for dropping in (["--min-score", "9"], ["--min-support", "9"], ["--min-neighbors", "9"], ["--max-size", "99x99"],
                         ["--min-size", "2x2"], ["--roi", "0,0,9,9"]):
            nothing = self.run_command("detect", "-m", "square", "small.pgm", *dropping)
            self.assertEqual((nothing.code, nothing.objects()), (0, [[]]), nothing.err)
            self.assertNotIn("--enlarge", nothing.err, dropping)
        for keeping in (["--min-neighbors", "1"], ["--min-support", "0"], ["--enlarge", "1"]):
            nothing = self.run_command("detect", "-m", "square", "small.pgm", *keeping)
            self.assertIn("smaller objects need --enlarge 2", nothing.err, keeping)
        found = self.run_command("detect", "-m", "square", "small.pgm", "--enlarge", "3", "--min-neighbors", "1")
        self.assertTrue(found.objects()[0])
        self.assertNotIn("--enlarge", found.err)
        for wrong in ("0.5", "4.5", "nan"):
            self.assert_usage_error("detect", "-m", "square", "small.pgm", "--enlarge", wrong, says="--enlarge must be from 1 to 4")

    def test_model_by_file(self):
        result = self.run_command("detect", "--model", "models/square.xml", "a.pgm")
        self.assertEqual((result.code, result.out), (0, self.detect("a.pgm").out))

    def test_roi_is_a_crop_shifted_back(self):
        self.write("crop.pgm", self.picture.crop(60, 30, 100, 90).pgm())
        cropped = self.detect("crop.pgm").objects()[0]
        self.assertTrue(cropped)
        for found in cropped:
            found["x"] += 60
            found["y"] += 30
        line = self.detect("a.pgm", "--roi", "60,30,100,90").lines()[0]
        self.assertEqual(line["objects"], cropped)
        self.assertEqual((line["width"], line["height"]), (160, 120))

    def test_roi_is_clipped(self):
        whole = self.detect("a.pgm").out
        self.assertEqual(self.detect("a.pgm", "--roi", "-10,-20,1000,1000").out, whole)
        self.assertEqual(self.detect("a.pgm", "--roi=-10,-20,1000,1000").out, whole)

    def test_roi_outside_is_a_problem_of_that_picture(self):
        self.write("small.pgm", scene.Picture(40, 40).pgm())
        for batch in ("1", "3"):
            result = self.detect("small.pgm", "a.pgm", "--roi", "60,40,90,80", "--batch", batch, code=1)
            self.assertEqual([line["source"] for line in result.lines()], ["a.pgm"])
            self.assertIn("small.pgm", result.err)

    def test_max_pixels(self):
        self.write("small.pgm", scene.Picture(40, 40).pgm())
        result = self.detect("a.pgm", "small.pgm", "--max-pixels", "1600", code=1)
        self.assertEqual([line["source"] for line in result.lines()], ["small.pgm"])
        self.assertIn("a.pgm", result.err)

    def test_timing(self):
        line = self.detect("a.pgm", "--timing", "--backend", "reference").lines()[0]
        self.assertEqual(list(line)[-3:], ["objects", "backend", "seconds"])
        self.assertEqual(line["backend"], "reference")
        self.assertGreaterEqual(line["seconds"], 0)
        header = self.detect("a.pgm", "--timing", "--format", "csv").out.decode().splitlines()[0]
        self.assertTrue(header.endswith("neighbors,backend,seconds"))

    def test_summary_and_quiet(self):
        self.assertRegex(self.detect("a.pgm").err, r"^winnow: 1 picture, 2 objects, [0-9.]+ s, [0-9.]+ pictures/s\n$")
        self.assertEqual(self.detect("a.pgm", "--quiet").err, "")
        self.assertIn("no.pgm", self.detect("a.pgm", "no.pgm", "--quiet", code=1).err)

    def test_csv(self):
        names = ["plain.pgm", "with, comma.pgm", 'with "quotes".pgm', "line\nbreak.pgm"]
        for name in names:
            self.write(name, self.picture.pgm())
        self.write("none.pgm", scene.Picture(30, 30).pgm())
        result = self.detect("--format", "csv", *names, "none.pgm")
        rows = list(csv.reader(io.StringIO(result.out.decode(), newline="")))
        self.assertEqual(rows[0], "source frame time x y width height score neighbors".split())
        self.assertEqual([row[0] for row in rows[1:]], [name for name in names for _ in SQUARES])
        lines = self.detect("plain.pgm").lines()[0]["objects"]
        self.assertEqual([[float(value) for value in row[3:]] for row in rows[1:3]],
                         [list(found.values()) for found in lines])
        self.assertEqual([row[1:3] for row in rows[1:3]], [["0", ""]] * 2)

    def test_bad_usage(self):
        self.assert_usage_error("detect", "-m", "", "a.pgm")
        self.assert_usage_error("detect", "-m", "nobody", "a.pgm", says="square")
        self.assert_usage_error("detect", "-m", "no/such/file.xml", "a.pgm")
        self.assert_usage_error("detect", "-m", "square", says="nothing to do")
        for option in (["--backend", "gpu"], ["--scale", "1"], ["--scale", "nan"], ["--scale", "inf"],
                       ["--scale", "x"], ["--min-neighbors", "-1"], ["--min-size", "24"], ["--min-size", "24x"],
                       ["--min-size", "24x24x24"], ["--min-size", "-1x5"], ["--max-size", "axb"],
                       ["--max-size", "9999999999x1"], ["--min-score", "nan"], ["--merge", "mean"],
                       ["--border", "-0.1"], ["--border", "1.1"], ["--border", "nan"], ["--roi", "1,2,3"],
                       ["--roi", "1,2,0,4"], ["--roi", "1,2,3,4,5"], ["--roi", "99999999999,0,1,1"],
                       ["--threads", "-1"], ["--threads", "two"], ["--device", "-1"], ["--device", "0,x"], ["--every", "0"],
                       ["--batch", "0"], ["--max-pixels", "0"], ["--format", "xml"], ["--blur"], ["--scale"],
                       ["--quiet=maybe"], ["--out", ""], ["--roi", ""]):
            self.assert_usage_error("detect", "-m", "square", "a.pgm", *option)

    def test_cuda_is_refused_where_it_is_not(self):
        if "cuda       no" in self.run_command("backends").out.decode():
            self.assert_usage_error("detect", "-m", "square", "--backend", "cuda", "a.pgm", says="cuda")

    def test_a_broken_model_is_no_input(self):
        self.write("broken.xml", "<opencv_storage>")
        result = self.run_command("detect", "-m", "broken.xml", "a.pgm")
        self.assertEqual((result.code, result.out), (1, b""))
        self.assertIn("broken.xml", result.err)


class Installed(CommandTest):
    def detect_faces(self, *arguments):
        model = need_file(os.path.join(CASCADES, "haarcascades/haarcascade_frontalface_alt.xml"))
        return self.run_command("detect", "-m", model, *arguments)

    def test_a_face_and_no_face(self):
        portrait = need_file(os.path.join(FACES, "grace_hopper_512x512.jpg"))
        landscape = need_file(os.path.join(FACES, "640px-IceBlockNearJoekullsarlon.jpg"))
        result = self.detect_faces(portrait, landscape)
        self.assertEqual(result.code, 0, result.err)
        faces, nothing = result.objects()
        self.assertEqual((len(faces), nothing), (1, []))
        face = faces[0]
        self.assertTrue(face["x"] < 265 < face["x"] + face["width"])
        self.assertTrue(face["y"] < 195 < face["y"] + face["height"])
        self.assertEqual(result.lines()[0]["model"], "haarcascade_frontalface_alt")

    def test_the_model_that_is_always_there(self):
        portrait = need_file(os.path.join(FACES, "grace_hopper_512x512.jpg"))
        landscape = need_file(os.path.join(FACES, "640px-IceBlockNearJoekullsarlon.jpg"))
        result = self.run_command("detect", portrait, landscape)
        self.assertEqual(result.code, 0, result.err)
        faces, nothing = result.objects()
        self.assertEqual((len(faces), nothing), (1, []))
        self.assertTrue(faces[0]["x"] < 265 < faces[0]["x"] + faces[0]["width"])
        self.assertTrue(faces[0]["y"] < 195 < faces[0]["y"] + faces[0]["height"])
        self.assertEqual(result.lines()[0]["model"], "face")
        wanted = self.run_command("detect", portrait, "--backend", "reference").out
        self.assertEqual(self.run_command("detect", portrait, "--backend", "cpu", "--threads", "2").out, wanted)

    def test_same_bytes_on_a_photograph(self):
        portrait = need_file(os.path.join(FACES, "grace_hopper_512x512.jpg"))
        wanted = self.detect_faces(portrait, "--backend", "reference").out
        for variant in (["--backend", "cpu", "--threads", "1"], ["--backend", "cpu", "--threads", "2"]):
            self.assertEqual(self.detect_faces(portrait, *variant).out, wanted)

    def test_a_jpeg_stream(self):
        data = b""
        for name in ("grace_hopper_512x512.jpg", "640px-IceBlockNearJoekullsarlon.jpg"):
            with open(need_file(os.path.join(FACES, name)), "rb") as file:
                data += file.read()
        model = need_file(os.path.join(CASCADES, "haarcascades/haarcascade_frontalface_alt.xml"))
        result = self.run_command("detect", "-m", model, "-", stdin=data + scene.Picture(50, 50).ppm())
        self.assertEqual(result.code, 0, result.err)
        self.assertEqual([line["width"] for line in result.lines()], [512, 640, 50])
