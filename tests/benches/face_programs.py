#!/usr/bin/env python3
"""Runs the programs of the baselines of faces on pictures that it draws.

    face_programs.py WINNOW FACE_TABLES VIDEO_FRAMES [FACE_BOXES]

WINNOW is the command, whose evaluation must give the same errors. FACE_BOXES is built beside OpenCV only."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import scene  # noqa: E402
from faces_cases import column, number, real  # noqa: E402

PROGRAMS = [str(pathlib.Path(name).resolve()) for name in sys.argv[1:]]
SQUARES = {"a.pgm": [(20, 15, 20), (90, 60, 40)], "b.pgm": [(30, 25, 24)], "none.pgm": []}
# Some points lie as in a face, since the places of points tell which points they are.
FACE = {**{i: (.35, .4) for i in range(36, 42)}, **{i: (.65, .41) for i in range(42, 48)}, 0: (.165, .41), 8: (.5, .925),
        16: (.835, .41), 17: (.225, .34), 21: (.445, .315), 22: (.555, .315), 26: (.775, .34), 27: (.5, .39), 30: (.5, .56),
        33: (.5, .62), 48: (.37, .705), 51: (.5, .685), 54: (.63, .705), 57: (.5, .775)}
POINTS = [FACE.get(i, (.3 + i / 200, .3 + i / 200)) for i in range(68)]


def points_file(stages):
    """dlib's file of 68 points whose trees add nothing."""
    tree = number(1) + number(0) + number(1) + real(300) + number(2) + column(*[0] * 136) * 2
    mean = column(*[value for point in POINTS for value in point])
    forest, anchors, offsets = number(1) + tree, number(2) + number(0) + number(1), number(2) + real(0) * 4
    return (number(1) + mean + number(stages) + forest * stages + number(stages) + anchors * stages
            + number(stages) + offsets * stages)


def truth():
    lines = ["file," + ",".join(f"x{i},y{i}" for i in range(68))]
    for name, squares in SQUARES.items():
        for left, top, side in squares:
            lines.append(name + "".join(f",{left + x * side:.3f},{top + y * side:.3f}" for x, y in POINTS))
    return "\n".join(lines) + "\n"


class Programs(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = pathlib.Path(self.place.name)
        (self.folder / "set").mkdir()
        for name, squares in SQUARES.items():
            (self.folder / "set" / name).write_bytes(scene.Picture(160, 120, squares).pgm())
        (self.folder / "set" / "points.csv").write_text(truth())
        (self.folder / "square.xml").write_text(scene.CASCADE)
        (self.folder / "points.dat").write_bytes(points_file(2))

    def run_program(self, *command, code=0, data=os.environ.get("WINNOW_DATA")):
        environment = {key: value for key, value in os.environ.items() if key != "WINNOW_DATA"}
        if data is not None:
            environment["WINNOW_DATA"] = data
        done = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                              env=environment)
        self.assertEqual(done.returncode, code, done.stderr.decode())
        return done

    def rows(self, *command):
        return [json.loads(line) for line in self.run_program(*command).stdout.splitlines()]

    def test_errors_equal_those_of_the_evaluation(self):
        row = self.rows(PROGRAMS[1], "--tables", "error", "--model", "points.dat", "--detector", "square.xml",
                        "--truth", "set/points.csv")[0]
        self.run_program(PROGRAMS[0], "eval", "landmarks", "-m", "points.dat", "--boxes", "square.xml",
                         "--truth", "set/points.csv", "--out", "report", "--quiet")
        report = json.loads((self.folder / "report" / "eval.json").read_text())
        errors = report["models"][0]["errors"]
        self.assertEqual((row["pictures"], row["faces"], row["found"]), ("set", 3, 3))
        self.assertGreater(row["mean"], 0)
        self.assertAlmostEqual(row["mean"], errors["root"]["mean"], places=12)
        self.assertAlmostEqual(row["usual mean"], errors["eye_corners"]["mean"], places=12)
        for share, norm in (("below", "root"), ("usual below", "eye_corners")):
            self.assertAlmostEqual(row[share], 100 * (1 - errors[norm]["above"]["0.1"]))

    def test_tables_and_their_file(self):
        command = [PROGRAMS[1], "--tables", "landmarks", "grouping", "--model", "points.dat", "--stages", "1", "2",
                   "--boxes", "10", "50", "--repeat", "1", "--out", "tables.json", "--device", "a machine",
                   "--commit", "abcdef0"]
        rows = self.rows(*command)
        self.assertEqual([row["stages"] for row in rows if row["table"] == "landmark_stages_cpu"], [1, 2, 3, 15])
        self.assertEqual(len([row for row in rows if row["table"] == "grouping_layouts_cpu"]), 9)
        tables = json.loads((self.folder / "tables.json").read_text())["tables"]
        self.assertEqual([table["name"] for table in tables], ["landmark_stages_cpu", "grouping_layouts_cpu"])
        self.assertEqual({(table["device"], table["commit"]) for table in tables}, {("a machine", "abcdef0")})

    def test_tables_of_steps(self):
        command = [PROGRAMS[1], "set/a.pgm", "--tables", "reduction", "compaction", "flow", "haar", "--values", "1000",
                   "--points", "5", "--scales", "0.125", "--cascade", "square.xml", "--repeat", "1", "--out",
                   "steps.json"]
        rows = self.rows(*command)
        here = [row["table"] for row in rows if row.get("on") == "this machine"]
        self.assertEqual(here, ["face_reduction_cpu", "face_compaction_cpu"] + ["face_flow_cpu"] * 10)
        self.assertEqual([(row["scene"], row["size"]) for row in rows if row.get("search", "").startswith("Winnow")],
                         [("no face", "90x160")] * 2 + [("a face", "90x160")] * 2)
        tables = json.loads((self.folder / "steps.json").read_text())["tables"]
        self.assertEqual(tables[3]["command"],
                         "winnow_face_tables a.pgm --cascade square.xml --tables haar")

    def test_a_table_without_a_picture_says_so(self):
        done = self.run_program(PROGRAMS[1], "--tables", "haar", "error", "--scales", "0.125", "--cascade", "square.xml",
                                "--repeat", "1", data=None)
        self.assertIn("haar: rows with a face are left out", done.stderr.decode())
        self.assertIn("error: skipped, since a model", done.stderr.decode())
        scenes = {json.loads(line)["scene"] for line in done.stdout.splitlines()}
        self.assertEqual(scenes, {"no face", ""})

    def test_refusals(self):
        self.run_program(PROGRAMS[1], "--tables", "haar", "--cascade", "no-such-file.xml", code=1)
        self.run_program(PROGRAMS[1], "no-such-file.pgm", "--tables", "haar", "--cascade", "square.xml", code=1)
        self.run_program(PROGRAMS[1], "--tables", "nothing", code=1)
        self.run_program(PROGRAMS[1], "--tables", "landmarks", "--model", "points.dat", "--stages", "3", code=1)

    def test_the_curve_and_its_drawing(self):
        rows = self.rows(PROGRAMS[1], "set/none.pgm", "--tables", "curve", "--model", "points.dat", "--frames", "20",
                         "--drawing", "curve.svg")
        here = [row for row in rows if row["on"] == "this machine"]
        self.assertEqual([row["setting"] for row in here], [row["setting"] for row in rows[3:]])
        for row in here:
            self.assertLessEqual(row["median"], row["95"])
            self.assertLessEqual(row["95"], row["greatest"])
        drawing = (self.folder / "curve.svg").read_text()
        for row in here:
            self.assertIn(row["setting"], drawing)

    def test_followed_videos(self):
        command = [PROGRAMS[2], "set/b.pgm", "--backend", "cpu", "--landmarks", "points.dat", "--videos", "1", "2",
                   "--calls", "12"]
        for more, name in (([], "video_frames"),
                           (["--size", "320x240", "--between", "carry"], "video_frames_320x240_carry")):
            rows = self.rows(*command, *more)
            self.assertEqual({row["table"] for row in rows}, {name})
            self.assertEqual(len(rows), 6)
            for row in rows:
                self.assertAlmostEqual(row["rate"] * row["milliseconds"], 1000)
                self.assertLessEqual(row["median"], row["95"])
                self.assertLessEqual(row["95"], row["greatest"])
        self.run_program(*command, "--size", "320", code=1)
        self.run_program(*command, "--between", "nothing", code=1)

    @unittest.skipIf(len(PROGRAMS) < 4, "built without OpenCV")
    def test_boxes_beside_opencv(self):
        rows = self.rows(PROGRAMS[3], "set", "--cascade", "square.xml")
        by_name = {row["search"]: row for row in rows}
        own = by_name["Winnow: pictures scaled by 1.1, as OpenCV"]
        self.assertEqual((own["boxes"], own["alone"], own["mean"], own["0.9"]), (3, 0, 1, 100))
        scaled = by_name["features scaled by 1.2, whole picture, step 1"]
        self.assertEqual(scaled["boxes"], 3)
        self.assertGreater(scaled["mean"], 0.6)
        for row in rows[:-1]:
            shares = [row[key] for key in ("below 0.5", "0.5", "0.6", "0.7", "0.8", "0.9")]
            self.assertAlmostEqual(sum(shares), 100)

    @unittest.skipIf(len(PROGRAMS) < 4, "built without OpenCV")
    def test_boxes_need_something_to_compare(self):
        for name in SQUARES:
            (self.folder / "set" / name).write_bytes(scene.Picture(60, 50).pgm())
        self.run_program(PROGRAMS[3], "set", "--cascade", "square.xml", code=1)
        self.run_program(PROGRAMS[3], "no-such-folder", "--cascade", "square.xml", code=1)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    unittest.main(argv=sys.argv[:1], verbosity=2)
