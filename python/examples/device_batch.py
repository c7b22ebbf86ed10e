"""Searches a batch of pictures that PyTorch holds on a GPU: device_batch.py PICTURE"""

import sys

import torch

import winnow


def main(path: str) -> None:
    gray = torch.from_numpy(winnow.read_picture(path).gray.copy()).cuda()
    batch = torch.stack([gray, gray.flip(1), gray // 2])
    detector = winnow.Detector("face", backend="cuda")
    for found in detector.detect(list(batch)):  # nothing is copied to the host but the answers
        print(found.boxes.tolist())


if __name__ == "__main__":
    main(*sys.argv[1:])
