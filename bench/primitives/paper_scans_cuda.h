// Builds integral planes and long scans as papers and textbooks do, as baselines for a bench.
//
// In:     a batch of pictures of one size in device memory, one after the other, rows `width` bytes apart; or
//         a list of numbers.
// Out:    planes or sums in device memory, in stream order.
// Exact:  sums of integers are exact modulo 2^32. Sums of floats are rounded in the order of each scan.
// Memory: the caller owns all lists and planes. Nothing is allocated.
// Thread: any. The stream's device must be current.
//
// - Plain passes: one warp per row, then one thread per column. Winnow made planes in this way before it did
//   so in one pass.
// - Row scans and transposes: each row is scanned in blocks of 512 with a carry. The plane is transposed,
//   scanned and transposed again. The sums are inclusive, without the row and column of zeros.
// - Blelloch: the work-efficient tree, with padding against bank conflicts.
// - Kogge-Stone: log2(512) steps in shared memory, with one buffer (two barriers per step) or two buffers
//   (one barrier per step). The global form launches a kernel per step over whole rows in global memory.
// - Long scans: exclusive, in blocks of 512. The blocks' sums are scanned by the same method and added.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/device/cuda_device.h"

namespace bench {

enum class PaperScan { kBlelloch, kKoggeStone, kKoggeStoneTwoBuffers, kKoggeStoneGlobal };

struct Batch {
  int width, height, count;
  std::size_t pixels() const {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
           static_cast<std::size_t>(count);
  }
};

// Planes have (width + 1) x (height + 1) values, rows `stride` values apart. The pictures' planes lie one
// below the other. `square` may be null.
void plain_passes(const std::uint8_t* pixels, const Batch& batch, std::uint32_t* sum, std::uint32_t* square,
                  std::int64_t stride, cudaStream_t stream);

// One pass without sums, to time the memory traffic alone. The pass reads pixels, and writes sixteen bytes at
// a time to the places of the sums. `width` must be a multiple of four.
void no_sums(const std::uint8_t* pixels, const Batch& batch, std::uint32_t* sum, std::uint32_t* square,
             std::int64_t stride, cudaStream_t stream);

// `a` and `b` have room for `batch.pixels()` values each. Returns `a` or `b`, whichever holds the sums. T is
// std::uint32_t, float or double.
template <class T>
T* integral_by_transposes(PaperScan scan, const std::uint8_t* pixels, const Batch& batch, T* a, T* b,
                          cudaStream_t stream);

// `sums` has room for `sums_of_blocks(count)` values. `scan` is not kKoggeStoneGlobal.
std::size_t sums_of_blocks(std::size_t count);
void exclusive_scan(PaperScan scan, const std::uint32_t* in, std::uint32_t* out, std::size_t count,
                    std::uint32_t* sums, cudaStream_t stream);

}  // namespace bench
