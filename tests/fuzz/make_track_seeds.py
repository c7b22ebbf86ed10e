#!/usr/bin/env python3
"""Writes small files of tracks, at least one for each format, to <dir>/track/, for fuzz_track to start from.

usage: make_track_seeds.py DIR
"""
import pathlib
import sys

# The order is that of fuzz_track.cpp.
FORMATS = ["", "otb", "tld", "vot", "tlp", "json", "csv"]

SEEDS = {
    "otb": ["205\t151\t17\t50\n202 150 19 49\n", "70,51,107,87\r\n0,0,0,0\r\n"],
    "tld": ["142,125,232,164\nNaN,NaN,NaN,NaN\n138.05,124.57,228.07,163.58\n", "1,2,3,4,0.5\nnan,nan,nan,nan,nan\n"],
    "vot": ["5,1,9,4,6,8,2,3\nnan,nan,nan,nan,nan,nan,nan,nan\n", "5,1,9,4\n"],
    "tlp": ["1,495,343,172,109,0\n2,0,0,0,0,1\n"],
    "json": ['{"source":"a.mpg","frame":0,"time":0.5,"width":9,"height":9,"tracks":[{"id":1,"x":1,"y":2.5,"width":3,'
             '"height":4,"confidence":0.5,"state":"found"},{"id":2,"state":"lost"}]}\n{"source":"a.mpg","frame":1,"tracks":[]}\n'],
    "csv": ["source,frame,id,x,y,width,height,confidence,state\na.mpg,0,1,1,2,3,4,0.5,found\na.mpg,1,1,,,,,,lost\n",
            "x y width height\n1 2 3 4\n"],
}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1]) / "track"
    folder.mkdir(parents=True, exist_ok=True)
    for name, texts in SEEDS.items():
        for number, text in enumerate(texts):
            # The first byte names the format, the second another format, and the third a track. 0 names none.
            for kind, first in {"named": FORMATS.index(name), "found": 0}.items():
                (folder / f"{name}-{number}-{kind}").write_bytes(bytes([first, 2, 2 * (name == "json")]) + text.encode())


if __name__ == "__main__":
    main()
