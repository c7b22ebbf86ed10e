// Makes integral planes of a list of pictures in device memory, in one launch: sums, and squared sums if
// planned.
//
// In:     pictures of the planned sizes, as a `PyramidView` lists them: levels of a frame, or any other list.
//         Rows begin at multiples of 4 bytes, and may be read up to the next multiple of 4.
// Out:    planes at the places given to `plan`. Besides the planes only the padding of rows is written, if
//         the place has room for padding.
// Exact:  values as `integral.h` defines them.
// Memory: the caller owns pictures and planes. `DeviceIntegral` owns the memory in which tiles exchange sums.
//         `plan` allocates that memory and waits. `enqueue` allocates nothing and does not wait. Sizes and
//         places are read only during `plan`.
// Thread: runs of one object follow one another, on any stream or in a graph. No two runs may overlap.
// Cost:   one pass. Pixels are read once, values are written once, and tiles exchange 2 KB per plane and tile
//         of 128x128 pixels. Writes are 16 bytes wide if planes and strides are multiples of 16 bytes, else 4
//         bytes wide.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>

#include <winnow/box.h>

#include "base/device/cuda_memory.h"
#include "scale/pyramid_cuda.h"

namespace winnow {

class DeviceIntegral {
 public:
  // Where a picture's planes lie in the planes' memory, in values.
  struct Place {
    std::int64_t first;   // the place of the plane's first value
    std::int64_t stride;  // the distance from one row to the next
    // The number of values of a row that may be written. If there is room, the last value is repeated to the
    // end of its sector of 32 bytes. A partly written sector would cost a read.
    std::int64_t room;
  };
  // Throws kUsage unless there are as many places as sizes.
  void plan(std::span<const Size> sizes, std::span<const Place> places, bool square);
  // `sum` and `square` are the beginnings of the planes' memory. `square` is ignored if it was not planned.
  void enqueue(const PyramidView& pictures, int frame, std::uint32_t* sum, std::uint32_t* square,
               cudaStream_t stream) const;

  // `Tile` and `Grid` are arguments of the kernel.
  struct Tile {
    std::uint32_t picture, column, row;
  };
  struct Grid {
    Place place;
    std::uint32_t columns, rows;  // the numbers of columns and of rows of tiles
    std::int32_t values;          // the number of values of a row that are written
  };

 private:
  bool square_ = false;
  int form_ = 0;  // index in the list of tile forms
  std::uint32_t tile_count_ = 0;
  DeviceBuffer<Tile> tiles_;
  DeviceBuffer<Grid> grids_;
  DeviceBuffer<unsigned long long> words_;  // the counter of tickets, then the sums that tiles publish
};

}  // namespace winnow
