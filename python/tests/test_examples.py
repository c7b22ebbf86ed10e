"""Runs each program of the examples folder."""

import subprocess
import sys
from pathlib import Path

import pytest

import winnow
from conftest import HERE


def run(name: str, *arguments: object) -> str:
    words = [sys.executable, str(HERE / "examples" / name), *map(str, arguments)]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_first_picture(place: Path) -> None:
    assert run("first_picture.py", "photo.jpg", "marked.png") == "164 101 204 204 score 142.46\n"
    marked = winnow.read_picture("marked.png", color=True).color
    assert marked is not None
    assert marked[101, 200].tolist() == [0, 255, 0]


def test_folder(place: Path) -> None:
    Path("crops/broken.jpg").write_text("no picture")
    lines = run("folder.py", "crops").splitlines()
    assert len(lines) == 40
    assert run("folder.py", ".").splitlines() == ["photo.jpg: 1"]


def test_faces(place: Path) -> None:
    assert run("faces.py", "points.winnow", "photo.jpg", "marked.png").startswith("164 101 204 204: eyes at ")
    marked = winnow.read_picture("marked.png", color=True).color
    before = winnow.read_picture("photo.jpg", color=True).color
    assert marked is not None
    assert 20 < (marked != before).any(axis=2).sum() < 100  # five dots four pixels wide


def test_video(place: Path) -> None:
    cv2 = pytest.importorskip("cv2")
    frame = cv2.imread("photo.jpg")
    video = cv2.VideoWriter("film.avi", cv2.VideoWriter_fourcc(*"MJPG"), 25, (512, 512))
    for _ in range(20):
        video.write(frame)
    video.release()
    assert run("video.py", "film.avi").splitlines() == [f"{i}: 1" for i in range(20)]


def test_train_detector(place: Path) -> None:
    assert run("train_detector.py", "crops", "backgrounds", "mug.winnow").startswith("stage 1: ")
    assert winnow.load("mug.winnow").card.kind == "mug"


def test_train_landmarks(place: Path) -> None:
    lines = run("train_landmarks.py", "points.csv", "eyes.winnow").splitlines()
    assert [line.split(":")[0] for line in lines[:-1]] == [f"stage {i}" for i in range(1, 6)]
    assert lines[-1].startswith("2 of 2 faces, mean error 0.0") and lines[-1].endswith(" of pupils")
    assert winnow.Landmarks.load("eyes.winnow").points == 5


def test_device_batch(place: Path) -> None:
    pytest.importorskip("torch")
    if not any(backend.name == "cuda" and backend.available for backend in winnow.backends()):
        pytest.skip("needs a device")
    boxes = run("device_batch.py", "photo.jpg").splitlines()
    assert len(boxes) == 3
    assert boxes[0] == "[[164, 101, 204, 204]]"


def test_every_example_is_tested() -> None:
    text = Path(__file__).read_text()
    for path in (HERE / "examples").glob("*.py"):
        assert f'"{path.name}"' in text
