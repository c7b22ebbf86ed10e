"""Counts the faces in the frames of a video, which OpenCV reads: video.py VIDEO"""

import sys
from collections.abc import Iterator

import cv2
import numpy as np

import winnow


def batches(video: cv2.VideoCapture, size: int) -> Iterator[list[np.ndarray]]:
    frames: list[np.ndarray] = []
    while True:
        more, frame = video.read()
        if more:
            frames.append(frame)
        if frames and (len(frames) == size or not more):
            yield frames
            frames = []
        if not more:
            return


def main(path: str) -> None:
    detector = winnow.Detector("face")
    number = 0
    for frames in batches(cv2.VideoCapture(path), 16):
        # OpenCV's frames have their channels in the order bgr.
        for found in detector.detect(frames, channels="bgr"):
            print(f"{number}: {len(found)}")
            number += 1


if __name__ == "__main__":
    main(*sys.argv[1:])
