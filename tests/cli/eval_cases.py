"""Tests of `eval detector`: figures of drawn pictures, rules, lists and refusals."""

import json
import os
import re

import scene
from runner import CommandTest

# The squares in each picture, as (x, y, size): two, one and none.
SCENES = {"a.pgm": [(20, 15, 20), (90, 60, 40)], "b.pgm": [(30, 25, 24)], "empty.pgm": []}
TREE = scene.CASCADE.replace("0 -1 0 1.5", "1 0 0 1.5 -1 -2 0 1.8").replace("-1. 1.25", "-1. 1. 2.")


def boxes(scenes):
    """The truth as CSV. The cascade's box is a square with a frame, twice as large as the square."""
    lines = ["file,x,y,width,height"]
    for name, squares in scenes.items():
        lines += ["%s,%d,%d,%d,%d" % (name, x - size // 2, y - size // 2, 2 * size, 2 * size) for x, y, size in squares]
    return "\n".join(lines) + "\n"


class EvalTest(CommandTest):
    def setUp(self):
        super().setUp()
        for name, squares in SCENES.items():
            self.write("set/" + name, scene.Picture(160, 120, squares).pgm())
        self.write("set/truth.csv", boxes(SCENES))

    def eval(self, *arguments, code=0, out="out"):
        arguments = arguments or ("--truth", "set/truth.csv")
        result = self.run_command("eval", "detector", "-m", "square", "--out", out, *arguments)
        self.assertEqual(result.code, code, result.err)
        return result

    def report(self, out="out"):
        return json.loads(self.read(out + "/eval.json"))

    def figures(self, *arguments, **more):
        self.eval(*arguments, **more)
        return self.report()["models"][0]["pictures"]


class Files(EvalTest):
    def test_three_files_and_a_table(self):
        result = self.eval()
        self.assertEqual(self.files("out"), ["curves.csv", "eval.json", "index.html"])
        text = result.out.decode()
        self.assertRegex(text, r"(?m)^square .* 100\.0 ")
        self.assertIn("3 objects in 2 pictures", text)
        self.assertIn("out/index.html", text)
        self.assertRegex(result.err, r"^winnow: 2 pictures, \d+ objects")
        self.assertEqual(self.eval("--truth", "set/truth.csv", "--quiet").err, "")

    def test_the_report_says_everything(self):
        self.eval("--truth", "set/truth.csv", "--negatives", "set", "--scale", "1.2", "--title", "Squares & more")
        report = self.report()
        self.assertEqual(report["title"], "Squares & more")
        self.assertEqual((report["pictures"], report["unread"]), (3, 0))
        self.assertEqual((report["rule"]["match"], report["rule"]["iou"], report["rule"]["rank"]), ("iou", 0.5, "score"))
        model = report["models"][0]
        self.assertEqual(model["search"], {"scale": 1.2, "enlarge": 1, "min_neighbors": 3, "min_size": [0, 0], "max_size": [0, 0],
                                           "min_score": None, "min_support": 0, "merge": "groups", "stride": None,
                                           "padding": [0, 0], "gray": False, "border": 0})
        self.assertEqual((model["margin"], model["aspect"]), (0, 0))
        self.assertEqual((model["name"], os.path.basename(model["file"])), ("square", "square.xml"))
        self.assertGreater(model["windows_searched"], 1000)
        self.assertGreaterEqual(model["seconds"], 0)
        figures = model["pictures"]
        self.assertEqual((figures["pictures"], figures["objects"], figures["found"]), (3, 3, 3))
        self.assertEqual(list(figures["recall_at"]), ["1", "5", "10", "25", "50", "100"])
        # All survivors have the score of one leaf, so the curve has one point.
        self.assertEqual(figures["curve"]["rank"], [1.25])
        self.assertEqual(figures["curve"]["recall"], [1])
        self.assertEqual(figures["curve"]["wrong"], [figures["wrong"]])
        page = self.read("out/index.html").decode()
        self.assertIn("Squares &amp; more", page)
        self.assertIn("square", page)
        for foreign in ("<script", "http-equiv", "href=", 'src="http', "url("):
            self.assertNotIn(foreign, page)

    def test_the_curves_as_csv(self):
        self.eval()
        lines = self.read("out/curves.csv").decode().splitlines()
        self.assertEqual(lines[0], "model,curve,rank,found,wrong,x,y")
        self.assertTrue(lines[1].startswith("square,recall_over_false_positives,1.25,3,"))
        self.assertEqual({line.split(",")[1] for line in lines[1:]},
                         {"recall_over_false_positives", "precision_over_recall",
                          "miss_rate_over_false_positives_per_picture"})

    def test_one_line_of_json(self):
        result = self.eval("--truth", "set/truth.csv", "--format", "json")
        self.assertEqual(result.out.count(b"\n"), 1)
        summary = json.loads(result.out)
        figures = self.report()["models"][0]["pictures"]
        self.assertEqual((summary["pictures"], summary["out"]), (2, "out"))
        for key in ("found", "wrong", "recall_at", "average_precision", "log_average_miss_rate"):
            self.assertEqual(summary["models"][0][key], figures[key])

    def test_the_same_whoever_does_the_work(self):
        more = ["--truth", "set/truth.csv", "--min-neighbors", "0", "--fddb"]
        self.eval(*more, "one.txt", "--backend", "reference")
        wanted = self.report()
        for variant in (["--backend", "cpu", "--threads", "1"], ["--threads", "2"]):
            self.eval(*more, "two.txt", *variant, out="other")
            self.assertEqual(self.read("other/curves.csv"), self.read("out/curves.csv"))
            self.assertEqual(self.read("two.txt"), self.read("one.txt"))
            self.assertEqual(self.report("other")["models"][0]["pictures"], wanted["models"][0]["pictures"])

    def test_fddb_form(self):
        self.eval("--truth", "set/truth.csv", "--fddb", "found.txt")
        lines = self.read("found.txt").decode().splitlines()
        wanted = self.detect("set/a.pgm", "--min-neighbors", "1").objects()[0]
        self.assertEqual(lines[:2], ["a.pgm", str(len(wanted))])
        self.assertEqual(lines[2], "%d %d %d %d %g" % tuple(wanted[0][key] for key in ("x", "y", "width", "height", "score")))
        self.assertIn("b.pgm", lines)

    def test_several_models(self):
        self.write("models/tree.xml", TREE)
        result = self.eval("-m", "tree", "-m", "models/square.xml", "--truth", "set/truth.csv")
        self.assertEqual([model["name"] for model in self.report()["models"]], ["square", "tree", "square (2)"])
        self.assertEqual(len(re.findall(r"(?m)^(square|tree)", result.out.decode())), 3)
        # Both leaves of the tree pass a stage, so there are two scores and at most two points.
        self.assertLessEqual(len(self.report()["models"][1]["pictures"]["curve"]["rank"]), 2)


class Rules(EvalTest):
    def test_overlap(self):
        self.assertEqual(self.figures("--truth", "set/truth.csv", "--iou", "0.3")["found"], 3)
        strict = self.figures("--truth", "set/truth.csv", "--iou", "0.999")
        self.assertLess(strict["found"], 3)
        self.assertEqual(strict["detections"], strict["found"] + strict["wrong"])

    def test_points(self):
        lines = []
        for name, squares in SCENES.items():
            # The eyes are in the upper corners of the square, the mouth is in the middle below.
            lines += ["%s %d %d %d %d %d %d %d %d %d %d %d %d" %
                      (name, x, y, x + s, y, x + s // 2, y + s // 2, x, y + s, x + s // 2, y + s, x + s, y + s)
                      for x, y, s in squares]
        self.write("set/points.txt", "\n".join(lines) + "\n")
        points = ["--truth", "set/points.txt", "--match", "points"]
        self.assertEqual(self.figures(*points)["found"], 3)
        rule = self.report()["rule"]
        self.assertEqual((rule["hold"], rule["at_most"], rule["span"]), ([0, 1, 2, 4], 4.5, [0, 1, 4]))
        self.assertEqual(self.figures(*points, "--at-most", "0.5")["found"], 0)
        self.assertEqual(self.figures(*points, "--hold", "2", "--span", "0,1,3")["found"], 3)
        result = self.run_command("eval", "detector", "-m", "square", "--out", "out", *points, "--hold", "0,6")
        self.assertEqual(result.code, 2)
        self.assertIn("points", result.err)

    def test_rank(self):
        figures = self.figures("--truth", "set/truth.csv", "--rank", "neighbors")
        self.assertTrue(all(rank == int(rank) and rank > 1 for rank in figures["curve"]["rank"]))
        self.assertEqual(self.report()["rule"]["rank"], "neighbors")

    def test_search_options(self):
        everything = self.figures()["detections"]
        self.assertGreater(self.figures("--truth", "set/truth.csv", "--min-neighbors", "0")["detections"], everything)
        self.assertEqual(self.figures("--truth", "set/truth.csv", "--raw"),
                         self.figures("--truth", "set/truth.csv", "--min-neighbors", "0"))
        self.assertEqual(self.report()["models"][0]["search"]["merge"], "groups")
        figures = self.figures("--truth", "set/truth.csv", "--merge", "meanshift", "--border", "0.1")
        self.assertEqual(figures["found"], figures["objects"])
        search = self.report()["models"][0]["search"]
        self.assertEqual((search["merge"], search["border"]), ("meanshift", 0.1))
        self.assertEqual(self.figures("--truth", "set/truth.csv", "--min-score", "7")["detections"], 0)
        self.assertLess(self.figures("--truth", "set/truth.csv", "--min-size", "60x60")["detections"], everything)
        self.assertLess(self.figures("--truth", "set/truth.csv", "--max-size", "60x60")["detections"], everything)


class Inputs(EvalTest):
    def test_several_truths(self):
        self.write("more/c.pgm", scene.Picture(100, 80, [(30, 25, 24)]).pgm())
        self.write("labels/more.csv", boxes({"c.pgm": [(30, 25, 24)]}))
        figures = self.figures("--truth", "set/truth.csv", "--pictures", "set", "--truth", "labels/more.csv", "--pictures",
                               "more")
        self.assertEqual((figures["pictures"], figures["objects"], figures["found"]), (3, 4, 4))
        self.assert_usage_error("eval", "detector", "-m", "square", "--out", "out", "--truth", "set/truth.csv", "--truth",
                                "set/../set/truth.csv", says="names a picture twice")

    def test_negatives_by_folder_picture_and_list(self):
        # Names are relative to the list's folder, not to the command's current folder.
        self.write("lists/bg.txt", "../set/empty.pgm \n\nmore.pgm\t\r\n")
        self.write("lists/more.pgm", scene.Picture(160, 120).pgm())
        self.write("more.pgm", "no picture")
        for name, pictures in (("set", 3), ("set/empty.pgm", 3), ("lists/bg.txt", 4)):
            figures = self.figures("--truth", "set/truth.csv", "--negatives", name)
            self.assertEqual((figures["pictures"], figures["objects"]), (pictures, 3), name)
        self.write("lists/bg.txt", "set/a.pgm\n")
        result = self.eval("--truth", "set/truth.csv", "--negatives", "lists/bg.txt", code=1)
        self.assertIn("lists/set/a.pgm: ", result.err)

    def test_what_is_no_list(self):
        with open(self.path("zeros"), "wb") as file:
            file.truncate(1 << 40)
        self.write("long", "set/a.pgm\n" + "x" * 8193)
        self.write("binary", b"a\0b\n")
        for name in ("zeros", "long", "binary"):
            result = self.eval("--truth", "set/truth.csv", "--negatives", name, code=1)
            self.assertIn("winnow: " + name + ": is neither a picture nor a folder nor a list", result.err)
        self.write("lists/longest", "x" * 8192 + "\n../set/empty.pgm")
        result = self.eval("--truth", "set/truth.csv", "--negatives", "lists/longest", code=1)
        self.assertEqual(self.report()["pictures"], 3)
        if os.path.exists("/proc/self/mem"):
            os.symlink("/proc/self/mem", self.path("unreadable"))
            result = self.eval("--truth", "set/truth.csv", "--negatives", "unreadable", code=1)
            self.assertIn("winnow: unreadable: this list of pictures cannot be read to its end", result.err)

    def test_what_is_missing_is_named_and_the_others_are_done(self):
        self.write("set/more.csv", boxes(dict(SCENES, **{"gone.pgm": [(30, 25, 24)], "bad.pgm": [(30, 25, 24)]})))
        self.write("set/bad.pgm", b"P5\n100 100\n255\nshort")
        result = self.eval("--truth", "set/more.csv", "--negatives", "nowhere", code=1)
        for name in ("gone.pgm", "bad.pgm", "nowhere"):
            self.assertIn(name, result.err)
        self.assertEqual(len(result.err.splitlines()), 4)
        report = self.report()
        self.assertEqual((report["pictures"], report["unread"]), (2, 2))
        self.assertEqual(report["models"][0]["pictures"]["objects"], 3)
        self.assertIn("2 pictures could not be searched", result.out.decode())

    def test_windows(self):
        # A crop of 40 x 40 holds a square of 20 in its middle; the window is 20 x 20.
        self.write("crops/1.pgm", scene.Picture(40, 40, [(10, 10, 20)]).pgm())
        self.write("crops/2.pgm", scene.Picture(20, 20, [(5, 5, 10)]).pgm())
        self.write("crops/3.pgm", scene.Picture(20, 20).pgm())
        sets = ["--windows-positive", "crops", "--windows-negative", "set"]
        result = self.eval(*sets)
        windows = self.report()["models"][0]["windows"]
        self.assertEqual((windows["positives"], windows["curve"]["found"], windows["curve"]["rank"]), (3, [2], [1.25]))
        self.assertNotIn("pictures", self.report()["models"][0])
        bench = json.loads(self.run_command("bench", "-m", "square", "--repeat", "1", "--json", "--stages", "set").out)
        self.assertEqual(windows["windows"], bench["windows"])
        self.assertEqual(windows["curve"]["wrong"], [bench["reached"][-1]])
        self.assertIn("crops", result.out.decode())
        self.assertIn("false positives per window", self.read("out/index.html").decode())
        both = self.eval("--truth", "set/truth.csv", *sets, "--format", "json")
        self.assertEqual(json.loads(both.out)["models"][0]["windows"]["passed"], 2)
        # A crop of another shape is refused by name, and the others are judged.
        self.write("crops/4.pgm", scene.Picture(40, 20).pgm())
        result = self.eval(*sets, code=1)
        self.assertIn("4.pgm: a crop of 40x20 is no window of 20x20", result.err)
        self.assertEqual(self.report()["models"][0]["windows"]["positives"], 3)
        self.assertEqual((self.report()["unread"], self.report()["unjudged"]), (0, 1))
        self.assertEqual(self.report()["truth"], ["crops (windows of the object)", "set (windows without)"])
        self.assertIn("1 picture of windows could not be judged", self.read("out/index.html").decode())
        # Beside a truth, the page names windows and pictures separately.
        self.write("set/more.csv", boxes(dict(SCENES, **{"gone.pgm": [(30, 25, 24)]})))
        text = self.eval("--truth", "set/more.csv", *sets, code=1).out.decode()
        self.assertEqual((self.report()["unread"], self.report()["unjudged"]), (1, 1))
        self.assertIn("1 picture could not be searched", text)
        self.assertIn("1 picture of windows could not be judged", text)
        page = self.read("out/index.html").decode()
        self.assertIn("1 picture could not be searched", page)
        self.assertIn("1 picture of windows could not be judged", page)
        os.remove(self.path("crops/4.pgm"))
        # --min-score also applies to crops and backgrounds.
        self.eval(*sets, "--min-score", "2")
        windows = self.report()["models"][0]["windows"]
        self.assertEqual((windows["positives"], windows["curve"]["found"], windows["curve"]["wrong"]), (3, [], []))
        os.mkdir(self.path("empty"))
        for more in (["--windows-positive", "empty", "--windows-negative", "set"],
                     ["--windows-positive", "crops", "--windows-negative", "empty"],
                     ["--truth", "set/truth.csv", "--negatives", "empty"],
                     ["--truth", "set/truth.csv", "--negatives", "set", "--negatives", "empty"]):
            self.assertEqual(self.eval(*more, code=2).err, "winnow: there is no picture in empty\n")
        # A folder gives the pictures directly in the folder, not those in deeper folders, as in training.
        os.mkdir(self.path("empty/deeper"))
        self.write("empty/deeper/1.pgm", self.read("crops/1.pgm"))
        self.assertEqual(self.eval("--truth", "set/truth.csv", "--negatives", "empty", code=2).err,
                         "winnow: there is no picture in empty\n")
        # The message about the empty folder comes before the message about "nowhere".
        self.assertEqual(self.eval("--truth", "set/truth.csv", "--negatives", "nowhere", "--windows-positive", "empty",
                                   "--windows-negative", "set", code=2).err, "winnow: there is no picture in empty\n")


class Refusals(EvalTest):
    def test_words(self):
        result = self.run_command("eval", "detector", "--help")
        self.assertEqual((result.code, result.err), (0, ""))
        self.assertIn("winnow eval detector -m", result.out.decode())
        self.assert_usage_error("eval", says="eval detector")
        self.assert_usage_error("eval", "landmarks", says="--truth")

    def refused(self, *arguments, says):
        result = self.assert_usage_error("eval", "detector", *arguments, says=says)
        self.assertFalse(os.path.exists(self.path("out")), arguments)
        return result

    def test_usage(self):
        good = ["-m", "square", "--out", "out", "--truth", "set/truth.csv"]
        self.refused("--truth", "set/truth.csv", "--out", "out", says="model")
        self.refused("-m", "square", "--out", "out", says="nothing to do")
        self.refused("-m", "square", "--truth", "set/truth.csv", says="--out")
        self.refused("-m", "square", "--truth", "set/truth.csv", "--out", "set/a.pgm", says="this is a file")
        self.refused("-m", "nobody", "--out", "out", "--truth", "set/truth.csv", says="square")
        for options, says in ((["--match", "area"], "iou or points"), (["--rank", "size"], "score or neighbors"),
                              (["--format", "xml"], "text or json"), (["--iou", "0"], "overlap"),
                              (["--iou", "1.5"], "overlap"), (["--hold", "1"], "--match points"),
                              (["--match", "points", "--iou", "0.5"], "--match iou"),
                              (["--match", "points", "--hold=-1"], "from 0"),
                              (["--match", "points", "--span", "0,1"], "three points"),
                              (["--match", "points", "--at-most", "0"], "largest side"),
                              (["--match", "points"], "points"),
                              (["--scale", "1"], "--scale"), (["--min-neighbors", "-1"], "--min-neighbors"),
                              (["--min-size", "20"], "--min-size"), (["--threads", "-1"], "--threads"),
                              (["--backend", "gpu"], "gpu"), (["--min-score", "nan"], "--min-score"),
                              (["--windows-positive", "set"], "go together"),
                              (["--windows-negative", "set"], "go together"),
                              (["--pictures", "a", "--pictures", "b"], "--pictures"),
                              (["-m", "square", "--fddb", "f.txt"], "one model"),
                              (["--truth-format", "drawing"], "drawing"), (["--title", ""], "--title"),
                              (["--no-such-option"], "no-such-option")):
            self.refused(*good, *options, says=says)
        self.refused("-m", "square", "--out", "out", "--negatives", "set", "--windows-positive", "set",
                     "--windows-negative", "set", says="--negatives goes with --truth")

    def test_truths(self):
        for name, text, code in (("gone.csv", None, 1), ("words.csv", "what is this\n", 1),
                                 ("none.csv", "file,x,y,width,height,ignore\na.pgm,1,1,5,5,1\n", 2)):
            if text is not None:
                self.write("set/" + name, text)
            result = self.run_command("eval", "detector", "-m", "square", "--out", "out", "--truth", "set/" + name)
            self.assertEqual((result.code, result.out), (code, b""), result.err)
            self.assertEqual(result.err.count("\n"), 1)

    def test_fddb_is_checked_before_the_search(self):
        for name, says, code in (("no/x", "no/x: cannot write: No such file", 1), ("set", "set is a folder", 2)):
            result = self.eval("--truth", "set/truth.csv", "--fddb", name, code=code)
            self.assertIn(says, result.err)
            self.assertEqual((result.err.count("\n"), self.files("out")), (1, []))
        truth = self.read("set/truth.csv")
        for name, says in (("./set/truth.csv", "would write over what is judged by"), ("set/../set/truth.csv", "judged by"),
                           ("./out/eval.json", "another file than those of --out")):
            result = self.eval("--truth", "set/truth.csv", "--fddb", name, code=2)
            self.assertIn(says, result.err)
        self.assertEqual((self.read("set/truth.csv"), self.files("out")), (truth, []))
        self.eval("--truth", "set/truth.csv", "--fddb", "out/found.txt")
        self.assertIn("found.txt", self.files("out"))

    def test_the_page_is_checked_before_the_search(self):
        for name in ("index.html", "eval.json", "curves.csv"):
            os.makedirs(self.path(f"{name}-out/{name}"))
            result = self.eval(out=f"{name}-out", code=2)
            self.assertEqual((result.out, result.err), (b"", f"winnow: {name}-out/{name} is a folder, not a file\n"))

    def test_a_folder_that_cannot_be_made(self):
        self.write("file", "mine")
        result = self.eval("--truth", "set/truth.csv", out="file/under", code=1)
        self.assertIn("file/under", result.err)
        self.assertEqual(self.read("file"), b"mine")
