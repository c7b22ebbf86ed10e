"""Checks detectors: options, batches, threads, memory and interrupts."""

import gc
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import winnow
from conftest import standstill


def test_backends_agree(gray: np.ndarray) -> None:
    small = np.ascontiguousarray(gray[60:340, 120:400])
    answers = [winnow.Detector("face", backend=name).detect(small, min_neighbors=0) for name in ("reference", "cpu")]
    assert answers[0].backend == "reference"
    assert len(answers[0]) > 10
    assert np.array_equal(answers[0].objects, answers[1].objects)
    assert answers[0].counters == answers[1].counters
    counters = answers[0].counters
    assert counters.windows == counters.skipped + counters.flat + counters.reached[0]


def test_options_mean_what_they_say(gray: np.ndarray) -> None:
    detector = winnow.Detector("face")
    raw = detector.detect(gray, raw=True)
    assert np.array_equal(raw.objects, detector.detect(gray, min_neighbors=0).objects)
    assert np.array_equal(winnow.group_boxes(raw, 3), detector.detect(gray).objects)
    assert np.array_equal(winnow.group_boxes(raw.objects, 3)["x"], detector.detect(gray).boxes[:, 0])
    merged = detector.detect(gray, merge="meanshift")
    assert np.array_equal(winnow.mean_shift_boxes(raw, 3), merged.objects)
    supported = detector.detect(gray, merge="support")
    assert np.array_equal(winnow.support_boxes(raw, 3, floor=float("-inf")), supported.objects)
    assert len(supported) == 1 and supported.scores[0] > len(raw) / 8
    assert len(detector.detect(gray, merge="support", min_support=1e9)) == 0
    assert len(merged) == 1 and 0 < len(raw) == len(detector.detect(gray, merge="meanshift", raw=True))
    assert len(detector.detect(gray, min_score=1e9)) == 0
    assert len(detector.detect(gray, max_size=(100, 100))) == 0
    assert len(detector.detect(gray, min_size=[100, 100], max_size=np.array([300, 300]))) == 1
    with pytest.raises(winnow.Error, match="the scale factor must be a number above 1"):
        detector.detect(gray, scale_factor=1.0)
    with pytest.raises(winnow.Error, match="there are groups, meanshift and support"):
        detector.detect(gray, merge="mean")
    with pytest.raises(winnow.Error, match="from 0 to 1"):
        detector.detect(gray, border=2)


def test_a_border_finds_what_fills_the_picture(gray: np.ndarray) -> None:
    x, y, width, height = winnow.Detector("face").detect(gray).boxes[0]
    tight = gray[y + height // 8 : y + height * 7 // 8, x + width // 8 : x + width * 7 // 8]
    for backend in ("reference", "cpu"):
        detector = winnow.Detector("face", backend=backend)
        assert len(detector.detect(tight)) == 0
        found = detector.detect(tight, border=0.25)
        assert found.picture == tight.shape[::-1]
        margin = round(0.25 * max(tight.shape))
        raw = detector.detect(np.pad(tight, margin, mode="reflect"), raw=True).counters
        assert found.counters == raw
        assert len(found) == 1
        assert found.boxes[0].tolist() == [0, 0, *tight.shape[::-1]]
        detector.enqueue(tight, border=0.25)
        assert np.array_equal(detector.collect().objects, found.objects)
        assert np.array_equal(detector.detect([tight, tight], border=0.25)[1].objects, found.objects)


def test_results_outlive_their_detector(gray: np.ndarray) -> None:
    objects = winnow.Detector("face").detect(gray).objects
    boxes = winnow.Detector("face").detect(gray).boxes
    gc.collect()
    assert objects["x"][0] == boxes[0, 0]
    assert objects.tobytes()[28:32] == bytes(4)
    assert objects.dtype.names == ("x", "y", "width", "height", "score", "neighbors")


def test_numbers_of_boxes_do_not_wrap() -> None:
    for box in ((2**40, 1, 1, 1), (2**31, 1, 1, 1)):
        with pytest.raises(winnow.Error, match="more than 32 bits"):
            winnow.group_boxes([box] * 2, 1)
    with pytest.raises(winnow.Error, match="whole numbers"):
        winnow.group_boxes([(1.5, 1.0, 1.0, 1.0)], 1)


def test_no_objects_are_empty_arrays(gray: np.ndarray) -> None:
    found = winnow.Detector("face").detect(gray[:20, :20])
    assert (found.objects.shape, found.boxes.shape, found.scores.shape) == ((0,), (0, 4), (0,))
    assert len(found) == 0


def test_a_batch_gives_each_picture_its_own_answer(gray: np.ndarray) -> None:
    detector = winnow.Detector("face")
    pictures = [gray, gray[:300], np.asfortranarray(gray), winnow.read_picture("photo.jpg"), gray[:30, :30]]
    single = [detector.detect(picture) for picture in pictures]
    for batch in (pictures, tuple(pictures)):
        together = detector.detect(batch)
        assert [len(found) for found in together] == [len(found) for found in single]
        for a, b in zip(together, single, strict=True):
            assert np.array_equal(a.objects, b.objects)
            assert a.counters == b.counters
    assert detector.detect([]) == []
    with pytest.raises(winnow.Error, match="3 channels"):
        detector.detect([gray, np.zeros((40, 40, 3), np.uint8)])


def test_enqueued_pictures_come_in_order(gray: np.ndarray) -> None:
    detector = winnow.Detector("face")
    sizes = (512, 300, 100)
    for size in sizes:
        detector.enqueue(gray[:size, :size].copy())
    assert detector.pending == 3
    assert [detector.collect().picture for _ in sizes] == [(size, size) for size in sizes]
    with pytest.raises(winnow.Error):
        detector.collect()
    for _ in range(winnow.Detector.most_pending):
        detector.enqueue(gray[:30, :30])
    with pytest.raises(winnow.Error):
        detector.enqueue(gray[:30, :30])


def test_models_in_every_form(gray: np.ndarray) -> None:
    wanted = winnow.Detector("face").detect(gray)
    model = winnow.load("face")
    for form in (model, model.cascade, winnow.DetectorModel(model.cascade), "built-in:face"):
        assert np.array_equal(winnow.Detector(form).detect(gray).objects, wanted.objects)
    with pytest.raises(winnow.Error, match="there is no model 'fase'"):
        winnow.Detector("fase")
    with pytest.raises(TypeError):
        winnow.Detector(7)
    with pytest.raises(winnow.Error, match="backend"):
        winnow.Detector("face", backend="gpu")


HOG = """<?xml version="1.0"?>
<opencv_storage>
<people type_id="opencv-object-detector-hog">
<winSize>16 16</winSize><blockSize>16 16</blockSize><blockStride>8 8</blockStride><cellSize>8 8</cellSize>
<nbins>2</nbins><L2HysThreshold>0.2</L2HysThreshold><gammaCorrection>1</gammaCorrection>
<SVMDetector>1. -.5 .25 1e-3 0. 2. -3. 4. -1.</SVMDetector></people>
</opencv_storage>
"""


def test_models_of_gradients(gray: np.ndarray) -> None:
    Path("people.xml").write_text(HOG)
    model = winnow.load("people.xml")
    assert (model.kind, model.window, model.cascade, model.reads_color) == ("hog-svm", (16, 16), None, True)
    assert (model.search_defaults.scale_factor, model.search_defaults.min_neighbors) == (1.05, 2)
    upright = HOG.replace("<winSize>16 16", "<winSize>16 24").replace(" -1.<", " 1 2 3 4 5 6 7 8 -1.<")
    Path("upright.xml").write_text(upright)
    assert winnow.load("upright.xml").search_defaults.border == 0
    answers = [
        winnow.Detector(model, backend=name).detect(gray, scale_factor=1.5, min_neighbors=0, min_score=-0.2)
        for name in ("reference", "cpu")
    ]
    assert len(answers[0]) > 10
    assert np.array_equal(answers[0].objects, answers[1].objects)
    assert answers[0].scores.min() >= -0.2
    merged = [
        winnow.Detector(model, backend=name).detect(
            gray, scale_factor=1.5, min_score=-0.2, merge="meanshift", border=0.1
        )
        for name in ("reference", "cpu")
    ]
    assert 0 < len(merged[0]) < len(answers[0])
    assert np.array_equal(merged[0].objects, merged[1].objects)
    # A scale factor of 2 is used, because with it no box is rounded beyond the picture's edge and clipped.
    raw = winnow.Detector(model).detect(gray, scale_factor=2, raw=True)
    assert np.array_equal(
        winnow.mean_shift_boxes(raw, 0, weigh_by_score=True),
        winnow.Detector(model).detect(gray, scale_factor=2, merge="meanshift", min_neighbors=0).objects,
    )
    detector = winnow.Detector(model, backend="cpu")
    fine = detector.detect(gray, scale_factor=1.5, min_neighbors=0, step=4)
    assert fine.counters.windows > 3 * answers[0].counters.windows
    color = np.dstack([gray, gray // 2, gray])
    assert np.array_equal(
        detector.detect(color, channels="rgb", gray=True).objects,
        detector.detect(winnow.to_gray(color, channels="rgb")).objects,
    )
    with pytest.raises(winnow.Error, match="no step to choose"):
        winnow.Detector("face").detect(gray, step=4)


def test_a_cascade_is_kept_by_every_format(place: Path) -> None:
    cascade = winnow.Cascade.load("haarcascade_frontalface_alt")
    assert (len(cascade.stages), cascade.weak_count, cascade.window) == (22, 2135, (20, 20))
    assert cascade.haar_boxes.shape == (len(cascade.haar_weights), 3, 4)
    assert cascade.stages["weak_count"].sum() == cascade.weak_count == len(cascade.trees)
    for name in ("a.xml", "a.winnow"):
        cascade.save(name)
        again = winnow.Cascade.load(name)
        assert np.array_equal(again.nodes, cascade.nodes)
        assert np.array_equal(again.leaves, cascade.leaves)
        assert np.array_equal(again.haar_weights, cascade.haar_weights)
    with pytest.raises(winnow.Error, match=r"must end in \.winnow or \.xml"):
        cascade.save("a.json")
    assert winnow.Cascade.load("lbpcascade_frontalface").features == "lbp"
    assert cascade.with_card(terms="ours").card.terms == "ours"


def test_python_runs_while_winnow_searches() -> None:
    picture = np.random.default_rng(1).integers(0, 256, (3000, 3000), np.uint8)
    detector = winnow.Detector("face", threads=1)
    assert standstill(lambda: detector.detect(picture)) < 0.5


def test_threads_may_share_a_detector(gray: np.ndarray) -> None:
    detector = winnow.Detector("face")
    wanted = detector.detect(gray).objects
    wrong: list[object] = []

    def work() -> None:
        for _ in range(20):
            if not np.array_equal(detector.detect(gray).objects, wanted):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def resident() -> int:
    """The bytes of memory that this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def growth(work: object, warm: int, count: int) -> int:
    for _ in range(warm):
        work()
    gc.collect()
    before = resident()
    for _ in range(count):
        work()
    gc.collect()
    return resident() - before


def test_calls_keep_no_memory(gray: np.ndarray) -> None:
    detector = winnow.Detector("face", threads=1)
    small = np.ascontiguousarray(gray[100:180, 160:240])
    color = np.dstack([small] * 3)

    def call() -> None:
        found = detector.detect(small, raw=True)
        found.objects.sum, found.boxes, found.scores
        detector.detect(color, channels="bgr")
        with pytest.raises(winnow.Error):
            detector.detect(color)

    assert growth(call, 1000, 10_000) < 1 << 20


def test_detectors_keep_no_memory() -> None:
    model = winnow.load("haarcascade_frontalface_alt")
    picture = np.zeros((40, 40), np.uint8)
    assert growth(lambda: winnow.Detector(model, threads=1).detect(picture), 200, 1000) < 1 << 20


def test_interrupts_end_a_batch() -> None:
    program = (
        "import numpy as np, winnow\n"
        "pictures = [np.random.default_rng(1).integers(0, 256, (400, 400), np.uint8)] * 400_000\n"
        "print('ready', flush=True)\n"
        "winnow.Detector('face', threads=1).detect(pictures, scale_factor=1.5)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout.readline() == b"ready\n"
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=600)
    assert said.strip().endswith(b"KeyboardInterrupt")
    assert child.returncode in (-signal.SIGINT, 1, 130)


def test_backends_are_listed() -> None:
    known = {backend.name: backend for backend in winnow.backends()}
    assert known["cpu"].available
    assert known["reference"].available
    if not known["cuda"].available:
        assert known["cuda"].detail
        with pytest.raises(winnow.Error) as raised:
            winnow.Detector("face", backend="cuda")
        assert raised.value.code == "backend"
    for target in winnow.simd_targets():
        winnow.force_simd_target(target)
        assert winnow.Detector("face", backend="cpu").simd == target
    winnow.force_simd_target("")


def test_a_region_is_a_crop_moved_back(gray: np.ndarray) -> None:
    detector = winnow.Detector("face")
    x, y, width, height = 100, 60, 320, 330
    found = detector.detect(gray, region=(x, y, width, height))
    crop = detector.detect(gray[y : y + height, x : x + width])
    assert len(found) == len(crop) == 1
    assert found.boxes.tolist() == [[b[0] + x, b[1] + y, b[2], b[3]] for b in crop.boxes.tolist()]
    assert found.picture == gray.shape[::-1]
    assert detector.detect(gray, region=None) == detector.detect(gray)
    detector.enqueue(gray, region=(x, y, width, height))
    assert detector.collect() == found
    for region, says in (((9999, 0, 5, 5), "lies outside the picture"), ((0, 0, 0, 0), "needs a width and a height")):
        with pytest.raises(winnow.Error, match=says):
            detector.detect(gray, region=region)
