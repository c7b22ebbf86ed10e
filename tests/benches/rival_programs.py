#!/usr/bin/env python3
"""Runs the programs that time faces beside dlib and OpenCV, on pictures that it draws.

    rival_programs.py LANDMARKS_VERSUS_DLIB FOLLOWER_VERSUS_OPENCV"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from face_programs import points_file
import scene

LANDMARKS, FOLLOWER = (str(pathlib.Path(name).resolve()) for name in (sys.argv[1:3] if len(sys.argv) == 3 else "  "))


class Rivals(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = pathlib.Path(self.place.name)
        (self.folder / "set").mkdir()
        for name, squares in {"a.pgm": [(20, 15, 20), (90, 60, 40)], "b.pgm": [(30, 25, 24)], "none.pgm": []}.items():
            (self.folder / "set" / name).write_bytes(scene.Picture(160, 120, squares).pgm())
        (self.folder / "one.pgm").write_bytes(scene.Picture(60, 60, [(20, 20, 20)]).pgm())
        (self.folder / "square.xml").write_text(scene.CASCADE)
        (self.folder / "points.dat").write_bytes(points_file(2))

    def rows(self, *command, code=0):
        done = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, code, done.stderr.decode())
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_landmarks(self):
        command = [LANDMARKS, "set", "--model", "points.dat", "--own", "points.dat", "--detector", "square.xml",
                   "--rounds", "3", "--out", "fits.json", "--device", "a machine", "--commit", "abcdef0"]
        rows = self.rows(*command)
        self.assertEqual([row["program"] for row in rows], ["dlib", "Winnow", "Winnow", "Winnow"])
        self.assertEqual((rows[1]["equal"], rows[1]["furthest"]), (2, 0))
        self.assertLess(rows[2]["furthest"], 0.01)
        for row in rows[1:]:
            self.assertGreater(row["ratio"], 0)
        table = json.loads((self.folder / "fits.json").read_text())["tables"][0]
        self.assertEqual((table["name"], table["commit"]), ("landmarks_versus_dlib", "abcdef0"))
        self.assertEqual(len(table["rows"]), 4)

    def test_landmarks_need_faces_and_a_model(self):
        self.rows(LANDMARKS, "set", "--model", "no-such-file.dat", code=1)
        self.rows(LANDMARKS, "no-such-folder", "--model", "points.dat", code=1)
        (self.folder / "empty").mkdir()
        (self.folder / "empty" / "none.pgm").write_bytes(scene.Picture(160, 120).pgm())
        self.rows(LANDMARKS, "empty", "--model", "points.dat", "--detector", "square.xml", code=1)

    def test_follower(self):
        rows = self.rows(FOLLOWER, "one.pgm", "--size", "160x120", "--cascade", "square.xml", "--predictor",
                         "points.dat", "--rounds", "1")
        self.assertEqual([row["program"] for row in rows], ["OpenCV and dlib", "Winnow"] * 4)
        for row in rows:
            self.assertLessEqual(row["median"], row["95"])
            self.assertLessEqual(row["95"], row["greatest"])
            self.assertEqual(row["ratio"] is None, row["program"] != "Winnow")
        self.assertGreater(rows[0]["faces"], 0, "the cascade finds the square")
        self.assertEqual(rows[1]["faces"], 0, "the model `face` finds no face in a square")
        self.assertIsNone(rows[1]["distance"])

    def test_refusals_of_the_follower(self):
        self.rows(FOLLOWER, "one.pgm", "--size", "160", "--predictor", "points.dat", code=1)
        self.rows(FOLLOWER, "one.pgm", "--cascade", "no-such-file.xml", "--predictor", "points.dat", code=1)
        self.rows(FOLLOWER, "one.pgm", "--predictor", "no-such-file.dat", code=1)
        self.rows(FOLLOWER, "no-such-file.pgm", code=1)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    unittest.main(argv=sys.argv[:1], verbosity=2)
