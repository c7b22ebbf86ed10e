"""Checks `Landmarks` and `Landmarker`: files, arrays, fits by hand, batches, scans and the command."""

import copy
import json
import math
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import winnow
from conftest import standstill
from landmark_models import MEAN, PIXEL, SPLIT, made_landmarks, made_models, made_trees

COMMAND = Path(sys.executable).parent / "winnow"
MODELS = made_models()
DLIB = Path("/usr/share/dlib/shape_predictor_68_face_landmarks.dat")
FACE = (164, 101, 204, 204)


def rebuilt(model: winnow.Landmarks, **changed: Any) -> winnow.Landmarks:
    """The model again, made of what its properties give."""
    parts = {name: getattr(model, name) for name in ("unit_bits", "basis", "turned", "confidence", "detector", "place")}
    trees = winnow.ShapeTrees(model.trees.pixel_list, model.trees.splits)
    return winnow.Landmarks(model.mean, trees, model.leaves, **{**parts, **changed})


@pytest.mark.parametrize("name", MODELS)
def test_a_model_is_the_sum_of_its_arrays(name: str) -> None:
    model = MODELS[name]
    assert (model.points, model.mean.shape, model.mean.dtype) == (5, (5, 2), np.float32)
    assert np.array_equal(model.mean, MEAN)
    trees = model.trees
    assert (trees.stages, trees.trees, trees.pixels, trees.depth) == (2, 20, 40, 3)
    assert (trees.pixel_list.shape, trees.splits.shape) == ((2, 40), (2, 20, 7))
    assert model.leaves.shape == ((2, 20, 8, 3) if name == "basis" else (2, 20, 8, 5, 2))
    assert model.fixed_point == (model.leaves.dtype == np.int16) == (model.unit_bits is not None)
    assert (model.basis is not None) == (name == "basis")
    assert model.turned == (name == "basis")
    assert (model.confidence is not None) == (name in ("basis", "sure"))
    again = rebuilt(model)
    assert again.same_as(model) and model.same_as(again)
    assert again.trees == trees
    for array in (model.mean, model.leaves, trees.splits, trees.pixel_list):
        assert not array.flags.writeable
    changed = model.mean.copy()
    changed[3, 1] += 0.25
    assert not winnow.Landmarks(changed, trees, model.leaves, unit_bits=model.unit_bits, basis=model.basis).same_as(model)
    for other in ({"place": (1.5, 0, 0)}, {"detector": "people"}, *([{"turned": not model.turned}] if model.fixed_point else [])):
        assert not rebuilt(model, **other).same_as(model)


def test_arrays_outlive_their_model() -> None:
    trees, confidence = MODELS["sure"].trees, made_models()["sure"].confidence
    assert confidence is not None
    splits, leaves, slope = confidence.trees.splits, confidence.leaves, confidence.slope
    wanted = MODELS["sure"].confidence
    assert wanted is not None and wanted == confidence and wanted != trees
    kept = wanted.leaves.copy(), wanted.slope.copy(), wanted.trees.splits.copy()
    del confidence
    assert np.array_equal(leaves, kept[0]) and np.array_equal(slope, kept[1]) and np.array_equal(splits, kept[2])
    assert (wanted.unit_bits, wanted.distance, wanted.shift.shape, wanted.leaves.shape) == (9, 0.1, (5,), (15, 8, 5))
    assert repr(wanted) == "PointConfidence(5 points, 15 trees)"
    assert repr(trees) == "ShapeTrees(2 stages, 20 trees, 40 pixels)"
    with pytest.raises(TypeError, match="unhashable"):
        hash(trees)


def test_any_arrays_make_a_model() -> None:
    model = MODELS["whole"]
    splits = model.trees.splits
    other = np.zeros(splits.shape, [("threshold", "f8"), ("unused", "u1"), ("second", "i8"), ("first", "u1")])
    for field in SPLIT:
        other[field[0]] = splits[field[0]]
    trees = winnow.ShapeTrees(np.asfortranarray(model.trees.pixel_list), other)
    assert trees == model.trees
    doubled = np.zeros((4, *model.leaves.shape[1:]), np.int64)
    doubled[::2] = model.leaves
    forms = [model.leaves.tolist(), model.leaves.astype(np.int64), np.asfortranarray(model.leaves), doubled[::2]]
    for leaves in forms:
        assert winnow.Landmarks(model.mean.tolist(), trees, leaves, unit_bits=np.array([18, 19])).same_as(model)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"mean": MEAN[:, 0]}, r"places of the mean shape are an array \(points, 2\), and this one has the shape \(5,\)"),
        ({"mean": np.zeros((5, 3))}, r"the shape \(5, 3\), and \(5, 2\) is needed"),
        ({"mean": np.full((5, 2), np.nan)}, "the mean shape lies too far"),
        ({"mean": np.zeros((5, 2), "U1")}, "places of the mean shape are numbers"),
        ({"leaves": np.zeros((2, 20, 8, 4, 2))}, r"leaves have the shape .*\(2, 20, 8, 5, 2\) is needed"),
        ({"leaves": np.full((2, 20, 8, 5, 2), np.inf)}, "a number of a leaf is out of range"),
        ({"leaves": np.zeros((2, 20, 8, 5, 2), int)}, "leaves of whole numbers need unit_bits"),
        ({"leaves": np.full((2, 20, 8, 5, 2), 32768), "unit_bits": [1, 1]}, "16 bits, and 32768 is out of range"),
        ({"leaves": np.zeros((2, 20, 8, 5, 2), bool), "unit_bits": [1, 1]}, "leaves are whole numbers"),
        ({"leaves": np.zeros((2, 20, 8, 5, 2), int), "unit_bits": [1]}, "the list of units has 1 elements, 2 are needed"),
        ({"leaves": np.zeros((2, 20, 8, 5, 2), int), "unit_bits": [1, 41]}, "a unit must have 0 to 40 bits"),
        ({"unit_bits": [1, 1]}, "unit_bits and basis are for leaves of whole numbers"),
        ({"leaves": np.zeros((2, 20, 8, 5, 2), int), "unit_bits": [1, 1], "basis": np.zeros((2, 0, 5, 2), int)}, "no vectors"),
        ({"leaves": np.zeros((2, 20, 8, 9), int), "unit_bits": [1, 1], "basis": np.zeros((2, 3, 5, 2), int)}, "is needed"),
        ({"leaves": np.zeros((2, 20, 8, 3), int), "unit_bits": [1, 1], "basis": np.zeros((1, 3, 5, 2), int)}, "of the basis have"),
        ({"place": (0, 0, 0)}, "the place of boxes makes no sense"),
        ({"detector": "a\0b"}, "the detector's name"),
    ],
)
def test_wrong_arrays_are_refused(change: dict[str, Any], sentence: str) -> None:
    model = MODELS["floats"]
    with pytest.raises(winnow.Error, match=sentence):
        winnow.Landmarks(**{"mean": model.mean, "trees": model.trees, "leaves": model.leaves, **change})


def test_wrong_trees_are_refused() -> None:
    pixels, splits = np.zeros((2, 4), PIXEL), np.zeros((2, 3, 7), SPLIT)
    wrong: list[tuple[Any, Any, str]] = [
        (pixels[0], splits, r"pixels are an array \(stages, pixels\), and this one has the shape \(4,\)"),
        (pixels["x"], splits, "pixels are a structured array with the fields point, x, y"),
        (pixels, np.zeros((2, 3, 7)), "splits are a structured array with the fields first, second, threshold"),
        (pixels, splits[:1], "there are pixels for 2 stages, and splits for 1"),
        (pixels, splits[:, :, :6], "a tree has 1, 3, 7, 15 and so on splits, and not 6"),
        (pixels, splits[:, :, :0], "splits, and not 0"),
        (np.full((2, 4), -1, [("point", "i4"), ("x", "f4"), ("y", "f4")]), splits, "-1 is out of range"),
        (np.zeros((2, 4), [("point", "u2", 2), ("x", "f4"), ("y", "f4")]), splits, "a number each"),
        (np.zeros((2, 4), [("point", "f4"), ("x", "f4"), ("y", "f4")]), splits, "points of pixels are whole numbers"),
    ]
    for read, trees, sentence in wrong:
        with pytest.raises(winnow.Error, match=sentence) as raised:
            winnow.ShapeTrees(read, trees)
        assert raised.value.code == "usage"
    pixels["point"][1, 2] = 5
    with pytest.raises(winnow.Error, match="there is no such point") as raised:
        winnow.Landmarks(MEAN, winnow.ShapeTrees(pixels, splits), np.zeros((2, 3, 8, 5, 2)))
    assert raised.value.place == "pixel 6"
    with pytest.raises(winnow.Error, match="the confidence must have one stage"):
        winnow.PointConfidence(winnow.ShapeTrees(pixels, splits), np.zeros((3, 8, 5), int), 1, [1] * 5, [0] * 5)
    once = winnow.ShapeTrees(pixels[:1], splits[:1])
    for leaves, slope, shift in ((np.zeros((3, 8, 4), int), [1] * 5, [0] * 5), (np.zeros((3, 8, 5), int), [1] * 5, [0])):
        with pytest.raises(winnow.Error, match="is needed"):
            winnow.PointConfidence(once, leaves, 1, slope, shift)


@pytest.mark.parametrize("name", MODELS)
def test_files(name: str, tmp_path: Path) -> None:
    model = MODELS[name].with_card(source="noise", terms="none")
    model.save(tmp_path / "a.winnow")
    loaded = winnow.Landmarks.load(tmp_path / "a.winnow")
    assert loaded.same_as(model)
    assert (loaded.name, loaded.card.terms, loaded.notes) == (model.name, "none", [])
    assert (tmp_path / "a.winnow").read_bytes() == model.to_bytes() == loaded.to_bytes("winnow")
    assert repr(loaded) == f"Landmarks({model.name}, 5 points, 2 stages)"
    if name == "floats":
        model.save(tmp_path / "b.dat")
        model.save(tmp_path / "c", format="dlib")
        assert (tmp_path / "b.dat").read_bytes() == (tmp_path / "c").read_bytes() == model.to_bytes("dlib")
        again = winnow.Landmarks.load(tmp_path / "b.dat")
        assert again.same_as(model) and again.name == "b"
        assert winnow.Landmarks.parse(model.to_bytes("dlib"), "mine").name == "mine"
    else:
        with pytest.raises(winnow.Error) as raised:
            model.save(tmp_path / "b.dat")
        assert raised.value.code == "unsupported"
        assert not (tmp_path / "b.dat").exists()
    with pytest.raises(winnow.Error, match=r"must end in \.winnow or \.dat"):
        model.save(tmp_path / "a.txt")
    with pytest.raises(winnow.Error, match="known are winnow, dlib"):
        model.to_bytes("xml")  # type: ignore[arg-type]


def test_what_are_no_landmarks(tmp_path: Path) -> None:
    with pytest.raises(winnow.Error, match="landmarks are needed, and the model face is a cascade"):
        winnow.Landmarker(winnow.load("face"))
    with pytest.raises(winnow.Error, match="landmarks is needed"):
        winnow.Landmarks.load("face")
    with pytest.raises(winnow.Error) as raised:
        winnow.Landmarker(tmp_path / "missing.dat")
    assert raised.value.code in ("io", "usage")
    (tmp_path / "cut.winnow").write_bytes(made_landmarks().to_bytes()[:-100])
    with pytest.raises(winnow.Error, match=r"cut\.winnow"):
        winnow.Landmarks.load(tmp_path / "cut.winnow")
    for detector in (MODELS["floats"], winnow.Model(MODELS["floats"])):
        with pytest.raises(winnow.Error, match="marks 5 points"):
            winnow.Detector(detector)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", MODELS)
def test_landmarks_are_a_model(name: str, tmp_path: Path) -> None:
    landmarks = MODELS[name]
    model = winnow.Model(landmarks)
    assert model.kind == "landmarks"
    assert model.holds == "40 trees"
    assert model.does == "marks 5 points" + (" of a face" if name in ("floats", "16 bits") else "")
    assert model.formats == ["winnow", "dlib"]
    assert model.landmarks is not None and model.landmarks.same_as(landmarks)
    assert winnow.Model.load("face").landmarks is None and winnow.load("face").landmarks is None
    assert model.to_bytes() == landmarks.to_bytes()
    model.save(tmp_path / "a.winnow")
    assert winnow.Model.load(tmp_path / "a.winnow").landmarks.same_as(landmarks)  # type: ignore[union-attr]
    sheet = winnow.draw_landmarks(landmarks)
    assert sheet.shape[2] == 3 and len(np.unique(sheet.reshape(-1, 3), axis=0)) > 5
    assert np.array_equal(model.draw().color, sheet)
    assert winnow.draw_landmarks(landmarks, "another title").shape[2] == 3
    mine = landmarks.with_card(name="mine", kind="mask")
    assert (mine.name, mine.card.kind, landmarks.card.name) == ("mine", "mask", landmarks.name)
    assert mine.same_as(landmarks)
    for back in (pickle.loads(pickle.dumps(mine)), copy.copy(mine), copy.deepcopy(mine)):
        assert type(back) is winnow.Landmarks
        assert back.same_as(mine) and back.to_bytes() == mine.to_bytes() and back.name == "mine"
    assert pickle.loads(pickle.dumps(model)).landmarks.same_as(landmarks)


def test_boxes_of_the_face_detector() -> None:
    for name, model in MODELS.items():
        ours = model.for_face_boxes()
        if name == "sure" or model.turned:  # models that know their detector, or that Winnow trained, stay as they are
            assert ours.same_as(model)
            continue
        assert (model.detector, model.place) == ("", (1, 0, 0))
        assert (ours.detector, ours.place) == ("face", (1.08, 0.02, 0.055))
        assert ours.for_face_boxes().same_as(ours)
    with pytest.raises(winnow.Error, match="whole numbers already"):
        MODELS["whole"].with_16_bits()


# Fits that can be worked out by hand: a tree with one split looks at the left and the right half of a box.
BOX = (10, 20, 101, 101)
MIDDLES = np.array([(0.25, 0.5), (0.75, 0.25), (0.5, 1)], np.float32)


def one_tree() -> winnow.ShapeTrees:
    """Goes left if the pixel at (0.75, 0.5) is brighter than that at (0.25, 0.5) by more than 100."""
    pixels, splits = np.zeros((1, 2), PIXEL), np.zeros((1, 1, 1), SPLIT)
    pixels["x"][0, 1] = 0.5
    splits[0, 0, 0] = (1, 0, 100)
    return winnow.ShapeTrees(pixels, splits)


def halves() -> np.ndarray:
    """A picture that is dark on the left half of the box, and bright on its right half."""
    picture = np.zeros((150, 130), np.uint8)
    picture[:, 60:] = 200
    return picture


def fitted(model: winnow.Landmarks, picture: np.ndarray, backend: str) -> winnow.Shape:
    (shape,) = winnow.Landmarker(model, backend=backend, threads=1).fit(picture, [BOX])  # type: ignore[arg-type]
    return shape


@pytest.mark.parametrize("backend", ["reference", "cpu"])
def test_fits_by_hand(backend: str) -> None:
    corner = np.array([10, 20])
    moves = np.zeros((1, 1, 2, 3, 2), np.float32)
    still = fitted(winnow.Landmarks(MIDDLES, one_tree(), moves), halves(), backend)
    assert still.points.tolist() == (corner + 100 * MIDDLES.astype(np.float64)).tolist()
    assert (still.confidence, still.mean_confidence, len(still), repr(still)) == (None, None, 3, "Shape(3 points)")
    placed = winnow.Landmarks(MIDDLES, one_tree(), moves, place=(2, 0.125, -0.25))
    # 100 pixels from the first pixel to the last become 200, and the middle moves by 12.5 and -25.
    assert fitted(placed, halves(), backend).points.tolist() == (corner + (-37.5, -75) + 200 * MIDDLES).tolist()

    moves[0, 0, 0, 0] = (0.125, 0)  # the left leaf moves the first point to the right
    moves[0, 0, 1, 2] = (0, -0.25)  # the right leaf moves the last point up
    whole = (moves * 1024).astype(int)
    vectors = np.zeros((1, 2, 3, 2), int)
    vectors[0, 0, 0] = (16384, 0)  # 1 in units of 2 ** -14
    vectors[0, 1, 2] = (0, -8192)
    combined = np.array([[[[2, 0], [0, 8]]]])  # an eighth of the first vector, and half of the second
    models = {
        "floats": winnow.Landmarks(MIDDLES, one_tree(), moves),
        "whole": winnow.Landmarks(MIDDLES, one_tree(), whole, unit_bits=[10]),
        "basis": winnow.Landmarks(MIDDLES, one_tree(), combined, unit_bits=[4], basis=vectors),
    }
    for name, model in models.items():
        right = fitted(model, halves(), backend).points - still.points
        assert right.tolist() == [[12.5, 0], [0, 0], [0, 0]], name
        left = fitted(model, halves()[:, ::-1], backend).points - still.points
        assert left.tolist() == [[0, 0], [0, 0], [0, -25]], name

    numbers = np.array([[[8, 0, -16], [0, 1, 2]]])
    slope, shift = np.array([2, 1, 0.5], np.float32), np.array([-1, 0, 0.25], np.float32)
    confidence = winnow.PointConfidence(one_tree(), numbers, 3, slope, shift)
    sure = winnow.Landmarks(MIDDLES, one_tree(), moves * 0, confidence=confidence)
    for picture, leaf in ((halves(), 0), (halves()[:, ::-1], 1)):
        shape = fitted(sure, picture, backend)
        wanted = [1 / (1 + math.exp(-(a * (n / 8) + b))) for a, b, n in zip(slope, shift, numbers[0, leaf], strict=True)]
        assert shape.confidence is not None and shape.confidence.dtype == np.float32
        assert shape.confidence.tolist() == np.array(wanted, np.float32).tolist()
        assert shape.mean_confidence == pytest.approx(np.mean(wanted), rel=1e-6)


def test_presence_is_the_last_number() -> None:
    numbers = np.zeros((1, 2, 4), np.int16)
    numbers[0, 1, 3] = 16  # equal pixels go right: 2
    confidence = winnow.PointConfidence(one_tree(), numbers, 3, [1, 1, 1, 0.5], [0, 0, 0, -1])
    moves = np.zeros((1, 1, 2, 3, 2), np.int16)
    plain = winnow.PointConfidence(one_tree(), numbers[:, :, :3], 3, [1] * 3, [0] * 3)
    for sure, presence in ((confidence, 0.5), (plain, None)):
        model = winnow.Landmarks(MIDDLES, one_tree(), moves, unit_bits=[20], confidence=sure)
        assert model.has_presence == (presence is not None)
        shape = winnow.Landmarker(model).fit(np.zeros((40, 50), np.uint8), [(10, 10, 21, 21)])[0]
        assert shape.presence == presence
        assert shape.whole_confidence == (shape.mean_confidence if presence is None else presence)
        for back in (pickle.loads(pickle.dumps(shape)), copy.deepcopy(shape)):
            assert back == shape and back.presence == presence
    made = winnow.Shape([(1, 2), (3, 4)], confidence=[0.5, 1], presence=0.25)
    assert (made.presence, made.whole_confidence, made.mean_confidence) == (0.25, 0.25, 0.75)
    assert winnow.Shape([(1, 2)]).whole_confidence is None
    for wrong in (-0.5, 1.5, float("nan")):
        with pytest.raises(winnow.Error, match="presence must be from 0 to 1"):
            winnow.Shape([(1, 2)], presence=wrong)



def boxes_all_over(seed: int = 5, count: int = 40) -> np.ndarray:
    """Boxes of all sizes inside a picture of 512 x 512, across its edges and outside of it."""
    random = np.random.default_rng(seed)
    return np.column_stack([random.integers(-100, 550, (count, 2)), random.integers(1, 300, (count, 2))])


@pytest.mark.parametrize("name", MODELS)
def test_every_machine_gives_the_same(name: str, gray: np.ndarray) -> None:
    boxes = boxes_all_over()
    wanted = winnow.Landmarker(MODELS[name], backend="reference").fit(gray, boxes)
    assert len(wanted) == 40
    assert len({shape.points.tobytes() for shape in wanted}) == 40
    assert all((shape.confidence is not None) == (name in ("basis", "sure")) for shape in wanted)
    for threads in (1, 2, 5):
        assert winnow.Landmarker(MODELS[name], backend="cpu", threads=threads).fit(gray, boxes) == wanted
    for target in winnow.simd_targets():
        winnow.force_simd_target(target)
        assert winnow.Landmarker(MODELS[name], backend="cpu", threads=1).fit(gray, boxes) == wanted, target
    winnow.force_simd_target("")
    assert winnow.Landmarker(pickle.loads(pickle.dumps(MODELS[name]))).fit(gray, boxes) == wanted
    if any(backend.name == "cuda" and backend.available for backend in winnow.backends()):
        assert winnow.Landmarker(MODELS[name], backend="cuda").fit(gray, boxes) == wanted


def test_trees_look_at_the_picture(gray: np.ndarray) -> None:
    landmarker = winnow.Landmarker(MODELS["floats"])
    shape, mirrored, black = (landmarker.fit(each, [FACE])[0] for each in (gray, gray[:, ::-1], gray * 0))
    assert shape != mirrored and shape != black
    moved = shape.points - (np.array(FACE[:2]) + 203 * MEAN)
    assert 0 < np.abs(moved).max() < 203 * 0.01 * 40


def test_boxes_in_every_form(gray: np.ndarray) -> None:
    landmarker = winnow.Landmarker(MODELS["sure"])
    found = winnow.Detector("face").detect(gray, min_neighbors=0)
    wanted = landmarker.fit(gray, found)
    assert len(wanted) == len(found) > 10
    doubled = np.repeat(found.boxes, 2, axis=1)
    forms = [
        list(found), tuple(found), found.objects, found.boxes, found.boxes.tolist(), [one.box for one in found],
        [list(one.box) for one in found], found.boxes.astype(np.int64), np.asfortranarray(found.boxes), doubled[:, ::2],
        found[:], other_records(found),
    ]  # fmt: skip
    for form in forms:
        assert landmarker.fit(gray, form) == wanted, type(form)
    assert landmarker.fit(gray, found.boxes[::-1]) == wanted[::-1]
    for none in ([], (), found[:0], np.zeros((0, 4), int), found.objects[:0]):
        assert landmarker.fit(gray, none) == []


def other_records(found: winnow.Detections) -> np.ndarray:
    """Records whose fields have other types than Winnow's."""
    boxes = np.zeros(len(found), [(name, "i4") for name in ("x", "y", "width", "height")] + [("score", "f8"), ("neighbors", "i8")])
    for name in found.objects.dtype.names:
        boxes[name] = found.objects[name]
    return boxes


def test_pictures_in_every_form(place: Path, gray: np.ndarray) -> None:
    landmarker = winnow.Landmarker(MODELS["sure"])
    wanted = landmarker.fit(gray, [FACE])
    color = winnow.read_picture("photo.jpg", color=True)
    wide = np.zeros((512, 1024), np.uint8)
    wide[:, ::2] = gray
    bordered = np.zeros((600, 600), np.uint8)
    bordered[40:552, 30:542] = gray
    data = Path("photo.jpg").read_bytes()
    forms = [
        "photo.jpg", Path("photo.jpg"), data, bytearray(data), winnow.read_picture("photo.jpg"), memoryview(gray),
        np.asfortranarray(gray), gray[..., None], gray[::-1][::-1], wide[:, ::2], bordered[40:552, 30:542],
    ]  # fmt: skip
    for form in forms:
        assert landmarker.fit(form, [FACE]) == wanted, type(form)
    # The grey of a JPEG is taken as it is stored, so that of its colours differs a little.
    pixels = color.color
    in_color = landmarker.fit(winnow.to_gray(pixels, channels="rgb"), [FACE])
    assert landmarker.fit(pixels, [FACE], channels="rgb") == in_color
    assert landmarker.fit(pixels[..., ::-1], [FACE], channels="bgr") == in_color
    assert landmarker.fit(pixels, [FACE], channels="bgr") != in_color
    with pytest.raises(winnow.Error, match="3 channels"):
        landmarker.fit(pixels, [FACE])
    assert landmarker.fit(gray[:200, :150], [FACE]) != wanted  # pixels outside of the picture are black


def test_many_pictures_are_fitted_as_one_by_one(place: Path, gray: np.ndarray) -> None:
    landmarker = winnow.Landmarker(MODELS["sure"], backend="cpu", threads=2)
    pictures = [gray, gray[:, ::-1], gray // 2, gray[::2, ::2], gray]
    boxes = [boxes_all_over(i, count) for i, count in enumerate((3, 0, 7, 1, 20))]
    wanted = [landmarker.fit(picture, own) for picture, own in zip(pictures, boxes, strict=True)]
    assert [len(shapes) for shapes in wanted] == [3, 0, 7, 1, 20]
    forms: list[tuple[Any, Any]] = [
        (pictures, boxes), (tuple(pictures), tuple(boxes)), (iter(pictures), iter(boxes)),
        ((each for each in pictures), [own.tolist() for own in boxes]), (dict(enumerate(pictures)).values(), boxes),
    ]  # fmt: skip
    for some, own in forms:
        assert landmarker.fit(some, own) == wanted
    stack = np.stack(pictures[:3])
    own = np.stack([boxes_all_over(i, 2) for i in range(3)])
    assert landmarker.fit(stack, own) == [landmarker.fit(*each) for each in zip(stack, own, strict=True)]
    colors = np.stack([np.dstack([picture] * 3) for picture in stack])
    assert landmarker.fit(colors, own, channels="bgr") == landmarker.fit(stack, own)
    detector = winnow.Detector("face")
    paths = ["photo.jpg", *sorted(Path("crops").glob("*.png"))[:3]]
    found = detector.detect(paths)
    assert landmarker.fit(paths, found) == [landmarker.fit(*each) for each in zip(paths, found, strict=True)]
    assert landmarker.fit([], []) == []
    assert landmarker.fit([gray], [[]]) == [[]]


def test_an_iterator_is_fitted_in_parts(gray: np.ndarray) -> None:
    """Few pictures are alive at a time, however many the iterator gives."""
    alive, most = 0, 0

    class Counted:
        def __init__(self) -> None:
            nonlocal alive, most
            alive += 1
            most = max(most, alive)
            self.pixels = gray

        def __del__(self) -> None:
            nonlocal alive
            alive -= 1

        @property
        def __array_interface__(self) -> object:
            return self.pixels.__array_interface__

    def give() -> Iterator[Counted]:
        for _ in range(9):
            yield Counted()

    boxes = boxes_all_over(1, 2100)
    landmarker = winnow.Landmarker(MODELS["floats"])
    shapes = landmarker.fit(give(), [boxes] * 9)
    assert shapes == [landmarker.fit(gray, boxes)] * 9
    assert alive == 0
    assert most < 6


@pytest.mark.parametrize(
    ("fit", "code", "sentence"),
    [
        (lambda fit, gray: fit(gray, FACE), "usage", r"boxes are an array \(n, 4\) of x, y, width and height"),
        (lambda fit, gray: fit(gray, [(1.5, 2, 3, 4)]), "usage", "boxes are whole numbers"),
        (lambda fit, gray: fit(gray, [(1, 2, 3, 2**31)]), "usage", "a box has a number of more than 32 bits"),
        (lambda fit, gray: fit(gray, [(1, 2, 0, 4)]), "usage", "a box for landmarks must be 1 pixel wide and high"),
        (lambda fit, gray: fit(gray, [(2**29, 2, 3, 4)]), "usage", r"must lie within 2\^28 pixels"),
        (lambda fit, gray: fit([gray], FACE), "usage", "picture 0 of the call: boxes are an array"),
        (lambda fit, gray: fit([gray, gray], [[FACE], [(1, 2)]]), "usage", "picture 1 of the call: boxes are an array"),
        (lambda fit, gray: fit([gray, gray], [[FACE]]), "usage", "there must be a list of boxes for each picture"),
        (lambda fit, gray: fit([gray], [[FACE], []]), "usage", "there must be a list of boxes for each picture"),
        (lambda fit, gray: fit([gray], 5), "usage", "there must be a list of boxes for each picture"),
        (lambda fit, gray: fit([gray, "no.jpg"], [[], []]), "io", "no.jpg"),
        (lambda fit, gray: fit("no.jpg", []), "io", "no.jpg"),
        (lambda fit, gray: fit(None, []), "usage", "there is no picture, but None"),
        (lambda fit, gray: fit(gray.astype(float), []), "usage", "uint8"),
        (lambda fit, gray: fit([gray, gray[:0]], [[], []]), "usage", "picture 1 of the call: the picture has no pixels"),
        (lambda fit, gray: fit(np.zeros((1, 70000), np.uint8), [FACE]), "limit", "must not exceed 65536 pixels"),
    ],
)
def test_wrong_calls(fit: Callable[..., object], code: str, sentence: str, gray: np.ndarray) -> None:
    landmarker = winnow.Landmarker(MODELS["floats"])
    with pytest.raises(winnow.Error, match=sentence) as raised:
        fit(landmarker.fit, gray)
    assert raised.value.code == code
    assert len(landmarker.fit(gray, [FACE])) == 1  # the landmarker goes on


def test_wrong_machines() -> None:
    for wrong in ({"threads": -1}, {"backend": "gpu"}, {"devices": []}):
        with pytest.raises(winnow.Error) as raised:
            winnow.Landmarker(MODELS["floats"], **wrong)  # type: ignore[arg-type]
        assert raised.value.code == "usage"
    landmarker = winnow.Landmarker(MODELS["floats"], backend="cpu", threads=2)
    assert (landmarker.backend, landmarker.threads) == ("cpu", 2)
    assert landmarker.model.same_as(MODELS["floats"])
    assert repr(landmarker) == "Landmarker(points, cpu, 2 threads)"


def test_shapes_are_values(gray: np.ndarray) -> None:
    landmarker = winnow.Landmarker(MODELS["sure"])
    one, other = landmarker.fit(gray, [FACE, (150, 90, 220, 220)])
    assert one == landmarker.fit(gray, [FACE])[0] and one != other and one != "shape"
    assert (one.points.shape, one.points.dtype) == ((5, 2), np.float64)
    points, confidence = one.points, one.confidence
    assert confidence is not None and one.confidence is not None
    points += 1
    confidence[:] = 0
    assert not np.array_equal(one.points, points) and one.confidence.min() > 0
    assert one.mean_confidence == pytest.approx(float(one.confidence.mean()))
    for shape in (one, winnow.Landmarker(MODELS["floats"]).fit(gray, [FACE])[0]):
        for back in (pickle.loads(pickle.dumps(shape)), copy.copy(shape), copy.deepcopy(shape)):
            assert back == shape and back is not shape
            assert back.mean_confidence == shape.mean_confidence
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)
    with pytest.raises(TypeError):
        winnow.Shape()


def test_shapes_are_drawn(gray: np.ndarray) -> None:
    (shape,) = winnow.Landmarker(MODELS["floats"]).fit(gray, [FACE])
    canvas = np.zeros((512, 512, 3), np.uint8)
    winnow.draw_shape(canvas, shape, (1, 2, 3))
    rows, columns = np.nonzero((canvas == (1, 2, 3)).all(axis=2))
    for x, y in shape.points:  # a dot is two pixels wide
        assert np.hypot(columns - x, rows - y).min() < 0.75
    assert all(np.hypot(*(shape.points - each).T).min() < 1.1 for each in zip(columns, rows, strict=True))
    wider = canvas.copy()
    winnow.draw_shape(wider, shape, thickness=3)
    assert (wider > 0).any(axis=2).sum() > 2 * len(rows)
    with pytest.raises(winnow.Error, match="at least one pixel thick"):
        winnow.draw_shape(canvas, shape, thickness=0)
    with pytest.raises(winnow.Error, match="drawing needs an array"):
        winnow.draw_shape(gray.copy(), shape)


def test_python_runs_while_shapes_are_fitted(gray: np.ndarray) -> None:
    trees = made_trees(np.random.default_rng(1), stages=10, trees=300)
    slow = winnow.Landmarks(MEAN, trees, np.zeros((10, 300, 8, 5, 2), np.float32))
    landmarker = winnow.Landmarker(slow, backend="reference")
    boxes = boxes_all_over(2, 10_000)
    assert standstill(lambda: landmarker.fit(gray, boxes)) < 0.5
    assert standstill(lambda: landmarker.fit([gray] * 2, [boxes] * 2)) < 0.5


def test_interrupts_end_a_batch(place: Path) -> None:
    """Pictures without end: only an interrupt ends the call."""
    program = (
        "from itertools import repeat\n"
        "import numpy as np, winnow\n"
        "landmarker = winnow.Landmarker('points.winnow', threads=1)\n"
        "found = winnow.Detector('face').detect('photo.jpg')\n"
        "print('ready', flush=True)\n"
        "landmarker.fit(repeat(np.zeros((512, 512), np.uint8)), repeat(found))\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        time.sleep(0.5)  # by then the call has begun
        child.send_signal(signal.SIGINT)
        try:
            _, said = child.communicate(timeout=60)
        finally:
            child.kill()
    assert said.strip().endswith(b"KeyboardInterrupt")


def test_threads_may_share_a_landmarker(gray: np.ndarray) -> None:
    landmarker = winnow.Landmarker(MODELS["sure"], threads=2)
    boxes = boxes_all_over()
    wanted = landmarker.fit(gray, boxes)
    wrong: list[int] = []

    def work(first: int) -> None:
        for _ in range(20):
            if landmarker.fit(gray, boxes[first:]) != wanted[first:]:
                wrong.append(first)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def rounded(value: float, units: int) -> float:
    """As result lines round: halves away from zero."""
    return math.copysign(math.floor(abs(value) * units + 0.5) / units, value)


def faces_of_the_command(*arguments: object) -> list[dict[str, Any]]:
    line = [str(each) for each in (COMMAND, "faces", "--quiet", *arguments)]
    done = subprocess.run(line, capture_output=True, text=True, check=True)
    return [json.loads(each) for each in done.stdout.splitlines()]


def check_command(model: winnow.Landmarks, path: Path) -> None:
    """`winnow faces`, a scan and a landmarker give the same points."""
    (line,) = faces_of_the_command("--landmarks", path, "photo.jpg")
    found = winnow.Detector("face").detect("photo.jpg")
    shapes = winnow.Landmarker(model.for_face_boxes()).fit("photo.jpg", found)
    assert len(line["faces"]) == len(shapes) == 1
    for face, shape in zip(line["faces"], shapes, strict=True):
        sure = shape.confidence is not None
        chances = [rounded(float(each), 1000) for each in shape.confidence] if sure else [None] * len(shape)
        wanted = [[rounded(x, 100), rounded(y, 100), chance] for (x, y), chance in zip(shape.points.tolist(), chances)]
        assert face["points"] == wanted
        assert face["confidence"] == (rounded(shape.mean_confidence, 1000) if sure else None)
    for landmarks in (path, model, winnow.Model(model)):
        frame, end = winnow.scan("photo.jpg", "face", landmarks=landmarks)
        assert frame.shapes == shapes and frame.found == found
        assert end.shapes is None


@pytest.mark.parametrize("name", MODELS)
def test_the_command_gives_the_same(name: str, place: Path) -> None:
    MODELS[name].save("model.winnow")
    check_command(MODELS[name], place / "model.winnow")


def test_scans_mark_every_frame(place: Path) -> None:
    (place / "broken.jpg").write_text("no picture")
    paths = ["photo.jpg", "crops/00.png", "broken.jpg", "backgrounds/0.png", "photo.jpg"]
    model = MODELS["sure"]
    landmarker, detector = winnow.Landmarker(model), winnow.Detector("face")
    for batch in (None, 1, 3):
        events = list(winnow.scan(paths, "face", landmarks=model, batch=batch, min_neighbors=0))
        assert [event.kind for event in events if event.kind != "end"] == ["frame", "frame", "problem", "frame", "frame"]
        for event in events:
            if event.kind == "frame":
                assert event.found == detector.detect(event.source, min_neighbors=0)
                assert event.shapes == landmarker.fit(event.source, event.found)
            else:
                assert event.shapes is None
        assert len(events[0].shapes) > 10
    assert all(event.shapes is None for event in winnow.scan("photo.jpg", "face"))
    with pytest.raises(winnow.Error, match="landmarks"):
        winnow.scan("photo.jpg", "face", landmarks="people")
    with pytest.raises(TypeError, match="landmarks are a name"):
        winnow.scan("photo.jpg", "face", landmarks=5)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def dlib() -> winnow.Landmarks:
    if not DLIB.exists():
        pytest.skip(f"there is no {DLIB}; Debian's package libdlib-data has it")
    return winnow.Landmarks.load(DLIB)


def test_dlibs_file_comes_back_byte_for_byte(dlib: winnow.Landmarks, tmp_path: Path) -> None:
    assert (dlib.points, dlib.trees.stages, dlib.trees.trees, dlib.trees.depth) == (68, 15, 500, 4)
    assert dlib.name == "shape_predictor_68_face_landmarks"
    assert dlib.to_bytes("dlib") == DLIB.read_bytes()
    assert rebuilt(dlib).same_as(dlib)
    dlib.save(tmp_path / "points.winnow")
    again = winnow.Landmarks.load(tmp_path / "points.winnow")
    assert again.same_as(dlib) and again.to_bytes("dlib") == DLIB.read_bytes()


def test_dlibs_points_lie_on_the_face(dlib: winnow.Landmarks, place: Path) -> None:
    check_command(dlib, DLIB)
    model = dlib.for_face_boxes()
    found = winnow.Detector("face").detect("photo.jpg")
    (shape,) = winnow.Landmarker(model, backend="reference").fit("photo.jpg", found)
    assert winnow.Landmarker(model, backend="cpu").fit("photo.jpg", found) == [shape]
    right_eye, left_eye, mouth = (shape.points[part].mean(axis=0) for part in (slice(36, 42), slice(42, 48), slice(48, 68)))
    assert right_eye[0] < mouth[0] < left_eye[0]
    assert abs(right_eye[1] - left_eye[1]) < 20 < mouth[1] - left_eye[1]
    x, y, width, height = found[0].box
    for part in (right_eye, left_eye, mouth):
        assert x < part[0] < x + width and y < part[1] < y + height
    small = winnow.Landmarker(model.with_16_bits()).fit("photo.jpg", found)[0]
    assert 0 < np.abs(small.points - shape.points).max() < 0.02 * width
    canvas = np.zeros((512, 512, 3), np.uint8)
    winnow.draw_shape(canvas, shape)
    assert (canvas[..., 1] == 255).sum() > 400  # lines join the points
