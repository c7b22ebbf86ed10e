"""Fixtures of all tests: a folder with pictures to work in, and the data folder. A clock for Python's lock."""

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import winnow
from landmark_models import CORNERS, made_landmarks

HERE = Path(__file__).resolve().parent.parent

# Programs that tests start can be interrupted, even if these tests were started with interrupts ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)


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


# The corners of both eyes in photo.jpg, and the point below the nose: points 36, 39, 42, 45 and 33 of 68.
PORTRAIT = [(209, 180), (240, 178), (291, 176), (323, 173), (268, 236)]


def make_faces(folder: Path, gray: np.ndarray) -> None:
    """Sections of the photo in faces/, and points.csv with five points in each."""
    (folder / "faces").mkdir()
    lines = []
    for i in range(8):
        x, y, side = 100 + 6 * (i % 4), 60 + 9 * (i // 4), 300 + 10 * (i % 3)
        winnow.write_picture(folder / "faces" / f"{i}.pgm", gray[y : y + side, x : x + side])
        lines.append(",".join([f"faces/{i}.pgm", *(f"{px - x},{py - y}" for px, py in PORTRAIT)]))
    (folder / "points.csv").write_text("\n".join(lines) + "\n")


def make_place(folder: Path) -> None:
    """The files that docstrings and guide read: photo.jpg, crops/, backgrounds/, info.dat, gt.txt, points.winnow, points.csv."""
    (folder / "photo.jpg").write_bytes((HERE / "photo.jpg").read_bytes())
    gray = winnow.read_picture(folder / "photo.jpg").gray
    (folder / "info.dat").write_text("photo.jpg 1 164 101 204 204\n")
    (folder / "gt.txt").write_text("10,10,49,49\n12,10,51,49\nNaN,NaN,NaN,NaN\n")
    made_landmarks(mean=CORNERS).save(folder / "points.winnow")
    crops, backgrounds = folder / "crops", folder / "backgrounds"
    crops.mkdir()
    backgrounds.mkdir()
    for i in range(40):
        x, y = 154 + 5 * (i % 5), 91 + 5 * (i // 5 % 4)
        side = 200 + 8 * (i // 20)
        winnow.write_picture(crops / f"{i:02}.png", gray[y : y + side, x : x + side])
    make_faces(folder, gray)
    noise = np.random.default_rng(7)
    for i in range(3):
        coarse = noise.integers(0, 256, (30, 40), np.uint8)
        fine = noise.integers(0, 60, (240, 320), np.uint8)
        winnow.write_picture(backgrounds / f"{i}.png", np.kron(coarse // 2, np.ones((8, 8), np.uint8)) + fine)


def make_film(dark: range = range(0)) -> None:
    """Writes film.avi: twelve frames of the photo, in which the face moves; some frames are dark."""
    cv2 = pytest.importorskip("cv2")
    photo = cv2.imread("photo.jpg")
    video = cv2.VideoWriter("film.avi", cv2.VideoWriter_fourcc(*"MJPG"), 25, (512, 512))
    for i in range(12):
        video.write(photo * 0 if i in dark else np.roll(photo, 2 * i, axis=1))
    video.release()


def pipe_of(frames: list[np.ndarray], path: Path) -> threading.Thread:
    """Makes a named pipe that gives the frames as a stream of pictures."""
    os.mkfifo(path)

    def write() -> None:
        with open(path, "wb") as pipe:
            for frame in frames:
                pipe.write(b"P5 %d %d 255\n" % (frame.shape[1], frame.shape[0]) + frame.tobytes())

    thread = threading.Thread(target=write)
    thread.start()
    return thread


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    make_place(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def gray(place: Path) -> np.ndarray:
    return winnow.read_picture("photo.jpg").gray
