"""Tests of annotated pictures and videos."""

import os
import random
import re
import resource
import shutil
import signal
import subprocess

import scene
from runner import HANG_SECONDS, CommandTest, Result

PICTURE = scene.Picture(100, 80, [(30, 25, 30)])


class Pictures(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("a.ppm", PICTURE.ppm())

    def test_framed(self):
        found = self.detect("a.ppm", "--out", "o/o").objects()[0][0]
        kind, width, height, pixels = scene.read_pnm(self.read("o/o/a.ppm"))
        self.assertEqual((kind, width, height), (b"P6", 100, 80))
        before = scene.read_pnm(PICTURE.ppm())[3]
        changed = [(at // 3 % width, at // 3 // width) for at in range(0, len(pixels), 3)
                   if pixels[at:at + 3] != before[at:at + 3]]
        self.assertEqual(min(changed), (found["x"], found["y"]))
        self.assertEqual(max(changed), (found["x"] + found["width"] - 1, found["y"] + found["height"] - 1))
        self.assertNotIn((found["x"] + found["width"] // 2, found["y"] + found["height"] // 2), changed)

    def test_a_line_names_its_copy_and_stays_the_same_else(self):
        self.write("b.ppm", b"P6 9")
        self.write('q"\n.ppm', PICTURE.ppm())
        names = ["a.ppm", "a.ppm", 'q"\n.ppm']
        lines = self.detect(*names, "b.ppm", "--out", "o", code=1).lines()
        self.assertEqual([line.pop("copy") for line in lines], ["o/a.ppm", "o/a-1.ppm", 'o/q"\n.ppm'])
        self.assertEqual(lines, self.detect(*names).lines())
        self.assertEqual(self.detect("a.ppm", "--out", "p", "--format", "csv").out, self.detect("a.ppm", "--format", "csv").out)

    def run_with_small_disk(self, *arguments, most):
        """Runs the command, which can write no file of more bytes."""
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        process = self.start(*arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             restore_signals=False, preexec_fn=limit)
        out, err = process.communicate(timeout=HANG_SECONDS)
        return Result(process.returncode, out, err.decode())

    def test_a_full_disk_ends_the_copies_and_not_the_answers(self):
        small = scene.Picture(40, 30, [(10, 5, 20)])
        for i in range(5):
            self.write(f"in/{i}.ppm", (PICTURE if i == 2 else small).ppm())
        wanted = self.detect("in").lines()
        for command, key in ((["detect"], "objects"), (["detect", "--blur"], "objects"),
                             (["faces", "--points", "5", "--blur"], "faces")):
            out = "-".join(command)
            result = self.run_with_small_disk(*command, "-m", "square", "in", "--out", out, most=10000)
            self.assertEqual(result.code, 1, result.err)
            self.assertEqual([line["source"] for line in result.lines()], [line["source"] for line in wanted])
            self.assertEqual([len(line[key]) for line in result.lines()], [len(line["objects"]) for line in wanted])
            self.assertEqual([line.get("copy") for line in result.lines()], [f"{out}/0.ppm", f"{out}/1.ppm", None, None, None])
            self.assertEqual(result.err.count("copy cannot be written"), 1, result.err)
            self.assertIn("winnow: in/2.ppm: its ", result.err)
            self.assertIn("; the answers go on without copies\n", result.err)
            self.assertEqual(sorted(os.listdir(self.path(out))), [b"0.ppm", b"1.ppm"])

    def test_a_place_that_takes_no_file_ends_no_other_copy(self):
        self.write("in/sub/a.ppm", PICTURE.ppm())
        self.write("in/z.ppm", PICTURE.ppm())
        self.write("o/sub", b"a file where a folder is needed")
        result = self.detect("in", "--recursive", "--out", "o", code=1)
        self.assertIn("winnow: in/sub/a.ppm: its marked copy cannot be written: ", result.err)
        self.assertNotIn("without copies", result.err)
        self.assertEqual(self.files("o"), ["sub", "z.ppm"])

    def test_the_page_names_inputs_behind_a_full_disk(self):
        small = scene.Picture(40, 30, [(10, 5, 20)])
        for i in range(4):
            self.write(f"in/{i}.ppm", (PICTURE if i == 1 else small).ppm())
        result = self.run_with_small_disk("faces", "--points", "5", "--blur", "-m", "square", "in", "--out", "o", "--review", "r", most=10000)
        self.assertEqual(result.code, 1, result.err)
        page = self.read("r/index.html").decode()
        self.assertIn("in/1.ppm: its blurred copy cannot be written: ", page)
        for name in ("in/2.ppm", "in/3.ppm"):
            self.assertIn(f"{name}: no copy was written, since the copies ended before", page)
        self.assertNotIn("in/0.ppm: ", page)

    def test_a_full_disk_in_a_video(self):
        if not self.has_video():
            self.skipTest("this build reads no videos")
        noise = random.Random(3)
        frames = [scene.Picture(320, 240, [(i, 25, 30)]) for i in range(40)]
        for frame in frames:
            for row in frame.rows:
                row[:] = bytes((value + noise.randrange(30)) & 255 for value in row)
        self.write("v.y4m", scene.y4m(frames))
        self.write("a.pgm", PICTURE.pgm())
        for command in (["detect"], ["faces", "--points", "5", "--blur"]):
            result = self.run_with_small_disk(*command, "-m", "square", "a.pgm", "v.y4m", "a.pgm", "--out", command[0], most=40000)
            self.assertEqual(result.code, 1, result.err)
            sources = [line["source"] for line in result.lines()]
            self.assertEqual(sources, ["a.pgm"] + ["v.y4m"] * 40 + ["a.pgm"], result.err)
            self.assertEqual(result.err.count("; the answers go on without copies"), 1, result.err)
            self.assertEqual(os.listdir(self.path(command[0])), [b"a.ppm"])

    def test_blurred(self):
        found = self.detect("a.ppm", "--out", "o", "--blur").objects()[0][0]
        _, width, _, pixels = scene.read_pnm(self.read("o/a.ppm"))
        before = scene.read_pnm(PICTURE.ppm())[3]
        changed = [(at // 3 % width, at // 3 // width) for at in range(0, len(pixels), 3)
                   if pixels[at:at + 3] != before[at:at + 3]]
        # The drawing extends at most a tenth of the box beyond each side.
        dx, dy = -(-found["width"] // 10), -(-found["height"] // 10)
        self.assertLess(min(changed)[0], found["x"])
        self.assertGreaterEqual(min(x for x, _ in changed), found["x"] - dx)
        self.assertLess(max(x for x, _ in changed), found["x"] + found["width"] + dx)
        self.assertGreaterEqual(min(y for _, y in changed), found["y"] - dy)
        self.assertLess(max(y for _, y in changed), found["y"] + found["height"] + dy)
        self.assertGreater(len(changed), found["width"] * found["height"] // 2)

    def test_endings(self):
        self.write("b.PGM", PICTURE.pgm())
        self.write("c.png", PICTURE.png())
        self.write("d", PICTURE.pgm())
        self.write("e.bmp", PICTURE.bmp())
        self.write("f.gif", PICTURE.gif())
        self.write("g.JFIF", PICTURE.png())
        self.detect("a.ppm", "b.PGM", "c.png", "d", "e.bmp", "f.gif", "g.JFIF", "--out", "o")
        self.assertEqual(self.files("o"), ["a.ppm", "b.ppm", "c.png", "d.png", "e.png", "f.png", "g.jpg"])
        self.assertEqual(scene.png_size(self.read("o/c.png")), (100, 80))

    def test_the_structure_of_folders_is_kept(self):
        for name in ("p/x.ppm", "p/deep/x.ppm", "p/deep/er/y.ppm", "q/x.ppm"):
            self.write(name, PICTURE.ppm())
        self.detect("p", "q", "--recursive", "--out", "o")
        self.assertEqual(self.files("o"), ["deep/er/y.ppm", "deep/x.ppm", "x-1.ppm", "x.ppm"])

    def test_nothing_is_written_over(self):
        original = self.read("a.ppm")
        self.detect("a.ppm", "--out", ".")
        self.assertEqual(self.read("a.ppm"), original)
        self.assertNotEqual(self.read("a-1.ppm"), original)
        first = self.read("a-1.ppm")
        self.detect("a.ppm", "--out", ".")
        self.assertEqual(self.read("a-1.ppm"), first)
        self.assertEqual(self.read("a-2.ppm"), first)

    def test_places_that_cannot_be_written(self):
        for folder in ("a.ppm", "a.ppm/o", "/proc/no-such-folder"):
            result = self.detect("a.ppm", "--out", folder, code=1)
            self.assertTrue(result.err.startswith("winnow: " + folder), result.err)

    def test_long_names(self):
        # The name is as long as a file's name may be. The name with a number is too long.
        name = "n" * 251 + ".ppm"
        self.write(name, PICTURE.ppm())
        self.detect(name, "--out", "o")
        self.assertEqual(self.files("o"), [name])
        result = self.detect(name, "a.ppm", "--out", "o", code=1)
        self.assertEqual(len(result.lines()), 2)
        self.assertIn("its marked copy cannot be written", result.err)
        self.assertIn("File name too long", result.err)
        self.assertEqual(self.files("o"), ["a.ppm", name])

    def test_pictures_of_a_stream(self):
        self.detect("-", "--out", "o", "--every", "2", stdin=PICTURE.ppm() * 4)
        self.assertEqual(self.files("o"), ["stream-000000.jpg", "stream-000002.jpg"])


class Videos(CommandTest):
    def setUp(self):
        super().setUp()
        self.need_video()
        frames = [scene.Picture(128, 96, [(20 + 2 * i, 30, 30)]) for i in range(12)]
        self.write("v.y4m", scene.y4m(frames, rate=10))
        self.frames = frames

    def test_lines(self):
        lines = self.detect("v.y4m").lines()
        self.assertEqual([line["frame"] for line in lines], list(range(12)))
        for line in lines:
            self.assertAlmostEqual(line["time"], line["frame"] / 10)
            self.assertEqual((line["width"], line["height"]), (128, 96))
            self.assertEqual(len(line["objects"]), 1)
        self.assertGreater(lines[11]["objects"][0]["x"], lines[0]["objects"][0]["x"] + 10)

    def test_every_and_batch(self):
        wanted = self.detect("v.y4m", "--every", "5")
        self.assertEqual([line["frame"] for line in wanted.lines()], [0, 5, 10])
        self.assertEqual(self.detect("v.y4m", "--every", "5", "--batch", "2", "--threads", "2").out, wanted.out)

    def test_roi_outside_stays_a_problem_of_each_frame(self):
        result = self.detect("v.y4m", "--every", "6", "--roi", "500,500,10,10", code=1)
        self.assertEqual(result.out, b"")
        self.assertIn("v.y4m, frame 6", result.err)

    def test_annotated(self):
        self.detect("v.y4m", "v.y4m", "--out", "o")
        self.assertEqual(self.files("o"), ["v-1.mkv", "v.mkv"])
        lines = self.detect("o/v.mkv").lines()
        self.assertEqual([line["frame"] for line in lines], list(range(12)))
        self.assertAlmostEqual(lines[10]["time"], 1.0, delta=0.02)

    def test_a_long_name(self):
        name = "n" * 251 + ".mkv"
        os.rename(self.path("v.y4m"), self.path(name))
        self.detect(name, "--out", "o")
        self.assertEqual(self.files("o"), [name])

    def test_pictures_and_videos_mixed(self):
        self.write("a.pgm", self.frames[0].pgm())
        lines = self.detect("a.pgm", "v.y4m", "a.pgm", "--batch", "5").lines()
        self.assertEqual([line["source"] for line in lines], ["a.pgm"] + ["v.y4m"] * 12 + ["a.pgm"])
        self.assertEqual([line["time"] is None for line in lines], [True] + [False] * 12 + [True])

    def test_a_video_that_is_damaged(self):
        self.need_video()
        self.write("v.mp4", self.read("v.y4m"))  # so that the marked copy is an MP4 file
        self.detect("v.mp4", "--out", "o")
        data = bytearray(self.read("o/v.mp4"))
        first = data.index(b"mdat") + 4
        size = int.from_bytes(data[first - 8:first - 4], "big") - 8
        data[first + size // 2:first + size] = b"\xff" * (size - size // 2)
        self.write("damaged.mp4", bytes(data))
        result = self.detect("damaged.mp4", "v.y4m", code=1)
        self.assertRegex(result.err, r"(?m)^winnow: damaged\.mp4: [0-9]+ packets? could not be read or decoded: "
                                     r"frames may be missing$")

    def need_ffmpeg(self):
        if shutil.which("ffmpeg") is None:
            self.skipTest("the ffmpeg command is missing")

    def with_sound(self, name, seconds, times=1):
        """Writes an MPEG transport stream of the video `times` times, and `seconds` seconds of AAC."""
        done = subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-stream_loop", str(times - 1), "-i", "v.y4m",
                               "-f", "lavfi", "-i", "sine=duration=%g" % seconds, "-c:v", "mpeg4", "-c:a", "aac", name],
                              cwd=self.folder)
        self.assertEqual(done.returncode, 0)

    def break_sound(self, name, first, last):
        """Overwrites the head of each AAC frame between the fractions `first` and `last` of the file."""
        data = bytearray(self.read(name))
        at, broken = int(len(data) * first), 0
        while (at := data.find(b"\xff\xf1", at)) >= 0 and at < len(data) * last:
            data[at:at + 2] = b"\x00\x00"
            broken += 1
        self.assertGreater(broken, 5)
        self.write(name, bytes(data))

    def test_broken_sound_ends_one_copy_only(self):
        self.need_ffmpeg()
        # First the broken sound lies after the pictures, and is found at the end of the input. Then the broken sound
        # lies among the pictures.
        for times, first, place in ((1, 0.6, ""), (10, 0.1, ", frame [0-9]+")):
            with self.subTest(times=times):
                self.with_sound("sound.ts", 14, times)
                self.break_sound("sound.ts", first, 1)
                result = self.detect("sound.ts", "v.y4m", "--out", "o", code=1)
                self.assertEqual(len(result.lines()), 12 * times + 12)
                said = re.findall(r"(?m)^winnow: (.*): its marked copy cannot be written: ", result.err)
                self.assertEqual(len(said), 1, result.err)
                self.assertRegex(said[0], "^sound.ts" + place + "$")
                self.assertEqual(self.files("o"), ["v.mkv"])
                shutil.rmtree(self.path("o"))
                os.remove(self.path("sound.ts"))

    def test_a_reader_that_goes_ends_the_sound_too(self):
        self.need_ffmpeg()
        self.with_sound("sound.ts", 60)
        process, lines = self.start_stepped("detect", "-m", "square", "sound.ts", "--out", "o", "--batch", "1",
                                            stderr=subprocess.PIPE)
        # The test reads one of the twelve lines. The command writes at most one more before it finds the pipe closed.
        lines.read()
        lines.close()
        _, err = process.communicate(timeout=HANG_SECONDS)
        self.assertEqual((process.returncode, err),
                         (141, b"winnow: sound.ts: nobody reads standard output any more: its copy ends early\n"))
        self.assertEqual(self.files("o"), ["sound.mkv"])
        seconds = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0",
                                  "o/sound.mkv"], cwd=self.folder, capture_output=True).stdout
        self.assertLess(float(seconds), 1)

    def test_broken_videos(self):
        self.write("empty.mp4", b"")
        self.write("noise.mkv", random.Random(1).randbytes(5000))
        self.write("text.avi", "words\n" * 100)
        result = self.detect("empty.mp4", "noise.mkv", "v.y4m", "text.avi", code=1)
        self.assertEqual(len(result.lines()), 12)
        for name in ("empty.mp4", "noise.mkv", "text.avi"):
            self.assertIn("winnow: " + name, result.err)
