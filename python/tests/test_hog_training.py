"""Tests `HogCascade`, and both trainings of HOG: results, progress, breaks, and the command's bytes."""

import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import winnow

BLOCKS = {"window": (24, 24), "rounds": 2, "max_stages": 8, "negatives": 60}
SHAPE = winnow.HogShape(window=(24, 24))
SVM = {"shape": SHAPE, "rounds": 2, "negatives": 60, "hard": -1.0}


@pytest.fixture
def pack(place: Path) -> winnow.Pack:
    return winnow.make_pack("crops", "backgrounds", window=(26, 26))


def train(kind: str, pack: winnow.Pack, **more: object) -> winnow.HogCascadeResult | winnow.HogSvmResult:
    return winnow.train_hog_cascade(pack, **BLOCKS, **more) if kind == "blocks" else winnow.train_hog_svm(pack, **SVM, **more)


def bytes_of(result: winnow.HogCascadeResult | winnow.HogSvmResult) -> bytes:
    model = result.cascade if isinstance(result, winnow.HogCascadeResult) else result.svm
    return model.with_card(name="x", kind="", source="", terms="").to_bytes()


def run_winnow(*words: object) -> None:
    command = Path(sys.executable).parent / "winnow"
    subprocess.run([command, *(str(word) for word in words)], check=True, capture_output=True)


def test_a_cascade_of_blocks_is_plain_data(tmp_path: Path) -> None:
    people = winnow.HogCascade.load("people")
    stages = people.stages
    assert stages.dtype.names == (
        "x", "y", "cell_width", "cell_height", "weights", "first", "bins_per_response", "table", "least",
    )  # fmt: skip
    assert not stages.flags.writeable
    assert np.shares_memory(stages["table"], people.stages)
    assert people.mean is not None and people.mean.shape == (128, 64)
    assert (people.grid, people.step, people.zero) == (4, 8, 2 * 4096)
    assert ((stages["x"] + 2 * stages["cell_width"].astype(int)) * people.grid <= 64).all()
    assert ((stages["y"] + 2 * stages["cell_height"].astype(int)) * people.grid <= 128).all()
    assert (np.linalg.norm(stages["weights"].astype(float), axis=1) > 31000).all()
    assert (np.abs(stages["table"]).max(axis=1) > 0).all()
    people.with_card(name="mine", kind="walkers").save(tmp_path / "mine.winnow")
    back = winnow.HogCascade.load(tmp_path / "mine.winnow")
    assert (back.name, back.card.kind, back.card.terms) == ("mine", "walkers", people.card.terms)
    assert np.array_equal(back.stages, stages)
    del people
    assert np.array_equal(stages, back.stages)
    model = winnow.load("people")
    assert (model.kind, model.reads_color, model.search_defaults.border) == ("hog-cascade", False, 0.2)
    assert model.hog_cascade is not None and model.hog_cascade.name == "people"
    assert model.hog_svm is None and model.cascade is None
    assert winnow.load("face").hog_cascade is None
    with pytest.raises(winnow.Error, match="cascade of HOG blocks"):
        winnow.HogCascade.load("face")
    with pytest.raises(winnow.Error):
        back.save(tmp_path / "none" / "a.winnow")


def test_a_cascade_of_blocks_searches(gray: np.ndarray) -> None:
    people = winnow.HogCascade.load("people")
    answers = [
        winnow.Detector(model, backend=backend).detect(gray[:300, :300], raw=True, min_score=-9, scale_factor=1.2)
        for model in (people, winnow.DetectorModel(people), "people")
        for backend in ("reference", "cpu")
    ]
    assert len(answers[0]) > 0
    for answer in answers[1:]:
        assert np.array_equal(answer.objects, answers[0].objects)


def test_blocks_are_drawn_on_the_mean(pack: winnow.Pack) -> None:
    cascade = train("blocks", pack).cascade
    assert np.array_equal(cascade.mean, pack.positives[:, 1:-1, 1:-1].astype(int).sum(axis=0) // len(pack.positives))
    sheet = winnow.draw_blocks(cascade, "mug")
    assert sheet.dtype == np.uint8
    assert len(np.unique(sheet.reshape(-1, 3), axis=0)) > 100


def test_blocks_of_a_window() -> None:
    blocks = winnow.list_hog_blocks((24, 24))
    assert len(set(blocks)) == len(blocks) == 10
    assert (0, 0, 3, 3) in blocks
    for x, y, width, height in blocks:
        assert x + 2 * width <= 6 and y + 2 * height <= 6


@pytest.mark.parametrize("kind", ["blocks", "svm"])
def test_the_same_model_from_every_backend_and_from_the_command(kind: str, pack: winnow.Pack) -> None:
    results = [train(kind, pack, backend=backend, threads=threads) for backend, threads in (("reference", 1), ("cpu", 2))]
    assert bytes_of(results[0]) == bytes_of(results[1])
    assert [result.backend for result in results] == ["reference", "cpu"]
    assert (results[0].stopped, results[0].ended_early) == (False, "")
    assert [stage.positives for stage in results[0].rounds] == [40, 40]
    assert results[0].rounds[1].kept == 60
    winnow.write_pack(pack, "a.pack")
    shared = ("--pack", "a.pack", "--model-window", "24x24", "--rounds", 2, "--round-negatives", 60)
    if kind == "blocks":
        assert len(results[0].cascade.stages) == 8
        run_winnow("train", "hog-cascade", *shared, "--max-stages", 8, "--out", "b.winnow")
        written = winnow.HogCascade.load("b.winnow")
    else:
        run_winnow("train", "hog-svm", *shared, "--hard", "-1", "--out", "b.winnow")
        written = winnow.HogSvm.load("b.winnow")
    assert written.with_card(name="x", kind="", source="", terms="").to_bytes() == bytes_of(results[0])


@pytest.mark.parametrize("kind", ["blocks", "svm"])
def test_progress_stops_and_resumes(kind: str, pack: winnow.Pack) -> None:
    steps: list[tuple[str, int]] = []

    def watch(step: winnow.TrainStep) -> bool | None:
        steps.append((step.what, step.stage))
        return False if step.what == "stage" else None

    stopped = train(kind, pack, checkpoint="state", progress=watch)
    assert stopped.stopped
    assert len(stopped.rounds) == 1
    assert steps[0] == ("mining", 1)
    assert steps[-1] == ("stage", 1)
    assert ("weak", 1) in steps
    with pytest.raises(winnow.Error) as raised:
        train(kind, pack, checkpoint="state")
    assert raised.value.code == "usage"
    assert bytes_of(train(kind, pack, checkpoint="state", resume=True)) == bytes_of(train(kind, pack))


@pytest.mark.parametrize("kind", ["blocks", "svm"])
def test_pages(kind: str, pack: winnow.Pack) -> None:
    page = winnow.training_page(pack, train(kind, pack))
    assert ("the first blocks" in page) == (kind == "blocks")
    assert ("the weights" in page) == (kind == "svm")
    assert page.count("<tr><td>") == 2


@pytest.mark.parametrize("kind", ["blocks", "svm"])
def test_an_exception_in_progress_comes_out(kind: str, pack: winnow.Pack) -> None:
    def fail(step: winnow.TrainStep) -> None:
        raise ValueError("note")

    with pytest.raises(ValueError, match="note"):
        train(kind, pack, progress=fail)


@pytest.mark.parametrize("kind", ["blocks", "svm"])
def test_interrupts_end_a_training(kind: str, pack: winnow.Pack) -> None:
    winnow.write_pack(pack, "a.pack")
    # Without progress, the training itself checks for Ctrl-C. A Python thread tells when the work has begun; that it
    # runs shows that Python's lock is free.
    options = {
        "blocks": "train_hog_cascade(pack, window=(24, 24), max_stages=16384, negatives=60, rounds=1, memory=8 << 30,",
        "svm": "train_hog_svm(pack, shape=winnow.HogShape(window=(24, 24)), rounds=20, cost=1e6, hard=-1000, negatives=1000,",
    }[kind]
    program = (
        "import pathlib, threading, time, winnow\n"
        "def tell():\n"
        "    while not pathlib.Path('state/stage').exists(): time.sleep(0.001)\n"
        "    print('begun', flush=True)\n"
        "threading.Thread(target=tell, daemon=True).start()\n"
        "pack = winnow.read_pack('a.pack')\n"
        f"winnow.{options} checkpoint='state')\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"begun\n"
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=600)
    assert said.strip().endswith(b"KeyboardInterrupt")
    assert child.returncode != 0


def test_trainings_run_beside_one_another(pack: winnow.Pack) -> None:
    results: list[bytes] = []
    workers = [threading.Thread(target=lambda: results.append(bytes_of(train("blocks", pack)))) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert results == [bytes_of(train("blocks", pack))] * 2


def test_stages_of_blocks(pack: winnow.Pack) -> None:
    options = {"window": (24, 24), "stages": 2, "max_blocks": 4, "max_false": 0.3, "min_hit": 0.9, "negatives": 60}
    results = [winnow.train_hog_cascade(pack, **options, backend=backend) for backend in ("reference", "cpu")]
    assert bytes_of(results[0]) == bytes_of(results[1])
    min_sums = results[0].cascade.stages["least"]
    ends = np.cumsum([stage.weak for stage in results[0].rounds]) - 1
    assert (np.flatnonzero(min_sums > -(1 << 30)) == ends).all()
    assert all(stage.hit >= 0.9 and stage.weak <= 4 for stage in results[0].rounds)
    with pytest.raises(winnow.Error, match="from 1 to 200"):
        winnow.train_hog_cascade(pack, window=(24, 24), stages=0)
    for wrong in ({"max_false": 0.3}, {"max_blocks": 4}, {"stages": 2, "rounds": 2}, {"stages": 2, "max_stages": 9}):
        with pytest.raises(winnow.Error, match="stages"):
            winnow.train_hog_cascade(pack, window=(24, 24), **wrong)


def test_wrong_options(pack: winnow.Pack) -> None:
    for wrong, says in (({"grid": 3}, "2, 4 or 8"), ({"rounds": 0}, "rounds"), ({"min_hit": 2.0}, "hit rate")):
        with pytest.raises(winnow.Error, match=says):
            winnow.train_hog_cascade(pack, **{**BLOCKS, **wrong})
    with pytest.raises(winnow.Error, match="smaller than the window"):
        winnow.train_hog_cascade(pack)
    for size, grid in (((16, 16), 0), ((2048, 2048), 4), ((17, 16), 8)):
        with pytest.raises(winnow.Error, match="must be"):
            winnow.list_hog_blocks(size, grid)
    with pytest.raises(winnow.Error, match="cost"):
        winnow.train_hog_svm(pack, **{**SVM, "cost": 0.0})
    with pytest.raises(winnow.Error, match='use, leave or both, not "red"'):
        winnow.train_hog_svm(pack, **SVM, colors="red")  # type: ignore[arg-type]
    with pytest.raises(winnow.Error, match="colours"):
        winnow.train_hog_svm(pack, **SVM, colors="both")
    with pytest.raises(TypeError):
        winnow.train_hog_svm(pack, shape=(24, 24))  # type: ignore[arg-type]


def test_an_svm_that_learns_otherwise(pack: winnow.Pack) -> None:
    colored = winnow.make_pack("crops", "backgrounds", window=(26, 26), color=True)
    plain = train("svm", pack)
    forms: list[dict[str, Any]] = [{}, {"squared": False}, {"symmetric": True}]
    results = [plain, *(winnow.train_hog_svm(pack, **SVM, **form) for form in forms[1:])]
    assert len({bytes_of(result) for result in results}) == 3
    both = winnow.train_hog_svm(colored, **SVM, colors="both")
    left = winnow.train_hog_svm(colored, **SVM, colors="leave")
    assert bytes_of(left) == bytes_of(plain)
    assert "searched in colour" in winnow.training_page(colored, both)
