#!/usr/bin/env python3
"""Writes bench/results/kernels.json: the needs of each kernel on each GPU architecture, and its bytes of code.

The figures are the compiler's own report:
  cmake -S . -B build/report -G Ninja -DWINNOW_CUDA_ARCHITECTURES=all -DWINNOW_VIDEO=OFF -DWINNOW_TESTS=OFF \\
        -DWINNOW_BENCH=OFF -DCMAKE_CUDA_FLAGS=-Xptxas=-v
  cmake --build build/report >build/report-build.log 2>&1
  tools/kernels.py build/report-build.log build/report/lib/libwinnow.so
"""
import argparse
import collections
import datetime
import json
import pathlib
import re
import struct
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENTRY = re.compile(r"Compiling entry function '(\w+)' for 'sm_(\d+)'")
SPILLS = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
USED = re.compile(r"Used (\d+) registers")
SHARED = re.compile(r"(\d+) bytes smem")
FATBIN = struct.pack("<I", 0xBA55ED50)


def capability(architecture):
    return f"{architecture // 10}.{architecture % 10}"


def short_names(symbols):
    """The kernels' names without namespaces and arguments."""
    said = subprocess.run(["c++filt"], input="\n".join(symbols), text=True, capture_output=True, check=True).stdout
    names = {}
    for symbol, name in zip(symbols, said.splitlines(), strict=True):
        library = "cub::" in name
        name = re.sub(r"\(anonymous namespace\)::", "", name)
        for kind, word in (("(winnow::FeatureKind)0", "haar"), ("(winnow::FeatureKind)1", "lbp")):
            name = name.replace(kind, word)
        name = re.sub(r"\(int\)", "", name).replace("winnow::", "").removeprefix("void ")
        depth, end = 0, len(name)
        for i, letter in enumerate(name):
            depth += (letter == "<") - (letter == ">")
            if letter == "(" and depth == 0:
                end = i
                break
        name = name[:end].replace(" >", ">")
        names[symbol] = None if library else name
    return names


def read_report(path):
    """{(symbol, architecture): (registers, static shared bytes, stack bytes, spill stores, spill loads)}"""
    found, entry, spills = {}, None, None
    for line in path.read_text(errors="replace").splitlines():
        if match := ENTRY.search(line):
            entry = (match[1], int(match[2]))
        elif match := SPILLS.search(line):
            spills = tuple(map(int, match.groups()))
        elif entry and (match := USED.search(line)):
            shared = SHARED.search(line)
            found[entry] = (int(match[1]), int(shared[1]) if shared else 0, *(spills or (0, 0, 0)))
            entry = spills = None
    return found


def read_sizes(path):
    """Bytes of device code in a library: {("code" or "PTX", architecture): bytes}, and bytes of the whole file."""
    said = subprocess.run(["readelf", "-SW", path], text=True, capture_output=True, check=True).stdout
    words = next(line for line in said.splitlines() if " .nv_fatbin " in line).split("]")[1].split()
    begin, size = int(words[3], 16), int(words[4], 16)
    whole = path.read_bytes()
    section, sizes, at = whole[begin : begin + size], collections.Counter(), 0
    while (at := section.find(FATBIN, at)) >= 0:
        head, length = struct.unpack_from("<HQ", section, at + 6)
        entry, end = at + head, at + head + length
        while entry < end:
            kind, _, entry_head, payload = struct.unpack_from("<HHIQ", section, entry)
            (architecture,) = struct.unpack_from("<I", section, entry + 28)
            sizes[("PTX" if kind == 1 else "code", architecture)] += entry_head + payload
            entry += entry_head + payload
        at = end
    return sizes, len(whole)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", type=pathlib.Path)
    parser.add_argument("library", type=pathlib.Path)
    arguments = parser.parse_args()
    report = read_report(arguments.report)
    names = short_names(sorted({symbol for symbol, _ in report}))
    rows = sorted(
        [names[symbol], capability(architecture), registers, shared, stack, stores, loads]
        for (symbol, architecture), (registers, shared, stack, stores, loads) in report.items()
        if names[symbol] is not None
    )
    rows.sort(key=lambda row: (row[0], float(row[1])))
    sizes, whole = read_sizes(arguments.library)
    size_rows = [[f"{kind} for {capability(a)}", size] for (kind, a), size in sorted(sizes.items(), key=lambda i: (i[0][1], i[0]))]
    size_rows.append(["everything else", whole - sum(sizes.values())])
    size_rows.append(["the library", whole])
    nvcc = subprocess.run(["nvcc", "--version"], text=True, capture_output=True, check=True).stdout
    common = {
        "device": "none: the report of nvcc " + re.search(r"release ([\d.]+)", nvcc)[1],
        "date": datetime.date.today().isoformat(),
        "commit": subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, text=True, capture_output=True, check=True
        ).stdout.strip(),
        "command": "tools/kernels.py",
    }
    columns = ["kernel", "architecture", "registers", "shared bytes", "stack bytes", "spill stores", "spill loads"]

    def across(column):
        value = {"column": column, "head": "", "digits": 0}
        return [{"by": [["kernel", "kernel"]], "across": ["architecture"], "values": [value]}]

    spilling = {row[0] for row in rows if row[5] + row[6] > 0}
    section = {
        "section": "Kernels on every GPU",
        "about": "The compiler's report for each kernel and architecture, and the size of the code.",
        "tables": [
            {"name": "kernel_registers", "title": "Registers of a thread", "unit": "registers", **common,
             "about": "The registers that a thread of each kernel takes.", "columns": columns, "views": across("registers"), "rows": rows},
            {"name": "kernel_shared", "title": "Fixed shared memory of a block", "unit": "bytes", **common,
             "about": "Kernels that size their shared memory by the device ask for more at launch.",
             "columns": columns, "views": across("shared bytes"), "rows": [row for row in rows if row[3] > 0]},
            {"name": "kernel_spills", "title": "Spills of a thread", "unit": "bytes stored", **common,
             "about": "Kernels that are not listed spill nothing.",
             "columns": columns, "views": across("spill stores"), "rows": [row for row in rows if row[0] in spilling]},
            {"name": "device_code", "title": "Device code in the library", "unit": "bytes", **common,
             "about": "Compressed, as `--compress-mode=size` leaves it.", "columns": ["part", "bytes"],
             "views": [{"by": [["part", "part"]], "values": [{"column": "bytes", "head": "bytes", "digits": 0}]}],
             "rows": size_rows},
        ],
    }  # fmt: skip
    path = ROOT / "bench" / "results" / "kernels.json"
    text = re.sub(r"\[\s+([^\[\]{}]*?)\s+\]", lambda list_: "[" + re.sub(r"\s*\n\s*", " ", list_[1]) + "]",
                  json.dumps(section, indent=1))  # one line for each row of a table
    path.write_text(text + "\n", encoding="utf-8")
    print(f"{path.relative_to(ROOT)}: {len(names)} kernels, {len(rows)} rows")


if __name__ == "__main__":
    main()
