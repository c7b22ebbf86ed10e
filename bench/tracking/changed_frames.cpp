#include "tracking/changed_frames.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/real_box.h"

namespace bench {

using namespace winnow;

void paint_over(GrayImage& frame, const RealBox& box) {
  const auto inside = [](double at, int side) {
    return static_cast<int>(std::clamp(at, 0.0, static_cast<double>(side - 1)));
  };
  const int left = inside(std::floor(box.x), frame.width()), top = inside(std::floor(box.y), frame.height());
  const int right = inside(std::ceil(box.x + box.width), frame.width()),
            bottom = inside(std::ceil(box.y + box.height), frame.height());
  for (int y = top + 1; y < bottom; ++y) {
    std::uint8_t* const row = frame.row(y);
    const int width = right - left, height = bottom - top;
    for (int x = left + 1; x < right; ++x) {
      const int across = (row[left] * (right - x) + row[right] * (x - left)) * height;
      const int down = (frame.row(top)[x] * (bottom - y) + frame.row(bottom)[x] * (y - top)) * width;
      row[x] = static_cast<std::uint8_t>((across + down) / (2 * width * height));
    }
  }
}

std::vector<std::size_t> add_gaps(MarkedFrames& sequence) {
  std::vector<std::size_t> gaps;
  for (std::size_t gap = kFirstGap; gap + kGapLength < sequence.frames.size(); gap += kGapEvery) {
    gaps.push_back(gap);
    for (std::size_t i = gap; i < gap + kGapLength; ++i) {
      if (sequence.boxes[i]) paint_over(sequence.frames[i], *sequence.boxes[i]);
      sequence.boxes[i].reset();
    }
  }
  return gaps;
}

std::vector<std::size_t> add_turns(MarkedFrames& sequence) {
  std::vector<std::size_t> turns;
  int moved = 0;
  for (std::size_t i = 1; i < sequence.frames.size(); ++i) {
    GrayImage& frame = sequence.frames[i];
    std::optional<RealBox>& box = sequence.boxes[i];
    const int width = frame.width();
    if (i % kTurnEvery == 0 && box) {
      turns.push_back(i);
      moved += middle_x(*box) + moved < width / 2.0 ? width / 3 : -(width / 3);
    }
    // What comes in on the left was `from` pixels from the left side.
    const int from = ((-moved) % width + width) % width;
    for (int y = 0; y < frame.height(); ++y)
      std::rotate(frame.row(y), frame.row(y) + from, frame.row(y) + width);
    if (box) box->x += moved;
  }
  return turns;
}

}  // namespace bench
