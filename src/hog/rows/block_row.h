// Normalises the sums of a row of blocks with SIMD, one block per lane.
//
// In:     sums, value by value: value i of all blocks begins at i * pitch. `pitch` is a multiple of 16.
// Out:    values in pairs: pair i of all blocks begins at i * pitch. The first value is in the low 16 bits.
// Exact:  the values of `normalise_block`.
// Memory: nothing is allocated; the sums are overwritten.
// Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>

namespace winnow {

void normalise_row_cpu(float* sums, int values, int pitch, float length_offset, float clip,
                       std::int32_t* pairs);

// Writes the values of one block side by side. `pairs`: the block's first pair.
inline void unpack_block(const std::int32_t* pairs, std::ptrdiff_t pitch, int values, std::int16_t* to) {
  for (int k = 0; k < values; k += 2, pairs += pitch) {
    to[k] = static_cast<std::int16_t>(*pairs & 0xffff);
    if (k + 1 < values) to[k + 1] = static_cast<std::int16_t>(*pairs >> 16);
  }
}

}  // namespace winnow
