"""Checks `Flow`: pairs of pictures, frames of a video, measures, and what it refuses. Compares with OpenCV's."""

import threading
from typing import Any

import numpy as np
import pytest

import winnow

Pixels = np.ndarray[Any, np.dtype[np.uint8]]


def smooth(shift: float = 0.0) -> Pixels:
    """Waves that are moved to the right by `shift`, without straight edges."""
    y, x = np.mgrid[0:120, 0:160].astype(np.float64)
    x -= shift
    waves = np.sin(x / 5 + np.cos(y / 9) * 2) + np.sin(y / 6 + x / 17) + np.sin((x + y) / 4.3)
    return np.clip(128 + 40 * waves, 0, 255).round().astype(np.uint8)


POINTS = np.array([(40, 40), (80.25, 60.5), (120, 90), (60, 30)])


def test_points_follow_the_picture() -> None:
    found = winnow.Flow(backend="cpu").track(smooth(), smooth(3.5), POINTS)
    assert found.points.shape == (4, 2) and found.points.dtype == np.float64
    assert found.found.dtype == np.bool_ and found.found.all()
    assert np.abs(found.points - POINTS - (3.5, 0)).max() < 0.1
    assert found.error.dtype == np.float32 and (found.error < 2).all()
    assert found.back_distance is None and found.ncc is None
    assert len(found) == 4 and repr(found) == "FlowPoints(4 of 4 found)"


def test_measures_tell_right_points() -> None:
    found = winnow.Flow().track(smooth(), smooth(2), POINTS, back=True, ncc=True)
    assert found.back_distance is not None and found.ncc is not None
    assert (found.back_distance < 0.1).all() and (found.ncc > 0.95).all() and (found.ncc <= 1).all()


def test_every_backend_gives_the_same() -> None:
    outside = np.vstack([POINTS, [(-5, 3), (500, 2), (np.inf, 0), (3, -1e300)]])
    wanted = winnow.Flow(backend="reference").track(smooth(), smooth(5), outside, back=True, ncc=True)
    assert wanted.found.tolist() == [True] * 5 + [False] * 3
    for info in winnow.backends():
        if info.available:
            for threads in (1, 2):
                flow = winnow.Flow(backend=info.name, threads=threads)
                assert flow.backend == info.name
                assert flow.track(smooth(), smooth(5), outside, back=True, ncc=True) == wanted


def test_frames_of_a_video() -> None:
    flow = winnow.Flow(backend="cpu")
    points = POINTS
    assert flow.next(smooth(), points) is None
    for shift in (2, 4, 6):
        found = flow.next(smooth(shift), points)
        assert found is not None
        assert found == winnow.Flow(backend="cpu").track(smooth(shift - 2), smooth(shift), points)
        points = found.points
    assert np.abs(points - POINTS - (6, 0)).max() < 0.3
    flow.forget()
    assert flow.next(smooth(), points) is None
    assert flow.next(smooth()[:100], points) is None


def test_pictures_in_every_form(place: object) -> None:
    picture = winnow.read_picture("photo.jpg", color=True)
    wanted = winnow.Flow().track(picture.gray, picture.gray, [(200, 200)])
    assert wanted.points.tolist() == [[200, 200]]
    assert winnow.Flow().track("photo.jpg", picture, [(200, 200)]) == wanted
    colors = winnow.Flow().track(picture.color, picture.color, [[200, 200]], channels="rgb")
    assert colors.points.tolist() == [[200, 200]] and colors.error.tolist() == [0]
    assert len(winnow.Flow().track(picture, picture, [])) == 0


def test_answers_are_copies() -> None:
    found = winnow.Flow().track(smooth(), smooth(1), POINTS)
    found.points[:] = 0
    found.found[:] = False
    assert found.points.any() and found.found.all()
    assert found != "found" and found != winnow.Flow().track(smooth(), smooth(1), POINTS[:3])
    with pytest.raises(TypeError, match="unhashable"):
        hash(found)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"levels": 0}, "the levels of flow must be from 1 to 16"),
        ({"window": (21, 20)}, "a window for flow must have odd sides from 3 to 31 pixels"),
        ({"ncc_window": (11, 33)}, "a window for ncc must have odd sides from 3 to 31 pixels"),
        ({"iterations": 101}, "the iterations of flow must be from 1 to 100"),
        ({"eps": -1.0}, "eps of flow must be a number from 0 to 10"),
        ({"min_eigen": float("nan")}, "min_eigen of flow must be 0 or more"),
        ({"after": smooth()[1:]}, "the two pictures for flow must have the same size"),
        ({"points": [(1, 2, 3)]}, r"points have the shape \(1, 3\)"),
        ({"points": [("a", "b")]}, "points are numbers"),
        ({"before": np.zeros((4, 4, 3), np.uint8)}, "channels"),
    ],
)
def test_nonsense_is_refused(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(winnow.Error, match=sentence):
        winnow.Flow().track(**{"before": smooth(), "after": smooth(), "points": POINTS, **change})


def test_threads_share_a_flow() -> None:
    flow, wanted = winnow.Flow(backend="cpu", threads=1), winnow.Flow().track(smooth(), smooth(4), POINTS)
    same: list[bool] = []

    def work() -> None:
        same.extend(flow.track(smooth(), smooth(4), POINTS) == wanted for _ in range(20))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert same == [True] * 80


def test_places_are_those_of_opencv() -> None:
    cv2 = pytest.importorskip("cv2")
    before, after = smooth(), smooth(3.5)
    y, x = np.mgrid[5:115:9, 5:155:9]
    points = np.stack([x.ravel(), y.ravel()], axis=1).astype(np.float32)
    theirs, status, errors = cv2.calcOpticalFlowPyrLK(before, after, points, None, criteria=(3, 30, 0.01))
    found = winnow.Flow().track(before, after, points)
    assert (found.found == (status.ravel() == 1)).mean() >= 0.995
    both = found.found & (status.ravel() == 1)
    distance = np.hypot(*(found.points - theirs)[both].T)
    assert (distance <= 0.02).mean() >= 0.99
    assert (np.abs(found.error - errors.ravel())[both] <= 0.02).mean() >= 0.99
