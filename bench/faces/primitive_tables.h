// Makes the tables of primitives in a thesis on faces: sums, compaction and integral images.
//
// In:     numbers of values, or sizes of pictures. `device`: true for the first device, false for one thread
//         of the host.
// Out:    tables in the form of `results_file.h`. The standard library's algorithms run beside Winnow's.
// Exact:  each form gives the values of the reference, or an error is thrown. Times vary.
// Memory: the caller owns the tables. Values are freed with each row.
// Thread: one thread at a time.
#pragma once

#include <winnow/image.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "results_file.h"
#include "scale/integral.h"

namespace bench {

// A list of windows, and a mask by which each window lives with a probability of one half.
struct LivingList {
  std::vector<std::int64_t> windows;
  std::vector<std::uint64_t> mask;  // as `compact.h` reads it
};
LivingList living_list(std::size_t count);

// Copies the windows that live by `std::copy_if`, and returns their number. `out` has room for all windows.
std::size_t compact_std(const LivingList& list, std::span<std::int64_t> out);

// Makes planes with the standard library: scans each row, then adds the row above. `square.data` may be null.
void integral_std(winnow::GrayView picture, const winnow::IntegralPlanes& planes);

ResultList reduction_results(std::span<const std::size_t> counts, bool device, int repeat);
ResultList compaction_results(std::span<const std::size_t> counts, bool device, int repeat);
ResultList integral_results(std::span<const winnow::Size> sizes, bool device, int repeat);

}  // namespace bench
