#!/usr/bin/env python3
"""Tests of the winnow command from the outside: test_cli.py PROGRAM [PART]...

A part of the tests is one of the *_cases.py files beside this one: addresses, bench, cascade, cascade_mistakes,
commands, detect, eval, eval_figures, eval_landmarks, eval_tracking, faces, hog, hosts, inputs, labels, landmarks, library,
odd_files, out, review, streams, signals, track, train.
Without a part, all are run.
The tests make pictures, videos and a cascade themselves. Some tests need the pictures of Debian's facedetect or the
cascades of opencv-data. They are skipped by name without these packages.
"""

import importlib
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import runner  # noqa: E402

MODULES = ["addresses", "bench", "cascade", "cascade_mistakes", "commands", "detect", "eval", "eval_figures",
           "eval_landmarks", "eval_tracking", "faces", "hog", "hosts", "inputs", "labels", "landmarks", "library", "odd_files",
           "out", "review", "streams", "signals", "track", "train"]


def main():
    if len(sys.argv) < 2 or any(module not in MODULES for module in sys.argv[2:]):
        sys.exit(__doc__)
    runner.command = os.path.abspath(sys.argv[1])
    suite = unittest.TestSuite()
    for module in sys.argv[2:] or MODULES:
        suite.addTests(unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(module + "_cases")))
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    sys.exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)


main()
