#!/usr/bin/env python3
"""Repeats a paper's experiment with many hosts on one host with several devices: experiment.py BIN INPUTS [OPTIONS].

Rank 0 deals, and each other rank searches with a device and cores of its own. Beside each run stand `winnow detect`
with one device, and a bare loop that sends the same messages without work. INPUTS is a folder of make_inputs.py. Each
run repeats its inputs so often that it takes --seconds. All lines are compared with those of `winnow detect`.
--part loop runs the bare loop alone, with several settings of MPI, so that the fastest can be given to --mca.
"""
import argparse
import datetime
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ITEMS, BYTES = 64, 16 << 20  # of a parcel of winnow-mpi
KINDS = ("jpeg", "pnm", "video")
FRAME_720P = 1280 * 720
SETTINGS = {"4": ["", "btl_vader_single_copy_mechanism=none",
                  "btl_vader_single_copy_mechanism=none btl_vader_eager_limit=65536"],
            "5": ["", "pml=ob1", "smsc=^cma", "pml=ob1 smsc=^cma", "btl_sm_eager_limit=65536",
                  "smsc=^cma btl_sm_eager_limit=65536", "smsc=^cma btl_sm_max_send_size=262144", "pml=ucx"]}
SUMMARY = re.compile(r"winnow: (\d+) pictures?, .*?, ([\d.]+) s, ([\d.]+) pictures/s")
ROOT = re.compile(r"winnow: rank 0 dealt for (\S+) s, gathered for (\S+) s, and waited (\S+) s for inputs and (\S+) s for "
                  r"ranks; it sent (\S+) MB and got (\S+) MB")
WORK = re.compile(r"seconds of work (\S+)(?: to (\S+))?")


def fail(problem):
    sys.exit(f"experiment.py: {problem}")


class Bench:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.mpirun = pathlib.Path(shutil.which(options.mpirun) or fail(f"there is no {options.mpirun}"))
        self.environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                                PRTE_ALLOW_RUN_AS_ROOT="1", PRTE_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        library = self.mpirun.absolute().parent.parent / "lib"
        if (library / "libmpi.so.40").exists() and not str(library).startswith("/usr/lib"):
            before = os.environ.get("LD_LIBRARY_PATH")
            self.environment["LD_LIBRARY_PATH"] = str(library) + (":" + before if before else "")
        said = subprocess.run([self.mpirun, "--version"], env=self.environment, capture_output=True, text=True, check=True)
        self.version = re.search(r"(\d)\.\d+\.\d+", said.stdout).group(0)
        self.cores = sorted(os.sched_getaffinity(0))

    def cores_of(self, worker):
        return self.cores[worker * self.options.cores:(worker + 1) * self.options.cores]

    def mpi(self, ranks, program, mca):
        """A command line that binds each rank to its cores. Rank 0 has the cores that are left."""
        rest = self.cores[(ranks - 1) * self.options.cores:] or self.cores
        cases = [f"0) cores={','.join(map(str, rest))} ;;\n"]
        for worker in range(ranks - 1):
            cores = self.cores_of(worker)
            if len(cores) < self.options.cores:
                fail(f"{ranks - 1} workers of {self.options.cores} cores are more than {len(self.cores)} cores")
            cases.append(f"{worker + 1}) cores={','.join(map(str, cores))} ;;\n")
        place = self.work / "place.sh"
        place.write_text('#!/bin/bash\ncase $OMPI_COMM_WORLD_RANK in\n' + "".join(cases) +
                         'esac\nexec taskset -c "$cores" "$@"\n', encoding="utf-8")
        place.chmod(0o755)
        command = [str(self.mpirun), "-n", str(ranks), "--oversubscribe", "--bind-to", "none"]
        if "LD_LIBRARY_PATH" in self.environment:
            command += ["-x", "LD_LIBRARY_PATH"]
        for setting in mca.split():
            command += ["--mca", *setting.split("=", 1)]
        return [*command, str(place), *program]

    def run(self, command):
        start = time.monotonic()
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            fail(f"{' '.join(map(str, command))}\n{done.stderr[-3000:]}")
        return done, time.monotonic() - start

    def loop(self, ranks, bytes_of_part, parts, seconds, mca):
        """The bare loop's row: the best of five, each as long as `seconds` allow, since other processes may disturb."""
        program = [str(self.options.bin / "winnow_mpi_loop")]
        parcels, best = 16 * ranks, None
        for _ in range(5):
            done, _ = self.run(self.mpi(ranks, [*program, str(parcels), str(parts), str(bytes_of_part), "150"], mca))
            row = json.loads(done.stdout.splitlines()[-1])
            if best is None or row["bytes_per_second"] > best["bytes_per_second"]:
                best = row
            if row["seconds"] < seconds / 2:
                parcels = min(20 * parcels, math.ceil(parcels * seconds / row["seconds"]))
        return best

    def scan(self, listed, lines, workers):
        """One run. `workers`: 0 is `winnow detect` with the cores of one worker."""
        options = self.options
        words = ["detect", "-m", options.model, "--threads", str(options.cores), "--backend", options.backend,
                 "--files-from", str(listed)]
        watch = Devices()
        if workers == 0:
            cores = ",".join(map(str, self.cores_of(0)))
            with open(lines, "wb") as out:
                start = time.monotonic()
                done = subprocess.run(["taskset", "-c", cores, options.bin / "winnow", *words], stdout=out,
                                      stderr=subprocess.PIPE, text=True, check=False)
                wall = time.monotonic() - start
            if done.returncode != 0:
                fail(done.stderr[-3000:])
        else:
            program = [str(options.bin / "winnow-mpi"), *words, "--lines", str(lines), "--force"]
            done, wall = self.run(self.mpi(workers + 1, program, options.mca))
        row = {"workers": workers, "devices": watch.end(), "wall": round(wall, 3)}
        summary = SUMMARY.search(done.stderr) or fail(f"there is no summary: {done.stderr}")
        row.update(frames=int(summary[1]), seconds=float(summary[2]), fps=round(int(summary[1]) / float(summary[2]), 1))
        if workers:
            root, work = ROOT.search(done.stderr), WORK.search(done.stderr)
            row.update(zip(("deal", "gather", "wait_inputs", "wait_ranks", "sent_mb", "got_mb"), map(float, root.groups())))
            row.update(work_least=float(work[1]), work_most=float(work[2] or work[1]))
        return row


class Devices:
    """Counts the NVIDIA devices that processes use while a run goes on; None without nvidia-smi."""

    def __init__(self):
        self.most, self.over = None, threading.Event()
        self.thread = threading.Thread(target=self.look)
        if shutil.which("nvidia-smi"):
            self.thread.start()

    def look(self):
        while not self.over.wait(3):
            said = subprocess.run(["nvidia-smi", "--query-compute-apps=gpu_uuid", "--format=csv,noheader"],
                                  capture_output=True, text=True, check=False)
            self.most = max(self.most or 0, len(set(said.stdout.split())))

    def end(self):
        self.over.set()
        if self.thread.is_alive():
            self.thread.join()
        return self.most


def write_list(path, names, times):
    path.write_text("".join(f"{name}\n" for name in names) * times, encoding="utf-8")


def check_lines(lines, once, times):
    with open(lines, "rb") as file:
        for _ in range(times):
            if file.read(len(once)) != once:
                fail(f"{lines}: not the lines of winnow detect")
        if file.read(1):
            fail(f"{lines}: more lines than those of winnow detect")


def scan_kind(bench, kind):
    """The rows of one kind of input: `winnow detect`, and each number of workers."""
    names = sorted(str(path.resolve()) for path in (bench.options.inputs / kind).iterdir())
    sizes = [os.path.getsize(name) for name in names]
    listed, lines = bench.work / "list", bench.work / "lines"
    times, rows = 1, []
    write_list(listed, names, 1)
    plain = bench.scan(listed, lines, 0)
    once = lines.read_bytes()
    while plain["seconds"] < 0.7 * bench.options.seconds:
        times = math.ceil(times * min(20, bench.options.seconds / max(plain["seconds"], 0.01)))
        write_list(listed, names, times)
        plain = bench.scan(listed, lines, 0)
    check_lines(lines, once, times)
    rows.append(plain)
    for workers in bench.options.workers:
        write_list(listed, names, times * workers)
        row = bench.scan(listed, lines, workers)
        check_lines(lines, once, times * workers)
        size = FRAME_720P if kind == "video" else round(sum(sizes) / len(sizes))
        parts = max(1, min(ITEMS, BYTES // size))
        bare = bench.loop(workers + 1, size, parts, 2, bench.options.mca)
        row.update(speedup=round(row["fps"] / plain["fps"], 3), efficiency=round(row["fps"] / plain["fps"] / workers, 3),
                   bare_fps=bare["parts_per_second"])
        rows.append(row)
    for row in rows:
        row["input"] = kind
        print(json.dumps(row), flush=True)
    return rows


SCAN_COLUMNS = ["input", "workers", "fps", "speedup", "efficiency", "seconds", "wall", "deal", "gather", "wait_inputs",
                "wait_ranks", "work_least", "work_most", "sent_mb", "got_mb", "bare_fps", "devices", "frames"]
LOOP_COLUMNS = ["setting", "ranks", "bytes", "parts", "gigabytes_per_second", "parts_per_second"]


def table(bench, name, title, unit, columns, views, rows, about):
    options = bench.options
    return {"name": name, "title": title, "unit": unit, "device": options.device,
            "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(), "commit": options.commit,
            "command": "bench/hosts/experiment.py BIN INPUTS", "about": about, "columns": columns, "views": views,
            "rows": [[row.get(column) for column in columns] for row in rows]}


def write_tables(bench, tables):
    path = bench.options.json
    section = {"section": "Many ranks on one host", "about": f"Open MPI {bench.version}. Rank 0 deals and gathers alone.",
               "tables": []}
    if path.exists():
        section = json.loads(path.read_text(encoding="utf-8"))
    names = {each["name"] for each in tables}
    section["tables"] = [each for each in section["tables"] if each["name"] not in names] + tables
    path.write_text(json.dumps(section, indent=1) + "\n", encoding="utf-8")


def values(*columns):
    return [{"column": column, "head": head, "digits": digits} for column, head, digits in columns]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("bin", type=pathlib.Path, help="holds winnow, winnow-mpi and winnow_mpi_loop")
    arguments.add_argument("inputs", type=pathlib.Path)
    arguments.add_argument("--part", choices=("scan", "loop"), default="scan")
    arguments.add_argument("--mpirun", default="mpirun")
    arguments.add_argument("--mca", default="", help='settings for winnow-mpi, such as "smsc=^cma"')
    arguments.add_argument("--workers", type=lambda text: [int(each) for each in text.split(",")], default=[1, 2, 3, 4])
    arguments.add_argument("--cores", type=int, default=12, help="of each worker")
    arguments.add_argument("--seconds", type=float, default=60)
    arguments.add_argument("--kinds", type=lambda text: text.split(","), default=list(KINDS))
    arguments.add_argument("--model", default="haarcascade_frontalface_alt")
    arguments.add_argument("--backend", default="auto")
    arguments.add_argument("--json", type=pathlib.Path, help="a file of bench/results/")
    arguments.add_argument("--device", default="unknown", help="the machine in words, for --json")
    arguments.add_argument("--commit", default="unknown")
    options = arguments.parse_args()
    options.bin = options.bin.resolve()
    with tempfile.TemporaryDirectory(prefix="winnow-hosts-") as work:
        bench = Bench(options, pathlib.Path(work))
        if options.part == "loop":
            rows = []
            for workers in options.workers:
                for size in (28_000, 307_215, FRAME_720P):
                    parts = min(ITEMS, BYTES // size)
                    for setting in SETTINGS[bench.version[0]]:
                        try:
                            row = bench.loop(workers + 1, size, parts, min(2, options.seconds), setting)
                        except SystemExit:
                            print(json.dumps({"setting": setting, "bytes": size, "fails": True}), flush=True)
                            continue
                        row.update(setting=setting or "none", gigabytes_per_second=round(row["bytes_per_second"] / 1e9, 2))
                        print(json.dumps(row), flush=True)
                        rows.append(row)
            view = {"by": [["setting", "settings"], ["bytes", "bytes"]], "across": ["ranks"],
                    "values": values(("gigabytes_per_second", "", 1))}
            tables = [table(bench, "hosts_loop", "Messages without work", "gigabytes a second", LOOP_COLUMNS, [view], rows,
                            "The best of five runs of winnow_mpi_loop.")]
        else:
            rows = [row for kind in options.kinds for row in scan_kind(bench, kind)]
            view = {"by": [["input", "input"], ["workers", "ranks that search"]],
                    "values": values(("fps", "pictures/s", 0), ("speedup", "times", 2), ("efficiency", "efficiency", 2),
                                     ("deal", "s dealing", 2), ("gather", "s gathering", 2), ("work_most", "s of work", 1),
                                     ("sent_mb", "MB sent", 0), ("bare_fps", "bare loop, pictures/s", 0))}
            tables = [table(bench, "hosts_scan", "Ranks that search", "pictures a second", SCAN_COLUMNS, [view], rows,
                            "0 ranks: winnow detect with one device and as many cores as one rank has.")]
        if options.json:
            write_tables(bench, tables)


main()
