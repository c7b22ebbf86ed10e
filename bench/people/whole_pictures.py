#!/usr/bin/env python3
"""Judges detectors of people on whole pictures: the commands as typed, beside OpenCV's usual call.

Needs NumPy, opencv-python-headless 4 and the built command. The data are others': the folder of Penn-Fudan
(http://www.cis.upenn.edu/~jshi/ped_html/, whose terms forbid copies) and OpenCV's vtest.avi (Debian: opencv-doc).

whole_pictures.py --penn PennFudanPed --video vtest.avi --marks people/vtest.csv --winnow build/release/bin/winnow OUT

OUT gets the pictures (Penn-Fudan halved in size), penn.csv, fudan.csv and vtest.csv for `winnow eval detector`, OpenCV's
model, and people_whole.json with the tables. Times are those of one thread, decoding left out; all programs search a picture before the next one.

The rule for Penn-Fudan: a box is cut to the middle three quarters of its height; box and mark are made 0.41 of their
height wide; they must overlap by half. Marks that added-object-list.txt names are ignored.
The rule for the video: the middle of a box lies within 0.3 of the person's height, and three quarters of its height are
0.6 to 1.7 of the person's. In both a second box on one person is false, and boxes on ignored people do not count."""

import argparse
import csv
import json
import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

RATES = [10 ** (-2 + k / 4) for k in range(9)]
MARGIN, ASPECT = 0.125, 0.41
RESAMPLED = 200

Box = tuple[float, float, float, float, float]  # x, y, width, height, score


class Mark(NamedTuple):
    x: float
    y: float
    width: float
    height: float
    ignore: bool


Marks = dict[str, list[Mark]]
Found = dict[str, list[Box]]


def halved(folder: Path, out: Path) -> Marks:
    """Writes the pictures at half their size, and gives their marks."""
    added: set[tuple[str, int]] = set()
    for line in (folder / "added-object-list.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            name, number = line.split()
            added.add((name, int(number)))
    marks: Marks = {}
    for file in sorted((folder / "Annotation").glob("*.txt")):
        name = file.stem + ".png"
        picture = cv2.imread(str(folder / "PNGImages" / name))
        half = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(out / name), half)
        text = file.read_text(encoding="latin1")
        boxes = re.findall(r"Bounding box for object (\d+) .*?: \((\d+), (\d+)\) - \((\d+), (\d+)\)", text)
        marks[name] = []
        for number, *corners in boxes:
            left, top, right, bottom = (int(c) for c in corners)
            box = ((left - 1) / 2, (top - 1) / 2, (right - left + 1) / 2, (bottom - top + 1) / 2)
            marks[name].append(Mark(*box, (name, int(number)) in added))
    return marks


def frames_of(video: Path, table: Path, out: Path) -> Marks:
    """Writes the marked frames as pictures, and gives their marks."""
    marks: Marks = {}
    for row in csv.DictReader(table.open()):
        top, bottom = float(row["top"]), float(row["bottom"])
        width = ASPECT * (bottom - top)
        box = (float(row["middle"]) - width / 2, top, width, bottom - top)
        marks.setdefault(f"vtest{int(row['frame']):04d}.png", []).append(Mark(*box, row["ignore"] != "0"))
    capture, number = cv2.VideoCapture(str(video)), 0
    while True:
        more, frame = capture.read()
        if not more:
            return marks
        name = f"vtest{number:04d}.png"
        if name in marks:
            cv2.imwrite(str(out / name), frame)
        number += 1


def overlap(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    across = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    down = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    if across <= 0 or down <= 0:
        return 0
    return across * down / (a[2] * a[3] + b[2] * b[3] - across * down)


def with_aspect(x: float, y: float, width: float, height: float) -> tuple[float, ...]:
    return (x + width / 2 - ASPECT * height / 2, y, ASPECT * height, height)


def judged(marks: list[Mark], boxes: list[Box]) -> list[tuple[float, bool]]:
    """Gives the score and the verdict of each box that counts, by the rule for Penn-Fudan."""
    taken: set[int] = set()
    verdicts = []
    people = [with_aspect(*mark[:4]) for mark in marks]
    for x, y, width, height, score in sorted(boxes, key=lambda box: -box[4]):
        inside = with_aspect(x, y + MARGIN * height, width, height * (1 - 2 * MARGIN))
        shared = [overlap(inside, person) for person in people]
        free = [i for i, mark in enumerate(marks) if not mark.ignore and i not in taken and shared[i] >= 0.5]
        if free:
            taken.add(max(free, key=lambda i: shared[i]))
            verdicts.append((score, True))
        elif not any(mark.ignore and shared[i] >= 0.5 for i, mark in enumerate(marks)):
            verdicts.append((score, False))
    return verdicts


def log_average(pictures: list[tuple[list[tuple[float, bool]], int]]) -> float:
    verdicts = sorted((v for each, _ in pictures for v in each), key=lambda v: -v[0])
    people, found, false, points = sum(count for _, count in pictures), 0, 0, [(0.0, 1.0)]
    for place, (score, right) in enumerate(verdicts):
        found, false = found + right, false + (not right)
        if place + 1 == len(verdicts) or verdicts[place + 1][0] != score:
            points.append((false / len(pictures), 1 - found / people))
    misses = [min(miss for rate, miss in points if rate <= most) for most in RATES]
    return 100 * float(np.exp(np.mean(np.log(np.maximum(misses, 1e-10)))))


def found_and_false(marks: Marks, found: Found) -> tuple[int, int]:
    """Counts found people and false boxes by the rule for the video."""
    right = false = 0
    for name, people in marks.items():
        taken: set[int] = set()
        for x, y, width, height, _ in sorted(found[name], key=lambda box: -box[4]):
            distance = [float(np.hypot(x + width / 2 - m.x - m.width / 2, y + height / 2 - m.y - m.height / 2)) for m in people]

            def fits(m: Mark, x: float = x, y: float = y, width: float = width, height: float = height) -> bool:
                near = 0.3 * m.height
                across, down = abs(x + width / 2 - m.x - m.width / 2), abs(y + height / 2 - m.y - m.height / 2)
                return across <= near and down <= near and 0.6 * m.height <= 0.75 * height <= 1.7 * m.height

            free = [i for i, m in enumerate(people) if not m.ignore and i not in taken and fits(m)]
            if free:
                taken.add(min(free, key=lambda i: distance[i]))
                right += 1
            elif not any(m.ignore and fits(m) for m in people):
                false += 1
    return right, false


def by_command(winnow: str, options: list[str]) -> Callable[[Path], tuple[list[Box], float]]:
    def search(picture: Path) -> tuple[list[Box], float]:
        command = [winnow, "detect", *options, "--threads", "1", "--timing", "--quiet", str(picture)]
        line = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        return [(o["x"], o["y"], o["width"], o["height"], o["score"]) for o in line["objects"]], line["seconds"]

    return search


def by_opencv(border: float, stride: int, padding: int, enlarge: float = 1) -> Callable[[Path], tuple[list[Box], float]]:
    hog = cv2.HOGDescriptor()
    hog.setSVMDetector(cv2.HOGDescriptor.getDefaultPeopleDetector())

    def search(path: Path) -> tuple[list[Box], float]:
        picture = cv2.imread(str(path))
        start = time.perf_counter()
        height, width = picture.shape[:2]
        margin = round(border * max(height, width))
        if margin:
            picture = cv2.copyMakeBorder(picture, margin, margin, margin, margin, cv2.BORDER_REFLECT_101)
        if enlarge != 1:
            picture = cv2.resize(picture, None, fx=enlarge, fy=enlarge, interpolation=cv2.INTER_LINEAR_EXACT)
        boxes, scores = hog.detectMultiScale(picture, winStride=(stride, stride), padding=(padding, padding), scale=1.05)
        seconds = time.perf_counter() - start
        found = []
        for (x, y, w, h), score in zip(boxes, np.ravel(scores), strict=True):
            box = (x / enlarge - margin, y / enlarge - margin, w / enlarge, h / enlarge)
            middle = (box[0] + box[2] / 2, box[1] + box[3] / 2)
            if not margin or (0 <= middle[0] < width and 0 <= middle[1] < height):
                found.append((*box, float(score)))
        return found, seconds

    return search


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--penn", "--video", "--marks"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--winnow", default="winnow")
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    penn, video = halved(args.penn, args.out), frames_of(args.video, args.marks, args.out)
    for group in ("Penn", "Fudan", "vtest"):
        with (args.out / f"{group.lower()}.csv").open("w", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["file", "x", "y", "width", "height", "ignore"])
            for name, marks in (penn | video).items():
                if name.startswith(group):
                    rows.writerows([name, *mark[:4], int(mark.ignore)] for mark in marks)
    hog = cv2.HOGDescriptor()
    hog.setSVMDetector(cv2.HOGDescriptor.getDefaultPeopleDetector())
    hog.save(str(args.out / "opencv-people.xml"))

    commands = [
        "-m people",
        "-m people-svm",
        "-m people-svm --enlarge 1.3",
        "-m people --enlarge 1.5 --min-support 12",
        "-m people --min-score 2",
        "-m people-svm --min-support 2",
        "-m people --min-neighbors 0",
        "-m people --merge meanshift",
        "-m people --border 0",
        "-m people --scale 1.2",
        "-m people-svm --gray",
    ]
    searches = {f"winnow detect {words}": by_command(args.winnow, words.split()) for words in commands}
    still = searches | {
        "OpenCV, stride 8, padding 8, scale 1.05": by_opencv(0, 8, 8),
        "the same on the picture with a border of 0.2": by_opencv(0.2, 8, 8),
    }
    moving = searches | {
        "OpenCV, stride 8, scale 1.05": by_opencv(0, 8, 0),
        "OpenCV, stride 4, padding 8, scale 1.05": by_opencv(0, 4, 8),
        "the same, enlarged by 1.5": by_opencv(0, 4, 8, 1.5),
    }
    tables: dict[str, list[list[object]]] = {"penn": [], "video": []}
    random = np.random.default_rng(1)
    answers = {picture: {name: search(args.out / picture) for name, search in still.items()} for picture in penn}
    for name in still:
        for group in ("Penn", "Fudan"):
            chosen = [picture for picture in penn if picture.startswith(group)]
            verdicts = [(judged(penn[p], answers[p][name][0]), sum(not m.ignore for m in penn[p])) for p in chosen]
            again = [
                log_average([verdicts[i] for i in random.integers(0, len(chosen), len(chosen))]) for _ in range(RESAMPLED)
            ]
            low, high = np.percentile(again, [2.5, 97.5])
            ms = 1000 * float(np.median([answers[p][name][1] for p in chosen]))
            row: list[object] = [group, name, *(round(v, 1) for v in (log_average(verdicts), low, high)), round(ms, 1)]
            tables["penn"].append(row)
            print(*row, sep=" | ", flush=True)
    seen = {picture: {name: search(args.out / picture) for name, search in moving.items()} for picture in video}
    for name in moving:
        right, false = found_and_false(video, {picture: seen[picture][name][0] for picture in video})
        ms = 1000 * float(np.median([seen[picture][name][1] for picture in video]))
        tables["video"].append([name, right, false, round(ms, 1)])
        print(*tables["video"][-1], sep=" | ", flush=True)
    (args.out / "people_whole.json").write_text(json.dumps(tables, indent=1) + "\n")


if __name__ == "__main__":
    main()
