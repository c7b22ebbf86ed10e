"""Tests of Ctrl-C: whole lines, whole files, exit code 130."""

import json
import os
import signal
import subprocess

import scene
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
