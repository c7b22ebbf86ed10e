"""Checks packs, training, its progress and its end, joins and evaluation."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import winnow

OPTIONS = {"features": "lbp", "negatives": 300, "stages": 3}


@pytest.fixture
def pack(place: Path) -> winnow.Pack:
    return winnow.make_pack("crops", "backgrounds", window=(24, 24))


def test_a_pack_holds_what_was_given(pack: winnow.Pack) -> None:
    notes: list[str] = []
    Path("crops/broken.png").write_text("no picture")
    again = winnow.make_pack(["crops"], [Path("backgrounds")], window=[24, 24], note=notes.append)
    assert np.array_equal(again.positives, pack.positives)
    assert len(notes) == 1
    assert "broken.png" in notes[0]
    assert pack.positives.dtype == np.uint8
    assert len(pack.names) == 40
    assert winnow.decode_picture(pack.negatives[0].file).gray.shape == (240, 320)
    names = winnow.write_pack(pack, "a.pack", part_bytes=20_000)
    assert len(names) > 1
    assert np.array_equal(winnow.read_pack("a.pack").positives, pack.positives)
    assert np.array_equal(winnow.read_pack(names[::-1]).positives, pack.positives)
    jittered = winnow.make_pack("crops", "backgrounds", jitter=winnow.Jitter(copies=2, noise=0.02), mirror=True)
    assert len(jittered.positives) == 40 * 2 * 3
    with pytest.raises(winnow.Error):
        winnow.make_pack("crops", "nowhere")
    with pytest.raises(ValueError, match="note"):
        winnow.make_pack("crops", "backgrounds", note=raise_value_error)


def test_a_pack_keeps_colours(pack: winnow.Pack) -> None:
    assert not pack.color
    assert pack.colors is None
    color = winnow.make_pack("crops", "backgrounds", window=(24, 24), color=True)
    assert color.color
    assert np.array_equal(color.positives, pack.positives)
    assert color.colors is not None
    assert color.colors.shape == (40, 24, 24, 3)
    winnow.write_pack(color, "color.pack")
    again = winnow.read_pack("color.pack").colors
    assert again is not None
    assert np.array_equal(again, color.colors)
    encoded = winnow.make_pack("crops", "backgrounds", window=(24, 24), encode=50)
    assert not np.array_equal(encoded.positives, pack.positives)
    with pytest.raises(winnow.Error, match="quality"):
        winnow.make_pack("crops", "backgrounds", encode=101)


def raise_value_error(sentence: object) -> None:
    raise ValueError("note")


def test_the_same_cascade_from_every_backend_and_from_the_command(pack: winnow.Pack) -> None:
    trained = [
        winnow.train_cascade(pack, **OPTIONS, backend=backend, threads=threads)
        for backend, threads in (("reference", 1), ("cpu", 1), ("cpu", 2))
    ]
    files = [result.cascade.with_card(source="", name="x").to_bytes() for result in trained]
    assert files[0] == files[1] == files[2]
    assert trained[1].backend == "cpu"
    assert [stage.positives for stage in trained[0].stages] == [40] * len(trained[0].stages)
    winnow.write_pack(pack, "a.pack")
    command = Path(sys.executable).parent / "winnow"
    subprocess.run(
        [command, "train", "cascade", "--pack", "a.pack", "--out", "b.winnow", "--features", "lbp", "--stage-negatives", "300",
         "--stages", "3"],
        check=True,
        capture_output=True,
    )  # fmt: skip
    assert winnow.Cascade.load("b.winnow").with_card(source="", name="x", kind="", terms="").to_bytes() == (
        trained[0].cascade.with_card(source="", name="x", kind="", terms="").to_bytes()
    )
    found = winnow.Detector(trained[0].cascade).detect(winnow.read_picture("photo.jpg"))
    assert found.counters.windows > 0


def test_progress_reports_and_stops(pack: winnow.Pack) -> None:
    steps: list[tuple[str, int]] = []

    def watch(step: winnow.TrainStep) -> bool | None:
        steps.append((step.what, step.stage))
        return False if step.what == "stage" else None

    stopped = winnow.train_cascade(pack, **OPTIONS, checkpoint="state", progress=watch)
    assert stopped.stopped
    assert len(stopped.stages) == 1
    assert steps[0] == ("mining", 1)
    assert steps[-1] == ("stage", 1)
    with pytest.raises(winnow.Error) as raised:
        winnow.train_cascade(pack, **OPTIONS, checkpoint="state")
    assert raised.value.code == "usage"
    resumed = winnow.train_cascade(pack, **OPTIONS, checkpoint="state", resume=True)
    whole = winnow.train_cascade(pack, **OPTIONS)
    assert resumed.cascade.to_bytes() == whole.cascade.to_bytes()


def test_stages_count_as_those_of_the_command(pack: winnow.Pack) -> None:
    done: list[int] = []
    winnow.train_cascade(pack, **OPTIONS, progress=lambda step: done.append(step.stage) if step.what == "stage" else None)
    winnow.write_pack(pack, "a.pack")
    command = Path(sys.executable).parent / "winnow"
    printed = subprocess.run(
        [command, "train", "cascade", "--pack", "a.pack", "--out", "b.winnow", "--features", "lbp", "--stage-negatives", "300",
         "--stages", "3"],
        check=True, capture_output=True, text=True,
    ).stderr  # fmt: skip
    lines = [line.split() for line in printed.splitlines()]
    assert done == [int(words[0]) for words in lines if words and words[0].isdigit()]
    assert done[0] == 1


def test_a_bar_of_tqdm(pack: winnow.Pack, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm")
    result = winnow.train_cascade(pack, **OPTIONS, progress=True)
    bars = capsys.readouterr().err.split("\r")
    assert f"{len(result.stages)}/3" in bars[-1]
    assert "stage" in bars[-1] and "hit rate" in bars[-1]
    with pytest.raises(winnow.Error):  # the progress bar is closed, and does not hide the error
        winnow.train_cascade(pack, stages=0, progress=True)
    rounds = winnow.train_hog_svm(pack, shape=winnow.HogShape(window=(24, 24)), rounds=2, negatives=80, progress=True)
    assert f"{len(rounds.rounds)}/2" in capsys.readouterr().err.split("\r")[-1]


def test_lines_without_tqdm(
    pack: winnow.Pack, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    result = winnow.train_cascade(pack, **OPTIONS, progress=True)
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(":")[0] for line in lines] == [f"stage {i + 1} of 3" for i in range(len(result.stages))]
    winnow.train_cascade(pack, **OPTIONS, progress=False)
    assert capsys.readouterr().err == ""


def test_numpys_false_stops_too(pack: winnow.Pack) -> None:
    stopped = winnow.train_cascade(pack, **OPTIONS, progress=lambda step: np.bool_(step.what != "stage"))
    assert stopped.stopped


def test_an_exception_in_progress_comes_out(pack: winnow.Pack) -> None:
    with pytest.raises(ValueError, match="note"):
        winnow.train_cascade(pack, **OPTIONS, progress=raise_value_error)


def test_interrupts_end_a_training(pack: winnow.Pack) -> None:
    winnow.write_pack(pack, "a.pack")
    program = (
        "import winnow\n"
        "told = lambda step: print(step.what, flush=True)\n"
        "winnow.train_cascade(winnow.read_pack('a.pack'), stages=30, min_hit=0.9999, max_false=0.001,\n"
        "                     progress=told, checkpoint='state')\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout.readline() == b"mining\n"
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=600)
    assert said.strip().endswith(b"KeyboardInterrupt")
    assert child.returncode != 0
    assert os.path.isdir("state")


def test_joins_and_pages(pack: winnow.Pack) -> None:
    options = {"soft": True, "stages": 2, "max_weak": 8, "negatives": 300, "pool": 500}
    results = [winnow.train_cascade(pack, **options, seed=seed) for seed in (1, 2)]
    joined = winnow.join_cascades([result.cascade for result in results], pack)
    assert joined.soft
    assert joined.weak_count == sum(result.cascade.weak_count for result in results)
    assert "<html" in winnow.training_page(pack, results[0])
    with pytest.raises(winnow.Error):
        winnow.join_cascades([results[0].cascade] * 2, pack)
    for wrong in ({"features": "hog"}, {"boost": "x"}, {"weak": "x"}, {"stages": 0}):
        with pytest.raises(winnow.Error):
            winnow.train_cascade(pack, **wrong)


def test_evaluation_counts(place: Path) -> None:
    label, far = winnow.Label((10, 10, 20, 20)), winnow.Label((100, 100, 20, 20), ignore=True)
    pictures = [winnow.LabelledPicture("a.jpg", [label, far]), winnow.LabelledPicture("b.jpg", [label])]
    found = [np.array([(10, 10, 20, 20), (100, 100, 20, 20), (50, 50, 9, 9)]), []]
    judged = winnow.evaluate(pictures, found)
    assert (judged.labels, judged.ignored_labels, judged.found, judged.wrong) == (2, 1, 1, 1)
    assert sorted(detection.verdict for detection in judged.judged) == ["ignored", "right", "wrong"]
    assert judged.recall_at(1) == 0.5
    assert judged.curve.dtype.names == ("rank", "found", "wrong")
    # All detections have the score 0, so the curve has one point: 1 false positive in 2 pictures.
    assert (judged.miss_rate_at(0.4), judged.miss_rate_at(0.5), judged.ends_at) == (1, 0.5, 0.5)
    with pytest.raises(winnow.Error):
        winnow.evaluate(pictures, found[:1])
    with pytest.raises(winnow.Error):
        winnow.EvalRule(iou=2)
    with pytest.raises(winnow.Error, match="other pictures than the report's"):
        winnow.EvalReport([], [winnow.EvaluatedModel("face", pictures=judged)]).page()
    points = winnow.Label((0, 0, 9, 9), points=[(1.5, 2.5), (3, 4)], category="eye")
    assert (points.points, points.category) == ([(1.5, 2.5), (3.0, 4.0)], "eye")


def test_miss_rates_are_those_of_numpy(place: Path) -> None:
    random = np.random.default_rng(5)
    pictures, found = [], []
    for number in range(40):
        labels = [winnow.Label((40 * i, 0, 20, 20)) for i in range(number % 4)]
        pictures.append(winnow.LabelledPicture(f"{number}.jpg", labels))
        scores = random.normal(size=6)
        objects = np.zeros(6, [("x", "i4"), ("y", "i4"), ("width", "i4"), ("height", "i4"), ("score", "f8"), ("neighbors", "i4")])
        for i, score in enumerate(scores):
            objects[i] = (40 * i + 3 * (i % 2), 0, 20, 20, score, 1)
        found.append(objects)
    judged = winnow.evaluate(pictures, found)
    verdicts = np.array([(each.rank, each.verdict == "right") for each in judged.judged])
    right = np.cumsum(verdicts[:, 1])
    wrong = np.cumsum(1 - verdicts[:, 1])
    per_picture, missed = wrong / len(pictures), 1 - right / judged.labels
    assert np.array_equal(judged.curve["found"], right) and np.array_equal(judged.curve["wrong"], wrong)
    rates = np.logspace(-2, 0, 9)
    sampled = [missed[per_picture <= rate].min(initial=1) for rate in rates]
    assert [judged.miss_rate_at(rate) for rate in rates] == pytest.approx(sampled, abs=1e-15)
    assert 0.05 < judged.log_average_miss_rate < 0.95
    assert judged.log_average_miss_rate == pytest.approx(np.exp(np.log(sampled).mean()), rel=1e-12)
    assert judged.ends_at == per_picture[-1]
    windows = winnow.evaluate_windows([3.0, 2.0], 4, [2.5, 1.0], 1000)
    assert (windows.ends_at, windows.miss_rate_at(0.001), windows.miss_rate_at(0)) == (0.002, 0.5, 0.75)
    models = [winnow.EvaluatedModel("a", pictures=judged, windows=windows, kind="hog-svm")]
    report = json.loads(winnow.EvalReport(pictures, models).json())["models"][0]
    assert report["kind"] == "hog-svm"
    assert report["pictures"]["curve"]["miss_rate"] == pytest.approx(missed.tolist(), abs=1e-15)
    assert report["pictures"]["miss_rate_at"]["0.1"] == judged.miss_rate_at(0.1)


def test_window_scores(pack: winnow.Pack) -> None:
    cascade = winnow.train_cascade(pack, **OPTIONS).cascade
    detector = winnow.Detector(cascade)
    scores = [winnow.window_score(detector, positive) for positive in pack.positives]
    assert sum(score is not None for score in scores) >= 38
