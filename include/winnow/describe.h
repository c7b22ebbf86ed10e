// Describes the windows of a picture by histograms of oriented gradients: the values that the weights of a
// `HogSvm` multiply.
//
//   winnow::Describer describer{winnow::HogShape()};
//   const winnow::WindowValues values = describer.describe(picture.view(), {{8, 8}});
//   const std::span<const float> first = values.at(0, 0);
//
// In:     a picture with or without its colour view, a shape, and the windows' places. kUsage for steps and
//         padding below 0 or above 65,536, kLimit for more than 256 million values.
// Out:    the values of the windows, each in the order of `HogSvmModel::weights`.
// Exact:  values are whole multiples of 2^-15, the values that every backend computes with. A value differs
//         from OpenCV's by less than 1e-4.
// Memory: the values belong to the caller. Pixels are read only during `describe`; `shape()` lives as long as
//         the describer, which keeps its buffers.
// Thread: one thread at a time; a describer starts no threads.
// Cost:   blocks of a picture are described once, although windows overlap; with `locations`, each window is
//         described by itself.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <winnow/box.h>
#include <winnow/export.h>
#include <winnow/hog.h>
#include <winnow/image.h>

namespace winnow {

struct WindowValues {
  Size count;              // number of windows along x and along y
  std::size_t length = 0;  // number of values of a window
  std::vector<float> values;

  std::span<const float> at(int x, int y) const {
    const std::size_t window =
        static_cast<std::size_t>(y) * static_cast<std::size_t>(count.width) + static_cast<std::size_t>(x);
    return std::span(values).subspan(window * length, length);
  }
};

struct DescribeOptions {
  Size step{};  // pixels from one window to the next; a side of 0 takes the shape's block stride
  // Windows begin up to this many pixels outside of the picture, which is mirrored there about its outermost
  // pixels.
  Size padding{};
  // If not empty, only the windows with these top left corners are described; `step` and `padding` then have
  // no effect. Corners may lie outside of the picture, which is mirrored there as with `padding`. kUsage for
  // a corner beyond 2^28 pixels. `WindowValues::count` is (number of locations, 1).
  std::vector<PixelPoint> locations{};
};

class WINNOW_API Describer {
 public:
  explicit Describer(const HogShape& shape);  // kFormat or kLimit, as from `check_hog_shape`
  ~Describer();
  Describer(Describer&&) noexcept;
  Describer& operator=(Describer&&) noexcept;

  const HogShape& shape() const;
  WindowValues describe(const PictureView& picture, const DescribeOptions& options = {});
  // Writes into `result`, whose memory is used again.
  void describe(const PictureView& picture, const DescribeOptions& options, WindowValues& result);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Describes one picture with a temporary `Describer`.
WINNOW_API WindowValues describe_windows(const PictureView& picture, const HogShape& shape,
                                         const DescribeOptions& options = {});

}  // namespace winnow
