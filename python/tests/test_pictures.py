"""Checks which arrays are pictures, and the errors for other arrays."""

from pathlib import Path

import numpy as np
import pytest

import winnow


def answer(picture: object, **options: object) -> list[tuple[int, ...]]:
    return [tuple(box) for box in winnow.Detector("face").detect(picture, **options).boxes.tolist()]


def test_every_layout_gives_the_same_answer(gray: np.ndarray) -> None:
    wanted = winnow.Detector("face").detect(gray)
    assert len(wanted) == 1
    wide = np.zeros((600, 700), np.uint8)
    wide[40:552, 30:542] = gray
    doubled = np.repeat(np.repeat(gray, 2, axis=0), 2, axis=1)
    upside_down = np.ascontiguousarray(gray[::-1])
    layouts = {
        "fortran": np.asfortranarray(gray),
        "part of a larger one": wide[40:552, 30:542],
        "every second pixel": doubled[::2, ::2],
        "every second row": doubled[::2, ::2].copy()[:, :],
        "backwards": upside_down[::-1],
        "mirrored twice": np.ascontiguousarray(gray[:, ::-1])[:, ::-1],
        "transposed twice": np.ascontiguousarray(gray.T).T,
        "one channel": gray[:, :, None],
        "memoryview": memoryview(gray),
        "read-only": np.frombuffer(gray.tobytes(), np.uint8).reshape(gray.shape),
        "picture": winnow.read_picture("photo.jpg"),
    }
    detector = winnow.Detector("face")
    for name, layout in layouts.items():
        found = detector.detect(layout)
        assert np.array_equal(found.objects, wanted.objects), name
        assert found.counters == wanted.counters, name


def test_colour_is_made_grey_in_either_order(place: Path) -> None:
    color = winnow.read_picture("photo.jpg", color=True).color
    wanted = winnow.to_gray(color, channels="rgb")
    r, g, b = (color[:, :, i].astype(np.int64) for i in range(3))
    assert np.array_equal(wanted, (9798 * r + 19235 * g + 3735 * b + 16384) >> 15)
    assert np.array_equal(winnow.to_gray(color[:, :, ::-1], channels="bgr"), wanted)
    assert np.array_equal(winnow.to_gray(np.asfortranarray(color), channels="rgb"), wanted)
    assert answer(color, channels="rgb") == answer(wanted)
    assert answer(color[:, :, ::-1], channels="bgr") == answer(wanted)
    assert answer(color[::2, ::2][:, :, ::-1], channels="bgr") == answer(wanted[::2, ::2])


@pytest.mark.parametrize(
    ("picture", "sentence"),
    [
        (np.zeros((9, 9), np.float32), "a picture has elements of uint8, and this array has float32"),
        (np.zeros((9, 9), np.uint16), "a picture has elements of uint8, and this array has uint16"),
        (np.zeros((9, 9), bool), "a picture has elements of uint8, and this array has bool"),
        (np.zeros((9, 9, 4), np.uint8), "the picture has 4 channels"),
        (np.zeros((9, 9, 3), np.uint8), "the picture has 3 channels; say channels='rgb' or channels='bgr'"),
        (np.zeros((0, 9), np.uint8), r"the picture has no pixels: its shape is \(0, 9\)"),
        (np.zeros((9,), np.uint8), "a batch is a list of pictures"),
        (np.zeros((1, 2, 3, 4, 5), np.uint8), "this array has 5 dimensions"),
        (np.array(["a.jpg"]), "this array has text; give list"),
        ("", "the path of the picture is empty"),
        (b"", "the bytes of the picture's file are empty"),
        (None, "there is no picture, but None"),
        (7, "not of type int"),
        ([np.zeros((2, 9, 9), np.uint8)], "a batch is a list of pictures"),
    ],
)
def test_what_is_no_picture_is_one_sentence(picture: object, sentence: str) -> None:
    with pytest.raises(winnow.Error, match=sentence) as raised:
        winnow.Detector("face").detect(picture)
    assert raised.value.code == "usage"
    assert "\n" not in str(raised.value)


def test_channels_have_names() -> None:
    with pytest.raises(winnow.Error, match="channels are 'rgb' or 'bgr', not 'hsv'"):
        winnow.Detector("face").detect(np.zeros((30, 30, 3), np.uint8), channels="hsv")


def test_torch_and_pillow_on_the_host(gray: np.ndarray) -> None:
    class Dlpack:
        def __dlpack__(self, **arguments: object) -> object:
            return gray.copy().__dlpack__()

        def __dlpack_device__(self) -> tuple[int, int]:
            return (1, 0)

    class Interface:
        __array_interface__ = gray.__array_interface__
        keep = gray

    assert answer(Dlpack()) == answer(gray)
    assert answer(Interface()) == answer(gray)


def test_a_huge_picture_is_refused_before_it_is_copied() -> None:
    with pytest.raises(winnow.Error, match="65536") as raised:
        winnow.Detector("face").detect(np.broadcast_to(np.uint8(3), (1_000_000, 1_000_000)))
    assert raised.value.code == "limit"


def test_formats_of_other_programs(place: Path) -> None:
    image_module = pytest.importorskip("PIL.Image")
    noise = np.random.default_rng(5).integers(0, 256, (21, 34, 3), np.uint8)
    picture = image_module.fromarray(noise)
    picture.save("noise.bmp")
    picture.save("noise.webp", lossless=True)
    reduced = picture.quantize(64)
    reduced.save("noise.gif")
    for name, wanted in (("bmp", noise), ("webp", noise), ("gif", np.asarray(reduced.convert("RGB")))):
        read = winnow.read_picture(f"noise.{name}", color=True)
        assert np.array_equal(read.color, wanted), name
        assert np.array_equal(read.gray, winnow.to_gray(wanted, channels="rgb")), name
    # Only builds with libtiff read this format.
    picture.save("noise.tif")
    try:
        assert np.array_equal(winnow.read_picture("noise.tif", color=True).color, noise)
    except winnow.Error as error:
        assert error.code == "unsupported"
        assert "was configured without libtiff" in str(error)


def test_pictures_come_back_from_files(place: Path) -> None:
    noise = np.random.default_rng(3).integers(0, 256, (30, 41, 3), np.uint8)
    winnow.write_picture("noise.png", noise, channels="rgb")
    assert np.array_equal(winnow.read_picture("noise.png", color=True).color, noise)
    winnow.write_picture("noise.ppm", noise, channels="bgr")
    assert np.array_equal(winnow.read_picture("noise.ppm", color=True).color, noise[:, :, ::-1])
    winnow.write_picture("gray.pgm", noise[:, :, 0])
    assert np.array_equal(winnow.read_picture(Path("gray.pgm")).gray, noise[:, :, 0])
    assert np.array_equal(winnow.decode_picture(Path("gray.pgm").read_bytes()).gray, noise[:, :, 0])
    assert winnow.read_picture("noise.png").color is None


def test_a_file_that_is_no_picture_is_named(place: Path) -> None:
    Path("text.jpg").write_text("no picture")
    with pytest.raises(winnow.Error) as raised:
        winnow.read_picture("text.jpg")
    assert (raised.value.code, raised.value.file) == ("format", "text.jpg")
    with pytest.raises(winnow.Error) as raised:
        winnow.read_picture("missing-\udcff.jpg")
    assert (raised.value.code, raised.value.file) == ("io", "missing-\udcff.jpg")


def test_drawing_needs_an_array_that_can_be_written_to(place: Path) -> None:
    color = winnow.read_picture("photo.jpg", color=True).color
    with pytest.raises(winnow.Error, match="this array cannot be used"):
        winnow.draw_box(color, (0, 0, 9, 9))
    copy = color.copy()
    winnow.draw_box(copy, (10, 10, 20, 20), (1, 2, 3), thickness=1)
    assert copy[10, 10:30].tolist() == [[1, 2, 3]] * 20
    with pytest.raises(winnow.Error, match="lie side by side"):
        winnow.draw_box(copy[:, ::2], (0, 0, 9, 9))
    with pytest.raises(winnow.Error, match="0 to 255"):
        winnow.draw_box(copy, (0, 0, 9, 9), (256, 0, 0))
