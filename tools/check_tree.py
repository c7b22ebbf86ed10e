#!/usr/bin/env python3
"""Checks the sizes of files and folders, and that no file names a path of one machine only.

A file has at most 1 MB, a model 8 MB, and a source 400 lines. A folder holds at most 25 sources, not counting tests.
Checks every file that git tracks or would track. Prints one line for each violation. The exit status is 1 if there
is one."""
import collections
import os
import pathlib
import re
import sys

from checking import ROOT, tracked

BIGGEST, BIGGEST_MODEL = 1 << 20, 8_000_000
LONGEST, FULLEST = 400, 25
SOURCE, TEST = r".*\.(h|cpp|cu|cuh)", r".*(_test\.(cpp|cu)|_for_test\.h)|tests/.*|python/tests/.*"
FLAT = {"include/winnow"}  # users include its headers by one short path
# Home folders and the folder of this checkout, which differ from machine to machine.
HOMES = [rb"/home/\w", rb"/root/", rb"/Users/\w"]
SHARED = {pathlib.Path(p) for p in ("/", "/tmp", "/usr", "/usr/src", "/opt", "/srv", "/var", "/mnt", "/home")}


def machine_paths():
    own = [ROOT] + ([ROOT.parent] if ROOT.parent not in SHARED else [])
    home = os.environ.get("HOME", "")
    if home and pathlib.Path(home) not in SHARED:
        own.append(pathlib.Path(home))
    patterns = HOMES + [re.escape(os.fsencode(path)) + b"/" for path in own]
    return re.compile(rb"(?<![\w.$}])(" + b"|".join(patterns) + b")")


def main():
    found = []
    paths = machine_paths()
    sources = collections.Counter()
    for name in sorted(tracked()):
        path = ROOT / name
        if not path.is_file() or path == pathlib.Path(__file__).resolve():
            continue
        size = path.stat().st_size
        most = BIGGEST_MODEL if re.fullmatch(r"models/[^/]*\.winnow", name) else BIGGEST
        if size > most:
            found.append(f"{name}: {size} bytes, at most {most}")
            continue
        data = path.read_bytes()
        if b"\0" in data:
            continue
        if re.fullmatch(SOURCE, name):
            if (lines := data.count(b"\n")) > LONGEST:
                found.append(f"{name}: {lines} lines, at most {LONGEST}")
            if not re.fullmatch(TEST, name):
                sources[os.path.dirname(name)] += 1
        for number, line in enumerate(data.split(b"\n"), 1):
            if match := paths.search(line):
                found.append(f"{name}:{number}: a path of one machine: {match[1].decode(errors='replace')}")
    found += [f"{folder}: {count} sources, at most {FULLEST}; use sub-folders" for folder, count in sources.items()
              if count > FULLEST and folder not in FLAT]
    print("\n".join(found) if found else "the tree is clean")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
