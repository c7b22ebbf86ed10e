"""Tests of standard input as a stream, of a closed standard output, and of progress on a terminal."""

import json
import os
import re
import subprocess

import scene
from runner import HANG_SECONDS, CommandTest

SMALL, LARGE = scene.Picture(40, 30, [(10, 8, 12)]), scene.Picture(60, 50, [(20, 15, 20)])


class StandardInput(CommandTest):
    def test_pictures_one_after_the_other(self):
        lines = self.detect("-", stdin=SMALL.pgm() + LARGE.ppm() + SMALL.ppm()).lines()
        self.assertEqual([(line["source"], line["frame"], line["time"], line["width"]) for line in lines],
                         [("-", 0, None, 40), ("-", 1, None, 60), ("-", 2, None, 40)])
        self.write("small.pgm", SMALL.pgm())
        self.assertEqual(lines[0]["objects"], self.detect("small.pgm").objects()[0])

    def test_png_pictures_come_as_others(self):
        lines = self.detect("-", stdin=SMALL.png() + LARGE.pgm() + LARGE.png()).lines()
        self.assertEqual([line["width"] for line in lines], [40, 60, 60])
        self.assertEqual(lines[1]["objects"], lines[2]["objects"])

    def test_a_file_of_several_pictures_is_a_stream(self):
        many = SMALL.pgm() + LARGE.ppm() + SMALL.pgm()
        self.write("many.ppm", many)
        streamed, lines = self.detect("-", stdin=many).lines(), self.detect("many.ppm", "--out", "o").lines_without_copies()
        self.assertEqual([dict(line, source="-") for line in lines], streamed)
        self.assertEqual(self.files("o"), ["many-000000.ppm", "many-000001.ppm", "many-000002.ppm"])
        self.assertEqual([line["frame"] for line in self.detect("many.ppm", "--every", "2").lines()], [0, 2])
        self.write("cut.ppm", many[:-9])
        result = self.detect("cut.ppm", code=1)
        self.assertEqual(len(result.lines()), 2)
        start = len(many) - 40 * 30  # of the last picture's pixels
        self.assertIn("winnow: cut.ppm: byte %d: the PNM picture ends early" % start, result.err)

    def test_pictures_that_are_not_read_are_counted(self):
        self.write("one.gif", SMALL.gif())
        self.write("three.gif", SMALL.gif(3))
        self.write("two.gif", SMALL.gif(2))
        self.assertNotIn("not read", self.detect("one.gif").err)
        self.assertIn("; 1 further picture of 1 file was not read", self.detect("two.gif").err)
        self.assertIn("; 3 further pictures of 2 files were not read", self.detect("two.gif", "three.gif", "one.gif").err)

    def test_every(self):
        lines = self.detect("-", "--every", "3", stdin=SMALL.pgm() * 7).lines()
        self.assertEqual([line["frame"] for line in lines], [0, 3, 6])

    def test_beside_other_inputs(self):
        self.write("a.pgm", LARGE.pgm())
        lines = self.detect("a.pgm", "-", "a.pgm", stdin=SMALL.pgm() * 2).lines()
        self.assertEqual([line["source"] for line in lines], ["a.pgm", "-", "-", "a.pgm"])

    def test_a_broken_stream_answers_for_what_came_before(self):
        for tail in (b"nonsense", SMALL.pgm()[:200], b"\xff\xd8\xff"):
            result = self.detect("-", stdin=SMALL.pgm() * 2 + tail, code=1)
            self.assertEqual(len(result.lines()), 2)
            self.assertIn("winnow: standard input: ", result.err)
            self.assertEqual(len(result.err.splitlines()), 2)

    def test_an_empty_stream_is_no_picture(self):
        result = self.detect("-", stdin=b"")
        self.assertEqual(result.out, b"")
        self.assertIn("0 pictures", result.err)

    def test_closed_standard_input(self):
        process = self.start("detect", "-m", "square", "-", stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             stdin=subprocess.DEVNULL)
        self.assertEqual(process.communicate(timeout=HANG_SECONDS)[0], b"")

    def test_a_named_pipe_is_a_stream(self):
        os.mkfifo(self.path("pipe"))
        process = self.start("detect", "-m", "square", "pipe", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with open(self.path("pipe"), "wb") as pipe:
            pipe.write(SMALL.pgm() + LARGE.pgm())
        out, err = process.communicate(timeout=HANG_SECONDS)
        self.assertEqual((process.returncode, out.count(b"\n")), (0, 2), err)


class StandardOutput(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("a.pgm", LARGE.pgm())

    def test_a_line_is_seen_as_soon_as_it_is_made(self):
        process = self.start("detect", "-m", "square", "-", "--quiet", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(3):
            process.stdin.write(SMALL.pgm())
            process.stdin.flush()
            self.assertIn(b'"source":"-"', process.stdout.readline())
        process.stdin.close()
        self.assertEqual(process.wait(HANG_SECONDS), 0)

    def test_a_closed_pipe_ends_quietly(self):
        for arguments in (["detect", "-m", "square", *["a.pgm"] * 50], ["--help"], ["models"], ["inspect", "square"]):
            reading, writing = os.pipe()
            os.close(reading)
            process = self.start(*arguments, stdout=writing, stderr=subprocess.PIPE)
            os.close(writing)
            _, err = process.communicate(timeout=HANG_SECONDS)
            self.assertEqual((process.returncode, err), (141, b""), arguments)

    def test_a_full_disk_is_an_error(self):
        for arguments in (["detect", "-m", "square", "a.pgm"], ["--version"], ["bench", "-m", "square", "a.pgm"]):
            with open("/dev/full", "wb") as full:
                result = self.run_command(*arguments, stdout=full)
            self.assertEqual(result.code, 1, arguments)
            self.assertIn("winnow: standard output", result.err)

    def test_closed_standard_output(self):
        shell = '"$0" detect -m square a.pgm >&- 2>errors'
        import runner
        code = subprocess.call(["sh", "-c", shell, runner.command], cwd=self.folder, env=self.environment())
        self.assertEqual(code, 1)
        self.assertIn(b"standard output", self.read("errors"))


class Progress(CommandTest):
    def on_terminal(self, *arguments):
        self.write("a.pgm", LARGE.pgm())
        text, out = self.run_on_terminal("detect", "-m", "square", *["a.pgm"] * 20, *arguments)
        self.assertEqual(out.count(b"\n"), 20)
        return text

    def test_terminal(self):
        text = self.on_terminal()
        self.assertIn("input 1 of 20", text)
        self.assertIn("pictures/s", text)
        self.assertRegex(text.replace("\r\n", "\n"), r"\r\x1b\[Kwinnow: 20 pictures, .*\n$")

    def test_times(self):
        line = (r"\r\x1b\[Kwinnow: 20 pictures, .* pictures/s; time per picture: "
                r"median ([0-9.]+) ms, 95th percentile ([0-9.]+) ms, greatest ([0-9.]+) ms\n$")
        found = re.search(line, self.on_terminal("--timing").replace("\r\n", "\n"))
        self.assertIsNotNone(found)
        times = [float(text) for text in found.groups()]
        self.assertEqual(times, sorted(times))
        # The greatest time is that of the lines.
        lines = [json.loads(line) for line in self.read("out").decode().splitlines()]
        self.assertAlmostEqual(times[2], 1000 * max(line["seconds"] for line in lines), delta=0.06)
        seconds = sorted(line["seconds"] for line in lines)
        self.assertAlmostEqual(times[0], 1000 * seconds[9], delta=10 * seconds[9] + 0.06)
        self.assertAlmostEqual(times[1], 1000 * seconds[18], delta=10 * seconds[18] + 0.06)

    def test_no_times_without_pictures_or_when_quiet(self):
        self.assertNotIn("time per picture", self.detect("-", "--timing", stdin=b"").err)
        self.assertEqual(self.on_terminal("--timing", "--quiet"), "")

    def test_quiet(self):
        self.assertEqual(self.on_terminal("--quiet"), "")

    def test_no_terminal_no_status(self):
        self.write("a.pgm", LARGE.pgm())
        self.assertNotIn("\r", self.detect(*["a.pgm"] * 20).err)
