"""Tests `HogSvm` and `HogShape`: numbers in, files out and back, and searches with them."""

from pathlib import Path

import numpy as np
import pytest

import winnow

SHAPE = winnow.HogShape(window=(32, 32), bins=4, gamma=False)


def random_svm(seed: int = 1) -> winnow.HogSvm:
    numbers = np.random.default_rng(seed).normal(0, 0.1, SHAPE.values).astype(np.float32)
    return winnow.HogSvm(numbers, 0.25, SHAPE, name="noise")


def test_shape() -> None:
    shape = winnow.HogShape()
    assert (shape.window, shape.block, shape.block_stride, shape.cell) == ((64, 128), (16, 16), (8, 8), (8, 8))
    assert (shape.bins, shape.directed, shape.gamma, shape.sigma, shape.clip) == (9, False, True, 0.0, 0.2)
    assert shape.values == 3780
    assert shape == winnow.HogShape()
    assert shape != SHAPE
    assert shape != "shape"
    assert repr(SHAPE) == "HogShape(32x32, 144 values)"
    with pytest.raises(winnow.Error, match="whole cells"):
        winnow.HogShape(cell=(7, 8))
    with pytest.raises(AttributeError):
        shape.bins = 3  # type: ignore[misc]


def test_arrays_are_views_of_the_model() -> None:
    svm = random_svm()
    weights = svm.weights
    assert weights.dtype == np.float32
    assert not weights.flags.writeable
    assert np.shares_memory(weights, svm.weights)
    del svm
    assert np.array_equal(weights, random_svm().weights)


@pytest.mark.parametrize("ending", ["winnow", "xml"])
def test_files(ending: str, tmp_path: Path) -> None:
    svm = random_svm().with_card(kind="noise", terms="none")
    path = tmp_path / f"saved.{ending}"
    svm.save(path)
    back = winnow.HogSvm.load(path)
    assert np.array_equal(back.weights, svm.weights)
    assert (back.bias, back.shape, back.window) == (0.25, SHAPE, (32, 32))
    assert back.name == ("noise" if ending == "winnow" else "saved")
    assert (back.card.kind == "noise") == (ending == "winnow")
    model = winnow.load(path)
    assert model.kind == "hog-svm"
    assert model.reads_color
    assert model.cascade is None
    assert model.hog_svm is not None and np.array_equal(model.hog_svm.weights, svm.weights)
    assert winnow.load("face").hog_svm is None
    format = "winnow" if ending == "winnow" else "opencv-xml"
    assert winnow.HogSvm.parse(svm.to_bytes(format), "again").to_bytes(format) == svm.to_bytes(format)
    svm.save(tmp_path / "other", format)
    assert (tmp_path / "other").read_bytes() == path.read_bytes()


def test_wrong_input(tmp_path: Path) -> None:
    with pytest.raises(winnow.Error, match="there are 5 weights, a window has 144 values"):
        winnow.HogSvm(np.zeros(5, np.float32), 0, SHAPE)
    with pytest.raises(winnow.Error, match="weight 3"):
        winnow.HogSvm(np.array([0, 0, 0, np.nan] * 36, np.float32), 0, SHAPE)
    with pytest.raises(TypeError):
        winnow.HogSvm(np.zeros((2, 72), np.float32), 0, SHAPE)
    with pytest.raises(winnow.Error, match="must end in"):
        random_svm().save(tmp_path / "a.yml")
    with pytest.raises(winnow.Error, match="known are opencv-xml, winnow"):
        random_svm().to_bytes("yaml")
    with pytest.raises(winnow.Error, match="is no float"):
        winnow.HogSvm(np.zeros(144, np.float32), 0.1, SHAPE).to_bytes("opencv-xml")
    with pytest.raises(winnow.Error, match="a linear SVM over HOG is needed"):
        winnow.HogSvm.load("face")
    with pytest.raises(winnow.Error, match="there are 2 numbers without a shape"):
        winnow.HogSvm.parse(b"0.5, 0.25")


def test_searches_alike_everywhere(gray: np.ndarray) -> None:
    svm = random_svm()
    answers = [
        winnow.Detector(model, backend=backend).detect(gray[:200, :200], raw=True, min_score=0.25, scale_factor=1.5)
        for model in (svm, winnow.DetectorModel(svm))
        for backend in ("reference", "cpu")
    ]
    assert len(answers[0]) > 0
    for answer in answers[1:]:
        assert np.array_equal(answer.objects, answers[0].objects)
    assert (answers[0].scores >= 0.25).all()


def test_described_windows_are_those_of_the_search(gray: np.ndarray) -> None:
    svm = random_svm()
    picture = np.stack([gray[:100, :90], gray[100:200, :90], gray[:100, 100:190]], axis=2)
    for array, named in ((picture[..., 0], {}), (picture, {"channels": "rgb"})):
        values = winnow.describe_windows(array, SHAPE, **named)
        assert (values.dtype, values.shape) == (np.float32, (9, 8, 144))
        found = winnow.Detector(svm, backend="cpu").detect(
            array, raw=True, min_score=-1e6, min_size=(32, 32), max_size=(32, 32), **named
        )
        assert np.abs(values.reshape(-1, 144) @ svm.weights + svm.bias - found.scores).max() < 1e-3
    grey = winnow.describe_windows(picture, SHAPE, channels="rgb", gray=True)
    assert np.array_equal(grey, winnow.describe_windows(winnow.to_gray(picture, channels="rgb"), SHAPE))
    assert winnow.describe_windows(gray[:20, :20], SHAPE).shape == (0, 0, 144)
    assert winnow.describe_windows(gray, SHAPE, step=(100, 200)).shape == (3, 5, 144)
    with pytest.raises(winnow.Error, match="raise the step"):
        winnow.describe_windows(np.zeros((2000, 2000), np.uint8), step=(1, 1))


def test_drawing() -> None:
    sheet = winnow.draw_weights(random_svm(), "noise")
    assert sheet.dtype == np.uint8
    assert sheet.shape[2] == 3
    assert len(np.unique(sheet.reshape(-1, 3), axis=0)) > 20
