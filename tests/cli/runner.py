"""Runs the command in a folder of its own, with a model that the tests write themselves."""

import fcntl
import json
import os
import pty
import re
import shutil
import subprocess
import tempfile
import time
import unittest

import scene

FACES = "/usr/share/doc/facedetect/examples"
CASCADES = "/usr/share/opencv4"
DATA = os.environ.get("WINNOW_DATA") or os.path.join(os.path.dirname(__file__), "../../../shared/data")
# A step of a test that takes longer hangs, and is ended. A healthy step takes seconds, so no load makes it this slow.
HANG_SECONDS = 1800
command = None  # the program under test; set by test_cli.py


class StepPipe:
    """A pipe that holds one write. The command's next write waits until the test has read the one in the pipe.

    The command is therefore at most two lines ahead of the test, even on a busy machine: one in the pipe, one waiting.
    """

    def __init__(self):
        # Each write is a packet of its own (pipe(2)), and the smallest pipe has room for one.
        self.reading, self.writing = os.pipe2(os.O_CLOEXEC | os.O_DIRECT)
        fcntl.fcntl(self.writing, fcntl.F_SETPIPE_SZ, 1)

    def started(self):
        """Closes the test's writing end. The command has its own."""
        os.close(self.writing)

    def read(self):
        """The bytes of the next write; b"" at the end."""
        return os.read(self.reading, 1 << 20)

    def rest(self):
        data = b"".join(iter(self.read, b""))
        self.close()
        return data

    def close(self):
        if self.reading is not None:
            os.close(self.reading)
        self.reading = None


class Result:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def lines(self):
        return [json.loads(line) for line in self.out.decode().splitlines()]

    def lines_without_copies(self):
        lines = self.lines()
        for line in lines:
            line.pop("copy", None)
        return lines

    def objects(self):
        return [line["objects"] for line in self.lines()]


class CommandTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="winnow-cli-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.write("models/square.xml", scene.CASCADE)

    def path(self, name):
        return os.path.join(os.fsencode(self.folder), os.fsencode(name))

    def write(self, name, data):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def files(self, name):
        found = []
        top = self.path(name)
        for folder, _, names in os.walk(top):
            found += [os.fsdecode(os.path.relpath(os.path.join(folder, each), top)) for each in names]
        return sorted(found)

    def environment(self):
        variables = dict(os.environ, WINNOW_MODELS=os.path.join(self.folder, "models"))
        variables.pop("WINNOW_SIMD", None)
        return variables

    def start(self, *arguments, **more):
        # Without a buffer, reading a line takes only that line from the pipe.
        process = subprocess.Popen([command, *arguments], cwd=self.folder, env=self.environment(), bufsize=0, **more)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        """Ends the command of a test that failed."""
        if process.poll() is None:
            process.kill()
            process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                stream.close()

    def start_stepped(self, *arguments, stream="stdout", **more):
        """Starts the command. Returns the process, and the pipe that gives its lines on `stream` one by one."""
        pipe = StepPipe()
        process = self.start(*arguments, **{stream: pipe.writing}, **more)
        pipe.started()
        self.addCleanup(pipe.close)
        return process, pipe

    def send_and_wait(self, process, number):
        """Sends a signal, and waits until the command has taken it. A second one would else be lost in the first."""
        process.send_signal(number)
        deadline = time.monotonic() + HANG_SECONDS
        while True:
            with open(f"/proc/{process.pid}/status") as status:
                pending = int(re.search(r"(?m)^ShdPnd:\s*(\w+)$", status.read())[1], 16)
            if not pending >> (number - 1) & 1:
                return
            self.assertLess(time.monotonic(), deadline, "the command takes no signal")
            time.sleep(0.001)

    def run_command(self, *arguments, stdin=b"", stdout=subprocess.PIPE):
        process = self.start(*arguments, stdin=subprocess.PIPE, stdout=stdout, stderr=subprocess.PIPE)
        out, err = process.communicate(stdin, timeout=HANG_SECONDS)
        return Result(process.returncode, out, err.decode())

    def run_on_terminal(self, *arguments):
        """What the command writes to a terminal as its standard error, and its standard output."""
        ours, theirs = pty.openpty()
        with open(self.path("out"), "wb") as out:
            process = self.start(*arguments, stdout=out, stderr=theirs)
        os.close(theirs)
        text = b""
        while True:
            try:
                chunk = os.read(ours, 4096)
            except OSError:  # no process writes to the terminal any more
                break
            if not chunk:
                break
            text += chunk
        os.close(ours)
        self.assertEqual(process.wait(HANG_SECONDS), 0)
        return text.decode(), self.read("out")

    def detect(self, *arguments, code=0, **more):
        result = self.run_command("detect", "-m", "square", *arguments, **more)
        self.assertEqual(result.code, code, result.err)
        return result

    def assert_usage_error(self, *arguments, says=""):
        result = self.run_command(*arguments)
        self.assertEqual(result.code, 2, (arguments, result.err))
        self.assertEqual(result.out, b"", arguments)
        self.assertTrue(result.err.startswith("winnow: "), result.err)
        self.assertIn(says, result.err)
        return result

    def has_video(self):
        video = json.loads(self.run_command("backends", "--json").out)["video"]
        built = os.environ.get("WINNOW_BUILT_WITH_VIDEO")
        if built is not None:
            self.assertEqual(video, built == "ON", "what reads videos lies beside the library, and is loaded")
        return video

    def need_video(self):
        if not self.has_video():
            self.skipTest("this build reads no videos")


def need_file(path):
    if not os.path.exists(path):
        raise unittest.SkipTest(path + " is not installed")
    return path
