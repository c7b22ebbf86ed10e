#!/usr/bin/env bash
# Puts the two photographs of the package facedetect, a portrait and a landscape without faces, into build/photos.
# The package is unpacked, not installed, because it depends on a Python and an OpenCV that are not needed here.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
from=/usr/share/doc/facedetect/examples
to=build/photos
names=(grace_hopper_512x512.jpg 640px-IceBlockNearJoekullsarlon.jpg)
there() { for name in "${names[@]}"; do [[ -f $1/$name ]] || return 1; done; }

there "$to" && exit 0
mkdir -p "$to"
if ! there "$from"; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  chmod 755 "$work"  # apt may download as another user, who must enter the folder
  if [[ $EUID == 0 && -z $(apt-cache show facedetect 2>/dev/null) ]]; then apt-get update -qq >&2; fi
  (cd "$work" && apt-get download -qq -o APT::Sandbox::User=root facedetect >&2 && dpkg -x facedetect_*.deb .)
  from=$work$from
fi
for name in "${names[@]}"; do cp "$from/$name" "$to/"; done
