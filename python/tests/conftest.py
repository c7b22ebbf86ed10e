"""Fixtures of all tests: a folder with pictures to work in, and the data folder. A clock for Python's lock."""

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import winnow
from landmark_models import made_landmarks

HERE = Path(__file__).resolve().parent.parent


def standstill(work: Callable[[], object]) -> float:
    """The longest time that Python stands still while a thread works, as a fraction of the work's time.

    It is near to 1 if the work holds Python's lock.
    """
    thread = threading.Thread(target=work)
    begin = last = time.perf_counter()
    longest = 0.0
    thread.start()
    while thread.is_alive():
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
    return longest / (last - begin)


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real pictures; without it the test is skipped by name."""
    folder = Path(os.environ.get("WINNOW_DATA", "../shared/data"))
    if not folder.is_dir():
        pytest.skip(f"there is no data folder {folder}")
    return folder


def make_place(folder: Path) -> None:
    """The files that docstrings and guide read: photo.jpg, crops/, backgrounds/, info.dat and points.winnow."""
    (folder / "photo.jpg").write_bytes((HERE / "photo.jpg").read_bytes())
    gray = winnow.read_picture(folder / "photo.jpg").gray
    (folder / "info.dat").write_text("photo.jpg 1 164 101 204 204\n")
    made_landmarks().save(folder / "points.winnow")
    crops, backgrounds = folder / "crops", folder / "backgrounds"
    crops.mkdir()
    backgrounds.mkdir()
    for i in range(40):
        x, y = 154 + 5 * (i % 5), 91 + 5 * (i // 5 % 4)
        side = 200 + 8 * (i // 20)
        winnow.write_picture(crops / f"{i:02}.png", gray[y : y + side, x : x + side])
    noise = np.random.default_rng(7)
    for i in range(3):
        coarse = noise.integers(0, 256, (30, 40), np.uint8)
        fine = noise.integers(0, 60, (240, 320), np.uint8)
        winnow.write_picture(backgrounds / f"{i}.png", np.kron(coarse // 2, np.ones((8, 8), np.uint8)) + fine)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    make_place(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def gray(place: Path) -> np.ndarray:
    return winnow.read_picture("photo.jpg").gray
