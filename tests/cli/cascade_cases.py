"""Tests of `winnow train cascade`: small trainings on drawn rings, whole and interrupted."""

import html.parser
import json
import os
import random
import signal
import subprocess
import time

from cascade_command import Cascade
from rings import SIDE, draw_ring, noise
from runner import HANG_SECONDS


class Page(html.parser.HTMLParser):
    """Checks that tags close in the reverse order of their opening, and lists links that leave the page."""

    ALONE = {"meta", "img", "br", "hr", "link", "input", "line", "path", "rect", "circle", "polyline"}

    def __init__(self, text):
        super().__init__()
        self.open, self.wrong, self.outside = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        if tag not in self.ALONE:
            self.open.append(tag)
        self.handle_startendtag(tag, attributes)

    def handle_startendtag(self, tag, attributes):
        for name, value in attributes:
            if name in ("src", "href", "xlink:href") and not (value or "").startswith(("data:", "#")):
                self.outside.append((tag, name, value))
        if tag in ("script", "link", "iframe"):
            self.outside.append((tag, "", ""))

    def handle_endtag(self, tag):
        if tag in self.ALONE:
            return
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


class Training(Cascade):
    def test_model_xml_rows_log_and_page(self):
        good = ["--stages", "6", "--max-false", "0.3", "--seed", "4"]
        small = self.SMALL[:2] + self.SMALL[4:]
        result = self.train("--out", "ring.winnow", "--log", "log", *good, small=small)
        self.assertRegex(result.out.decode(), r"^ring\.winnow: \d stages?, \d+ weak classifiers?\nring-report\.html\n$")
        rows = result.err.splitlines()
        self.assertEqual(rows[0].split(), "stage weak hit rate false alarms positives negatives kept windows "
                                           "searched time".split())
        self.assertNotIn("\r", result.err)
        lines = [json.loads(line) for line in self.read("log").decode().splitlines()]
        stages, last = lines[:-1], lines[-1]
        self.assertEqual([line["stage"] for line in stages], list(range(1, last["stages"] + 1)))
        self.assertEqual((last["stopped"], last["backend"] in ("cpu", "reference")), (False, True))
        for line, row in zip(stages, rows[1:]):
            self.assertEqual([line["stage"], line["weak"]], [int(cell) for cell in row.split()[:2]])
            self.assertEqual([line["positives"], line["negatives"], line["kept"], line["windows"]],
                             [int(cell) for cell in row.split()[4:8]])
            self.assertGreaterEqual(line["hit_rate"], 0.98)
            self.assertLessEqual(line["false_alarms"], 0.3)
            self.assertLessEqual(line["kept"], line["negatives"])
        self.assertEqual("ended early" in result.err, last["ended_early"] != "")
        self.assertEqual(len(rows), 1 + len(stages) + (1 if last["ended_early"] else 0))

        places = [(10, 8, 24), (60, 10, 16), (30, 50, 30), (90, 50, 20)]
        picture = noise(130, 90, 77)
        for i, place in enumerate(places):
            draw_ring(picture, *place, 900 + i)
        self.write("scene.png", picture.png())
        boxes = self.found("ring.winnow", "scene.png")
        hit = [any(self.overlap(box, (x, y, side, side)) > 0.4 for box in boxes) for x, y, side in places]
        self.assertGreaterEqual(sum(hit), 3, boxes)
        self.assertLessEqual(len(boxes), 8, boxes)

        self.train("--out", "ring.xml", "--no-report", *good, small=small)
        self.assertEqual(self.found("ring.xml", "scene.png"), boxes)
        result = self.run_command("convert", "ring.xml", "again.winnow")
        self.assertEqual(result.code, 0, result.err)
        self.assertEqual(self.found("again.winnow", "scene.png"), boxes)
        inspected = self.run_command("inspect", "ring.winnow").out.decode()
        self.assertIn("trained by winnow", inspected)

    @staticmethod
    def overlap(box, place):
        x, y, width, height = place
        across = min(box["x"] + box["width"], x + width) - max(box["x"], x)
        down = min(box["y"] + box["height"], y + height) - max(box["y"], y)
        if across <= 0 or down <= 0:
            return 0
        return across * down / (box["width"] * box["height"] + width * height - across * down)

    def test_page(self):
        os.rename(self.path("crops/03.pgm"), self.path("crops/<b>&.pgm"))
        # Some positives are no rings, so the page shows rejected positives with their names.
        for name, seed in (("<i>.pgm", 1), ("zz.pgm", 2)):
            self.write("crops/" + name, noise(SIDE, SIDE, seed).pgm())
        self.train("--out", "m.xml", "--report", "page.html", "--min-hit", "0.9", "--name", "a <ring>")
        self.assertNotIn("m-report.html", self.files("."))
        text = self.read("page.html").decode()
        self.assertTrue(text.lower().startswith("<!doctype html>"))
        self.assertIn("a &lt;ring&gt;", text)
        page = Page(text)
        self.assertEqual((page.open, page.wrong, page.outside), ([], [], []))
        self.assertNotIn("http", text.replace("http://www.w3.org/2000/svg", ""))
        self.assertNotIn("url(", text)
        self.assertIn("src=\"data:image/", text)
        self.train("--out", "n.xml", "--no-report")
        self.assertEqual([name for name in self.files(".") if name.endswith(".html")], ["page.html"])

    def test_the_same_bytes(self):
        self.train("--out", "m.winnow", "--no-report", "--threads", "2", "--name", "m")
        wanted = self.read("m.winnow")
        options = {"threads": ["--threads", "1"], "reference": ["--backend", "reference"], "little": ["--memory", "300K"],
                   "kept": ["--checkpoint", "state"], "seed": ["--seed", "2"]}
        for name, more in options.items():
            self.train("--out", name + ".winnow", "--no-report", "--name", "m", *more)
            check = self.assertNotEqual if name == "seed" else self.assertEqual
            check(self.read(name + ".winnow"), wanted, name)
        result = self.run_command("train", "pack", "--positives", "crops", "--negatives", "scenes", "--window", "12x12",
                                  "--out", "rings.pack", "--part-size", "20K")
        self.assertEqual(result.code, 0, result.err)
        small = self.SMALL[2:]
        self.train("--out", "p.winnow", "--no-report", "--name", "m", small=small, samples=("--pack", "rings.pack"))
        self.assertEqual(self.read("p.winnow"), wanted)

    def test_kinds(self):
        for features in ("haar", "haar-tilted", "lbp"):
            for boost, weak in (("gentle", ["--weak", "tree"]), ("real", ["--weak", "tree", "--depth", "3"]),
                                ("discrete", ["--weak", "stump"])):
                self.train("--out", "m.winnow", "--force", "--no-report", "--stages", "2", "--features", features, "--boost",
                           boost, *weak, "--pool", "2000", small=self.SMALL[:2] + self.SMALL[4:])
                self.assertIn("m.winnow", self.files("."))


class Breaks(Cascade):
    LONG = ["--window", f"{SIDE}x{SIDE}", "--stages", "6", "--stage-negatives", "400", "--min-hit", "1", "--max-false",
            "0.1", "--features", "haar-tilted", "--pool", "3000", "--threads", "1", "--name", "m", "--memory", "2M",
            "--no-report"]

    def setUp(self):
        super().setUp()
        for i in range(40):
            # Positives that are no rings make stages long.
            self.write(f"crops/x{i}.pgm", noise(SIDE, SIDE, 300 + i).pgm())

    def train_whole(self):
        rows = self.train("--out", "whole.winnow", small=self.LONG).err.splitlines()
        self.assertEqual([row.split()[0] for row in rows], ["stage", "1", "2", "3", "4", "5", "winnow:"])

    def broken(self, how, lines, seconds=0):
        """Sends the signal `how` to a training after `lines` lines of its table.

        Returns the exit code, the output and the errors.

        The training is at most two lines ahead of the test. A training with more stages to go is not done.
        """
        process, rows = self.start_stepped(
            *self.arguments("--checkpoint", "state", "--resume", "--out", "m.winnow", "--log", "log", small=self.LONG),
            stream="stderr", stdout=subprocess.PIPE)
        err = b"".join(rows.read() for _ in range(lines))
        time.sleep(seconds)
        process.send_signal(how)
        err += rows.rest()
        out, _ = process.communicate(timeout=HANG_SECONDS)
        return process.returncode, out, err.decode()

    def finish(self):
        self.train("--checkpoint", "state", "--resume", "--out", "m.winnow", "--log", "log", small=self.LONG)
        self.assertEqual(self.read("m.winnow"), self.read("whole.winnow"))
        for line in self.read("log").decode().splitlines():
            json.loads(line)

    def test_interrupted(self):
        self.train_whole()
        # The signals come by the end of stage 3, of stage 4 and of stage 5. Each run prints the table's head again.
        for lines in (2, 1, 1):
            code, out, err = self.broken(signal.SIGINT, lines)
            self.assertEqual((code, out), (130, b""), err)
            self.assertTrue(err.endswith("winnow: stopped; the same command with --resume goes on\n"), err)
            self.assertNotIn("m.winnow", self.files("."))
        self.finish()
        # A finished training that is resumed gives the same result at once.
        self.finish()

    def test_interrupted_without_a_state(self):
        process, rows = self.start_stepped(
            *self.arguments("--out", "m.winnow", "--log", "log", "--min-hit", "0.99", "--max-weak", "30", "--stages", "900",
                            "--max-false", "0.9", small=self.LONG[:2] + self.LONG[10:]),
            stream="stderr", stdout=subprocess.PIPE)
        rows.read()
        first = rows.read()
        process.send_signal(signal.SIGINT)
        err = rows.rest()
        out, _ = process.communicate(timeout=HANG_SECONDS)
        self.assertEqual(first.split()[0], b"1")
        self.assertEqual(process.returncode, 130, err)
        self.assertIn(b"winnow: stopped: the model has the stages that were done\n", err)
        self.assertRegex(out, rb"^m\.winnow: \d+ stages?, ")
        self.assertEqual(self.run_command("inspect", "m.winnow").code, 0)

    def test_killed(self):
        self.train_whole()
        # A training that is killed at any moment of a stage resumes from the disk.
        moments = random.Random(os.getpid())
        for lines in (0, 2, 0, 1, 0, 1, 0):
            code, _, err = self.broken(signal.SIGKILL, lines, moments.uniform(0, 0.1))
            self.assertEqual(code, -signal.SIGKILL, err)
            self.assertNotIn("m.winnow", self.files("."))
        self.finish()

    def test_made_longer(self):
        self.train("--out", "three.winnow", "--no-report", "--name", "m", "--stages", "3", "--checkpoint", "state",
                   small=self.SMALL[:2] + self.SMALL[4:])
        more = ["--no-report", "--name", "m", "--stages", "5"]
        small = self.SMALL[:2] + self.SMALL[4:]
        result = self.train("--out", "five.winnow", "--checkpoint", "state", "--resume", *more, small=small)
        self.assertIn("five.winnow: 5 stages", result.out.decode())
        self.train("--out", "once.winnow", *more, small=small)
        self.assertEqual(self.read("five.winnow"), self.read("once.winnow"))
        result = self.train("--out", "few.winnow", "--checkpoint", "state", "--resume", "--stages", "2", small=small, code=2)
        self.assertIn("stages done already", result.err)
