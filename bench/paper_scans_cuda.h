// Baselines: integral planes and long scans as papers and textbooks build them, written for comparison only.
//   Plain passes: a warp a row, then a thread a column; what the product had before it read pixels once.
//   Row scans and transposes: each row is scanned in blocks of 512 with a carry, the plane is transposed,
//   scanned and transposed again; inclusive sums without the row and column of zeros. Blelloch: the
//   work-efficient tree with padding against bank conflicts. Kogge-Stone: log2(512) steps in shared memory,
//   with one buffer (two barriers a step) or two (one barrier), or a launch a step over whole rows in global
//   memory. Long scans: exclusive, blocks of 512, their sums scanned in the same way, and added.
// Pictures of a batch have one size and lie one after the other, rows `width` bytes apart.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/cuda_device.h"

namespace bench {

enum class PaperScan { kBlelloch, kKoggeStone, kKoggeStoneTwoBuffers, kKoggeStoneGlobal };

struct Batch {
  int width, height, count;
  std::size_t pixels() const {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
           static_cast<std::size_t>(count);
  }
};

// Planes of (width + 1) x (height + 1) values, rows `stride` values apart, one picture's below the other's.
// `square` may be null.
void plain_passes(const std::uint8_t* pixels, const Batch& batch, std::uint32_t* sum, std::uint32_t* square,
                  std::int64_t stride, cudaStream_t stream);

// What one pass costs that adds nothing up: pixels read, sixteen bytes at a time written where sums would go,
// no sums. Rows of a multiple of four pixels only.
void no_sums(const std::uint8_t* pixels, const Batch& batch, std::uint32_t* sum, std::uint32_t* square,
             std::int64_t stride, cudaStream_t stream);

// `a` and `b` have room for `batch.pixels()` values; one of them, which is returned, gets the sums. For
// std::uint32_t, float and double.
template <class T>
T* integral_by_transposes(PaperScan scan, const std::uint8_t* pixels, const Batch& batch, T* a, T* b,
                          cudaStream_t stream);

// `sums` has room for `sums_of_blocks(count)` values. Not kKoggeStoneGlobal.
std::size_t sums_of_blocks(std::size_t count);
void exclusive_scan(PaperScan scan, const std::uint32_t* in, std::uint32_t* out, std::size_t count,
                    std::uint32_t* sums, cudaStream_t stream);

}  // namespace bench
