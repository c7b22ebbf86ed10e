"""Runs the example of every docstring, and every example of the guide."""

import doctest
import inspect
import os
import re
from pathlib import Path

import numpy as np
import pytest

import winnow
import winnow.cv2
from conftest import HERE, make_film

# Classes whose objects only come from functions. The functions have the examples.
NO_EXAMPLE = {
    "BackendInfo", "Counters", "Error", "EvaluatedLandmarks", "EvaluatedModel", "Evaluation", "FaceCover", "FittedFace", "FlowPoints", "Followed",
    "FoundFaces", "HogCascadeResult", "HogSvmResult", "JudgedDetection", "JudgedFace", "LandmarkEvaluation", "LandmarkResult",
    "LandmarkStage", "LandmarkStep", "MissedFace", "ModelCard", "ModelEntry", "NormErrors", "PackNegative", "Reliability", "Scan", "ScanEvent",
    "Track", "TrackingEvaluation", "TrackingFigures", "TrackingReliability", "TrainResult", "TrainStep", "TrainedStage", "WindowEvaluation",
}  # fmt: skip


def documented() -> dict[str, object]:
    """Every public name, and every public method of a class, with its object."""
    found: dict[str, object] = {"winnow": winnow, "winnow.cv2": winnow.cv2, "winnow.cv2.legacy": winnow.cv2.legacy}
    for name in winnow.__all__:
        item = getattr(winnow, name)
        found[name] = item
        if isinstance(item, type):
            for member in vars(item):
                value = getattr(item, member)
                if not member.startswith("_") and callable(value):
                    found[f"{name}.{member}"] = value
    found["cv2.CascadeClassifier"] = winnow.cv2.CascadeClassifier
    found["cv2.detectMultiScale"] = winnow.cv2.CascadeClassifier.detectMultiScale
    found["cv2.groupRectangles"] = winnow.cv2.groupRectangles
    found["cv2.HOGDescriptor"] = winnow.cv2.HOGDescriptor
    found["cv2.legacy.TrackerTLD"] = winnow.cv2.legacy.TrackerTLD
    for method in ("setSVMDetector", "save", "detectMultiScale", "detect", "compute"):
        found[f"cv2.HOGDescriptor.{method}"] = getattr(winnow.cv2.HOGDescriptor, method)
    return found


@pytest.mark.parametrize("name", documented())
def test_example_of(name: str, place: Path) -> None:
    text = inspect.getdoc(documented()[name]) or ""
    if name == "__version__":
        return
    assert text, f"{name} has no docstring"
    test = doctest.DocTestParser().get_doctest(text, {"winnow": winnow, "np": np, "os": os}, name, None, 0)
    assert test.examples or name in NO_EXAMPLE, f"{name} has no example"
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert results.failed == 0


def programs() -> list[str]:
    """The blocks of Python in the guide."""
    text = (HERE / "python.md").read_text()
    return re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("number", range(len(programs())))
def test_program_of_the_guide(number: int, place: Path) -> None:
    program = programs()[number]
    for needed in re.findall(r"^import (cupy|torch|av)\b", program, re.MULTILINE):
        pytest.importorskip(needed, reason=f"the program needs {needed}")
    if "cuda" in program and not any(b.name == "cuda" and b.available for b in winnow.backends()):
        pytest.skip("the program needs a device")
    if "film.avi" in program:
        make_film()
    exec(compile(program, f"program {number}", "exec"), {"__name__": "__main__"})


def test_every_public_name_is_listed() -> None:
    names = {name for name in dir(winnow._core) if not name.startswith("_")} | {"__version__", "Detection"}
    assert names == set(winnow.__all__)
