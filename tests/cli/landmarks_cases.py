"""Tests of `winnow train landmarks`: small trainings on drawn faces, whole and interrupted, and mistakes of users."""

import json
import os
import random
import signal
import subprocess

import scene
from cascade_cases import Page
from marked import dlib_xml, marked, points_csv
from runner import HANG_SECONDS, CommandTest

PICTURES = 24


def face(i):
    """A marked picture. The detector `square` finds most of these faces."""
    return marked(i + 16)


class Landmarks(CommandTest):
    SMALL = ["--stages", "2", "--trees", "10", "--depth", "2", "--pixels", "40", "--splits", "8", "--samples", "6", "--rate", "0.3",
             "--calm", "2", "--held-back", "0.4", "--confidence-trees", "4", "--threads", "2"]

    def setUp(self):
        super().setUp()
        faces = []
        for i in range(PICTURES):
            picture, box, points = face(i)
            self.write(f"faces/{i:02}.pgm", picture.pgm())
            faces.append((f"{i:02}.pgm", box, points))
        self.write("faces/points.csv", points_csv(faces))
        self.write("faces/boxes.xml", dlib_xml(faces))

    def arguments(self, *more, truth="faces/boxes.xml", detector="truth", small=SMALL):
        return ["train", "landmarks", "--truth", truth, "--detector", detector, *small, *more]

    def train(self, *more, code=0, **changes):
        result = self.run_command(*self.arguments(*more, **changes))
        self.assertEqual(result.code, code, result.err)
        return result

    def log(self, name):
        return [json.loads(line) for line in self.read(name).decode().splitlines()]

    def report(self, model):
        return json.loads(self.run_command("inspect", "--json", model).out)

    def assert_refused(self, *arguments, says, code=2):
        before = self.files(".")
        result = self.run_command(*arguments)
        self.assertEqual((result.code, result.out), (code, b""), (arguments, result.err))
        self.assertTrue(result.err.startswith("winnow: "), result.err)
        self.assertIn(says, result.err)
        self.assertEqual(self.files("."), before)


class Training(Landmarks):
    def test_model_rows_log_and_page(self):
        result = self.train("--out", "eyes.winnow", "--log", "log", "--name", "eyes of <all>", "--terms", "none")
        self.assertEqual(result.out, b"eyes.winnow: 5 points, 20 trees\neyes-report.html\n")
        rows = result.err.splitlines()
        self.assertEqual(rows[0], f"winnow: {PICTURES} faces")
        self.assertEqual(rows[1:3], ["winnow: mirrored, 0 and 3, 1 and 2 change places, as in iBUG's scheme",
                                     "winnow: errors are divided by the distance of the pupils"])
        self.assertEqual(rows[3].split(), ["stage", "trees", "error", "held", "back", "time"])
        self.assertNotIn("\r", result.err)
        *stages, last = self.log("log")
        self.assertEqual([(line["stage"], line["trees"]) for line in stages], [(1, 10), (2, 10)])
        self.assertEqual(len(rows), 4 + len(stages))
        for line, row in zip(stages, rows[4:]):
            self.assertEqual(row.split()[:6], [str(line["stage"]), "10", f"{100 * line['error']:.2f}", "%",
                                               f"{100 * line['held_back_error']:.2f}", "%"])
            self.assertGreater(line["stage_s"], 0)
        self.assertLess(stages[1]["error"], stages[0]["error"])
        # 0.4 of 24 pictures are held back, and each other face gives 6 samples.
        self.assertEqual((last["stages"], last["samples"], last["stopped"]), (2, 15 * 6, False))
        text = self.read("eyes-report.html").decode()
        self.assertIn("Training of eyes of &lt;all&gt;", text)
        self.assertIn("15 faces. 9 faces were held back", text)
        self.assertIn("<figure title=\"", text)
        page = Page(text)
        self.assertEqual((page.open, page.wrong, page.outside), ([], [], []))

        self.assertEqual(self.report("eyes.winnow")["card"]["terms"], "none")
        self.write("scene.pgm", scene.Picture(160, 120, [(30, 25, 40)]).pgm())
        result = self.run_command("faces", "-m", "square", "--landmarks", "eyes.winnow", "--out", "marked", "scene.pgm")
        self.assertEqual(result.code, 0, result.err)
        found = result.lines()[0]["faces"]
        self.assertTrue(found)
        for x, y, confidence in found[0]["points"]:
            self.assertTrue(20 <= x < 80 and 15 <= y < 75 and 0 < confidence < 1, found)

    def mean_error(self, model):
        """The mean error of a model on all faces, in the boxes of the truth, over the distance of the pupils."""
        result = self.run_command("eval", "landmarks", "-m", model, "--boxes", "truth", "--truth", "faces/boxes.xml", "--out",
                                  model + ".eval")
        self.assertEqual(result.code, 0, result.err)
        return json.loads(self.read(model + ".eval/eval.json"))["models"][0]["errors"]["pupils"]["mean"]

    def test_more_trees_find_the_points(self):
        small = [*self.SMALL[4:8], "--splits", "15", "--rate", "0.1", "--no-report"]
        self.train("--out", "one.winnow", "--stages", "1", "--trees", "1", small=small)
        self.train("--out", "many.winnow", "--stages", "4", "--trees", "60", small=small)
        self.assertLess(self.mean_error("many.winnow"), 0.05)
        self.assertLess(self.mean_error("many.winnow"), 0.5 * self.mean_error("one.winnow"))
        self.assertFalse([name for name in self.files(".") if name.endswith("-report.html")])

    def test_the_same_bytes(self):
        self.train("--out", "m.winnow", "--no-report", "--name", "m")
        wanted = self.read("m.winnow")
        for name, more in {"threads": ["--threads", "1"], "reference": ["--backend", "reference"], "little": ["--memory", "1K"],
                           "kept": ["--checkpoint", "state"], "listed": ["--mirrored", "3,2,1,0,4"],
                           "picked": ["--points", "0,1,2,3,4"]}.items():
            small = self.SMALL[:-2] if name == "threads" else self.SMALL
            self.train("--out", name + ".winnow", "--no-report", "--name", "m", *more, small=small)
            self.assertTrue(self.read(name + ".winnow") == wanted, name)
        for name, more in {"seed": ["--seed", "2"], "plain": ["--no-mirror"], "narrow": ["--basis", "3"], "order": ["--points", "3,1,2,0,4"],
                           "still": ["--move-jitter", "0", "--scale-jitter", "0"]}.items():
            self.train("--out", name + ".winnow", "--no-report", "--name", "m", *more)
            self.assertFalse(self.read(name + ".winnow") == wanted, name)

    def test_without_confidence(self):
        small = self.SMALL[:-6]
        for more, says in ((["--confidence-trees", "0"], "no confidence"), (["--held-back", "0"], "no confidence")):
            result = self.train("--out", "m.winnow", "--force", "--no-report", "--log", "log", *more, small=small)
            self.assertEqual(result.out, b"m.winnow: 5 points, 20 trees, no confidence\n", says)
        self.assertEqual([line["held_back_error"] for line in self.log("log")[:-1]], [None, None])
        self.assertRegex(result.err, r"\n +1 +10 +\d+\.\d\d % +- ")

    def negatives(self):
        """Pictures of squares, in which the detector `square` has false alarms."""
        for i in range(12):
            self.write(f"without/{i:02}.pgm", scene.Picture(160, 120, [(15 + i, 20, 30 + i), (95, 50 + i, 36)]).pgm())
        self.write("without.txt", "".join(f"without/{i:02}.pgm\n" for i in range(12)))
        return ["--negatives", "without.txt"]

    def test_presence(self):
        # Many faces, since the detector misses some.
        faces = [(f"{i:03}.pgm", *marked(i)[1:]) for i in range(80)]
        for i, (name, _, _) in enumerate(faces):
            self.write("many/" + name, marked(i)[0].pgm())
        self.write("many/points.csv", points_csv(faces))
        negatives, common = self.negatives(), {"detector": "square", "truth": "many/points.csv"}
        plain = self.train("--out", "plain.winnow", "--no-report", "--name", "m", **common)
        self.assertNotIn(b"presence", plain.out)
        result = self.train(*negatives, "--out", "m.winnow", "--no-report", "--name", "m", **common)
        self.assertRegex(result.err.splitlines()[0], r"^winnow: 80 faces(, of which .*)?; \d+ false alarms in negatives$")
        self.assertRegex(result.out.decode(), r"^m.winnow: 5 points, 20 trees, presence: keeps \d+ of \d+ held-back faces and "
                                              r"\d+ of \d+ false alarms\n$")
        self.assertEqual([self.report(name + ".winnow")["presence"] for name in ("plain", "m")], [False, True])
        self.assertIn("; and presence\n", self.run_command("inspect", "m.winnow").out.decode())
        # A folder, all machines and a break give the same bytes.
        for name, more in {"folder": ["--negatives", "without"], "reference": [*negatives, "--backend", "reference"],
                           "kept": [*negatives, "--checkpoint", "state"], "again": [*negatives, "--checkpoint", "state", "--resume"]}.items():
            self.train(*more, "--out", name + ".winnow", "--no-report", "--name", "m", **common)
            self.assertTrue(self.read(name + ".winnow") == self.read("m.winnow"), name)
        # A resumed training needs no negatives to keep its presence, unless its confidence changes.
        result = self.train("--checkpoint", "state", "--resume", "--out", "again.winnow", "--no-report", "--name", "m", **common)
        self.assertTrue(self.read("again.winnow") == self.read("m.winnow"))
        self.assertIn(b", presence as before\n", result.out)
        other = ["5" if before == "--confidence-trees" else word for before, word in zip(["", *self.SMALL], self.SMALL)]
        result = self.train("--checkpoint", "state", "--resume", "--out", "again.winnow", "--no-report", "--name", "m",
                            small=other, **common)
        self.assertIn("winnow: the model loses its presence", result.err)
        self.assertFalse(self.report("again.winnow")["presence"])
        self.train(*negatives, "--presence-trees", "0", "--out", "none.winnow", "--no-report", "--name", "m", **common)
        self.assertTrue(self.read("none.winnow") == self.read("plain.winnow"))
        # The confidence of a face is its presence.
        for more, wanted in (([], None), (["--min-confidence", "0.5"], 0.5), (["--min-confidence", "1"], 1)):
            result = self.run_command("faces", "-m", "square", "--landmarks", "m.winnow", *more, "without")
            self.assertEqual(result.code, 0, result.err)
            faces = [each for line in result.lines() for each in line["faces"]]
            if wanted is None:
                everything = faces
                self.assertTrue(faces)
            else:
                self.assertLess(len(faces), len(everything))
                self.assertEqual(faces, [each for each in everything if each["confidence"] >= wanted])

        # An evaluation leaves out the same faces.
        found = []
        for least in ("0", "0.5", "1"):
            result = self.run_command("eval", "landmarks", "-m", "m.winnow", "--boxes", "square", "--truth", "many/points.csv",
                                      "--out", "eval", "--min-confidence", least)
            self.assertEqual(result.code, 0, result.err)
            found.append(json.loads(self.read("eval/eval.json"))["models"][0]["found"])
        self.assertGreater(found[1], 0)
        self.assertGreaterEqual(found[0], found[1])
        self.assertEqual(found[2], 0)
        result = self.run_command("eval", "landmarks", "-m", "m.winnow", "--truth", "many/points.csv", "--out", "eval",
                                  "--min-confidence", "2")
        self.assertEqual(result.code, 2)
        self.assertIn("the least confidence must be from 0 to 1", result.err)

    def test_negatives_without_false_alarms(self):
        self.write("flat.pgm", scene.Picture(60, 50, []).pgm())
        result = self.train("--negatives", "flat.pgm", "--out", "m.winnow", "--no-report", detector="square")
        self.assertIn("winnow: the model gets no presence: the detector finds nothing in 1 negative\n", result.err)
        self.assertIn(b", no presence\n", result.out)
        # A folder of marked faces is no negative.
        again = self.train("--negatives", "flat.pgm", "--negatives", "faces", "--out", "again.winnow", "--no-report", "--name", "m",
                           detector="square")
        self.assertIn(f"winnow: faces: {PICTURES} pictures show the object, and are left out of the negatives\n", again.err)
        self.assertIn("the detector finds nothing in 1 negative\n", again.err)

    def test_points_and_several_truths(self):
        # Two of the points, from two lists with folders of their own, and the boxes of a detector.
        lines = self.read("faces/points.csv").decode().splitlines()
        self.write("lists/a.csv", "\n".join(lines[:13]) + "\n")
        self.write("lists/b.csv", "\n".join([lines[0], *lines[13:]]) + "\n")
        os.rename(self.path("faces"), self.path("pictures"))
        lists = ["--truth", "lists/b.csv", "--points", "4,0"]
        common = {"truth": "lists/a.csv", "detector": "square"}
        result = self.train(*lists, "--pictures", "pictures", "--out", "m.winnow", **common)
        self.assertRegex(result.err, rf"^winnow: {PICTURES} faces(, of which the detector misses \d+; they get the usual place of "
                                     r"its boxes)?\n")
        self.assertIn(b"m.winnow: 2 points, ", result.out)
        self.assertIn("the side of the box around the marked points", self.read("m-report.html").decode())
        self.train(*lists, "--pictures", "pictures", "--pictures", "pictures", "--out", "n.winnow", "--name", "m", **common)
        self.assertEqual(self.read("n.winnow"), self.read("m.winnow"))
        # A picture that cannot be read is named and left out.
        self.write("pictures/03.pgm", "text")
        result = self.train(*lists, "--pictures", "pictures", "--out", "o.winnow", **common)
        self.assertIn("winnow: left out pictures/03.pgm: not a picture", result.err)
        self.assertIn(f"winnow: {PICTURES - 1} faces", result.err)

    def test_help(self):
        result = self.run_command("train", "landmarks", "--help")
        self.assertEqual((result.code, result.err), (0, ""))
        text = result.out.decode()
        for word in ("Examples", "winnow train landmarks", "--truth", "--mirrored", "--held-back", "--basis", "--checkpoint"):
            self.assertIn(word, text)


class Mistakes(Landmarks):
    def test_options(self):
        self.assert_refused("train", "landmarks", "--out", "m.winnow", says="pictures with points are needed: --truth FILE")
        self.assert_refused(*self.arguments(), says="--out")
        out = ["--out", "m.winnow"]
        self.write("there.winnow", "mine")
        for more, says in [(["--out", "m.xml"], "the model must end in .winnow: m.xml"), (["--out", "m.dat"], "must end in .winnow"),
                           (["--out", "there.winnow"], "there.winnow is there already (--force writes over it)"),
                           ([*out, "--mirrored", "3,2,1,0,4", "--no-mirror"], "--mirrored and --no-mirror exclude each other"),
                           ([*out, "--pictures", "faces", "--pictures", "faces"], "give --pictures once for all truths"),
                           ([*out, "--resume"], "--checkpoint"), ([*out, "--points", "0,5"], "there is no point 5: faces have 5 points"),
                           ([*out, "--points", "0,-1"], "there is no point -1"), ([*out, "--points", "0,x"], "--points"),
                           ([*out, "--mirrored", "1,0"], "the list of mirrored points has 2 numbers, faces have 5 points"),
                           ([*out, "--mirrored", "1,2,0,3,4"], "mirrored twice, point 0 must become itself"),
                           ([*out, "--negatives", "faces"], "negatives need a detector that has false alarms in them"),
                           ([*out, "--presence-trees", "-1"], "the number of trees of the presence must be from 0 to 10000"),
                           ([*out, "--move-jitter", "0.5"], "the jitter of places must be from 0 to 0.3"),
                           ([*out, "--seed", "-1"], "--seed wants a number from 0 on, of 64 bits, not '-1'"), ([*out, "--report", "m.winnow"], "different files")]:
            self.assert_refused(*self.arguments(*more), says=says)
        for option, value, says in (("--stages", "0", "the number of stages"), ("--trees", "0", "the number of trees"),
                                    ("--depth", "9", "the depth of trees"), ("--pixels", "1", "the number of pixels"),
                                    ("--held-back", "0.6", "the fraction that is held back"), ("--rate", "0", "the rate must be"),
                                    ("--basis", "300", "the number of basis vectors"), ("--samples", "0", "the number of samples")):
            self.assert_refused(*self.arguments(*out, option, value, small=[]), says=says)
        self.assert_refused(*self.arguments("--out", "no/m.winnow"), says="no/m.winnow: cannot write", code=1)
        self.assertEqual(self.read("there.winnow"), b"mine")
        self.train("--out", "there.winnow", "--force", "--no-report")
        self.assertNotEqual(self.read("there.winnow"), b"mine")

    def test_truths(self):
        out = ["--out", "m.winnow"]
        self.assert_refused(*self.arguments(*out, truth="nobody.csv"), says="nobody.csv: cannot open", code=1)
        self.assert_refused(*self.arguments(*out, detector="nobody"), says="nobody", code=2)
        for i in range(PICTURES):
            self.write(f"faces/{i:02}.pgm", scene.Picture(90, 88).pgm())
        self.assert_refused(*self.arguments(*out, detector="square"), says="the detector finds none of the 24 marked faces", code=1)
        self.write("faces/one.csv", "file,x0,y0,x1,y1\n00.pgm,3,3,20,20\n")
        self.assert_refused(*self.arguments(*out, truth="faces/one.csv"), says="fewer than 2 faces with points to learn from", code=1)
        self.write("faces/mixed.xml", "<dataset><images><image file='00.pgm'>" + "".join(
            "<box left='1' top='1' width='30' height='30'>" + "".join(f"<part name='{p}' x='{9 * p}' y='5'/>" for p in range(count))
            + "</box>" for count in (2, 3)) + "</image></images></dataset>")
        self.assert_refused(*self.arguments(*out, truth="faces/mixed.xml"), says="all faces must have the same number of points")
        self.write("faces/empty.csv", "file,x,y,width,height\n00.pgm,3,3,20,20\n")
        self.assert_refused(*self.arguments(*out, truth="faces/empty.csv"), says="fewer than 2 faces with points", code=1)

    def test_a_detector_that_misses_most_faces(self):
        for i in range(PICTURES - 8):
            self.write(f"faces/{i:02}.pgm", scene.Picture(90, 88).pgm())
        self.assert_refused(*self.arguments("--out", "m.winnow", detector="square"), code=1,
                            says=" of the 24 marked faces; take another detector, or truth for the boxes of the labels")

    def test_checkpoints(self):
        more = ["--no-report", "--name", "m"]
        self.train("--out", "m.winnow", "--checkpoint", "state", "--log", "log", *more)
        state = self.read("state/stage")
        again = ["--out", "n.winnow", "--checkpoint", "state", *more]
        self.assert_refused(*self.arguments(*again), says="holds the state of a training; resume it, or take another")
        self.assert_refused(*self.arguments(*again, "--resume", "--seed", "2"), says="the state of another training")
        self.assert_refused(*self.arguments(*again, "--resume", "--trees", "9", small=self.SMALL[:2]),
                            says="the state of another training")
        self.assertEqual(self.read("state/stage"), state)
        for damaged in (b"", state[:40], state[:-1], state[:60] + b"?" + state[61:], b"text" * 9):
            self.write("state/stage", damaged)
            self.assert_refused(*self.arguments(*again, "--resume"), says="state/stage: this is no state of a training", code=1)
        self.write("state/stage", state)
        self.train(*again, "--resume")
        self.assertEqual(self.read("n.winnow"), self.read("m.winnow"))


class Breaks(Landmarks):
    LONG = ["--stages", "10", "--trees", "40", "--depth", "3", "--pixels", "60", "--splits", "10", "--samples", "40", "--threads", "1",
            "--held-back", "0.4", "--name", "m", "--no-report"]

    def broken(self, how, lines, state=True):
        """Sends the signal `how` to a training after `lines` lines. Returns the exit code, the output and the errors."""
        more = ["--checkpoint", "state", "--resume", "--log", "log"] if state else []
        process, rows = self.start_stepped(*self.arguments("--out", "m.winnow", *more, small=self.LONG), stream="stderr",
                                           stdout=subprocess.PIPE)
        err = b"".join(rows.read() for _ in range(lines))
        process.send_signal(how)
        err += rows.rest()
        out, _ = process.communicate(timeout=HANG_SECONDS)
        return process.returncode, out, err.decode()

    def test_interrupted_and_killed(self):
        self.train("--out", "whole.winnow", small=self.LONG)
        # Three lines tell of the faces and their points, and the fourth is the head of the table. A run is at most two lines ahead, so
        # the three runs end by the end of the stages 3, 6 and 8.
        for how, lines in ((signal.SIGINT, 5), (signal.SIGKILL, 5), (signal.SIGTERM, 4)):
            code, out, err = self.broken(how, lines)
            self.assertEqual((code, out), ({signal.SIGINT: 130, signal.SIGKILL: -9, signal.SIGTERM: 143}[how], b""), err)
            if how != signal.SIGKILL:
                self.assertTrue(err.endswith("winnow: stopped; the same command with --resume goes on\n"), err)
            self.assertNotIn("m.winnow", self.files("."))
        for _ in range(2):  # a finished training that is resumed gives the same result
            self.train("--out", "m.winnow", "--checkpoint", "state", "--resume", "--log", "log", small=self.LONG)
            self.assertEqual(self.read("m.winnow"), self.read("whole.winnow"))
        lines = self.log("log")
        # The killed run may have saved a stage without its line.
        self.assertLessEqual({1, 9, 10}, {line["stage"] for line in lines if "stage" in line})
        self.assertEqual([line["stages"] for line in lines if "stages" in line][-2:], [10, 10])

    def test_interrupted_without_a_state(self):
        code, out, err = self.broken(signal.SIGINT, 5, state=False)
        self.assertEqual(code, 130, err)
        self.assertIn("winnow: stopped: the model has the stages that were done\n", err)
        self.assertRegex(out, rb"^m\.winnow: 5 points, \d+ trees, no confidence\n$")
        self.assertIn(self.report("m.winnow")["stages"], range(1, 5))


class Orders(Landmarks):
    """The same points in other orders, with names and without."""
    # Eyes, nose and mouth as in RetinaFace and MTCNN. The second list has the places of the same points in another order.
    PLACES = ((0.25, 0.3), (0.75, 0.3), (0.5, 0.55), (0.32, 0.8), (0.68, 0.8))
    NAMES = ("left_eye", "right_eye", "nose", "mouth_left", "mouth_right")
    ORDERS = {"retina": (0, 1, 2, 3, 4), "nose": (2, 0, 1, 4, 3), "mixed": (3, 0, 4, 2, 1)}

    def truth(self, name, order, head):
        """Writes a list of points in this order; head tells whether the columns have names."""
        lines = ["file," + ",".join(f"{self.NAMES[p]}_x,{self.NAMES[p]}_y" if head else f"x{i},y{i}" for i, p in enumerate(order))]
        for i in range(PICTURES):
            _, (left, top, side, _), _ = face(i)
            draw = random.Random(i)
            places = [(left + side * x + draw.uniform(-1, 1), top + side * y + draw.uniform(-1, 1)) for x, y in self.PLACES]
            lines.append(f"{i:02}.pgm" + "".join(f",{places[p][0]:.2f},{places[p][1]:.2f}" for p in order))
        self.write(name, "\n".join(lines) + "\n")
        return name

    def pairs(self, order):
        """For each point in this order the point that it becomes in a mirror."""
        mirror = (1, 0, 2, 4, 3)
        return [order.index(mirror[p]) for p in order]

    def test_pairs_are_found_in_any_order(self):
        for name, order in self.ORDERS.items():
            truth = self.truth(f"faces/{name}.csv", order, False)
            given = ",".join(map(str, self.pairs(order)))
            found = self.train("--out", name + ".winnow", "--no-report", "--name", "m", truth=truth)
            self.assertIn("by the marks: the next pairs fit", found.err)
            self.assertIn("errors are divided by the side of the box around the marked points, since it is unknown", found.err)
            self.train("--out", name + "-given.winnow", "--no-report", "--name", "m", "--mirrored", given, truth=truth)
            self.assertEqual(self.read(name + ".winnow"), self.read(name + "-given.winnow"))
            self.train("--out", name + "-plain.winnow", "--no-report", "--name", "m", "--no-mirror", truth=truth)
            self.assertNotEqual(self.read(name + ".winnow"), self.read(name + "-plain.winnow"))

    def test_names_of_the_head_line(self):
        truth = self.truth("faces/named.csv", self.ORDERS["mixed"], True)
        result = self.train("--out", "named.winnow", "--no-report", truth=truth)
        self.assertIn("winnow: mirrored, mouth_left and mouth_right, left_eye and right_eye change places, by their names\n", result.err)
        self.assertIn("winnow: errors are divided by the distance of the pupils\n", result.err)
        text = self.run_command("inspect", "named.winnow").out.decode()
        for line in ("names      mouth_left, left_eye, mouth_right, nose, right_eye", "pairs      0/2, 1/4 change places in a mirrored picture",
                     "eyes       points 1 and 4"):
            self.assertIn(f"\n{line}\n", text)
        report = self.report("named.winnow")
        self.assertEqual([report[key] for key in ("point_names", "mirrored", "left_eye", "right_eye")],
                         [["mouth_left", "left_eye", "mouth_right", "nose", "right_eye"], [2, 4, 0, 3, 1], [1], [4]])
        # Names put the points of other labels in order.
        other = self.truth("faces/other.csv", self.ORDERS["nose"], True)
        errors = [self.errors("named.winnow", each) for each in (truth, other)]
        self.assertAlmostEqual(errors[0]["pupils"]["mean"], errors[1]["pupils"]["mean"], 6)
        # Without names another order is seen, and refused.
        plain = self.truth("faces/plain.csv", self.ORDERS["nose"], False)
        self.assert_refused("eval", "landmarks", "-m", "named.winnow", "--boxes", "truth", "--truth", plain, "--out", "no",
                            says="stand in another order than those of the model")
        same = self.truth("faces/same.csv", self.ORDERS["mixed"], False)
        self.assertAlmostEqual(self.errors("named.winnow", same)["pupils"]["mean"], errors[0]["pupils"]["mean"], 6)

    def errors(self, model, truth):
        folder = model + "." + os.path.basename(truth)
        result = self.run_command("eval", "landmarks", "-m", model, "--boxes", "truth", "--truth", truth, "--out", folder)
        self.assertEqual(result.code, 0, result.err)
        return json.loads(self.read(folder + "/eval.json"))["models"][0]["errors"]

    def test_eyes_by_option(self):
        truth = self.truth("faces/retina.csv", self.ORDERS["retina"], False)
        result = self.train("--out", "m.winnow", "--no-report", "--eyes", "0/1", truth=truth)
        self.assertIn("errors are divided by the distance of the pupils\n", result.err)
        self.assertTrue(self.errors("m.winnow", truth)["pupils"]["mean"] > 0)
        self.assert_refused(*self.arguments("--out", "no.winnow", "--eyes", "0/5", truth=truth), says="there is no point 5 of an eye")
        self.assert_refused(*self.arguments("--out", "no.winnow", "--eyes", "0,1", truth=truth), says="the eyes are two lists of points")

    def test_points_of_no_face_are_not_mirrored(self):
        places = ((0.1, 0.12), (0.8, 0.3), (0.43, 0.7), (0.25, 0.9), (0.66, 0.05), (0.9, 0.77), (0.33, 0.41))
        lines = []
        for i in range(PICTURES):
            _, (left, top, side, _), _ = face(i)
            lines.append(f"{i:02}.pgm" + "".join(f",{left + side * x:.2f},{top + side * y:.2f}" for x, y in places))
        self.write("faces/seven.csv", "\n".join(lines) + "\n")
        result = self.train("--out", "seven.winnow", "--no-report", "--name", "m", truth="faces/seven.csv")
        self.assertIn("winnow: no face is mirrored, since neither names nor marks tell which points are left and right; --mirrored says it\n",
                      result.err)
        self.train("--out", "plain.winnow", "--no-report", "--name", "m", "--no-mirror", truth="faces/seven.csv")
        self.assertEqual(self.read("seven.winnow"), self.read("plain.winnow"))
