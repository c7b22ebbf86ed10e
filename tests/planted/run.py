#!/usr/bin/env python3
"""Plants one bug after the other in a copy of the tree. The tests must fail for each.

The tree itself is only read. The exit status is 0 if the tests find every bug. Else it is 1. Then the output names the
bugs that were not found, and plants that no longer fit the code or do not compile.
"""

import argparse
import collections
import concurrent.futures
import json
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
    for entry in LIST.read_text(encoding="utf-8").split("\n\n"):
        lines = [line for line in entry.splitlines() if line and not line.startswith("#")]
        if lines and lines[0].startswith("== "):
            file = lines.pop(0)[3:]
        if not lines:
            continue
        old = [line[2:] for line in lines if line.startswith("- ")]
        new = [line[2:] for line in lines if line.startswith("+ ")]
        if not file or not old or len(old) + len(new) != len(lines):
            sys.exit(f"{LIST.name}: not a planted bug:\n{entry}")
        plants.append((file, "\n".join(old), "\n".join(new)))
    return plants


class Workshop:
    """A copy of the tree and its build, for one worker."""

    def __init__(self, folder):
        self.tree, self.build_folder = folder / "tree", folder / "build"
        self.limit, self.tests = None, []
        self.copy_tree()
        configure = ["cmake", "-S", str(self.tree), "-B", str(self.build_folder), "-G", "Ninja"]
        self.environment = dict(os.environ)
        if shutil.which("ccache"):
            # With ccache, the workshops and a second run compile equal files once.
            configure.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
            self.environment.update(CCACHE_BASEDIR=str(folder), CCACHE_NOHASHDIR="1")
        subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)

    def copy_tree(self):
        """Copies the tree. Files with unchanged text keep their time, so that a second run compiles little."""
        wanted = {"CMakeLists.txt": ROOT / "tests/planted/planted.cmake"}
        for folder in ("bench/faces", "bench/primitives", "bench/tracking", "cmake", "include", "models", "src", "tests/benches", "tests/detection"):
            for path in (ROOT / folder).rglob("*"):
                if path.is_file():
                    wanted[str(path.relative_to(ROOT))] = path
        for name in ("bench/pairs.h", "bench/results_file.h"):
            wanted[name] = ROOT / name
        for name, source in wanted.items():
            target = self.tree / name
            if not target.exists() or target.read_bytes() != source.read_bytes():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
        for path in [p for p in self.tree.rglob("*") if p.is_file()]:
            if str(path.relative_to(self.tree)) not in wanted:
                path.unlink()

    def build(self, jobs):
        command = ["ninja", "-C", str(self.build_folder), f"-j{jobs}", "planted_test"]
        done = subprocess.run(command, capture_output=True, text=True, env=self.environment)
        return done.returncode == 0, done.stdout[-3000:]

    def list_tests(self):
        """Finds the names of all tests, and the file of each."""
        listed = self.build_folder / "tests.json"
        command = [str(self.build_folder / "planted_test"), "--gtest_list_tests", f"--gtest_output=json:{listed}"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        for suite in json.loads(listed.read_text(encoding="utf-8"))["testsuites"]:
            for test in suite["testsuite"]:
                file = (self.build_folder / test["file"]).resolve().relative_to(self.tree.resolve())
                self.tests.append((f"{suite['name']}.{test['name']}", file))

    def rounds(self, file):
        """Three lists of test names for a bug in a file: the tests of the file, of its room, and all others."""
        file = path_of(file, pathlib.Path())
        rounds = [[], [], []]
        for name, test in self.tests:
            own = test.parent == file.parent and test.name == re.sub(r"(_cpu-inl|_cpu|_ref)?\.\w+$", "_test.cpp", file.name)
            of_benches = file.parts[0] == "bench" and test.parts[:2] == ("tests", "benches")
            rounds[0 if own else 1 if of_benches or test.parts[:2] == file.parts[:2] else 2].append(name)
        return [names for names in rounds if names]

    def first_failure(self, file):
        """The name of the first test that fails; None if all pass. A run beyond `limit` seconds counts as a hang."""
        for names in self.rounds(file):
            command = [str(self.build_folder / "planted_test"), "--gtest_fail_fast", "--gtest_brief=1"]
            environment = dict(self.environment, GTEST_FILTER=":".join(names))
            try:
                done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=self.limit,
                                      env=environment)
            except subprocess.TimeoutExpired:
                return "a test that never ends"
            if done.returncode != 0:
                failed = re.search(r"\[  FAILED  \] (\S+)", done.stdout)
                return failed.group(1) if failed else f"a test that ends with {done.returncode}"
        return None

    def plant(self, file, old, new):
        """Plants one bug. Returns whether it was found, and a line about it."""
        if (count := places(file, old, self.tree)) != 1:
            return False, f"DOES NOT FIT  {file}: {old} ({count} places)"
        path = path_of(file, self.tree)
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(old, new), encoding="utf-8")
        try:
            ok, output = self.build(1)
            found = self.first_failure(file) if ok else None
        finally:
            path.write_text(text, encoding="utf-8")
        if not ok:
            return False, f"NO BUILD      {file}: {new}\n{output}"
        if found is None:
            return False, f"NOT FOUND     {file}: {new}"
        return True, f"found         {file}: {new}  ({found})"


def path_of(file, folder):
    """The path of a file of plants.txt in a copy of the tree."""
    return folder / file if file.startswith("bench/") else folder / "src" / file


def places(file, old, folder):
    """Number of times that the text is in the file; 0 if the file is gone."""
    path = path_of(file, folder)
    return path.read_text(encoding="utf-8").count(old) if path.is_file() else 0


def say_what_fits(plants):
    wrong = 0
    for file, old, _ in plants:
        if (count := places(file, old, ROOT)) != 1:
            print(f"DOES NOT FIT  {file}: {old} ({count} places)")
            wrong += 1
    print(f"{len(plants) - wrong} of {len(plants)} plants fit")
    return 1 if wrong else 0


def prepare(build_folder, jobs):
    """Builds one workshop for each job. Ends the program if the tests fail without a planted bug."""
    workshops = []
    for number in range(jobs):
        workshop = Workshop(build_folder / str(number))
        ok, output = workshop.build(jobs)
        if not ok:
            sys.exit(f"the tree does not build:\n{output}")
        workshop.list_tests()
        workshops.append(workshop)
    began = time.monotonic()
    if failed := workshops[0].first_failure("none"):
        sys.exit(f"without any plant {failed} fails")
    # The limit is generous, because a slow test on a busy machine must not count as a bug that was found.
    for workshop in workshops:
        workshop.limit = max(600, 20 * (time.monotonic() - began))
    return workshops


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
    start = time.monotonic()
    workshops = prepare(pathlib.Path(arguments.build), arguments.jobs)
    print(f"the tree as it is passes ({time.monotonic() - start:.0f} s)", flush=True)

    # A worker takes all plants of one file, and compiles the file again for each plant.
    files = collections.defaultdict(list)
    for plant in plants:
        if arguments.only in plant[0] or arguments.only in plant[1]:
            files[plant[0]].append(plant)
    left = iter(files.values())

    def work(workshop):
        found = 0
        while (of_a_file := next(left, None)) is not None:
            for plant in of_a_file:
                good, line = workshop.plant(*plant)
                print(line, flush=True)
                found += good
        return found

    with concurrent.futures.ThreadPoolExecutor(len(workshops)) as pool:
        found = sum(pool.map(work, workshops))
    total = sum(len(of) for of in files.values())
    print(f"{found} of {total} plants found, {time.monotonic() - start:.0f} s")
    sys.exit(1 if found < total or total == 0 else 0)


if __name__ == "__main__":
    main()
