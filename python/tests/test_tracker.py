"""Tests `Tracker`: objects of a made video, corrections, threads, errors, and the command's tracks."""

import json
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import winnow

BOX = (164, 101, 204, 204)


@pytest.fixture
def frames(gray: np.ndarray) -> list[np.ndarray]:
    """The photo, in which all moves to the right and down."""
    return [np.roll(gray, (i, 2 * i), axis=(0, 1)) for i in range(6)]


def box_at(number: int) -> tuple[float, float, float, float]:
    x, y, width, height = BOX
    return x + 2 * number, y + number, width, height


def overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> float:
    """The shared area of two boxes, divided by the area that they cover together."""
    width = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    height = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    shared = max(width, 0) * max(height, 0)
    return shared / (a[2] * a[3] + b[2] * b[3] - shared)


def test_an_object_is_followed(frames: list[np.ndarray]) -> None:
    tracker = winnow.Tracker(backend="cpu")
    assert tracker.add(frames[0], BOX) == 1
    for number, frame in enumerate(frames[1:], 1):
        (track,) = tracker.next(frame)
        assert (track.id, track.state) == (1, "found")
        assert overlap(track.box, box_at(number)) > 0.75
        assert 0.5 <= track.confidence <= 1
    assert track == track and track != tracker.next(frames[0])[0]
    with pytest.raises(TypeError):
        hash(track)


def test_objects_are_corrected_and_removed(frames: list[np.ndarray]) -> None:
    tracker = winnow.Tracker()
    first, second = tracker.add(frames[0], BOX), tracker.add(frames[0], (20, 20, 80, 80))
    tracker.next(frames[1])
    tracker.set(second, frames[1], box_at(1))
    left, right = tracker.next(frames[2])
    assert overlap(right.box, left.box) > 0.75
    tracker.remove(first)
    assert [track.id for track in tracker.next(frames[3])] == [second]
    for call in (lambda: tracker.remove(first), lambda: tracker.set(9, frames[3], BOX)):
        with pytest.raises(winnow.Error) as raised:
            call()
        assert raised.value.code == "usage"


def test_backends_give_the_same_tracks(frames: list[np.ndarray]) -> None:
    answers = []
    devices = [(backend.name, 1) for backend in winnow.backends() if backend.name == "cuda" and backend.available]
    for backend, threads in [("reference", 1), ("cpu", 1), ("cpu", 3), ("auto", 0), *devices]:
        tracker = winnow.Tracker(backend=backend, threads=threads, seed=5)
        assert tracker.last_backend == (backend if backend != "auto" else "cpu") and tracker.note == ""
        tracker.add(frames[0], BOX)
        answers.append([tracker.next(frame) for frame in frames[1:]])
    assert all(answer == answers[0] for answer in answers)


@pytest.mark.parametrize("box", [(1, 1, 1, 1), (900, 10, 50, 50), (10, 10, -5, 30), (float("nan"), 1, 30, 30)])
def test_bad_boxes(gray: np.ndarray, box: tuple[float, float, float, float]) -> None:
    with pytest.raises(winnow.Error) as raised:
        winnow.Tracker().add(gray, box)
    assert raised.value.code == "usage"


def test_bad_calls(gray: np.ndarray) -> None:
    tracker = winnow.Tracker()
    for call in (
        lambda: tracker.add(gray, (1, 2, 3)),  # type: ignore[arg-type]
        lambda: tracker.add(gray, "box"),  # type: ignore[arg-type]
        lambda: tracker.next(7),  # type: ignore[arg-type]
        lambda: winnow.Tracker(seed=-1),
    ):
        with pytest.raises((TypeError, winnow.Error)):
            call()


def test_saved_objects_go_on(frames: list[np.ndarray], place: Path) -> None:
    tracker = winnow.Tracker(backend="cpu", seed=9)
    face = tracker.add(frames[0], BOX)
    for frame in frames[1:3]:
        tracker.next(frame)
    other = winnow.Tracker(backend="reference")
    other.next(frames[2])
    assert other.add_saved(tracker.to_bytes([face]), frames[2]) == [1]
    assert other.last(1) == tracker.last(face)
    for frame in frames[3:]:
        assert other.next(frame) == tracker.next(frame)
    assert other.to_bytes() == tracker.to_bytes()
    tracker.save(place / "face.objects")
    assert (place / "face.objects").read_bytes() == tracker.to_bytes()
    lost = winnow.Tracker()
    assert lost.load(place / "face.objects") == [1] and lost.add_saved(tracker.to_bytes()) == [2]
    assert lost.last(1).state == "lost" and lost.last(1).box == (0, 0, 0, 0)
    assert [track.state for track in lost.next(frames[-1])] == ["found", "found"]


def test_bad_saved_objects(gray: np.ndarray, place: Path) -> None:
    tracker = winnow.Tracker()
    tracker.add(gray, BOX)
    saved = tracker.to_bytes()
    for call, code in (
        (lambda: tracker.add_saved(b"bytes"), "format"),
        (lambda: tracker.add_saved(saved[:-1]), "format"),
        (lambda: tracker.add_saved(saved[:4] + b"\7" + saved[5:]), "unsupported"),
        (lambda: tracker.add_saved(saved, gray[:-9]), "usage"),
        (lambda: tracker.load(place / "nothing"), "io"),
        (lambda: tracker.to_bytes([7]), "usage"),
        (lambda: tracker.last(7), "usage"),
    ):
        with pytest.raises(winnow.Error) as raised:
            call()
        assert raised.value.code == code
    with pytest.raises(TypeError):
        tracker.add_saved("text")  # type: ignore[arg-type]


def test_several_videos_at_once(frames: list[np.ndarray]) -> None:
    """Videos together have the tracks that each has alone, also if one waits."""
    other = [frame[40:, :420].copy() for frame in frames]
    box = (BOX[0], BOX[1] - 40, *BOX[2:])

    def alone(own: list[np.ndarray], where: tuple[float, float, float, float]) -> list[winnow.Track]:
        tracker = winnow.Tracker(backend="cpu")
        tracker.add(own[0], where)
        return [track for frame in own[1:] for track in tracker.next(frame)]

    wanted = alone(frames, BOX), alone(other[:5], box)
    together = winnow.Tracker(backend="cpu", threads=2)
    assert (together.add(frames[0], BOX), together.add(other[0], box, video=1)) == (1, 2)
    for number in range(1, 6):
        left, right = together.next([frames[number], None if number == 1 else other[number - 1]])
        assert [(track.box, track.confidence) for track in left] == [(wanted[0][number - 1].box, wanted[0][number - 1].confidence)]
        assert [track.id for track in right] == ([] if number == 1 else [2])
        if number > 1:
            assert right[0].box == wanted[1][number - 2].box
    assert together.next((None,)) == [[]]
    saved = together.to_bytes([2])
    assert together.add_saved(saved, other[4], video=3) == [3]
    together.restart(1)
    assert [len(tracks) for tracks in together.next([frames[5], other[5], None, other[5]])] == [1, 0, 0, 1]
    with pytest.raises(winnow.Error):
        together.last(2)
    with pytest.raises(winnow.Error) as raised:
        together.add(frames[5], BOX, video=-1)
    assert raised.value.code == "usage"


def test_threads_may_share_a_tracker(frames: list[np.ndarray]) -> None:
    tracker = winnow.Tracker(backend="cpu", threads=1)
    tracker.add(frames[0], BOX)
    numbers: list[int] = []
    threads = [threading.Thread(target=lambda: numbers.extend(track.id for track in tracker.next(frames[1]))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert numbers == [1] * 4


def test_the_commands_tracks(frames: list[np.ndarray], place: Path) -> None:
    (place / "frames").mkdir()
    for number, frame in enumerate(frames):
        winnow.write_picture(place / "frames" / f"{number}.png", frame)
    command = Path(sys.executable).parent / "winnow"
    run = subprocess.run([command, "track", "--quiet", "frames", "--box", "164,101,204,204"], check=True, capture_output=True)
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    tracker = winnow.Tracker()
    tracker.add(frames[0], BOX)
    for line, frame in zip(lines[1:], frames[1:]):
        (track,), (told,) = tracker.next(frame), line["tracks"]
        assert [told[name] for name in ("x", "y", "width", "height")] == pytest.approx(track.box, abs=0.006)
        assert told["state"] == track.state
