#!/usr/bin/env python3
"""Runs the program of a paper's tables on tracking, on frames that it draws.

    track_programs.py TRACK_TABLES"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

TABLES = str(pathlib.Path(sys.argv[1]).resolve()) if len(sys.argv) == 2 else ""
WIDTH, HEIGHT, SIDE, FRAMES = 160, 120, 48, 4


def frames():
    """A square of noise that moves over a wall of fainter noise. Cells of four pixels keep the noise in halves."""
    draw = random.Random(1)
    def noise(columns, rows, least, most):
        return [[draw.randint(least, most) for _ in range(columns)] for _ in range(rows)]
    wall, look = noise(WIDTH // 4, HEIGHT // 4, 100, 140), noise(SIDE // 4, SIDE // 4, 0, 255)
    for frame in range(FRAMES):
        left = 40 + 4 * frame
        yield bytes(look[(y - 32) // 4][(x - left) // 4]
                    if left <= x < left + SIDE and 32 <= y < 32 + SIDE else wall[y // 4][x // 4]
                    for y in range(HEIGHT) for x in range(WIDTH))


class Tables(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = pathlib.Path(self.place.name)
        (self.folder / "frames.raw").write_bytes(b"".join(frames()))

    def run_tables(self, *options, size=f"{WIDTH}x{HEIGHT}", code=0):
        command = [TABLES, "--raw", "frames.raw", "--size", size, *options]
        done = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, code, done.stderr.decode())
        return [json.loads(line) for line in done.stdout.splitlines()], done.stderr.decode()

    def test_two_sizes(self):
        rows, problem = self.run_tables("--box", f"40,32,{SIDE},{SIDE}", "--halves", "1", "--repeat", "1", "--threads",
                                        "2", "--json", "tables.json", "--device", "a machine", "--commit", "abcdef0")
        self.assertLessEqual(problem.count("\n"), 1)
        parts = [row for row in rows if row["table"] == "track_components" and row["size"] == "160x120"]
        self.assertEqual([row["part"] for row in parts][:6],
                         ["recall", "blur", "integral", "flow", "learning", "others"])
        self.assertEqual(parts[0]["calls"], FRAMES - 1)
        self.assertAlmostEqual(sum(row["cpu_1_share"] for row in parts[:-1]), 100)
        recall = {row["part"]: row for row in rows if row["table"] == "track_recall" and row["size"] == "160x120"}
        for row in recall.values():
            self.assertGreater(row["windows"], row["varied"])
            self.assertGreater(row["varied"], row["likely"])
            self.assertGreater(row["likely"], row["candidates"])
        self.assertGreater(recall["variance"]["cpu_1"], 0)
        if "no device" in problem:
            self.assertIsNone(recall["all"]["split"])
        else:
            self.assertGreater(recall["all"]["split"], 0)
        self.assertEqual({row["size"] for row in rows}, {"80x60", "160x120"})
        tables = json.loads((self.folder / "tables.json").read_text())["tables"]
        self.assertEqual({table["name"] for table in tables}, {row["table"] for row in rows})
        self.assertEqual({table["commit"] for table in tables}, {"abcdef0"})

    def test_wrong_calls_fail(self):
        self.assertIn("is no box", self.run_tables("--box", "1,2,3", code=1)[1])
        self.assertIn("inside of the frame", self.run_tables("--box", "300,300,30,30", code=1)[1])
        self.assertIn("is no size", self.run_tables("--box", "1,2,30,40", size="160", code=1)[1])
        self.assertIn("too few frames", self.run_tables("--box", "1,2,30,40", size="640x480", code=1)[1])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
