# gpu_bundle: what a bare machine with an NVIDIA driver needs to test and time the cuda backend, in build/gpu-bundle/:
# programs, the libraries that such a machine lacks, cascades, pictures. Sourced by ./dev.

gpu_data() { echo "${WINNOW_DATA:-../shared/data}"; }

gpu_mosaics() {  # TILES WIDTH:HEIGHT FOLDER
  ffmpeg -loglevel error -pattern_type glob -framerate 1 -i "build/gpu-bundle/pictures/vga/*.jpg" \
    -vf "tile=$1,crop=$2:0:0,format=gray" -frames:v 7 -q:v 2 "$3/%02d.jpg"
}

gpu_bundle() {
  local bundle=build/gpu-bundle program
  rm -rf "$bundle"
  mkdir -p "$bundle"/{bin,lib,cascades} "$bundle"/pictures/{vga,720p,1080p}
  for program in winnow winnow_conformance winnow_steps_cuda winnow_{sieve,group,session}_test; do
    strip -o "$bundle/bin/$program" "build/gpu/bin/$program"
  done
  # Whatever is linked but the C and C++ runtimes, which newer systems have in newer versions.
  ldd "$bundle"/bin/* | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p' | sort -u | grep -Ev '/(libc|libm|libstdc\+\+|libgcc_s|libpthread|libdl|librt)\.so' |
    xargs -I{} cp -L {} "$bundle/lib/"
  cp /usr/share/opencv4/{haar,lbp}cascades/*.xml "$bundle/cascades/"
  tools/photos.sh
  cp build/photos/* "$bundle/pictures/"
  if [[ -d $(gpu_data)/scenes ]]; then
    python3 tools/pictures_of_size.py 640 480 64 "$(gpu_data)"/scenes | xargs -I{} cp {} "$bundle/pictures/vga/"
    # Larger ones, as sharp as these: four or nine of them side by side.
    gpu_mosaics 2x2 1280:720 "$bundle/pictures/720p"
    gpu_mosaics 3x3 1920:1080 "$bundle/pictures/1080p"
  else
    echo "dev: without WINNOW_DATA the bundle has two photographs only" >&2
  fi
  cp tools/gpu_run.sh "$bundle/run"
  cp tools/gpu_sanitize.sh "$bundle/sanitize"
  du -sh "$bundle"
}
