// Copies pictures with a mirrored border, for a search beyond their edges.
//
// In:     pictures in host memory, and the border as a fraction of the longer side (`DetectOptions::border`).
// Out:    views of the copies, and the border's width for each, until the next call.
// Exact:  pixels are mirrored, and widths are rounded, as `image/border.h` says.
// Memory: owns the copies, one after the other. A call allocates nothing if an earlier call held as many
//         pixels. The caller bounds the number of pictures.
// Thread: one thread at a time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <winnow/image.h>

namespace winnow {

class BorderedPictures {
 public:
  // `color`: whether colour is read. The copy of a picture with colour then has colour alone; its grey view
  // has a size, but no pixels.
  void copy(std::span<const PictureView> pictures, double border, bool color);
  std::span<const PictureView> views() const { return views_; }
  std::span<const int> margins() const { return margins_; }

 private:
  std::vector<std::uint8_t, PixelMemory<std::uint8_t>> gray_;
  std::vector<Rgb, PixelMemory<Rgb>> color_;
  std::vector<PictureView> views_;
  std::vector<int> margins_;
};

// The number of pixels of a picture with its border.
std::size_t bordered_pixels(Size picture, double border);

}  // namespace winnow
