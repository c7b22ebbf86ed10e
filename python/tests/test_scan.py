"""Checks `winnow.scan`: the answers, problems and end of every input, and each input's own state."""

import gc
import shutil
import signal
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path

import numpy as np
import pytest

import winnow


def archive(folder: Path) -> list[str]:
    """Makes a folder with two copies of the photo, a broken file between them, and a smaller black picture."""
    folder.mkdir()
    for name in ("a.jpg", "c.jpg"):
        shutil.copy("photo.jpg", folder / name)
    (folder / "b.jpg").write_text("no picture")
    winnow.write_picture(str(folder / "d.png"), np.zeros((300, 200), np.uint8))
    return [str(folder / name) for name in ("a.jpg", "b.jpg", "c.jpg", "d.png")]


def test_a_scan_answers_as_a_detector_does(place: Path) -> None:
    paths = archive(place / "archive")
    wanted = winnow.Detector("face").detect("photo.jpg")
    for batch in (None, 1, 3):
        scan = winnow.scan(place / "archive", "face", batch=batch)
        assert scan.inputs == paths
        events = list(scan)
        kinds = ["frame", "end", "problem", "end", "frame", "end", "frame", "end"]
        assert [event.kind for event in events] == kinds
        assert [event.source for event in events] == [path for path in paths for _ in (0, 1)]
        assert [event.input for event in events] == [0, 0, 1, 1, 2, 2, 3, 3]
        assert events[0].found == events[4].found == wanted
        assert len(events[6].found) == 0
        assert events[6].picture.size == (200, 300)
        assert events[0].picture.color is None
        assert events[0].frame == 0
        assert events[0].time is None
        assert events[0].seconds > 0
        assert events[2].problem is not None and paths[1] in events[2].problem
        assert events[2].found is events[2].picture is events[1].found is None
        assert events[0].problem is None
        assert repr(scan) == "Scan(4 of 4 inputs, 3 frames)"
        assert repr(events[0]) == f"ScanEvent(frame of {paths[0]}, 1 object)"
        assert repr(events[1]) == f"ScanEvent(end of {paths[0]})"
        assert paths[1] in repr(events[2])
        assert next(scan, None) is None


def test_options_of_search_and_reading(place: Path) -> None:
    archive(place / "archive")
    detector = winnow.Detector("face")
    region = (150, 90, 230, 230)
    events = list(winnow.scan(["archive/a.jpg", "archive/d.png"], "face", region=region, color=True, min_neighbors=1))
    assert events[0].found == detector.detect("photo.jpg", region=region, min_neighbors=1)
    assert events[0].picture.color is not None
    assert events[2].kind == "frame"  # d.png is 200 pixels wide: a part of it lies in the region, without objects
    outside = list(winnow.scan("archive/d.png", "face", region=(200, 0, 50, 50)))
    assert [event.kind for event in outside] == ["problem", "end"]
    assert outside[0].problem == "archive/d.png: the region of interest lies outside the picture"
    small = list(winnow.scan("photo.jpg", "face", max_pixels=1000))
    assert small[0].problem is not None and "photo.jpg" in small[0].problem
    assert [event.kind for event in winnow.scan([], "face")] == []
    (place / "archive/deep").mkdir()
    shutil.copy("photo.jpg", "archive/deep/e.jpg")
    assert len(winnow.scan("archive", "face").inputs) == 4
    assert winnow.scan("archive", "face", recursive=True).inputs[-1] == "archive/deep/e.jpg"


def test_unlikely_faces_are_dropped(place: Path) -> None:
    def faces(least: float | None) -> int:
        events = list(winnow.scan("photo.jpg", "face", landmarks="face-68", min_confidence=least))
        found, shapes = events[0].found, events[0].shapes
        assert found is not None and shapes is not None and len(found) == len(shapes)
        assert all((shape.whole_confidence or 0) >= (least or 0) for shape in shapes)
        return len(shapes)

    assert faces(1) == 0 < faces(None) <= faces(0)
    with pytest.raises(winnow.Error, match="the least confidence must be from 0 to 1"):
        faces(1.5)
    with pytest.raises(winnow.Error, match="min_confidence is for landmarks, and the scan has none"):
        winnow.scan("photo.jpg", "face", min_confidence=0.5)


def test_pictures_that_are_not_read_are_counted(place: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    shades = [image.new("L", (40, 30), shade) for shade in (10, 90, 200)]
    shades[0].save("three.gif", save_all=True, append_images=shades[1:])
    events = list(winnow.scan(["three.gif", "photo.jpg"], "face"))
    assert [event.kind for event in events] == ["frame", "end", "frame", "end"]
    assert [event.unread for event in events] == [2, 0, 0, 0]
    assert events[0].picture.gray.max() < 50, "the first picture is read"


def test_a_scan_counts_and_names_what_it_leaves_out(place: Path) -> None:
    archive(place / "archive")
    for name in ("notes.txt", "film.wav"):
        (place / "archive" / name).write_text("no picture")
    during: list[tuple[str, int]] = []

    def make(source: str) -> None:
        during.append((repr(scan), scan.frames))  # works inside of the scan's own call, too

    scan = winnow.scan("archive", "face", batch=1, make_state=make)
    assert sorted(scan.left_out) == ["archive/film.wav", "archive/notes.txt"]
    assert len(scan.inputs) == 4
    assert (scan.inputs_done, scan.frames, scan.problems) == (0, 0, 0)
    kinds = {}
    for event in scan:
        kinds[event.kind] = kinds.get(event.kind, 0) + 1
        counts = {"frame": scan.frames, "problem": scan.problems, "end": scan.inputs_done}
        assert counts[event.kind] == kinds[event.kind]
    assert (scan.inputs_done, scan.frames, scan.problems) == (4, 3, 1)
    assert len(during) == 3
    assert winnow.scan("photo.jpg", "face").left_out == []


def test_addresses_are_inputs_if_the_caller_says_so(place: Path) -> None:
    address = "http://name:secret@127.0.0.1:9/film.mp4?key=5"
    (problem, _) = winnow.scan("http://127.0.0.1:9/film.mp4", "face")
    assert problem.kind == "problem" and "No such file" in (problem.problem or "")
    scan = winnow.scan([address, "ftp://a/b.mp4"], "face", addresses=True)
    assert scan.inputs == ["http://127.0.0.1:9/film.mp4", "ftp://a/b.mp4"], "without user, password and query"
    events = list(scan)
    assert [event.kind for event in events] == ["problem", "end", "problem", "end"]
    assert all("secret" not in (event.problem or "") for event in events)
    assert "addresses may begin with rtsp://, http:// or https://" in (events[2].problem or "")
    Path("7").write_bytes(Path("photo.jpg").read_bytes())
    assert next(winnow.scan("7", "face", addresses=True)).kind == "frame", "a file wins over a camera's number"


def test_wrong_options_are_reported_at_once(place: Path) -> None:
    for wrong in ({"batch": 0}, {"every": 0}):
        with pytest.raises(winnow.Error) as raised:
            winnow.scan("photo.jpg", "face", **wrong)  # type: ignore[arg-type]
        assert raised.value.code == "usage"
    with pytest.raises(winnow.Error):
        winnow.scan("photo.jpg", "no-such-model")
    with pytest.raises(TypeError, match="has no keyword"):
        winnow.scan("photo.jpg", "face", nieghbors=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="has no keyword 'channels'"):  # files know their own order
        winnow.scan("photo.jpg", "face", channels="rgb")  # type: ignore[call-arg]
    for bad in ({"scale_factor": 1}, {"step": 4}, {"locations": [(0, 0)]}, {"max_pixels": 0}):
        with pytest.raises(winnow.Error) as raised:
            winnow.scan("no.jpg", "face", **bad)  # type: ignore[arg-type]
        assert raised.value.code == "usage"
    with pytest.raises(TypeError, match="make_state is a function"):
        winnow.scan("photo.jpg", "face", make_state=5)  # type: ignore[arg-type]


class Seen:
    """The state of an input, which counts the input's frames."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.count = 0


def test_each_input_has_a_state_of_its_own(place: Path) -> None:
    archive(place / "archive")
    made: list[weakref.ref[Seen]] = []

    def make(source: str) -> Seen:
        state = Seen(source)
        made.append(weakref.ref(state))
        return state

    ended = {}
    for event in winnow.scan("archive", "face", batch=3, make_state=make):
        if event.kind == "frame":
            assert event.state.source == event.source
            event.state.count += 1
        if event.kind == "end":
            ended[event.input] = event.state.count if event.state else None
    assert ended == {0: 1, 1: None, 2: 1, 3: 1}
    del event
    gc.collect()
    assert [state() for state in made] == [None, None, None]


def test_an_exception_of_the_maker_ends_the_scan(place: Path) -> None:
    def refuse(source: str) -> None:
        raise KeyError(source)

    scan = winnow.scan("photo.jpg", "face", make_state=refuse)
    with pytest.raises(KeyError, match=r"photo\.jpg"):
        next(scan)
    assert next(scan, None) is None
    assert all(event.state is None for event in winnow.scan("photo.jpg", "face", make_state=lambda _: None))


def test_a_location_outside_of_a_picture_is_a_problem_of_it(place: Path) -> None:
    winnow.write_picture("small.pgm", np.zeros((130, 70), np.uint8))
    events = list(winnow.scan(["photo.jpg", "small.pgm", "photo.jpg"], "people-svm", locations=[(100, 100)], batch=8))
    assert [event.kind for event in events] == ["frame", "end", "problem", "end", "frame", "end"]
    assert events[2].problem is not None and "leaves no room" in events[2].problem


def test_threads_may_take_events_of_one_scan(place: Path) -> None:
    taken: list[winnow.ScanEvent] = []

    def take() -> None:
        for event in scan:
            assert event.state is None or event.state.source == event.source
            taken.append(event)

    scan = winnow.scan(["photo.jpg"] * 60, "face", make_state=Seen, min_size=(200, 200))
    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(event.input for event in taken) == sorted(list(range(60)) * 2)


def test_a_scan_is_not_taken_from_inside_of_itself(place: Path) -> None:
    def greedy(_: str) -> None:
        next(scan)

    scan = winnow.scan("photo.jpg", "face", make_state=greedy)
    with pytest.raises(winnow.Error, match="inside of its own make_state"):
        next(scan)


class Keeper:
    """A state that holds its scan and its last event: reference cycles that only Python's collector frees."""

    def __init__(self) -> None:
        self.last: winnow.ScanEvent | None = None
        self.scan = winnow.scan(["photo.jpg"] * 3, "face", make_state=self.make)

    def make(self, source: str) -> Seen:
        return Seen(source)


def test_cycles_are_collected(place: Path) -> None:
    keeper = Keeper()
    event = next(keeper.scan)
    event.state.event = event
    keeper.last = event
    state = weakref.ref(event.state)
    gone = weakref.ref(keeper)
    del keeper, event
    gc.collect()
    assert gone() is None
    gc.collect()
    assert state() is None


def test_ctrl_c_is_heard_while_a_scan_waits(place: Path) -> None:
    program = "import winnow; print('here', flush=True); next(winnow.scan('-', 'face'))"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout is not None and child.stderr is not None
        assert child.stdout.readline() == b"here\n"
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        assert child.wait(30) != 0
        assert b"KeyboardInterrupt" in child.stderr.read()


def test_ctrl_c_is_heard_while_a_scan_searches(place: Path) -> None:
    program = """
import threading, signal
import winnow
scan = winnow.scan(["photo.jpg"] * 100000, "face", scale_factor=1.02, threads=2)
next(scan)
threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
try:
    for event in scan:
        pass
except KeyboardInterrupt:
    print(0 < scan.frames < 9999)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert done.stdout == "True\n", done.stderr
