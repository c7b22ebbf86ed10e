"""Tests of the small commands: help, versions, lists, inspect, convert."""

import json
import os

import scene
from runner import CASCADES, CommandTest, need_file

COMMANDS = ["detect", "faces", "eval", "bench", "inspect", "convert", "train", "models", "backends"]
TREE = scene.CASCADE.replace("0 -1 0 1.5", "1 0 0 1.5 -1 -2 0 1.8").replace("-1. 1.25", "-1. 1. 2.")


class Top(CommandTest):
    def test_help(self):
        for arguments in (["--help"], ["-h"], ["help"]):
            result = self.run_command(*arguments)
            self.assertEqual(result.code, 0)
            for name in COMMANDS + ["Example"]:
                self.assertIn(name, result.out.decode())

    def test_help_of_each_command_has_an_example(self):
        for name in COMMANDS:
            result = self.run_command(name, "--help")
            self.assertEqual((result.code, result.err), (0, ""), name)
            self.assertIn("Example", result.out.decode())
            self.assertIn("winnow " + name, result.out.decode())
            self.assertEqual(self.run_command("help", name).out, result.out)
        for name, word in (("train", "cascade"), ("train", "pack"), ("train", "join"), ("eval", "detector"),
                           ("eval", "landmarks")):
            wanted = self.run_command(name, word, "--help").out
            self.assertIn(b"Example", wanted)
            self.assertEqual(self.run_command("help", name, word).out, wanted)
            self.assertEqual(self.run_command(name, "help").out, self.run_command(name, "--help").out)

    def test_version(self):
        result = self.run_command("--version")
        self.assertEqual(result.code, 0)
        self.assertRegex(result.out.decode(), r"^winnow \d+\.\d+\.\d+ \(library \d+\.\d+\.\d+\)\n$")
        self.assertEqual(self.run_command("version").out, result.out)
        self.assert_usage_error("version", "a.jpg", says="there is no command 'version'")

    def test_unknown_command_lists_the_commands(self):
        for arguments in ([], ["nothing"], ["help", "nothing"], ["help", "a.jpg"], ["train", "nothing"]):
            result = self.assert_usage_error(*arguments)
            for name in ["hog-svm"] if "train" in arguments else COMMANDS:
                self.assertIn(name, result.err)
            self.assertNotIn("did you mean", result.err)

    def test_a_command_that_was_left_out_or_misspelt_is_guessed(self):
        self.write("photos/a.pgm", scene.Picture(60, 60).pgm())
        unknown, first = "there is no command ", "the first word is a command, not "
        for arguments, sentence in (
                (["detecct", "a.jpg"], unknown + "'detecct'; did you mean `winnow detect a.jpg`?"),
                (["dtect"], unknown + "'dtect'; did you mean `winnow detect`?"),
                (["photo.jpg"], first + "'photo.jpg'; did you mean `winnow detect photo.jpg`?"),
                (["photos"], first + "'photos'; did you mean `winnow detect photos`?"),
                (["my photo.jpg", "it's.jpg"],
                 first + r"'my photo.jpg'; did you mean `winnow detect 'my photo.jpg' 'it'\''s.jpg'`?"),
                (["-m", "face", "*.jpg"], first + "'-m'; did you mean `winnow detect -m face '*.jpg'`?"),
                (["1.jpg"] * 20, first + "'1.jpg'; did you mean `winnow detect" + " 1.jpg" * 12 + " ...`?"),
                (["eval", "-m", "face"],
                 "eval needs the word detector, landmarks or tracking before '-m'; did you mean `winnow eval detector -m face`?"),
                (["eval", "detecter", "-m", "face"],
                 "eval judges a detector, landmarks or tracking, not 'detecter'; did you mean `winnow eval detector -m face`?"),
                (["eval", "photos"],
                 "eval needs the word detector, landmarks or tracking before 'photos', and an option before each path; "
                 "did you mean `winnow eval detector --model face --truth photos --out report`?"),
                (["eval", "det", "-m", "face"],
                 "eval judges a detector, landmarks or tracking, not 'det'; did you mean `winnow eval detector -m face`?"),
                (["train", "cascad", "--pack", "a.pack"],
                 "train has no command 'cascad'; did you mean `winnow train cascade --pack a.pack`?"),
                (["train", "casc"], "train has no command 'casc'; did you mean `winnow train cascade`?")):
            result = self.assert_usage_error(*arguments)
            self.assertEqual(result.err, "winnow: " + sentence + "\n")
        for arguments in (["train", "hog"], ["train", "ca"], ["eval", "d"]):  # several begin so, or the word is short
            self.assertNotIn("did you mean", self.assert_usage_error(*arguments).err)
        self.assert_usage_error("eval", "window", says="eval judges a detector, landmarks or tracking, not 'window' (see `winnow eval --help`)")

    def test_unknown_options(self):
        for name in COMMANDS:
            words = {"eval": ["eval", "detector"], "train": ["train", "pack"]}.get(name, [name])
            self.assert_usage_error(name, "--no-such-option")
            self.assert_usage_error(*words, "--no-such-option", says="there is no option --no-such-option (see")
        self.write("a.pgm", scene.Picture(60, 60).pgm())
        for arguments, sentence in (
                (["detect", "--enlarg", "1.5", "a.pgm"], "there is no option --enlarg; did you mean --enlarge?"),
                (["detect", "--enlarg=1.5", "a.pgm"], "there is no option --enlarg; did you mean --enlarge?"),
                (["detect", "-enlarge", "1.5", "a.pgm"], "there is no option -enlarge; did you mean --enlarge?"),
                (["convert", "--bit", "16", "square", "b.winnow"], "there is no option --bit; did you mean --bits?"),
                # The option that is missing is the one that was misspelt.
                (["faces", "a.pgm", "--landmark", "x.dat"], "there is no option --landmark; did you mean --landmarks?"),
                (["train", "join", "--foce"], "there is no option --foce; did you mean --force?"),
                (["detect", "-y", "a.pgm"], "there is no option -y"),
                (["detect", "--min-s", "a.pgm"], "there is no option --min-s"),
                # Words of other programs.
                (["detect", "a.pgm", "-o", "marked"],
                 "there is no option -o; did you mean --out DIR for marked copies, or > FILE for the lines?"),
                (["detect", "a.pgm", "--output=b"],
                 "there is no option --output; did you mean --out DIR for marked copies, or > FILE for the lines?"),
                (["train", "join", "-o", "m.winnow"], "there is no option -o; did you mean --out FILE.winnow?"),
                (["detect", "a.pgm", "--confidence", "0.5"], "there is no option --confidence; did you mean --min-score S?"),
                (["faces", "a.pgm", "--confidence", "0.5"], "there is no option --confidence; did you mean --min-confidence P?"),
                (["bench", "a.pgm", "--output", "b"], "there is no option --output"),
                (["detect", "a.pgm", "--json"], "there is no option --json; did you mean --format jsonl|csv?"),
                # An option of the other command, or what does the same here.
                (["detect", "a.pgm", "--review", "r"], "there is no option --review; `winnow faces` has it"),
                (["detect", "a.pgm", "--gap=3"], "there is no option --gap; `winnow faces` has it"),
                (["detect", "a.pgm", "--min-confidence", "0.5"],
                 "there is no option --min-confidence; did you mean --min-score S?"),
                (["inspect", "square", "--outt", "--jsn"], "there is no option --outt; did you mean --out?")):
            command = " ".join(arguments[:2] if arguments[0] == "train" else arguments[:1])
            result = self.assert_usage_error(*arguments)
            self.assertEqual(result.err, "winnow: " + sentence + " (see `winnow " + command + " --help`)\n")

    def test_words_that_follow_no_option(self):
        for command, words, stray, meant in (
                ("train pack", ["cr"], "cr", "--positives cr"),
                ("train pack", ["my crops", "--out", "p.pack"], "my crops", "--positives 'my crops'"),
                ("train cascade", ["--positives", "a", "b", "--out", "m.winnow"], "b", "--positives b"),
                ("train cascade", ["--negatives", "bg.txt", "more.txt"], "more.txt", "--negatives more.txt"),
                ("train pack", ["--window", "24x24", "cr"], "cr", "--positives cr"),
                ("train landmarks", ["points.csv"], "points.csv", "--truth points.csv"),
                ("eval detector", ["--truth", "a.csv", "b.csv"], "b.csv", "--truth b.csv"),
                ("eval tracking", ["gt.txt"], "gt.txt", "--truth gt.txt"),
                ("eval tracking", ["--truth", "gt.txt", "--result", "a.jsonl", "b.jsonl"], "b.jsonl", "--result b.jsonl")):
            result = self.assert_usage_error(*command.split(), *words)
            self.assertEqual(result.err, f"winnow: '{stray}' follows no option; did you mean {meant}? "
                                         f"(see `winnow {command} --help`)\n")
        self.assert_usage_error("train", "cascade", "--positives", "a", says="winnow: --out is required (see")

    def test_values_that_name_what_was_meant(self):
        self.write("a.pgm", scene.Picture(60, 60).pgm())
        for words, sentence in (
                (["--min-size", "30"], "--min-size wants a size such as 24x24, not '30'; did you mean 30x30?"),
                (["--max-size", "-30"], "--max-size wants a size such as 24x24, not '-30'"),
                (["--format", "json"],
                 "--format is jsonl or csv, not 'json'; did you mean jsonl, one line of JSON per picture?"),
                (["--format", "xml"], "--format is jsonl or csv, not 'xml'")):
            result = self.assert_usage_error("detect", "-m", "square", "a.pgm", *words)
            self.assertEqual(result.err, "winnow: " + sentence + "\n")

    def test_values_that_are_empty(self):
        for option in ("-m", "--out", "--roi"):
            result = self.assert_usage_error("detect", "a.pgm", option, "")
            self.assertEqual(result.err, "winnow: %s wants a value, not an empty word; is a variable of the shell unset?\n" %
                             option.replace("-m", "--model"))

    def test_the_help_names_what_holds(self):
        helps = {name: self.run_command(name, "--help").out.decode() for name in ("detect", "faces", "track")}
        for text in helps.values():
            self.assertIn("rtsp://, http:// or https://)", text)
            self.assertIn("(0 or /dev/video0)", text)
        self.assertIn("an object needs more passed windows than N (the model's)\n", helps["detect"])
        self.assertIn("than N (1 if the landmarks know presence, else the model's)\n", helps["faces"])
        self.assertIn("and the next (1.07 if the landmarks know presence, else the model's)\n", helps["faces"])

    def test_values_that_are_no_numbers(self):
        self.write("a.pgm", scene.Picture(60, 60).pgm())
        fraction, whole = "a number such as 1.5", "a whole number such as 2"
        for option, value, wanted in (
                ("--enlarge", "1,5", fraction), ("--enlarge", "large", fraction), ("--min-score", "1.5.2", fraction),
                ("--threads", "1,5", whole), ("--threads", "1.5", whole), ("--every", "-", whole),
                ("--threads", "99999999999", "a number closer to 0"), ("--min-neighbors", "-99999999999", "a number closer to 0"),
                ("--device", "0,x", whole)):
            wrong = "x" if option == "--device" else value
            self.assert_usage_error("detect", "-m", "square", "a.pgm", option, value,
                                    says="winnow: %s wants %s, not '%s' (see `winnow detect --help`)\n" % (option, wanted, wrong))
        self.assert_usage_error("convert", "square", "b.winnow", "--bits", "16,0", says="--bits wants " + whole)
        self.assert_usage_error("convert", "square", "b.winnow", "c.winnow", says="c.winnow")
        self.assert_usage_error("detect", "a.pgm", "--quiet=maybe", says="--quiet takes no value; leave out '=maybe' (see")


class Lists(CommandTest):
    def test_models(self):
        result = self.run_command("models")
        self.assertEqual(result.code, 0)
        self.assertRegex(result.out.decode(), r"(?m)^square +finds objects +.*models/square\.xml$")
        self.assertRegex(result.out.decode(), r"(?m)^face +finds face +built-in:face$")
        models = json.loads(self.run_command("models", "--json").out)
        self.assertIn("square", [model["name"] for model in models])
        self.assertEqual(sorted(models, key=lambda model: model["name"]), models)
        self.assertEqual(list(models[0]), ["name", "path", "kind", "does"])

    def test_a_wrong_name_has_the_nearest_three(self):
        for i in range(4):
            self.write(f"models/square-{i}.xml", scene.CASCADE)
        self.write("a.pgm", scene.Picture(60, 60).pgm())
        near = "there is no model 'sqare'; close to it: square, square-0, square-1; searched in: "
        for words in (["detect", "-m", "sqare", "a.pgm"], ["bench", "-m", "sqare", "a.pgm"], ["inspect", "sqare"],
                      ["convert", "sqare", "b.xml"]):
            result = self.assert_usage_error(*words, says=near)
            self.assertTrue(result.err.endswith("; `winnow models` lists all names\n"), result.err)
            self.assertEqual(result.err.count("\n"), 1, result.err)
        self.assert_usage_error("faces", "--landmarks", "sqare", "a.pgm", says="winnow: --landmarks: " + near)

    def test_a_model_that_cannot_be_read_is_named(self):
        self.write("models/broken.winnow", b"no model")
        result = self.run_command("models")
        self.assertEqual(result.code, 0)
        self.assertRegex(result.out.decode(), r"(?m)^broken +cannot be read ")
        self.assertRegex(result.err, r"broken\.winnow: this is ")
        models = json.loads(self.run_command("models", "--json").out)
        broken = next(model for model in models if model["name"] == "broken")
        self.assertIn("a model is needed", broken["problem"])
        self.assertNotIn("does", broken)

    def test_backends(self):
        report = json.loads(self.run_command("backends", "--json").out)
        names = {backend["name"]: backend["available"] for backend in report["backends"]}
        self.assertTrue(names["reference"])
        self.assertTrue(names["cpu"])
        self.assertIn("cuda", names)
        self.assertIsInstance(report["video"], bool)
        self.assertTrue(all(isinstance(target, str) for target in report["simd"]))
        text = self.run_command("backends").out.decode()
        for word in ("reference", "cpu", "cuda", "simd", "video"):
            self.assertIn(word, text)


class Inspect(CommandTest):
    def test_text(self):
        result = self.run_command("inspect", "square")
        self.assertEqual(result.code, 0, result.err)
        text = result.out.decode()
        for words in ("Haar, window 20x20", "1 stage, 1 tree, 1 node, 1 feature", "stumps", "rules", "0.5"):
            self.assertIn(words, text)

    def test_json(self):
        self.write("tree.xml", TREE)
        report = json.loads(self.run_command("inspect", "tree.xml", "--json").out)
        self.assertEqual(report["kind"], "haar")
        self.assertEqual(report["window"], {"width": 20, "height": 20})
        self.assertEqual(report["stages"], [{"trees": 1, "nodes": 2, "features": 1, "threshold": 0.5}])
        self.assertEqual((report["trees"], report["nodes"], report["leaves"], report["features"]), (1, 2, 3, 1))
        self.assertEqual((report["depth"], report["tilted"]), (2, 0))
        self.assertEqual(list(report["card"]), ["name", "kind", "source", "terms"])
        self.assertIn("threshold_slack", report["rules"])
        self.assertIsInstance(report["notes"], list)

    def test_a_model_is_not_drawn_over(self):
        self.write("tree.png", TREE)
        self.assert_usage_error("inspect", "tree.png", "--out", "./tree.png", says="would write over the model")
        self.assertEqual(self.read("tree.png").decode(), TREE)

    def test_picture(self):
        result = self.run_command("inspect", "square", "--out", "sheet.ppm")
        self.assertEqual(result.code, 0, result.err)
        _, width, _, pixels = scene.read_pnm(self.read("sheet.ppm"))
        # The bright half of the only tile is a run of at least 32 white pixels in a row.
        rows = [pixels[at:at + 3 * width] for at in range(0, len(pixels), 3 * width)]
        bright = [row for row in rows if b"\xff" * 3 * 32 in row and b"\0" * 3 * 16 in row]
        self.assertGreaterEqual(len(bright), 32)
        self.assertEqual(self.run_command("inspect", "square", "--out", "sheet.png").code, 0)
        self.assertEqual(scene.png_size(self.read("sheet.png"))[0], width)

    def test_picture_of_installed_models(self):
        for name in ("haarcascades/haarcascade_smile.xml", "lbpcascades/lbpcascade_frontalface.xml"):
            result = self.run_command("inspect", need_file(os.path.join(CASCADES, name)), "--out", "sheet.png")
            self.assertEqual(result.code, 0, result.err)
            self.assertGreater(scene.png_size(self.read("sheet.png"))[1], 20 * 64)

    def test_errors(self):
        self.assert_usage_error("inspect")
        self.assert_usage_error("inspect", "nobody", says="square")
        self.assert_usage_error("inspect", "square", "--out", "sheet.txt")
        self.write("broken.xml", scene.CASCADE[:900])
        result = self.run_command("inspect", "broken.xml")
        self.assertEqual((result.code, result.out), (1, b""))
        self.assertIn("broken.xml", result.err)
        self.assertEqual(result.err.count("\n"), 1)
        self.write("wide.xml", scene.CASCADE.replace("5 5 10 10 4.", "5 5 10 16 4."))
        self.assertEqual(self.run_command("inspect", "wide.xml").code, 1)


class Hog(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("edge.yml", scene.HOG)

    def test_text_and_json(self):
        result = self.run_command("inspect", "edge.yml")
        self.assertEqual(result.code, 0, result.err)
        text = result.out.decode()
        for words in ("edge\n", "linear SVM over HOG, window 16x16", "1x1 of 16x16 pixels, 8x8 apart",
                     "2x2 in a block, each of 8x8", "2 over 180 degrees", "square roots", "8, from -1 to 1", "-0.25",
                     "Nothing unusual."):
            self.assertIn(words, text)
        report = json.loads(self.run_command("inspect", "edge.yml", "--json").out)
        self.assertEqual((report["kind"], report["bins"], report["bias"]), ("hog-svm", 2, -0.25))
        self.assertEqual(report["block_stride"], {"width": 8, "height": 8})
        self.assertEqual(report["weights"], {"count": 8, "least": -1.0, "most": 1.0})
        self.assertEqual(list(report["card"]), ["name", "kind", "source", "terms"])

    def test_picture(self):
        result = self.run_command("inspect", "edge.yml", "--out", "sheet.png")
        self.assertEqual(result.code, 0, result.err)
        self.assertEqual(scene.png_size(self.read("sheet.png"))[1], 2 * 16 + 40 + 26 + 2 * 32)
        self.assert_usage_error("inspect", "edge.yml", "--out", "./edge.yml", says="would write over the model")

    def test_convert(self):
        self.write("a.pgm", scene.Picture(80, 60, [(20, 15, 20)]).pgm())
        search = ["--min-neighbors", "0", "a.pgm", "--quiet"]
        wanted = self.run_command("detect", "-m", "edge.yml", *search).objects()
        self.assertGreater(len(wanted), 0)
        for step in (["edge.yml", "b.winnow", "--name", "Edge", "--finds", "edges", "--terms", "free"],
                     ["b.winnow", "c.xml"], ["c.xml", "d.winnow"]):
            result = self.run_command("convert", *step)
            self.assertEqual(result.code, 0, result.err)
            self.assertIn(b"8 weights", result.out)
            self.assertEqual(self.run_command("detect", "-m", step[1], *search).objects(), wanted, step)
        card = json.loads(self.run_command("inspect", "b.winnow", "--json").out)["card"]
        self.assertEqual(card, {"name": "Edge", "kind": "edges", "source": "", "terms": "free"})
        self.assert_usage_error("convert", "edge.yml", "e.xml", "--old", says="--old is a format of cascades")
        self.assert_usage_error("convert", "edge.yml", "e.xml", "--name", "x", says=".winnow files only")

    def test_errors(self):
        self.write("bad.yml", scene.HOG.replace("nbins: 2", "nbins: two"))
        self.write("few.txt", "[ 0.5, 1.5 ]")
        for model, says in (("bad.yml", "line 8: 'two' is not a number"), ("few.txt", "2 numbers without a shape")):
            result = self.run_command("inspect", model)
            self.assertEqual((result.code, result.out), (1, b""))
            self.assertIn(says, result.err)
            self.assertEqual(result.err.count("\n"), 1)


class Convert(CommandTest):
    def test_round_trip_gives_the_same_answer(self):
        self.write("a.pgm", scene.Picture(80, 60, [(20, 15, 20)]).pgm())
        wanted = self.detect("a.pgm").objects()
        steps = [["square", "a.winnow"], ["a.winnow", "b.xml"], ["b.xml", "c.xml", "--old"], ["c.xml", "d.winnow"]]
        for step in steps:
            result = self.run_command("convert", *step)
            self.assertEqual(result.code, 0, result.err)
            self.assertEqual(result.out.count(b"\n"), 1)
            self.assertIn(step[1].encode(), result.out)
            found = self.run_command("detect", "-m", step[1], "a.pgm", "--quiet")
            self.assertEqual(found.objects(), wanted, step)
        self.assertTrue(self.read("b.xml").startswith(b"<?xml"))
        self.assertNotEqual(self.read("b.xml"), self.read("c.xml"))

    def test_refuses_to_overwrite(self):
        self.write("b.xml", "mine")
        self.assert_usage_error("convert", "square", "b.xml", says="--force")
        self.assertEqual(self.read("b.xml"), b"mine")
        self.assertEqual(self.run_command("convert", "square", "b.xml", "--force").code, 0)
        self.assertNotEqual(self.read("b.xml"), b"mine")

    def test_swapped_files_are_noticed(self):
        self.assertEqual(self.run_command("convert", "square", "a.winnow").code, 0)
        before = self.read("a.winnow")
        for more in ([], ["--force"]):
            result = self.assert_usage_error("convert", "b.xml", "a.winnow", *more)
            self.assertEqual(result.err, "winnow: the model to read comes first: there is no model 'b.xml', and 'a.winnow' is a "
                             "model; did you mean `winnow convert %s`?\n" % " ".join(["a.winnow", "b.xml", *more]))
        self.assertEqual(self.read("a.winnow"), before)
        self.write("c.winnow", "no model")
        self.assert_usage_error("convert", "b.xml", "c.winnow", says="--force")
        self.assert_usage_error("convert", "square", "a.winnow", says="--force")

    def test_errors(self):
        self.assert_usage_error("convert", "square")
        self.assert_usage_error("convert", "square", "b.json", says=".winnow")
        self.assert_usage_error("convert", "square", "b.winnow", "--old")
        self.assert_usage_error("convert", "nobody", "b.winnow", says="square")
        self.assertEqual(self.run_command("convert", "square", "no/such/folder/b.winnow").code, 1)

    def test_lbp_has_no_old_format(self):
        model = need_file(os.path.join(CASCADES, "lbpcascades/lbpcascade_frontalface.xml"))
        self.assert_usage_error("convert", model, "b.xml", "--old")
        self.assertEqual(self.files("."), ["models/square.xml"])
