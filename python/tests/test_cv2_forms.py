"""Runs the calls of `cv2_forms.py` with OpenCV 4 and with `winnow.cv2`, and compares their results.

Types, dtypes, shapes, writability and values are compared, and the classes of exceptions. A window whose weight lies
within 0.001 of the threshold may be in one result only. Such cases are counted, and there may be one in 200.
"""

import os
import re
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cv2_hog_forms  # noqa: F401  its forms join the others
from conftest import HERE
from cv2_forms import FORMS, PICTURES, STATES, Form, markdown
from cv2_pictures import Shot, made, real
from winnow import cv2 as ours

theirs = pytest.importorskip("cv2", reason="the witness is OpenCV 4 (opencv-python-headless)")
if not theirs.__version__.startswith("4."):
    pytest.skip(f"the witness is OpenCV 4, not {theirs.__version__}", allow_module_level=True)
theirs.setNumThreads(1)

NEAR = 1e-3
XML = theirs.data.haarcascades + "haarcascade_frontalface_alt.xml"
PEOPLE = theirs.HOGDescriptor_getDefaultPeopleDetector()
DIGITS = ((20, 20), (10, 10), (5, 5), (10, 10), 9, 1, -1, 0, 0.2, 1, 64, True)
COUNTS: Counter[str] = Counter()
Outcome = tuple[str, Any]  # ("answer", the result) or ("raised", the exception)


def objects(cv2: Any) -> dict[str, Any]:
    hog = cv2.HOGDescriptor()
    hog.setSVMDetector(PEOPLE)
    return {"cv2": cv2, "faces": cv2.CascadeClassifier(XML), "hog": hog, "digits": cv2.HOGDescriptor(*DIGITS)}


def pixels(shot: Shot | None) -> dict[str, Any]:
    if shot is None:
        return {}
    gray = shot.gray
    # The first channel has the largest gradient everywhere, because OpenCV treats ties differently in the last columns.
    tinted = np.dstack([gray, gray // 2, gray // 4])
    crops = {"patch": gray[40:60, 60:80], "window": gray[40:168, 40:104]}
    return {"gray": gray, "bgr": shot.bgr, "tinted": tinted, **crops}


class Runner:
    """Runs forms with one module."""

    def __init__(self, cv2: Any, folder: Path) -> None:
        self._objects, self._folder, self._runs = objects(cv2), folder, 0

    def __call__(self, form: Form, shot: Shot | None = None, **other: Any) -> Outcome:
        self._runs += 1
        place = self._folder / str(self._runs)
        place.mkdir()
        (place / "text").write_text("hello")
        (place / "storage").write_text("<?xml version='1.0'?><opencv_storage><a>1</a></opencv_storage>")
        files = {"file": str(place / "a"), "text": str(place / "text"), "storage": str(place / "storage"), "xml": XML}
        names = {"np": np, "os": os, "Path": Path, "opencv": theirs, "people": PEOPLE.copy(), **files}
        names |= {**self._objects, **pixels(shot), "black": np.zeros((200, 200), np.uint8), **other}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return "answer", form.function()(names)
            except Exception as reason:
                return "raised", reason


class Watched:
    """OpenCV's descriptor, which also counts the windows just below and just above a threshold, before grouping."""

    def __init__(self, hog: Any, hits: list[int]) -> None:
        self._hog, self._hits = hog, hits

    def __getattr__(self, name: str) -> Any:
        return getattr(self._hog, name)

    def detect(self, img: Any, hitThreshold: Any = 0, *rest: Any, **named: Any) -> Any:  # noqa: N803
        min_score = float(hitThreshold or 0)
        self._hits += [len(self._hog.detect(img, min_score + step, *rest, **named)[0]) for step in (-NEAR, NEAR)]
        return self._hog.detect(img, min_score, *rest, **named)

    def detectMultiScale(self, img: Any, *values: Any, **named: Any) -> Any:  # noqa: N802
        order = ("hitThreshold", "winStride", "padding", "scale", "groupThreshold", "useMeanshiftGrouping")
        given = {**dict(zip(order, values, strict=False)), **named}
        min_score = float(given.get("hitThreshold") or 0)
        for step in (-NEAR, NEAR):
            alone = {**given, "hitThreshold": min_score + step, "groupThreshold": 0, "useMeanshiftGrouping": False}
            self._hits.append(len(self._hog.detectMultiScale(img, **alone)[0]))
        return self._hog.detectMultiScale(img, **given)


class WatchedModule:
    def __init__(self, hits: list[int]) -> None:
        self._hits = hits

    def __getattr__(self, name: str) -> Any:
        if name == "HOGDescriptor":
            return lambda *values: Watched(theirs.HOGDescriptor(*values), self._hits)
        return getattr(theirs, name)


def has_near_window(form: Form, shot: Shot | None, runner: Runner) -> bool:
    """Whether OpenCV has a window whose weight lies within 0.001 of the form's threshold."""
    hits: list[int] = []
    hog = theirs.HOGDescriptor()
    hog.setSVMDetector(PEOPLE)
    runner(form, shot, hog=Watched(hog, hits), cv2=WatchedModule(hits))
    return any(low != high for low, high in zip(hits[::2], hits[1::2], strict=True))


def kind(value: Any) -> Any:
    """The properties that must be equal, without the values and the number of rows."""
    if isinstance(value, np.ndarray):
        return ("array", value.dtype, value.shape[1:], value.flags.writeable, value.flags.c_contiguous)
    if isinstance(value, (tuple, list)):
        return (type(value), [kind(item) for item in value])
    return value if isinstance(value, type) else type(value)


def flat(value: Any) -> list[Any]:
    """The rows of boxes, or of boxes and the values of each, in a fixed order."""
    if isinstance(value, tuple) and value and all(len(item) == len(value[0]) for item in value):
        return sorted(tuple(np.ravel(np.asarray(v)).tolist() for v in row) for row in zip(*value, strict=True))
    return sorted(np.ravel(np.asarray(row)).tolist() for row in value)


def is_result(value: Any) -> bool:
    """Whether this is boxes, or boxes and the values of each, and not a tuple or list of several results."""
    items = value if isinstance(value, tuple) and value else (value,)
    if not all(isinstance(item, np.ndarray) or (isinstance(item, tuple) and not item) for item in items):
        return False
    return len({len(item) for item in items}) == 1 and (len(items[0]) == 0 or items[0].ndim == 2)


def expect_rows(form: Form, a: Any, b: Any) -> None:
    if isinstance(b, (tuple, list)) and not is_result(b) and any(is_result(item) for item in b):
        assert len(a) == len(b)
        for mine, wanted in zip(a, b, strict=True):
            expect_rows(form, mine, wanted)
        return
    if not isinstance(b, (tuple, list, np.ndarray)):
        assert a == b
        return
    rows, wanted_rows = ((flat(value) if len(value) else []) for value in (a, b))
    assert len(rows) == len(wanted_rows)
    if form.rule == "places":
        assert np.array_equal(a[0], b[0])
    if form.rule == "boxes":
        assert rows == wanted_rows
    elif form.rule in ("hog", "places"):
        assert [row[0] for row in rows] == [row[0] for row in wanted_rows]
        for row, wanted in zip(rows, wanted_rows, strict=True):
            assert abs(row[1][0] - wanted[1][0]) < NEAR
    else:
        for box, (weight,) in rows:
            same = (r for r in wanted_rows if abs(np.subtract(r[0], box)).max() <= 1)
            wanted_rows.remove(next((r for r in same if abs(r[1][0] - weight) <= abs(weight) / 100), None))


def expect_exact(a: Any, b: Any, most: float) -> None:
    if isinstance(b, np.ndarray):
        assert a.shape == b.shape
        assert np.array_equal(a, b, equal_nan=True) or (most and np.abs(a - b).max() < most)
    elif isinstance(b, (tuple, list)):
        assert len(a) == len(b)
        for mine, wanted in zip(a, b, strict=True):
            expect_exact(mine, wanted, most)
    else:
        assert a == b


def expect_same(form: Form, mine: Outcome, wanted: Outcome) -> None:
    """Fails with the difference; `mine` is the result of `winnow.cv2`."""
    assert mine[0] == wanted[0], f"{form.call}: {mine} instead of {wanted}"
    if wanted[0] == "raised":
        # For a bad file, OpenCV's constructor raises SystemError, whose cause is cv2.error.
        cause = wanted[1].__cause__ if isinstance(wanted[1], SystemError) else None
        assert type(mine[1]) in (type(wanted[1]), type(cause)), f"{form.call}: {mine[1]!r} instead of {wanted[1]!r}"
        return
    a, b = mine[1], wanted[1]
    assert kind(a) == kind(b), form.call
    if form.rule in ("boxes", "hog", "places", "shift"):
        expect_rows(form, a, b)
    else:
        expect_exact(a, b, 1e-4 if form.rule == "values" else 0)


def differ_in_rows(form: Form, mine: Outcome, wanted: Outcome) -> bool:
    """Whether the results have the same properties and differ only in rows. An empty result may be of another kind."""
    if form.rule not in ("hog", "places", "shift") or (mine[0], wanted[0]) != ("answer", "answer"):
        return False

    def same(a: Any, b: Any) -> bool:
        if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
            return all(same(*pair) for pair in zip(a, b, strict=True))
        return kind(a) == kind(b) or any(isinstance(item, tuple) and not item for item in (a, b))

    return same(mine[1], wanted[1])


def compare(form: Form, shots: list[Shot], pair: tuple[Runner, Runner]) -> None:
    for shot in shots if form.needs_picture else [None]:
        outcomes = [runner(form, shot) for runner in pair]
        COUNTS["comparisons"] += 1
        if form.rule == "refused":
            assert outcomes[1][0] == "raised", f"OpenCV answers {form.call}"
        try:
            expect_same(form, *outcomes)
        except (AssertionError, ValueError) as reason:
            if not differ_in_rows(form, *outcomes) or not has_near_window(form, shot, pair[1]):
                raise AssertionError(f"{form} with {shot and shot.name}: {reason}") from reason
            COUNTS["near windows"] += 1
            print(f"near the threshold: {form} with {shot and shot.name}")


def some(shots: list[Shot], form: Form, count: int) -> list[Shot]:
    """Chooses `count` pictures, which differ from form to form. The first picture shows what the form searches for."""
    number = FORMS.index(form)
    own = [shot for shot in shots if shot.shows == ("face" if "faces" in form.call else "person")]
    first = own[number % len(own)]
    others = [shot for shot in shots if shot is not first]
    return [first, *(others[(number * 5 + i) % len(others)] for i in range(count - 1))]


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Runner, Runner]:
    return Runner(ours, tmp_path_factory.mktemp("ours")), Runner(theirs, tmp_path_factory.mktemp("theirs"))


@pytest.fixture(scope="module")
def made_shots() -> list[Shot]:
    return made(theirs)


@pytest.fixture(scope="module")
def real_shots(data: Path) -> list[Shot]:
    return real(theirs, data)


def named(*rules: str) -> list[Any]:
    return [pytest.param(form, id=str(form)) for form in FORMS if form.rule in rules]


EQUAL = ("exact", "boxes", "hog", "places", "shift", "values", "refused")


def test_the_list() -> None:
    assert len(FORMS) == len({str(form) for form in FORMS}) > 300
    assert {form.rule for form in FORMS} == set(STATES)


@pytest.mark.parametrize("form", named(*EQUAL))
def test_made_pictures(form: Form, pair: tuple[Runner, Runner], made_shots: list[Shot]) -> None:
    compare(form, some(made_shots, form, 2), pair)


@pytest.mark.parametrize("form", [f for f in named(*EQUAL[1:6]) if f.values[0].needs_picture])
def test_real_pictures(form: Form, pair: tuple[Runner, Runner], real_shots: list[Shot]) -> None:
    compare(form, some(real_shots, form, 1), pair)


@pytest.mark.parametrize("form", named("fault", "small"))
def test_faults_of_opencv(form: Form, pair: tuple[Runner, Runner], made_shots: list[Shot]) -> None:
    how, outcome = pair[0](form, made_shots[0] if form.needs_picture else None)
    if how == "answer":
        assert form.rule == "small", form.call
        assert outcome in ((), ((), ()))
    else:
        assert isinstance(outcome, theirs.error), repr(outcome)


@pytest.mark.parametrize("form", named("wider", "safe"))
def test_answers_where_opencv_does_not(form: Form, pair: tuple[Runner, Runner], made_shots: list[Shot]) -> None:
    shot = made_shots[8]
    assert pair[0](form, shot)[0] == "answer"
    assert form.rule == "safe" or pair[1](form, shot)[0] == "raised"


def test_near_windows_are_rare() -> None:
    print(f"{COUNTS['comparisons']} comparisons, {COUNTS['near windows']} with a window near the threshold")
    assert COUNTS["near windows"] * 200 <= max(COUNTS["comparisons"], 200)


def test_guide_has_the_table() -> None:
    guide = HERE / "python.md"
    found = re.search(r"<!-- forms -->\n(.*?)<!-- /forms -->", guide.read_text() if guide.exists() else "", re.S)
    if found is None:
        pytest.skip("the guide has no table of forms")
    assert found[1].strip() == markdown().strip()


WRONG = {
    "numbers of another type": lambda v: v.astype(np.float32 if v.dtype == np.float64 else np.float64),
    "read-only": lambda v: (v.setflags(write=False), v)[1],
    "one less": lambda v: v[:-1].copy(),
    "moved": lambda v: v + np.array(2, v.dtype),
    "another shape": lambda v: v.reshape(len(v), -1, 1),
    "every second byte": lambda v: np.repeat(v, 2, -1)[..., ::2],
    "lists": lambda v: v.tolist(),
    "nothing": lambda v: (),
}


def spoil(value: Any, change: Any) -> Any:
    if isinstance(value, np.ndarray):
        return change(value.copy())
    if isinstance(value, (tuple, list)):
        return type(value)(spoil(item, change) for item in value)
    return value


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_answers_are_seen(wrong: str, pair: tuple[Runner, Runner], made_shots: list[Shot]) -> None:
    names = {"all by position", "counts", "levels and weights", "a picture alone", "mean shift from 0", "places"}
    chosen = [form for form in FORMS if form.name in names and form.rule in EQUAL[1:6]]
    assert len(chosen) == len(names) + 2
    for form in chosen:
        shot = made_shots[8 if form.topic == "faces" else 0]
        wanted = pair[1](form, shot)
        expect_same(form, pair[1](form, shot), wanted)
        assert any(len(item) for item in (wanted[1] if isinstance(wanted[1], tuple) else [wanted[1]]))
        with pytest.raises((AssertionError, ValueError)):
            expect_same(form, ("answer", spoil(wanted[1], WRONG[wrong])), wanted)


def test_near_windows_are_seen(pair: tuple[Runner, Runner], made_shots: list[Shot]) -> None:
    weights = pair[1](Form("", "", "hog.detect(gray, -1)[1]", "hog"), made_shots[0])[1]
    call = "h = cv2.HOGDescriptor(); h.setSVMDetector(people); h.detectMultiScale(gray, {}, (8, 8), scale=1)"
    for min_score, near in ((weights.max() + 2e-4, True), (weights.max() - 2e-4, True), (weights.max() + 2e-3, False)):
        for line in (f"hog.detect(gray, {min_score})", call.format(min_score)):
            assert has_near_window(Form("", "", line, "hog"), made_shots[0], pair[1]) is near


def test_wrong_exceptions_are_seen(pair: tuple[Runner, Runner], made_shots: list[Shot]) -> None:
    form = next(form for form in FORMS if form.name == "neighbors 3.0")
    wanted = pair[1](form, made_shots[0])
    for mine in (("answer", ()), ("raised", TypeError("no")), ("raised", SystemError("no"))):
        with pytest.raises(AssertionError):
            expect_same(form, mine, wanted)
    assert set(pixels(made_shots[0])) == PICTURES
