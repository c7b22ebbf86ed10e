// Copies pictures into the host memory from which a device copies frames, with up to four threads.
//
// One thread copies 7 to 10 GB per second; a device can take 50 GB per second.
//
// In:     pictures of one size in host memory (any stride).
// Out:    frames (`scale/frames/frame.h`), one after the other. Padding behind a row stays as it is.
// Exact:  a frame holds the picture's own bytes.
// Memory: the caller owns pictures and frames. The stager owns its threads.
// Thread: one thread at a time; a call uses up to four threads of its own, and waits for them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <winnow/image.h>

#include "scale/frames/frame.h"

namespace winnow {

class Stager {
 public:
  Stager();
  ~Stager();

  // Copies all rows of all pictures. `to` is a multiple of 16 bytes.
  void stage(std::span<const PictureView> pictures, std::uint8_t* to);
  // Copies rows of one picture past the caches. `to`, a multiple of 16 bytes, is the place of the first row.
  void stage(GrayView picture, RowRange rows, std::uint8_t* to);

 private:
  using Copy = void (*)(GrayView picture, RowRange rows, std::uint8_t* to);
  void stage_with(Copy copy, std::span<const PictureView> pictures, std::uint8_t* to);

  struct Threads;
  std::unique_ptr<Threads> threads_;
};

}  // namespace winnow
