"""Tests of `eval detector`'s figures: models of three kinds, beside the same figures worked out here in plain Python."""

import csv
import io
import json
import math

import scene
from rings import background, draw_ring, noise
from runner import CommandTest

SIDE = 24
PER_WINDOW = {"1e-6": 1e-6, "1e-5": 1e-5, "1e-4": 1e-4, "1e-3": 1e-3}
PER_PICTURE = {"0.01": 0.01, "0.1": 0.1, "1": 1}
LOW = "--min-score=-1000"  # every window of a HOG model passes


def judge(pictures, iou=0.5):
    """The (rank, right) pairs of all detections. `pictures` has a pair (labels, detections) for each picture."""
    verdicts = []
    for labels, detections in pictures:
        free = list(labels)
        for x, y, w, h, score in sorted(detections, key=lambda each: -each[4]):
            best, which = 0, None
            for label in free:
                across = max(0, min(x + w, label[0] + label[2]) - max(x, label[0]))
                down = max(0, min(y + h, label[1] + label[3]) - max(y, label[1]))
                overlap = across * down / (w * h + label[2] * label[3] - across * down)
                if overlap >= iou and overlap > best:
                    best, which = overlap, label
            if which:
                free.remove(which)
            verdicts.append((score, which is not None))
    return verdicts


def curve(verdicts):
    """The points (rank, found, wrong) of a curve, one for each distinct rank, the largest first."""
    points = []
    for rank in sorted({rank for rank, _ in verdicts}, reverse=True):
        kept = [right for each, right in verdicts if each >= rank]
        points.append((rank, sum(kept), len(kept) - sum(kept)))
    return points


def miss_rate_at(points, objects, whole, rate):
    """The smallest miss rate of the points with at most `rate` times `whole` false positives; 1 if there is none."""
    return min([(objects - found) / objects for _, found, wrong in points if wrong / whole <= rate], default=1)


def log_average(points, objects, pictures):
    rates = [10 ** (-2 + i / 4) for i in range(9)]
    return math.exp(sum(math.log(max(miss_rate_at(points, objects, pictures, rate), 1e-10)) for rate in rates) / 9)


class Figures(CommandTest):
    def setUp(self):
        super().setUp()
        self.truth = {}
        lines = ["file,x,y,width,height"]
        for i in range(12):
            places = [(10 + 52 * j, 8 + 9 * (i % 4) + 3 * j, SIDE + 6 * (i + j) % 18) for j in range(i % 4)]
            picture = noise(190, 90, 300 + i)
            for j, (left, top, side) in enumerate(places):
                draw_ring(picture, left, top, side, 10 * i + j, 0.08)
            name = f"{i:02}.pgm"
            self.write("set/" + name, picture.pgm())
            self.truth[name] = [(x, y, side, side) for x, y, side in places]
            lines += [f"{name},{x},{y},{side},{side}" for x, y, side in places]
        self.write("set/truth.csv", "\n".join(lines) + "\n")
        for i in range(40):
            self.write(f"crops/{i:02}.pgm", draw_ring(noise(SIDE + 2, SIDE + 2, 1000 + i), 1, 1, SIDE, i, 0.08).pgm())
        for i in range(6):
            self.write(f"scenes/{i}.png", background(i))
        for i in range(15):
            ring = draw_ring(noise(SIDE, SIDE, 2000 + i), 0, 0, SIDE, 50 + i, 0.12)
            self.write(f"kept/{i:02}.pgm", ring.pgm() if i < 13 else noise(SIDE, SIDE, 2000 + i).pgm())
            self.write(f"small/{i:02}.pgm", noise(64, 16, 3000 + i).crop(3 * i, 0, 16, 16).pgm())
        # The SVM finds a slope down to the right. Three crops show one.
        for i in range(3):
            slope = scene.Picture(16, 16)
            slope.rows = [bytearray((5 + i) * (x + y) for x in range(16)) for y in range(16)]
            self.write(f"small/{i:02}.pgm", slope.pgm())
        self.write("models/edge.yml", scene.HOG)
        trained = self.run_command("train", "hog-cascade", "--positives", "crops", "--negatives", "scenes", "--window", "26x26",
                                   "--max-stages", "3", "--rounds", "1", "--round-negatives", "80", "--name", "ring", "--out",
                                   "models/ring.winnow")
        self.assertEqual(trained.code, 0, trained.err)
        self.sets = ("--truth", "set/truth.csv", "--negatives", "set", "--windows-positive", "kept", "--windows-negative", "scenes")

    def eval(self, *arguments, code=0, out="out"):
        result = self.run_command("eval", "detector", "--out", out, *arguments)
        self.assertEqual(result.code, code, result.err)
        return result

    def report(self, out="out"):
        return json.loads(self.read(out + "/eval.json"))

    def found(self, model, *arguments):
        """The detections of `detect` in each picture: boxes with scores."""
        result = self.run_command("detect", "-m", model, "--border", "0", *arguments)
        self.assertEqual(result.code, 0, result.err)
        return [[tuple(each[key] for key in ("x", "y", "width", "height", "score")) for each in objects]
                for objects in result.objects()]

    def rows(self, model, name):
        """The points of a curve in curves.csv."""
        lines = csv.DictReader(io.StringIO(self.read("out/curves.csv").decode()))
        return [(float(each["rank"]), int(each["found"]), int(each["wrong"]), float(each["x"]), float(each["y"]))
                for each in lines if (each["model"], each["curve"]) == (model, name)]

    def check_pictures(self, model, figures, options, file=None):
        found = self.found(file or model, *options, *[f"set/{name}" for name in self.truth])
        points = curve(judge(list(zip(self.truth.values(), found))))
        objects, pictures = sum(map(len, self.truth.values())), len(self.truth)
        self.assertEqual(list(zip(*(figures["curve"][key] for key in ("rank", "found", "wrong")))), points, model)
        self.assertEqual(figures["curve"]["wrong_per_picture"], [wrong / pictures for _, _, wrong in points])
        self.assertEqual(figures["curve"]["miss_rate"], [(objects - right) / objects for _, right, _ in points])
        self.assertEqual(self.rows(model, "miss_rate_over_false_positives_per_picture"),
                         [(rank, right, wrong, wrong / pictures, (objects - right) / objects) for rank, right, wrong in points])
        self.assertEqual(figures["miss_rate_at"],
                         {name: miss_rate_at(points, objects, pictures, rate) for name, rate in PER_PICTURE.items()})
        self.assertAlmostEqual(figures["log_average_miss_rate"], log_average(points, objects, pictures), 12)
        return points

    def check_windows(self, model, windows, options, file=None, crops="kept"):
        file, raw = file or model, ("--raw", *options)
        # Crops of the window's own size hold one window.
        scores = [objects[0][4] for objects in self.found(file, *raw, "--scale", "2", crops) if objects]
        alarms = [each[4] for objects in self.found(file, *raw, "scenes") for each in objects]
        count = json.loads(self.run_command("bench", "--json", "-m", file, "--repeat", "1", *raw, "scenes").out)["windows"]
        self.assertEqual((windows["positives"], windows["windows"]), (15, count))
        points = curve([(score, True) for score in scores] + [(score, False) for score in alarms])
        # In a run of points in which only false positives grow, only the first and the last are written.
        written = [point for i, point in enumerate(points)
                   if not 0 < i < len(points) - 1 or not points[i - 1][1] == point[1] == points[i + 1][1]]
        self.assertEqual(list(zip(*(windows["curve"][key] for key in ("rank", "found", "wrong")))), written, model)
        self.assertEqual(self.rows(model, "miss_rate_over_false_positives_per_window"),
                         [(rank, right, wrong, wrong / count, (15 - right) / 15) for rank, right, wrong in written])
        self.assertEqual(windows["miss_rate_at"],
                         {name: miss_rate_at(points, 15, count, rate) for name, rate in PER_WINDOW.items()})
        return points

    def test_three_kinds_in_one_page(self):
        models = ("-m", "square", "-m", "models/edge.yml", "-m", "ring")
        text = self.eval(*models, *self.sets, LOW).out.decode()
        report = self.report()
        self.assertEqual([(model["name"], model["kind"]) for model in report["models"]],
                         [("square", "cascade"), ("edge", "hog-svm"), ("ring", "hog-cascade")])
        for model in report["models"]:
            self.check_pictures(model["name"], model["pictures"], (LOW,), model["file"])
        self.check_windows("ring", report["models"][2]["windows"], (LOW,))
        for model in report["models"]:
            self.assertRegex(text, r"(?m)^%s .* %.3f " % (model["name"], model["pictures"]["log_average_miss_rate"]))
            self.assertRegex(text, r"(?m)^%s +15 .* %.1f +\S+$" % (model["name"], 100 * model["windows"]["miss_rate_at"]["1e-3"]))
        page = self.read("out/index.html").decode()
        for model in report["models"]:
            row = page[page.index(f'<td class="name">{model["name"]}</td><td class="name">{model["kind"]}</td>'):].split("</tr>")[0]
            rates = list(model["windows"]["miss_rate_at"].values())
            rates += [model["pictures"]["log_average_miss_rate"], *model["pictures"]["miss_rate_at"].values()]
            cells = row.replace("</td>", "").split("<td>")[1:]
            self.assertEqual(cells[:4] + cells[5:9], ["%.1f %%" % (100 * rate) for rate in rates])
            self.assertIn(f'>{model["name"]}: {100 * rates[4]:.1f} %</text>', page)
            self.assertIn(f'>{model["name"]}: {100 * rates[2]:.1f} % at 1e-4</text>', page)
        self.assertLess(page.index("over false positives per window"), page.index("over false positives per picture"))
        # Crops of the SVM's own size; every window of the pictures is a false positive.
        self.eval("-m", "models/edge.yml", "--windows-positive", "small", "--windows-negative", "scenes", LOW)
        windows = self.report()["models"][0]["windows"]
        self.check_windows("edge", windows, (LOW,), "models/edge.yml", "small")
        self.assertTrue(0 < windows["miss_rate_at"]["1e-3"] < 1 and windows["curve"]["wrong"][-1] == windows["windows"])
        # Without merging, the curves are long.
        self.eval(*models, *self.sets, LOW, "--raw")
        for model in self.report()["models"]:
            points = self.check_pictures(model["name"], model["pictures"], (LOW, "--raw"), model["file"])
            self.assertGreaterEqual(len(points), 1 if model["kind"] == "cascade" else 25)
            if model["name"] == "ring":
                self.assertTrue(0.1 < model["pictures"]["log_average_miss_rate"] < 0.9, model["pictures"]["log_average_miss_rate"])

    def test_limits_and_merging_as_in_detect(self):
        # Without --min-score, windows and crops of a HOG model need a score of 0 or more.
        for options in ((), ("--min-score", "0.05"), ("--merge", "meanshift"), ("--gray",)):
            self.eval("-m", "ring", *self.sets, *options)
            report = self.report()["models"][0]
            self.check_pictures("ring", report["pictures"], options)
            last = self.check_windows("ring", report["windows"], options)[-1]
            self.assertGreaterEqual(last[0], 0, options)
        self.eval("-m", "ring", *self.sets, "--raw", "--stride", "8")
        search = self.report()["models"][0]["search"]
        self.assertEqual((search["stride"], search["gray"]), ([8, 8], False))
        self.check_pictures("ring", self.report()["models"][0]["pictures"], ("--raw", "--stride", "8"))
        self.check_windows("ring", self.report()["models"][0]["windows"], ("--stride", "8"))
        # A border is put around whole pictures only. The figures per window count windows of the picture itself.
        self.eval("-m", "ring", *self.sets, LOW)
        without = self.report()["models"][0]
        self.eval("-m", "ring", *self.sets, LOW, "--border", "0.2")
        self.assertEqual(self.report()["models"][0]["windows"], without["windows"])
        self.assertGreater(self.report()["models"][0]["windows_searched"], without["windows_searched"])

    def test_strides(self):
        # --stride is for models that have a stride. A cascade in the same run keeps its own steps.
        self.eval("-m", "square", *self.sets)
        alone = self.report()["models"][0]
        self.eval("-m", "square", "-m", "ring", *self.sets, "--stride", "4")
        beside = self.report()["models"][0]
        self.assertEqual((beside["pictures"], beside["windows"]), (alone["pictures"], alone["windows"]))
        for model, stride, says in (
                ("square", 4, "--stride is for HOG models, and square is a cascade, whose windows lie 1 or 2 pixels apart"),
                ("ring", 6, "--stride must be a multiple of 4 for ring, not 6"),
                ("ring", 65537, "--stride must be from 0 to 65536"), ("ring", -1, "--stride must be from 0 to 65536")):
            for command in (("eval", "detector", "--out", "no", *self.sets), ("detect", "set/00.pgm")):
                result = self.run_command(*command, "-m", model, f"--stride={stride}")
                self.assertEqual((result.code, result.out, result.err), (2, b"", f"winnow: {says}\n"), command)
        self.assertEqual(self.files("no"), [])

    def test_colour_and_grey(self):
        # Red has the steepest slope, across that of green, but counts for less than green in grey. Blue has a texture.
        for name, width, height in (("color/a.ppm", 90, 70), ("crops16/a.ppm", 16, 16)):
            blue = noise(width, height, 4000).pixels()
            pixels = bytearray()
            for at in range(width * height):
                x, y = at % width, at // width
                pixels += bytes([5 * abs((x + y) % 64 - 32), 4 * abs((x - y) % 64 - 32), blue[at] // 8])
            self.write(name, b"P6\n%d %d\n255\n" % (width, height) + pixels)
        self.write("color/truth.csv", "file,x,y,width,height\na.ppm,10,10,16,16\n")
        sets = ("--truth", "color/truth.csv", LOW, "--raw")
        windows = ("--windows-positive", "crops16", "--windows-negative", "color")
        ranks = []
        for options in ((), ("--gray",)):
            self.eval("-m", "square", "-m", "models/edge.yml", *sets, *options)
            beside = self.report()["models"][1]["pictures"]
            self.eval("-m", "models/edge.yml", *sets, *windows, *options)
            model = self.report()["models"][0]
            self.assertEqual(model["pictures"], beside)
            found = self.found("models/edge.yml", LOW, "--raw", *options, "color/a.ppm")[0]
            self.assertEqual(model["pictures"]["curve"]["rank"], sorted({each[4] for each in found}, reverse=True))
            crop = self.found("models/edge.yml", LOW, "--raw", "--scale", "2", *options, "crops16/a.ppm")[0][0][4]
            self.assertIn(crop, model["windows"]["curve"]["rank"])
            ranks.append((crop, model["pictures"]["curve"]["rank"]))
        self.assertNotEqual(ranks[0][0], ranks[1][0])
        self.assertNotEqual(ranks[0][1], ranks[1][1])

    def test_windows_of_different_shapes(self):
        result = self.run_command("eval", "detector", "--out", "no", "-m", "ring", "-m", "square", "-m", "people", *self.sets)
        self.assertEqual((result.code, result.out, result.err, self.files("no")),
                         (2, b"", "winnow: no crop fits both ring (24x24) and people (64x128): judge their windows in two calls\n",
                          []))
        # A crop's shape may differ from the window's by one pixel.
        self.write("models/wide.xml", scene.CASCADE.replace("<width>20</width>", "<width>21</width>"))
        self.write("off/1.pgm", scene.Picture(41, 40, [(10, 10, 20)]).pgm())
        self.eval("-m", "square", "-m", "wide", "--windows-positive", "off", "--windows-negative", "scenes")
        self.assertEqual([model["windows"]["positives"] for model in self.report()["models"]], [1, 1])
        # Models with windows of different shapes can be judged on the same whole pictures.
        self.eval("-m", "ring", "-m", "people", "--truth", "set/truth.csv")

    def test_ends_of_curves(self):
        # One picture, and nothing is found: every object is missed at every rate.
        self.write("one/truth.csv", "file,x,y,width,height\na.pgm,10,10,24,24\n")
        self.write("one/a.pgm", scene.Picture(100, 80).pgm())
        one = ("-m", "square", "--truth", "one/truth.csv")
        text = self.eval(*one).out.decode()
        figures = self.report()["models"][0]["pictures"]
        self.assertEqual((figures["curve"]["rank"], figures["log_average_miss_rate"]), ([], 1))
        self.assertEqual(figures["miss_rate_at"], {"0.01": 1, "0.1": 1, "1": 1})
        self.assertRegex(text, r"(?m)^square +0\.0 .* 0\.000 +1\.000 +0 +0 +0 ")
        self.assertNotIn("nan", self.read("out/index.html").decode())
        # The object is found without a false positive: the curve is a point, and its miss rate holds everywhere.
        self.write("one/a.pgm", scene.Picture(100, 80, [(20, 20, 20)]).pgm())
        self.write("one/truth.csv", "file,x,y,width,height\na.pgm,10,10,40,40\na.pgm,70,60,9,9\n")
        self.eval(*one)
        figures = self.report()["models"][0]["pictures"]
        self.assertEqual((figures["found"], figures["wrong"], figures["objects"]), (1, 0, 2))
        self.assertEqual(figures["miss_rate_at"], {"0.01": 0.5, "0.1": 0.5, "1": 0.5})
        self.assertAlmostEqual(figures["log_average_miss_rate"], 0.5, 12)
