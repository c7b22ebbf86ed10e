# setup GROUP...: installs the missing packages of these groups (Debian 12, as root). Without root, it prints the
# command to run. It prints nothing if no package is missing. ./dev sources this file.

packages_of() {
  case $1 in
    build) echo build-essential ccache cmake ninja-build pkg-config libhwy-dev libtbb-dev libpugixml-dev libyaml-dev libflatbuffers-dev \
      flatbuffers-compiler libcli11-dev libfmt-dev nlohmann-json3-dev libjpeg62-turbo-dev libpng-dev libwebp-dev libavcodec-dev \
      libavformat-dev libavutil-dev libswscale-dev libavdevice-dev libtiff-dev libheif-dev opencv-data ;;
    test) echo libgtest-dev libgmock-dev python3 ffmpeg libopenmpi-dev openmpi-bin ;;
    check) echo git clang clang-format libclang-rt-14-dev python3 python3-venv ;;
    witness) echo libopencv-dev libbenchmark-dev libdlib-dev ;;  # rivals, in tests and benches only
    *)
      echo "dev: setup knows the groups build, test, check and witness, not '$1'" >&2
      return 2
      ;;
  esac
}

setup() {
  local group wanted=() missing=()
  for group in $*; do
    wanted+=($(packages_of "$group"))
  done
  if ! command -v dpkg-query >/dev/null; then
    echo "dev: this is not Debian; what is needed there is called: ${wanted[*]}" >&2
    return 0
  fi
  missing=($(comm -23 <(printf '%s\n' "${wanted[@]}" | sort -u) <(
    dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${wanted[@]}" 2>/dev/null | sed -n 's/ installed$//p' | sort -u)))
  ((${#missing[@]})) || return 0
  if ((EUID != 0)); then
    echo "dev: packages are missing. As root:  apt-get install --no-install-recommends ${missing[*]}" >&2
    return 1
  fi
  echo "Installing ${missing[*]}" >&2
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >&2
  apt-get install -y -qq --no-install-recommends "${missing[@]}" </dev/null >&2
}
