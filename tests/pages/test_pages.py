#!/usr/bin/env python3
"""Runs the commands of the guides: test_pages.py WINNOW FIND_OBJECTS lists|DOCUMENT...

Each block of commands of a document runs in a folder with the files that the guide mentions (place.py). The output
must be the one that the guide shows. reasons.py lists what does not run here, and why. `lists` checks that list, and
the names of programs and options in commands that are not run.

WINNOW is the command, and FIND_OBJECTS the program of docs/library/build.md, both as built.
"""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "tests", "cli")]
import reasons  # noqa: E402
from snippets import Command, snippets  # noqa: E402
from place import PORTRAIT, Missing, Place, photo  # noqa: E402
from runner import CASCADES, HANG_SECONDS, need_file  # noqa: E402
from scene import png_size  # noqa: E402

PROGRAMS = {}  # by the names that the guides use


def documents():
    folders = ["docs", "docs/library", "docs/reproduction", "models"]
    return sorted(["README.md"] + [page for folder in folders for page in glob.glob(f"{folder}/*.md", root_dir=ROOT)])


def read(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return file.read()


def entry_of(entries, document, text):
    """The entry of a list in reasons.py for this document whose words begin the text; None if there is none."""
    fit = [entry for entry in entries if entry[0] == document and text.startswith(entry[1])]
    assert len(fit) < 2, (document, text, fit)
    return fit[0] if fit else None


def output_command(snippet):
    """The command whose output the block shows, for a block of output alone."""
    entry = entry_of(reasons.OUTPUT_OF, snippet.document, snippet.text)
    return Command(snippet.line, entry[2], snippet.lines) if entry else None


def commands_of(snippet):
    """The commands of a block that this test runs."""
    if snippet.language or snippet.document.startswith(reasons.REPRODUCTION):
        return []
    if entry_of(reasons.OUTPUT_ALONE, snippet.document, snippet.text):
        return []
    shown = output_command(snippet)
    return [shown] if shown else [
        command for command in snippet.commands() if not entry_of(reasons.NOT_RUN, snippet.document, command.text)]


class Differs(Exception):
    pass


class Output:
    """Compares the lines that a document shows with those of the output."""

    def __init__(self, document, command):
        self.patterns = [re.compile(pattern) for name, pattern, _ in reasons.MAY_DIFFER if name in ("", document)]
        self.first_words = bool(entry_of(reasons.FIRST_WORDS, document, command.text))

    def plain(self, line):
        line = line.rstrip()
        if self.first_words:
            return line.split()[0] if line else ""
        for pattern in self.patterns:
            line = pattern.sub("<>", line)
        return line

    def fits(self, shown, came):
        """Whether the output's line `came` is the line `shown`, in which three dots stand for any text."""
        pieces = [re.escape(piece) for piece in self.plain(shown).split("...")]
        return re.fullmatch(".*".join(pieces), self.plain(came)) is not None

    def compare(self, shown, came):
        """Each shown line must occur, in this order. Other lines may occur between them."""
        lines = iter(came)
        for line in shown:
            if not any(self.fits(line, each) for each in lines):
                raise Differs(f"this line did not come: {line}")


class Pages(unittest.TestCase):
    maxDiff = None

    def run_snippet(self, snippet, commands):
        folder = tempfile.mkdtemp(prefix="winnow-pages-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        programs, work = os.path.join(folder, "bin"), os.path.join(folder, "work")
        os.mkdir(programs)
        os.mkdir(work)
        os.symlink(PROGRAMS["winnow"], os.path.join(programs, "winnow"))
        os.symlink(PROGRAMS["find_objects"], os.path.join(work, "find_objects"))
        try:
            place = Place(ROOT, work, PROGRAMS["winnow"])
            place.fill(snippet.document, "\n".join(command.text for command in commands))
        except Missing as missing:
            self.skipTest(str(missing))
        variables = {**os.environ, "PATH": programs + os.pathsep + os.environ["PATH"]}
        for name in ("WINNOW_MODELS", "WINNOW_SIMD"):
            variables.pop(name, None)
        for command in commands:
            done = subprocess.run(["bash", "-euo", "pipefail", "-c", command.text], cwd=work, env=variables, timeout=HANG_SECONDS,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            output = done.stdout.decode(errors="replace")
            where = f"{snippet.document}:{command.line}: {command.text}\n{output}"
            self.assertEqual(done.returncode, 0, where)
            if not command.shown:
                continue
            shown = "\n".join(command.shown)
            finds = place.drew_portrait and "[{" in shown  # something that no search finds in the drawing
            if finds or (PORTRAIT in command.text + shown and not photo(ROOT, PORTRAIT)):
                self.skipTest("it ran; its output is that of a photograph which is not there (tools/photos.sh)")
            try:
                Output(snippet.document, command).compare(command.shown, output.splitlines())
            except Differs as differs:
                self.fail(f"{where}\n{differs}")


class Lists(unittest.TestCase):
    """The lists of reasons.py fit the documents."""

    def setUp(self):
        self.snippets = [snippet for name in documents() for snippet in snippets(name, read(name))]
        self.commands = [(snippet.document, command.text) for snippet in self.snippets if not snippet.language
                         for command in snippet.commands()]

    def test_every_entry_fits_something(self):
        begins = [(snippet.document, snippet.text) for snippet in self.snippets if not snippet.language]
        for entries, texts in ((reasons.NOT_RUN, self.commands), (reasons.OUTPUT_OF, begins), (reasons.OUTPUT_ALONE, begins)):
            for entry in entries:
                self.assertTrue(any(entry_of([entry], *text) for text in texts), f"{entry} fits nothing; remove it")
        run = [(snippet.document, command.text) for snippet in self.snippets for command in commands_of(snippet) if command.shown]
        for entry in reasons.FIRST_WORDS:
            self.assertTrue(any(entry_of([entry], *text) for text in run), f"{entry} fits nothing; remove it")
        for document, pattern, _ in reasons.MAY_DIFFER:
            shown = [line for snippet in self.snippets if document in ("", snippet.document) for command in commands_of(snippet)
                     for line in command.shown or []]
            self.assertTrue(any(re.search(pattern, line) for line in shown), f"{pattern} fits nothing in {document}; remove it")

    def test_blocks_begin_in_column_1_with_backticks(self):
        for name in documents():
            for at, line in enumerate(read(name).split("\n"), 1):
                self.assertIsNone(re.match(r"\s+```|\s*~~~|````", line), f"{name}:{at}: this block would not be seen")

    def test_blocks_with_a_language_run_elsewhere(self):
        found = {(snippet.document, snippet.language) for snippet in self.snippets if snippet.language}
        self.assertEqual(found, {(document, language) for document, language, _ in reasons.RUN_ELSEWHERE})
        self.assertIn("docs/library/*.md", read("tests/examples/CMakeLists.txt"))
        tests = "".join(map(read, glob.glob("tests/examples/*_test.cpp", root_dir=ROOT)))
        for snippet in self.snippets:
            if snippet.language == "cpp" and "int main(" not in snippet.text:
                for name in re.findall(r"^\w[\w:<>, ]* (\w+)\(", snippet.text, re.M):
                    self.assertTrue(f"guide::{name}(" in tests, f"{snippet.document}:{snippet.line}: no test calls {name}")

    def test_projects_are_those_of_the_install_test(self):
        made = read("tests/consume/find_package/CMakeLists.txt") + read("tests/consume/add_subdirectory/CMakeLists.txt")
        made = re.sub(r"\bboxes\b|consume_\w+", "find_objects", made).replace("../", "").replace(".. made", "winnow")
        for snippet in self.snippets:
            for line in snippet.lines if snippet.language == "cmake" else ():
                self.assertIn(line, made.splitlines(), f"{snippet.document}:{snippet.line}")


class Claims(unittest.TestCase):
    """The statements of pages about OpenCV's cascades."""

    def test_cascades_and_terms(self):
        files = glob.glob(need_file(CASCADES) + "/*cascades/*.xml")
        terms = [json.loads(self.inspect("--json", path))["card"]["terms"] for path in files]
        page, guide = (" ".join(read(name).split()) for name in ("README.md", "docs/python.md"))
        self.assertIn(f"OpenCV's {len(files)} cascades", page)
        self.assertIn(f"OpenCV's {len(files)} cascades", guide)
        self.assertIn(f"{sum(map(bool, terms))} of the files state terms of their own", page)

    def test_picture_of_features(self):
        need_file(CASCADES)
        with tempfile.TemporaryDirectory(prefix="winnow-pages-") as folder:
            made = os.path.join(folder, "features.png")
            self.inspect("haarcascade_frontalface_alt2", "--out", made)
            with open(made, "rb") as new, open(os.path.join(ROOT, "docs", "features.png"), "rb") as shown:
                self.assertEqual(png_size(new.read()), png_size(shown.read()), "docs/features.png is old; make it again")

    def inspect(self, *words):
        return subprocess.run([PROGRAMS["winnow"], "inspect", *words], stdout=subprocess.PIPE, check=True).stdout


class Names(unittest.TestCase):
    """Checks that the programs and options of commands that are not run exist."""

    def test_commands_that_are_not_run(self):
        for name in documents():
            for snippet in snippets(name, read(name)):
                for command in () if snippet.language else snippet.commands():
                    if name.startswith(reasons.REPRODUCTION) or entry_of(reasons.NOT_RUN, name, command.text):
                        with self.subTest(f"{name}:{command.line}"):
                            self.check(command.text)

    def check(self, text):
        text = re.sub(r"\"[^\"]*\"|'[^']*'", "''", text.replace("\\\n", " "))
        for words in re.findall(r"\b(?:winnow(?= [a-z])|winnow_\w+|tools/\w+\.py) [^;|\n]*", text + "\n"):
            program, options = words.split()[0], re.findall(r"(?<![\w-])--[a-z][a-z-]*", words)
            if program == "winnow":
                commands = re.findall(r"[a-z-]+", words)[1:3 if re.match("winnow (train|eval) ", words) else 2]
                done = subprocess.run([PROGRAMS["winnow"], *commands, "--help"], stdout=subprocess.PIPE, check=True)
                known = done.stdout.decode()
            else:
                known = source_of(program)
            for option in options:
                self.assertRegex(known, rf"{option}\b", f"{program} has no option {option}")


def source_of(program):
    """The text of the sources of a program that may not be built here."""
    stem = program.removeprefix("winnow_")
    places = [program] if program.endswith(".py") else [f"bench/**/{stem}.c*", f"tests/{stem}/{stem}.cpp"]
    found = [path for place in places for path in glob.glob(place, root_dir=ROOT, recursive=True)]
    assert found, f"there is no program {program}"
    shared = glob.glob("bench/results_file.cpp", root_dir=ROOT)
    return "\n".join(read(path) for path in found + shared)


def add_tests(names):
    """A test for each block of commands, with the document and the line in its name."""
    for name in names:
        for snippet in snippets(name, read(name)):
            commands = commands_of(snippet)
            if commands:
                test = lambda self, snippet=snippet, commands=commands: self.run_snippet(snippet, commands)  # noqa: E731
                setattr(Pages, f"test_{re.sub(r'[^a-z0-9]', '_', name.lower())}_{snippet.line:04}", test)


def main():
    names = sys.argv[3:]
    if not names or any(name not in ["lists", *documents()] for name in names):
        sys.exit(__doc__)
    PROGRAMS["winnow"], PROGRAMS["find_objects"] = map(os.path.abspath, sys.argv[1:3])
    add_tests([name for name in names if name != "lists"])
    cases = [Pages, Lists, Claims, Names] if "lists" in names else [Pages]
    suite = unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromTestCase(case) for case in cases)
    sys.exit(0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1)


main()
