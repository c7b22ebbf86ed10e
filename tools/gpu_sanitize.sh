#!/usr/bin/env bash
# sanitize: on a machine with a device, runs compute-sanitizer's four tools on small tests, within five minutes. The
# runs of racecheck are slow, and each needs one core of the host, so they run at the same time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
[[ -d bin ]] || python3 -m tarfile -e programs.tar.xz .  # a bare machine may lack xz
export WINNOW_REQUIRE_CUDA=1 WINNOW_CASCADES=12 WINNOW_ROUNDS=5
under() {  # TOOL TEST FILTER
  local said status=0
  said=$(compute-sanitizer --error-exitcode 1 --tool "$1" "bin/winnow_$2_test" --gtest_brief=1 --gtest_filter="$3" 2>&1) || status=$?
  printf '%s s: %s, winnow_%s_test %s\n' $SECONDS "$1" "$2" "$3"
  if ((status != 0)); then printf '%s\n' "$said"; else printf '%s\n' "$said" | tail -n 1; fi
  return $status
}
for tool in memcheck initcheck synccheck; do
  under $tool sieve 'StagesCuda.*'
  under $tool detection 'DetectorCuda.Sizes*:DetectorCuda.Minimum*:DetectorCuda.MemoryIs*:DetectorCuda.Devices*:DetectorCuda.WavesSide*:DetectorCuda.Long*:PinnedCuda.*'
  under $tool hog 'HogCuda.ManyPasses:HogCuda.Pixels*:HogCuda.APicture*'
  under $tool detection 'DetectorHogCuda.Options*:DetectorHogCuda.Pinned*'
  under $tool group 'Group.Cuda*'
  under $tool detection 'CallsCuda.*'
  under $tool scale 'IntegralCuda.SizesAround*:FrameBatchCuda.*:HalveCuda.Small*:GaussianPyramidCuda.Fewer*:GaussianPyramidCuda.Graph*'
  under $tool track 'FlowCuda.Lists*:WindowSieveCuda.FramesAlmost*:WindowSieveCuda.All*:WindowSieveCuda.Several*'
  under $tool primitives '*Cuda*'
  under $tool base '*Cuda*'
  under $tool learn 'BinTable*Cuda.*:*BinTableCuda*/Lbp'
done
racing=()
race() {  # TEST FILTER
  under racecheck "$@" &
  racing+=($!)
}
race sieve 'StagesCuda.Random*:StagesCuda.Odd*:StagesCuda.OneStage*'
race primitives 'ReduceCuda.*:CompactCuda.*'
race scale 'FrameBatchCuda.*:HalveCuda.Small*'
race track 'FlowCuda.Lists*'
race track 'WindowSieveCuda.FramesAlmost*:WindowSieveCuda.TheLeast*:WindowSieveCuda.Several*'
race detection 'DetectorCuda.Minimum*:DetectorCuda.Long*'
race hog 'HogCuda.Pixels*'
race group 'Group.CudaChains*'
race scale 'IntegralCuda.PlanesAt*'
race learn 'BinTableTiesCuda.*'
for run in "${racing[@]}"; do wait "$run"; done
echo "nothing found, ${SECONDS} s"
