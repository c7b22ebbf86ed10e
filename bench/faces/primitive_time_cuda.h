// Times primitives on the first device: sums, compaction and integral planes.
//
// In:     values in host memory. They are copied before the time begins.
// Out:    the median time of a run by device events in microseconds, and the results in host memory.
// Exact:  results as `reduce.h`, `compact.h` and `integral.h` define them.
// Memory: allocates in each call.
// Thread: one thread at a time.
#pragma once

#include <winnow/image.h>

#include <cstdint>
#include <span>
#include <vector>

#include "scale/integral.h"

namespace bench {

double time_device_sum(std::span<const std::uint32_t> values, int repeat, std::uint64_t& sum);
double time_device_compaction(std::span<const std::int64_t> windows, std::span<const std::uint64_t> mask,
                              int repeat, std::vector<std::int64_t>& living);
// Fills the planes of the caller. `planes.square.data` may be null.
double time_device_integral(winnow::GrayView picture, int repeat, const winnow::IntegralPlanes& planes);

}  // namespace bench
