#!/usr/bin/env python3
"""Checks that the repository holds no file over 1 MB, no model over 8 MB, and no path of one machine only.

Checks every file that git tracks or would track. Prints one line for each violation. The exit status is 1 if there
is one."""
import os
import pathlib
import re
import sys

from checking import ROOT, tracked

BIGGEST, BIGGEST_MODEL = 1 << 20, 8_000_000
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
        for number, line in enumerate(data.split(b"\n"), 1):
            if match := paths.search(line):
                found.append(f"{name}:{number}: a path of one machine: {match[1].decode(errors='replace')}")
    print("\n".join(found) if found else "the tree is clean")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
