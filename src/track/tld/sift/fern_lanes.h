// Makes the ferns' patterns of windows that begin at neighbouring pixels of a row, with SIMD.
//
// In:     the first pixel of a blurred picture's row from which windows begin, and the offsets of their size.
//         `kFernLanes` pixels can be read from each offset on, also behind the end of the picture.
// Out:    for each of `kFernLanes` pixels the pattern of a window that begins there.
// Exact:  as `fern_pattern` (`ferns.h`).
// Memory: plain data.
// Thread: any.
// Cost:   130 comparisons of vectors, whatever the number of windows. `fern_pattern` takes 130 for a window.
#pragma once

#include <cstdint>

#include "track/tld/ferns.h"

namespace winnow {

inline constexpr int kFernLanes = 64;

struct FernLanes {
  std::uint16_t codes[kFerns][kFernLanes];

  FernPattern pattern(int lane) const {
    FernPattern pattern;
    for (std::size_t fern = 0; fern < kFerns; ++fern) pattern[fern] = codes[fern][lane];
    return pattern;
  }
};

void find_fern_lanes(const std::uint8_t* first, const FernOffsets& offsets, FernLanes& lanes);

}  // namespace winnow
