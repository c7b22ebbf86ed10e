#!/usr/bin/env bash
# install_test.sh BUILD: installs BUILD into build/install and uses Winnow as other projects do: the installed command,
# find_package and add_subdirectory; shared and static; with and without video and CUDA. All uses must find the same
# boxes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
built=$1
work=$PWD/build/consume
jobs=${WINNOW_JOBS:-$(nproc)}
rm -rf build/install build/install-static "$work/found"
mkdir -p "$work/found"
python3 -B tests/consume/make_scene.py "$work/scene"
scene=("$work/scene/square.xml" "$work/scene/squares.pgm")

quietly() {
  "$@" >"$work/log" 2>&1 || { cat "$work/log"; return 1; }
}

consume() {  # NAME PROJECT BUILD-TYPE [CMAKE ARGUMENTS]
  local name=$1 project=$2 type=$3 folder=build/consume-$1
  shift 3
  quietly cmake -S "tests/consume/$project" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE="$type" "$@"
  quietly cmake --build "$folder" -j "$jobs" --target boxes boxes_module
  "$folder/boxes" "${scene[@]}" >"$work/found/$name"
  # Names of inline functions (W, V) come from the headers.
  if nm -DC --defined-only "$folder/libboxes_module.so" | grep -E '^[0-9a-f]+ [^WVu] winnow::'; then
    echo "$name: a shared library that links Winnow exports these names of Winnow's"
    return 1
  fi
  if ! [[ -s $work/expected ]] || ! cmp "$work/expected" "$work/found/$name"; then
    echo "$name: finds other boxes than the command"
    return 1
  fi
  echo "$name: $(wc -l <"$work/found/$name") boxes, the command's"
}

# The installed command, in the folder of the installation.
quietly cmake --install "$built" --prefix build/install
env -u LD_LIBRARY_PATH build/install/bin/winnow detect --quiet -m "${scene[@]}" | python3 -c '
import json, sys
for line in sys.stdin:
    for o in json.loads(line)["objects"]:
        print(o["x"], o["y"], o["width"], o["height"])' >"$work/expected"
# libwinnow opens the library that reads videos when a video needs it. The library must be found in the installation.
has_library=false
if compgen -G "$built/lib/libwinnow-video-*.so" >/dev/null; then has_library=true; fi
env -u LD_LIBRARY_PATH build/install/bin/winnow backends --json | python3 -c '
import json, sys
if json.load(sys.stdin)["video"] != (sys.argv[1] == "true"):
    sys.exit("the installed command does not find the library that reads videos")' "$has_library"
if readelf -d build/install/bin/winnow | grep -E 'R(UN)?PATH' | grep -qF "$PWD"; then
  echo "the installed command names this build's folder"
  exit 1
fi

# Debug builds may have a postfix in their names. libwinnow must know the postfix of the library that it opens.
quietly cmake -S . -B "$work/postfix" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_DEBUG_POSTFIX=-debug -DWINNOW_CUDA=OFF \
  -DWINNOW_TESTS=OFF -DWINNOW_BENCH=OFF
if $has_library && ! { grep -qE '^build lib/libwinnow-video-[0-9.]+-debug\.so:' "$work/postfix/build.ninja" &&
  grep -qE 'WINNOW_VIDEO_LIBRARY=\\"libwinnow-video-[0-9.]+-debug\.so' "$work/postfix/build.ninja"; }; then
  echo "with a postfix libwinnow does not know the name of the library that reads videos"
  exit 1
fi

# Winnow's sources compile with the flags and the relative paths of BUILD here, so ccache serves most objects.
consume find_package find_package Debug -DCMAKE_PREFIX_PATH="$PWD/build/install"
consume add_subdirectory add_subdirectory Release -DWINNOW_WERROR=ON -DWINNOW_VIDEO=OFF -DWINNOW_CUDA=OFF
consume static add_subdirectory Release -DWINNOW_WERROR=ON -DBUILD_SHARED_LIBS=OFF -DWINNOW_VIDEO=ON
quietly cmake --install build/consume-static --prefix build/install-static
consume find_package_static find_package Debug -DCMAKE_PREFIX_PATH="$PWD/build/install-static"
