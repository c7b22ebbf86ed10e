#!/usr/bin/env bash
# fuzz.sh [SECONDS]: runs every fuzzer of build/fuzz one after the other, for SECONDS in all. A fuzzer starts from made
# seeds and from the corpus of earlier runs. Inputs that break a fuzzer are left in build/fuzz/found.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
seconds=${1:-60}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || { echo "fuzz: SECONDS is a whole number, not '$seconds'" >&2; exit 2; }
work=build/fuzz
fuzzers=("$work"/bin/fuzz_*)
each=$(((seconds + ${#fuzzers[@]} - 1) / ${#fuzzers[@]}))
rm -rf "$work/seeds"
mkdir -p "$work/seeds" "$work/found"
python3 -B tests/fuzz/make_seeds.py "$work/seeds"
for fuzzer in "${fuzzers[@]}"; do
  name=$(basename "$fuzzer")
  mkdir -p "$work/corpus/${name#fuzz_}"
  log=$work/$name.log
  if ! UBSAN_OPTIONS=print_stacktrace=1 "$fuzzer" -max_total_time="$each" -timeout=20 -malloc_limit_mb=1024 \
    -artifact_prefix="$work/found/$name-" "$work/corpus/${name#fuzz_}" "$work/seeds/${name#fuzz_}" >"$log" 2>&1; then
    tail -n 60 "$log"
    echo "$name: broken; the input is in $work/found"
    exit 1
  fi
  echo "$name: $(tail -n 1 "$log")"
done
