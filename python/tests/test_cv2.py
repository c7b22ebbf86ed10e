"""Compares `winnow.cv2` with OpenCV 4's own module, which is the witness."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import winnow
from winnow import cv2 as ours

theirs = pytest.importorskip("cv2", reason="the witness is OpenCV 4 (opencv-python-headless)")
if not theirs.__version__.startswith("4."):
    pytest.skip(f"the witness is OpenCV 4, not {theirs.__version__}", allow_module_level=True)
theirs.setNumThreads(1)

FOLDER = Path(ours.data.haarcascades)
OTHER_SPELLING = "haarcascade_license_plate_rus_16stages.xml"
CASCADES = sorted(path.name for path in FOLDER.glob("*.xml") if path.name != OTHER_SPELLING)
PICTURES = 50
# The arguments of calls: by place and by name, sizes as tuples, lists and arrays, as OpenCV's documentation has them.
FORMS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((), {}),
    ((1.2,), {}),
    ((1.1, 5), {}),
    ((1.3, 2, 0, (30, 30)), {}),
    ((1.15, 4, ours.CASCADE_SCALE_IMAGE, [20, 40], [200, 200]), {}),
    ((), {"scaleFactor": 1.25, "minNeighbors": 1, "flags": 0, "minSize": np.array([24, 24]), "maxSize": (0, 0)}),
    ((), {"minNeighbors": 0, "scaleFactor": 1.4}),
    ((np.float32(1.2), np.int64(6)), {"minSize": (60, 60), "maxSize": np.array([160, 160])}),
    ((), {"minSize": None, "maxSize": (400, 90), "scaleFactor": 1.5}),
    ((2, 1), {"minSize": (1, 1)}),
]


def pictures(data: Path) -> list[Path]:
    """The paths of 50 pictures of all kinds, spread over the folder."""
    found = sorted(path for kind in ("faces", "people", "photos", "scenes") for path in (data / kind).rglob("*.jpg"))
    found += sorted(path for kind in ("faces", "people") for path in (data / kind).rglob("*.png"))
    step = len(found) / PICTURES
    return [found[int(i * step)] for i in range(PICTURES)]


def read(path: Path, number: int) -> np.ndarray:
    """A picture of at most 400 pixels on a side: grey for even numbers, in the order bgr for odd ones."""
    picture = theirs.imread(str(path), theirs.IMREAD_COLOR if number % 2 else theirs.IMREAD_GRAYSCALE)
    longest = max(picture.shape[:2])
    if longest > 400:
        picture = theirs.resize(picture, None, fx=400 / longest, fy=400 / longest)
    return picture


def rows(*lists: Any) -> list[tuple[Any, ...]]:
    """The objects in a fixed order, because OpenCV's own order depends on its threads."""
    if not len(lists[0]):
        return []
    boxes = [tuple(int(side) for side in box) for box in lists[0]]
    return sorted(zip(boxes, *(list(values) for values in lists[1:]), strict=True))


def test_all_cascades_are_here() -> None:
    assert len(CASCADES) == 22
    assert (FOLDER / OTHER_SPELLING).exists()
    if theirs.data.haarcascades:
        assert {path.name for path in Path(theirs.data.haarcascades).glob("*.xml")} <= {*CASCADES, OTHER_SPELLING}


@pytest.mark.parametrize("name", CASCADES)
def test_equals_opencv(name: str, data: Path) -> None:
    our, their = ours.CascadeClassifier(str(FOLDER / name)), theirs.CascadeClassifier(str(FOLDER / name))
    assert not our.empty()
    assert our.getOriginalWindowSize() == their.getOriginalWindowSize()
    assert our.getFeatureType() == their.getFeatureType()
    assert our.isOldFormatCascade() == their.isOldFormatCascade()
    cases = objects = 0
    every = len(FORMS) if os.environ.get("WINNOW_ALL_FORMS") else 1
    for number, path in enumerate(pictures(data)):
        picture = read(path, number)
        for form in range(every):
            arguments, named = FORMS[(number + form + len(name)) % len(FORMS)]
            a, b = (c.detectMultiScale(picture, *arguments, **named) for c in (our, their))
            assert rows(a) == rows(b), (path, arguments, named)
            assert type(a) is type(b)
            if len(a):
                assert (a.dtype, a.shape, a.flags.c_contiguous) == (b.dtype, b.shape, True)
            a2, b2 = (c.detectMultiScale2(picture, *arguments, **named) for c in (our, their))
            assert rows(*a2) == rows(*b2), (path, arguments, named)
            a3, b3 = (
                c.detectMultiScale3(picture, *arguments, **named, outputRejectLevels=True) for c in (our, their)
            )
            assert rows(*a3) == rows(*b3), (path, arguments, named)
            assert [getattr(array, "dtype", None) for array in a3] == [getattr(array, "dtype", None) for array in b3]
            cases, objects = cases + 3, objects + len(a2[0])
    print(f"{name}: {cases} calls, {objects} objects, 0 different")


@pytest.mark.parametrize(
    "change",
    [
        lambda c, p: c.detectMultiScale(p.astype(np.float32)),
        lambda c, p: c.detectMultiScale(np.dstack([p, p])),
        lambda c, p: c.detectMultiScale(p, 1.0),
        lambda c, p: c.detectMultiScale(p, "1.1"),
        lambda c, p: c.detectMultiScale(p, 1.1, 3.0),
        lambda c, p: c.detectMultiScale(p, minSize=30),
        lambda c, p: c.detectMultiScale(p, minSize=(30.0, 30.0)),
        lambda c, p: c.detectMultiScale(p, minSize=(30, 30, 30)),
        lambda c, p: type(c)().detectMultiScale(p),
        lambda c, p: type(c)().getOriginalWindowSize(),
    ],
)
def test_refuses_what_opencv_refuses(change: Any) -> None:
    picture = np.zeros((60, 60), np.uint8)
    path = str(FOLDER / "haarcascade_eye.xml")
    for module in (theirs, ours):
        with pytest.raises(module.error):
            change(module.CascadeClassifier(path), picture)


def test_no_picture_has_no_objects() -> None:
    path = str(FOLDER / "haarcascade_eye.xml")
    for module in (theirs, ours):
        classifier = module.CascadeClassifier(path)
        for picture in (None, np.zeros((0, 0), np.uint8), np.zeros((5, 5), np.uint8)):
            assert classifier.detectMultiScale(picture) == ()
            assert classifier.detectMultiScale2(picture) == ((), ())
            assert classifier.detectMultiScale3(picture, outputRejectLevels=True) == ((), (), ())


@pytest.mark.parametrize("size", [(0, 0), (30, 0), (0, 30), (-5, -5), (-5, 60), (60, -5), (-5, 0), (1000, 1000)])
@pytest.mark.parametrize("bound", ["minSize", "maxSize"])
def test_odd_sizes(bound: str, size: tuple[int, int], data: Path) -> None:
    path = str(FOLDER / "haarcascade_frontalface_alt2.xml")
    our, their = ours.CascadeClassifier(path), theirs.CascadeClassifier(path)
    for number, file in enumerate(pictures(data)[::10]):
        picture = read(file, number)
        a, b = (c.detectMultiScale(picture, 1.2, 2, **{bound: size}) for c in (our, their))
        assert rows(a) == rows(b)


def test_four_channels_as_opencv(data: Path) -> None:
    path = str(FOLDER / "haarcascade_frontalface_alt2.xml")
    picture = read(pictures(data)[1], 1)
    picture = np.dstack([picture, np.full(picture.shape[:2], 255, np.uint8)])
    a, b = (module.CascadeClassifier(path).detectMultiScale(picture, 1.2, 1) for module in (ours, theirs))
    assert rows(a) == rows(b)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "broken.xml").write_text("<opencv_storage>")
    eye = str(FOLDER / "haarcascade_eye.xml")
    with pytest.warns(RuntimeWarning, match="missing.xml"):
        classifier = ours.CascadeClassifier(str(tmp_path / "missing.xml"))
    assert classifier.empty()
    assert classifier.load(eye) is True
    with pytest.warns(RuntimeWarning):
        assert classifier.load(str(tmp_path / "missing.xml")) is False
    assert classifier.empty()
    with pytest.raises(ours.error, match="broken.xml"):
        ours.CascadeClassifier(str(tmp_path / "broken.xml"))
    assert classifier.load(eye) is True
    with pytest.raises(ours.error, match="broken.xml"):
        classifier.load(str(tmp_path / "broken.xml"))
    assert classifier.empty()


def test_what_is_no_array_is_opencvs_error() -> None:
    path = str(FOLDER / "haarcascade_eye.xml")
    for picture in ([np.zeros((9, 9), np.uint8)], 5, "a.jpg"):
        with pytest.raises(ours.error):
            ours.CascadeClassifier(path).detectMultiScale(picture)
    with pytest.raises(ours.error, match="read the file with cv2.imread"):
        ours.CascadeClassifier(path).detectMultiScale("a.jpg")
    with pytest.raises(ours.error, match="in function 'CascadeClassifier'"):
        ours.CascadeClassifier(path, path)
    with pytest.raises(winnow.Error, match="gpu"):
        ours.CascadeClassifier(path, backend="gpu")


def test_convert(tmp_path: Path) -> None:
    old, new = tmp_path / "old.xml", tmp_path / "new.xml"
    winnow.Cascade.load("haarcascade_eye").save(old, "opencv-old-xml")
    assert ours.CascadeClassifier.convert(str(old), str(new))
    assert theirs.CascadeClassifier(str(new)).getOriginalWindowSize() == (20, 20)
    assert not ours.CascadeClassifier.convert(str(tmp_path / "missing.xml"), str(new))


def test_group_rectangles() -> None:
    random = np.random.default_rng(5)
    cases: list[tuple[Any, ...]] = [([], 1), ([[1, 2, 3, 4]], 0), ([(10, 10, 20, 20), (11, 11, 20, 20)], 1)]
    for count in (1, 2, 10, 100, 500):
        boxes = random.integers(0, 60, (count, 4)) + [0, 0, 10, 10]
        cases += [(boxes, threshold, eps) for threshold in (0, 1, 2, 5) for eps in (0.0, 0.2, 0.5)]
        cases += [(boxes.tolist(), 1), ([tuple(box) for box in boxes.tolist()], 2, 0.3)]
    for case in cases:
        a, b = ours.groupRectangles(*case), theirs.groupRectangles(*case)
        assert rows(*a) == rows(*b)
        assert [getattr(array, "dtype", None) for array in a] == [getattr(array, "dtype", None) for array in b]
    for module in (ours, theirs):
        assert len(module.groupRectangles(rectList=[(1, 1, 9, 9)] * 3, groupThreshold=1, eps=0.1)[0]) == 1
        for boxes in ([(1.5, 1, 9, 9)], [(1, 1, 9, 9), (1, 1, 9)]):
            with pytest.raises(TypeError):
                module.groupRectangles(boxes, 1)


def test_other_names_come_from_opencv() -> None:
    assert ours.cvtColor is theirs.cvtColor
    assert ours.error is theirs.error
    assert ours.__version__ == theirs.__version__
    assert ours.CASCADE_SCALE_IMAGE == theirs.CASCADE_SCALE_IMAGE
    with pytest.raises(AttributeError):
        ours.no_such_name


def test_without_opencv() -> None:
    program = (
        "import sys; sys.modules['cv2'] = None\n"
        "from winnow import cv2\n"
        "import numpy as np\n"
        "c = cv2.CascadeClassifier(cv2.data.haarcascades + 'haarcascade_eye.xml')\n"
        "assert c.detectMultiScale(np.zeros((50, 50), np.uint8)) == ()\n"
        "try: c.detectMultiScale(5)\n"
        "except cv2.error as error: print('caught', error)\n"
        "cv2.imread\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.startswith("caught ")
    assert "'imread' is not one of their names" in done.stderr
