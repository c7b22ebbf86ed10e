"""Compares `winnow.cv2.HOGDescriptor` with OpenCV 4's own class, which is the witness."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import winnow
from test_cv2 import read
from winnow import cv2 as ours

theirs = pytest.importorskip("cv2", reason="the witness is OpenCV 4 (opencv-python-headless)")
if not hasattr(theirs, "HOGDescriptor"):
    pytest.skip("this OpenCV has no HOGDescriptor", allow_module_level=True)
theirs.setNumThreads(1)

PICTURES = 12
# Scores that differ by less than this from OpenCV's count as equal; docs/design/015-people.md says why they differ.
NEAR = 1e-3
FORMS: list[dict[str, Any]] = [
    {},
    {"winStride": (8, 8), "scale": 1.1},
    {"hitThreshold": 0.3, "winStride": (4, 4), "padding": (0, 0), "scale": 1.07},
    {"groupThreshold": 0, "scale": 1.2},
    {"groupThreshold": 1.9, "hitThreshold": -0.5, "winStride": np.array([16, 16])},
    {"scale": 1.0, "groupThreshold": 0, "hitThreshold": -1},
    {"useMeanshiftGrouping": False, "winStride": (0, 0), "scale": 1.5},
]
SHAPES: list[tuple[Any, ...]] = [
    (),
    ((48, 96), (16, 16), (8, 8), (8, 8), 9),
    ((32, 32), (16, 16), (4, 4), (8, 8), 9),
    ((24, 36), (12, 12), (6, 6), (6, 6), 7, 1, 2.5, 0, 0.2, True, 64, True),
]


def pictures(data: Path) -> list[Path]:
    found = sorted(path for path in (data / "people").rglob("*") if path.suffix in (".jpg", ".png"))
    return found[:: max(len(found) // PICTURES, 1)]


def rows(boxes: Any, weights: Any) -> list[tuple[tuple[int, ...], float]]:
    return sorted((tuple(int(side) for side in box), float(weight)) for box, weight in zip(boxes, weights, strict=True))


def expect_equal(a: Any, b: Any, threshold: float, what: Any) -> int:
    """Compares two results. Returns 1, or 0 if a window lies so near the threshold that the results may differ."""
    ours_rows, theirs_rows = rows(*a), rows(*b)
    if [row[0] for row in ours_rows] != [row[0] for row in theirs_rows]:
        near = [row for row in ours_rows + theirs_rows if abs(row[1] - threshold) < NEAR]
        assert near, what
        return 0
    for mine, wanted in zip(ours_rows, theirs_rows, strict=True):
        assert abs(mine[1] - wanted[1]) < NEAR, what
    assert [type(array) for array in a] == [type(array) for array in b]
    if len(a[0]):
        assert [(array.dtype, array.shape[1:]) for array in a] == [(array.dtype, array.shape[1:]) for array in b]
    return 1


def pair(shape: tuple[Any, ...], numbers: Any) -> tuple[Any, Any]:
    descriptors = ours.HOGDescriptor(*shape), theirs.HOGDescriptor(*shape)
    for descriptor in descriptors:
        descriptor.setSVMDetector(numbers)
    return descriptors


def random_numbers(shape: tuple[Any, ...], seed: int) -> np.ndarray:
    values = theirs.HOGDescriptor(*shape).getDescriptorSize()
    return np.random.default_rng(seed).normal(0, 0.1, values + 1).astype(np.float32)


def test_people_of_opencv(data: Path) -> None:
    our, their = pair((), theirs.HOGDescriptor_getDefaultPeopleDetector())
    compared = calls = 0
    for number, path in enumerate(pictures(data)):
        picture = read(path, number)
        for form in FORMS:
            a, b = (hog.detectMultiScale(picture, **form) for hog in (our, their))
            compared += expect_equal(a, b, float(form.get("hitThreshold", 0)), (path, form))
            calls += 1
        for arguments in ((), (-1,), (-0.5, (4, 4))):
            a, b = (hog.detect(picture, *arguments) for hog in (our, their))
            compared += expect_equal(a, b, float((*arguments, 0)[0]), (path, arguments))
            calls += 1
    assert compared > 0.9 * calls


def test_daimlers_people(data: Path) -> None:
    our, their = pair(SHAPES[1], theirs.HOGDescriptor_getDaimlerPeopleDetector())
    for number, path in enumerate(pictures(data)[::4]):
        picture = read(path, number)
        a, b = (hog.detectMultiScale(picture, 0.5, (8, 8), (0, 0), 1.1, 1) for hog in (our, their))
        expect_equal(a, b, 0.5, path)


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape(shape: tuple[Any, ...], data: Path) -> None:
    our, their = pair(shape, random_numbers(shape, len(shape)))
    picture = read(pictures(data)[0], len(shape))
    a, b = (hog.detect(picture, -100) for hog in (our, their))
    assert len(a[0]) > 10
    assert expect_equal(a, b, -100, shape) == 1
    high = float(np.quantile(b[1], 0.9)) + 0.002
    a, b = (hog.detectMultiScale(picture, high, scale=1.3) for hog in (our, their))
    expect_equal(a, b, high, shape)


@pytest.mark.parametrize("shape", SHAPES)
def test_values_of_windows(shape: tuple[Any, ...], data: Path) -> None:
    our, their = ours.HOGDescriptor(*shape), theirs.HOGDescriptor(*shape)
    for number, path in enumerate(pictures(data)[::4]):
        picture = read(path, number)
        for arguments in ((), ((16, 8),), ((4, 4), (0, 0))):
            a, b = (hog.compute(picture, *arguments) for hog in (our, their))
            assert (a.dtype, a.shape) == (b.dtype, b.shape), (path, arguments)
            assert np.abs(a - b).max() < 1e-4, (path, arguments)
    numbers = random_numbers(shape, 9)
    our.setSVMDetector(numbers)
    weights = our.detect(picture, -100)[1]
    scores = our.compute(picture).reshape(-1, len(numbers) - 1) @ numbers[:-1] + numbers[-1]
    assert np.abs(weights - scores).max() < NEAR
    with pytest.raises(ours.error, match="smaller than the window"):
        our.compute(np.zeros((9, 9), np.uint8))


@pytest.mark.parametrize("shape", SHAPES)
def test_attributes(shape: tuple[Any, ...]) -> None:
    our, their = ours.HOGDescriptor(*shape), theirs.HOGDescriptor(*shape)
    names = [name for name in dir(their) if not name.startswith("_") and not callable(getattr(their, name))]
    assert len(names) == 13
    for name in names:
        assert getattr(our, name) == getattr(their, name), name
        with pytest.raises(AttributeError):
            setattr(our, name, 1)
    for method in ("getDescriptorSize", "getWinSigma", "checkDetectorSize"):
        assert getattr(our, method)() == getattr(their, method)()
    numbers = random_numbers(shape, 3)
    our, their = pair(shape, numbers)
    assert np.array_equal(our.svmDetector, their.svmDetector)
    our, their = pair(shape, numbers[:-1].reshape(-1, 1))
    assert np.array_equal(our.svmDetector, their.svmDetector)


@pytest.mark.parametrize("ending", ["xml", "yml", "json"])
@pytest.mark.parametrize("shape", SHAPES)
def test_files_of_opencv(shape: tuple[Any, ...], ending: str, tmp_path: Path) -> None:
    numbers = random_numbers(shape, 7)
    path = str(tmp_path / f"saved.{ending}")
    pair(shape, numbers)[1].save(path)
    hog = ours.HOGDescriptor()
    assert hog.load(path) is True
    assert np.array_equal(hog.svmDetector, numbers)
    assert ours.HOGDescriptor(path).winSize == hog.winSize
    for name in ("winSize", "blockSize", "blockStride", "cellSize", "nbins", "gammaCorrection", "signedGradient"):
        assert getattr(hog, name) == getattr(theirs.HOGDescriptor(*shape), name)
    back = str(tmp_path / "back.xml")
    hog.save(back)
    their = theirs.HOGDescriptor()
    assert their.load(back)
    assert np.array_equal(their.svmDetector, numbers)
    assert (their.winSize, their.getWinSigma()) == (hog.winSize, hog.getWinSigma())
    svm = winnow.HogSvm.load(path)
    assert np.array_equal(svm.weights, numbers[:-1])
    assert svm.bias == numbers[-1]
    assert winnow.load(path).kind == "hog-svm"


@pytest.mark.parametrize("file", ["a.xml", "my-hog.v2.xml", "b.c.yml.gz", "c.gz", "1d.e.f.json", "no_ending"])
def test_names_in_files_are_opencvs(file: str, tmp_path: Path) -> None:
    path = str(tmp_path / file)
    ours.HOGDescriptor().save(path)
    their = theirs.HOGDescriptor()
    assert their.load(path)
    storage = theirs.FileStorage(path, theirs.FILE_STORAGE_READ)
    theirs.HOGDescriptor().save(path)
    again = theirs.FileStorage(path, theirs.FILE_STORAGE_READ)
    assert storage.root().keys() == again.root().keys()


@pytest.mark.parametrize(
    "change",
    [
        lambda h, p: h.detectMultiScale(p.astype(np.float32)),
        lambda h, p: h.detectMultiScale(np.dstack([p, p])),
        lambda h, p: h.detectMultiScale(p, winStride=()),
        lambda h, p: h.detectMultiScale(p, winStride=8),
        lambda h, p: h.detectMultiScale(p, "0"),
        lambda h, p: h.setSVMDetector(np.zeros(5, np.float32)),
        lambda h, p: type(h)((64, 128), (16, 16)),
    ],
)
def test_refuses_what_opencv_refuses(change: Any) -> None:
    picture = np.zeros((140, 140), np.uint8)
    for hog in pair((), np.zeros(3781, np.float32)):
        with pytest.raises((ours.error, TypeError)):
            change(hog, picture)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda h, p: h.detectMultiScale(p, winStride=(0, 8)), "a stride must be above 0 in both directions"),
        (lambda h, p: h.compute(p, (-8, 8)), "a stride must be above 0 in both directions"),
        (lambda h, p: h.detect(p[:100]), "smaller than the window of 64x128"),
        (lambda h, p: h.compute(p, (5, 5), (5, 5)), None),
        (lambda h, p: ours.HOGDescriptor((20, 20), (10, 10), (5, 5), (10, 10), 9).compute(p, (5, 5), (1, 1)), "multiple of 5"),
        (lambda h, p: ours.HOGDescriptor().save("a.winnow"), "call setSVMDetector"),
        (lambda h, p: h.load("missing.xml"), "'missing.xml' cannot be read"),
        (lambda h, p: h.load("", "name"), "the name of the file is empty"),
        (lambda h, p: ours.HOGDescriptor((64, 128), (16, 16), (8, 8), (7, 8), 9).getDescriptorSize(), "whole cells"),
        (lambda h, p: h.detectMultiScale(p, stride=(8, 8)), "stride"),
        (lambda h, p: h.detectMultiScale(p, "0"), "'hitThreshold' can not be treated as a double"),
    ],
)
def test_says_what_is_refused(change: Any, words: str | None) -> None:
    hog = pair((), np.zeros(3781, np.float32))[0]
    picture = np.zeros((140, 140), np.uint8)
    if words is None:
        assert len(change(hog, picture)) > 0
        return
    with pytest.raises(ours.error, match=words) as caught:
        change(hog, picture)
    assert caught.value.code in (-215, -5, -27, -2)
    assert caught.value.err in str(caught.value)


def test_nothing_is_found() -> None:
    numbers = np.append(np.zeros(3780, np.float32), np.float32(-1))
    for hog in (*pair((), numbers), ours.HOGDescriptor(), theirs.HOGDescriptor()):
        for picture in (np.zeros((200, 200), np.uint8), np.zeros((200, 200, 3), np.uint8)):
            assert hog.detectMultiScale(picture) == ((), ())
            assert hog.detect(picture) == ((), ())


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "broken.yml").write_text("%YAML:1.0\n---\na: !!opencv-object-detector-hog\n  winSize: 3\n")
    (tmp_path / "bomb.xml").write_text('<!DOCTYPE a [<!ENTITY b "c">]><opencv_storage><a>&b;</a></opencv_storage>')
    hog = pair((), np.zeros(3781, np.float32))[0]
    for name in ("missing.xml", "broken.yml", "bomb.xml"):
        with pytest.raises(ours.error, match=name.split(".")[0]):
            hog.load(str(tmp_path / name))
        assert len(hog.svmDetector) == 3781  # the old numbers stay


def test_winnows_own_files(tmp_path: Path) -> None:
    hog = pair((), random_numbers((), 5))[0]
    hog.save(tmp_path / "own.winnow")
    assert np.array_equal(ours.HOGDescriptor(tmp_path / "own.winnow").svmDetector, hog.svmDetector)


def test_every_backend_pads_alike(data: Path) -> None:
    picture = read(pictures(data)[0], 1)
    answers = []
    for backend, threads in (("reference", 1), ("cpu", 1), ("cpu", 2)):
        hog = ours.HOGDescriptor(backend=backend, threads=threads)
        hog.setSVMDetector(theirs.HOGDescriptor_getDefaultPeopleDetector())
        found = hog.detectMultiScale(picture, -0.5, (8, 16), (16, 8), 1.3)
        places = hog.detect(picture, -9, padding=(8, 8), searchLocations=[(3, 5), (-8, 0)])
        answers.append([np.asarray(array).tobytes() for array in (*found, *places)])
    assert answers[0] == answers[1] == answers[2]


def test_people_without_opencv_4() -> None:
    for name in ("HOGDescriptor_getDefaultPeopleDetector", "HOGDescriptor_getDaimlerPeopleDetector"):
        assert np.array_equal(getattr(ours, name)(), getattr(theirs, name)())
    assert np.array_equal(ours.HOGDescriptor.getDefaultPeopleDetector(), theirs.HOGDescriptor_getDefaultPeopleDetector())
    program = (
        "import sys, types, warnings\n"
        "sys.modules['cv2'] = {cv2}\n"
        "import winnow\n"
        "from winnow import cv2\n"
        "with warnings.catch_warnings(record=True) as told:\n"
        "    warnings.simplefilter('always')\n"
        "    numbers = cv2.HOGDescriptor.getDefaultPeopleDetector()\n"
        "    cv2.HOGDescriptor_getDefaultPeopleDetector()\n"
        "assert numbers.shape == (3781,) and numbers.dtype == 'float32', numbers\n"
        "assert [str(w.message).split(',')[0] for w in told] == [\n"
        "    \"getDefaultPeopleDetector gives the numbers of Winnow's model people-svm\"], told\n"
        "hog = cv2.HOGDescriptor(); hog.setSVMDetector(numbers)\n"
        "svm = winnow.HogSvm.load('people-svm')\n"
        "assert hog.winSize == svm.window and winnow.HogShape() == svm.shape\n"
        "try: cv2.HOGDescriptor.getDaimlerPeopleDetector()\n"
        "except cv2.error as error: print('caught', error.err)\n"
    )
    for cv2 in ("None", "types.SimpleNamespace(error=type('error', (Exception,), {}), __version__='5.0.0')"):
        done = subprocess.run([sys.executable, "-c", program.replace("{cv2}", cv2)], capture_output=True, text=True)
        assert done.stdout.startswith("caught the numbers of getDaimlerPeopleDetector are OpenCV's"), done.stderr


def test_constants() -> None:
    for name in dir(theirs):
        if name.upper().startswith("HOGDESCRIPTOR_") and isinstance(getattr(theirs, name), int):
            assert getattr(ours, name) == getattr(theirs, name)
