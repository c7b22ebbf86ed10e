#!/usr/bin/env bash
# hashes_test.sh PROGRAM: tests the files of hashes of winnow_conformance. The test writes such files (by two
# processes, too), completes them, judges with them, and has bad files refused.
set -euo pipefail
program=$1
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cd "$folder"
models=(--models haarcascade_eye,lbpcascade_frontalface)
fail() { echo "$*"; exit 1; }
write() { "$program" --wanted reference --sizes 97x75,120x80 --pixels "${pixels:-8000}" "${models[@]}" "$@" >/dev/null; }
judge() { "$program" --got cpu "${models[@]}" --hashes "$@" >said; }

write --write whole
judge whole || fail "cpu differs from reference: $(cat said)"
grep -q '^216 passed, 0 failed$' said || fail "not all were judged: $(cat said)"

write --write shared --part 1/2 & other=$!
write --write shared --part 2/2
wait "$other" || fail "one of two processes failed"
cmp <(sort -u whole) <(sort -u shared) || fail "two processes wrote other hashes"

head -c 2000 whole >cut
write --write cut
cmp <(sort -u whole) <(sort -u cut) || fail "a file that was cut off was not completed"

# A half-written line of another process does not count as cut off. The next process waits until the line is complete.
exec 9>>held
flock 9
head -n 20 whole | head -c -40 >&9
write --write held & other=$!
while kill -0 "$other" 2>/dev/null && ! grep -q -- "-> FLOCK .*:$(stat -c %i held) " /proc/locks; do sleep 0.01; done
head -n 20 whole | tail -c 40 >&9
flock -u 9
wait "$other" || fail "a file that was locked was not written"
cmp <(sort -u whole) <(sort -u held) || fail "a line that was being written was cut off"

cat whole whole >twice
judge twice || fail "two files of one making are not read as one"

sed '7s/.\{16\}$/0123456789abcdef/' whole >wrong
if judge wrong; then fail "a wrong hash passed"; fi
grep -q 'DIFFERENT .* the hash is wrong' said || fail "a wrong hash was not told: $(cat said)"

head -n 20 whole >short
if judge short; then fail "answers without a hash passed"; fi
grep -q 'NO HASH of ' said || fail "missing hashes were not told: $(cat said)"

if pixels=9000 write --write whole 2>said; then fail "another making was accepted"; fi
grep -q 'was made otherwise' said || fail "another making was refused without the reason: $(cat said)"
