"""Tests of `eval landmarks`: errors of drawn faces, boxes of detectors and of the truth, and refusals."""

import csv
import io
import json
import math
import os

import scene
from faces_cases import points_file
from runner import CommandTest

# The squares in each picture, as (x, y, size): two, one and none.
SCENES = {"a.pgm": [(20, 15, 20), (90, 60, 40)], "b.pgm": [(30, 25, 24)], "empty.pgm": []}


def marks(square):
    """Three points around a square, which is the box around them."""
    x, y, size = square
    return [(x, y), (x + size, y), (x + size // 2, y + size)]


def truth(scenes):
    lines = ["file,x0,y0,x1,y1,x2,y2"]
    for name, squares in scenes.items():
        lines += [name + "".join(",%d,%d" % point for point in marks(square)) for square in squares]
    return "\n".join(lines) + "\n"


def dlib_truth(faces):
    """dlib's XML of one picture. A face is its box (left, top, width, height) and its parts."""
    boxes = ""
    for (left, top, width, height), parts in faces:
        boxes += "<box left='%d' top='%d' width='%d' height='%d'>" % (left, top, width, height)
        boxes += "".join("<part name='%d' x='%d' y='%d'/>" % (i, x, y) for i, (x, y) in enumerate(parts)) + "</box>"
    return "<?xml version='1.0'?><dataset><images><image file='a.pgm'>" + boxes + "</image></images></dataset>"


# The points of points_file() in the box (10, 20, 41, 41).
BOX, IN_BOX = (10, 20, 41, 41), [(20, 25), (50, 40), (30, 60)]
SIDE = math.sqrt(30 * 35)


class LandmarkEvalTest(CommandTest):
    def setUp(self):
        super().setUp()
        for name, squares in SCENES.items():
            self.write("set/" + name, scene.Picture(160, 120, squares).pgm())
        self.write("set/truth.csv", truth(SCENES))
        self.write("points.dat", points_file())

    def eval(self, *arguments, code=0, out="out", model="points.dat"):
        result = self.run_command("eval", "landmarks", "-m", model, "--out", out, *arguments)
        self.assertEqual(result.code, code, result.err)
        return result

    def report(self, out="out"):
        return json.loads(self.read(out + "/eval.json"))

    def model(self, *arguments, **more):
        self.eval(*arguments, **more)
        return self.report()["models"][0]

    def faces(self, out="out"):
        return list(csv.DictReader(io.StringIO(self.read(out + "/faces.csv").decode())))


class BoxesOfADetector(LandmarkEvalTest):
    BY_SQUARE = ("--truth", "set/truth.csv", "--boxes", "square")

    def test_errors_are_those_of_the_points_that_faces_marks(self):
        result = self.eval(*self.BY_SQUARE)
        lines = self.run_command("faces", "-m", "square", "--landmarks", "points.dat", "set/a.pgm", "set/b.pgm").lines()
        wanted = []
        for line, squares in zip(lines, (SCENES["a.pgm"], SCENES["b.pgm"])):
            for square in squares:
                x, y, size = square
                face = min(line["faces"], key=lambda f: abs(f["x"] + f["width"] / 2 - x - size / 2))
                found = [point[:2] for point in face["points"]]
                wanted.append(sum(math.dist(a, b) for a, b in zip(found, marks(square))) / 3 / size)
        rows = self.faces()
        self.assertEqual([(row["picture"], row["face"], row["found"]) for row in rows],
                         [("a.pgm", "0", "1"), ("a.pgm", "1", "1"), ("b.pgm", "0", "1")])
        for row, error in zip(rows, wanted):
            # `faces` writes points with two digits.
            self.assertAlmostEqual(float(row["side"]), error, delta=0.02)
            self.assertGreater(error, 0.1)
            self.assertEqual((row["pupils"], row["eye_corners"], row["root"]), ("", "", ""))
        model = self.report()["models"][0]
        self.assertEqual((model["name"], model["boxes"], model["points"]), ("points", "square", 3))
        self.assertEqual((model["faces"], model["found"], model["missed"]), (3, 3, 0))
        self.assertEqual(model["errors"]["side"]["curve"], sorted(float(row["side"]) for row in rows))
        self.assertIsNone(model["errors"]["pupils"]["mean"])
        self.assertEqual(model["search"]["scale"], 1.1)
        self.assertRegex(result.out.decode(), r"(?m)^points +square +3 +0  side ")
        self.assertIn("3 faces in 2 pictures", result.out.decode())
        self.assertRegex(result.err, r"^winnow: 2 pictures, 3 faces")

    def test_the_detector_is_face_unless_named(self):
        model = self.model("--truth", "set/truth.csv")
        # There is no face in drawings, and what is not found is no error.
        self.assertEqual((model["boxes"], model["found"], model["missed"]), ("face", 0, 3))
        self.assertIsNone(model["errors"]["side"]["mean"])
        self.assertEqual({row["found"] for row in self.faces()}, {"0"})
        self.assertIn("Faces that were not found (3 of 3)", self.read("out/index.html").decode())

    def test_search_options(self):
        model = self.model(*self.BY_SQUARE, "--min-size", "60x60", "--scale", "1.2")
        self.assertEqual((model["search"]["min_size"], model["search"]["scale"]), ([60, 60], 1.2))
        self.assertEqual((model["found"], model["missed"]), (1, 2))

    def test_the_same_whoever_does_the_work(self):
        self.eval(*self.BY_SQUARE, "--backend", "reference")
        for variant in (["--backend", "cpu", "--threads", "1"], ["--threads", "2"]):
            self.eval(*self.BY_SQUARE, *variant, out="other")
            self.assertEqual(self.read("other/faces.csv"), self.read("out/faces.csv"))

    def test_several_models(self):
        self.assertEqual(self.run_command("convert", "points.dat", "points.winnow").code, 0)
        result = self.eval("-m", "points.winnow", *self.BY_SQUARE)
        models = self.report()["models"]
        self.assertEqual([model["name"] for model in models], ["points", "points (2)"])
        self.assertEqual(models[0]["errors"], models[1]["errors"])
        self.assertEqual(len(self.faces()), 6)
        self.assertIn("points (2)", result.out.decode())

    def test_one_line_of_json(self):
        result = self.eval(*self.BY_SQUARE, "--format", "json", "--quiet")
        self.assertEqual((result.out.count(b"\n"), result.err), (1, ""))
        summary, model = json.loads(result.out)["models"][0], self.report()["models"][0]
        for key in ("name", "boxes", "faces", "found", "missed", "fit_seconds"):
            self.assertEqual(summary[key], model[key])
        self.assertEqual(summary["errors"]["side"]["mean"], model["errors"]["side"]["mean"])
        self.assertIsNone(summary["confidence_difference"])


class BoxesOfTheTruth(LandmarkEvalTest):
    def test_they_are_taken_as_they_are(self):
        worse = [(20, 31), (50, 40), (30, 60)]
        self.write("set/faces.xml", dlib_truth([(BOX, IN_BOX), ((60, 20, 41, 41), [(x + 50, y) for x, y in worse])]))
        model = self.model("--truth", "set/faces.xml", "--boxes", "truth")
        self.assertEqual((model["boxes"], model["found"], model["search"]), ("truth", 2, None))
        rows = self.faces()
        self.assertEqual([float(row["side"]) for row in rows][0], 0)
        self.assertAlmostEqual(float(rows[1]["side"]), 2 / math.sqrt(30 * 29))
        self.assertEqual([rows[1][key] for key in ("x", "y", "width", "height")], ["60", "20", "41", "41"])
        self.assertAlmostEqual(model["errors"]["side"]["points"][0] * 2 / 3, float(rows[1]["side"]))
        page = self.read("out/index.html").decode()
        for foreign in ("<script", "http-equiv", "href=", 'src="http', "url("):
            self.assertNotIn(foreign, page)

    def test_moved_boxes(self):
        self.write("set/faces.xml", dlib_truth([(BOX, IN_BOX)] * 8))
        moved = ("--truth", "set/faces.xml", "--boxes", "truth", "--move", "0.2")

        def errors(*more):
            self.eval(*moved, *more)
            return [float(row["side"]) for row in self.faces()]

        first = errors()
        # 0.2 of 41 pixels, up to the rounding to whole pixels.
        for error in first:
            self.assertAlmostEqual(error, 8.2 / SIDE, delta=0.75 / SIDE)
        self.assertEqual(errors("--seed", "1"), first)
        self.assertNotEqual(errors("--seed", "2"), first)
        self.assertEqual((self.report()["move"], self.report()["seed"]), (0.2, 2))
        self.assertEqual(self.faces()[0]["x"], "10")  # the box before it was moved
        self.assertIn("each box by 0.2 of its side, with seed 2", self.read("out/index.html").decode())

    def test_faces_that_do_not_count(self):
        xml = dlib_truth([(BOX, IN_BOX), (BOX, IN_BOX), (BOX, [])]).replace("<box ", "<box ignore='1' ", 1)
        self.write("set/faces.xml", xml)
        model = self.model("--truth", "set/faces.xml", "--boxes", "truth")
        self.assertEqual((model["faces"], model["left_out"], model["found"]), (1, 2, 1))
        self.assertEqual([row["face"] for row in self.faces()], ["1"])


class Inputs(LandmarkEvalTest):
    def test_folder_of_the_pictures_and_several_truths(self):
        self.write("labels/more.csv", truth({"c.pgm": [(30, 25, 24)]}))
        self.write("more/c.pgm", scene.Picture(100, 80, [(30, 25, 24)]).pgm())
        self.eval("--truth", "set/truth.csv", "--pictures", "set", "--truth", "labels/more.csv", "--pictures", "more",
                  "--boxes", "truth", "--title", "Points & more")
        report = self.report()
        self.assertEqual((report["pictures"], report["title"]), (3, "Points & more"))
        self.assertEqual(report["truth"], ["set/truth.csv (points)", "labels/more.csv (points)"])
        self.assert_usage_error("eval", "landmarks", "-m", "points.dat", "--out", "out", "--truth", "set/truth.csv",
                                "--truth", "set/../set/truth.csv", says="names a picture twice")

    def test_what_is_missing_is_named_and_the_others_are_done(self):
        self.write("set/more.csv", truth(dict({"gone.pgm": [(30, 25, 24)], "bad.pgm": [(30, 25, 24)]}, **SCENES)))
        self.write("set/bad.pgm", b"P5\n100 100\n255\nshort")
        result = self.eval("--truth", "set/more.csv", "--boxes", "truth", code=1)
        for name in ("gone.pgm", "bad.pgm"):
            self.assertIn(name, result.err)
        report = self.report()
        self.assertEqual((report["pictures"], report["unread"]), (2, 2))
        self.assertEqual([row["picture"] for row in self.faces()], ["a.pgm", "a.pgm", "b.pgm"])
        # The boxes are those of the pictures' own labels.
        self.assertEqual([row["x"] for row in self.faces()], ["20", "90", "30"])
        self.assertIn("2 pictures could not be searched", result.out.decode())


class Refusals(LandmarkEvalTest):
    def test_help(self):
        result = self.run_command("eval", "--help")
        for name in ("detector", "landmarks"):
            self.assertIn("\n  " + name, result.out.decode())
        result = self.run_command("eval", "landmarks", "--help")
        self.assertEqual((result.code, result.err), (0, ""))
        self.assertIn("winnow eval landmarks -m", result.out.decode())
        self.assertEqual(self.assert_usage_error("eval", "landmark", "-m", "x").err,
                         "winnow: eval judges a detector, landmarks or tracking, not 'landmark'; did you mean `winnow eval "
                         "landmarks -m x`?\n")

    def test_usage(self):
        good = ["-m", "points.dat", "--out", "out", "--truth", "set/truth.csv"]
        for arguments, says in (
                (["--truth", "set/truth.csv", "--out", "out"], "the model has 68"),
                (["-m", "points.dat", "--out", "out"], "--truth"),
                (["-m", "points.dat", "--truth", "set/truth.csv"], "--out"),
                (["-m", "points.dat", "--truth", "set/truth.csv", "--out", "points.dat"], "this is a file"),
                (["-m", "nobody", "--truth", "set/truth.csv", "--out", "out"], "nobody"),
                ([*good, "--boxes", "nobody"], "nobody"),
                ([*good, "--move", "-0.1"], "--move"), ([*good, "--move", "1.5"], "--move"),
                ([*good, "--move", "nan"], "--move"), ([*good, "--seed", "2"], "--seed goes with --move"),
                ([*good, "--move", "0.1", "--seed", "-1"], "--seed wants a number from 0 on"),
                ([*good, "--boxes", "truth", "--scale", "1.2"], "leave the options of the search out"),
                ([*good, "--boxes", "truth", "--gray"], "leave the options of the search out"),
                ([*good, "--boxes", "square", "--stride", "8"], "--stride is for HOG"),
                ([*good, "--format", "xml"], "text or json"), ([*good, "--scale", "1"], "--scale"),
                ([*good, "--pictures", "a", "--pictures", "b"], "--pictures"),
                ([*good, "--truth-format", "drawing"], "drawing"), ([*good, "--no-such-option"], "no-such-option")):
            self.assert_usage_error("eval", "landmarks", *arguments, says=says)
            self.assertFalse(os.path.exists(self.path("out")), arguments)

    def test_models_and_truths_that_do_not_fit(self):
        for name, text, code, says in (
                ("gone.csv", None, 1, "gone.csv"), ("words.csv", "what is this\n", 1, "words.csv"),
                ("boxes.csv", "file,x,y,width,height\na.pgm,1,1,5,5\n", 2, "no face with points"),
                ("two.csv", "file,x0,y0,x1,y1\na.pgm,1,1,5,5\n", 2, "a.pgm: a face has 2 marked points, and the model has 3")):
            if text is not None:
                self.write("set/" + name, text)
            result = self.eval("--truth", "set/" + name, code=code)
            self.assertEqual((result.out, result.err.count("\n")), (b"", 1))
            self.assertIn(says, result.err)
            self.assertFalse(os.path.exists(self.path("out")))
        self.assertIn("landmarks are needed", self.eval("--truth", "set/truth.csv", model="square", code=1).err)
        self.assertIn("marks 3 points", self.eval("--truth", "set/truth.csv", "--boxes", "points.dat", code=2).err)
