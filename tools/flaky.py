#!/usr/bin/env python3
"""flaky.py BUILD RUNS: runs all tests of BUILD RUNS times, in random order, while every core is kept busy.

Prints a line for each run: its number, its seconds, the tests that failed. The log of a failed run stays in
build/flaky/. The exit status is 1 if any run failed. WINNOW_JOBS=N runs N tests at once.
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import time

LOGS = pathlib.Path(__file__).resolve().parents[1] / "build/flaky"
HANG_SECONDS = 3600  # a test that takes longer counts as hanging
# A program that keeps a core busy until its parent process ends.
LOAD = """
import os
parent = os.getppid()
while os.getppid() == parent:
    for _ in range(1_000_000):
        pass
"""


def start_load():
    # Each load process has a session of its own, so Ctrl-C does not reach it. This program ends the load.
    return [subprocess.Popen([sys.executable, "-c", LOAD], stdin=subprocess.DEVNULL, start_new_session=True)
            for _ in range(os.cpu_count())]


def end_load(processes):
    for process in processes:
        process.kill()
    for process in processes:
        process.wait()


def run_once(build, log):
    """The names of the tests that failed; ctest's message if it failed for another reason."""
    jobs = os.environ.get("WINNOW_JOBS", str(os.cpu_count()))
    command = ["ctest", "--test-dir", str(build), "-j", jobs, "--schedule-random", "--output-on-failure", "--no-tests=error",
               "--timeout", str(HANG_SECONDS)]
    with open(log, "wb") as file:
        code = subprocess.run(command, stdout=file, stderr=file, stdin=subprocess.DEVNULL).returncode
    if code == 0:
        return []
    summary = log.read_text(errors="replace").rpartition("The following tests FAILED:")[2]
    return re.findall(r"(?m)^\s*\d+ - (.+) \([^()]*\)$", summary) or [f"ctest ended with {code}"]


def main():
    if len(sys.argv) != 3 or not re.fullmatch("[1-9][0-9]*", sys.argv[2]):
        print(f"flaky: RUNS is a whole number, not '{sys.argv[-1]}'", file=sys.stderr)
        sys.exit(2)
    build, runs = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2])
    LOGS.mkdir(parents=True, exist_ok=True)
    for old in LOGS.glob("run-*.log"):
        old.unlink()
    # Make these signals an ordinary exit, so that the load ends, too.
    for each in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, lambda number, _: sys.exit(128 + number))
    bad = 0
    load = start_load()
    try:
        for run in range(1, runs + 1):
            log = LOGS / f"run-{run}.log"
            start = time.monotonic()
            failed = run_once(build, log)
            print(f"run {run}: {time.monotonic() - start:.0f} s, " +
                  (f"{len(failed)} failed: " + " ".join(failed) if failed else "0 failed"), flush=True)
            if failed:
                bad += 1
            else:
                log.unlink()
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        end_load(load)
    print(f"{runs - bad} passed, {bad} failed")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
