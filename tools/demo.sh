#!/usr/bin/env bash
# demo.sh WINNOW: runs the command on a portrait and on a landscape without faces.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tools/photos.sh
out=build/demo
rm -rf "$out"
show=(winnow detect -m haarcascade_frontalface_alt --out "$out" build/photos)
echo "$ ${show[*]}" >&2
"$1" "${show[@]:1}"
echo "The annotated pictures:" >&2
find "$PWD/$out" -type f >&2
