#!/usr/bin/env bash
# track_runs.sh PROGRAM TRACKS OUT [SEEDS [PART...]]: follows the nine sequences in the folder TRACKS, and writes runs
# into the folder OUT. Each part is a file: `nine` from the first frame; `starts` from a third, from the half, and
# backwards; `gaps` with the object painted over; `turns` with turns of the camera.
set -euo pipefail
program=$1 tracks=$2 out=$3 seeds=${4:-5}
parts=(nine starts gaps turns)
if (($# > 4)); then parts=("${@:5}"); fi
mkdir -p "$out"

run() {  # NAME INPUT TRUTH FORMAT BOX [OPTIONS]: BOX counts for runs from the first frame
  local name=$1 input=$2 truth=$3 format=$4 box=$5
  shift 5
  "$program" --name "$name" --truth "$tracks/$truth" --truth-format "$format" ${box:+--box "$box"} --seeds "$seeds" "$@" "$tracks/$input"
}

nine() {  # [OPTIONS]
  run david david/david.mpg david/gt.txt tld "" "$@"
  run jumping jumping/jumping.mpg jumping/gt.txt tld "" "$@"
  run car car/car.mpg car/gt.txt tld "" "$@"
  run car4 car4/img car4/groundtruth_rect.txt otb "" "$@"
  run crossing crossing/img crossing/groundtruth_rect.txt otb "" "$@"
  run jogging1 jogging/img jogging/groundtruth_rect.1.txt otb "" "$@"
  run jogging2 jogging/img jogging/groundtruth_rect.2.txt otb "" "$@"
  run motorcyclechase motorcyclechase/video.mp4 motorcyclechase/groundtruth_rect.txt tlp "" "$@"
}
# The first mark of pedestrian1 is a torso, all other marks are whole bodies.
torso() { run pedestrian1 pedestrian1/pedestrian1.mpg pedestrian1/gt.txt tld 47,51,22,37 "$@"; }

part_of_runs() {  # PART
  case $1 in
    nine) nine; torso ;;
    starts) nine --start third; nine --start half; nine --start end ;;
    gaps | turns) nine --change "$1"; torso --change "$1" ;;
    *) echo "track_runs.sh: there is no part $1" >&2; exit 1 ;;
  esac
}
for part in "${parts[@]}"; do
  part_of_runs "$part" >"$out/$part.csv"
done
