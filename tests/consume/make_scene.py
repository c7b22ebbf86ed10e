"""make_scene.py FOLDER: writes the consumers' input, the cascade square.xml and the picture squares.pgm."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import scene  # noqa: E402  the command's tests draw with it, too

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
(folder / "square.xml").write_text(scene.CASCADE)
(folder / "squares.pgm").write_bytes(scene.Picture(200, 150, [(30, 40, 24), (120, 70, 40)]).pgm())
