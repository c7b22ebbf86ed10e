#!/usr/bin/env python3
"""Checks the includes of every C++ and CUDA file that git tracks or would track.

- A room (src/) includes "room/file.h" and the public headers, of itself and of the rooms that src/rooms.txt names.
- The build enforces this, too. This check needs no build, prints sentences, and also judges public headers.
- Files outside src/ include <winnow/...>, and not "room/file.h". Only benches, fuzzers and tests/{benches,detection,
  seams,witness/inside} may include both. tests/examples may also include "room/..._for_test.h".
- A room's tests may include any <winnow/...>.
- Each library may be included only by the files that LIBRARIES names for it.

Prints one line for each violation. The exit status is 1 if there is one."""
import pathlib
import re
import sys

from checking import ROOT, tracked

LIST = ROOT / "src/rooms.txt"


def read_rooms():
    """Maps each room, in order, to the rooms that it sees, itself included; and each public header to its room."""
    sees, public = {}, {"winnow.h": "door"}  # the doors alone include <winnow/winnow.h>
    for line in LIST.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        room, uses, _, headers = (column.split() for column in line.split("|"))
        if late := [other for other in uses if other not in sees]:
            sys.exit(f"src/rooms.txt: {room[0]} uses {', '.join(late)}, which no line above it names")
        sees[room[0]] = {room[0], *uses}
        public.update(dict.fromkeys(headers, room[0]))
    return sees, public


SEES, PUBLIC = read_rooms()
ROOMS = list(SEES)

SIMD = r"(src|bench/primitives)/.*_cpu(-inl\.h|\.cpp)"
CUDA = r"src/.*_cuda\.(h|cu|cuh)|src/base/device/cuda_.*|(bench|tests/seams)/.*_cuda\.(h|cu|cuh)"
TEST = r"src/.*_test\.(cpp|cu)|src/.*_for_test\.h|tests/.*"
DOOR = r"cli/.*|mpi/.*|viewer/.*|bench/.*|tests/.*"
# Libraries and the files that may include them. Other libraries may be included anywhere.
LIBRARIES = [
    (r"hwy/", SIMD),
    (r"tbb/|oneapi/", SIMD + r"|src/(base/threads|scale/frames/stager|session/search_per_thread)\.cpp"),
    (r"cuda|cub/|thrust/|nv/|cooperative_groups", CUDA),
    (r"jpeglib|jerror|png\.h|zlib|webp/", r"src/image/.*"),
    (r"libav|libsw", r"src/video/.*"),
    (r"tiffio|tiff\.h", r"src/tiff/.*"),
    (r"libheif/", r"src/heif/.*"),
    (r"pugixml", r"src/(model|truth)/.*"),
    (r"flatbuffers/", r"src/model/.*"),
    (r"yaml\.h", r"src/model/opencv/yaml_events\.cpp"),
    (r"CLI/", DOOR),
    (r"nlohmann/", DOOR + r"|src/(truth|answer|eval|train)/.*"),
    (r"opencv2/|dlib/|benchmark/", r"bench/.*|tests/witness/.*"),
    (r"gtest/|gmock/", TEST),
]
GENERATED = {"winnow_model_generated.h": r"src/model/.*", "winnow_built_in_models.h": r"src/model/built_in.cpp",
             "library_guide.h": r"tests/examples/.*"}

# Pairs of a folder and another folder whose headers the first folder's files may include like neighbours.
BESIDE = [("bench/", "bench"), ("cli/", "cli"), ("mpi/", "cli"), ("tests/witness/", "bench"), ("tests/witness/inside/", "tests/witness"), ("tests/benches/", "bench"),
          ("tests/cli/", "cli"), ("tests/seams/", "cli"), ("python/src/", "python/src")]

FORBIDDEN = {"util", "utils", "common", "helper", "helpers", "core", "detail", "legacy"}
NAMED_BY_OTHERS = {"python/winnow/cv2/legacy.py"}  # programs import OpenCV's module by this name
ENDINGS = (".h", ".hpp", ".cpp", ".cc", ".cu", ".cuh")
INCLUDE = re.compile(r"^\s*#\s*include\s*([<\"])([^>\"]+)[>\"]")


def room_of(name):
    folders = name.split("/")
    return folders[1] if folders[0] == "src" and len(folders) > 2 else None


def public_problem(name, room, header):
    """An include of <winnow/header>."""
    if header not in PUBLIC:
        return f"<winnow/{header}> has no room in src/rooms.txt"
    owner = PUBLIC[header]
    if name.startswith("include/"):
        own = PUBLIC.get(name.rsplit("/", 1)[1])
        if own != "door" and owner not in SEES.get(own, ()):
            return f"a public header of room {own} includes <winnow/{header}> of {owner}"
    elif room and owner not in SEES[room] and not re.fullmatch(TEST, name):
        return f"room {room} includes <winnow/{header}> of {owner}"
    return None


def quoted_problem(name, room, target):
    """An include in quotes: of a room's header, or, outside src/, of a neighbour in the folder."""
    if target in GENERATED:
        return None if re.fullmatch(GENERATED[target], name) else f'"{target}" is not for this file'
    if name.startswith("include/"):
        return f'a public header includes "{target}": only <winnow/...> and the standard library'
    other = target.split("/")[0] if "/" in target else None
    if other in ROOMS:
        is_open = name.startswith(("bench/", "mpi/", "tests/benches/", "tests/detection/", "tests/fuzz/", "tests/seams/", "tests/witness/inside/"))
        is_open = is_open or name.startswith("tests/examples/") and target.endswith("_for_test.h")
        if not room and not is_open:
            return f'"{target}" from outside src/: only <winnow/...>'
        if room and other not in SEES[room]:
            return f"room {room} includes \"{target}\" of {other}"
        return None if (ROOT / "src" / target).is_file() else f'"{target}" is not there'
    if room:
        return f'"{target}" is of no room: write "room/file.h", or <...> for what is not ours'
    near = [pathlib.Path(name).parent]
    near += [pathlib.Path(beside) for start, beside in BESIDE if name.startswith(start)]
    if not any((ROOT / folder / target).is_file() for folder in near):
        return f'"{target}" does not lie beside this file'
    return None


def angle_problem(name, room, target):
    if target.startswith("winnow/"):
        return public_problem(name, room, target[len("winnow/"):])
    if target.split("/")[0] in ROOMS and "/" in target:
        return f"<{target}>: rooms are included in quotes"
    for pattern, allowed in LIBRARIES:
        if re.match(pattern, target) and not re.fullmatch(allowed, name):
            return f"<{target}> is not for this file"
    if name.startswith("include/") and not re.fullmatch(r"[a-z_0-9]+", target):
        return f"a public header includes <{target}>: only <winnow/...> and the standard library"
    return None


def problems(name):
    for component in name.split("/"):
        if component.split(".")[0] in FORBIDDEN and name not in NAMED_BY_OTHERS:
            yield f"{name}: nothing is called '{component.split('.')[0]}' here; name it after what it does"
    if not name.endswith(ENDINGS):
        return
    room = room_of(name)
    if name.startswith("src/") and room not in ROOMS:
        yield f"{name}: not in a room"
        return
    if name.startswith("include/") and name.rsplit("/", 1)[1] not in PUBLIC:
        yield f"{name}: has no room in src/rooms.txt"
    for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").splitlines(), 1):
        if match := INCLUDE.match(line):
            check = quoted_problem if match[1] == '"' else angle_problem
            if problem := check(name, room, match[2]):
                yield f"{name}:{number}: {problem}"


def main():
    names = sorted(tracked())
    found = [problem for name in names for problem in problems(name)]
    print("\n".join(found) if found else f"{sum(name.endswith(ENDINGS) for name in names)} files include what they may")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
