"""Checks `Follower`, the faces of streams in a scan, and `FaceFinder`: numbers, states, points, what is refused."""

import math
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import winnow
from conftest import pipe_of, standstill

Pixels = np.ndarray[Any, np.dtype[np.uint8]]


@pytest.fixture
def frames(place: Path) -> list[Pixels]:
    """Frames in which the portrait moves to the right."""
    gray = winnow.read_picture("photo.jpg").gray
    return [np.roll(gray, 2 * i, axis=1) for i in range(6)]


def follow(frames: list[Pixels], **options: Any) -> list[list[winnow.Followed]]:
    follower = winnow.Follower("face", "face-5", **{"backend": "cpu", **options})
    return [follower.next(frame) for frame in frames]


def test_a_face_keeps_its_number_and_its_points_move(frames: list[Pixels]) -> None:
    answers = follow(frames)
    assert [[face.id for face in faces] for faces in answers] == [[1]] * 6
    assert answers[0][0].state == "found" and answers[-1][0].state == "tracked"
    first, last = answers[0][0], answers[-1][0]
    assert last.box[0] - first.box[0] == pytest.approx(10, abs=4)
    # Frames 3 to 5 are not searched: flow carries the box, and the points are fitted in it.
    assert [faces[0].state for faces in answers[3:]] == ["tracked"] * 3
    # The fits themselves move by up to three pixels beside the shift.
    moved = last.shape.points - answers[3][0].shape.points
    assert np.abs(moved - (4, 0)).max() < 1
    assert last.score > 0
    assert repr(last) == "Followed(1, tracked)"
    assert last == last and last != first and last != 5


def test_a_lost_face_is_told_once(frames: list[Pixels]) -> None:
    empty = np.zeros_like(frames[0])
    shown = [frames[0], *[empty] * 9, frames[0]]
    answers = follow(shown)
    states = [[face.state for face in faces] for faces in answers]
    assert [state for state in states if state == ["lost"]] == [["lost"]]
    assert states[9] == [] and states[10] == ["found"]
    assert answers[10][0].id == 1
    assert follow(shown, gap=0)[10][0].id == 2


def test_options(frames: list[Pixels]) -> None:
    assert all(faces[0].state == "found" for faces in follow(frames, detect_every=1))
    assert follow(frames, smooth=1)[-1][0].box != follow(frames)[-1][0].box
    assert follow(frames[:1], min_confidence=1) == [[]]
    assert follow(frames[:1], region=(0, 0, 100, 100)) == [[]]
    for wrong, says in (
        ({"detect_every": 0}, "detect_every must be 1 or more"),
        ({"gap": -1}, "gap must be from 0 to 100000 frames"),
        ({"smooth": math.nan}, "smooth must be a number from 0 to 1"),
        ({"between": "flow"}, "between is steady, fit or carry, not 'flow'"),
        ({"begin": -0.1}, "begin must be a presence from 0 to 1"),
        ({"begin": math.nan}, "begin must be a presence from 0 to 1"),
        ({"raw": True}, "min_neighbors must be 1 or more"),
        ({"min_confidence": 2}, "the least confidence must be from 0 to 1"),
        ({"backend": "abacus"}, "abacus"),
    ):
        with pytest.raises(winnow.Error, match=says) as raised:
            winnow.Follower("face", "face-5", **wrong)  # type: ignore[arg-type]
        assert raised.value.code == "usage"
    with pytest.raises(winnow.Error, match="face-5"):
        winnow.Follower("face-5", "face-5")


def test_points_between_searches(frames: list[Pixels]) -> None:
    answers = {word: follow(frames, between=word) for word in ("fit", "steady", "carry")}
    assert answers["steady"] == follow(frames)

    def shapes(word: str) -> list[winnow.Shape]:
        """The shapes of the last search, and of the frames after it, which are not searched."""
        return [faces[0].shape for faces in answers[word][2:]]

    def tremble(word: str) -> float:
        """How far a step of a point is from the step of the picture."""
        points = np.array([shape.points for shape in shapes(word)])
        return float(np.abs(np.diff(points, axis=0) - (2, 0)).max())

    assert tremble("carry") < 0.1 < tremble("steady") < tremble("fit") / 2
    # A frame without a fit has the presence of the last fit.
    assert len({shape.presence for shape in shapes("carry")}) == 1
    for word in ("fit", "steady"):
        assert len({shape.presence for shape in shapes(word)}) == 4


def test_searching_until_a_face_is_found(frames: list[Pixels], place: Path) -> None:
    empty = np.zeros_like(frames[0])
    # The first three frames of a video are searched in any case.
    shown = [*[empty] * 5, *frames]

    def first(answers: list[list[winnow.Followed]]) -> int:
        return next((i for i, faces in enumerate(answers) if faces), -1)

    assert first(follow(shown, detect_every=4, until_found=True)) == 5
    for options in ({}, {"until_found": None}, {"until_found": False}):
        assert first(follow(shown, detect_every=4, **options)) == 8
    # In a scan, None stands for True in streams.
    for name, until_found, wanted in (("default", None, 5), ("yes", True, 5), ("no", False, 8)):
        writer = pipe_of(shown, place / name)
        events = [*winnow.scan(name, "face", landmarks="face-5", detect_every=4, until_found=until_found)]
        writer.join()
        assert first([event.faces for event in events if event.kind == "frame"]) == wanted
    with pytest.raises(TypeError, match="until_found"):
        winnow.Follower("face", "face-5", until_found="yes")  # type: ignore[arg-type]


def test_begin_is_the_presence_of_a_face_that_begins(frames: list[Pixels], place: Path) -> None:
    noise = np.random.default_rng(5).integers(0, 256, frames[0].shape)
    noisy = (frames[0] * 0.59 + noise * 0.41).astype(np.uint8)
    faces = winnow.FaceFinder("face", "face-5", backend="cpu").find(noisy)
    presence = faces.shapes[0].presence
    # Few neighbours, so that presence alone decides.
    assert presence is not None and 0.1 < presence < 0.5 and faces.found[0].neighbors <= 6
    assert [face.box for face in follow([noisy], begin=presence - 0.01)[0]] == [faces.found[0].box]
    assert follow([noisy], begin=presence + 0.01) == [[]]
    assert follow([noisy]) == follow([noisy], begin=0.5) == [[]]
    # The least confidence takes the place of begin.
    assert follow([noisy], begin=0.1, min_confidence=0.3) == [[]]
    for begin, count in ((presence - 0.01, 1), (presence + 0.01, 0)):
        writer = pipe_of([noisy], place / f"pipe-{count}")
        (event, _) = winnow.scan(f"pipe-{count}", "face", landmarks="face-5", begin=begin)
        writer.join()
        assert len(event.faces) == count


def test_several_videos_at_once(frames: list[Pixels]) -> None:
    still = [frames[0]] * 6
    alone = [follow(frames), follow(still)]
    follower = winnow.Follower("face", "face-5", backend="cpu")
    together = [follower.next([frames[i], still[i]]) for i in range(6)]
    assert [answers[0] for answers in together] == alone[0]
    assert [answers[1] for answers in together] == alone[1]
    assert alone[0] != alone[1]
    # The forms of several pictures.
    for several in ((frames[0], frames[1]), iter(frames[:2]), np.stack(frames[:2]), [frames[0], winnow.encode_picture(frames[1], "png")]):
        for video in range(2):
            follower.restart(video)
        assert follower.next(several) == [follow(frames[:1])[0], follow(frames[1:2])[0]]  # type: ignore[comparison-overlap]
    assert follower.next([]) == []


def test_videos_are_apart(frames: list[Pixels]) -> None:
    follower = winnow.Follower("face", "face-5", detect_every=100, backend="cpu")
    wide = np.hstack([frames[0], frames[0]])

    def states(answers: list[list[winnow.Followed]]) -> list[list[str]]:
        return [[f"{face.id} {face.state}" for face in faces] for faces in answers]

    assert states(follower.next([frames[0], wide])) == [["1 found"], ["1 found", "2 found"]]
    for frame in frames[:4]:
        alone = follower.next(frame)
    assert states([alone]) == [["1 tracked"]]
    # Video 1 has waited, and goes on. None loses the face of video 0.
    assert states(follower.next([None, wide])) == [["1 lost"], ["1 found", "2 found"]]
    follower.restart(1)
    assert states(follower.next([frames[0], np.roll(wide, 256, axis=1)]))[0] == ["1 found"]
    # A video that the follower does not have yet needs no restart.
    follower.restart(7)
    follower.restart(video=0)
    assert states(follower.next([frames[0]])) == [["1 found"]]


def test_restart_takes_the_number_of_a_video(frames: list[Pixels]) -> None:
    empty = np.zeros_like(frames[0])
    for video, ids in ((None, (1, 2)), (0, (1, 2)), (1, (2, 1))):
        follower = winnow.Follower("face", "face-5", gap=0, backend="cpu")
        for frame in (frames[0], empty, empty):
            follower.next([frame, frame])
        if video is None:
            follower.restart()
        else:
            follower.restart(video)
        first, second = follower.next([frames[0], frames[0][:, ::-1]])
        assert (first[0].id, second[0].id) == ids


def test_a_wrong_frame_among_several_is_named(frames: list[Pixels]) -> None:
    follower = winnow.Follower("face", "face-5", backend="cpu")
    follower.next([frames[0], frames[0]])
    for wrong in (frames[0][:0], np.zeros((9, 9, 3), np.uint8), 5):
        with pytest.raises(winnow.Error, match="picture 1 of the call: "):
            follower.next([frames[1], wrong])
    with pytest.raises(winnow.Error, match=r"none\.jpg: cannot open"):
        follower.next([frames[1], "none.jpg"])
    # No video has taken a frame in these calls.
    assert follower.next([frames[1], frames[1]]) == [follow(frames[:2])[1]] * 2


def test_every_backend_gives_the_same(frames: list[Pixels]) -> None:
    small = [frame[80:330, 140:390] for frame in frames[:3]]
    wanted = follow(small, backend="reference")
    assert [len(faces) for faces in wanted] == [1, 1, 1]
    for info in winnow.backends():
        if info.available:
            for threads in (1, 2):
                assert follow(small, backend=info.name, threads=threads) == wanted


def test_all_forms_of_pictures(frames: list[Pixels]) -> None:
    follower = winnow.Follower("face", "face-5", backend="cpu", threads=1)
    assert follower.next("photo.jpg") == follow(frames[:1])[0]
    color = winnow.read_picture("photo.jpg", color=True).color
    answers = []
    for frame, channels in ((color, "rgb"), (color[:, :, ::-1], "bgr")):
        follower.restart()
        answers.append(follower.next(frame, channels=channels))  # type: ignore[arg-type]
    assert answers[0] == answers[1] != []
    with pytest.raises(winnow.Error, match="channels"):
        follower.next(color)
    with pytest.raises(winnow.Error, match="there is no picture, but None"):
        follower.next(None)
    assert repr(follower) == "Follower(cpu, 1 thread)"
    assert (follower.backend, follower.threads) == ("cpu", 1)


def test_threads_may_share_a_follower(frames: list[Pixels]) -> None:
    follower = winnow.Follower("face", "face-5", backend="cpu", threads=1)
    numbers: list[int] = []
    threads = [
        threading.Thread(target=lambda: numbers.extend(face.id for face in follower.next(frames[0]))) for _ in range(4)
    ]
    threads += [
        threading.Thread(target=lambda: numbers.extend(face.id for (face,) in follower.next([frames[0]] * 2))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert numbers == [1] * 12
    large = np.kron(frames[0], np.ones((4, 4), np.uint8))
    assert standstill(lambda: follower.next([large] * 3)) < 0.5


@pytest.mark.parametrize("batch", [None, 1, 4])
def test_a_scan_follows_faces_of_a_stream(frames: list[Pixels], place: Path, batch: int | None) -> None:
    empty = np.zeros_like(frames[0])
    shown = [*frames, *[empty] * 4]
    writer = pipe_of(shown, place / "pipe")
    made = []

    def state(source: str) -> list[int]:
        made.append(source)
        return []

    counts = []
    events = []
    for event in winnow.scan(["photo.jpg", "pipe"], "face", landmarks="face-5", detect_every=4, batch=batch, make_state=state):
        if event.kind == "frame":
            event.state.append(event.frame)
            events.append(event)
        else:
            counts.append(len(event.state))
    writer.join()
    assert made == ["photo.jpg", "pipe"] and counts == [1, 10]
    picture, *stream = events
    assert picture.faces is None and len(picture.shapes) == 1
    wanted = follow(shown, detect_every=4)
    assert [event.faces for event in stream] == wanted
    for event in stream:
        there = [face for face in event.faces if face.state != "lost"]
        assert [face.box for face in event.found] == [face.box for face in there]
        assert event.shapes == [face.shape for face in there]
        assert event.seconds > 0 and event.found.backend
    plain = winnow.scan("photo.jpg", "face", landmarks="face-5")
    assert [event.state for event in plain] == [None, None]


def test_a_scan_refuses_what_makes_no_sense(place: Path) -> None:
    for options in (
        {"detect_every": 5}, {"between": "fit"}, {"until_found": False}, {"gap": 3}, {"smooth": 0.5}, {"begin": 0.1},
    ):
        with pytest.raises(winnow.Error, match="are for landmarks, and the scan has none"):
            winnow.scan("photo.jpg", "face", **options)  # type: ignore[arg-type]
    with pytest.raises(winnow.Error, match="smooth must be a number from 0 to 1"):
        winnow.scan("photo.jpg", "face", landmarks="face-5", smooth=2)
    with pytest.raises(winnow.Error, match="between is steady, fit or carry, not 'flow'"):
        winnow.scan("photo.jpg", "face", landmarks="face-5", between="flow")  # type: ignore[arg-type]
    with pytest.raises(winnow.Error, match="begin must be a presence from 0 to 1"):
        winnow.scan("photo.jpg", "face", landmarks="face-5", begin=2)


def test_a_finder_is_a_detector_and_a_landmarker(frames: list[Pixels]) -> None:
    finder = winnow.FaceFinder("face", "face-5", backend="cpu", threads=1)
    (event, _) = winnow.scan("photo.jpg", "face", landmarks="face-5")
    faces = finder.find("photo.jpg")
    assert faces.found == event.found and faces.shapes == event.shapes and len(faces) == 1
    answers = finder.find(["photo.jpg", frames[3], frames[0][:200, :200]])
    assert [len(each) for each in answers] == [1, 1, 0]
    assert answers[0].shapes == faces.shapes
    assert answers[1].shapes == finder.find(frames[3]).shapes
    assert len(finder.find(iter(frames))) == 6 and len(finder.find(np.stack(frames))) == 6
    assert len(finder.find("photo.jpg", min_confidence=1)) == 0 < len(finder.find("photo.jpg", min_confidence=0))
    assert len(finder.find("photo.jpg", raw=True)) > 10
    assert repr(finder) == "FaceFinder(face, face-5, cpu, 1 thread)" and repr(faces) == "FoundFaces(1 face)"
    assert finder.model.name == "face" and finder.landmarks.points == 5
    with pytest.raises(winnow.Error, match="none.jpg: cannot open"):
        finder.find(["photo.jpg", "none.jpg"])
    with pytest.raises(winnow.Error, match="the least confidence must be from 0 to 1"):
        finder.find("photo.jpg", min_confidence=2)


def test_a_detector_of_other_objects_is_refused(place: Path) -> None:
    says = "the landmarks mark points of a face, and people finds people who stand or walk, upright; name a detector of a face"
    for make in (
        lambda: winnow.FaceFinder("people", "face-68"),
        lambda: winnow.Follower("people", "face-5"),
        lambda: winnow.scan("photo.jpg", "people", landmarks="face-5"),
    ):
        with pytest.raises(winnow.Error) as raised:
            make()
        assert raised.value.code == "usage"
        assert raised.value.sentence == says
    # OpenCV's cascades do not say what they find.
    winnow.FaceFinder("haarcascade_frontalface_alt", "face-68")
