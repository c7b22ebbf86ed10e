// Makes frames and videos in which a picture of a face lies on ground with texture.
//
// In:     a picture, which may be empty, and the size of the frames.
// Out:    grey frames. In a video the picture moves to and fro.
// Exact:  integers only, so that frames are the same everywhere.
// Memory: a `MovingPicture` owns its frames, and views live as long.
// Thread: any may read frames.
#pragma once

#include <winnow/image.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "scale/resize.h"
#include "track/flow/flow_scenes_for_test.h"

namespace bench {

// Makes grey ground with detail of 8, 32 and 128 pixels. Coarse detail is stronger, as in photographs. With
// these seeds neither the model `face` nor OpenCV's cascades for frontal faces find a face in frames of the
// tables' sizes.
inline winnow::GrayImage textured_ground(winnow::Size size) {
  using winnow::sample::smooth_gray;
  winnow::GrayImage ground(size.width, size.height);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      ground.row(y)[x] = static_cast<std::uint8_t>(
          (4 * smooth_gray(x, y, 19) + 2 * smooth_gray(4 * x, 4 * y, 59) + smooth_gray(16 * x, 16 * y, 99)) /
          7);
  return ground;
}

// The picture, scaled so that its longer side is `side`. An empty picture stays empty.
inline winnow::GrayImage scaled_to(winnow::GrayView picture, int side) {
  if (picture.empty()) return {};
  const int longer = std::max(picture.width, picture.height);
  winnow::GrayImage scaled(std::max(1, picture.width * side / longer),
                           std::max(1, picture.height * side / longer));
  winnow::resize_ref(picture, scaled.view());
  return scaled;
}

// The side of the scaled picture in a frame: five eighths of the frame's shorter side.
inline int picture_side(winnow::Size frame) { return std::min(frame.width, frame.height) * 5 / 8; }

// Copies the part of the picture that lies in the frame.
inline void put_picture(winnow::GrayImage& frame, winnow::GrayView picture, int left, int top) {
  const winnow::Box place = winnow::clip({left, top, picture.width, picture.height}, frame.size());
  for (int y = place.y; y < place.y + place.height; ++y)
    for (int x = place.x; x < place.x + place.width; ++x) frame.row(y)[x] = picture.row(y - top)[x - left];
}

// One frame: the picture in the middle of the ground.
inline winnow::GrayImage frame_with(winnow::GrayView picture, winnow::Size size) {
  winnow::GrayImage frame = textured_ground(size);
  const winnow::GrayImage scaled = scaled_to(picture, picture_side(size));
  put_picture(frame, scaled.view(), (size.width - scaled.width()) / 2, (size.height - scaled.height()) / 2);
  return frame;
}

class MovingPicture {
 public:
  static constexpr int kFrames = 24;  // frames from the left end to the right end
  // The picture moves by three pixels a frame along x, and by one along y.
  MovingPicture(winnow::GrayView picture, winnow::Size size) {
    const winnow::GrayImage ground = textured_ground(size), scaled = scaled_to(picture, picture_side(size));
    for (int i = 0; i < kFrames; ++i) {
      winnow::GrayImage frame = ground.clone();
      put_picture(frame, scaled.view(), size.width / 16 + 3 * i, size.height / 16 + i);
      frames_.push_back(std::move(frame));
    }
  }
  // Frames 0 to 23 go to the right, 24 to 45 back, and so on.
  winnow::GrayView frame(int number) const {
    const int at = number % (2 * kFrames - 2);
    return frames_[static_cast<std::size_t>(at < kFrames ? at : 2 * kFrames - 2 - at)].view();
  }

 private:
  std::vector<winnow::GrayImage> frames_;
};

}  // namespace bench
