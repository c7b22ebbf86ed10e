"""Ctrl-C: whole lines, whole files, exit code 130."""

import json
import signal
import subprocess

import scene
from runner import CommandTest

PICTURE = scene.Picture(40, 30, [(10, 8, 12)])


class Stop(CommandTest):
    def test_while_waiting_for_input(self):
        process = self.start("detect", "-m", "square", "-", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
        process.stdin.write(PICTURE.pgm())
        process.stdin.flush()
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (130, b""), err)
        self.assertEqual(json.loads(first)["frame"], 0)
        self.assertIn(b"1 picture", err)

    def test_terminate(self):
        process = self.start("detect", "-m", "square", "-", "--quiet", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        process.stdin.write(PICTURE.pgm())
        process.stdin.flush()
        process.stdout.readline()
        process.terminate()
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 143)

    def test_in_the_middle_of_many_pictures(self):
        self.write("a.pgm", scene.Picture(200, 150, [(50, 40, 60)]).pgm())
        process = self.start("detect", "-m", "square", "--backend", "reference", *["a.pgm"] * 20000,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, err)
        self.assertTrue(out == b"" or out.endswith(b"}\n"))
        self.assertLess(out.count(b"\n"), 19999)
        for line in out.splitlines():
            json.loads(line)

    def test_other_commands_end_at_once(self):
        self.write("a.pgm", PICTURE.pgm())
        process = self.start("bench", "-m", "square", "--repeat", "1000000", "a.pgm", stdout=subprocess.PIPE)
        with self.assertRaises(subprocess.TimeoutExpired):
            process.wait(0.3)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=10)
        self.assertIn(process.returncode, (-signal.SIGINT, 130))

    def test_the_video_is_whole(self):
        self.need_video()
        picture = scene.Picture(128, 96, [(20, 30, 30)])
        self.write("v.y4m", scene.y4m([picture] * 2000))
        for ending in ("mkv", "mp4"):
            source = "v.y4m"
            if ending == "mp4":
                # A name is enough: what it holds decides how it is read.
                self.write("v.mp4", self.read("v.y4m"))
                source = "v.mp4"
            process = self.start("detect", "-m", "square", source, "--out", "o", "--quiet", stdout=subprocess.PIPE)
            lines = 1
            process.stdout.readline()
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=60)
            lines += out.count(b"\n")
            self.assertEqual(process.returncode, 130)
            self.assertLess(lines, 2000)
            self.assertEqual(self.files("o").count("v." + ending), 1, self.files("o"))
            self.assertEqual(len(self.detect("o/v." + ending).lines()), lines)
