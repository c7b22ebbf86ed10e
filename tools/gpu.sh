# gpu_bundle: what a bare machine with an NVIDIA driver needs to test and time the cuda backend, in build/gpu-bundle/:
# programs, the libraries that such a machine lacks, cascades, pictures. Sourced by ./dev.

gpu_data() { echo "${WINNOW_DATA:-../shared/data}"; }

gpu_bundle() {
  local bundle=build/gpu-bundle program
  rm -rf "$bundle"
  mkdir -p "$bundle"/{bin,lib,cascades,pictures}
  for program in build/gpu/bin/*; do
    [[ $program == *versus_opencv ]] || strip -o "$bundle/bin/$(basename "$program")" "$program"
  done
  # Whatever is linked but the C and C++ runtimes, which newer systems have in newer versions.
  ldd "$bundle"/bin/* | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p' | sort -u | grep -Ev '/(libc|libm|libstdc\+\+|libgcc_s|libpthread|libdl|librt)\.so' |
    xargs -I{} cp -L {} "$bundle/lib/"
  cp /usr/share/opencv4/{haar,lbp}cascades/*.xml "$bundle/cascades/"
  tools/photos.sh
  cp build/photos/* "$bundle/pictures/"
  if [[ -d $(gpu_data)/scenes ]]; then
    python3 tools/pictures_of_size.py 640 480 64 "$(gpu_data)"/scenes | xargs -I{} cp {} "$bundle/pictures/"
  else
    echo "dev: without WINNOW_DATA the bundle has two photographs only" >&2
  fi
  cp tools/gpu_run.sh "$bundle/run"
  du -sh "$bundle"
}
