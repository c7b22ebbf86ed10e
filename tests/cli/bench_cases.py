"""Tests of `winnow bench`: tables, lines of JSON, several models and backends, and whole runs from files to lines."""

import json
import re

import scene
from runner import CommandTest

SAME_ON_ALL_BACKENDS = ("windows", "skipped", "flat", "reached", "weak", "objects")


class BenchTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("a.pgm", scene.Picture(80, 60, [(20, 15, 20)]).pgm())
        self.write("b.pgm", scene.Picture(60, 60, [(30, 25, 16)]).pgm())

    def run_bench(self, *arguments, code=0):
        repeat = () if "--repeat" in arguments else ("--repeat", "3")
        result = self.run_command("bench", *repeat, *arguments)
        self.assertEqual(result.code, code, result.err)
        return result

    def bench(self, *arguments, code=0):
        """The only row, with its stages."""
        rows = self.run_bench("-m", "square", "--json", "--stages", *arguments, code=code).lines()
        self.assertEqual(len(rows), 1)
        return rows[0]

    def table(self, *arguments, code=0):
        return self.run_bench(*arguments, code=code).out.decode().splitlines()

    def missing_backend(self):
        backends = json.loads(self.run_command("backends", "--json").out)["backends"]
        missing = [backend["name"] for backend in backends if not backend["available"]]
        if not missing:
            self.skipTest("all backends are here")
        return missing[0]

    def assert_times(self, row):
        self.assertGreater(row["ms_min"], 0)
        times = [row[key] for key in ("ms_min", "ms_median", "ms_p90", "ms_p99", "ms_max")]
        self.assertEqual(times, sorted(times))
        self.assertAlmostEqual(row["fps"] * row["ms_median"] / 1000, 1, delta=0.5 * 1e-4 / row["ms_median"] + 1e-3)


class Decoded(BenchTest):
    KEYS = ["ms_median", "ms_min", "ms_max", "ms_p90", "ms_p99", "fps", "windows", "skipped", "flat", "reached", "weak",
            "objects", "backend", "simd", "threads", "batch", "repeat", "model", "width", "height"]

    def test_json(self):
        report = self.bench("--backend", "reference", "a.pgm")
        self.assertEqual(list(report), self.KEYS)
        self.assertEqual((report["width"], report["height"], report["model"]), (80, 60, "square"))
        self.assertEqual((report["backend"], report["threads"], report["batch"]), ("reference", 1, 1))
        self.assertEqual((report["objects"], report["repeat"]), (1, 3))
        self.assertEqual(len(report["reached"]), 2)
        self.assertEqual(report["windows"] - report["skipped"] - report["flat"], report["reached"][0])
        self.assert_times(report)

    def test_stages_are_printed_on_request_only(self):
        plain = self.run_bench("-m", "square", "--json", "a.pgm").lines()[0]
        self.assertEqual(list(plain), [key for key in self.KEYS if key != "reached"])
        self.assert_usage_error("bench", "-m", "square", "--stages", "a.pgm", says="--stages goes with --json")

    def test_table(self):
        head, row, note = self.table("-m", "square", "--backend", "reference", "a.pgm")
        self.assertEqual(head.split(), ["model", "backend", "picture", "ms", "least", "most", "pictures/s", "windows", "on"])
        words = row.split()
        self.assertEqual(words[:3] + words[8:], ["square", "reference", "80x60", "1", "thread"])
        median, least, most, rate = (float(word.replace(",", "")) for word in words[3:7])
        self.assertLessEqual(least, median)
        self.assertLessEqual(median, most)
        self.assertGreater(rate, 0)
        self.assertEqual(int(words[7].replace(",", "")), self.bench("a.pgm")["windows"])
        for heading, word in zip(head.split()[2:8], words[2:8]):
            self.assertEqual(head.index(heading) + len(heading), row.index(word, head.index(heading) - 8) + len(word), heading)
        self.assertIn("median of 3 measurements", note)
        self.assertIn("10 measurements", self.run_command("bench", "-m", "square", "a.pgm").out.decode())

    def test_large_counts_have_commas(self):
        self.write("large.pgm", scene.Picture(640, 480).pgm())
        row = self.table("-m", "square", "large.pgm")[1]
        windows = self.bench("large.pgm")["windows"]
        self.assertGreater(windows, 100_000)
        self.assertIn(f" {windows:,} ", row)

    def test_counters_add_up_and_do_not_depend_on_the_batch(self):
        one, other = self.bench("a.pgm"), self.bench("b.pgm")
        both = self.bench("--decoded", "a.pgm", "b.pgm")
        self.assertEqual(list(both), [*self.KEYS, "images"])
        self.assertEqual(both["images"], 2)
        self.assertEqual((both["width"], both["height"]), (80, 60))
        for key in ("windows", "skipped", "flat", "objects"):
            self.assertEqual(both[key], one[key] + other[key])
        for batch in ("2", "3", "5"):
            batched = self.bench("--decoded", "a.pgm", "b.pgm", "--batch", batch, "--threads", "2")
            self.assertEqual(batched["batch"], int(batch))
            for key in SAME_ON_ALL_BACKENDS:
                self.assertEqual(batched[key], both[key])
        self.assertIn(" 2 pictures ", self.table("-m", "square", "--decoded", "a.pgm", "b.pgm")[1])

    def test_options(self):
        every = self.bench("a.pgm")
        self.assertLess(self.bench("a.pgm", "--scale", "1.5")["windows"], every["windows"])
        self.assertLess(self.bench("a.pgm", "--min-size", "40x40")["windows"], every["windows"])
        self.assertLess(self.bench("a.pgm", "--max-size", "40x40")["windows"], every["windows"])
        self.assertGreater(self.bench("a.pgm", "--border", "0.2")["windows"], every["windows"])
        raw = self.bench("a.pgm", "--raw")
        self.assertEqual(raw["objects"], raw["reached"][-1])
        self.assertEqual(self.bench("a.pgm", "--min-neighbors", "0")["objects"], raw["objects"])
        self.assertEqual(self.bench("a.pgm", "--merge", "meanshift")["objects"], 1)
        self.assertEqual(self.bench("a.pgm", "--min-score", "9")["objects"], 0)

    def test_the_searches_of_all_commands_have_the_same_options(self):
        def options(*arguments):
            text = self.run_command(*arguments, "--help").out.decode()
            section = text.split("\nSearch:\n")[1].split("\n\n")[0]
            return set(re.findall(r"--[a-z-]+", section)) - {"--roi"}
        bench = options("bench")
        self.assertTrue({"--merge", "--raw", "--min-score", "--stride", "--gray", "--border"} <= bench)
        self.assertEqual(options("detect"), bench)
        self.assertEqual(options("eval", "detector"), bench)

    def test_errors(self):
        self.assertEqual(self.run_command("bench", "-m", "square", "no.pgm").code, 1)
        self.assert_usage_error("bench", "-m", "", "a.pgm")
        self.assert_usage_error("bench", "-m", "square")
        for option in (["--repeat", "0"], ["--batch", "0"], ["--threads", "-1"], ["--scale", "1"],
                       ["--backend", "gpu"], ["--backend", "cpu,gpu"], ["--min-size", "24"], ["--merge", "mean"],
                       ["--border", "2"], ["--stride", "8"], ["--padding", "8"]):
            self.assert_usage_error("bench", "-m", "square", *option, "a.pgm")
        self.assert_usage_error("bench", "-m", "square", "-m", "circle", "a.pgm", says="there is no model 'circle'")
        self.assert_usage_error("bench", "-m", "square", "--decoded", "-", says="'standard input' is none")


class SeveralRows(BenchTest):
    def test_each_model_on_each_backend(self):
        self.write("other/square.xml", scene.CASCADE)
        models = ["-m", "square", "-m", "face", "-m", "other/square.xml"]
        wanted = [(model, backend) for model in ("square", "face", "square (2)") for backend in ("cpu", "reference")]
        for backends in (["--backend", "cpu,reference"], ["--backend", "cpu", "--backend", "reference"]):
            rows = self.run_bench(*models, *backends, "--json", "--stages", "a.pgm").lines()
            self.assertEqual([(row["model"], row["backend"]) for row in rows], wanted)
            for cpu, reference in zip(rows[::2], rows[1::2]):
                self.assertEqual([cpu[key] for key in SAME_ON_ALL_BACKENDS], [reference[key] for key in SAME_ON_ALL_BACKENDS])
        head, *rows, _ = self.table(*models, "--backend", "cpu,reference", "a.pgm")
        at = head.index("backend")
        self.assertEqual([(row[:at].strip(), row[at:].split()[0]) for row in rows], wanted)

    def test_a_backend_that_is_not_here_has_a_row(self):
        missing = self.missing_backend()
        self.check_missing(missing, "a.pgm")
        self.check_missing(missing, "a.pgm", "b.pgm")

    def check_missing(self, missing, *inputs):
        result = self.run_bench("-m", "square", "--backend", missing + ",cpu", "--json", *inputs, code=1)
        self.assertIn("1 of 2 rows was not measured; `winnow backends` tells", result.err)
        none, measured = result.lines()
        self.assertEqual(list(none), ["problem", "backend", "model"])
        self.assertEqual((none["backend"], none["model"]), (missing, "square"))
        self.assertIn(f"the backend {missing} is not here: ", none["problem"])
        self.assertEqual(measured["backend"], "cpu")
        lines = self.table("-m", "square", "--backend", "cpu," + missing, *inputs, code=1)
        self.assertRegex(lines[1], r"^square +cpu +")
        self.assertRegex(lines[2], rf"^square +{missing} +the backend {missing} is not here: ")
        # No row was measured.
        both = self.run_bench("-m", "square", "-m", "face", "--backend", missing, *inputs, code=2)
        self.assertIn("2 of 2 rows were not measured", both.err)
        self.assertEqual(len(both.out.splitlines()), 3)
        self.assert_usage_error("bench", "-m", "square", "--backend", missing, *inputs,
                                says=f"the backend {missing} is not here: ")


class Files(BenchTest):
    KEYS = ["ms_median", "ms_min", "ms_max", "ms_p90", "ms_p99", "fps", "ms_decode", "ms_search", "ms_lines",
            *SAME_ON_ALL_BACKENDS, "backend", "simd", "threads", "repeat", "model", "images", "problems"]

    def setUp(self):
        super().setUp()
        for name in ("a.pgm", "b.pgm"):
            self.write("set/" + name, self.read(name))
        self.write("set/deeper/c.pgm", self.read("a.pgm"))

    def test_json(self):
        report = self.bench("--backend", "cpu", "--threads", "2", "set")
        self.assertEqual(list(report), self.KEYS)
        self.assertEqual((report["backend"], report["threads"], report["repeat"]), ("cpu", 2, 3))
        self.assertEqual((report["images"], report["problems"]), (2, 0))
        self.assert_times(report)
        self.assertGreater(report["ms_decode"], 0)
        self.assertGreater(report["ms_lines"], 0)
        self.assertGreater(report["ms_search"], 0)
        # On the processor, one call comes after the other.
        self.assertLess(report["ms_search"] + report["ms_lines"], report["ms_median"] + 3e-4)

    def test_the_answers_are_those_of_decoded_pictures(self):
        decoded = self.bench("--decoded", "set")
        for options in ([], ["--batch", "1"], ["--threads", "1"], ["--backend", "reference"]):
            report = self.bench("set", *options)
            self.assertEqual([report[key] for key in SAME_ON_ALL_BACKENDS], [decoded[key] for key in SAME_ON_ALL_BACKENDS])
        self.assertEqual(self.bench("set", "--batch", "1")["batch"], 1)
        found = self.detect("set").objects()
        self.assertEqual(report["objects"], sum(map(len, found)))

    def test_table(self):
        head, row, *note = self.table("-m", "square", "--backend", "reference", "set")
        self.assertEqual(head.split(), ["model", "backend", "ms", "least", "most", "pictures/s", "decode", "search", "lines",
                                        "on"])
        self.assertRegex(row, r"^square +reference( +[\d.,]+){7}  1 thread$")
        self.assertRegex(note[0], r"^2 pictures\. .* median of 3 runs\.$")

    def test_several_inputs_are_files_and_one_picture_is_not(self):
        self.assertIn("ms_decode", self.bench("a.pgm", "b.pgm"))
        self.assertIn("ms_decode", self.bench("[ab].pgm"))
        self.assertNotIn("ms_decode", self.bench("a.pgm"))
        self.assertNotIn("ms_decode", self.bench("a.*"))
        self.write("one/a.pgm", self.read("a.pgm"))
        self.assertIn("ms_decode", self.bench("one"))
        self.assertEqual(self.bench("--recursive", "set")["images"], 3)

    def test_pictures_that_cannot_be_read_are_named_and_counted(self):
        self.write("set/broken.jpg", b"no picture")
        arguments = ("-m", "square", "--backend", "cpu,reference")
        result = self.run_bench(*arguments, "--json", "set", "none.pgm", code=1)
        self.assertEqual([line.split(": ")[1] for line in result.err.splitlines()], ["set/broken.jpg", "none.pgm"])
        self.assertEqual([(row["images"], row["problems"]) for row in result.lines()], [(2, 2), (2, 2)])
        self.assertIn("2 pictures, 1 problem. ms:", "\n".join(self.table(*arguments, "set", code=1)))
        result = self.run_command("bench", "-m", "square", "set/broken.jpg", "none.pgm")
        self.assertEqual((result.code, result.out), (1, b""))
        self.assertIn("there is nothing to measure: no picture could be read", result.err)

    def test_pictures_that_cannot_be_searched_are_named_once(self):
        for models, rows in ((["-m", "square"], 1), (["-m", "square", "-m", "square"], 2)):
            result = self.run_bench(*models, "--scale", "1.0001", "set", code=1)
            self.assertEqual(len(re.findall(r"winnow: set/[ab]\.pgm: the scale factor", result.err)), 2, result.err)
            self.assertIn("%d of %d row" % (rows, rows), result.err)
            self.assertNotIn("winnow backends", result.err)
            self.assertEqual(result.out.count(b"no picture could be searched"), rows)
            self.assertNotIn(b"ms: ", result.out)

    def test_videos(self):
        self.need_video()
        self.write("v.y4m", scene.y4m([scene.Picture(80, 60, [(20, 15, 20)])] * 5))
        report = self.bench("v.y4m")
        self.assertEqual((report["images"], report["objects"]), (5, 5))
        self.assert_usage_error("bench", "-m", "square", "--decoded", "v.y4m", says="'v.y4m' is none")

    def test_errors(self):
        self.write("empty/notes.txt", b"")
        self.assert_usage_error("bench", "-m", "square", "empty", says="no picture or video was found (--recursive looks deeper)")
        self.assert_usage_error("bench", "-m", "square", "-", says="standard input can be read once only; name pictures")
        self.assert_usage_error("bench", "-m", "square", "--pinned", "set", says="add --decoded")

    def test_a_terminal_sees_how_far_a_run_is(self):
        text, out = self.run_on_terminal("bench", "-m", "square", "--repeat", "1", "set")
        self.assertIn("\rinput 1 of 2, 1 picture", text)
        self.assertTrue(text.endswith("\r\x1b[K"))
        self.assertTrue(out.startswith(b"model "))
