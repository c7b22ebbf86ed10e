#!/usr/bin/env python3
"""Writes small HOG SVMs, in OpenCV's storages, as numbers and in Winnow's own format, to <dir>/hog/, for fuzz_hog to
start from.

usage: make_hog_seeds.py DIR
"""
import pathlib
import sys

from make_model_seeds import Buffer

WEIGHTS = [0.0535938591, -0.147214547, 0.5, 1.0, -1e-5, 0.25, -3.0, 8.0]
BIAS = -6.66579151
FIELDS = [
    ("winSize", [16, 16]), ("blockSize", [16, 16]), ("blockStride", [8, 8]), ("cellSize", [8, 8]), ("nbins", 2),
    ("derivAperture", 1), ("winSigma", -1.0), ("histogramNormType", 0), ("L2HysThreshold", 0.2), ("gammaCorrection", 1),
    ("nlevels", 64), ("signedGradient", 0), ("SVMDetector", [*WEIGHTS, BIAS]),
]


def xml():
    def text(value):
        return " ".join(map(str, value)) if isinstance(value, list) else str(value)
    lines = "\n".join(f"  <{name}>{text(value)}</{name}>" for name, value in FIELDS)
    return (f'<?xml version="1.0"?>\n<!-- A seed. -->\n<opencv_storage>\n<seed type_id="opencv-object-detector-hog">\n'
            f"{lines}</seed>\n</opencv_storage>\n")


def yaml():
    lines = "\n".join(f"   {name}: {value}" for name, value in FIELDS)
    return f"%YAML:1.0\n---\nseed: !!opencv-object-detector-hog\n{lines}\n"


def json():
    lines = ",\n".join(f'        "{name}": {value}' for name, value in FIELDS)
    return f'{{\n    "seed": {{\n        "type_id": "opencv-object-detector-hog",\n{lines}\n    }}\n}}\n'


def winnow():
    def size(width, height):
        return ("q", width | height << 32)

    buffer = Buffer()
    at = buffer.table(0, [("I", 4), ("B", 1), ("I", 0), ("I", 0), ("I", 0)])
    svm = buffer.table(at[2], [("I", 0), ("I", 0), ("d", BIAS)])
    buffer.table(svm[0], [size(16, 16), size(16, 16), size(8, 8), size(8, 8), ("i", 2), ("?", False), ("?", True),
                          ("d", 0.0), ("d", 0.2)])
    buffer.vector(svm[1], "f", [(weight,) for weight in WEIGHTS])
    card = buffer.table(at[3], [("I", 0)] * 4)
    for place, text in zip(card, ["seed", "", "made by hand", "none"]):
        buffer.string(place, text)
    buffer.vector(at[4], "I", [(0,)])
    buffer.string(len(buffer.bytes) - 4, "A note.")
    return bytes(buffer.bytes)


def main():
    folder = pathlib.Path(sys.argv[1]) / "hog"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {"seed.xml": xml(), "seed.yml": yaml(), "seed.json": json(), "few.txt": "[0.5, -1f; 3]\n",
                       "many.txt": "1\n" * 1980}.items():
        (folder / name).write_text(text)
    (folder / "seed.winnow").write_bytes(winnow())


if __name__ == "__main__":
    main()
