#!/usr/bin/env bash
# run FOLDER: on a machine with a device, runs the tests that need one, the conformance suite and the benches. Their
# JSON goes to FOLDER.
set -euo pipefail
mkdir -p "${1:?usage: run FOLDER}"
out=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")"
[[ -d bin ]] || python3 -m tarfile -e programs.tar.xz .  # a bare machine may lack xz
export WINNOW_REQUIRE_CUDA=1 WINNOW_MODELS=$PWD/cascades
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm --format=csv,noheader || true
for test in base scale track sieve hog group learn backend session detection primitives benches train seams; do
  bin/winnow_${test}_test --gtest_brief=1 --gtest_filter='*Cuda*' | tail -n 2
done

# Compares two backends, or one backend with the hashes of `reference` from another machine. If answers differ, the
# script shows the differences, continues, and fails at its end.
conformance_status=0
conformance() {
  echo "winnow_conformance $*" | cut -c1-100
  bin/winnow_conformance "$@" | tee -a "$out/conformance.txt" | grep -Ev '^/.* 0 failed$' || conformance_status=1
}
rm -f "$out/conformance.txt"
conformance --sizes 97x75,641x479,3840x2160 pictures/{vga,720p,1080p}/*.jpg
devices=$(nvidia-smi --list-gpus 2>/dev/null | grep -c '^GPU') || devices=1
if [[ -f hashes.txt && -d pictures/witness ]]; then
  named=0
  for ((n = 1; n <= devices && n <= 4; ++n)); do
    conformance --hashes hashes.txt --device "$named" pictures/witness/*
    named+=,$n
  done
fi

models="haarcascade_frontalface_alt haarcascade_frontalface_alt2 haarcascade_frontalface_default lbpcascade_frontalface"
bench() {  # NAME of the row, then the arguments of `winnow bench`
  bin/winnow bench --json --decoded --backend cuda "${@:2}" | sed "s/^{/{\"row\":\"$1\",/" >>"$out/bench_cuda.jsonl"
}
rm -f "$out"/*_cuda.jsonl
for model in $models face; do
  for size in vga 720p 1080p; do
    file=cascades/$model.xml
    if [[ $model == face ]]; then file=face.winnow; fi
    bin/winnow_steps_cuda -m "$file" --batch 64 pictures/$size/*.jpg >>"$out/steps_cuda.jsonl"
    bench "$size, throughput" -m $model --batch 2048 --repeat 7 pictures/$size/*.jpg
    bench "$size, one frame" -m $model --repeat 1000 "$(ls pictures/$size/*.jpg | head -n 1)"
    bench "$size, one frame, all pictures" -m $model --repeat 20 pictures/$size/*.jpg
    bench "$size, one frame, pinned" -m $model --repeat 1000 --pinned "$(ls pictures/$size/*.jpg | head -n 1)"
    bench "$size, one frame, all pictures, pinned" -m $model --repeat 20 --pinned pictures/$size/*.jpg
  done
  bench "vga, throughput, minimum 24x24" -m $model --batch 2048 --repeat 7 --min-size 24x24 pictures/vga/*.jpg
  if ((devices > 1)); then
    for named in 0 "$(seq -s, 0 $((devices - 1)))"; do
      bench "vga, calls of 8192, devices $named" -m $model --device "$named" --batch 8192 --repeat 5 pictures/vga/*.jpg
    done
  fi
done
# One large picture, which devices search by rows.
bin/winnow_mosaic --out mosaic.pgm pictures/vga/*.jpg
for model in haarcascade_frontalface_alt lbpcascade_frontalface face; do
  for ((n = 1; n <= devices; n *= 2)); do
    named=$(seq -s, 0 $((n - 1)))
    bench "16384x16384, devices $named" -m $model --device "$named" --repeat 15 mosaic.pgm
  done
done
rm mosaic.pgm
python3 - "$out/bench_cuda.jsonl" <<'END'
import json, sys
for line in open(sys.argv[1]):
    r = json.loads(line)
    print(f"{r['model']:32} {r['row']:32} {r['ms_median']:8.4f} ms  p99 {r['ms_p99']:8.4f}  {r['fps']:8.0f} fps")
END
for samples in 10000 100000; do
  bin/winnow_training --backend cuda --threads 16 --samples $samples --memory 40000000000 --rounds 49 >>"$out/training_cuda.jsonl"
done
bin/winnow_scans_cuda >"$out/scans_cuda.jsonl"
svm=()
if [[ -f people.xml ]]; then svm=(--svm people.xml); fi
bin/winnow_people_tables_cuda "${svm[@]}" --out "$out/people_tables_device.json" --commit "$(cat commit)" pictures/grace_hopper_512x512.jpg >"$out/people_tables_cuda.jsonl"
bin/winnow_face_tables --backend cuda --tables landmarks grouping --out "$out/face_tables_device.json" --commit "$(cat commit)" >"$out/face_tables_cuda.jsonl"
bin/winnow_flow_cuda --results "$out/flow_device.json" --commit "$(cat commit)" >"$out/flow_cuda.jsonl"
schedulers=()
for model in cascades/*.xml; do schedulers+=(-m "$model"); done
bin/winnow_schedulers_cuda --table --repeat 5 "${schedulers[@]}" pictures/vga/*.jpg >"$out/schedulers_cuda.jsonl" 2>"$out/schedulers_cuda.txt"
exit "$conformance_status"
