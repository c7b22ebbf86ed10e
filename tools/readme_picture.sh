#!/usr/bin/env bash
# readme_picture.sh [WINNOW]: makes docs/faces.jpg, the README's picture, with `winnow detect`, and docs/points.jpg with
# `winnow faces`.
#
# Both photographs are works of the United States government, and in the public domain:
# - Grace Hopper, portrait by the US Navy: grace_hopper_512x512.jpg of the package facedetect. Its copyright file names
#   GPL-2+ for the whole package and no other terms for the photograph.
# - Eileen Collins, portrait by NASA: astronaut.png of the package python3-skimage. Its skimage/data/_fetchers.py says
#   "No known copyright restrictions, released into the public domain."
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
winnow=${1:-build/release/bin/winnow}
skimage=usr/lib/python3/dist-packages/skimage/data/astronaut.png

tools/photos.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"  # apt may download as another user, who must enter the folder
if [[ -f /$skimage ]]; then
  cp "/$skimage" "$work/"
else
  (cd "$work" && apt-get download -qq -o APT::Sandbox::User=root python3-skimage >&2 && dpkg -x python3-skimage_*.deb .)
  cp "$work/$skimage" "$work/"
fi
cp build/photos/grace_hopper_512x512.jpg "$work/"

"$winnow" detect --out "$work/marked" "$work/grace_hopper_512x512.jpg" "$work/astronaut.png"
ffmpeg -v error -y -i "$work/marked/grace_hopper_512x512.jpg" -i "$work/marked/astronaut.png" -filter_complex hstack \
  -q:v 3 -update 1 docs/faces.jpg
"$winnow" faces --out "$work/points" "$work/grace_hopper_512x512.jpg" "$work/astronaut.png"
ffmpeg -v error -y -i "$work/points/grace_hopper_512x512.jpg" -i "$work/points/astronaut.png" -filter_complex hstack \
  -q:v 3 -update 1 docs/points.jpg
