# gpu_bundle: fills build/gpu-bundle/ with all that a bare machine with an NVIDIA driver needs to test and time `cuda`.
# The bundle has programs, the libraries that such a machine lacks, cascades, pictures, and hashes of right answers.
# Programs, libraries and cascades are packed; run and sanitize unpack them. gpu_hashes makes the hashes. ./dev sources
# this file.

gpu_limit=60000000          # bytes of the bundle
gpu_witness_limit=12000000  # bytes of its witness pictures; fixed, because the hashes belong to these pictures

gpu_data() { echo "${WINNOW_DATA:-../shared/data}"; }

gpu_mosaics() {  # TILES WIDTH:HEIGHT FOLDER
  ffmpeg -loglevel error -pattern_type glob -framerate 1 -i "build/gpu-bundle/pictures/vga/*.jpg" \
    -vf "tile=$1,crop=$2:0:0,format=gray" -frames:v 7 -q:v 2 "$3/%02d.jpg"
}

gpu_bytes() { du -sb "$@" | awk '{sum += $1} END {print sum + 0}'; }

# Copies the witness pictures that are files. If they exceed the limit, the largest are left out. The copy of "a/b.jpg"
# is "a__b.jpg".
gpu_witness_pictures() {  # FOLDER
  local witness=build/witness/bin/winnow_witness data name size sum=0 dropped=0
  data=$(gpu_data)
  if [[ ! -x $witness || ! -d $data ]]; then
    echo "dev: without $witness or WINNOW_DATA the bundle lacks the witness pictures" >&2
    return 0
  fi
  mkdir -p "$1"
  while read -r size name; do
    if (((sum += size) > gpu_witness_limit)); then
      dropped=$((dropped + 1))
    else
      cp "$data/$name" "$1/${name//\//__}"
    fi
  done < <("$witness" --list --data "$data" | grep -v '^tiled/' | (cd "$data" && xargs -d '\n' stat -c '%s %n') | sort -n)
  echo "$1: $(ls "$1" | wc -l) pictures, $dropped larger ones dropped"
}

# Makes hashes of the answers of `reference` on the bundle's witness pictures, with two processes. The work takes half
# an hour of one core in all. After an interruption, it resumes.
gpu_hashes() {
  local pictures=(build/gpu-bundle/pictures/witness/*) first=haarcascade_frontalface
  if [[ ! -e ${pictures[0]} ]]; then
    echo "dev: ./dev gpu must have put the witness pictures into build/gpu-bundle first" >&2
    return 1
  fi
  printf '%s\n' 1/2 2/2 | xargs -P 2 -I{} nice -n 19 build/gpu/bin/winnow_conformance --part {} \
    --wanted reference --write build/conformance-hashes.txt --pixels 307200 --sizes 97x75,641x479,3840x2160 \
    --models "${first}_alt,${first}_alt2,${first}_default,${first}_alt_tree,lbpcascade_frontalface,*" "${pictures[@]}"
}

gpu_bundle() {
  local bundle=build/gpu-bundle program
  rm -rf "$bundle"
  mkdir -p "$bundle"/{bin,lib,cascades} "$bundle"/pictures/{vga,720p,1080p}
  for program in winnow winnow_mosaic winnow_conformance winnow_steps_cuda winnow_schedulers_cuda winnow_scans_cuda winnow_people_tables_cuda \
    winnow_face_tables winnow_training winnow_flow_cuda winnow_{base,scale,track,sieve,hog,group,learn,backend,session,train,detection,primitives,benches,seams}_test; do
    strip -o "$bundle/bin/$program" "build/gpu/bin/$program"
  done
  # Copy all linked libraries except the C and C++ runtimes, which newer systems have in newer versions.
  ldd "$bundle"/bin/* | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p' | sort -u | grep -Ev '/(libc|libm|libstdc\+\+|libgcc_s|libpthread|libdl|librt)\.so' |
    xargs -I{} cp -L {} "$bundle/lib/"
  cp /usr/share/opencv4/{haar,lbp}cascades/*.xml "$bundle/cascades/"
  tools/photos.sh
  cp build/photos/* "$bundle/pictures/"
  if [[ -d $(gpu_data)/scenes ]]; then
    python3 tools/pictures_of_size.py 640 480 64 "$(gpu_data)"/scenes | xargs -I{} cp {} "$bundle/pictures/vga/"
    # Larger pictures that are as sharp: four or nine of these side by side.
    gpu_mosaics 2x2 1280:720 "$bundle/pictures/720p"
    gpu_mosaics 3x3 1920:1080 "$bundle/pictures/1080p"
  else
    echo "dev: without WINNOW_DATA the bundle has two photographs only" >&2
  fi
  gpu_witness_pictures "$bundle/pictures/witness"
  if [[ -f build/conformance-hashes.txt ]]; then cp build/conformance-hashes.txt "$bundle/hashes.txt"; fi
  cp models/face.winnow "$bundle/"
  # OpenCV's people model, for the tables of people.
  local people=build/witness/bin/winnow_people_tables
  if [[ -x $people ]]; then
    "$people" --svm-out "$bundle/people.xml"
  else
    echo "dev: without $people the bundle lacks OpenCV's people model" >&2
  fi
  git rev-parse --short HEAD >"$bundle/commit"
  cp tools/gpu_run.sh "$bundle/run"
  cp tools/gpu_sanitize.sh "$bundle/sanitize"
  gpu_pack "$bundle"
}

# Packs programs, libraries and cascades (100 MB). All programs contain the same library. A dictionary larger than all
# programs together lets xz store the library once.
gpu_pack() {  # BUNDLE
  tar -C "$1" --owner=0 --group=0 -c bin lib cascades | xz --lzma2=preset=2,dict=128MiB >"$1/programs.tar.xz"
  rm -r "$1"/{bin,lib,cascades}
  du -sh --apparent-size "$1"
  if (($(gpu_bytes "$1") > gpu_limit)); then
    echo "dev: the bundle has more than $gpu_limit bytes" >&2
    return 1
  fi
}
