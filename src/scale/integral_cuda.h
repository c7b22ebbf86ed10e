// Integral planes in device memory, values as `integral.h` defines them: sums and, where wanted, squared sums
// of a list of pictures, all in one launch. exact. In: the pictures as a `PyramidView` lists them (levels of
// a frame, or any other list), whose rows begin at multiples of 4 bytes and may be read up to the next. Out:
// planes in memory of the caller's, at places told to `plan`; nothing beside them is written but a row's
// padding, where there is some. Sixteen bytes at a time where planes and strides are multiples of that, else
// four. Costs one pass: pixels are read once, values written once, and 2 KB a plane for 128 x 128 pixels.
// Tiles tell each other their sums in memory that belongs to the object (asked for by `plan`, which waits;
// `enqueue` asks for none and does not wait): its runs follow one another, on whatever stream or in a graph,
// and no more than one is under way at a time.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>

#include <winnow/box.h>

#include "base/cuda_memory.h"
#include "scale/pyramid_cuda.h"

namespace winnow {

class DeviceIntegral {
 public:
  // Where a picture's planes lie: the first value, from the beginning of the planes' memory, how many values
  // lie from one row to the next, and how many of them may be written: where there is room for whole 32
  // bytes, those behind the picture's own are the last one again (parts of 32 bytes cost a read, too).
  struct Place {
    std::int64_t first;
    std::int64_t stride;
    std::int64_t room;
  };
  void plan(std::span<const Size> sizes, std::span<const Place> places, bool square);
  // `square` is not looked at if it was not planned.
  void enqueue(const PyramidView& pictures, int frame, std::uint32_t* sum, std::uint32_t* square,
               cudaStream_t stream) const;

  // For the kernel.
  struct Tile {
    std::uint32_t picture, column, row;
  };
  struct Grid {
    Place place;
    std::uint32_t columns, rows;  // of tiles
    std::int32_t values;          // of a row that are written
  };

 private:
  bool square_ = false;
  int form_ = 0;  // of tiles
  std::uint32_t tile_count_ = 0;
  DeviceBuffer<Tile> tiles_;
  DeviceBuffer<Grid> grids_;
  DeviceBuffer<unsigned long long> words_;  // the tickets' counter, then what tiles tell each other
};

}  // namespace winnow
