"""Checks `FaceCovers`: what is covered, when boxes are known, what is refused, and the program of the guide."""

import json
import math
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import winnow
from conftest import HERE, make_film, pipe_of, standstill

Pixels = np.ndarray[Any, np.dtype[np.uint8]]
Boxes = list[tuple[int, int, int, int]]
COMMAND = Path(sys.executable).parent / "winnow"


@pytest.fixture
def face(place: Path) -> Pixels:
    """The portrait at half its size: 256x256 pixels."""
    return winnow.read_picture("photo.jpg").gray[::2, ::2].copy()


def hidden_from(face: Pixels, hidden: range, count: int) -> list[Pixels]:
    """Frames in which the face moves to the right, and is dark in those that are hidden."""
    return [np.zeros_like(face) if i in hidden else np.roll(face, 2 * i, axis=1) for i in range(count)]


def cover(frames: list[Pixels], follows: Callable[[int], bool] = lambda _: True, **options: Any) -> list[Boxes]:
    """The boxes of all frames. A frame that is not followed is added without faces."""
    follower = winnow.Follower("face", "face-5", detect_every=1, backend="cpu")
    covers = winnow.FaceCovers(**{"backend": "cpu", **options})
    for i, frame in enumerate(frames):
        covers.add(frame, follower.next(frame) if follows(i) else [])
    covers.finish()
    answers = [covers.next() for _ in frames]
    assert covers.next() is None
    return [boxes for boxes in answers if boxes is not None]


def covered(answers: list[Boxes]) -> list[int]:
    """The numbers of the frames that have a cover."""
    return [i for i, boxes in enumerate(answers) if boxes]


def test_gap_and_linger_cover_frames_without_a_face(face: Pixels) -> None:
    hidden = range(5, 8)
    frames = hidden_from(face, hidden, 13)

    def in_the_middle(**options: Any) -> list[int]:
        return covered(cover(frames, lambda i: i not in hidden, **options))

    assert in_the_middle(gap=0, linger=0) == [0, 1, 2, 3, 4, 8, 9, 10, 11, 12]
    assert in_the_middle(gap=2, linger=0) == [0, 1, 2, 3, 4, 8, 9, 10, 11, 12]
    assert in_the_middle(gap=3, linger=0) == list(range(13))
    assert in_the_middle(gap=0, linger=1) == [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12]
    ends = hidden_from(face, range(4, 20), 20)
    for linger in (0, 5, 10):
        assert covered(cover(ends, lambda i: i < 4, linger=linger)) == list(range(4 + linger))
    assert covered(cover(ends, lambda i: i < 4)) == list(range(14))  # the default is 10


def test_a_cover_holds_the_face_and_the_margin(face: Pixels) -> None:
    (found,) = winnow.Follower("face", "face-5", backend="cpu").next(face)
    corners = np.vstack([found.shape.points, found.box[:2], np.add(found.box[:2], found.box[2:])])
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    for margin in (0, 0.2, 1):
        x, y = margin * (right - left), margin * (bottom - top)
        first = max(0, math.floor(left - x)), max(0, math.floor(top - y))
        last = min(256, math.ceil(right + x)), min(256, math.ceil(bottom + y))
        assert cover([face], margin=margin, sure=1) == [[(*first, last[0] - first[0], last[1] - first[1])]]
    assert cover([face]) == cover([face], margin=0.2) != cover([face], margin=0.3)


def test_reasons_come_with_the_boxes(face: Pixels) -> None:
    frames = hidden_from(face, range(5, 8), 12)
    follower = winnow.Follower("face", "face-5", detect_every=3, backend="cpu")
    faces = [follower.next(frame) if i not in range(5, 8) and 0 < i < 10 else [] for i, frame in enumerate(frames)]
    boxes, reasons = (winnow.FaceCovers(gap=3, linger=2, backend="cpu") for _ in range(2))
    for covers in (boxes, reasons):
        for frame, found in zip(frames, faces, strict=True):
            covers.add(frame, found)
        covers.finish()
    given = []
    for _ in frames:
        each = reasons.next_covers()
        assert each and [cover.box for cover in each] == boxes.next()
        given += each
    assert reasons.next_covers() is None and boxes.next_covers() is None
    assert {"found", "carried", "joined"} <= {cover.reason for cover in given}
    assert {cover.path for cover in given} == {1} and all(cover.searches >= 1 for cover in given)
    (first, *_), last = given, given[-1]
    assert repr(first) == f"FaceCover(1, {first.reason})"
    assert first == first and first != last and first != 5
    with pytest.raises(TypeError):
        hash(first)


def test_reasons_equal_those_of_the_command(face: Pixels, place: Path) -> None:
    frames = hidden_from(face, range(6, 9), 14)
    writer = pipe_of(frames, place / "pipe")
    command = [COMMAND, "faces", "--points", "5", "--blur", "--out", "safe", "--gap", "4", "--quiet", "pipe"]
    lines = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.splitlines()
    writer.join()
    follower = winnow.Follower("face", "face-5", detect_every=3, gap=4, begin=0.1)
    covers, given = winnow.FaceCovers(gap=4, sure=3), []
    for frame in [*frames, None]:
        if frame is None:
            covers.finish()
        else:
            covers.add(frame, follower.next(frame))
        # Searches are counted as far as they are known by now.
        while (each := covers.next_covers()) is not None:
            given.append([(cover.box, cover.path, cover.searches, cover.reason) for cover in each])
    wanted = [json.loads(line)["covers"] for line in lines]
    names = ("x", "y", "width", "height")
    assert given == [
        [(tuple(each[name] for name in names), each["path"], each["searches"], each["why"]) for each in line] for line in wanted
    ]
    assert len(given) == len(frames) and any(given)


def test_boxes_are_known_gap_frames_later_or_at_the_end(face: Pixels) -> None:
    for gap, whole in ((0, False), (2, False), (2, True)):
        covers = winnow.FaceCovers(gap=gap, whole=whole, backend="cpu")
        known = []
        for _ in range(5):
            covers.add(face, [])
            known.append(covers.next())
        assert known == [None] * (5 if whole else gap) + [[]] * (0 if whole else 5 - gap)
        covers.finish()
        rest = [covers.next() for _ in range(6)]
        assert rest == [[]] * (5 if whole else gap) + [None] * (1 if whole else 6 - gap)


def test_a_face_is_carried_back_as_far_as_gap_and_memory_reach(face: Pixels) -> None:
    frames = hidden_from(face, range(0), 12)

    def late(**options: Any) -> list[int]:
        return covered(cover(frames, lambda i: i >= 9, linger=0, **options))

    assert late(whole=True) == list(range(12))
    assert late(whole=True, gap=3) == list(range(12))
    assert late(gap=3) == list(range(6, 12))
    assert late(whole=True, memory=0) == list(range(8, 12))  # two frames are kept in any case


def test_covers_equal_those_of_the_command(face: Pixels, place: Path) -> None:
    frames = hidden_from(face, range(6, 9), 14)
    writer = pipe_of(frames, place / "pipe")
    command = [COMMAND, "faces", "--points", "5", "--blur", "--out", "safe", "--gap", "4", "--quiet", "pipe"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    writer.join()
    follower = winnow.Follower("face", "face-5", detect_every=3, gap=4, begin=0.1)
    # The command wants three searches, since it searches every third frame.
    covers = winnow.FaceCovers(gap=4, sure=3)
    for frame in frames:
        covers.add(frame, follower.next(frame))
    covers.finish()
    for i, frame in enumerate(frames):
        canvas = np.repeat(frame[:, :, None], 3, axis=2)
        boxes = covers.next()
        assert boxes
        for box in boxes:
            winnow.blur_box(canvas, box)
        winnow.write_picture("mine.jpg", canvas, channels="rgb")
        assert Path("mine.jpg").read_bytes() == Path(f"safe/pipe-{i:06}.jpg").read_bytes()


def test_all_forms_of_pictures_and_an_empty_frame(face: Pixels) -> None:
    follower = winnow.Follower("face", "face-5", backend="cpu")
    faces = follower.next(face)
    covers = winnow.FaceCovers(linger=0, backend="cpu")
    wanted = cover([face], linger=0)
    color = np.repeat(face[:, :, None], 3, axis=2)
    winnow.write_picture("face.png", face)
    for frame, options in ((face, {}), ("face.png", {}), (color, {"channels": "rgb"}), (winnow.read_picture("face.png"), {})):
        covers.restart()
        covers.add(frame, faces, **options)  # type: ignore[arg-type]
        covers.finish()
        assert [covers.next()] == wanted
    covers.restart()
    for frame, found in ((face, faces), (None, []), (face, faces)):
        covers.add(frame, found)
    covers.finish()
    first, empty, last = covers.next(), covers.next(), covers.next()
    assert [first] == [last] == wanted and empty == []


def test_every_backend_gives_the_same(face: Pixels) -> None:
    frames = hidden_from(face, range(2, 4), 6)
    wanted = cover(frames, backend="reference")
    assert covered(wanted) == list(range(6))
    for info in winnow.backends():
        if info.available:
            assert cover(frames, backend=info.name, threads=2) == wanted


def test_restart_begins_another_video(face: Pixels) -> None:
    follower = winnow.Follower("face", "face-5", backend="cpu")
    faces = follower.next(face)
    covers = winnow.FaceCovers(backend="cpu", threads=1)
    assert repr(covers) == "FaceCovers(cpu, 1 thread)" and (covers.backend, covers.threads) == ("cpu", 1)
    covers.add(face, faces)
    covers.finish()
    with pytest.raises(winnow.Error, match="a frame after the end of the video; restart first") as raised:
        covers.add(face, faces)
    assert raised.value.code == "usage"
    covers.restart()
    covers.add(face, [])
    covers.finish()
    assert [covers.next(), covers.next()] == [[], None]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"gap": -1}, "gap must be from 0 to 100000 frames"),
        ({"gap": 100_001}, "gap must be from 0 to 100000 frames"),
        ({"linger": -1}, "linger must be from 0 to 1000 frames"),
        ({"linger": 1001}, "linger must be from 0 to 1000 frames"),
        ({"sure": 0}, "a face is sure after 1 to 1000 searches"),
        ({"margin": -0.1}, "margin of covers must be a number from 0 to 1"),
        ({"margin": math.nan}, "margin of covers must be a number from 0 to 1"),
        ({"memory": -1}, "memory for frames must be 0 bytes or more"),
        ({"backend": "abacus"}, "abacus"),
    ],
)
def test_wrong_numbers_are_named(options: dict[str, Any], says: str) -> None:
    with pytest.raises(winnow.Error, match=says) as raised:
        winnow.FaceCovers(**options)
    assert raised.value.code == "usage"


def test_wrong_frames_and_faces_are_named(face: Pixels) -> None:
    covers = winnow.FaceCovers(backend="cpu")
    with pytest.raises(TypeError, match=r"add\(\) takes faces as a sequence of Followeds, not 5"):
        covers.add(face, 5)  # type: ignore[arg-type]
    with pytest.raises(winnow.Error, match="channels"):
        covers.add(np.repeat(face[:, :, None], 3, axis=2), [])
    with pytest.raises(winnow.Error, match="the picture has no pixels"):
        covers.add(face[:0], [])
    with pytest.raises(TypeError, match="takes memory as a whole number"):
        winnow.FaceCovers(memory=2**63)


def test_threads_may_share_covers(face: Pixels) -> None:
    covers = winnow.FaceCovers(gap=0, backend="cpu", threads=1)
    threads = [threading.Thread(target=lambda: [covers.add(face, []) for _ in range(20)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    covers.finish()
    assert [covers.next() for _ in range(81)] == [[]] * 80 + [None]


def test_python_goes_on_while_a_face_is_carried_back(face: Pixels) -> None:
    large = np.kron(face, np.ones((8, 8), np.uint8))
    (found,) = winnow.Follower("face", "face-5", backend="cpu").next(large)
    covers = winnow.FaceCovers(whole=True, backend="cpu", threads=1)
    for _ in range(40):
        covers.add(large, [])
    assert standstill(lambda: covers.add(large, [found])) < 0.5


def program_of_the_guide() -> str:
    text = (HERE / "python.md").read_text()
    (program,) = (block for block in text.split("```python\n")[1:] if "hidden.avi" in block.partition("```")[0])
    return program.partition("```")[0]


def test_the_program_of_the_guide_hides_every_face(place: Path) -> None:
    cv2 = pytest.importorskip("cv2")
    make_film(dark=range(4, 7))
    exec(compile(program_of_the_guide(), "program", "exec"), {"__name__": "__main__"})
    film, hidden = cv2.VideoCapture("film.avi"), cv2.VideoCapture("hidden.avi")
    detector = winnow.Detector("face", backend="cpu")
    for number in range(12):
        before, after = film.read()[1], hidden.read()[1]
        assert len(detector.detect(before, channels="bgr")) == (number not in range(4, 7))
        assert len(detector.detect(after, channels="bgr")) == 0
        # The cover reaches over the dark frames, and leaves the picture's corner as it was.
        assert np.abs(after[:40, :40].astype(int) - before[:40, :40]).mean() < 3
    assert not film.read()[0] and not hidden.read()[0]
