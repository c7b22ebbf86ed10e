"""Tests of winnow-mpi: any number of ranks gives the bytes of one command. Skipped without mpirun or the program."""

import os
import random
import shutil
import signal
import subprocess
import time
import unittest

import scene
from runner import HANG_SECONDS, CommandTest

PROGRAM = os.environ.get("WINNOW_MPI_PROGRAM", "")
MPIRUN = shutil.which("mpirun")
SMALL, LARGE = scene.Picture(40, 30, [(10, 8, 12)]), scene.Picture(60, 50, [(20, 15, 20)])


@unittest.skipUnless(PROGRAM and MPIRUN, "needs winnow-mpi and mpirun")
class ManyRanks(CommandTest):
    def setUp(self):
        super().setUp()
        for i in range(90):
            self.write(f"in/{i:03}.pgm", (LARGE if i % 7 == 0 else SMALL).pgm())
        self.write("in/031.pgm", SMALL.pgm()[:200])
        self.write("in/077.jpg", b"\xff\xd8\xff")
        self.write("list", "in/002.pgm\nin/absent.pgm\nin/001.pgm\n")

    def ranks(self, count, *arguments, **more):
        environment = dict(self.environment(), OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                           OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_hwloc_base_binding_policy="none")
        process = subprocess.Popen([MPIRUN, "-n", str(count), PROGRAM, *arguments], cwd=self.folder, env=environment,
                                   stdin=more.pop("stdin", subprocess.DEVNULL), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, **more)
        self.addCleanup(self.end, process)
        return process

    def dealt(self, count, *arguments, stdin=b""):
        process = self.ranks(count, *arguments, "--lines", "lines", "--threads", "1", stdin=subprocess.PIPE)
        _, err = process.communicate(stdin, timeout=HANG_SECONDS)
        said = sorted(line for line in err.decode().splitlines() if line.startswith("winnow: "))
        return process.returncode, self.read("lines"), said

    def alone(self, *arguments, stdin=b""):
        result = self.run_command(*arguments, stdin=stdin)
        return result.code, result.out, sorted(result.err.splitlines())

    def check(self, *arguments, counts=(1, 2, 3, 8), stdin=b""):
        wanted = self.alone(*arguments, "--quiet", stdin=stdin)
        for count in counts:
            with self.subTest(arguments=arguments, ranks=count):
                self.assertEqual(self.dealt(count, *arguments, "--quiet", stdin=stdin), wanted)

    def test_pictures_and_problems(self):
        self.check("detect", "-m", "square", "in", "*.gif", "--files-from", "list")

    def test_options_travel(self):
        self.check("detect", "-m", "square", "--format", "csv", "--raw", "--roi", "5,5,40,30", "in", counts=(2,))
        self.check("detect", "-m", "square", "--max-pixels", "2000", "in", counts=(3,))

    def test_standard_input(self):
        self.check("detect", "-m", "square", "in/000.pgm", "-", "in/001.pgm", counts=(2, 3),
                   stdin=SMALL.pgm() * 70 + LARGE.ppm() + b"nonsense")

    def test_faces_of_streams_keep_their_numbers(self):
        stream = b"".join((SMALL if i % 3 else LARGE).pgm() for i in range(60))
        self.check("faces", "-m", "square", "--points", "5", "in/000.pgm", "-", "in/001.pgm", counts=(2, 3),
                   stdin=stream)

    def test_one_picture_on_many_ranks(self):
        self.write("large/1.pgm", scene.Picture(400, 700, [(30, 60, 40), (200, 500, 80), (10, 660, 24)]).pgm())
        self.write("large/2.ppm", scene.Picture(700, 300, [(300, 100, 60)]).ppm())
        self.write("large/3.pgm", b"P5 9")
        for options in ([], ["--roi", "20,30,350,640"], ["--raw", "--format", "csv"], ["--border", "0.2"],
                        ["--max-pixels", "250000"]):
            wanted = self.alone("detect", "-m", "square", *options, "large", "in", "--quiet")
            for count in (1, 2, 3, 8):
                with self.subTest(options=options, ranks=count):
                    self.assertEqual(self.dealt(count, "detect", "-m", "square", "--split-picture", *options, "large",
                                                "in", "--quiet"), wanted)
        code, lines, said = self.dealt(2, "detect", "-m", "square", "--split-picture", "in/000.pgm", "-",
                                       stdin=SMALL.pgm())
        self.assertEqual((code, lines.count(b"\n"), len(said)), (2, 1, 1))
        self.assertIn("only single pictures are divided", said[0])

    def test_usage_errors_are_said_once(self):
        for arguments, words in ((["detect", "--out", "marked", "in"], "rank 0 has no pixels"),
                                 (["detect", "--timing", "in"], "--timing"), (["track"], "'track'"),
                                 (["detect", "-m", "absent", "in"], "absent"), (["detect"], "nothing to do"),
                                 (["detect", "--lines", "no/lines", "-m", "square", "in"], "no/lines")):
            process = self.ranks(3, *arguments)
            _, err = process.communicate(timeout=HANG_SECONDS)
            said = [line for line in err.decode().splitlines() if line.startswith("winnow: ")]
            self.assertEqual((process.returncode, len(said)), (2 if words != "no/lines" else 1, 1), err)
            self.assertIn(words, said[0])

    def test_a_full_disk_is_an_error(self):
        process = self.ranks(2, "detect", "-m", "square", "in", "--lines", "/dev/full")
        _, err = process.communicate(timeout=HANG_SECONDS)
        self.assertEqual(process.returncode, 1)
        self.assertIn(b"winnow: /dev/full: cannot be written", err)

    def test_a_dead_rank_ends_the_run_behind_a_whole_line(self):
        wanted = self.alone("detect", "-m", "square", *["in"] * 60, "--quiet")[1]
        seed = random.Random(5)
        for _ in range(3):
            process = self.ranks(3, "detect", "-m", "square", *["in"] * 60, "--lines", "lines", "--threads", "1",
                                 start_new_session=True)
            deadline = time.monotonic() + HANG_SECONDS
            wait = seed.randrange(1, len(wanted) // 2)
            while time.monotonic() < deadline and process.poll() is None:
                if os.path.exists(self.path("lines")) and os.path.getsize(self.path("lines")) > wait:
                    break
                time.sleep(0.001)
            ranks = self.children_of(process.pid)
            if len(ranks) > 1:
                try:
                    os.kill(ranks[seed.randrange(1, len(ranks))], signal.SIGKILL)
                except ProcessLookupError:
                    pass  # the run was faster
            process.communicate(timeout=HANG_SECONDS)
            lines = self.read("lines")
            self.assertTrue(wanted.startswith(lines))
            self.assertTrue(lines.endswith(b"\n"))

    @staticmethod
    def children_of(parent):
        found = []
        for name in os.listdir("/proc"):
            try:
                with open(f"/proc/{name}/stat") as stat:
                    fields = stat.read().rsplit(")", 1)[1].split()
            except (OSError, IndexError):
                continue
            if name.isdigit() and int(fields[1]) == parent:
                found.append(int(name))
        return sorted(found)
