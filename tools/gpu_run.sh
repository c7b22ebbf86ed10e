#!/usr/bin/env bash
# run FOLDER: on a machine with a device: the tests that need one, the conformance suite, the benches; their JSON goes to
# FOLDER.
set -euo pipefail
out=${1:?usage: run FOLDER}
cd "$(dirname "${BASH_SOURCE[0]}")"
mkdir -p "$out"
export WINNOW_REQUIRE_CUDA=1 WINNOW_MODELS=$PWD/cascades
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm --format=csv,noheader || true
for test in sieve group session; do
  bin/winnow_${test}_test --gtest_brief=1 --gtest_filter='*Cuda*'
done
bin/winnow_conformance --sizes 97x75,641x479,3840x2160 pictures/*
for model in haarcascade_frontalface_alt haarcascade_frontalface_alt2 haarcascade_frontalface_default lbpcascade_frontalface; do
  for batch in 1 64; do
    bin/winnow_steps_cuda -m cascades/$model.xml --batch $batch pictures/[!g6]* | tee -a "$out/steps_cuda.jsonl"
  done
done
