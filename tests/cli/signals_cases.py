"""Tests of Ctrl-C: whole lines, whole files, exit code 130; and of a second one."""

import json
import os
import signal
import subprocess

import scene
from faces_cases import points_file
from runner import HANG_SECONDS, CommandTest

PICTURE = scene.Picture(40, 30, [(10, 8, 12)])


class Stop(CommandTest):
    def test_while_waiting_for_input(self):
        process = self.start("detect", "-m", "square", "-", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
        process.stdin.write(PICTURE.pgm())
        process.stdin.flush()
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.wait(HANG_SECONDS)  # standard input stays open
        out, err = process.communicate()
        self.assertEqual((process.returncode, out), (130, b""), err)
        self.assertEqual(json.loads(first)["frame"], 0)
        self.assertIn(b"1 picture", err)

    def test_terminate(self):
        process = self.start("detect", "-m", "square", "-", "--quiet", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        process.stdin.write(PICTURE.pgm())
        process.stdin.flush()
        process.stdout.readline()
        process.terminate()
        self.assertEqual(process.wait(HANG_SECONDS), 143)

    def test_in_the_middle_of_many_pictures(self):
        self.write("a.pgm", scene.Picture(200, 150, [(50, 40, 60)]).pgm())
        process, lines = self.start_stepped("detect", "-m", "square", "--backend", "reference", *["a.pgm"] * 1000,
                                            stderr=subprocess.PIPE)
        lines.read()
        # At most two lines are written beyond the one that was read, so the command is not done.
        process.send_signal(signal.SIGINT)
        out = lines.rest()
        _, err = process.communicate(timeout=HANG_SECONDS)
        self.assertEqual(process.returncode, 130, err)
        self.assertTrue(out == b"" or out.endswith(b"}\n"))
        # The batch in progress is still searched: at most 64 pictures.
        self.assertLess(out.count(b"\n"), 2 * 64)
        for line in out.splitlines():
            json.loads(line)

    def test_a_second_signal_ends_at_once_and_says_so(self):
        self.write("a.pgm", PICTURE.pgm())
        for number in (signal.SIGINT, signal.SIGTERM):
            process, lines = self.start_stepped("detect", "-m", "square", "--batch", "8", *["a.pgm"] * 16, stderr=subprocess.PIPE)
            lines.read()
            # The first batch has eight lines, and the pipe has room for one. So the command waits for the test.
            self.send_and_wait(process, number)
            process.send_signal(number)
            _, err = process.communicate(timeout=HANG_SECONDS)
            self.assertEqual(process.returncode, -number, err)
            self.assertEqual(err.decode(), "winnow: ended at once by a second signal; files that end in .part are not whole\n")
            lines.close()

    def test_two_kinds_of_signals_end_as_one(self):
        self.write("a.pgm", PICTURE.pgm())
        process, lines = self.start_stepped("detect", "-m", "square", "--batch", "8", *["a.pgm"] * 2000, stderr=subprocess.PIPE)
        lines.read()
        for number in (signal.SIGINT, signal.SIGTERM):
            self.send_and_wait(process, number)
        # Batches that were searched ahead of the full pipe are still answered, the first one whole.
        more = lines.rest().count(b"\n")
        self.assertGreaterEqual(more, 7)
        self.assertLess(more, 1000)
        _, err = process.communicate(timeout=HANG_SECONDS)
        self.assertEqual(process.returncode, 143, err)
        self.assertIn(b"%d pictures, " % (1 + more), err)

    def test_other_commands_end_at_once(self):
        # A million searches of such a picture take hours.
        self.write("a.pgm", scene.Picture(640, 480, [(10, 8, 12)]).pgm())
        os.mkfifo(self.path("model.xml"))
        process = self.start("bench", "-m", "model.xml", "--repeat", "1000000", "a.pgm", stdout=subprocess.PIPE)
        # Opening the named pipe waits until the command opens the pipe, too. By then, the command has read its options
        # and the picture.
        with open(self.path("model.xml"), "wb") as pipe:
            pipe.write(scene.CASCADE.encode())
        process.send_signal(signal.SIGINT)
        process.wait(HANG_SECONDS)
        self.assertIn(process.returncode, (-signal.SIGINT, 130))

    def test_the_video_is_whole(self):
        self.need_video()
        picture = scene.Picture(128, 96, [(20, 30, 30)])
        self.write("v.y4m", scene.y4m([picture] * 300))
        for ending in ("mkv", "mp4"):
            source = "v.y4m"
            if ending == "mp4":
                # A change of the name is enough, since the content decides how a file is read.
                self.write("v.mp4", self.read("v.y4m"))
                source = "v.mp4"
            process, lines = self.start_stepped("detect", "-m", "square", source, "--out", "o", "--quiet")
            lines.read()
            process.send_signal(signal.SIGINT)
            count = 1 + lines.rest().count(b"\n")
            self.assertEqual(process.wait(HANG_SECONDS), 130)
            self.assertLess(count, 300)
            self.assertEqual(self.files("o").count("v." + ending), 1, self.files("o"))
            self.assertEqual(len(self.detect("o/v." + ending).lines()), count)

    def test_a_blurred_copy_that_ends_early_is_told(self):
        self.need_video()
        self.write("v.y4m", scene.y4m([scene.Picture(128, 96, [(20, 30, 30)])] * 300))
        self.write("corners.dat", points_file((0.25, 0.25, 0.75, 0.25, 0.25, 0.75), (0, 0)))
        process, lines = self.start_stepped("faces", "-m", "square", "--landmarks", "corners.dat", "v.y4m", "--blur", "--out", "o",
                                            "--review", "page", "--quiet", stderr=subprocess.PIPE)
        # A line comes when its frame is in the copy, so the video is read again by now.
        out = lines.read()
        self.send_and_wait(process, signal.SIGINT)
        out += lines.rest()
        _, err = process.communicate(timeout=HANG_SECONDS)
        self.assertEqual(process.returncode, 130, err)
        sentence = "v.y4m: stopped while its blurred copy was written: the copy ends early"
        self.assertEqual(err.decode(), "winnow: " + sentence + "\n")
        copied = ["copy" in json.loads(line) for line in out.splitlines()]
        self.assertEqual(len(copied), 300)
        self.assertLess(sum(copied), 300)
        self.assertEqual(self.files("o"), ["v.mkv"])
        self.assertEqual(len(self.detect("o/v.mkv").lines()), sum(copied))
        page = self.read("page/index.html").decode()
        self.assertIn("<h2>Copies that are not whole: 1</h2>", page)
        self.assertIn("<p><strong>The copy is not whole.</strong></p>\n<p>The copy: <a href=\"../o/v.mkv\">o/v.mkv</a></p>\n"
                      "<ul>\n<li>" + sentence + "</li>\n</ul>\n", page)
