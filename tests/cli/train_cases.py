"""Tests of the packs of `winnow train`."""

import json
import os
import struct

import scene
from runner import CommandTest


def face(seed, size=24):
    """A crop that differs from the crops of all other seeds."""
    picture = scene.Picture(size, size, [(4, 4, 6 + seed % 7)])
    picture.rows[0][0] = seed
    return picture


class Pack(CommandTest):
    def setUp(self):
        super().setUp()
        for i in range(7):
            self.write(f"crops/{i}.pgm", face(i).pgm())
        self.write("scenes/a.pgm", scene.Picture(80, 60).pgm())
        self.write("scenes/b.png", scene.Picture(70, 50, [(5, 5, 20)]).png())
        self.write("bg.txt", "scenes/a.pgm\nscenes/b.png\n")

    def pack(self, *arguments, positives="crops", code=0):
        result = self.run_command("train", "pack", "--positives", positives, "--negatives", "bg.txt", *arguments)
        self.assertEqual(result.code, code, result.err)
        return result

    def recipe(self, *files):
        result = self.run_command("train", "pack", "--list", *files)
        self.assertEqual((result.code, result.err), (0, ""))
        text = result.out.decode()
        return text.split("\n")[0], json.loads(text[text.index("{"):])

    def test_makes_lists_and_shows(self):
        result = self.pack("--out", "a.pack", "--mirror", "--augment", "copies=2,roll=5,noise=0.02")
        self.assertEqual(result.err, "")
        self.assertRegex(result.out.decode(), r"^a\.pack: 0\.\d MB\n42 positives of 24x24, 2 negatives\n$")
        line, recipe = self.recipe("a.pack")
        self.assertRegex(line, r"^42 positives of 24x24, 2 negatives \(0\.\d MB, sides from 70x50 to 80x60\)$")
        self.assertEqual(recipe["counts"], {"positives": 42, "negatives": 2, "equal": 0})
        self.assertEqual(recipe["positives"], [{"source": "crops", "kind": "crops", "found": 7, "taken": 7}])
        self.assertEqual(recipe["negatives"], ["bg.txt"])
        self.assertEqual((recipe["options"]["augment"]["copies"], recipe["options"]["augment"]["roll"]), (2, 5.0))
        result = self.run_command("train", "pack", "--list", "a.pack", "--show", "42", "sheet.png")
        self.assertEqual((result.code, result.err), (0, ""))
        self.assertEqual(scene.png_size(self.read("sheet.png")), (17 * 74 + 2, 3 * 74 + 2))
        again = ("train", "pack", "--list", "a.pack", "--show", "1", "sheet.png")
        self.assert_usage_error(*again, says="sheet.png is there already (--force writes over it)")
        self.assertEqual(scene.png_size(self.read("sheet.png")), (17 * 74 + 2, 3 * 74 + 2))
        self.assertEqual(self.run_command(*again, "--force").code, 0)
        self.assertEqual(scene.png_size(self.read("sheet.png")), (76, 76))
        self.assertEqual(self.files("."), sorted(self.files(".")))
        self.assertFalse([name for name in self.files(".") if name.endswith(".part")])

    def test_is_repeatable(self):
        options = ["--augment", "copies=3,blur=0.5,gamma=0.3,gradient=0.2,noise=0.02", "--mirror", "--samples", "4"]
        self.pack("--out", "a.pack", *options)
        self.pack("--out", "b.pack", *options)
        self.pack("--out", "c.pack", *options, "--seed", "2")
        self.assertEqual(self.read("a.pack"), self.read("b.pack"))
        self.assertNotEqual(self.read("a.pack"), self.read("c.pack"))

    def test_several_sources(self):
        samples = [bytes([value]) * 576 for value in (1, 2, 3)]
        vec = struct.pack("<iihh", 3, 576, 0, 0)
        vec += b"".join(b"\0" + struct.pack("<576h", *sample) for sample in samples)
        self.write("p.vec", vec)
        self.write("info.dat", "scenes/b.png 2 5 5 20 20 90 90 5 5\n")
        result = self.pack("--positives", "p.vec", "--positives", "info.dat", "--positives", "scenes/a.pgm",
                           "--warps", "5", "--background", "0", "--out", "a.pack", "--margin", "1.2")
        self.assertEqual(result.err, "winnow: bg.txt: 1 picture shows the object, and is left out of the negatives\n"
                                     "winnow: scenes/b.png: 2 lies outside its picture\n")
        _, recipe = self.recipe("a.pack")
        self.assertEqual([(source["kind"], source["taken"]) for source in recipe["positives"]],
                         [("crops", 7), ("vec", 3), ("info", 1), ("warps", 5)])

    def test_points(self):
        self.write("scenes/c.pgm", scene.Picture(80, 60).pgm())
        self.write("bg.txt", "scenes/c.pgm\n")
        self.write("points.csv", "file,x0,y0,x1,y1\nscenes/a.pgm,30,30,45,33\nscenes/b.png,20,20,20,20\n")
        result = self.pack("--eyes", "0/1", "--eye-span", "2.5", "--eye-line", "0.3", "--out", "a.pack",
                           positives="points.csv")
        self.assertEqual(result.err, "winnow: scenes/b.png: 1 has both eyes in one place\n")
        self.assertEqual(self.recipe("a.pack")[1]["options"]["eye_span"], 2.5)
        # A head line with names of points shows the format. Without a head line, --truth-format must name the format.
        wanted = self.recipe("a.pack")[1]["counts"]
        row = "scenes/a.pgm,30,30,45,33\n"
        self.write("named.csv", "file,left_eye_x,left_eye_y,right_eye_x,right_eye_y\n" + row)
        self.pack("--eyes", "0/1", "--out", "b.pack", positives="named.csv")
        self.assertEqual(self.recipe("b.pack")[1]["counts"], wanted)
        self.write("bare.csv", row)
        result = self.pack("--eyes", "0/1", "--out", "c.pack", positives="bare.csv", code=1)
        self.assertIn("name the format csv or points", result.err)
        self.pack("--eyes", "0/1", "--out", "c.pack", "--truth-format", "points", positives="bare.csv")
        self.assertEqual(self.recipe("c.pack")[1]["counts"], wanted)
        self.assertEqual(self.recipe("c.pack")[1]["options"]["truth_format"], "points")

    def test_points_of_pts_files(self):
        self.write("faces/a.pgm", scene.Picture(80, 60, [(5, 5, 40)]).pgm())
        self.write("faces/b.pgm", scene.Picture(80, 60).pgm())
        self.write("faces/points.csv", "file,x0,y0,x1,y1\na.pgm,19.5,20,45,33\n")
        self.pack("--eyes", "0/1", "--out", "a.pack", positives="faces/points.csv")
        os.remove(self.path("faces/points.csv"))
        # Points of .pts files count from 1. A folder with such files is a truth.
        self.write("faces/a.pts", "version: 1\nn_points:  2\n{\n20.5 21\n46 34\n}\n")
        result = self.pack("--eyes", "0/1", "--out", "b.pack", positives="faces")
        self.assertEqual(result.err, "winnow: faces: is taken for labelled pictures, since a.pgm has a file of labels; "
                                     "1 picture has none, and gives nothing\n")
        self.assertEqual(self.recipe("b.pack")[1]["positives"],
                         [{"source": "faces", "kind": "pts", "found": 1, "taken": 1}])
        for name in ("a", "b"):
            self.assertEqual(self.run_command("train", "pack", "--list", name + ".pack", "--show", "1", name + ".png").code, 0)
        self.assertEqual(self.read("a.png"), self.read("b.png"))

    def test_crop(self):
        self.pack("--crop", "4,4,12.5,12.5", "--out", "a.pack")
        self.assertEqual(self.recipe("a.pack")[1]["options"]["crop"], [4.0, 4.0, 12.5, 12.5])

    def test_shards(self):
        for i in range(7, 60):
            self.write(f"crops/{i}.pgm", face(i).pgm())
        result = self.pack("--out", "a.pack", "--part-size", "8K")
        names = [line.split(":")[0] for line in result.out.decode().splitlines()[:-1]]
        self.assertGreater(len(names), 3)
        self.assertEqual(names, [f"a.pack.{i + 1}" for i in range(len(names))])
        for name in names:
            self.assertLessEqual(len(self.read(name)), 8192)
        self.write("whole.pack", b"".join(self.read(name) for name in names))
        whole = self.recipe(*names)
        self.assertEqual(self.recipe(*reversed(names)), whole)
        self.assertEqual(self.recipe("a.pack"), whole)
        self.assertEqual(self.recipe("whole.pack"), whole)
        result = self.run_command("train", "pack", "--list", names[0], names[2])
        self.assertEqual(result.code, 2)
        self.assertIn("part 2 of %d is missing" % len(names), result.err)
        self.assertEqual(result.err.count("\n"), 1)

    def test_what_is_there_stays(self):
        # The files "nobody" do not exist, so each expected message comes before samples are read.
        lost = ["train", "pack", "--positives", "nobody", "--negatives", "nobody"]
        self.write("a.pack", "mine")
        self.write("b.pack.1", "mine")
        for left_over in ("c.pack.10", "c.pack.3", "c.pack.x", "c.pack.02"):
            self.write(left_over, "mine")
        os.mkdir(self.path("folder.pack"))
        shard_size = ["--part-size", "8K"]
        for more, says in [(["--out", "a.pack"], "a.pack is there already (--force writes over it)"),
                           (["--out", "b.pack", *shard_size], "b.pack.1 is there already (--force writes over it)"),
                           (["--out", "c.pack", *shard_size], "winnow: c.pack.3 is there already (--force writes over it)"),
                           (["--out", "./c.pack", *shard_size], "./c.pack.3 is there already"),
                           (["--out", "a.pack", *shard_size, "--force"], "a.pack is there already, and a pack is one file"),
                           (["--out", "b.pack", "--force"], "b.pack.1 is there already, and a pack is one file"),
                           (["--out", "folder.pack", "--force"], "folder.pack is a folder")]:
            self.assert_usage_error(*lost, *more, says=says)
        result = self.run_command(*lost, "--out", "no/a.pack", *shard_size)
        self.assertEqual((result.code, result.err), (1, "winnow: no/a.pack.1: cannot write: No such file or directory\n"))
        self.assertEqual((self.read("a.pack"), self.read("b.pack.1")), (b"mine", b"mine"))
        self.pack("--out", "a.pack", "--force")
        self.pack("--out", "b.pack", *shard_size, "--force")
        self.pack("--out", "c.pack", *shard_size, "--force")
        whole = self.recipe("a.pack")
        self.assertEqual(self.recipe("b.pack"), whole)
        os.rename(self.path("b.pack.1"), self.path("a.pack.1"))
        self.assert_usage_error("train", "pack", "--list", "a.pack", says="a.pack: a.pack.1 is there too")

    def test_options_that_say_nothing(self):
        warps = {"--warps": "5", "--warp-angles": "1,1,0.2", "--warp-light": "20", "--background": "0",
                 "--background-tolerance": "10"}
        truth = {"--eyes": "0/1", "--eye-span": "2", "--eye-line": "0.4", "--category": "face", "--pictures": "scenes",
                 "--truth-format": "csv", "--margin": "1.2"}
        words = [word for pair in {**warps, **truth}.items() for word in pair]
        result = self.pack("--out", "a.pack", *words)
        for option in warps:
            self.assertIn(f"winnow: {option} says nothing: no positive is a picture to be warped\n", result.err)
        for option in truth:
            self.assertIn(f"winnow: {option} says nothing: no positive is of a truth\n", result.err)
        self.assertEqual(result.err.count("\n"), len(warps) + len(truth))
        self.write("info.dat", "scenes/b.png 1 5 5 20 20\n")
        result = self.pack("--out", "b.pack", "--crop", "1,1,9,9", "--margin", "1.2", positives="info.dat")
        self.assertEqual(result.err, "winnow: bg.txt: 1 picture shows the object, and is left out of the negatives\n"
                                     "winnow: --crop says nothing: no positive is of a folder of crops\n")
        result = self.pack("--out", "c.pack", "--warps", "3", "--warp-light", "20", positives="scenes/a.pgm")
        self.assertEqual(result.err, "")

    def test_a_crop_of_negatives(self):
        result = self.pack("--out", "a.pack", "--negative-crop", "10,5,30,40")
        self.assertEqual(result.err, "")
        line, recipe = self.recipe("a.pack")
        self.assertRegex(line, r"2 negatives \(.*, sides from 30x40 to 30x40\)$")
        self.assertEqual(recipe["options"]["negative_crop"], [10, 5, 30, 40])
        result = self.run_command("train", "pack", "--positives", "crops", "--window", "24x24", "--out", "b.pack",
                                  "--negative-crop", "0,0,40,40")
        self.assertEqual(result.err, "winnow: --negative-crop says nothing: there is no negative\n")

    def test_broken_packs(self):
        self.pack("--out", "a.pack")
        data = self.read("a.pack")
        for name, broken, says in [("cut", data[:-9], "cut off"), ("text", b"text", "is no pack"),
                                   ("bits", data[:300] + b"\0\1\2" + data[303:], "CRC")]:
            self.write(name, broken)
            result = self.run_command("train", "pack", "--list", name)
            self.assertEqual((result.code, result.out), (1, b""))
            self.assertRegex(result.err, f"^winnow: {name}: .*{says}")
            self.assertEqual(result.err.count("\n"), 1)
        self.assertEqual(self.run_command("train", "pack", "--list", "nobody").code, 1)

    def test_notes(self):
        self.write("crops/same.png", face(3).png())
        self.write("crops/text.jpg", "text")
        self.write("bg.txt", "scenes/a.pgm\nlost.pgm\ncrops/1.pgm\n")
        result = self.pack("--out", "a.pack")
        self.assertIn("crops/text.jpg: not a picture", result.err)
        self.assertIn("lost.pgm: cannot open", result.err)
        self.assertIn("1 positive is equal to another one and left out", result.err)
        self.assertIn("bg.txt: 1 picture shows the object, and is left out of the negatives", result.err)
        self.assertEqual(result.err.count("\n"), 4)
        self.assertIn("7 positives of 24x24, 1 negative\n", result.out.decode())
        # A stray file of labels makes a folder of crops a truth, and points without --eyes are boxes.
        self.write("crops/1.txt", "0 0.5 0.5 1 1\n")
        result = self.pack("--out", "b.pack")
        self.assertRegex(result.err, r"winnow: crops: [1-9]\d* pictures have no file of labels, taken as empty\n")
        self.write("points.csv", "file,x0,y0,x1,y1\nscenes/a.pgm,30,30,60,60\n")
        result = self.pack("--out", "c.pack", positives="points.csv")
        self.assertIn("winnow: points.csv: the boxes are those around the points; --eyes says", result.err)

    def test_help(self):
        result = self.run_command("train", "pack", "--help")
        self.assertEqual((result.code, result.err), (0, ""))
        for word in ("Example", "winnow train pack", "--eyes", "--warps"):
            self.assertIn(word, result.out.decode())

    def test_bad_usage(self):
        good = ["train", "pack", "--positives", "crops", "--negatives", "bg.txt"]
        self.assert_usage_error("train", says="pack")
        self.assert_usage_error("train", "packs", says="pack")
        self.assert_usage_error(*good, says="--out")
        self.assert_usage_error("train", "pack", "--out", "a", says="positives or negatives are needed")
        self.assert_usage_error("train", "pack", "--list", "a.pack", "--out", "b.pack", says="--list")
        for more in (["--mirror"], ["--seed", "2"], ["--positives", "crops"], ["--part-size", "8K"], ["--force"]):
            self.assert_usage_error("train", "pack", "--list", "a.pack", *more, says=more[0] + " does not go with it")
        self.assert_usage_error(*good, "--out", "a.pack", "--seed=-1", says="--seed wants a number from 0 on, of 64 bits, not '-1'")
        self.assert_usage_error(*good, "--out", "a.pack", "--seed", "18446744073709551616", says="of 64 bits")
        for option, value, says in [("--window", "24", "24x24"), ("--window", "2x2", "4 to 256"), ("--window", "24x257", "4 to 256"),
                                    ("--augment", "roll=5", "copies=N"), ("--augment", "copies=2,color=1", "gradient"),
                                    ("--augment", "copies=2,roll=500", "180"), ("--augment", "copies=x", "numbers"),
                                    ("--augment", "copies=1.5", "1 to 1000"), ("--crop", "1,2,3", "X,Y"),
                                    ("--crop", "1,2,3,0", "above 0"),
                                    ("--negative-crop", "1,2,3", "X,Y"), ("--negative-crop", "1,2,30.5,30", "whole pixels"),
                                    ("--negative-crop", "0,0,1e300,40", "whole pixels"),
                                    ("--negative-crop", "1,2,10,30", "not be smaller than the window"), ("--eyes", "3", "0/1"), ("--margin", "0", "margin"),
                                    ("--part-size", "60Q", "60M"), ("--part-size", "1K", "4096"), ("--part-size", "1k", "4096"), ("--samples", "-1", "samples"),
                                    ("--warp-angles", "1,2", "X,Y,Z"), ("--warp-angles", "2,0,0", "1.4"),
                                    ("--background", "300", "background"), ("--seed", "x", "--seed"), ("--seed", "-1", "from 0 on")]:
            self.assert_usage_error(*good, "--out", "a.pack", option, value, says=says)
        self.assert_usage_error(*good, "--show", "0", "a.png", says="--show")
        self.assert_usage_error(*good, "--show", "5", "a.txt", says=".png")
        self.assert_usage_error(*good, "--out", "a.png", "--show", "5", "./a.png", says="--show would write over the pack")
        self.assert_usage_error("train", "pack", "--list", "b.pgm", "--show", "5", "./b.pgm", "--force",
                                says="--show would write over the pack")
        self.assert_usage_error(*good, "--out", "a.pack", "--warps", "4000001", says="from 0 to 4000000")
        self.assertEqual([name for name in self.files(".") if name.startswith("a")], [])
        self.assertEqual(self.run_command(*good, "--out", "no/such/a.pack").code, 1)
        self.assertEqual(self.run_command("train", "pack", "--positives", "none", "--negatives", "bg.txt", "--out",
                                          "a.pack").code, 1)

    def test_full_disk(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full here")
        os.symlink("/dev/full", self.path("a.pack.part"))
        result = self.pack("--out", "a.pack", code=1)
        self.assertIn("a.pack: cannot write", result.err)
        self.assertNotIn("a.pack", self.files("."))
