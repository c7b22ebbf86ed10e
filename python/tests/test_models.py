"""Checks `Model`: the properties of models of all kinds, and pickles of models."""

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

import winnow

KINDS = {
    "face": ("cascade", "finds face", "3600 stages", ["winnow", "opencv-xml", "opencv-old-xml"]),
    "people": ("hog-cascade", "finds people who stand or walk, upright", "512 stages", ["winnow"]),
    "people-svm": (
        "hog-svm", "finds people who stand or walk, upright", "3780 weights", ["winnow", "opencv-xml"],
    ),
}


@pytest.mark.parametrize("name", KINDS)
def test_a_model_says_what_it_is(name: str, tmp_path: Path) -> None:
    model = winnow.Model.load(name)
    assert (model.kind, model.does, model.holds, model.formats) == KINDS[name]
    assert model.name == model.card.name == name
    assert repr(model) == f"Model({name}, {model.kind}, {model.holds})"
    path = tmp_path / "copy.winnow"
    model.save(path)
    assert path.read_bytes() == model.to_bytes() == model.to_bytes("winnow")
    with pytest.raises(winnow.Error, match=r"must end in \.winnow"):
        model.save(tmp_path / "copy.txt")
    with pytest.raises(winnow.Error, match="its formats are: winnow"):
        model.to_bytes("png")
    drawn = model.draw()
    assert drawn.color.std() > 0
    assert isinstance(winnow.load(name), winnow.Model)
    for same in (winnow.Model(name), winnow.Model(winnow.load(name)), winnow.Model(path)):
        assert same.to_bytes() == model.to_bytes()
    assert winnow.Detector(model).model.name == name


@pytest.mark.parametrize("name", KINDS)
def test_models_travel_in_pickles(name: str) -> None:
    loaded = winnow.load(name)
    forms = [loaded.cascade, loaded.hog_svm, loaded.hog_cascade]
    for model in [winnow.Model.load(name), loaded, *(form for form in forms if form is not None)]:
        for back in (pickle.loads(pickle.dumps(model)), copy.copy(model), copy.deepcopy(model)):
            assert type(back) is type(model)
            assert back.to_bytes() == model.to_bytes()
            assert (back.name, back.card.terms) == (model.name, model.card.terms)


def test_a_detector_finds_the_same_with_a_model_that_travelled(gray: np.ndarray) -> None:
    model = winnow.load("face")
    found = winnow.Detector(pickle.loads(pickle.dumps(model))).detect(gray)
    assert found == winnow.Detector("face").detect(gray)


def test_cards_are_changed_in_copies() -> None:
    for model in (winnow.Model.load("people"), winnow.load("people"), winnow.HogCascade.load("people")):
        other = model.with_card(name="mine", kind="walker")
        assert type(other) is type(model)
        assert (other.name, other.card.kind, other.card.terms) == ("mine", "walker", model.card.terms)
        assert model.name == "people"
        with pytest.raises(winnow.Error):
            model.with_card(name="x" * 70000)


def test_a_detectors_model_is_loaded_as_one() -> None:
    assert type(winnow.DetectorModel.load("face")) is winnow.DetectorModel
    assert winnow.DetectorModel.load("people-svm").window == (64, 128)
