#!/usr/bin/env python3
"""Plants one bug after the other in a copy of the tree and wants the tests to fail for each.

The tree itself is only read. The exit status is 0 if the tests find every bug. Else it is 1, and the output names the
bugs that were not found, and plants that no longer fit the code or do not compile.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = ROOT / "tests/planted/plants.txt"


def read_plants():
    """The bugs of plants.txt: for each its file under src/, the text to remove, and the text to put there."""
    plants, file = [], ""
    for block in LIST.read_text(encoding="utf-8").split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        if lines and lines[0].startswith("== "):
            file = lines.pop(0)[3:]
        if not lines:
            continue
        old = [line[2:] for line in lines if line.startswith("- ")]
        new = [line[2:] for line in lines if line.startswith("+ ")]
        if not file or not old or len(old) + len(new) != len(lines):
            sys.exit(f"{LIST.name}: not a planted bug:\n{block}")
        plants.append((file, "\n".join(old), "\n".join(new)))
    return plants


def copy_tree(to):
    """Copies the tree. Files with unchanged text keep their time, so that a second run compiles little."""
    wanted = {"CMakeLists.txt": ROOT / "tests/planted/planted.cmake"}
    for folder in ("cmake", "include", "models", "src"):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file():
                wanted[str(path.relative_to(ROOT))] = path
    for name, source in wanted.items():
        target = to / name
        if not target.exists() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    for path in [p for p in to.rglob("*") if p.is_file()]:
        if str(path.relative_to(to)) not in wanted:
            path.unlink()


def build(folder, jobs):
    done = subprocess.run(["ninja", "-C", str(folder), f"-j{jobs}", "planted_test"], capture_output=True, text=True)
    return done.returncode == 0, done.stdout[-3000:]


def run_tests(folder, limit=None):
    """The name of the first test that fails; None if all pass. A run of more than `limit` seconds counts as a hang."""
    command = [str(folder / "planted_test"), "--gtest_fail_fast", "--gtest_brief=1"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=limit)
    except subprocess.TimeoutExpired:
        return "a test that never ends"
    if done.returncode == 0:
        return None
    failed = re.search(r"\[  FAILED  \] (\S+)", done.stdout)
    return failed.group(1) if failed else f"a test that ends with {done.returncode}"


def places(file, old, folder):
    """Number of times that the text is in the file; 0 if the file is gone."""
    path = folder / "src" / file
    return path.read_text(encoding="utf-8").count(old) if path.is_file() else 0


def say_what_fits(plants):
    wrong = 0
    for file, old, _ in plants:
        if (count := places(file, old, ROOT)) != 1:
            print(f"DOES NOT FIT  {file}: {old} ({count} places)")
            wrong += 1
    print(f"{len(plants) - wrong} of {len(plants)} plants fit")
    return 1 if wrong else 0


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--build", default=str(ROOT / "build/planted"))
    arguments.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments.add_argument("--only", default="", help="plants whose file or text holds this")
    arguments.add_argument("--fits", action="store_true", help="only look whether each plant still fits its file")
    arguments = arguments.parse_args()
    plants = read_plants()
    if arguments.fits:
        sys.exit(say_what_fits(plants))
    tree, folder = pathlib.Path(arguments.build) / "tree", pathlib.Path(arguments.build) / "build"
    start = time.monotonic()
    copy_tree(tree)
    configure = ["cmake", "-S", str(tree), "-B", str(folder), "-G", "Ninja"]
    subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)
    ok, output = build(folder, arguments.jobs)
    if not ok:
        sys.exit(f"the tree does not build:\n{output}")
    began = time.monotonic()
    failed = run_tests(folder)
    if failed:
        sys.exit(f"without any plant {failed} fails")
    # The limit is generous, because a slow test on a busy machine must not count as a bug that was found.
    limit = max(600, 20 * (time.monotonic() - began))
    print(f"the tree as it is passes ({time.monotonic() - start:.0f} s)", flush=True)

    wrong = 0
    plants = [p for p in plants if arguments.only in p[0] or arguments.only in p[1]]
    for file, old, new in plants:
        if (count := places(file, old, tree)) != 1:
            print(f"DOES NOT FIT  {file}: {old} ({count} places)", flush=True)
            wrong += 1
            continue
        path = tree / "src" / file
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(old, new), encoding="utf-8")
        try:
            ok, output = build(folder, arguments.jobs)
            found = run_tests(folder, limit) if ok else None
        finally:
            path.write_text(text, encoding="utf-8")
        if not ok:
            print(f"NO BUILD      {file}: {new}\n{output}", flush=True)
        elif found is None:
            print(f"NOT FOUND     {file}: {new}", flush=True)
        else:
            print(f"found         {file}: {new}  ({found})", flush=True)
        wrong += found is None
    print(f"{len(plants) - wrong} of {len(plants)} plants found, {time.monotonic() - start:.0f} s")
    sys.exit(1 if wrong or not plants else 0)


if __name__ == "__main__":
    main()
