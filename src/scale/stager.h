// Copies pictures to where a device fetches them, with a few threads: one thread copies 7 to 10 GB a second,
// a device takes 50.
//
// In:     pictures of one size.
// Out:    frames (`scale/frame.h`), one after the other.
// Thread: one thread at a time; a call uses up to four of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <winnow/image.h>

#include "scale/frame.h"

namespace winnow {

class Stager {
 public:
  Stager();
  ~Stager();

  // All rows of all pictures. `to`: a multiple of 16 bytes.
  void stage(std::span<const PictureView> pictures, std::uint8_t* to);
  // Rows of one that no cache keeps; `to`, a multiple of 16 bytes, is where the first of them goes.
  void stage(GrayView picture, RowRange rows, std::uint8_t* to);

 private:
  using Copy = void (*)(GrayView picture, RowRange rows, std::uint8_t* to);
  void stage_with(Copy copy, std::span<const PictureView> pictures, std::uint8_t* to);

  struct Threads;
  std::unique_ptr<Threads> threads_;
};

}  // namespace winnow
