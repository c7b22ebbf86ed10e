"""Writes what the consumers read: make_scene.py FOLDER makes FOLDER/square.xml, a cascade, and FOLDER/squares.pgm."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import scene  # noqa: E402  the command's tests draw the same

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
(folder / "square.xml").write_text(scene.CASCADE)
(folder / "squares.pgm").write_bytes(scene.Picture(200, 150, [(30, 40, 24), (120, 70, 40)]).pgm())
