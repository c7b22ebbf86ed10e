#!/usr/bin/env python3
"""Marks the faces of videos with YuNet, which is no part of Winnow. So it can judge what Winnow hides.

Needs NumPy, opencv-python-headless and the command ffmpeg. MODEL is YuNet's file for any picture size
(yunet_n_dynamic.onnx of the repository libfacedetection.train). Pictures narrower than 400 pixels are looked at in twice
their size.

mark_faces.py [--score S] MODEL VIDEO > FACES.csv

Each line is a face: frame, x, y, width, height, score. hiding_figures.py reads them with --truth-form many."""

import argparse
import sys
from pathlib import Path

import cv2
from hiding_figures import pictures

NARROW, MOST_OVERLAP, MOST_FACES = 400, 0.3, 5000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--score", type=float, default=0.8, help="the least score of a face; default 0.8")
    parser.add_argument("model", type=Path)
    parser.add_argument("video", type=Path)
    options = parser.parse_args()
    detector = cv2.FaceDetectorYN.create(str(options.model), "", (32, 32), options.score, MOST_OVERLAP, MOST_FACES)
    for number, picture in enumerate(pictures(options.video)):
        scale = 2 if picture.shape[1] < NARROW else 1
        seen = cv2.resize(picture, None, fx=scale, fy=scale) if scale > 1 else picture
        detector.setInputSize((seen.shape[1], seen.shape[0]))
        faces = detector.detect(seen)[1]
        for face in faces if faces is not None else []:
            box = ",".join(f"{value / scale:.1f}" for value in face[:4])
            sys.stdout.write(f"{number},{box},{face[14]:.3f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
