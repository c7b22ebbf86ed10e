// Describes the windows of a picture by histograms of oriented gradients: what the weights of a `HogSvm` are
// multiplied by.
//
//   const winnow::WindowValues values = winnow::describe_windows(picture.view(), winnow::HogShape(), {8, 8});
//   const std::span<const float> first = values.at(0, 0);
//
// In:     a picture with or without its colour view, a shape, and the step from window to window. kUsage for
//         a step below 0, kLimit for more than 256 million values.
// Out:    the values of each window that fits the picture, in the order of `HogSvmModel::weights`.
// Exact:  values are whole multiples of 2^-15, those that every backend computes with. They differ from
//         OpenCV's by less than 1e-4.
// Memory: the values belong to the caller. Each block of a picture is described once.
// Thread: any; one thread does the work.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <winnow/box.h>
#include <winnow/export.h>
#include <winnow/hog.h>
#include <winnow/image.h>

namespace winnow {

struct WindowValues {
  Size count;              // of windows along x and y
  std::size_t length = 0;  // values of a window
  std::vector<float> values;

  std::span<const float> at(int x, int y) const {
    const std::size_t window =
        static_cast<std::size_t>(y) * static_cast<std::size_t>(count.width) + static_cast<std::size_t>(x);
    return std::span(values).subspan(window * length, length);
  }
};

// A side of `step` that is 0 is the stride of blocks.
WINNOW_API WindowValues describe_windows(const PictureView& picture, const HogShape& shape, Size step = {});

}  // namespace winnow
