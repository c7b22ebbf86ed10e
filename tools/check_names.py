#!/usr/bin/env python3
"""Checks that names in backticks exist: files, folders, types, functions and other identifiers.

Reads every document but the changes, and the comments of every source. A token in backticks is a name if it is
- a source file (`stages.h`, `sieve/lanes/*.cpp`) or a path below a folder of the tree (`train/svm/`),
- a call (`load(...)`), or an identifier with an underscore, a capital or `::` inside (`make_state`, `Flow::next`).
A file or a folder must end the path of one that git tracks or would track. Each part of an identifier must be a word
of the code, outside of comments. If a document has "`name` (`file.h`)" or "`name` in `file.h`", the file must have
that word.

check_names.py             checks every document and source that git tracks or would track
check_names.py --self-test tests the reader of names

One line per violation; exit status 1 if there is one."""
import argparse
import fnmatch
import pathlib
import re
import sys
import unittest

from check_prose import comments_of, without_code
from checking import ROOT, self_test, tracked

# Tokens that name what is nowhere in the tree: (token or pattern, reason).
ALLOWED = [
    ("thing*.*", "HACKING.md shows how the files of a step are named"),
    ("bind_noun", "python/README.md shows how a noun is bound"),
    ("find_objects.cpp", "a reader's program; tests/examples/ compiles it under another name"),
    ("one_frame_by_tile_rows", "a table of bench/results/"),
    ("levelWeights", "OpenCV's"),
    ("maxLevel", "OpenCV's"),
    ("opencv_createsamples", "OpenCV's"),
    ("ImageOps.*", "Pillow's"),
    ("CUDA_LAUNCH_BLOCKING", "CUDA's variable"),
    ("manylinux_2_35", "a tag of Python's wheels"),
]

SOURCES = (".h", ".cpp", ".cu", ".cuh", ".py", ".sh", ".fbs", ".cmake", ".in", ".toml", "CMakeLists.txt", "dev",
           "CMakePresets.json", ".typed", ".clang-format")
C_LIKE = (".h", ".cpp", ".cu", ".cuh", ".fbs")
C_COMMENT, OTHER_COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.S), re.compile(rb"(?m)(?:^|\s)#\s[^\n]*")
SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.S)
FILE = re.compile(r"[\w.*/-]+\.(?:h|cpp|cu|cuh|py|sh|md|fbs|cmake)")
FOLDER = re.compile(r"([\w.-]+)(?:/[\w.*-]+)*/?")
CALL = re.compile(r"([A-Za-z_][\w.:]*)\([^`]*\)")
IDENTIFIER = re.compile(r"[A-Za-z_]\w*(?:(?:::|\.)~?[A-Za-z_]\w*)*(?:::)?")
PATH = r"`[\w./-]+\.(?:h|cpp|cu|cuh|py)`"
PLACED = re.compile(r"`([A-Za-z_][\w:]*)(?:\(\))?`\s+(?:\(|in\s+)(" + PATH + r"(?:,\s+" + PATH + r")*)(?=[),.;\s])")
TELLING = re.compile(r"\w_\w|::|[a-z0-9][A-Z]|[A-Z][A-Z]?[a-z]+[A-Z]")


class Tree:
    """The files and folders of a tree, and the words of its code."""

    def __init__(self, texts):
        """`texts`: the bytes of each source by the names of all files; None for a file that is no source."""
        self.ends, self.tops, self.words, self.texts = set(), set(), set(), texts
        for name, text in texts.items():
            parts = name.split("/")
            for last in range(1, len(parts) + 1):
                self.ends.update("/".join(parts[first:last]) for first in range(last))
            self.tops.update(parts[:-1][:2 if parts[0] == "src" else 1])
            self.words.add(parts[-1].split(".")[0])
            if text is not None:
                comment = C_COMMENT if name.endswith(C_LIKE) else OTHER_COMMENT
                self.words.update(re.findall(r"\w+", comment.sub(b" ", text).decode(errors="replace")))

    def has_path(self, path):
        path = path.rstrip("/")
        return path in self.ends or "*" in path and bool(fnmatch.filter(self.ends, path))

    def holds(self, paths, token):
        """Whether one of the files whose names end with these paths has the last part of a token."""
        ends = tuple("/" + path for path in paths)
        files = [text for name, text in self.texts.items() if ("/" + name).endswith(ends) and text is not None]
        word = re.findall(r"\w+", token)[-1].encode()
        return not files or any(re.search(rb"\b" + word + rb"\b", text) for text in files)

    def lacks(self, token):
        """The part of a token that is a name and is not there, or None."""
        if FILE.fullmatch(token):
            return None if self.has_path(token) else token
        if (match := FOLDER.fullmatch(token)) and "/" in token and match[1] in self.tops:
            return None if self.has_path(token) else token
        match = CALL.fullmatch(token)
        if not match and not (IDENTIFIER.fullmatch(token) and TELLING.search(token)):
            return None
        parts = re.findall(r"\w+", match[1] if match else token)
        return next((part for part in parts if part not in self.words), None)


def spans(text):
    """(line number, token) for each span in backticks."""
    for match in SPAN.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, " ".join(match[2].split())


def named(name, text):
    """(line number, token) for each span of a document, or of the comments of a source."""
    if name.endswith(".md"):
        yield from spans(without_code(text))
    elif "`" in text:
        last, body, first = None, "", 0
        for at, _, comment in comments_of(name, text):
            if last != at - 1:
                yield from ((first + line - 1, token) for line, token in spans(body))
                body, first = "", at
            body += re.sub(r"^\s*(?:/\*+|//+|#+)", "", comment) + "\n"
            last = at + comment.count("\n")
        yield from ((first + line - 1, token) for line, token in spans(body))


def faults(tree, name, text):
    """(line number, token, what is wrong) for each name of a file that does not fit the tree."""
    for at, token in named(name, text):
        if (missing := tree.lacks(token)) is not None:
            yield at, token, f"the tree has no {missing}; name what is there today"
    for match in PLACED.finditer(text if name.endswith(".md") else ""):
        paths = match[2].replace("`", "").replace(",", " ").split()
        if not tree.holds(paths, match[1]):
            at = text.count("\n", 0, match.start()) + 1
            yield at, match[1], f"{', '.join(paths)} has no such word; name the file that has it"


def problems(tree, texts, used):
    """The faults that ALLOWED does not name. Entries of ALLOWED that apply are added to `used`."""
    for name, text in sorted(texts.items()):
        for at, token, fault in faults(tree, name, text):
            entries = {entry for entry in ALLOWED if fnmatch.fnmatchcase(token, entry[0])}
            used |= entries
            if not entries:
                yield f"{name}:{at}: `{token}`: {fault}"


class SelfTest(unittest.TestCase):
    def test_names(self):
        tree = Tree({"src/sieve/lanes/walk.h": b"struct Walk { int next_row; };  // old_row", "docs/a.md": None,
                     "tools/x.py": b"def run_all(): pass  # gone_all\n"})
        for token in ("walk.h", "lanes/walk.h", "sieve/lanes/", "src/sieve/*/walk.h", "*.h", "Walk::next_row", "run_all()",
                      "plain", "x-y_z", "--an_option", "faces.csv", "build/release/bin", "run_all(1, 2)", "next_row = 1"):
            self.assertIsNone(tree.lacks(token), token)
        for token in ("wall.h", "sieve/walk.h", "sieve/tiles/", "*.cu", "old_row", "Walk::old_row", "gone_all()", "moved()"):
            self.assertIsNotNone(tree.lacks(token), token)

    def test_files_of_words(self):
        tree = Tree({"src/sieve/walk.h": b"struct Walk { int next_row; };"})
        text = "`Walk`\n(`sieve/walk.h`), `Row` (`walk.h`), `next_row` in `walk.h`, `Col` in\n`walk.h`."
        found = list(problems(tree, {"a.md": text}, set()))
        self.assertEqual([text.split("`")[1] for text in found], ["Row", "Col"])

    def test_places(self):
        self.assertEqual(list(named("a.md", "one `a_b`\n```\n`no`\n```\n``c`d`` `e\nf`")), [(1, "a_b"), (5, "c`d"), (5, "e f")])
        self.assertEqual(list(named("a.h", "// a `b_c` and `d\n// e`\nint x;  // `f`\nauto y = \"`g`\";")),
                         [(1, "b_c"), (1, "d e"), (3, "f")])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--self-test", action="store_true")
    if parser.parse_args().self_test:
        return self_test(SelfTest)
    files = tracked()
    read = {name: (ROOT / name).read_bytes() for name in files if name.endswith(SOURCES) or name.endswith(".md")}
    code = {name: read[name] if name in read and name.endswith(SOURCES) else None for name in files}
    code[pathlib.Path(__file__).resolve().relative_to(ROOT).as_posix()] = None  # it has the words of ALLOWED
    used = set()
    texts = {name: text.decode(errors="replace") for name, text in read.items() if name != "CHANGELOG.md"}
    found = list(problems(Tree(code), texts, used))
    found += [f"tools/check_names.py: the exception for {entry[0]} allows nothing; remove it"
              for entry in ALLOWED if entry not in used]
    print("\n".join(found) if found else "every name is in the tree")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
