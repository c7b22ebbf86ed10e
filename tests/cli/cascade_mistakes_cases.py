"""Tests of `winnow train cascade` and `train join`: mistakes of users, files of others, and options."""

import json
import os

from cascade_command import Cascade
from rings import background, crop, noise


class Mistakes(Cascade):
    def test_samples(self):
        os.mkdir(self.path("empty"))
        out = ["--out", "m.winnow"]
        good = self.arguments(*out)
        os.mkdir(self.path("deep"))
        os.rename(self.path("crops"), self.path("deep/crops"))
        os.mkdir(self.path("crops"))
        for option, value, says in [("--positives", "empty", "empty: holds no picture of its own, and no labels"),
                                    ("--positives", "deep", "deep: holds no picture of its own"),
                                    ("--positives", "nobody", "nobody: cannot open")]:
            arguments = list(good)
            arguments[arguments.index(option) + 1] = value
            self.assert_refused(*arguments, says=says, code=1)
        os.rmdir(self.path("crops"))
        os.rename(self.path("deep/crops"), self.path("crops"))
        self.assert_refused(*self.arguments(*out, samples=("--positives", "crops", "--negatives", "nobody")),
                            says="nobody: cannot open", code=1)
        result = self.run_command(*self.arguments(*out, samples=("--positives", "crops", "--negatives", "empty")))
        self.assertEqual((result.code, result.out), (2, b""))
        self.assertEqual(result.err, "winnow: empty holds no picture of its own (.jpg, .png, .pgm and their like)\n"
                                     "winnow: there is no negative picture to be used\n")
        self.write("even/a.pgm", b"P5\n90 70\n255\n" + bytes([90]) * 6300)
        self.assert_refused(*self.arguments(*out, samples=("--positives", "crops", "--negatives", "even")),
                            says="only 0 windows with contrast were found in 1 picture;", code=1)
        self.write("one/a.pgm", crop(1))
        self.assert_refused(*self.arguments(*out, samples=("--positives", "one", "--negatives", "scenes")),
                            says="one positive is too few", code=1)
        # Each positive is also a negative. The training may fail or succeed, but must not crash.
        for i in range(4):
            self.write(f"same/{i}.png", background(i))
        result = self.run_command(*self.arguments(*out, "--max-weak", "3", "--no-report",
                                                  samples=("--positives", "same", "--negatives", "scenes")))
        self.assertIn(result.code, (0, 1), result.err)
        self.assertNotEqual(result.err, "")

    def test_packs_of_one_kind(self):
        for kind, source in (("positives", "crops"), ("negatives", "scenes")):
            result = self.run_command("train", "pack", "--" + kind, source, "--window", "12x12", "--out", kind + ".pack")
            self.assertEqual(result.code, 0, result.err)
        small, pair = self.SMALL[2:], ("--pack", "positives.pack", "--pack", "negatives.pack")
        self.train("--out", "m.winnow", "--no-report", small=small, samples=pair)
        self.assertIn("m.winnow", self.files("."))
        for kind, says in (("positives", "there are no negatives"), ("negatives", "there are no positives")):
            self.assert_refused(*self.arguments("--out", "n.winnow", small=small, samples=("--pack", kind + ".pack")),
                                says=says, code=1)

    def test_left_out(self):
        self.write("crops/text.png", "text")
        self.write("crops/zz.pgm", crop(3))
        self.write("crops/little.pgm", noise(5, 5, 1).pgm())
        self.write("scenes/text.jpg", "text")
        self.write("scenes/little.pgm", noise(11, 11, 1).pgm())
        result = self.train("--out", "m.winnow", "--no-report")
        for sentence in ("crops/text.png: not a picture", "scenes/text.jpg: not a picture", "1 positive is equal to another",
                         "scenes/little.pgm is smaller than the window", "crops/little.pgm"):
            self.assertIn(sentence, result.err)
        self.assertEqual(result.err.count("winnow: "), 5 + result.err.count("ended early"))
        self.write("info.dat", "scenes/0.png 3 -50 -50 20 20 2 2 30 30 200 60 20 20\n")
        result = self.run_command(*self.arguments("--out", "n.winnow", "--no-report", samples=(
            "--positives", "info.dat", "--positives", "crops", "--negatives", "scenes")))
        self.assertEqual(result.code, 0, result.err)
        self.assertEqual(result.err.count("outside its picture"), 2, result.err)

    def test_window_too_large(self):
        result = self.run_command(*self.arguments("--out", "m.winnow", "--window", "60x60", small=[]))
        self.assertEqual(result.code, 2)
        self.assertTrue(result.err.endswith("winnow: there is no positive to be used\n"), result.err)
        self.assertIn("crops/00.pgm is smaller than half the window", result.err)
        self.write("large/a.pgm", noise(100, 100, 1).pgm())
        self.write("large/b.pgm", noise(100, 100, 2).pgm())
        result = self.run_command(*self.arguments("--out", "m.winnow", "--window", "100x100", small=[],
                                                  samples=("--positives", "large", "--negatives", "scenes")))
        self.assertEqual(result.code, 2)
        self.assertTrue(result.err.endswith("winnow: there is no negative picture to be used\n"), result.err)
        self.assertIn("scenes/0.png is smaller than the window", result.err)

    def test_outputs_are_checked_first(self):
        # The files "nobody" do not exist, so each expected message comes before samples are read.
        samples = ("--positives", "nobody", "--negatives", "nobody")
        self.write("there.winnow", "a model")
        self.write("notes/mine.txt", "no state of a training")
        self.write("notes/mine-report.html", "a page of another training")
        os.mkdir(self.path("folder.winnow"))
        os.makedirs(self.path("kept/model"))
        for more, says, code in [
                (["--out", "there.winnow"], "there.winnow is there already (--force writes over it)", 2),
                (["--out", "there.winnow", "--resume", "--checkpoint", "new"], "there.winnow is there already", 2),
                (["--out", "there.winnow", "--resume", "--checkpoint", "notes"], "there.winnow is there already", 2),
                (["--out", "folder.winnow", "--force"], "folder.winnow is a folder", 2),
                (["--out", "no/m.winnow"], "no/m.winnow: cannot write: No such file", 1),
                (["--out", "crops/00.pgm/m.winnow"], "cannot write: Not a directory", 1),
                (["--out", "m.pt"], "must end in .winnow or .xml: m.pt", 2),
                (["--out", "m.winnow", "--log", "no/log"], "no/log: cannot write: No such file", 1),
                (["--out", "m.winnow", "--log", "crops"], "crops is a folder", 2),
                (["--out", "m.winnow", "--report", "no/page"], "no/page: cannot write: No such file", 1),
                (["--out", "m.winnow", "--report", "m.winnow"], "different files", 2),
                (["--out", "m.winnow", "--report", "./m.winnow"], "different files", 2),
                (["--out", "./m.winnow", "--log", "new/../m.winnow"], "different files", 2),
                (["--out", "m.winnow", "--log", "a.txt", "--report", "./a.txt"], "different files", 2),
                (["--out", "m.winnow", "--log", "notes/mine.txt"], "notes/mine.txt is there already (--force", 2),
                (["--out", "m.winnow", "--report", "notes/mine.txt"], "notes/mine.txt is there already (--force", 2),
                (["--out", "notes/mine.winnow"], "notes/mine-report.html is there already (--force", 2),
                (["--out", "notes/mine.winnow", "--resume", "--checkpoint", "new"], "notes/mine-report.html is there", 2),
                (["--out", "folder.winnow", "--resume", "--checkpoint", "kept"], "folder.winnow is there already", 2),
                (["--out", "m.winnow", "--log", "m.winnow"], "different files", 2)]:
            self.assert_refused(*self.arguments(*more, samples=samples), says=says, code=code)
        self.assertEqual(self.read("there.winnow"), b"a model")
        if os.geteuid() != 0:
            os.mkdir(self.path("closed"), 0o555)
            self.assert_refused(*self.arguments("--out", "closed/m.winnow", samples=samples), says="Permission denied",
                                code=1)
        self.train("--out", "there.winnow", "--force", "--no-report", "--stages", "1",
                   small=self.SMALL[:2] + self.SMALL[4:])
        self.assertNotEqual(self.read("there.winnow"), b"a model")

    def test_full_disk(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full here")
        # A training continues without its log.
        result = self.train("--out", "m.winnow", "--log", "/dev/full", "--no-report", code=1)
        self.assertEqual(result.err.count("/dev/full: this log cannot be written; the training goes on without it\n"), 1)
        self.assertIn("m.winnow", self.files("."))
        # The model is first written to n.winnow.part, which is a full device here.
        os.symlink("/dev/full", self.path("n.winnow.part"))
        result = self.train("--out", "n.winnow", "--checkpoint", "state", "--no-report", code=1)
        self.assertRegex(result.err, r"winnow: n\.winnow: cannot write: .*; nothing is lost: the same command with --resume "
                                     r"writes it\n$")
        self.train("--out", "n.winnow", "--checkpoint", "state", "--resume", "--no-report", "--name", "m")
        self.assertEqual(self.read("n.winnow"), self.read("m.winnow"))
        # A break between the two files leaves the older model, which is the training's own.
        os.symlink("/dev/full", self.path("n.winnow.part"))
        self.train("--out", "n.winnow", "--checkpoint", "state", "--resume", "--no-report", "--name", "other", code=1)
        self.assertEqual(self.read("n.winnow"), self.read("m.winnow"))
        self.assertNotEqual(self.read("state/model"), self.read("n.winnow"))
        self.train("--out", "n.winnow", "--checkpoint", "state", "--resume", "--no-report", "--name", "other")
        self.assertEqual(self.read("state/model"), self.read("n.winnow"))
        self.assertEqual(self.files("state"), ["model", "stage", "trees"])
        os.mkdir(self.path("full"))
        os.symlink("/dev/full", self.path("full/stage.part"))
        result = self.train("--out", "o.winnow", "--checkpoint", "full", "--no-report", code=1)
        self.assertIn("full/stage: cannot write: No space left on device", result.err)
        os.symlink("/dev/full", self.path("page.html"))
        result = self.train("--out", "o.winnow", "--report", "page.html", code=1)
        self.assertIn("winnow: page.html: this file cannot be written", result.err)
        self.assertEqual(self.read("o.winnow")[:0], b"")

    def test_checkpoints(self):
        self.train("--out", "m.winnow", "--no-report", "--checkpoint", "state", "--log", "log")
        before = {name: self.read("state/" + name) for name in self.files("state")}
        log = self.read("log")
        self.assertEqual(sorted(before), ["model", "stage", "trees", "written"])
        self.assertEqual(before["model"], self.read("m.winnow"))
        out = ["--out", "n.winnow", "--log", "log", "--checkpoint", "state"]
        self.assert_refused(*self.arguments(*out, "--force"), says="state: this folder has the state of a training already")
        self.assert_refused(*self.arguments(*out), says="log is there already")
        self.assert_refused(*self.arguments(*out, "--resume", "--seed", "2"), says="the state of another training")
        self.assert_refused(*self.arguments(*out[:2], "--checkpoint", "log", "--resume"), says="log: this folder", code=1)
        self.assert_refused(*self.arguments("--out", "n.winnow", "--resume"), says="--checkpoint")
        os.remove(self.path("crops/00.pgm"))
        self.assert_refused(*self.arguments(*out, "--resume"), says="the state of another training")
        self.write("crops/00.pgm", crop(0))
        self.assertEqual({name: self.read("state/" + name) for name in self.files("state")}, before)
        self.assertEqual(self.read("log"), log)
        for name in ("stage", "trees"):
            for damaged in (b"", before[name][:7], before[name][:-1], before[name][:40] + b"?" + before[name][41:], b"text" * 9):
                self.write("state/" + name, damaged)
                self.assert_refused(*self.arguments(*out, "--resume"), says=f"state/{name}: this is no state of a training",
                                    code=1)
            self.write("state/" + name, before[name])
        self.train(*out, "--resume", "--no-report", "--name", "m")
        self.assertEqual(self.read("n.winnow"), self.read("m.winnow"))
        # A training overwrites its own model, and no other file.
        self.train(*out, "--resume", "--no-report", "--name", "m")
        self.write("n.winnow", b"somebody's")
        self.assert_refused(*self.arguments(*out, "--resume"), says="n.winnow is there already")
        self.assertEqual(self.read("n.winnow"), b"somebody's")
        self.train(*out, "--resume", "--no-report", "--force", "--name", "m")
        self.assertEqual(self.read("n.winnow"), self.read("m.winnow"))

    def test_logs_and_pages_of_others(self):
        out = ["--resume", "--checkpoint", "all/state", "--stages", "2", "--name", "m"]
        own = ["--out", "all/m.winnow", "--log", "all/log"]
        small = self.SMALL[:2] + self.SMALL[4:]
        os.mkdir(self.path("all"))
        self.train(*own, *out, small=small)
        page, lines = self.read("all/m-report.html"), self.read("all/log").count(b"\n")
        # A training knows its own files even if their paths are spelt differently, and after all of them were moved.
        os.rename(self.path("all"), self.path("moved"))
        out[2], own = "moved/state", ["--out", "./moved/m.winnow", "--log", "moved/state/../log"]
        self.write("moved/m-report.html", "")
        self.train(*own, *out, small=small)
        self.assertEqual(len(self.read("moved/m-report.html")), len(page))
        self.assertGreater(self.read("moved/log").count(b"\n"), lines)
        # A training whose stages are all done knows its own files, too.
        for _ in range(2):
            self.train("--out", "one.winnow", "--log", "short", "--no-report", *out[:4], "1", *out[5:], small=small)
        self.assertEqual(self.read("short").count(b'"stages":1'), 2)
        # Other files are refused before samples are read.
        for name in ("log", "page", "n-report.html"):
            self.write(name, "another's")
        nobody = ("--positives", "nobody", "--negatives", "nobody")
        for more, says in ((["--out", "n.winnow"], "n-report.html"), (["--out", "o.winnow", "--report", "page"], "page"),
                           (["--out", "o.winnow", "--log", "log"], "log")):
            self.assert_refused(*self.arguments(*out, *more, small=small, samples=nobody),
                                says=f"winnow: {says} is there already (--force writes over it)")
        self.assertEqual([self.read(name) for name in ("log", "page", "n-report.html")], [b"another's"] * 3)
        for _ in range(2):
            self.train(*out, "--out", "n.winnow", "--log", "log", "--force", small=small)
            self.assertNotIn(b"another", self.read("n-report.html"))
            for line in self.read("log").decode().splitlines():
                json.loads(line)
        # After --force, the log belongs to the training, which appends to it.
        self.assertEqual(self.read("log").count(b'"ended_early"'), 2)

    def test_what_is_known_before_the_training(self):
        for words, what in ((["--soft"], "a soft cascade"), (["--weak", "table"], "a cascade of tables")):
            result = self.run_command(*self.arguments("--out", "m.xml", *words))
            self.assertEqual((result.code, result.out, result.err),
                             (2, b"", f"winnow: OpenCV's XML cannot say {what}: the model must end in .winnow: m.xml\n"))
        self.assert_refused(*self.arguments("--out", "m.winnow", small=("--stage-negatives", "9")),
                            says="a stage needs 10 negatives at least")

    def test_soft(self):
        self.run_command("train", "pack", "--positives", "crops", "--negatives", "scenes", "--window", "12x12", "--out",
                         "p.pack")
        self.run_command("train", "cascade", "--pack", "p.pack", "--soft", "--weak", "table", "--stages", "3",
                         "--max-weak", "12", "--pool", "300", "--negative-noise", "0.02", "--finds", "ring",
                         "--terms", "free", "--out", "soft.winnow")
        described = json.loads(self.run_command("inspect", "soft.winnow", "--json").out)
        self.assertEqual(described["tables"], 12)
        more = ["--soft", "--max-weak", "4", "--stages", "2", "--pool", "300", "--no-report"]
        result = self.run_command("train", "cascade", "--pack", "p.pack", *more, "--out", "few.winnow")
        self.assertEqual(result.out, b"few.winnow: 4 weak classifiers\n")
        self.assertEqual((described["card"]["kind"], described["card"]["terms"]), ("ring", "free"))
        self.assertEqual(len(described["stages"]), 12)
        self.assertEqual(described["rules"]["sum"], "carried from stage to stage")
        self.assertIn("12 tables", self.run_command("inspect", "soft.winnow").out.decode())
        self.assert_refused("convert", "soft.winnow", "soft.xml", says="is made of tables", code=1)
        self.assertFalse(os.path.exists(self.path("soft.xml")))

    def test_join(self):
        self.run_command("train", "pack", "--positives", "crops", "--negatives", "scenes", "--window", "12x12", "--out",
                         "p.pack")
        soft = ["--pack", "p.pack", "--soft", "--weak", "table", "--stages", "3", "--max-weak", "12", "--pool", "300",
                "--finds", "ring", "--terms", "free", "--no-report"]
        for seed in "123":
            self.run_command("train", "cascade", *soft, "--seed", seed, "--out", f"ring-{seed}.winnow")
        members = [f"ring-{seed}.winnow" for seed in "123"]
        join = ["train", "join", *members, "--pack", "p.pack"]
        result = self.run_command(*join, "--out", "ring.winnow")
        self.assertEqual((result.code, result.err), (0, ""))
        self.assertEqual(result.out.decode(), "ring.winnow: 36 weak classifiers of 3 cascades\n")
        described = json.loads(self.run_command("inspect", "ring.winnow", "--json").out)
        self.assertEqual((described["tables"], described["card"]["kind"], described["card"]["terms"]), (36, "ring", "free"))
        # A member of LBP features comes after tables.
        self.run_command("train", "cascade", "--pack", "p.pack", "--soft", "--features", "lbp", "--stages", "3", "--max-weak", "9",
                         "--finds", "ring", "--terms", "free", "--no-report", "--out", "lbp.winnow")
        self.run_command("train", "join", *members[:2], "lbp.winnow", "--pack", "p.pack", "--out", "both.winnow")
        described = json.loads(self.run_command("inspect", "both.winnow", "--json", "--out", "both.png").out)
        self.assertEqual((described["kind"], described["tables"], described["trees"]), ("haar, lbp", 24, 9))
        self.assertEqual([next(iter(stage)) for stage in described["stages"]], 24 * ["tables"] + 9 * ["trees"])
        haar = sum(json.loads(self.run_command("inspect", m, "--json").out)["features"] for m in members[:2])
        lbp = json.loads(self.run_command("inspect", "lbp.winnow", "--json").out)["features"]
        self.assertEqual(described["features"], haar + lbp)
        said = self.run_command("inspect", "both.winnow").out.decode()
        self.assertIn("Haar, then LBP", said)
        self.assertIn("24 tables, 9 trees, 9 nodes", said)
        self.assert_refused("convert", "both.winnow", "both.xml", says="is made of tables", code=1)
        picture = background(1)
        self.write("ring.png", picture)
        self.assertEqual(self.run_command("detect", "-m", "both.winnow", "ring.png").code, 0)
        self.assertEqual(self.run_command("detect", "-m", "ring.winnow", "ring.png").code, 0)
        self.run_command(*join, "--threads", "1", "--name", "ring", "--finds", "hoop", "--terms", "none", "--out", "other.winnow")
        described = json.loads(self.run_command("inspect", "other.winnow", "--json").out)
        self.assertEqual((described["card"]["name"], described["card"]["kind"], described["card"]["terms"]), ("ring", "hoop", "none"))
        self.assert_refused(*join, "--out", "ring.winnow", says="ring.winnow is there already")
        self.run_command(*join, "--out", "ring.winnow", "--force")
        self.assert_refused(*join, "--out", "./ring-2.winnow", "--force", says="ring-2.winnow is a member of what is joined")
        self.assert_refused(*join, "--out", "ring.xml", says="must end in .winnow")
        # The option is refused before packs are read.
        self.assert_refused(*join, "--pack", "no.pack", "--out", "x.winnow", "--min-hit", "0.2", says="hit rate")
        self.assert_refused(*join, "--pack", "no.pack", "--out", "x.winnow", "--threads", "-1", says="negative")
        self.assert_refused(*join, "--pack", "no.pack", "--out", "x.winnow", "--threads", "1025", says="at most 1024")
        self.write("pack.winnow", b"a pack")
        self.assert_refused("train", "join", *members, "--pack", "pack.winnow", "--out", "./pack.winnow", "--force",
                            says="is one of the packs")
        self.assert_refused(*join, members[0], "--pack", "no.pack", "--out", "x.winnow", says="is the same as")
        self.assert_refused(*join, "--pack", "no.pack", "--out", "x.winnow", "--name", "a\x01", says="the card's name is not clean", code=1)
        self.assert_refused(*join, "--out", "x.winnow", "--memory", "1K", says="more than the memory allowed")
        self.assert_refused("train", "join", "--pack", "p.pack", "--out", "x.winnow", says="MEMBER")
        self.assert_refused("train", "join", *members, "--out", "x.winnow", says="--pack")
        self.assert_refused("train", "join", "nobody", "--pack", "p.pack", "--out", "x.winnow", says="nobody")
        self.train("--out", "stages.winnow", "--no-report")
        self.assert_refused("train", "join", "stages.winnow", "--pack", "p.pack", "--out", "x.winnow",
                            says="cascade 1 ('stages') is no soft cascade")
        self.assert_refused(*join, members[0], "--out", "x.winnow", says="cascade 4 ('ring-1') is the same as cascade 1")
        self.run_command("train", "cascade", *soft[:-5], "--terms", "other", "--finds", "ring", "--no-report", "--seed", "4",
                         "--out", "ring-4.winnow")
        self.assert_refused(*join, "ring-4.winnow", "--out", "x.winnow", says="--terms says what holds for both")
        self.assertEqual(self.run_command(*join, "ring-4.winnow", "--terms", "other", "--out", "x.winnow").code, 0)

    def test_a_card_that_no_file_can_keep(self):
        # Options are refused before samples are read. A file's name is not refused: its "\x01" becomes "?" on the card.
        for option, says in (("--name", "name"), ("--finds", "kind"), ("--terms", "terms")):
            self.assert_refused("train", "cascade", "--pack", "no.pack", "--out", "m.winnow", option, "a\x01b",
                                says=f"the card's {says} is not clean UTF-8 text", code=1)
        self.train("--out", "a\x01b.winnow", "--no-report")
        described = json.loads(self.run_command("inspect", "a\x01b.winnow", "--json").out)
        self.assertEqual(described["card"]["name"], "a?b")

    def test_options(self):
        self.run_command("train", "pack", "--positives", "crops", "--negatives", "scenes", "--window", "12x12", "--out",
                         "p.pack")
        good = ["train", "cascade", "--pack", "p.pack", "--out", "m.winnow"]
        # Options are refused before packs are read.
        unread = ["train", "cascade", "--pack", "no.pack", "--out", "m.winnow"]
        for more, says in [
                (["--min-hit", "2"], "hit rate"), (["--min-hit", "x"], "--min-hit"), (["--min-hit", "nan"], "hit rate"),
                (["--max-false", "0"], "false alarm rate"), (["--max-false", "1"], "false alarm rate"),
                (["--depth", "9", "--weak", "tree"], "--depth of trees is 2 or 3"),
                (["--depth", "0", "--weak", "tree"], "--depth of trees is 2 or 3"),
                (["--depth", "2"], "--weak tree"), (["--depth", "-1"], "--weak tree"),
                (["--weak", "forest"], "stump, tree or table"), (["--weak", "table", "--features", "lbp"], "tables are of Haar"),
                (["--weak", "table", "--depth", "2"], "--depth is of trees"), (["--soft", "--max-weak", "3"], "for each stage"),
                (["--soft", "--max-weak", "5000"], "1 to 4000"), (["--negative-noise", "2"], "noise"), (["--boost", "x"], "gentle, real or discrete"),
                (["--features", "x"], "haar, haar-more, haar-tilted or lbp"), (["--features", "HAAR"], "haar, haar-more, haar-tilted or lbp"),
                (["--memory", "x"], "60M"), (["--memory", "-1G"], "60M"), (["--memory", "0"], "60M"),
                (["--memory", "1048577G"], "60M"), (["--memory", "9223372036854775808"], "60M"), (["--memory", "1.5G"], "60M"),
                (["--features-per-round", "1000000001"], "from 1 to 1000000000, or all"),
                (["--stages", "0"], "stages"), (["--stages", "1001"], "1 to 1000"), (["--stages", "2.5"], "--stages"),
                (["--max-weak", "0"], "weak"), (["--features-per-round", "0"], "from 1 to 1000000000, or all"),
                (["--features-per-round", "some"], "--features-per-round"), (["--pool", "-1"], "negative"),
                (["--stage-negatives", "-1"], "negative"), (["--threads", "-1"], "negative"),
                (["--backend", "x"], "backend"), (["--seed", "x"], "--seed"), (["--seed", "-1"], "from 0 on"), (["--name", ""], "--name wants a value"),
                (["--positives", "crops"], "not from both"), (["--window", "20x20"], "--window is for making samples"),
                (["--mirror"], "--mirror is for making samples"), (["--bogus"], "--bogus"), (["extra"], "extra")]:
            self.assert_refused(*unread, *more, says=says)
        self.assert_refused(*unread, says="no.pack", code=1)
        for bytes_that_are_many in ("2000000000", "1048576G", "1125899906842624"):
            self.assert_refused(*unread, "--memory", bytes_that_are_many, says="no.pack", code=1)
        self.assert_refused(*good, "--memory", "1000", says="more than the memory allowed")
        for option in ("--log", "--report"):
            self.assert_refused(*good, option, "./p.pack", "--force", says="p.pack is what is learned from")
        self.assert_refused(*good[:2], *good[4:], says="--positives")
        self.assert_refused(*good[:4], says="--out")
        self.write("text.pack", "text")
        self.assert_refused("train", "cascade", "--pack", "text.pack", "--out", "m.winnow", says="text.pack: ", code=1)
        self.assert_refused("train", "cascade", "--pack", "nobody", "--out", "m.winnow", says="nobody: cannot open", code=1)

    def test_help(self):
        result = self.run_command("train", "cascade", "--help")
        self.assertEqual((result.code, result.err), (0, ""))
        for word in ("winnow train cascade", "--min-hit", "--checkpoint", "--resume", "130"):
            self.assertIn(word, result.out.decode())
