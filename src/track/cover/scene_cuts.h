// Finds the frames in which a video cuts to another scene. A face does not linger over a cut.
//
// In:     the frames of a video in their order.
// Out:    the first frame of each new scene, once some frames of that scene came.
// Exact:  sums of pixels in whole numbers, then doubles in a fixed order.
// Memory: a small picture of each frame that may begin a scene.
// Thread: one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <winnow/image.h>

namespace winnow {

class SceneCuts {
 public:
  // `frames`: a scene is new if so many frames all differ from the frame before; 1 or more. A flash is shorter.
  explicit SceneCuts(int frames) : needed_(frames) {}

  // Takes the next frame. Returns the number of a scene's first frame when this is the last of the frames that
  // were needed. The video's first frame has the number 0.
  std::optional<std::int64_t> add(GrayView frame);

 private:
  static constexpr int kColumns = 16, kRows = 12;

  // The means of the cells of a grid, less the mean of all cells.
  struct Look {
    std::array<double, kColumns * kRows> cells{};
    double length =
        0;  // of `cells` as a vector; 0 if the frame is too small or too flat to tell scenes apart
  };
  static Look look_at(GrayView frame);
  static bool differ(const Look& a, const Look& b);

  struct Begin {
    std::int64_t frame;
    Look before;
  };

  int needed_;
  std::int64_t frames_ = 0;
  Look last_;
  std::vector<Begin> begins_;
};

}  // namespace winnow
