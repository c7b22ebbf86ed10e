// Normalises the sums of a row of blocks with SIMD, a block a lane.
//
// In:     sums, value by value: value i of all blocks begins at i * pitch. `pitch` is a multiple of 16.
// Out:    values in pairs: pair i of all blocks begins at i * pitch. The first value is in the low 16 bits.
// Exact:  the values of `normalise_block`.
// Memory: nothing is allocated; the sums are overwritten.
// Thread: any.
#pragma once

#include <cstdint>

namespace winnow {

void normalise_row_cpu(float* sums, int values, int pitch, float calm, float clip, std::int32_t* pairs);

}  // namespace winnow
