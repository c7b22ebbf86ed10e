#!/usr/bin/env python3
"""Checks that the table of steps in HACKING.md names the files of every backend.

Reads the section "How to add a backend". Its subsection "The steps" names files from src/ on; the rest of the section
may also name files from the root on. The check fails if

- the section names a file that does not exist,
- "The steps" does not name a file of src/ whose name says that it is a rule or a backend's form of a step,
- a row of the table has an empty cell, a file in the column of another backend, or no word about exactness.

check_backends.py             checks the tree that holds this script
check_backends.py --self-test tests the reader of the section

One line per violation; exit status 1 if there is one."""
import argparse
import re
import sys
import unittest

from checking import ROOT, self_test, tracked

DOCUMENT = "HACKING.md"
SECTION, STEPS = "How to add a backend", "The steps"
COLUMNS = ("step", "rule, header", "reference", "cpu", "cuda", "exactness")
# The column in which a file stands, by the end of its name.
ENDS = {"_rule.h": 1, "_ref.cpp": 2, "_cpu.cpp": 3, "_cpu-inl.h": 3, "_cuda.cu": 4, "_cuda.cuh": 4}
FILE = re.compile(r"`([\w./-]+\.(?:h|cpp|cuh?|cmake|py))`")


def column_of(name):
    """The column of a file, or None if its name does not say that it is one backend's."""
    return next((column for end, column in ENDS.items() if name.endswith(end)), None)


def lines_below(lines, heading):
    """The numbered lines below a heading, up to the next heading of its level or above. None without the heading."""
    level, found = 0, None
    for number, line in lines:
        if match := re.match(r"(#+) (.*?)\s*$", line):
            if found is not None and len(match[1]) <= level:
                break
            if found is None and match[2] == heading:
                level, found = len(match[1]), []
                continue
        if found is not None:
            found.append((number, line))
    return found


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def row_problems(line):
    """The errors in a row of the table, in sentences."""
    cells = cells_of(line)
    if len(cells) != len(COLUMNS):
        yield f"this row has {len(cells)} cells; give it {len(COLUMNS)}"
        return
    for column, cell in zip(COLUMNS, cells):
        if not cell:
            yield f'the cell "{column}" is empty; name a file, or write "host" or "-"'
    for at, cell in enumerate(cells):
        for name in FILE.findall(cell):
            if (right := column_of(name)) not in (None, at):
                yield f'{name} stands in the column "{COLUMNS[at]}"; move it to "{COLUMNS[right]}"'
    if cells[-1] and not cells[-1].startswith(("Exact", "Bounded")):
        yield f'the exactness "{cells[-1]}" does not begin with "Exact" or "Bounded"; say which of the two it is'


def problems(text, files):
    """`files`: the names of all files of the tree, from the root on."""
    section = lines_below(list(enumerate(text.split("\n"), 1)), SECTION)
    steps = lines_below(section or [], STEPS)
    if steps is None:
        yield f'{DOCUMENT}: there is no section "{SECTION}" with a part "{STEPS}"; write it'
        return
    in_steps = {number for number, _ in steps}
    named, rows, in_table = set(), 0, False
    for number, line in section:
        for name in FILE.findall(line):
            roots = ("src/",) if number in in_steps else ("src/", "")
            if name.endswith((".cmake", ".py")):  # such files lie outside of src/
                roots = ("",)
            if number in in_steps:
                named.add("src/" + name)
            if ("/" in name or number in in_steps) and not any(root + name in files for root in roots):
                yield f"{DOCUMENT}:{number}: there is no file {roots[0]}{name}; correct the name, or take it out"
        if number not in in_steps:
            continue
        is_row = line.lstrip().startswith("|")
        if is_row and in_table and not re.fullmatch(r"[\s|:-]+", line):
            rows += 1
            for problem in row_problems(line):
                yield f"{DOCUMENT}:{number}: {problem}"
        in_table = is_row and (in_table or tuple(cells_of(line)) == COLUMNS)
    if not rows:
        yield f'{DOCUMENT}: "{STEPS}" has no table with the columns {", ".join(COLUMNS)}; write it'
    for name in sorted(files):
        if name.startswith("src/") and column_of(name) is not None and name not in named:
            yield (f'{name}: "{STEPS}" in {DOCUMENT} does not name this file; add it to the row of its step, or to '
                   "the files below the table")


class SelfTest(unittest.TestCase):
    FILES = {"src/a/b_rule.h", "src/a/b_ref.cpp", "src/a/b_cpu.cpp", "src/a/b_cuda.cu", "src/a/b_cuda_test.cpp",
             "src/a/b.h", "include/winnow/b.h", "tools/c.py", "bench/d_cuda.cu"}
    ROW = "| b | `a/b_rule.h`, `a/b.h` | `a/b_ref.cpp` | `a/b_cpu.cpp` | `a/b_cuda.cu` | Exact: bits |"

    def of(self, row=ROW, below="", files=FILES):
        text = (f"# T\n## {SECTION}\nSee `include/winnow/b.h`, `thing_cuda.cu`, `a/b.h`, `tools/c.py`.\n### {STEPS}\n\n"
                f"| {' | '.join(COLUMNS)} |\n|---|---|---|---|---|---|\n{row}\n\n{below}\n## Next\n`no/file.h`\n")
        return list(problems(text, files))

    def test_clean(self):
        self.assertEqual(self.of(), [])
        self.assertEqual(self.of(self.ROW.replace("`a/b_cuda.cu`", "host"), "- `a/b_cuda.cu` is a list's."), [])

    def test_no_such_file(self):
        self.assertEqual(self.of(below="`a/c.h`"),
                         ["HACKING.md:10: there is no file src/a/c.h; correct the name, or take it out"])
        self.assertEqual(len(self.of(below="`include/winnow/b.h`")), 1)
        self.assertEqual(len(self.of(below="`tools/d.py` and `tools/c.py`")), 1)
        self.assertEqual(len(self.of(below="### Other\n`include/winnow/b.h` and `a/d.h`")), 1)

    def test_not_named(self):
        found = self.of(files=self.FILES | {"src/e/f_cpu-inl.h", "src/e/f_cuda.cuh", "src/e/f_rule_test.cpp"})
        self.assertEqual([line.split(":")[0] for line in found], ["src/e/f_cpu-inl.h", "src/e/f_cuda.cuh"])
        self.assertEqual(len(self.of(below="### Other\n`e/f_ref.cpp`", files=self.FILES | {"src/e/f_ref.cpp"})), 1)

    def test_rows(self):
        self.assertEqual(len(self.of(self.ROW.replace("Exact", "Good"))), 1)
        self.assertEqual(len(self.of(self.ROW.replace("`a/b_cpu.cpp` |", "`a/b_cpu.cpp` | | "))), 1)
        self.assertEqual(self.of(self.ROW.replace("`a/b_cpu.cpp` | `a/b_cuda.cu`", "`a/b_cpu.cpp`, `a/b_cuda.cu` | ")),
                         ['HACKING.md:8: the cell "cuda" is empty; name a file, or write "host" or "-"',
                          'HACKING.md:8: a/b_cuda.cu stands in the column "cpu"; move it to "cuda"'])

    def test_no_section(self):
        self.assertEqual(len(list(problems("# T\n", self.FILES))), 1)
        self.assertIn("has no table", list(problems(f"## {SECTION}\n### {STEPS}\n", set()))[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--self-test", action="store_true")
    if parser.parse_args().self_test:
        return self_test(SelfTest)
    found = list(problems((ROOT / DOCUMENT).read_text(encoding="utf-8"), tracked()))
    print("\n".join(found) if found else f"{DOCUMENT} names every form of every step")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
