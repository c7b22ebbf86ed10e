"""Tests a folder of odd files: each is answered or named, and every run gives the same."""

import os
import re
import struct
import sys
import zlib

import heif_writer
import scene
from runner import CommandTest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../fuzz"))
import make_heif_seeds  # noqa: E402
import make_seeds  # noqa: E402

PICTURE = scene.Picture(60, 50, [(20, 15, 20)])
ENDINGS = ("jpg", "jpeg", "jfif", "png", "pgm", "ppm", "pnm", "bmp", "dib", "gif", "webp", "tif", "tiff", "heic", "avif")

# The size beside the pixels is wrong, and pictures laid over one another are not read.
HEIF_REFUSED = [f"{name}.{brand}" for name in ("size", "overlay") for brand in ("heic", "avif")]


def well_formed():
    """Pictures of all formats: grey, colour, CMYK, 16 bits, alpha, palettes, animated, turned, of several pages."""
    files = {}
    for maker in (make_seeds.pnm_files, make_seeds.png_files, make_seeds.jpeg_files, make_seeds.bmp_files,
                  make_seeds.gif_files, make_seeds.webp_files, make_seeds.tiff_files, make_heif_seeds.heif_files):
        files.update(maker())
    for name in ("two.jpg", *HEIF_REFUSED):  # `two.jpg` has two colours
        del files[name]
    return files


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def huge():
    """Headers that claim more pixels than are read. A HEIC and an AVIF claim few, but what they hold has more."""
    first = make_heif_seeds.coded("hevc-420")
    canvas = make_heif_seeds.Item("grid", struct.pack(">4B2H", 0, 0, 0, 0, 32000, 32000), first.properties[1:], [("dimg", [1])])
    # The header of an AV1 with sides of 16 bits: a still picture of 32000x32000.
    bits = f"00011{0:05b}{15:04b}{15:04b}{31999:016b}{31999:016b}" + "0" * 22
    still = b"\x0a\x09" + int(bits, 2).to_bytes(9, "big")
    coded = make_heif_seeds.Item("av01", still, make_heif_seeds.coded("av1-420").properties)
    header = struct.pack(">IIBBBBB", 100000, 100000, 8, 2, 0, 0, 0)
    return {"huge.pgm": b"P5 60000 60000 255\n" + bytes(50),
            "huge.png": b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(99))),
            "huge.bmp": make_seeds.bmp(60000, 60000, 8, bytes(50)),
            "huge.gif": b"GIF89a" + struct.pack("<HHBBB", 65535, 65535, 0xF0, 0, 0) + bytes(6) +
                        b"," + struct.pack("<HHHHB", 0, 0, 65535, 65535, 0) + b"\2\2\x44\1\0;",
            "huge.tif": make_seeds.tiff(60000, 60000, 8, 1, 1, bytes(60)),
            "huge.heic": make_heif_seeds.heif("heic", [first, canvas], primary=2),
            "huge.avif": make_heif_seeds.heif("avif", [coded])}


def one_line(name):
    """How messages show a name."""
    named = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}
    return re.sub("[\x00-\x1f\x7f]", lambda c: named.get(c[0], "\\x%02x" % ord(c[0])), name.decode("utf-8", "replace"))


class OddFiles(CommandTest):
    def setUp(self):
        super().setUp()
        good = well_formed()
        self.read = {name.encode(): data for name, data in good.items()}
        self.read.update({b"wrong.jpg": PICTURE.png(), b"wrong.tif": PICTURE.gif(), b"wrong.webp": PICTURE.pgm(),
                          b"wrong.heic": PICTURE.bmp(), b"CAPITAL.PGM": PICTURE.pgm(), b"none": PICTURE.bmp(),
                          b"two.gif": PICTURE.gif(frames=2)})
        self.write(b"odd/.hidden.png", PICTURE.png())  # hidden files do not count
        for first in (1, 86, 171):
            name = bytes(c for c in range(first, min(first + 85, 256)) if c != ord("/"))
            self.read[name + b".pgm"] = PICTURE.pgm()
        self.broken = {f"empty.{ending}".encode(): b"" for ending in ENDINGS}
        self.broken.update({f"nonsense.{ending}".encode(): b"not a picture at all, only a text" for ending in ENDINGS})
        for name in ("gray.jpg", "8.bmp", "one.gif", "lossless.webp", "rgb.tif"):
            self.broken[f"half-{name}".encode()] = good[name][:len(good[name]) // 2]
        self.broken[b"half.png"] = PICTURE.png()[:60]
        self.broken[b"half.pgm"] = PICTURE.pgm()[:600]
        self.broken[b"two-colours.jpg"] = make_seeds.jpeg_files()["two.jpg"]
        self.broken[b"photoshop.jpg"] = b"8BPS\0\1" + bytes(40)
        self.broken.update({name.encode(): data for name, data in huge().items()})
        self.broken[b"a\nwinnow: b\t\x1b[2J\r\x7f.pgm"] = b"P5 1"
        self.broken.update({name.encode(): make_heif_seeds.heif_files()[name] for name in HEIF_REFUSED})
        self.left_out = {b"two\nlines.txt": b"words", b"notes.txt": b"words", b"layers.psd": b"8BPS\0\1" + bytes(40), b"text-without-ending": b"words"}
        for name, data in {**self.read, **self.broken, **self.left_out}.items():
            self.write(b"odd/" + name, data)
        self.write("odd/folder.jpg/inside.pgm", PICTURE.pgm())  # folders inside count with --recursive
        os.symlink("nowhere", self.path("odd/dangling.png"))
        os.mkfifo(self.path("odd/pipe.png"))
        library = heif_writer.load()
        for name in ("heic", "avif"):
            path = self.path(f"odd/picture.{name}")
            if library is not None and heif_writer.write(library, path, name, PICTURE):
                with open(path, "rb") as file:
                    self.read[f"picture.{name}".encode()] = file.read()
        if os.geteuid() != 0:
            self.write("odd/locked.pgm", PICTURE.pgm())
            os.chmod(self.path("odd/locked.pgm"), 0)
            self.broken[b"locked.pgm"] = b""

    def test_each_is_answered_or_named(self):
        result = self.detect("odd", "--left-out", code=1)
        answered = [line["source"] for line in result.lines()]
        named = result.err
        shown = {name: "odd/" + one_line(name) for name in [*self.read, *self.broken, *self.left_out]}
        reads_not = set()
        for name in self.read:
            source = "odd/" + name.decode("utf-8", "replace")
            if source not in answered:
                reads_not.add(name)
                self.assertIn(f"winnow: {shown[name]}: ", named)
        # A build may lack the readers of these; the message names the build that has them.
        lacking = {name for name in reads_not if re.search(rb"\.(tif|heic|avif)$", name)}
        self.assertEqual(reads_not, lacking, named)
        for name in lacking:
            line = next(line for line in named.splitlines() if f"{shown[name]}: " in line)
            self.assertRegex(line, "build")
        for name in self.broken:
            self.assertNotIn(shown[name], answered)
            self.assertEqual(named.count(f"winnow: {shown[name]}: "), 1, shown[name])
        for name in huge():
            line = next(line for line in named.splitlines() if f"odd/{name}: " in line)
            self.assertRegex(line, "more than the [0-9]+ pixels allowed" + ("|build" if f"picture{name[4:]}".encode() not in self.read else ""))
        for name in self.left_out:
            self.assertIn(f"winnow: left out: {shown[name]}\n", named)
        self.assertIn(r"winnow: odd/a\nwinnow: b\t\x1b[2J\r\x7f.pgm: ", named)
        for line in named.split("\n")[:-1]:
            self.assertTrue(line.startswith("winnow: "), line)
        self.assertEqual(len(answered), len(set(answered)))
        # Every entry of the folder was met, and the summary's counts are theirs.
        self.assertGreater(len(self.read) + len(self.broken), 100)
        self.assertIn(f"winnow: {len(answered)} pictures, ", named)
        self.assertIn("odd/dangling.png", named)
        self.assertIn("winnow: left out: odd/pipe.png\n", named)
        squares = [line for line in result.lines() if line["source"].startswith(("odd/wrong.", "odd/picture."))]
        self.assertTrue(all(len(line["objects"]) == 1 for line in squares), squares)

    def test_every_run_gives_the_same(self):
        wanted = self.detect("odd", "--quiet", code=1)
        for options in ([], ["--threads", "1"], ["--threads", "4", "--batch", "7"], ["--backend", "reference"]):
            again = self.detect("odd", "--quiet", *options, code=1)
            self.assertEqual((again.out, again.err), (wanted.out, wanted.err), options)

    def test_copies_have_names_of_their_own(self):
        self.detect("odd", "--out", "marked", "--quiet", code=1)
        answered = len(self.detect("odd", "--quiet", code=1).lines())
        copies = os.listdir(self.path("marked"))
        self.assertEqual(len(copies), answered)
        endings = {os.path.splitext(name)[1].lower() for name in map(os.fsdecode, copies)}
        self.assertLessEqual(endings, {".jpg", ".jpeg", ".png", ".pgm", ".ppm", ".pnm", ".pbm"})
