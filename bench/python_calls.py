#!/usr/bin/env python3
"""Times calls from Python: the fixed cost of a call beside C++, two threads beside one, and OpenCV 4's class.

Needs an installed wheel, NumPy and opencv-python-headless 4: build/wheel/environments/test-3.11/bin/python has all.

python_calls.py PICTURE"""

import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

import winnow
import winnow.cv2

ROUNDS = 21


def seconds(work: Callable[[], object], times: int) -> float:
    start = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - start) / times


def fixed_cost() -> dict[str, float]:
    """Gives microseconds of a call whose picture is one window, from Python and from the command's loop in C++."""
    window = np.zeros((24, 24), np.uint8)
    detector = winnow.Detector("face", threads=1)
    classifier = winnow.cv2.CascadeClassifier("haarcascade_frontalface_alt.xml", threads=1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "window.pgm"
        winnow.write_picture(path, window)
        command = Path(sys.executable).parent / "winnow"
        line = [command, "bench", "--json", "-m", "face", "--threads", "1", "--repeat", "2001", path]
        cpp = [
            json.loads(subprocess.run(line, capture_output=True, check=True).stdout)["ms_median"] * 1e3 for _ in range(5)
        ]
    forms: dict[str, Callable[[], object]] = {
        "detect": lambda: detector.detect(window),
        "detect and boxes": lambda: detector.detect(window).boxes,
        "detect, all keywords": lambda: detector.detect(
            window, scale_factor=1.2, min_neighbors=3, min_size=(24, 24), max_size=(90, 90), min_score=0.0
        ),
        "cv2.detectMultiScale": lambda: classifier.detectMultiScale(window, 1.1, 3, 0, (20, 20)),
    }
    times: dict[str, list[float]] = {name: [] for name in forms}
    for _ in range(ROUNDS):
        for name, form in forms.items():
            times[name].append(seconds(form, 2000) * 1e6)
    return {"C++": statistics.median(cpp), **{name: statistics.median(some) for name, some in times.items()}}


def threads(gray: np.ndarray) -> float:
    """Gives the work of two threads, each with its own detector, as a multiple of the work of one thread."""
    detectors = [winnow.Detector("face", threads=1) for _ in range(2)]
    for detector in detectors:
        detector.detect(gray)
    ratios = []
    for _ in range(ROUNDS):
        one = seconds(lambda: detectors[0].detect(gray), 20)
        workers = [threading.Thread(target=seconds, args=(lambda d=d: d.detect(gray), 20)) for d in detectors]
        start = time.perf_counter()
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        ratios.append(2 * one * 20 / (time.perf_counter() - start))
    return statistics.median(ratios)


def beside_opencv(gray: np.ndarray) -> tuple[float, float, float]:
    """Milliseconds of OpenCV's class and of ours on one thread, and the median of the ratios of neighbouring runs."""
    path = winnow.cv2.data.haarcascades + "haarcascade_frontalface_alt.xml"
    cv2.setNumThreads(1)
    their, our = cv2.CascadeClassifier(path), winnow.cv2.CascadeClassifier(path, threads=1)
    pairs = []
    for _ in range(ROUNDS):
        pairs.append((seconds(lambda: their.detectMultiScale(gray), 3), seconds(lambda: our.detectMultiScale(gray), 3)))
    medians = (statistics.median(pair[side] for pair in pairs) * 1e3 for side in (0, 1))
    return (*medians, statistics.median(a / b for a, b in pairs))


def main(path: str) -> None:
    gray = cv2.imread(path, cv2.IMREAD_GRAYSCALE)
    report = {"call_us": fixed_cost(), "two_threads": threads(gray), "opencv_ms_winnow_ms_ratio": beside_opencv(gray)}
    json.dump(report, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main(*sys.argv[1:])
