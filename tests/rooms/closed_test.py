#!/usr/bin/env python3
"""closed_test.py BUILD COMPILER: checks that each room can include the headers of its own rooms and no others.

The include paths are those of BUILD's compile commands. An include must compile if src/rooms.txt lets the room use the
other one, and must fail if not. The same holds for the public headers of rooms. If the build knows more rooms or fewer,
the exit status is 1, with one line for each mistake."""
import json
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from check_includes import PUBLIC, SEES  # noqa: E402


def include_paths(build):
    """The rooms of BUILD, each with the different include paths of its sources (C++ and CUDA), as options of a compiler."""
    paths = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["file"])
        if (ROOT / "src") not in file.parents or file.name.endswith("_test.cpp"):
            continue
        if f"CMakeFiles/winnow_{(room := file.relative_to(ROOT / 'src').parts[0])}.dir" not in entry["command"]:
            continue  # another program or library compiles a file of this room
        words = shlex.split(entry["command"])
        options = [pathlib.Path(entry["directory"], path) for path in after(words, "-I")]
        paths.setdefault(room, set()).add(tuple(f"-I{path}" for path in options))
    return paths


def after(words, option):
    """The values of an option, joined to it or in the next word."""
    for i, word in enumerate(words):
        if word == option:
            yield words[i + 1]
        elif word.startswith(option):
            yield word[len(option):]


def compiles(compiler, options, text):
    done = subprocess.run([compiler, "-x", "c++", "-std=c++20", "-E", "-o", "/dev/null", *options, "-"], input=text,
                          text=True, capture_output=True)
    if done.returncode != 0 and not re.search("No such file or directory|file not found|not there", done.stderr):
        sys.exit(f"{text}: fails for another reason than a missing file:\n{done.stderr[-2000:]}")
    return done.returncode == 0


def headers_of(room):
    """One inner header of the room, if it has any, and its public headers."""
    inner = [name for name in sorted((ROOT / "src" / room).rglob("*.h")) if not re.search("-inl|_for_test", name.name)]
    return [f'"{name.relative_to(ROOT / "src")}"' for name in inner[:1]] + [
        f"<winnow/{name}>" for name, own in PUBLIC.items() if own == room]


def main():
    build, compiler = pathlib.Path(sys.argv[1]), sys.argv[2]
    paths = include_paths(build)
    headers = {room: headers_of(room) for room in SEES}
    wrong, tried = [], 0
    for room, options in ((room, options) for room in paths for options in paths[room]):
        allowed = [header for other in SEES if other in SEES[room] for header in headers[other]]
        forbidden = [header for other in SEES if other not in SEES[room] for header in headers[other]] + ["<winnow/winnow.h>"]
        missing = "".join(f"#if !__has_include({header})\n#error {header} is not there\n#endif\n" for header in allowed)
        if not compiles(compiler, options, missing):
            wrong.append(f"{room} does not see all of {' '.join(allowed)}")
        wrong += [f"{room} compiles with {header}" for header in forbidden if compiles(compiler, options, f"#include {header}\n")]
        tried += len(allowed) + len(forbidden)
    if missing_rooms := {"base", "train"} - set(paths):
        wrong.append(f"BUILD has no compile command of {' '.join(missing_rooms)}")
    print("\n".join(wrong) if wrong else f"{tried} includes in {len(paths)} rooms: each compiles, or fails, as src/rooms.txt says")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
