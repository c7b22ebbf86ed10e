#!/usr/bin/env python3
"""Makes the inputs of experiment.py from photographs: make_inputs.py PICTURES OUT [--count N]. Needs the ffmpeg command.

OUT/jpeg/ and OUT/pnm/ hold the same N pictures of 640 x 480, as JPEG files and as grey PNM files. OUT/video/720p.mp4
(H.264) moves over each of them for a second, at 25 frames a second.
"""
import argparse
import pathlib
import subprocess
import sys

VGA = "scale=640:480:force_original_aspect_ratio=increase,crop=640:480"
MOVING = ("fps=25,scale=1600:900:force_original_aspect_ratio=increase,"
          "crop=1280:720:mod(n*4\\,320):mod(n*2\\,180)")


def ffmpeg(pictures, out, *options):
    listed = out.parent / "list.txt"
    listed.write_text("".join(f"file '{picture}'\nduration 1\n" for picture in [*pictures, pictures[-1]]), encoding="utf-8")
    out.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-nostdin", "-f", "concat", "-safe", "0", "-i", str(listed), *options,
                    str(out)], check=True)
    listed.unlink()


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("pictures", type=pathlib.Path)
    arguments.add_argument("out", type=pathlib.Path)
    arguments.add_argument("--count", type=int, default=64)
    arguments = arguments.parse_args()
    pictures = sorted(path.resolve() for path in arguments.pictures.rglob("*.jpg"))
    if not pictures:
        sys.exit(f"{arguments.pictures}: there is no *.jpg")
    # Evenly over the folder.
    count = min(arguments.count, len(pictures))
    pictures = [pictures[i * len(pictures) // count] for i in range(count)]
    for name in ("jpeg", "pnm", "video"):
        (arguments.out / name).mkdir(parents=True, exist_ok=True)
    ffmpeg(pictures, arguments.out / "jpeg/%04d.jpg", "-fps_mode", "passthrough", "-vf", VGA, "-frames:v", str(count), "-q:v", "3")
    ffmpeg(pictures, arguments.out / "pnm/%04d.pgm", "-fps_mode", "passthrough", "-vf", VGA, "-frames:v", str(count), "-pix_fmt", "gray")
    ffmpeg(pictures, arguments.out / "video/720p.mp4", "-vf", MOVING, "-frames:v", str(25 * count), "-pix_fmt", "yuv420p",
           "-c:v", "libx264", "-crf", "23")


main()
