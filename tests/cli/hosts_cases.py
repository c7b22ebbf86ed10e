"""Tests of winnow-mpi: any number of ranks gives the bytes of one command. Skipped without mpirun or the program."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import time
import unittest

import scene
from runner import HANG_SECONDS, CommandTest

PROGRAM = os.environ.get("WINNOW_MPI_PROGRAM", "")
MPIRUN = shutil.which("mpirun")
KILLS = int(os.environ.get("WINNOW_HOST_KILLS", "5"))
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
        process = self.ranks(count, *arguments, "--lines", "lines", "--force", "--threads", "1", stdin=subprocess.PIPE)
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
        self.write("lines", b"")
        code, lines, said = self.dealt(2, "detect", "-m", "square", "--split-picture", "in/000.pgm", "-",
                                       stdin=SMALL.pgm())
        self.assertEqual((code, lines, len(said)), (2, b"", 1))
        self.assertIn("standard input: --split-picture takes single pictures from files", said[0])

    def test_further_pictures_of_a_file_are_counted(self):
        self.write("moving.gif", SMALL.gif(frames=2))
        wanted = self.run_command("detect", "-m", "square", "moving.gif").err
        self.assertIn("1 further picture of 1 file was not read", wanted)
        for more in ([], ["--split-picture"]):
            process = self.ranks(3, "detect", "-m", "square", *more, "moving.gif", "--lines", "lines", "--force")
            _, err = process.communicate(timeout=HANG_SECONDS)
            self.assertIn(b"1 further picture of 1 file was not read", err, more)

    def test_lines_write_over_nothing_by_themselves(self):
        self.write("lines", b"an older answer\n")
        process = self.ranks(2, "detect", "-m", "square", "in/000.pgm", "--lines", "lines")
        _, err = process.communicate(timeout=HANG_SECONDS)
        self.assertEqual((process.returncode, self.read("lines")), (2, b"an older answer\n"))
        self.assertIn(b"winnow: lines is there already (--force writes over it)", err)
        self.assertEqual(self.dealt(2, "detect", "-m", "square", "in/000.pgm")[0], 0)
        self.assertIn(b"in/000.pgm", self.read("lines"))

    def test_a_run_ends_when_memory_is_short_on_a_rank(self):
        self.write("big/1.pgm", scene.Picture(3000, 2800, [(30, 60, 40)]).pgm())
        self.write("big/2.pgm", SMALL.pgm())
        wanted = self.alone("detect", "-m", "square", "big", "--quiet")[1].splitlines(keepends=True)
        for options in ([], ["--split-picture"]):
            for mebibytes in (250, 300, 350, 400, 500):
                with self.subTest(options=options, mebibytes=mebibytes):
                    arguments = ["detect", "-m", "square", "--threads", "1", *options, "big", "--lines", "lines", "--force"]
                    process = self.ranks(1, *arguments, ":", "-n", "1", "bash", "-c",
                                         f"ulimit -v {mebibytes * 1024}; exec {PROGRAM} detect")
                    _, err = process.communicate(timeout=HANG_SECONDS)
                    lines = self.read("lines").splitlines(keepends=True)
                    self.assertEqual([line for line in wanted if line in lines], lines, err)
                    if process.returncode == 0:
                        self.assertEqual(lines, wanted)

    def test_the_summary_tells_what_ranks_did(self):
        _, err = self.ranks(4, "detect", "-m", "square", "in", "--lines", "lines").communicate(timeout=HANG_SECONDS)
        text = err.decode()
        self.assertIn("winnow: 89 pictures, ", text)
        root = re.search(r"winnow: rank 0 dealt for (\S+) s, gathered for (\S+) s, and waited (\S+) s for inputs and "
                         r"(\S+) s for ranks; it sent (\S+) MB and got (\S+) MB\n", text)
        seconds = [float(root.group(i)) for i in range(1, 5)]
        self.assertGreater(sum(seconds), 0)
        files = sum(os.path.getsize(self.path("in/" + name)) for name in self.files("in"))
        model = os.path.getsize(self.path("models/square.xml"))
        heads = 90 * 100 + 10000
        self.assertLessEqual(files + 3 * model, float(root.group(5)) * 1e6 + 500)
        self.assertLessEqual(float(root.group(5)) * 1e6 - 500, files + 3 * model + heads)
        self.assertLessEqual(len(self.read("lines")), float(root.group(6)) * 1e6 + 500)
        ranks = re.search(r"winnow: 3 ranks: parcels (\d+)(?: to (\d+))?, pictures dealt (\d+)(?: to (\d+))?, "
                          r"seconds of work \S+(?: to \S+)?\n", text)
        self.assertGreaterEqual(int(ranks.group(1)), 1)
        self.assertLessEqual(3 * int(ranks.group(3)), 91, "the least of three")
        self.assertGreaterEqual(3 * int(ranks.group(4) or ranks.group(3)), 91, "the greatest of three")
        self.assertNotIn("from reading", text, "files have no pace of their own")

    def test_a_stream_tells_its_latency_and_how_far_it_is(self):
        process = self.ranks(3, "detect", "-m", "square", "-", "--lines", "lines", stdin=subprocess.PIPE)
        process.stdin.write(SMALL.pgm())
        process.stdin.flush()
        deadline = time.monotonic() + HANG_SECONDS
        while not (os.path.exists(self.path("lines")) and os.path.getsize(self.path("lines"))):
            self.assertLess(time.monotonic(), deadline, "the first frame has no line")
            time.sleep(0.01)
        time.sleep(10.5)  # since the start, it is now more than the ten seconds after which rank 0 speaks
        _, err = process.communicate(SMALL.pgm() * 2, timeout=HANG_SECONDS)
        text = err.decode()
        self.assertRegex(text, r"winnow: input 1 of 1, [23] pictures, ")
        latency = re.search(r"winnow: time from reading a frame to its line: median (\S+) ms, .*, greatest (\S+) ms\n", text)
        self.assertLessEqual(float(latency.group(1)), float(latency.group(2)))
        self.assertLess(float(latency.group(1)), 9000, "the pause between frames is not their latency")

    @unittest.skipUnless(len(os.sched_getaffinity(0)) > 1, "needs two cores")
    def test_a_host_whose_ranks_have_one_core_each_says_so(self):
        core = {min(os.sched_getaffinity(0))}
        for threads, said in (("4", 1), ("1", 0)):
            process = self.ranks(3, "detect", "-m", "square", "in", "--lines", "lines", "--threads", threads,
                                 preexec_fn=lambda: os.sched_setaffinity(0, core))
            _, err = process.communicate(timeout=HANG_SECONDS)
            self.assertEqual(err.decode().count("is bound to one core"), said, err)

    def test_usage_errors_are_said_once(self):
        for arguments, words in ((["detect", "--out", "marked", "in"], "rank 0 has no pixels"),
                                 (["faces", "--blur", "--out", "marked", "in"], "--blur"),
                                 (["faces", "--blur", "--out", "marked", "--review", "page", "in"], "--review is not possible"),
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

    def test_a_killed_rank_leaves_the_lines_of_the_first_inputs(self):
        for i in range(1200):
            self.write(f"many/{i:04}.pgm", (LARGE if i % 7 == 0 else SMALL).pgm())
        inputs = ["many"]
        if self.has_video():
            self.write("v.y4m", scene.y4m([SMALL if i % 3 else scene.Picture(40, 30, [(4, 9, 14)]) for i in range(400)]))
            inputs = ["many", "v.y4m", "in/000.pgm"]
        commands = (["detect", "-m", "square", *inputs], ["faces", "-m", "square", "--points", "5", *inputs])
        wanted = [self.alone(*command, "--quiet")[1] for command in commands]
        seed, ended_early = random.Random(5), 0
        for moment in range(KILLS):
            which, rank, fraction = moment % 2, seed.randrange(3), seed.random() * 0.9
            with self.subTest(moment=moment, rank=rank, fraction=fraction):
                ended_early += self.kill(commands[which], wanted[which], rank, int(fraction * len(wanted[which])))
        self.assertGreater(ended_early, KILLS / 2, "most kills came in the midst of a run")

    def kill(self, command, wanted, rank, written):
        """Kills a rank once so many bytes of lines are there. Returns whether the run had not ended yet."""
        self.write("lines", b"")
        process = self.ranks(3, *command, "--lines", "lines", "--threads", "1", "--quiet")
        deadline = time.monotonic() + HANG_SECONDS
        while process.poll() is None and os.path.getsize(self.path("lines")) <= written:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.001)
        killed = self.rank_of(process.pid, rank)
        if killed is not None:
            os.kill(killed, signal.SIGKILL)
        _, err = process.communicate(timeout=HANG_SECONDS)
        lines, text = self.read("lines"), err.decode()
        self.assertTrue(wanted.startswith(lines), text)
        self.assertTrue(lines.endswith(b"\n"), lines[-200:])
        if lines == wanted:
            return False
        self.assertNotEqual(process.returncode, 0, text)
        if rank > 0:
            last = json.loads(lines.splitlines()[-1])["source"]
            self.assertIn(f"winnow: stopped; the lines end with {last}", text)
        return True

    def rank_of(self, mpirun, rank):
        """The process of a rank; None if it has ended."""
        for process in self.children_of(mpirun):
            try:
                with open(f"/proc/{process}/environ", "rb") as variables:
                    if f"PMIX_RANK={rank}".encode() in variables.read().split(b"\0"):
                        return process
            except OSError:
                continue
        return None

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
