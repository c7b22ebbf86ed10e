#!/usr/bin/env python3
"""Trains points of faces in several orders, with the mirror pairs that are found and with those that are given.

Usage: bench/landmarks/point_orders.py WINNOW DATA [FACES [SEEDS]]

DATA is the data folder with faces/helen-train. The script makes five points (eyes, nose, corners of the mouth) of the 68, in three
orders, and takes the 68 as they are. Half of FACES (200) are learned, and the others judge. A row has the mean errors by the side of
the box, for each seed: pairs found, pairs given, and no mirror. Seven points that are no face's are learned, too.
"""
import csv
import json
import os
import subprocess
import sys
import tempfile

SMALL = ["--stages", "8", "--trees", "80", "--samples", "20", "--pixels", "300", "--splits", "15", "--held-back", "0.2", "--no-report"]
# Each point is the mean of some of the 68. The last list holds points without partners.
RETINA = (range(36, 42), range(42, 48), (30,), (48,), (54,))
ORDERS = {"eye eye nose mouth mouth": (0, 1, 2, 3, 4), "nose eye eye mouth mouth": (2, 0, 1, 3, 4), "mouth eye mouth nose eye": (3, 0, 4, 2, 1)}
NO_FACE = ((0,), (18,), (30,), (44,), (57,), (10,), (22,))


def read_faces(folder, count):
    with open(os.path.join(folder, "points.csv"), encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:count + 1]
    return [(row[0], [(float(row[1 + 2 * i]), float(row[2 + 2 * i])) for i in range(68)]) for row in rows]


def write_points(path, faces, lists):
    with open(path, "w", encoding="utf-8") as file:
        file.write("file," + ",".join(f"x{i},y{i}" for i in range(len(lists))) + "\n")
        for name, points in faces:
            means = [[sum(points[i][axis] for i in chosen) / len(chosen) for axis in (0, 1)] for chosen in map(tuple, lists)]
            file.write(name + "".join(f",{x:.3f},{y:.3f}" for x, y in means) + "\n")


class Bench:
    def __init__(self, program, data, count):
        self.program, self.folder = os.path.abspath(program), os.path.join(data, "faces/helen-train")
        faces = read_faces(self.folder, count)
        self.learned, self.judged = faces[:count // 2], faces[count // 2:]
        self.place = tempfile.mkdtemp(prefix="winnow-orders-")

    def run(self, *arguments):
        done = subprocess.run([self.program, *arguments], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(done.stderr)
        return done.stderr

    def error(self, lists, seed, *more):
        """Trains, and returns the mean error on the other faces and the sentences of the training."""
        learned, judged, model = (os.path.join(self.place, name) for name in ("learned.csv", "judged.csv", "m.winnow"))
        write_points(learned, self.learned, lists)
        write_points(judged, self.judged, lists)
        said = self.run("train", "landmarks", "--truth", learned, "--pictures", self.folder, "--out", model, "--force", "--seed", str(seed),
                        *SMALL, *more)
        out = os.path.join(self.place, "eval")
        self.run("eval", "landmarks", "-m", model, "--truth", judged, "--pictures", self.folder, "--out", out)
        with open(os.path.join(out, "eval.json"), encoding="utf-8") as file:
            return json.load(file)["models"][0]["errors"]["side"]["mean"], said

    def row(self, name, lists, given, seeds):
        found, errors = "", []
        for seed in range(1, seeds + 1):
            error, said = self.error(lists, seed)
            found = next(line for line in said.splitlines() if "mirrored" in line)
            errors.append((error, self.error(lists, seed, "--mirrored", given)[0] if given else float("nan"),
                           self.error(lists, seed, "--no-mirror")[0]))
        for title, column in zip(("found", "given", "no mirror"), zip(*errors)):
            print(f"{name:26} {title:10}" + "".join(f"{100 * error:8.2f} %" for error in column))
        print(f"  {found}", flush=True)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    bench = Bench(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 200)
    seeds = int(sys.argv[4]) if len(sys.argv) > 4 else 3
    mirror = (1, 0, 2, 4, 3)
    for name, order in ORDERS.items():
        bench.row(name, [RETINA[p] for p in order], ",".join(str(order.index(mirror[p])) for p in order), seeds)
    pairs = list(range(16, -1, -1)) + list(range(26, 16, -1)) + [27, 28, 29, 30, 35, 34, 33, 32, 31, 45, 44, 43, 42, 47, 46, 39, 38, 37, 36, 41, 40]
    pairs += [54, 53, 52, 51, 50, 49, 48, 59, 58, 57, 56, 55, 64, 63, 62, 61, 60, 67, 66, 65]
    bench.row("68 points", [(i,) for i in range(68)], ",".join(map(str, pairs)), seeds)
    bench.row("seven points of no face", NO_FACE, "", seeds)


main()
