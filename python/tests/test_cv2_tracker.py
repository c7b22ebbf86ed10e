"""Tests `winnow.cv2.legacy.TrackerTLD`: what it answers, and that its types and refusals are those of OpenCV's."""

from typing import Any

import numpy as np
import pytest

import winnow
from winnow import cv2

BOX = (164, 101, 204, 204)


@pytest.fixture(scope="module")
def gray() -> np.ndarray:
    """A smooth random texture, so that flow has something to hold on to."""
    knots = np.random.default_rng(4).integers(0, 256, (32, 40)).astype(float)
    picture = np.kron(knots, np.ones((16, 16)))
    for axis in (0, 1):
        picture = sum(np.roll(picture, shift, axis) for shift in range(-8, 8)) / 16
    return picture.astype(np.uint8)


def test_boxes_are_those_of_tracker(gray: np.ndarray) -> None:
    ours, plain = cv2.legacy.TrackerTLD_create(), winnow.Tracker()
    assert ours.init(gray, BOX) is True
    plain.add(gray, BOX)
    frames = [np.roll(gray, 3 * i, axis=1) for i in range(1, 4)] + [np.full_like(gray, 90)] * 2 + [gray] * 3
    seen = []
    for frame in frames:
        ok, box = ours.update(frame)
        (track,) = plain.next(frame)
        assert type(ok) is bool and type(box) is tuple and [type(side) for side in box] == [float] * 4
        assert ok == (track.state != "lost")
        assert box == (track.box if ok else (0, 0, 0, 0))
        seen.append(ok)
    assert seen[:5] == [True] * 3 + [False] * 2 and seen[-1]


def test_forms_of_images_and_boxes(gray: np.ndarray) -> None:
    wanted = None
    for image in (gray, gray[..., None], np.dstack([gray] * 3), np.dstack([gray] * 4), np.asfortranarray(gray)):
        for box in (BOX, list(BOX), np.array(BOX), np.array(BOX, np.float32), (164.0, np.int64(101), np.float32(204), 204)):
            tracker = cv2.legacy.TrackerTLD(threads=1)
            assert tracker.init(image, boundingBox=box)
            answer = tracker.update(image=np.roll(image, 5, axis=1))
            wanted = wanted or answer
            assert answer == wanted
    assert wanted is not None and wanted[0] and wanted[1][0] == pytest.approx(169, abs=4)


def test_what_gives_false(gray: np.ndarray) -> None:
    tracker = cv2.legacy.TrackerTLD.create()
    nowhere = (False, (0.0, 0.0, 0.0, 0.0))
    assert tracker.update(gray) == nowhere
    none: Any = None
    assert tracker.init(none, BOX) is False and tracker.init(np.zeros((0, 0), np.uint8), BOX) is False
    assert tracker.init(gray, BOX) is True
    assert tracker.init(gray, BOX) is False
    assert tracker.update(none) == nowhere
    assert tracker.update(gray)[0]
    assert (tracker.empty(), tracker.getDefaultName()) == (False, "my_object")
    tracker.clear()
    assert tracker.update(gray)[0]


BAD: list[tuple[str, tuple[Any, ...]]] = [
    ("three numbers", ((1, 2, 30),)),
    ("five numbers", ((1, 2, 30, 30, 5),)),
    ("text", ("abcd",)),
    ("a bool", ((100, 100, True, 60),)),
    ("None within", ((100, 100, None, 60),)),
    ("None", (None,)),
    ("no box", ()),
    ("two boxes", (BOX, BOX)),
    ("no width", ((100, 100, 0, 60),)),
    ("below zero", ((100, 100, -5, 60),)),
    ("outside", ((900, 100, 50, 60),)),
    ("over the corner", ((630, 500, 50, 60),)),
    ("no number", ((float("nan"), 1, 30, 30),)),
]


@pytest.mark.parametrize("name", [name for name, _ in BAD])
def test_bad_boxes_are_opencvs_error(gray: np.ndarray, name: str) -> None:
    arguments = dict(BAD)[name]
    make: Any = cv2.legacy.TrackerTLD_create
    with pytest.raises(cv2.error):
        make().init(gray, *arguments)
    legacy = getattr(opencv(), "legacy", None)
    if legacy is not None:
        with pytest.raises(opencv().error):
            legacy.TrackerTLD_create().init(gray, *arguments)


def test_bad_images_are_opencvs_error(gray: np.ndarray) -> None:
    make: Any = cv2.legacy.TrackerTLD_create
    for image in (gray.astype(np.float32), gray.tolist(), "picture.png", np.dstack([gray] * 2), gray[None, None]):
        with pytest.raises(cv2.error):
            make().init(image, BOX)
    tracker = make()
    tracker.init(gray, BOX)
    for arguments in ((), (gray, 3), ("picture.png",)):
        with pytest.raises(cv2.error):
            tracker.update(*arguments)


def opencv() -> Any:
    """OpenCV; an empty object without it."""
    try:
        import cv2 as module
    except ImportError:
        return object()
    return module


def test_other_names_are_opencvs() -> None:
    theirs = getattr(opencv(), "legacy", None)
    if theirs is None:
        with pytest.raises(AttributeError, match="'TrackerMOSSE_create' would come from OpenCV, which"):
            cv2.legacy.TrackerMOSSE_create()
    else:
        assert cv2.legacy.TrackerMOSSE_create is theirs.TrackerMOSSE_create
        assert {"TrackerTLD", "TrackerMOSSE"} <= set(dir(cv2.legacy))
    assert {"TrackerTLD", "TrackerTLD_create"} <= set(dir(cv2.legacy))
    assert cv2.legacy.TrackerTLD.__module__ == "winnow.cv2.legacy"
