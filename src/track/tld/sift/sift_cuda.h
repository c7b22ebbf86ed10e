// Sifts the windows of a level on a device: by variance, then by ferns.
//
// In:     integral planes of the level, its blurred copy, a grid of windows, and the tables of an object.
// Out:    a `LikelyWindow` for each window that varies enough and whose ferns give `kFernOne` or more, in the
//         order of the windows' numbers, in pinned memory; and their number.
// Exact:  the list of `sift_windows_ref`. `--fmad=false` keeps doubles as the host has them.
// Memory: a `SiftTables` says where tables lie in a block of bytes. The caller owns all memory. Nothing is
//         allocated and the call does not wait.
// Thread: any.
// Cost:   three launches. Ferns read 260 pixels for each window that varies enough.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "track/tld/learnt_object.h"
#include "track/tld/object_search.h"

namespace winnow {

// The windows of one size.
struct SiftSize {
  std::int64_t first_window;
  double least_spread;  // a window whose spread is less does not vary enough
  std::uint32_t windows, cols, step, first_tile;
  std::int32_t width, height;
};

// Where the tables of an object lie in a block of bytes, which begins at a multiple of 16.
class SiftTables {
 public:
  SiftTables() = default;
  explicit SiftTables(const ObjectGrid& grid);
  void write(const ObjectGrid& grid, const LearntObject& object, std::uint8_t* block) const;

  std::size_t bytes() const { return bytes_; }
  std::int32_t sizes() const { return sizes_; }
  std::uint32_t tiles() const { return tiles_; }
  const SiftSize* sizes_in(const std::uint8_t* block) const {
    return reinterpret_cast<const SiftSize*>(block);
  }
  const int2* offsets_in(const std::uint8_t* block) const {
    return reinterpret_cast<const int2*>(block + offsets_);
  }
  const std::uint16_t* values_in(const std::uint8_t* block) const {
    return reinterpret_cast<const std::uint16_t*>(block + values_);
  }

 private:
  std::int32_t sizes_ = 0;
  std::uint32_t tiles_ = 0;
  std::size_t offsets_ = 0, values_ = 0, bytes_ = 0;
};

// Where the windows of a tile that remain lie in the scratch. A tile is what one block of threads sifts.
struct SiftTile {
  std::uint64_t first;
  std::uint32_t count;
};

struct SiftWork {
  const SiftSize* sizes;
  const int2* offsets;
  const std::uint16_t* values;
  const std::uint32_t *sums, *squares;
  std::int64_t plane_stride;  // in values
  const std::uint8_t* blurred;
  std::int32_t pitch;  // of the blurred picture
  std::int32_t size_count;
  std::uint32_t tile_count;
  SiftTile* tiles;
  std::uint64_t* places;  // of each tile's first window in the list
  LikelyWindow* scratch;
  std::uint64_t capacity;  // of the scratch and of the list
  std::uint64_t* taken;    // the part of the scratch that tiles took, on the device
  LikelyWindow* list;      // pinned, as the next is
  // The number of windows. If there are more than `capacity`, nothing is in the list.
  std::uint64_t* count;
};

void sift_on_device(const SiftWork& work, cudaStream_t stream);

}  // namespace winnow
