"""Checks the evaluation of trackers with figures computed by hand, its readers and its reports."""

import csv
import io
import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import winnow

COMMAND = Path(sys.executable).parent / "winnow"
NONE = (math.nan,) * 4


def at(x: float, y: float = 0) -> tuple[float, float, float, float]:
    return (x, y, 100, 100)


def judge(truth: list[tuple[float, ...]], result: list[tuple[float, ...]], **more: float) -> winnow.TrackingEvaluation:
    """Puts a first frame, which is not judged, before the others."""
    return winnow.evaluate_tracking(winnow.BoxTrack([at(0), *truth]), winnow.BoxTrack([NONE, *result]), **more)


def test_figures_by_hand() -> None:
    """A shift by 25 leaves an overlap of 0.6, and a shift by 60 leaves 0.25."""
    judged = judge([at(0), at(0), at(0), at(0), NONE, NONE], [at(0), at(25), at(60), NONE, at(0), NONE])
    assert (judged.present, judged.absent, judged.boxes, judged.right, judged.overlap) == (4, 2, 4, 3, 0.25)
    figures = judged.figures
    assert figures.success.shape == (21,) and figures.within.shape == (51,)
    assert figures.success[[0, 5, 12, 19, 20]].tolist() == [0.75, 0.5, 0.25, 0.25, 0]
    assert figures.auc == pytest.approx((20 + 12 + 5) / 21 / 4) == pytest.approx(figures.success.mean())
    assert figures.within[[0, 20, 24, 25, 50]].tolist() == [0.25, 0.25, 0.25, 0.5, 0.5]
    assert (figures.precision, figures.recall, figures.f) == (0.75, 0.75, 0.75)
    assert (figures.lost_absent, figures.lost_present) == (0.5, 0.25)
    frames = judged.frames
    assert frames["present"].tolist() == [True] * 4 + [False] * 2
    assert frames["found"].tolist() == [True, True, True, False, True, False]
    assert frames["overlap"].tolist() == [1, 0.6, 0.25, 0, 0, 0]
    assert frames["distance"][:3].tolist() == [0, 25, 60] and np.isnan(frames["distance"][3:]).all()
    assert judged.reliability is None
    assert repr(judged) == "TrackingEvaluation(6 frames, 3 of 4 boxes right)"
    assert repr(figures) == "TrackingFigures(AUC 0.440, 0.250 within 20 pixels, F 0.750)"
    assert judge([at(0)], [at(25)], overlap=0.61).right == 0


def test_reliability_and_means() -> None:
    truth = winnow.BoxTrack([at(0), at(0), at(0), NONE])
    sure = winnow.evaluate_tracking(truth, winnow.BoxTrack([at(0), at(0), at(30), at(0)], confidence=[1, 0.75, 0.75, 0.95]))
    assert sure.reliability is not None and sure.reliability.boxes == 3
    bins = sure.reliability.bins
    assert bins["boxes"].tolist() == [0] * 7 + [2, 0, 1]
    assert (bins["stated"][7], bins["right"][7], bins["distance"][7]) == (0.75, 1, 15)
    assert (bins["stated"][9], bins["right"][9]) == (0.95, 0) and math.isnan(bins["distance"][9])
    assert sure.reliability.difference == pytest.approx((2 * 0.25 + 0.95) / 3)
    lost = winnow.evaluate_tracking(truth, winnow.BoxTrack([at(0), NONE, NONE, NONE]))
    mean = winnow.mean_figures([sure, lost])
    assert mean.recall == 0.5 and mean.precision == sure.figures.precision and mean.lost_absent == 0.5
    joined = winnow.joined_reliability([sure, lost, sure])
    assert joined is not None and joined.boxes == 6
    assert winnow.joined_reliability([lost]) is None


def test_tracks_of_arrays() -> None:
    track = winnow.BoxTrack(np.array([(1, 2, 3, 4), (5, 6, 7, 8)]), confidence=np.array([0.5, math.nan]))
    assert track.boxes.tolist() == [[1, 2, 3, 4], [5, 6, 7, 8]]
    assert track.confidence[0] == 0.5 and math.isnan(track.confidence[1])
    assert len(track) == 2 and track.format == "vot" and repr(track) == "BoxTrack(2 frames, 2 boxes)"
    gone = winnow.BoxTrack([(1, 2, 3, 4), NONE])
    assert np.isnan(gone.boxes[1]).all() and np.isnan(gone.confidence).all() and repr(gone) == "BoxTrack(2 frames, 1 box)"
    for boxes, confidence, says in (
        ([(1, 2, 3)], None, r"\(frames, 4\)"), ([1, 2, 3, 4], None, r"\(frames, 4\)"),
        ([(1, 2, 3, math.nan)], None, "frame 0: some numbers of the box are NaN"),
        ([(1, 2, 3, 4)], [1, 1], "confidence"), (["abcd"], None, r"\(frames, 4\)"),
    ):  # fmt: skip
        with pytest.raises(winnow.Error, match=says):
            winnow.BoxTrack(boxes, confidence=confidence)


def test_lines_tell_the_size_of_frames(tmp_path: Path) -> None:
    line = '{"source":"a","frame":%d,"width":320,"height":240,"tracks":[]}\n'
    (tmp_path / "a.jsonl").write_text(line % 0 + line % 1)
    assert winnow.read_box_track(tmp_path / "a.jsonl").picture == (320, 240)
    assert winnow.BoxTrack([(1, 2, 3, 4)]).picture is None


def test_files(tmp_path: Path) -> None:
    (tmp_path / "gt.txt").write_text("10,10,109,109\nNaN,NaN,NaN,NaN\n")
    track = winnow.read_box_track(tmp_path / "gt.txt", format="tld")
    assert track.boxes[0].tolist() == [10, 10, 100, 100] and track.format == "tld"
    assert winnow.read_box_track(tmp_path / "gt.txt", or_else="otb").boxes[0].tolist() == [9, 9, 109, 109]
    with pytest.raises(winnow.Error, match="name the format otb, vot or tld"):
        winnow.read_box_track(tmp_path / "gt.txt")
    boxes = [{"id": i, "x": i, "y": 0, "width": 5, "height": 5, "confidence": 0.5, "state": "found"} for i in (1, 2)]
    (tmp_path / "two.jsonl").write_text(json.dumps({"frame": 0, "tracks": boxes}) + "\n")
    assert winnow.read_box_track(tmp_path / "two.jsonl", id=2).boxes.tolist() == [[2, 0, 5, 5]]
    with pytest.raises(winnow.Error, match="there are the tracks 1, 2; name one"):
        winnow.read_box_track(tmp_path / "two.jsonl")
    (tmp_path / "bad.txt").write_text("1,2,3,4\n1,2,x,4\n")
    with pytest.raises(winnow.Error) as raised:
        winnow.read_box_track(tmp_path / "bad.txt", format="tld")
    assert (raised.value.code, raised.value.place) == ("format", "line 2")


def test_what_does_not_fit() -> None:
    two, three = winnow.BoxTrack([at(0)] * 2), winnow.BoxTrack([at(0)] * 3)
    for truth, result, overlap, says in (
        (two, three, 0.25, "the result has 3 frames, and the truth has 2"), (two, two, 0, "above 0 and at most 1"),
        (two, winnow.BoxTrack([at(0), (0, 0, -1, 5)]), 0.25, "frame 1: a box must have finite numbers and an area"),
        (two, winnow.BoxTrack([at(0)] * 2, confidence=[0, 2]), 0.25, "frame 1: a confidence must be from 0 to 1"),
    ):  # fmt: skip
        with pytest.raises(winnow.Error, match=says):
            winnow.evaluate_tracking(truth, result, overlap=overlap)


def test_reports(tmp_path: Path) -> None:
    truth = winnow.BoxTrack([at(0), at(0), NONE])
    sequence = winnow.MarkedSequence("car", truth, file="gt.txt")
    mine = winnow.EvaluatedTracker("mine", [winnow.evaluate_tracking(truth, truth)], files=["mine.csv"])
    assert (sequence.name, len(sequence.truth), mine.name, len(mine.sequences)) == ("car", 3, "mine", 1)
    assert repr(sequence) == "MarkedSequence(car, 3 frames)" and repr(mine) == "EvaluatedTracker(mine, 1 sequence)"
    report = winnow.TrackingReport([sequence], [mine], title="Two frames")
    figures = json.loads(report.json())
    assert figures["title"] == "Two frames" and figures["trackers"][0]["mean"]["f"] == 1
    rows = list(csv.DictReader(io.StringIO(report.csv())))
    assert [(row["frame"], row["present"], row["overlap"]) for row in rows] == [("1", "1", "1"), ("2", "0", "0")]
    page = report.page()
    assert "<html" in page and "Two frames" in page and "mine.csv (vot)" in page
    files = winnow.write_tracking_eval(report, tmp_path / "report")
    assert [Path(path).read_text() for path in files] == [report.json(), report.csv(), page]
    assert [Path(path).name for path in files] == ["eval.json", "frames.csv", "index.html"]
    with pytest.raises(winnow.Error, match="is of other sequences than the report's"):
        winnow.TrackingReport([], [mine]).page()


def test_the_command_finds_the_same_figures(tmp_path: Path) -> None:
    (tmp_path / "gt.txt").write_text("10,10,109,109\n12,10,111,109\n14,10,113,109\nNaN,NaN,NaN,NaN\n")
    (tmp_path / "mine.csv").write_text("x,y,width,height,confidence\n10,10,100,100,1\n20,10,100,100,0.5\n" + "14,10,99,99,0.7\n" * 2)
    subprocess.run(
        [COMMAND, "eval", "tracking", "--truth", "car=gt.txt", "--truth-format", "tld", "--result", "mine.csv", "--out", "report"],
        check=True, capture_output=True, cwd=tmp_path,
    )  # fmt: skip
    wanted = json.loads((tmp_path / "report/eval.json").read_text())
    truth = winnow.read_box_track(tmp_path / "gt.txt", format="tld")
    judged = winnow.evaluate_tracking(truth, winnow.read_box_track(tmp_path / "mine.csv"))
    report = winnow.TrackingReport(
        [winnow.MarkedSequence("car", truth, file="gt.txt")], [winnow.EvaluatedTracker("mine", [judged], files=["mine.csv"])]
    )
    assert json.loads(report.json()) == wanted
