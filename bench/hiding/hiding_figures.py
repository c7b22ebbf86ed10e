#!/usr/bin/env python3
"""Judges a copy of a video in which faces are hidden: how much else is gone, and which faces show.

Needs NumPy, opencv-python-headless and the command ffmpeg. The copies may come from any program.

hiding_figures.py [--truth BOXES] [--lines LINES.jsonl] [--frames N] [--each FRAMES.csv] [--sheet SHEET.png] ORIGINAL COPY

ORIGINAL and COPY are videos, or folders of pictures. BOXES has a line for each frame: "x1,y1,x2,y2" (gt.txt), or with
--truth-form size "x,y,width,height". A box of NaN means no face. With --truth-form many, it has a line for each face, as
mark_faces.py writes them: "frame,x,y,width,height", the first frame being 0. LINES are those of `winnow faces --blur`: then the
covers are counted by why they are there.

Detail that is gone: blocks of 16x16 pixels whose mean absolute Laplacian is above 3 after a blur of sigma 1, and of
which less than 0.4 is left in the copy. The share counts all blocks above 3. Open frames: more than 0.6 of the detail is
left in the middle 60 % of the marked box. A box without detail of its own (below 1) cannot be judged, and is counted as
dull."""

import argparse
import collections
import csv
import json
import math
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

SIDE, LEAST_DETAIL, LEFT = 16, 3.0, 0.4
MIDDLE, OPEN, DULL = 0.6, 0.6, 1.0
KINDS = ("found", "carried", "joined", "lingering")


def pictures(place: Path) -> Iterator[np.ndarray]:
    """The frames of a video or of a folder of pictures, in BGR."""
    if place.is_dir():
        for file in sorted(place.iterdir()):
            picture = cv2.imread(str(file))
            if picture is not None:
                yield picture
        return
    probe = subprocess.run(["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=width,height",
                            "-of", "csv=p=0", str(place)], check=True, stdout=subprocess.PIPE, text=True).stdout
    width, height = (int(value) for value in probe.strip().strip(",").split(",")[:2])
    command = ["ffmpeg", "-v", "fatal", "-i", str(place), "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "rawvideo",
               "-pix_fmt", "bgr24", "-"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as reader:
        size = width * height * 3
        while len(pixels := reader.stdout.read(size)) == size:
            yield np.frombuffer(pixels, np.uint8).reshape(height, width, 3)
        reader.stdout.close()


def detail_of(picture: np.ndarray) -> np.ndarray:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.abs(cv2.Laplacian(cv2.GaussianBlur(grey, (0, 0), 1), cv2.CV_32F))


def blocks_of(detail: np.ndarray) -> np.ndarray:
    height, width = (side // SIDE * SIDE for side in detail.shape)
    return detail[:height, :width].reshape(height // SIDE, SIDE, width // SIDE, SIDE).mean(axis=(1, 3))


def gone(original: np.ndarray, copy: np.ndarray) -> float:
    """The share of the frame's detailed blocks that are gone, in percent; 0 without a detailed block."""
    before, after = blocks_of(original), blocks_of(copy)
    detailed = before > LEAST_DETAIL
    return 100 * float((after[detailed] < LEFT * before[detailed]).mean()) if detailed.any() else 0.0


def left_in(original: np.ndarray, copy: np.ndarray, box: tuple[float, ...]) -> float | None:
    """How much of the detail is left in the middle of a marked box; None if there is none to judge."""
    x, y, width, height = box
    rim = (1 - MIDDLE) / 2
    rows = slice(max(0, round(y + rim * height)), max(0, round(y + (1 - rim) * height)))
    columns = slice(max(0, round(x + rim * width)), max(0, round(x + (1 - rim) * width)))
    before, after = original[rows, columns], copy[rows, columns]
    return float(after.mean() / before.mean()) if before.size and before.mean() >= DULL else None


def marked(file: Path, form: str) -> dict[int, list[tuple[float, ...]]]:
    """The marked boxes of each frame: x, y, width, height."""
    boxes: dict[int, list[tuple[float, ...]]] = collections.defaultdict(list)
    for number, line in enumerate(file.read_text().splitlines()):
        values = [float(value) for value in re.split(r"[,\s]+", line.strip())]
        if form == "many":
            number, values = int(values[0]), values[1:]
        a, b, c, d = values[:4]
        box = {"corners": (a, b, c - a, d - b), "size": (a - 1, b - 1, c, d), "many": (a, b, c, d)}[form]
        if not any(math.isnan(value) for value in box) and box[2] > 0:
            boxes[number].append(box)
    return boxes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--truth", type=Path)
    parser.add_argument("--truth-form", choices=("corners", "size", "many"), default="corners")
    parser.add_argument("--lines", type=Path)
    parser.add_argument("--frames", type=int, default=sys.maxsize)
    parser.add_argument("--each", type=Path, help="writes a row for each frame")
    parser.add_argument("--sheet", type=Path, help="writes a picture of the frames with the most detail gone, and of open ones")
    parser.add_argument("original", type=Path)
    parser.add_argument("copy", type=Path)
    options = parser.parse_args()
    truth = marked(options.truth, options.truth_form) if options.truth else {}
    lines = [json.loads(line) for line in options.lines.read_text().splitlines()] if options.lines else []
    rows, tiles, faces, dull, opened = [], [], 0, 0, 0
    both = zip(pictures(options.original), pictures(options.copy), strict=False)
    for number, (original, copy) in enumerate(both):
        if number == options.frames:
            break
        if original.shape != copy.shape:
            sys.exit(f"frame {number}: the copy has another size")
        before, after = detail_of(original), detail_of(copy)
        boxes = truth.get(number, [])
        lefts = [left_in(before, after, box) for box in boxes]
        judged = [left for left in lefts if left is not None]
        faces += len(boxes)
        dull += len(boxes) - len(judged)
        opened += sum(left > OPEN for left in judged)
        most_left = max(judged, default=None)
        rows.append((number, gone(before, after), most_left, most_left is not None and most_left > OPEN))
        if options.sheet:
            drawn = copy.copy()
            for box in boxes:
                x, y, width, height = (round(value) for value in box)
                cv2.rectangle(drawn, (x, y), (x + width, y + height), (0, 255, 0), 1)
            for cover in lines[number].get("covers", []) if number < len(lines) else []:
                corner = (cover["x"] + cover["width"] - 1, cover["y"] + cover["height"] - 1)
                cv2.rectangle(drawn, (cover["x"], cover["y"]), corner, (0, 0, 255), 1)
            cv2.putText(drawn, f"{number}: {rows[-1][1]:.1f} %", (4, 16), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 255, 255), 1)
            tiles.append(cv2.resize(drawn, (320, 320 * drawn.shape[0] // drawn.shape[1])))
    if not rows:
        sys.exit("no frames to compare")
    shares = [row[1] for row in rows]
    most = max(rows, key=lambda row: row[1])
    print(f"frames {len(rows)}; detail that is gone: mean {sum(shares) / len(shares):.2f} %, "
          f"most {most[1]:.2f} % (frame {most[0]})")
    if truth:
        print(f"marked faces {faces}; open {opened}; dull {dull}; frames with an open one: {[row[0] for row in rows if row[3]]}")
    if lines:
        covers = [cover for line in lines[:len(rows)] for cover in line["covers"]]
        area = collections.Counter()
        for cover in covers:
            area[cover["why"]] += cover["width"] * cover["height"]
        frame = sum(line["width"] * line["height"] for line in lines[:len(rows)])
        count = collections.Counter(cover["why"] for cover in covers)
        print("covers: " + "; ".join(f"{kind} {count[kind]} ({100 * area[kind] / frame:.2f} % of the area)" for kind in KINDS))
    if options.each:
        with options.each.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(("frame", "gone", "left", "open"))
            writer.writerows(rows)
    if options.sheet:
        wanted = sorted(rows, key=lambda row: (-row[3], -row[1]))[:24]
        shown = [tiles[row[0]] for row in sorted(wanted)]
        shown += [np.zeros_like(shown[0])] * (-len(shown) % 4)
        cv2.imwrite(str(options.sheet), np.vstack([np.hstack(shown[i:i + 4]) for i in range(0, len(shown), 4)]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
