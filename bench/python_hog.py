#!/usr/bin/env python3
"""Times the forms of OpenCV's HOGDescriptor beside winnow.cv2, one thread each, in alternating calls.

Needs an installed wheel, NumPy and opencv-python-headless 4: build/wheel/environments/test-3.11/bin/python has all.

python_hog.py PICTURE: prints rows of form, milliseconds of OpenCV and of Winnow, and the median of neighbouring ratios."""

import json
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from winnow import cv2 as winnow_cv2

ROUNDS = 9
DIGITS = ((20, 20), (10, 10), (5, 5), (10, 10), 9, 1, -1, 0, 0.2, True, 64, True)
SMALL = ((64, 64), (16, 16), (8, 8), (8, 8), 9)


def milliseconds(work: Callable[[], object], times: int) -> float:
    start = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - start) / times * 1e3


def forms(gray: np.ndarray, color: np.ndarray) -> list[tuple[str, Callable[[Any, Any, Any], object], int]]:
    """Gives a form's name, its call on descriptors of people, digits and 64x64 pixels, and its calls per round."""
    crop, patch, small = (np.ascontiguousarray(gray[:h, :w]) for w, h in ((64, 128), (20, 20), (64, 64)))
    found: list[tuple[str, Callable[[Any, Any, Any], object], int]] = []
    for step in ((4, 4), (8, 8), (16, 16), (8, 4), (6, 6), (5, 5)):
        name = f"stride {step[0]}x{step[1]}"
        found.append((f"detectMultiScale, {name}", lambda p, d, s, a=step: p.detectMultiScale(gray, 0, a, scale=1.05), 1))
        found.append((f"detect, {name}", lambda p, d, s, a=step: p.detect(gray, 0, a), 3))
    for step in ((4, 4), (8, 8), (16, 16)):
        name = f"stride {step[0]}x{step[1]}, padding 32x32"
        found.append((f"detectMultiScale, {name}", lambda p, d, s, a=step: p.detectMultiScale(gray, 0, a, (32, 32)), 1))
        name = f"stride {step[0]}x{step[1]}, colour, padding 8x8"
        found.append((f"detectMultiScale, {name}", lambda p, d, s, a=step: p.detectMultiScale(color, 0, a, (8, 8)), 1))
    return found + [
        ("detectMultiScale, mean shift", lambda p, d, s: p.detectMultiScale(gray, 0, (4, 4), (8, 8), 1.05, 0.1, True), 1),
        ("detect, 100 places", lambda p, d, s: p.detect(gray, -9, searchLocations=[(5 * i, 3 * i) for i in range(100)]), 3),
        ("compute, 64x128", lambda p, d, s: p.compute(crop), 100),
        ("compute, 64x64", lambda p, d, s: s.compute(small), 200),
        ("compute, 20x20, blocks of one cell", lambda p, d, s: d.compute(patch), 500),
        ("compute, 640x480", lambda p, d, s: p.compute(gray), 1),
        ("compute, 640x480, one place", lambda p, d, s: p.compute(gray, (8, 8), (8, 8), ((10, 20),)), 10),
    ]


def main(path: str) -> None:
    cv2.setNumThreads(1)
    picture = cv2.resize(cv2.imread(path), (640, 480))
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    their = [cv2.HOGDescriptor(), cv2.HOGDescriptor(*DIGITS), cv2.HOGDescriptor(*SMALL)]
    our = [winnow_cv2.HOGDescriptor(threads=1), winnow_cv2.HOGDescriptor(*DIGITS), winnow_cv2.HOGDescriptor(*SMALL)]
    for descriptors in (their, our):
        descriptors[0].setSVMDetector(cv2.HOGDescriptor_getDefaultPeopleDetector())
    rows = []
    for name, call, times in forms(gray, picture):
        pairs = []
        for _ in range(ROUNDS):
            pairs.append((milliseconds(lambda: call(*their), times), milliseconds(lambda: call(*our), times)))
        medians = [round(statistics.median(pair[side] for pair in pairs), 4) for side in (0, 1)]
        rows.append([name, *medians, round(statistics.median(a / b for a, b in pairs), 2)])
        print(rows[-1], file=sys.stderr)
    json.dump(rows, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main(*sys.argv[1:])
