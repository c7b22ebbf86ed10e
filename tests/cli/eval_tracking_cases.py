"""Tests of `eval tracking`: figures by hand, formats, several sequences and trackers, and refusals."""

import csv
import io
import json
import os

from runner import CommandTest

# Four frames of boxes of 100 x 100 pixels; the object is gone in the last.
TRUTH = [(10, 10), (12, 10), (14, 10), None]


def tld(places):
    return "".join("NaN,NaN,NaN,NaN\n" if place is None else "%d,%d,%d,%d\n" % (*place, place[0] + 99, place[1] + 99)
                   for place in places)


def json_lines(places, track=1, confidence=0.75):
    lines = ""
    for frame, place in enumerate(places):
        box = {"id": track, "state": "lost", "confidence": 0} if place is None else {
            "id": track, "x": place[0], "y": place[1], "width": 100, "height": 100, "confidence": confidence, "state": "tracked"}
        lines += json.dumps({"source": "car.mpg", "frame": frame, "time": frame / 25, "width": 320, "height": 240,
                             "tracks": [box]}) + "\n"
    return lines


def two_tracks(first, second):
    """Lines of JSON in which the frames hold two tracks."""
    lines = ""
    for one, two in zip(json_lines(first, 1).splitlines(), json_lines(second, 2).splitlines()):
        frame = json.loads(one)
        frame["tracks"] += json.loads(two)["tracks"]
        lines += json.dumps(frame) + "\n"
    return lines


class TrackingEvalTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("car/gt.txt", tld(TRUTH))
        # Overlaps of 1 and 0.6; the object is missed in no frame, and reported lost in the last.
        self.write("mine.jsonl", json_lines([(10, 10), (12, 10), (39, 10), None]))

    def eval(self, *arguments, code=0, out="out"):
        result = self.run_command("eval", "tracking", "--out", out, *arguments)
        self.assertEqual(result.code, code, result.err)
        return result

    def report(self, out="out"):
        return json.loads(self.read(out + "/eval.json"))

    def tracker(self, *arguments):
        self.eval(*arguments)
        return self.report()["trackers"][0]

    def rows(self):
        return list(csv.DictReader(io.StringIO(self.read("out/frames.csv").decode())))


CAR = ("--truth", "car/gt.txt", "--truth-format", "tld")


class Figures(TrackingEvalTest):
    def test_by_hand(self):
        result = self.eval(*CAR, "--result", "mine.jsonl")
        report = self.report()
        self.assertEqual([(each["name"], each["format"], each["present"], each["absent"]) for each in report["sequences"]],
                         [("car", "tld", 2, 1)])
        (tracker,) = report["trackers"]
        (sequence,) = tracker["sequences"]
        self.assertEqual((tracker["name"], sequence["name"], sequence["file"], sequence["format"]),
                         ("mine", "car", "mine.jsonl", "json"))
        self.assertEqual((sequence["boxes"], sequence["right"]), (2, 2))
        figures = sequence["figures"]
        self.assertEqual(figures, tracker["mean"])
        self.assertAlmostEqual(figures["auc"], (20 + 12) / 21 / 2)
        self.assertEqual([figures[key] for key in ("within_20", "precision", "recall", "f", "lost_absent", "lost_present")],
                         [0.5, 1, 1, 1, 1, 0])
        self.assertEqual(tracker["reliability"]["bins"][7], {"boxes": 2, "stated": 0.75, "right": 1.0, "distance": 12.5})
        self.assertEqual([tuple(row.values()) for row in self.rows()], [
            ("mine", "car", "1", "1", "1", "1", "0", "0.75"), ("mine", "car", "2", "1", "1", "0.6", "25", "0.75"),
            ("mine", "car", "3", "0", "0", "0", "", "0")])
        out = result.out.decode()
        self.assertRegex(out, r"(?m)^mine +car +0\.762 +50\.0 +100\.0 +100\.0 +1\.000 +100\.0 +0\.0$")
        self.assertIn("confidence of mine: mean difference 0.250", out)
        self.assertNotIn("(mean)", out)
        self.assertEqual(result.err, "")
        page = self.read("out/index.html").decode()
        for foreign in ("<script", "http-equiv", "href=", 'src="http', "url("):
            self.assertNotIn(foreign, page)
        self.assertIn("AUC 0.762", page)

    def test_another_overlap(self):
        self.eval(*CAR, "--result", "mine.jsonl", "--overlap", "0.65")
        self.assertEqual(self.report()["overlap"], 0.65)
        self.assertEqual(self.report()["trackers"][0]["mean"]["recall"], 0.5)
        self.assertIn("at least 0.65", self.read("out/index.html").decode())

    def test_one_line_of_json(self):
        result = self.eval(*CAR, "--result", "mine.jsonl", "--format", "json")
        self.assertEqual((result.out.count(b"\n"), result.err), (1, ""))
        summary, tracker = json.loads(result.out)["trackers"][0], self.report()["trackers"][0]
        for figures in (summary["mean"], summary["sequences"]["car"]):
            for key, value in figures.items():
                self.assertEqual(value, tracker["mean"][key])
        self.assertAlmostEqual(summary["confidence_difference"], 0.25)
        self.assertEqual(self.eval(*CAR, "--result", "mine.jsonl", "--quiet").out, b"")


class Formats(TrackingEvalTest):
    def test_all_formats_of_text_say_the_same(self):
        present = [(10, 10), (12, 10), (14, 10)]
        self.write("mine.jsonl", json_lines([(10, 10), (12, 10), (39, 10)]))
        for name, text, named in (
                ("tld", tld(present), True),
                ("otb", "".join("%d\t%d\t100\t100\n" % (x + 1, y + 1) for x, y in present), True),
                ("vot", "".join(f"{x},{y},{x + 100},{y},{x + 100},{y + 100},{x},{y + 100}\n" for x, y in present), False),
                ("tlp", "".join(f"{i},{x},{y},100,100,0\n" for i, (x, y) in enumerate(present, 1)), False)):
            self.write("car/gt.txt", text)
            options = ["--truth-format", name] if named else []
            figures = self.tracker("--truth", "car/gt.txt", *options, "--result", "mine.jsonl")["mean"]
            self.assertAlmostEqual(figures["auc"], (20 + 12) / 21 / 2)
            self.assertEqual(self.report()["sequences"][0]["format"], name)

    def test_results_of_text_have_the_format_of_the_truth(self):
        self.write("same.txt", tld(TRUTH))
        self.write("sides.txt", "10,10,100,100\n12,10,100,100\n14,10,100,100\nNaN,NaN,NaN,NaN\n")
        self.eval(*CAR, "--result", "same.txt", "--result", "sides.txt", "--result-format", "sides=vot")
        trackers = self.report()["trackers"]
        self.assertEqual([each["sequences"][0]["format"] for each in trackers], ["tld", "vot"])
        self.assertEqual(trackers[0]["mean"], trackers[1]["mean"])
        self.assertEqual(trackers[0]["mean"]["within_20"], 1)

    def test_csv(self):
        self.write("mine.csv", "frame,id,x,y,width,height,confidence,state\n0,1,10,10,100,100,1,found\n"
                               "1,1,12,10,100,100,0.5,tracked\n2,1,39,10,100,100,,tracked\n3,1,,,,,0,lost\n")
        tracker = self.tracker(*CAR, "--result", "mine.csv")
        self.assertEqual((tracker["mean"]["within_20"], tracker["reliability"]["boxes"]), (0.5, 1))

    def test_one_of_several_tracks(self):
        self.write("two.jsonl", two_tracks([(500, 500)] * 4, TRUTH))
        self.assertEqual(self.tracker(*CAR, "--result", "two.jsonl", "--id", "1")["mean"]["recall"], 0)
        self.assertEqual(self.tracker(*CAR, "--result", "two.jsonl", "--id", "2")["mean"]["recall"], 1)
        for options, says in (((), "two.jsonl: there are the tracks 1, 2; name one"),
                              (("--id", "3"), "two.jsonl: there is no track 3, but 1, 2")):
            self.assertEqual(self.eval(*CAR, "--result", "two.jsonl", *options, code=2).err, f"winnow: {says}\n")


class Sequences(TrackingEvalTest):
    def setUp(self):
        super().setUp()
        self.write("david/gt.txt", tld([(50, 50)] * 3))
        self.write("results/car.jsonl", json_lines([(10, 10), (12, 10), (39, 10), None]))
        self.write("results/david.jsonl", json_lines([(50, 50), (50, 50), None]))

    def test_means(self):
        result = self.eval(*CAR, "--truth", "david/gt.txt", "--result", "mine=results/{}.jsonl", "--title", "Two & more")
        tracker = self.report()["trackers"][0]
        self.assertEqual([each["file"] for each in tracker["sequences"]], ["results/car.jsonl", "results/david.jsonl"])
        self.assertEqual([each["figures"]["recall"] for each in tracker["sequences"]], [1, 0.5])
        self.assertEqual(tracker["mean"]["recall"], 0.75)
        self.assertEqual(tracker["mean"]["lost_absent"], 1)
        self.assertEqual(tracker["reliability"]["boxes"], 3)
        self.assertRegex(result.out.decode(), r"(?m)^mine +\(mean\) +0\.619 ")
        page = self.read("out/index.html").decode()
        self.assertIn("<h1>Two &amp; more</h1>", page)
        self.assertIn('<td class="name">mean</td><td>0.619</td>', page)

    def test_names_and_formats_of_one_sequence(self):
        self.write("otb/david.txt", "51\t51\t100\t100\n" * 3)
        self.eval("--truth", "first=car/gt.txt", "--truth-format", "first=tld", "--truth", "second=otb/david.txt",
                  "--truth-format", "otb", "--result", "mine={}.jsonl", code=1)
        self.write("first.jsonl", json_lines(TRUTH))
        self.write("second.jsonl", json_lines([(50, 50)] * 3))
        self.eval("--truth", "first=car/gt.txt", "--truth-format", "first=tld", "--truth", "second=otb/david.txt",
                  "--truth-format", "otb", "--result", "mine={}.jsonl")
        self.assertEqual([(each["name"], each["format"]) for each in self.report()["sequences"]],
                         [("first", "tld"), ("second", "otb")])
        self.assertEqual(self.report()["trackers"][0]["mean"]["within_20"], 1)

    def test_boxes_outside_of_the_frames_are_doubted(self):
        places = [(200, 120)] * 3 + [None]
        self.write("car/gt.txt", tld(places))
        self.write("mine.jsonl", json_lines(places))
        arguments = ("--truth", "car/gt.txt", "--result", "mine.jsonl")
        # As x,y,width,height these corners are boxes of 299 x 219 pixels at (200, 120).
        doubt = "car/gt.txt: 3 of 3 boxes lie mostly outside of the frames, which have 320 x 240 pixels; is vot its format?"
        self.assertIn(doubt, self.eval(*arguments, "--truth-format", "vot").err)
        self.assertEqual(self.eval(*arguments, "--truth-format", "tld").err, "")
        self.assertEqual(self.eval(*arguments, "--truth-format", "vot", "--quiet").err, "")
        self.write("other.txt", tld(places))
        both = self.eval(*arguments, "--truth-format", "tld", "--result", "other.txt", "--result-format", "other=vot").err
        self.assertIn("other.txt: 3 of 3 boxes lie mostly outside", both)
        self.assertNotIn("gt.txt", both)
        # Without lines that tell the size of frames nothing is doubted.
        self.assertEqual(self.eval("--truth", "car/gt.txt", "--truth-format", "vot", "--result", "other.txt").err, "")

    def test_two_objects_of_one_video(self):
        self.write("run/one.txt", tld([(10, 10)] * 3))
        self.write("run/two.txt", tld([(150, 10)] * 3))
        self.write("both.jsonl", two_tracks([(10, 10)] * 3, [(150, 10)] * 3))
        runners = ("--truth", "left=run/one.txt", "--truth", "right=run/two.txt", "--truth-format", "tld")
        self.eval(*runners, "--result", "both.jsonl", "--id", "left=1", "--id", "right=2")
        self.assertEqual(self.report()["trackers"][0]["mean"]["recall"], 1)
        self.assert_usage_error("eval", "tracking", *runners, "--out", "other", "--result", "both.jsonl",
                                says="write {} where their names stand, or give --id NAME=N for each")

    def test_names_must_differ(self):
        good = ["--out", "other", "--truth", "car/gt.txt", "--truth-format", "tld", "--result", "mine.jsonl"]
        for arguments, says in (
                (["--truth", "./car/gt.txt"], "two sequences are called 'car': name them, as in --truth NAME=./car/gt.txt"),
                (["--result", "results/mine.jsonl"], "two trackers are called 'mine': name them"),
                (["--result", "results/{}.jsonl"], "name the tracker, as in --result NAME=results/{}.jsonl"),
                (["--truth", "more=car/gt.txt"], "--result mine.jsonl is one file for 2 sequences"),
                (["--truth-format", "cat=otb"], "--truth-format cat=otb: there is no sequence 'cat'"),
                (["--truth-format", "otb"], "--truth-format is given twice for all"),
                (["--result-format", "cat=otb"], "--result-format cat=otb: there is no tracker 'cat'"),
                (["--id", "cat=1"], "--id cat=1: there is no sequence 'cat'"),
                (["--id", "-1"], "--id wants a number from 0 on, not '-1'"),
                (["--id", "car=one"], "--id wants a number from 0 on, not 'one'")):
            self.assert_usage_error("eval", "tracking", *good, *arguments, says=says)
            self.assertFalse(os.path.exists(self.path("other")), arguments)


class Refusals(TrackingEvalTest):
    def test_help(self):
        result = self.run_command("eval", "tracking", "--help")
        self.assertEqual((result.code, result.err), (0, ""))
        self.assertIn("winnow eval tracking --truth", result.out.decode())
        self.assertIn("\n  tracking", self.run_command("eval", "--help").out.decode())
        self.assertEqual(self.assert_usage_error("eval", "trackin", "--truth", "x").err,
                         "winnow: eval judges a detector, landmarks or tracking, not 'trackin'; did you mean `winnow eval "
                         "tracking --truth x`?\n")

    def test_usage(self):
        good = ["--out", "out", *CAR, "--result", "mine.jsonl"]
        for arguments, says in (
                (["--out", "out", "--result", "mine.jsonl"], "--truth"), (["--out", "out", *CAR], "--result"),
                ([*CAR, "--result", "mine.jsonl"], "--out DIR"),
                (["--out", "mine.jsonl", *CAR, "--result", "mine.jsonl"], "this is a file"),
                ([*good, "--overlap", "0"], "--overlap must be above 0 and at most 1"),
                ([*good, "--overlap", "nan"], "--overlap"), ([*good, "--overlap", "1.1"], "--overlap"),
                ([*good, "--format", "xml"], "text or json"), ([*good, "--truth", "more="], "names no file"),
                ([*good, "--result", "more="], "names no file"), ([*good, "--no-such-option"], "no-such-option"),
                (["--out", "out", "--truth", "car/gt.txt", "--truth-format", "voc", "--result", "mine.jsonl"],
                 "there is no format 'voc' of tracks"),
                ([*good, "--result-format", "tdl"], "there is no format 'tdl' of tracks")):
            self.assert_usage_error("eval", "tracking", *arguments, says=says)
            self.assertFalse(os.path.exists(self.path("out")), arguments)

    def test_files_that_do_not_fit(self):
        self.write("short.txt", tld(TRUTH[:3]))
        self.write("long.jsonl", json_lines([(1, 1)] * 5))
        self.write("damaged.txt", tld(TRUTH[:2]) + "1,2,x,4\n")
        self.write("huge.txt", "1,2,3," + "4" * (2 << 20) + "\n")
        self.write("empty.txt", "")
        self.write("damaged.jsonl", json_lines(TRUTH)[:-5])
        self.write("zero.txt", b"1,2,3,4\0\n")
        for name, code, says in (
                ("none.txt", 1, "none.txt: cannot open"), ("short.txt", 2, "short.txt: the result has 3 frames, and the truth has 4"),
                ("long.jsonl", 2, "long.jsonl: the result has 5 frames, and the truth has 4"),
                ("damaged.txt", 1, "damaged.txt: line 3: number 3: 'x' is not a number"),
                ("huge.txt", 1, "huge.txt: line 1: a line may have"), ("empty.txt", 1, "empty.txt: the file is empty"),
                ("damaged.jsonl", 1, "damaged.jsonl: line 4: "), ("zero.txt", 1, "zero.txt: holds zero bytes"),
                ("car", 1, "car: ")):
            result = self.eval(*CAR, "--result", name, code=code)
            self.assertEqual((result.out, result.err.count("\n")), (b"", 1), name)
            self.assertIn(says, result.err)
            self.assertFalse(os.path.exists(self.path("out")), name)
        self.assertIn("name the format otb, vot or tld",
                      self.eval("--truth", "car/gt.txt", "--result", "mine.jsonl", code=1).err)
