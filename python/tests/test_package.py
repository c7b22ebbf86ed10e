"""Checks the contents of the wheel: the command and licences."""

import importlib.metadata
import json
import subprocess
import sys
from pathlib import Path

import winnow

COMMAND = Path(sys.executable).parent / "winnow"


def test_the_source_tree_is_not_in_sight() -> None:
    package = Path(winnow.__file__).parent
    assert "site-packages" in package.parts
    assert importlib.metadata.version("winnow-vision") == winnow.__version__
    requires = importlib.metadata.requires("winnow-vision")
    assert requires is not None
    assert [need.split(">")[0] for need in requires] == ["numpy"]


def test_the_command(place: Path) -> None:
    done = subprocess.run([COMMAND, "detect", "photo.jpg"], capture_output=True, text=True, check=True)
    (found,) = json.loads(done.stdout)["objects"]
    assert [found[key] for key in ("x", "y", "width", "height")] == [164, 101, 204, 204]
    named = subprocess.run([COMMAND, "models"], capture_output=True, text=True, check=True)
    assert "haarcascade_frontalface_alt" in named.stdout
    failed = subprocess.run([COMMAND, "detect", "missing.jpg"], capture_output=True, text=True)
    assert failed.returncode != 0


def test_the_command_says_what_reads_videos(place: Path) -> None:
    Path("film.mp4").write_bytes(b"\0\0\0\x20ftypisom" + bytes(100))
    done = subprocess.run([COMMAND, "detect", "film.mp4"], capture_output=True, text=True)
    assert done.returncode != 0
    assert "this build has no video" in done.stderr
    assert "PyAV" in done.stderr


def test_cascades_of_the_package_come_first() -> None:
    data = Path(winnow.__file__).parent / "cv2" / "data"
    assert Path(winnow.model_folders()[0]) == data
    assert Path(winnow.resolve_model("haarcascade_eye")) == data / "haarcascade_eye.xml"


def test_licences() -> None:
    package = Path(winnow.__file__).parent
    licences = {path.stem for path in (package / "licences").iterdir()}
    assert {"opencv-data", "libtbb12", "libpng16-16"} <= licences
    files = importlib.metadata.files("winnow-vision")
    assert files is not None
    assert any(file.name == "LICENSE" for file in files)
