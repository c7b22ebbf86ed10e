"""Checks `Detections`, `Detection` and `Picture` as Python's own containers are used."""

import copy
import pickle
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

import winnow


@pytest.fixture
def found(gray: np.ndarray) -> winnow.Detections:
    """An answer with many objects."""
    return winnow.Detector("face").detect(gray, min_neighbors=0)


def test_objects_come_one_by_one(found: winnow.Detections) -> None:
    objects = list(found)
    assert len(objects) == len(found) > 10
    for one, record in zip(objects, found.objects.tolist(), strict=True):
        assert one == record
        x, y, width, height, score, neighbors = one
        assert (one.x, one.y, one.width, one.height) == (x, y, width, height) == one.box
        assert (one.score, one.neighbors) == (score, neighbors)
        assert one.xyxy == (x, y, x + width, y + height)
    first = objects[0]
    assert repr(first).startswith(f"Detection(x={first.x}, y=")
    assert pickle.loads(pickle.dumps(first)) == first
    assert hash(first) == hash(tuple(first))
    assert first in found and objects[::-1] == list(reversed(found))


def test_indexes_and_slices_are_those_of_a_list(found: winnow.Detections) -> None:
    objects, count = list(found), len(found)
    for index in (0, 3, -1, -count, count - 1):
        assert found[index] == objects[index]
    assert found[np.int64(2)] == objects[2]
    for index in (count, -count - 1, 2**70):
        with pytest.raises(IndexError):
            found[index]
    for indexes in (slice(3), slice(2, 7), slice(None, None, -2), slice(-3, None), slice(5, 2), slice(0, 999)):
        assert list(found[indexes]) == objects[indexes]
    some = found[1:4]
    assert isinstance(some, winnow.Detections)
    assert (some.picture, some.counters, some.backend) == (found.picture, found.counters, found.backend)
    sure = found[found.scores > np.median(found.scores)]
    assert list(sure) == [one for one in objects if one.score > np.median(found.scores)]
    assert 0 < len(sure) < count
    assert list(found[[2, -1]]) == [objects[2], objects[-1]]
    assert len(found[[]]) == 0
    with pytest.raises(IndexError, match=f"there are {count} objects, and 2 truth values"):
        found[np.array([True, False])]
    with pytest.raises(IndexError, match=f"there is no object {count} among {count}"):
        found[[count]]
    for wrong in ("x", 1.5, [1.5], np.zeros((2, 2), int)):
        with pytest.raises(TypeError):
            found[wrong]


def test_answers_are_equal_if_all_but_the_backend_is(gray: np.ndarray) -> None:
    small = np.ascontiguousarray(gray[60:340, 120:400])
    ours, theirs = (winnow.Detector("face", backend=name).detect(small) for name in ("cpu", "reference"))
    assert ours.backend != theirs.backend
    assert ours == theirs
    other_options = winnow.Detector("face").detect(small, min_neighbors=0)
    assert ours != other_options
    assert ours != ours[1:]
    empty = [winnow.Detector("face").detect(np.zeros(shape, np.uint8)) for shape in ((20, 20), (20, 21))]
    assert list(empty[0]) == list(empty[1]) and empty[0].counters == empty[1].counters
    assert empty[0] != empty[1]
    assert (ours == list(ours)) is False
    with pytest.raises(TypeError, match="unhashable"):
        hash(ours)


def test_the_surest_come_first(found: winnow.Detections) -> None:
    order = sorted(found, key=lambda one: -one.score)  # stable, as by_score is
    assert list(found.by_score()) == order
    assert order != list(found)
    assert found.by_score().counters == found.counters


def test_every_array_is_the_callers_own(found: winnow.Detections) -> None:
    wanted = list(found)
    boxes = found.boxes
    boxes[:, 2:] += boxes[:, :2]
    assert np.array_equal(boxes, found.xyxy)
    assert boxes.dtype == found.xyxy.dtype == found.neighbors.dtype == np.int32
    assert found.scores.dtype == np.float64
    for array in (boxes, found.xyxy, found.scores, found.neighbors, found.objects):
        assert array.flags.writeable
    found.scores[:] = 0
    found.neighbors[:] = 0
    found.objects["x"] = 0
    assert list(found) == wanted
    assert np.array_equal(found.boxes, [one.box for one in wanted])
    assert np.array_equal(found.scores, [one.score for one in wanted])
    assert np.array_equal(found.neighbors, [one.neighbors for one in wanted])
    none = found[:0]
    assert (none.xyxy.shape, none.neighbors.shape, none.scores.shape) == ((0, 4), (0,), (0,))


def test_lists_of_objects_are_objects_again(found: winnow.Detections) -> None:
    assert np.array_equal(winnow.group_boxes(list(found), 3), winnow.group_boxes(found, 3))
    assert np.array_equal(winnow.mean_shift_boxes(tuple(found), 3), winnow.mean_shift_boxes(found.objects, 3))
    pictures = [winnow.LabelledPicture("photo.jpg", [winnow.Label(found[0].box)])]
    assert winnow.evaluate(pictures, [list(found)]).found == 1


def test_fields_of_records_are_found_by_their_names(found: winnow.Detections) -> None:
    records = found.objects
    names = ["score", "neighbors", "height", "width", "y", "x"]
    other = np.zeros(len(records), [("mine", "f4"), *((name, records.dtype[name]) for name in names)])
    for name in names:
        other[name] = records[name]
    assert np.array_equal(winnow.group_boxes(other, 3), winnow.group_boxes(records, 3))
    for wrong in (records[["x", "y", "width", "height"]], records[None], records[0]):
        with pytest.raises(winnow.Error, match="records of objects are an array"):
            winnow.group_boxes(wrong, 3)


def test_a_table_of_pandas(found: winnow.Detections, monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = pytest.importorskip("pandas")
    data = found.to_pandas()
    assert isinstance(data, pandas.DataFrame)
    assert data.columns.tolist() == list(winnow.Detection._fields)
    assert list(data.itertuples(index=False, name=None)) == found.objects.tolist()
    data.loc[0, "x"] = -1
    assert found[0].x != -1
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ModuleNotFoundError, match=r"^to_pandas\(\) needs pandas: pip install pandas$"):
        found.to_pandas()


def test_drawing_marks_each_box(place: Path) -> None:
    detector = winnow.Detector("face")
    found = detector.detect("photo.jpg")
    x, y, width, height = found[0].box
    picture = winnow.read_picture("photo.jpg", color=True)
    by_hand = picture.color.copy()
    winnow.draw_box(by_hand, found[0].box)
    forms = ("photo.jpg", Path("photo.jpg"), Path("photo.jpg").read_bytes(), picture)
    for form in forms:
        marked = found.draw(form)
        assert np.array_equal(marked.color, by_hand)
        assert np.array_equal(marked.gray, winnow.to_gray(by_hand, channels="rgb"))
    bgr = np.ascontiguousarray(picture.color[:, :, ::-1])
    assert np.array_equal(found.draw(bgr, channels="bgr").color, by_hand)
    gray = found.draw(picture.gray, color=(255, 0, 0), thickness=1).color
    assert gray[y, x : x + width].tolist() == [[255, 0, 0]] * width
    assert np.array_equal(gray[y + 1 : y + height - 1, x + 1 : x + width - 1],
                          np.dstack([picture.gray] * 3)[y + 1 : y + height - 1, x + 1 : x + width - 1])  # fmt: skip
    with pytest.raises(winnow.Error, match="this picture is 200x300, and the one that was searched 512x512") as raised:
        found.draw(picture.gray[:300, :200])
    assert "give the picture that was searched" in raised.value.sentence
    with pytest.raises(winnow.Error, match="3 channels"):
        found.draw(bgr)


def test_pictures_are_arrays_and_images(place: Path) -> None:
    gray, color = winnow.read_picture("photo.jpg"), winnow.read_picture("photo.jpg", color=True)
    assert (gray.width, gray.height) == gray.size == (512, 512)
    assert np.array_equal(np.asarray(gray), gray.gray)
    assert np.array_equal(np.asarray(color), color.color)
    assert np.asarray(gray).base is not None
    copy = np.array(color)
    assert copy.flags.writeable and copy.flags.owndata
    assert np.array_equal(np.asarray(gray, dtype=np.float32), gray.gray.astype(np.float32))
    assert gray.__array__(np.uint8, copy=True).flags.owndata
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        assert not np.asarray(gray, copy=False).flags.owndata
        with pytest.raises(ValueError, match="copy=False"):
            np.asarray(gray, dtype=np.float32, copy=False)
    for picture, pixels in ((gray, gray.gray), (color, color.color)):
        png = picture._repr_png_()
        again = winnow.decode_picture(png, color=True)
        assert np.array_equal(again.color, pixels if pixels.ndim == 3 else np.dstack([pixels] * 3))
        assert png == winnow.encode_picture(picture)
        picture.save("again.png")
        assert Path("again.png").read_bytes() == png
    color.save(Path("again.ppm"))
    assert np.array_equal(winnow.read_picture("again.ppm", color=True).color, color.color)
    with pytest.raises(winnow.Error, match="must end in"):
        color.save("again")
    with pytest.raises(winnow.Error, match="'gif' is no format of pictures"):
        winnow.encode_picture(color, "gif")
    assert winnow.Picture[None] is not None


def test_answers_travel_as_bytes(found: winnow.Detections) -> None:
    """An answer is equal to the bit after `to_bytes`, after a pickle and after a copy."""
    for back in (
        winnow.Detections.parse(found.to_bytes()),
        pickle.loads(pickle.dumps(found)),
        copy.copy(found),
        copy.deepcopy(found),
    ):
        assert back == found and back.backend == found.backend
        assert back.scores.tobytes() == found.scores.tobytes()
        assert back.counters.reached == found.counters.reached
    data = found.to_bytes()
    for wrong in (b"", data[:-1], data[:40] + b"x" + data[41:], data + b"0"):
        with pytest.raises(winnow.Error) as caught:
            winnow.Detections.parse(wrong)
        assert caught.value.code == "format"


def test_bytes_that_no_answer_has_are_refused(found: winnow.Detections) -> None:
    """The numbers are changed and the checksum is right, so only the check of values can refuse them."""
    data = bytearray(found.to_bytes())
    first = len(data) - 28 * len(found)  # x, y, width, height, score and neighbours of the first object
    for place, value, says in (
        (12, -1, ""),  # the picture's width
        (first, 2**31 - 1, "a box reaches beyond 2\\^31 pixels"),
        (first + 8, -1, ""),
        (first + 24, -1, ""),
    ):
        changed = data.copy()
        changed[place : place + 4] = int(value).to_bytes(4, "little", signed=True)
        changed[8:12] = zlib.crc32(changed[12:]).to_bytes(4, "little")
        with pytest.raises(winnow.Error, match=says) as caught:
            winnow.Detections.parse(bytes(changed))
        assert caught.value.code == "format"
    wide = winnow.Detector("people-svm").detect("photo.jpg", clip=False, raw=True, padding=(32, 32), min_score=-1)
    assert any(one.x < 0 or one.y < 0 for one in wide), "boxes outside of the picture"
    for answer in (wide, found[:0], wide.by_score()[::2]):
        assert winnow.Detections.parse(answer.to_bytes()) == answer, "what to_bytes gives, parse takes"


def test_labels_travel_in_pickles() -> None:
    label = winnow.Label((1, 2.5, 3, 4), points=[(5, 6.25)], category="Gesicht ä", ignore=True)
    picture = winnow.LabelledPicture("b\udcff.jpg", [label, winnow.Label((0, 0, 1, 1))])
    back = pickle.loads(pickle.dumps([label, picture]))
    assert (back[0].box, back[0].points, back[0].category, back[0].ignore) == (
        label.box, label.points, label.category, label.ignore,
    )
    assert (back[1].path, back[1].name, len(back[1].labels)) == (picture.path, picture.name, 2)
    assert back[1].labels[0].points == label.points


def test_none_is_equal_to_no_answer(found: winnow.Detections) -> None:
    for value in (found, found.counters, winnow.HogShape()):
        assert value != None  # noqa: E711  programs write this
        assert None not in [value] and value in [None, value]
    with pytest.raises(TypeError, match="objects are chosen by"):
        found[None]  # type: ignore[call-overload]
