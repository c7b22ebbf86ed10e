"""Searches every picture of a folder, on all cores: folder.py FOLDER"""

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import winnow

MODEL = winnow.load("face")
OWN = threading.local()


def search(path: Path) -> tuple[Path, winnow.Detections | winnow.Error]:
    # Each thread has a detector of its own; all of them share the model.
    if not hasattr(OWN, "detector"):
        OWN.detector = winnow.Detector(MODEL, threads=1)
    try:
        return path, OWN.detector.detect(winnow.read_picture(path))
    except winnow.Error as error:
        return path, error


def main(folder: str) -> None:
    paths = sorted(path for path in Path(folder).iterdir() if path.is_file())
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, found in pool.map(search, paths):
            if isinstance(found, winnow.Error):
                print(f"{path}: {found.sentence}", file=sys.stderr)
            else:
                print(f"{path}: {len(found)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
