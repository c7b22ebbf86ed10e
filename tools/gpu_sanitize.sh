#!/usr/bin/env bash
# sanitize: on a machine with a device: compute-sanitizer's four tools on tests small enough for them; five minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
[[ -d bin ]] || python3 -m tarfile -e programs.tar.xz .  # a bare machine may lack xz
export WINNOW_REQUIRE_CUDA=1 WINNOW_CASCADES=8 WINNOW_ROUNDS=5
under() {  # TOOL TEST FILTER
  echo "$SECONDS s: $1, winnow_$2_test $3"
  compute-sanitizer --error-exitcode 1 --tool "$1" "bin/winnow_$2_test" --gtest_brief=1 --gtest_filter="$3" | tail -n 1
}
for tool in memcheck initcheck synccheck; do
  under $tool sieve 'StagesCuda.*:CompactCuda.*'
  under $tool session 'FinderCuda.Sizes*:FinderCuda.Minimum*:FinderCuda.MemoryIs*:FinderCuda.Devices*:FinderCuda.WavesSide*:FinderCuda.Long*:PinnedCuda.*'
  under $tool group 'Group.Cuda*'
  under $tool scale 'IntegralCuda.SizesAround*'
  under $tool base '*Cuda*'
  under $tool train 'BinTable*Cuda.*:*BinTableCuda*/Lbp'
done
under racecheck sieve 'StagesCuda.Random*:StagesCuda.Odd*:StagesCuda.OneStage*:CompactCuda.*'
under racecheck session 'FinderCuda.Minimum*:FinderCuda.Long*'
under racecheck group 'Group.CudaWays*'
under racecheck base 'ReduceCuda.*'
under racecheck scale 'IntegralCuda.PlanesAt*'
under racecheck train 'BinTableTiesCuda.*'
echo "nothing found, ${SECONDS} s"
