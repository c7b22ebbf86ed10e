"""Checks that every public function has a signature, and says in one sentence which argument is wrong."""

import inspect
import pickle
import pydoc
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import winnow
from landmark_models import made_landmarks

GRAY = np.zeros((30, 30), np.uint8)
DETECTOR = winnow.Detector("face")
LANDMARKER = winnow.Landmarker(made_landmarks())
MEAN = LANDMARKER.model.mean
# Classes whose objects only Winnow makes, so their constructors need no signature.
MADE = {
    "BackendInfo", "Cascade", "Counters", "Detections", "Evaluation", "FaceCover", "FittedFace", "FlowPoints", "Followed",
    "FoundFaces", "HogCascade", "HogCascadeResult", "HogSvmResult", "JudgedDetection", "JudgedFace", "LandmarkEvaluation", "LandmarkResult",
    "LandmarkStage", "LandmarkStep", "MissedFace", "ModelCard", "ModelEntry", "NormErrors", "Pack", "PackNegative",
    "Picture", "Reliability", "Scan", "ScanEvent", "Track", "TrackingEvaluation", "TrackingFigures", "TrackingReliability",
    "TrainResult", "TrainStep", "TrainedStage", "WindowEvaluation",
}  # fmt: skip


def callables() -> dict[str, Callable[..., Any]]:
    """Every public function, class that can be made, and method of the package itself."""
    found: dict[str, Callable[..., Any]] = {}
    for name in winnow.__all__:
        item = getattr(winnow, name)
        if name in ("__version__", "Error", "Detection"):
            continue
        if not isinstance(item, type):
            found[name] = item
            continue
        if name not in MADE:
            found[name] = item
        for member, value in vars(item).items():
            if not member.startswith("_") and (callable(value) or isinstance(value, staticmethod)):
                found[f"{name}.{member}"] = getattr(item, member)
    return found


@pytest.mark.parametrize("name", callables())
def test_signature_of(name: str) -> None:
    item = callables()[name]
    signature = inspect.signature(item)
    for parameter in signature.parameters.values():
        assert parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        assert parameter.name == "self" or parameter.annotation is not parameter.empty
    short = name.rpartition(".")[2]
    assert item.__name__ == short
    # pydoc writes a bold letter as the letter, a backspace, and the letter again.
    text = re.sub(".\b", "", pydoc.render_doc(item))
    assert short in text
    for parameter in signature.parameters:
        assert parameter in text


@pytest.mark.parametrize("name", callables())
def test_an_unknown_keyword_is_named_by(name: str) -> None:
    item = callables()[name]
    with pytest.raises(TypeError) as raised:
        item(qqqq=1)
    text = str(raised.value)
    assert text.startswith(f"{name.rpartition('.')[2]}() has no keyword 'qqqq'; ")
    for parameter in inspect.signature(item).parameters:
        assert parameter == "self" or parameter in text
    assert "\n" not in text and "\\" not in text


def test_signatures_have_the_defaults_of_the_library() -> None:
    parameters = inspect.signature(winnow.Detector.detect).parameters
    assert list(parameters)[:3] == ["self", "picture", "channels"]
    assert parameters["scale_factor"].default is None
    assert parameters["min_size"].default == (0, 0)
    assert parameters["merge"].default is None
    assert parameters["merge"].annotation == "typing.Literal['groups', 'meanshift', 'support'] | None"
    assert parameters["scale_factor"].kind is inspect.Parameter.KEYWORD_ONLY
    assert list(inspect.signature(winnow.Detector).parameters) == ["model", "backend", "threads", "devices"]
    assert inspect.signature(winnow.HogShape).parameters["window"].default == (64, 128)
    assert inspect.signature(winnow.train_cascade).parameters["memory"].default == 2 << 30
    assert inspect.signature(winnow.load).return_annotation == "DetectorModel"


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: DETECTOR.detect(GRAY, scaleFactor=1.2), "detect() has no keyword 'scaleFactor'; it is called scale_factor"),
        (lambda: DETECTOR.detect(GRAY, minNeighbors=3), "detect() has no keyword 'minNeighbors'; it is called min_neighbors"),
        (lambda: DETECTOR.detect(GRAY, minSize=(9, 9)), "detect() has no keyword 'minSize'; it is called min_size"),
        (lambda: DETECTOR.detect(GRAY, maxSize=(9, 9)), "detect() has no keyword 'maxSize'; it is called max_size"),
        (lambda: DETECTOR.detect(GRAY, winStride=8), "detect() has no keyword 'winStride'; it is called step"),
        (lambda: DETECTOR.detect(GRAY, hitThreshold=1), "detect() has no keyword 'hitThreshold'; it is called min_score"),
        (lambda: DETECTOR.detect(GRAY, min_neighbours=3), "detect() has no keyword 'min_neighbours'; it is called min_neighbors"),
        (lambda: DETECTOR.detect([GRAY], chanels="rgb"), "detect() has no keyword 'chanels'; it is called channels"),
        (lambda: DETECTOR.enqueue(GRAY, minSize=(9, 9)), "enqueue() has no keyword 'minSize'; it is called min_size"),
        (lambda: winnow.Detector("face", num_threads=2), "Detector() has no keyword 'num_threads'; it is called threads"),
        (lambda: winnow.Detector("face", device=0), "Detector() has no keyword 'device'; it is called devices"),
        (lambda: LANDMARKER.fit(img=GRAY, boxes=[]), "fit() has no keyword 'img'; it is called picture"),
        (lambda: winnow.Landmarker("points", n_jobs=2), "Landmarker() has no keyword 'n_jobs'; it is called threads"),
        (lambda: winnow.Flow().track(GRAY, GRAY, [], winSize=(9, 9)), "track() has no keyword 'winSize'; it is called window"),
        (lambda: winnow.HogShape(winSize=(8, 8)), "HogShape() has no keyword 'winSize'; it is called window"),
        (lambda: winnow.make_pack("a", win=(24, 24)), "make_pack() has no keyword 'win'; it is called window"),
        (lambda: winnow.load("face", 1), "load() takes name_or_path by place and nothing else"),
        (lambda: winnow.load(), "load() needs name_or_path"),
        (lambda: winnow.Detector(), "Detector() needs model"),
        (lambda: winnow.load("face", name_or_path="eye"), "load() got name_or_path twice"),
        (lambda: winnow.read_picture(5), "read_picture() takes path as a str or bytes or a path, not 5"),
        (lambda: winnow.read_picture("a", color="yes"), "read_picture() takes color as True or False, not 'yes'"),
        (lambda: winnow.simd_targets(1), "simd_targets() takes no argument by place and nothing else"),
        (lambda: DETECTOR.detect(GRAY, min_size=5), "detect() takes min_size as two whole numbers, not 5"),
        (lambda: DETECTOR.detect(GRAY, min_size=(5, 5, 5)), "detect() takes min_size as two whole numbers, not (5, 5, 5)"),
        (lambda: DETECTOR.detect(GRAY, min_size=(5, 2**31)), "detect() takes min_size as two whole numbers, and 2147483648 is out of range"),
        (lambda: DETECTOR.detect(GRAY, min_neighbors=1.5), "detect() takes min_neighbors as a whole number or None, not 1.5"),
        (lambda: DETECTOR.detect(GRAY, scale_factor="1.2"), "detect() takes scale_factor as a number or None, not '1.2'"),
        (lambda: DETECTOR.detect(GRAY, raw=1), "detect() takes raw as True or False, not 1"),
        (lambda: DETECTOR.detect(GRAY, merge=3), "detect() takes merge as 'groups' or 'meanshift' or 'support' or None, not 3"),
        (lambda: DETECTOR.detect(GRAY, channels=3), "detect() takes channels as 'rgb' or 'bgr' or None, not 3"),
        (lambda: winnow.Detector("face", threads="2"), "Detector() takes threads as a whole number, not '2'"),
        (lambda: winnow.Detector("face", devices=0), "Detector() takes devices as a sequence of whole numbers, not 0"),
        (lambda: winnow.draw_box(np.zeros((9, 9, 3), np.uint8), (1, 2, 3)), "draw_box() takes box as four whole numbers, not (1, 2, 3)"),
        (lambda: winnow.train_cascade("a"), "train_cascade() takes pack as a Pack, not 'a'"),
        (lambda: winnow.LabelledPicture("a", [1]), "LabelledPicture() takes labels as a sequence of Labels, not [1]"),
        (lambda: winnow.Label((1, 2, 3)), "Label() takes box as four numbers, not (1, 2, 3)"),
        (lambda: LANDMARKER.fit(GRAY), "fit() needs boxes"),
        (lambda: LANDMARKER.fit(GRAY, [], "rgb"), "fit() takes picture, boxes by place; name the others: channels"),
        (lambda: LANDMARKER.model.same_as("face"), "same_as() takes other as a Landmarks, not 'face'"),
        (lambda: winnow.Landmarks(MEAN, 5, []), "Landmarks() takes trees as a ShapeTrees, not 5"),
        (lambda: winnow.train_landmarks("a"), "train_landmarks() takes faces as a FaceSet, not 'a'"),
        (lambda: winnow.TrainingFace(0, MEAN), "TrainingFace() needs box"),
        (lambda: winnow.MarkedFace((0, 0, 9, 9), MEAN), "MarkedFace() takes shape as a Shape, not ndarray"),
        (lambda: winnow.evaluate_landmarks([], [], 0.1), "evaluate_landmarks() takes pictures, found by place; name the others: distance, names, model"),
        (lambda: winnow.HogShape(bins=2.5), "HogShape() takes bins as a whole number, not 2.5"),
        (lambda: DETECTOR.detect(GRAY, region=(0, 0, 9)), "detect() takes region as four whole numbers or None, not (0, 0, 9)"),
        (lambda: LANDMARKER.fit(GRAY, None), "fit() takes boxes as a Detections or a sequence of objects or an array, not None"),
        (lambda: winnow.Flow().track(GRAY, GRAY, None), "track() takes points as an array, not None"),
        (lambda: winnow.write_picture("a.png", None), "write_picture() needs picture, and got None"),
        (lambda: winnow.Tracker(seed=-1), "Tracker() takes seed as a whole number, and -1 is out of range"),
    ],
)  # fmt: skip
def test_a_wrong_call_is_one_sentence(call: Callable[[], object], sentence: str) -> None:
    with pytest.raises(TypeError) as raised:
        call()
    assert str(raised.value) == sentence
    # Python shows no second error above this one.
    assert raised.value.__cause__ is None
    assert raised.value.__suppress_context__ or raised.value.__context__ is None


def test_arguments_by_place_name_the_others() -> None:
    with pytest.raises(TypeError, match=r"^detect\(\) takes picture by place; name the others: channels, scale_factor, "):
        DETECTOR.detect(GRAY, 1.1)
    with pytest.raises(TypeError, match="a model is a name, a path, a DetectorModel, a Cascade"):
        winnow.Detector(7)
    with pytest.raises(TypeError, match="landmarks are a name, a path, Landmarks or a Model"):
        winnow.Landmarker(7)


def _pack() -> winnow.Pack:
    return winnow.make_pack("crops", "backgrounds", window=(24, 24))


def test_errors_of_callbacks_stay_as_they_are(place: object) -> None:
    with pytest.raises(TypeError, match="progress is a function that takes a TrainStep, or True for a bar"):
        winnow.train_cascade(_pack(), progress=3)

    def broken(step: winnow.TrainStep) -> None:
        len(5)  # type: ignore[arg-type]

    with pytest.raises(TypeError, match="has no len"):
        winnow.train_cascade(_pack(), features="lbp", stages=1, negatives=100, progress=broken)


def test_functions_travel_to_other_processes() -> None:
    assert pickle.loads(pickle.dumps(winnow.read_picture)) is winnow.read_picture
    assert pickle.loads(pickle.dumps(winnow.Detector.detect)) is winnow.Detector.detect


def test_words_of_the_types_are_those_of_the_library(tmp_path: Path) -> None:
    """Each word of a Literal is taken, and an error about a wrong word lists the same words."""

    def words(function: Callable[..., object], name: str) -> list[str]:
        annotation = inspect.signature(function).parameters[name].annotation
        return re.findall(r"'([\w-]+)'", annotation)

    cascade, svm = winnow.Cascade.load("haarcascade_eye"), winnow.HogSvm(np.ones(3780, np.float32))
    polygon = tmp_path / "polygon.txt"
    polygon.write_text("1,1,9,1,9,9,1,9\n")
    calls: list[tuple[Callable[..., object], str, Callable[[str], object]]] = [
        (winnow.Detector.detect, "merge", lambda word: DETECTOR.detect(GRAY, merge=word)),
        (winnow.Detector.detect, "channels", lambda word: DETECTOR.detect(GRAY, channels=word)),
        (winnow.Detector, "backend", lambda word: winnow.Detector("face", backend=word)),
        (winnow.Cascade.to_bytes, "format", lambda word: cascade.to_bytes(word)),
        (winnow.HogSvm.to_bytes, "format", lambda word: svm.to_bytes(word)),
        (winnow.Landmarks.to_bytes, "format", lambda word: LANDMARKER.model.to_bytes(word)),
        (winnow.encode_picture, "format", lambda word: winnow.encode_picture(GRAY, word)),
        (winnow.count_features, "features", lambda word: winnow.count_features(word, (24, 24))),
        (winnow.read_box_track, "or_else", lambda word: winnow.read_box_track(polygon, or_else=word)),
        (winnow.LandmarkEvaluation.of, "norm", lambda word: winnow.evaluate_landmarks([], []).of(word)),
        (winnow.EvalRule, "match", lambda word: winnow.EvalRule(match=word)),
        (winnow.EvalRule, "rank_by", lambda word: winnow.EvalRule(rank_by=word)),
    ]
    for function, name, call in calls:
        known = words(function, name)
        assert len(known) >= 2
        for word in known:
            try:
                call(word)
            except winnow.Error as error:
                assert error.code == "backend"  # noqa: PT017
        with pytest.raises(winnow.Error) as raised:
            call("zzz")
        assert all(word in raised.value.sentence for word in known), raised.value.sentence
