"""Checks each form in which `detect` takes pictures: files, bytes, Pillow's images, stacks and iterators."""

import io
import json
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import winnow

COMMAND = Path(sys.executable).parent / "winnow"


def test_a_path_is_read(place: Path) -> None:
    detector = winnow.Detector("face")
    wanted = detector.detect(winnow.read_picture("photo.jpg"))
    assert len(wanted) == 1
    data = Path("photo.jpg").read_bytes()
    for form in ("photo.jpg", Path("photo.jpg"), data, bytearray(data)):
        assert detector.detect(form) == wanted
    detector.enqueue("photo.jpg")
    assert detector.collect() == wanted
    for missing in ("no.jpg", Path("no.jpg")):
        with pytest.raises(winnow.Error) as raised:
            detector.detect(missing)
        assert (raised.value.code, raised.value.file) == ("io", "no.jpg")
    Path("text.jpg").write_text("no picture")
    with pytest.raises(winnow.Error) as raised:
        detector.detect(["photo.jpg", "text.jpg"])
    assert (raised.value.code, raised.value.file) == ("format", "text.jpg")
    with pytest.raises(winnow.Error) as raised:
        detector.detect(b"photo.jpg")
    assert raised.value.code == "format"


def test_a_model_of_colour_gets_the_colours_of_a_file(place: Path) -> None:
    """A file is read in colour for a model of colour, as the command does. The colours change this model's answer."""
    picture = winnow.read_picture("photo.jpg", color=True)
    winnow.write_picture("color.png", picture.color[::2, ::2] // np.array([1, 2, 3], np.uint8), channels="rgb")
    numbers = np.random.default_rng(5).normal(0, 0.1, 1980).astype(np.float32)
    winnow.HogSvm(numbers, bias=0.1, shape=winnow.HogShape(window=(48, 96)), name="random").save("random.winnow")
    detector = winnow.Detector("random.winnow")
    assert detector.model.reads_color
    found = detector.detect("color.png", min_neighbors=0, scale_factor=1.5)
    gray = detector.detect(winnow.read_picture("color.png"), min_neighbors=0, scale_factor=1.5)
    assert len(found) > 10
    assert found != gray
    assert detector.detect(Path("color.png").read_bytes(), min_neighbors=0, scale_factor=1.5) == found
    assert detector.detect(["color.png"], min_neighbors=0, scale_factor=1.5) == [found]
    assert detector.detect("color.png", min_neighbors=0, scale_factor=1.5, gray=True) == gray
    for options, answer in ((["--border", "0"], found), (["--border", "0", "--gray"], gray)):
        line = [COMMAND, "detect", "-m", "random.winnow", "--min-neighbors", "0", "--scale", "1.5"]
        done = subprocess.run([*line, *options, "color.png"], capture_output=True, text=True, check=True)
        objects = json.loads(done.stdout)["objects"]
        assert [[one[key] for key in ("x", "y", "width", "height")] for one in objects] == answer.boxes.tolist()


def test_pillow_images_need_no_channels(place: Path) -> None:
    image_module = pytest.importorskip("PIL.Image")
    detector = winnow.Detector("face")
    with image_module.open("photo.jpg") as file:
        color = file.convert("RGB")
    pixels = np.asarray(color)
    wanted = detector.detect(pixels, channels="rgb")
    assert len(wanted) == 1
    for mode in ("RGB", "RGBA", "RGBX"):
        assert detector.detect(color.convert(mode)) == wanted, mode
    assert detector.detect(color, channels="bgr") == wanted  # `channels` is the order of arrays, not of Pillow's images
    gray = color.convert("L")
    for mode in ("L", "LA"):
        assert detector.detect(gray.convert(mode)) == detector.detect(np.asarray(gray)), mode
    for mode in ("P", "CMYK", "YCbCr", "HSV"):
        other = color.convert(mode)
        assert detector.detect(other) == detector.detect(np.asarray(other.convert("RGB")), channels="rgb"), mode
    two = gray.convert("1")
    assert detector.detect(two, min_neighbors=0) == detector.detect(np.asarray(two.convert("L")), min_neighbors=0)
    deep = np.asarray(gray).astype(np.uint16) * 256 + 77
    assert detector.detect(image_module.fromarray(deep)) == detector.detect(np.asarray(gray))
    clear = image_module.merge("RGBA", (*color.split(), gray))  # transparent pixels count as they are
    assert detector.detect(clear) == wanted
    for mode in ("F", "I"):
        with pytest.raises(winnow.Error, match=f"an image of mode {mode} has no known range; scale it"):
            detector.detect(gray.convert(mode))
    assert detector.detect([color, "photo.jpg", pixels], channels="rgb") == [wanted, detector.detect("photo.jpg"), wanted]
    assert np.array_equal(winnow.to_gray(color), winnow.to_gray(pixels, channels="rgb"))
    winnow.write_picture("pillow.png", color)
    assert np.array_equal(winnow.read_picture("pillow.png", color=True).color, pixels)


def test_stacks_are_batches(gray: np.ndarray) -> None:
    detector = winnow.Detector("face")
    stack = np.stack([gray, gray[:, ::-1], gray // 2])
    wanted = [detector.detect(picture) for picture in stack]
    assert detector.detect(stack) == wanted
    assert detector.detect(memoryview(stack)) == wanted
    assert detector.detect(stack[:1]) == wanted[:1]
    assert detector.detect(np.asfortranarray(stack)) == wanted
    assert detector.detect(stack[:0]) == []
    colors = np.stack([np.dstack([picture] * 3) for picture in stack])
    assert detector.detect(colors, channels="bgr") == wanted
    assert detector.detect(stack[..., None]) == wanted
    with pytest.raises(winnow.Error, match="3 channels"):
        detector.detect(colors)
    # A picture in colour counts as one picture, even if it is three rows high.
    assert isinstance(detector.detect(colors[0], channels="rgb"), winnow.Detections)
    assert isinstance(detector.detect(colors[0, :3], channels="rgb"), winnow.Detections)
    with pytest.raises(winnow.Error, match="move its first axis to the end"):
        detector.detect(stack, channels="rgb")
    with pytest.raises(winnow.Error, match="4 channels"):
        detector.detect(np.zeros((9, 9, 4), np.uint8))


def test_anything_that_gives_pictures_is_a_batch(place: Path) -> None:
    detector = winnow.Detector("face")
    paths = sorted(Path("crops").glob("*.png"))[:9]
    wanted = [detector.detect(path) for path in paths]
    assert any(len(found) for found in wanted)
    forms = (
        paths, tuple(paths), iter(paths), (path for path in paths), map(str, paths), deque(paths),
        dict.fromkeys(paths), dict(enumerate(paths)).values(), (winnow.read_picture(path) for path in paths),
    )  # fmt: skip
    for form in forms:
        assert detector.detect(form) == wanted, type(form)
    assert detector.detect(iter(())) == []

    def broken() -> Iterator[Path]:
        yield paths[0]
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        detector.detect(broken())
    assert detector.detect(paths) == wanted


def test_an_iterator_is_read_in_batches() -> None:
    """Few pictures are alive at a time, however many the iterator gives."""
    alive, most = 0, 0

    class Counted:
        def __init__(self) -> None:
            nonlocal alive, most
            alive += 1
            most = max(most, alive)
            self.pixels = np.zeros((1000, 1000), np.uint8)

        @property
        def __array_interface__(self) -> object:
            return self.pixels.__array_interface__

        def __del__(self) -> None:
            nonlocal alive
            alive -= 1

    detector = winnow.Detector("face", threads=1)
    found = detector.detect((Counted() for _ in range(60)), min_size=(900, 900))
    assert len(found) == 60
    assert most <= 20


def test_an_open_file_is_a_picture(place: Path) -> None:
    detector, data = winnow.Detector("face"), (place / "photo.jpg").read_bytes()
    found = detector.detect(data)
    assert len(found) == 1
    with open(place / "photo.jpg", "rb") as file:
        assert detector.detect(file) == found
    assert detector.detect(io.BytesIO(data)) == found
    assert detector.detect([io.BytesIO(data), data]) == [found, found]
    with pytest.raises(winnow.Error, match="must be open for bytes"):
        detector.detect(io.StringIO("text"))


def test_what_is_no_picture_is_named(gray: np.ndarray) -> None:
    detector = winnow.Detector("face")
    with pytest.raises(winnow.Error, match=r"cv2\.imread gives None"):
        detector.detect(None)
    for wrong in (np.zeros((0, 0), np.uint8), gray.astype(float), None):
        with pytest.raises(winnow.Error, match="picture 2 of the call: "):
            detector.detect([gray, gray, wrong])
