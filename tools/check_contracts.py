#!/usr/bin/env python3
"""Checks the opening comments of C++ and CUDA files.

Every header begins with a comment that says what the file gives. The comment may hold a contract: a paragraph of
lines such as

    // In:     a picture (any stride), not copied, and its level plan. A long line continues in
    //         the column of the text above.
    // Out:    the survivors.

- Names are those of NAMES, each at most once, in the order of that list. Text begins in column 12.
- A continuation begins in column 12, too. Formulas and lists may be indented by two columns more.
- No name stands within a line, and no line is over 110 columns. Either shows that a formatter re-flowed the contract.
- No line ends so early that the first word of its continuation fits with MOST_ROOM columns to spare.

A contract inside a header, such as that of a function, has the same form. In every comment, an item of a list that
begins with "-" continues below its own text. A line further left ends the list, after an empty comment line.
Every source without a header of its name beside it begins with a comment, too. Tests are left out.

check_contracts.py             checks every file that git tracks or would track
check_contracts.py --self-test tests the reader of comments

One line per violation; exit status 1 if there is one."""
import argparse
import re
import sys
import unittest

from checking import ROOT, self_test, tracked

NAMES = ("In", "Out", "Exact", "Memory", "Thread", "Cost")
TEXT = 12  # the column of a contract's text, where the comment's slashes stand in columns 1 and 2
MOST_COLUMNS, MOST_ROOM = 110, 10
HEADERS, SOURCES = (".h", ".hpp", ".cuh"), (".cpp", ".cu")
TESTS = re.compile(r"tests/.*|.*_test\.\w+")
FORMS = re.compile(r"_(ref|cpu|cuda)$")  # the backends' forms of a step `thing`, which share the header `thing.h`

COMMENT = re.compile(r"( *)//(.*)")
NAME = re.compile(r" (" + "|".join(NAMES) + r"):( *)(.*)")
ANY_NAME = re.compile(r" ([A-Z][a-z]*):( {2,})\S")
NAME_WITHIN = re.compile(r"\S (" + "|".join(NAMES) + r"):(?:  |$)")


def comments(text):
    """(number of the first line, columns before the slashes, lines without slashes) for each comment of whole lines."""
    first, indent, lines = 0, 0, []
    for number, line in enumerate(text.split("\n"), 1):
        match = COMMENT.fullmatch(line)
        if lines and (not match or len(match[1]) != indent):
            yield first, indent, lines
            lines = []
        if match:
            if not lines:
                first, indent = number, len(match[1])
            lines.append(match[2])
    if lines:
        yield first, indent, lines


def name_problem(match, named):
    """The errors in a line of a contract that begins with a name."""
    name, room, text = match.groups()
    if name in named:
        return f'a second line "{name}:"; join the two'
    if named and NAMES.index(name) < NAMES.index(named[-1]):
        return f'"{name}:" stands behind "{named[-1]}:"; the order is {", ".join(NAMES)}'
    if not text or len(f"// {name}:{room}") != TEXT - 1:
        return f'the text of "{name}:" does not begin in column {TEXT}; write "// {name + ":":<8}text"'
    return None


def line_problem(line):
    """The errors in a line of a contract that begins with no known name."""
    column = len(line) - len(line.lstrip()) + 3
    if match := ANY_NAME.match(line):
        return f'"{match[1]}:" is no name of a contract; the names are {", ".join(NAMES)}'
    if column not in (TEXT, TEXT + 2):
        return f"a continuation begins in column {column}; let it begin in column {TEXT}"
    return None


def breaks_early(line, following, indent):
    """Whether the first word of the following line fits at the end of this one, with room to spare."""
    if not re.match(rf" {{{TEXT - 3}}}\S", following) or line.startswith(" " * (TEXT - 1)):
        return False
    return indent + len(f"//{line} {following.split()[0]}") + MOST_ROOM <= MOST_COLUMNS


def contract_problems(first, indent, lines, is_opening):
    """(line number, sentence) for each violation in a comment."""
    named, inside = [], False
    for at, line in enumerate(lines):
        following, problem = lines[at + 1] if at + 1 < len(lines) else "", None
        match = NAME.fullmatch(line)
        if match and not inside and is_opening and at and lines[at - 1].strip():
            problem = "the contract follows a line of text; put an empty comment line before it"
        inside = bool(line.strip()) and (inside or bool(match))
        if match:
            problem = problem or name_problem(match, named)
            named.append(match[1])
        elif inside:
            problem = line_problem(line)
        if not problem and (within := NAME_WITHIN.search(line)):
            problem = f'"{within[1]}:" stands within a line; begin a line with it'
        if not problem and inside and breaks_early(line, following, indent):
            problem = "the line ends early; fill it with words of the next line"
        if not problem and (inside or is_opening) and indent + len("//" + line) > MOST_COLUMNS:
            problem = f"{indent + len('//' + line)} columns, at most {MOST_COLUMNS}; wrap the line"
        if problem:
            yield first + at, problem


def list_problems(first, lines):
    """(line number, sentence) for each line that follows an item of a list without belonging to the list."""
    column = None
    for at, line in enumerate(lines):
        if not line.strip():
            column = None
        elif item := re.match(r"( +)- \S", line):
            column = len(item[1]) + 2
        elif column is not None and len(line) - len(line.lstrip()) < column:
            yield first + at, (f"this line follows an item of a list; let it begin in column {column + 3}, or put an "
                               "empty comment line before it")


def has_header(name, files):
    """Whether a header of a source's name, or of its step's name, lies beside the source."""
    stem = name.rsplit(".", 1)[0]
    return any(of + ending in files for of in (stem, FORMS.sub("", stem)) for ending in HEADERS)


def problems(name, text, files):
    """The violations in a file, as (line number, sentence). `files`: the names of all files, from the root on."""
    opens = text.startswith("//")
    for first, _, lines in comments(text):
        yield from list_problems(first, lines)
    if name.endswith(SOURCES) and not opens and not has_header(name, files):
        yield 1, "no header of its name lies beside this source; say in a comment on line 1 what the source holds"
    if not name.endswith(HEADERS):
        return
    if not opens:
        yield 1, "the header does not begin with a comment; say on line 1 what the header gives"
    for first, indent, lines in comments(text):
        yield from contract_problems(first, indent, lines, first == 1)


class SelfTest(unittest.TestCase):
    def of(self, text, name="a.h", files=()):
        return list(problems(name, text, set(files)))

    def test_clean(self):
        self.assertEqual(self.of("// Gives a.\n//\n//   a();\n//\n// In:     b, where the word that follows does not "
                                 f"fit {'.' * 40}\n//         {'x' * 50} c = d:\n//           e\n//         f\n"
                                 "// Thread: any.\n//\n// More: text.\n#pragma once\n"), [])
        self.assertEqual(self.of("// Gives a.\nvoid f();  // In: b\n  // In short.\n  //\n  // In:     b.\n"), [])

    def test_names(self):
        self.assertEqual([at for at, _ in self.of("// A.\n//\n// Out:    b.\n// In:     c.\n// Out:    d.\n")], [4, 5])
        self.assertEqual(self.of("// A.\n//\n// In:     b.\n// Speed:  c.\n"),
                         [(4, '"Speed:" is no name of a contract; the names are ' + ", ".join(NAMES))])
        self.assertEqual(self.of("// A.\n// In:     b.\n"),
                         [(2, "the contract follows a line of text; put an empty comment line before it")])

    def test_columns(self):
        for line in ("// In: b.", "// Memory:  b.", "// Out:"):
            self.assertEqual(len(self.of(f"// A.\n//\n{line}\n")), 1, line)
        self.assertEqual(self.of("  // Memory: b.\n  //        c.\n")[1:],
                         [(2, "a continuation begins in column 11; let it begin in column 12")])
        self.assertEqual(len(self.of("// A.\n//\n// In:     b.\n// c.\n//         d.\n")), 1)

    def test_flow(self):
        self.assertEqual(self.of("// A.\n//\n// In:     b. Out:    c.\n"),
                         [(3, '"Out:" stands within a line; begin a line with it')])
        self.assertEqual(self.of("// A.\n//\n// In:     b\n//         c.\n"),
                         [(3, "the line ends early; fill it with words of the next line")])
        self.assertEqual(self.of("// A.\n//\n// In:     " + "b" * 99 + "\n//         c.\n"), [])
        self.assertEqual(self.of("// A.\n//\n// In:     " + "b" * 100 + "\n"),
                         [(3, "111 columns, at most 110; wrap the line")])

    def test_lists(self):
        self.assertEqual(self.of("// A:\n// - b\n//   c\n// - d\n//\n// E.\n"), [])
        self.assertEqual([at for at, _ in self.of("// A:\n// - b\n// c\n//   d\n")], [3])
        self.assertEqual([at for at, _ in self.of("f();\n  // - b\n  // c\n", "a.cpp", ["a.h"])], [3])

    def test_opening(self):
        self.assertEqual(len(self.of("#pragma once\n// A.\n")), 1)
        for name in ("r/a.cpp", "r/a_cuda.cu"):
            self.assertEqual(len(self.of("#include <a>\n", name, ["s/a.h", "r/b.h"])), 1, name)
            self.assertEqual(self.of("// A.\n", name), [])
            self.assertEqual(self.of("#include <a>\n", name, ["r/a.h"]), [])
        self.assertEqual(self.of("#include <a>\n", "r/a_cuda.cu", ["r/a_cuda.cuh"]), [])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--self-test", action="store_true")
    if parser.parse_args().self_test:
        return self_test(SelfTest)
    files = tracked()
    names = sorted(name for name in files if name.endswith(HEADERS)
                   or name.endswith(SOURCES) and not TESTS.fullmatch(name))
    found = [f"{name}:{at}: {problem}" for name in names
             for at, problem in problems(name, (ROOT / name).read_text(encoding="utf-8"), files)]
    print("\n".join(found) if found else f"{len(names)} files begin by saying what they hold")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
