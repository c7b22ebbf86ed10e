"""Checks the evaluation of landmarks with errors computed by hand, and its reports."""

import csv
import io
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import winnow

COMMAND = Path(sys.executable).parent / "winnow"
FIVE = [36, 39, 42, 45, 33]
NORMS: list[Any] = ["pupils", "eye_corners", "side", "root"]

Points = NDArray[np.float64]


def sixty_eight() -> Points:
    """68 points in a square of side 100. Pupils lie at (30, 40) and (70, 40), outer corners of eyes at 20 and 80."""
    points = np.full((68, 2), 50.0)
    # The points lie as in a face, since their places tell which points they are.
    places = {0: (0, 30), 8: (50, 100), 16: (100, 30), 17: (10, 10), 21: (40, 0), 22: (60, 0), 26: (90, 10), 27: (50, 40), 30: (50, 55),
              33: (50, 60), 48: (35, 75), 51: (50, 72), 54: (65, 75), 57: (50, 85)}
    for number, place in places.items():
        points[number] = place
    for first, middle in ((36, 30), (42, 70)):
        points[first], points[first + 3] = (middle - 10, 40), (middle + 10, 40)
        points[[first + 1, first + 2]], points[[first + 4, first + 5]] = (middle, 35), (middle, 45)
    return points


def label_of(points: Points, ignore: bool = False) -> winnow.Label:
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    return winnow.Label((left, top, right - left, bottom - top), points=points.tolist(), ignore=ignore)


def picture_of(*labels: winnow.Label) -> winnow.LabelledPicture:
    return winnow.LabelledPicture("a.png", labels)


def judge(label: Points, marked: Points, confidence: object = None) -> winnow.LandmarkEvaluation:
    """One face, whose box is named."""
    face = winnow.MarkedFace((0, 0, 100, 100), winnow.Shape(marked, confidence=confidence), label=0)  # type: ignore[arg-type]
    return winnow.evaluate_landmarks([picture_of(label_of(label))], [[face]])


def test_each_norm_by_hand() -> None:
    """All points lie 3 to the right and 4 below, so each distance is 5."""
    judged = judge(sixty_eight(), sixty_eight() + (3, 4))
    assert (judged.pictures, judged.faces, judged.left_out, judged.points) == (1, 1, 0, 68)
    (face,) = judged.found
    wanted = [5 / 40, 5 / 60, 5 / 100, math.sqrt(68 * 25) / (68 * 60)]
    assert [face.error(norm) for norm in NORMS] == pytest.approx(wanted, rel=1e-14)
    for norm, error in zip(NORMS, wanted, strict=True):
        errors = judged.of(norm)
        assert (errors.mean, errors.median, errors.curve.tolist()) == (face.error(norm),) * 2 + ([face.error(norm)],)
        assert errors.faces == 1
        assert errors.points.tolist() == pytest.approx([] if norm == "root" else [error] * 68, rel=1e-14)
    assert judged.main_norm == "pupils"
    assert judged.missed == []
    assert judged.reliability is None
    assert (face.picture, face.label, face.box, len(face.shape)) == (0, 0, (0, 0, 100, 100), 68)
    assert np.array_equal(face.shape.points, sixty_eight() + (3, 4))
    assert repr(judged) == "LandmarkEvaluation(1 of 1 faces, 1 pictures)"
    assert repr(face) == "JudgedFace(picture 0, label 0)"
    assert repr(judged.of("side")) == "NormErrors(1 face, mean 0.0500)"


def test_five_points_beside_68() -> None:
    five = sixty_eight()[FIVE]
    right = judge(sixty_eight(), five - (3, 0))
    assert right.points == 5
    assert [right.found[0].error(norm) for norm in NORMS] == pytest.approx(
        [3 / 40, 3 / 60, 3 / 100, math.sqrt(5 * 9) / (5 * 60)], rel=1e-14
    )
    marked = sixty_eight()
    marked[33] += (0, 5)  # the last of the five
    marked[1] += (50, 0)  # none of them
    other = judge(five, marked)
    assert other.found[0].error("pupils") == pytest.approx(1 / 40, rel=1e-14)
    assert other.of("pupils").points.tolist() == pytest.approx([0, 0, 0, 0, 5 / 40], abs=1e-15)


def test_other_points_have_the_side_alone() -> None:
    three = np.array([(0.0, 0.0), (90.0, 0.0), (0.0, 40.0)])
    judged = judge(three, three + (0, 6))
    assert judged.found[0].error("side") == pytest.approx(6 / 60, rel=1e-14)
    assert all(math.isnan(judged.found[0].error(norm)) for norm in ("pupils", "eye_corners", "root"))
    none = judged.of("pupils")
    assert none.faces == len(none.curve) == 0
    assert math.isnan(none.mean) and math.isnan(none.median) and math.isnan(none.above(0.1))
    assert judged.main_norm == "side"


def test_curves_and_missed_faces() -> None:
    """Four faces with sides of 100 are found, one is missed, one is ignored, and one label has no points."""
    square = np.array([(0.0, 0.0), (100.0, 100.0)])
    pictures, found = [], []
    for error in (4.0, 1.0, 3.0, 20.0):
        pictures.append(picture_of(label_of(square)))
        found.append([winnow.MarkedFace((0, 0, 100, 100), winnow.Shape(square + (error, 0)))])
    pictures.append(picture_of(label_of(square, ignore=True), winnow.Label((0, 0, 9, 9)), label_of(square)))
    found.append([winnow.MarkedFace((300, 0, 100, 100), winnow.Shape(square))])
    judged = winnow.evaluate_landmarks(pictures, found)
    assert (judged.pictures, judged.faces, judged.left_out, len(judged.found)) == (5, 5, 2, 4)
    (missed,) = judged.missed
    assert (missed.picture, missed.label, repr(missed)) == (4, 2, "MissedFace(picture 4, label 2)")
    side = judged.of("side")
    assert side.curve.tolist() == pytest.approx([0.01, 0.03, 0.04, 0.2])
    assert (side.mean, side.median) == (pytest.approx(0.07), pytest.approx(0.035))
    assert (side.above(0.035), side.above(0.5), side.above(0)) == (0.5, 0, 1)
    # Up to 0.05 the faces add 0.8, 0.4, 0.2 and 0 of the range.
    assert side.area_to(0.05) == pytest.approx((0.8 + 0.4 + 0.2) / 4)
    assert [face.picture for face in judged.found] == [0, 1, 2, 3]


def test_stated_confidence() -> None:
    """Two points lie 1 from the marks, three 6; the pupils are 40 apart, and right is within a twentieth."""
    five = sixty_eight()[FIVE]
    stated = [0.95, 0.85, 0.85, 0.05, 1]
    judged = judge(five, five + np.array([(1, 0), (1, 0), (6, 0), (6, 0), (6, 0)]), stated)
    reliability = judged.reliability
    assert reliability is not None
    assert (reliability.distance, reliability.points) == (0.05, 5)
    bins = reliability.bins
    assert bins.dtype.names == ("points", "stated", "observed")
    assert bins["points"].tolist() == [1, 0, 0, 0, 0, 0, 0, 0, 2, 2]
    assert bins["stated"][[0, 8, 9]].tolist() == pytest.approx([0.05, 0.85, 0.975])
    assert bins["observed"][[0, 8, 9]].tolist() == [0, 0.5, 0.5]
    assert np.isnan(bins["stated"][1])
    difference = (1 * 0.05 + 2 * 0.35 + 2 * 0.475) / 5
    assert reliability.difference == pytest.approx(difference)
    assert repr(reliability) == f"Reliability(5 points, difference {difference:.4f})"
    face = winnow.MarkedFace((0, 0, 100, 100), winnow.Shape(five + (6, 0), confidence=stated), label=0)
    wide = winnow.evaluate_landmarks([picture_of(label_of(five))], [[face]], distance=0.2).reliability
    assert wide is not None
    assert wide.bins["observed"][[0, 8, 9]].tolist() == [1, 1, 1]


def test_boxes_are_matched_by_middles_and_overlap() -> None:
    square = np.array([(0.0, 0.0), (100.0, 100.0)])
    picture = picture_of(
        label_of(square), label_of(square + (300, 0)), label_of(square, ignore=True), winnow.Label((0, 0, 9, 9))
    )
    # The first box holds no middle. The second overlaps the first label more than the third. The last is far.
    boxes = [(60, 0, 100, 100), (5, 0, 100, 100), (10, 0, 100, 100), (900, 0, 100, 100)]
    assert winnow.match_faces(picture, boxes) == [1, None, None, None]
    assert winnow.match_faces(picture, [*boxes, (310, 0, 100, 100)]) == [1, 4, None, None]
    assert winnow.match_faces(picture, np.array(boxes)) == [1, None, None, None]
    assert winnow.match_faces(picture, []) == [None] * 4
    with pytest.raises(winnow.Error, match="boxes are an array"):
        winnow.match_faces(picture, [(1, 2, 3)])


def test_shapes_are_made_of_numbers() -> None:
    shape = winnow.Shape([(1, 2), (3.5, 4)], confidence=[0.25, 0.75])
    assert shape.points.tolist() == [[1, 2], [3.5, 4]]
    assert shape.confidence is not None
    assert shape.confidence.tolist() == [0.25, 0.75]
    assert shape.mean_confidence == 0.5
    assert shape == winnow.Shape(np.array([(1, 2), (3.5, 4)], np.float32), confidence=np.array([0.25, 0.75]))
    assert shape != winnow.Shape(shape.points)
    assert winnow.Shape(shape.points).confidence is None
    assert len(winnow.Shape([])) == 0
    for points, confidence, sentence in (
        ([1, 2], None, r"points are an array \(points, 2\), and this one has the shape \(2,\)"),
        ([(1, 2, 3)], None, r"the shape \(1, 3\)"),
        ([("a", "b")], None, "points are numbers"),
        ([(1, 2)], [0.5, 0.5], r"confidences have the shape \(2,\), and \(1,\) is needed"),
        ([(1, 2)], ["a"], "confidences are numbers"),
    ):
        with pytest.raises(winnow.Error, match=sentence):
            winnow.Shape(points, confidence=confidence)
    marked = winnow.MarkedFace((1, 2, 30, 40), shape, label=3)
    assert (marked.box, marked.shape, marked.label) == ((1, 2, 30, 40), shape, 3)
    assert winnow.MarkedFace((1, 2, 30, 40), shape).label is None
    assert repr(marked) == "MarkedFace((1, 2, 30, 40), 2 points)"


def test_wrong_evaluations() -> None:
    square = np.array([(0.0, 0.0), (100.0, 100.0)])
    picture = picture_of(label_of(square))

    def face(points: object = square, label: int | None = 0, confidence: object = None) -> winnow.MarkedFace:
        return winnow.MarkedFace((0, 0, 100, 100), winnow.Shape(points, confidence=confidence), label=label)  # type: ignore[arg-type]

    wrong: list[tuple[list[list[winnow.MarkedFace]], str]] = [
        ([], "a list of marked faces for each picture"),
        ([[face(np.zeros((3, 2)))]], "a face has 2 marked points, and the model has 3"),
        ([[face(label=1)]], "a label that is not there"),
        ([[face(), face()]], "two marked faces name the same label"),
        ([[face([(0, 0), (math.nan, 0)])]], "finite coordinates"),
        ([[face(confidence=[0.5, 1.5])]], "a confidence must be from 0 to 1"),
    ]
    for found, sentence in wrong:
        with pytest.raises(winnow.Error, match=sentence) as raised:
            winnow.evaluate_landmarks([picture], found)
        assert raised.value.code == "usage"
    with pytest.raises(winnow.Error, match="distance of a right point must be above 0"):
        winnow.evaluate_landmarks([picture], [[]], distance=0)
    with pytest.raises(winnow.Error, match="norm of errors; known are pupils, eye_corners, side, root"):
        winnow.evaluate_landmarks([picture], [[face()]]).found[0].error("eyes")  # type: ignore[arg-type]


def test_reports(tmp_path: Path) -> None:
    three = np.array([(0.0, 0.0), (90.0, 0.0), (0.0, 40.0)])
    pictures = [picture_of(label_of(three), label_of(three + (200, 0)))]
    face = winnow.MarkedFace((0, 0, 90, 40), winnow.Shape(three + (0, 6)))
    judged = winnow.evaluate_landmarks(pictures, [[face]])
    model = winnow.EvaluatedLandmarks(
        "mine", judged, file="mine.winnow", boxes="face", backend="cpu", search_seconds=2, fit_seconds=0.5
    )
    assert (model.name, model.points, len(model.faces.found)) == ("mine", 3, 1)
    other = winnow.EvaluatedLandmarks("other", winnow.evaluate_landmarks(pictures, [[]]), points=3)
    report = winnow.LandmarkReport(
        pictures, [model, other], title="Three points", truth=["points.csv"], unread=1, move=0.25, seed=7
    )
    figures = json.loads(report.json())
    assert [figures[key] for key in ("title", "truth", "pictures", "unread", "move", "seed")] == [
        "Three points", ["points.csv"], 1, 1, 0.25, 7,
    ]  # fmt: skip
    first, second = figures["models"]
    assert [first[key] for key in ("name", "file", "points", "boxes", "backend", "search_seconds", "fit_seconds")] == [
        "mine", "mine.winnow", 3, "face", "cpu", 2, 0.5,
    ]  # fmt: skip
    assert (first["found"], first["missed"], second["found"], second["missed"]) == (1, 1, 0, 2)
    assert first["errors"]["side"]["mean"] == judged.of("side").mean == pytest.approx(0.1)
    assert first["errors"]["pupils"]["mean"] is None
    rows = list(csv.DictReader(io.StringIO(report.csv())))
    assert [(row["model"], row["face"], row["found"]) for row in rows] == [
        ("mine", "0", "1"), ("mine", "1", "0"), ("other", "0", "0"), ("other", "1", "0"),
    ]  # fmt: skip
    assert float(rows[0]["side"]) == judged.of("side").mean
    page = report.page()
    assert "<html" in page and "Three points" in page and "other" in page
    files = winnow.write_landmark_eval(report, tmp_path / "report")
    texts = [Path(path).read_text() for path in files]
    assert texts == [report.json(), report.csv(), page]
    assert [Path(path).name for path in files] == ["eval.json", "faces.csv", "index.html"]
    with pytest.raises(winnow.Error, match="of other pictures than the report's"):
        winnow.LandmarkReport([], [model]).page()
    Path(tmp_path / "file").write_text("")
    with pytest.raises(winnow.Error) as raised:
        winnow.write_landmark_eval(report, tmp_path / "file")
    assert raised.value.code == "io"


def test_the_command_finds_the_same_errors(place: Path) -> None:
    subprocess.run(
        [COMMAND, "eval", "landmarks", "-m", "points.winnow", "--truth", "points.csv", "--boxes", "face", "--out", "report"],
        check=True, capture_output=True,
    )  # fmt: skip
    (wanted,) = json.loads(Path("report/eval.json").read_text())["models"]
    pictures = winnow.read_truth("points.csv")
    detector = winnow.Detector("face")
    landmarker = winnow.Landmarker(winnow.Landmarks.load("points.winnow").for_face_boxes())
    found = []
    for picture in pictures:
        boxes = detector.detect(picture.path)
        found.append(
            [winnow.MarkedFace(box.box, shape) for box, shape in zip(boxes, landmarker.fit(picture.path, boxes), strict=True)]
        )
    judged = winnow.evaluate_landmarks(pictures, found)
    model = winnow.EvaluatedLandmarks("points", judged, points=5)
    (made,) = json.loads(winnow.LandmarkReport(pictures, [model]).json())["models"]
    assert made["found"] == 8
    for key in ("faces", "left_out", "found", "missed", "compared_points", "errors", "reliability", "points"):
        assert made[key] == wanted[key], key
