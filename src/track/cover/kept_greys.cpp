#include "track/cover/kept_greys.h"

#include <cstring>
#include <utility>

namespace winnow {
namespace {

std::int64_t pixels_of(Size size) { return static_cast<std::int64_t>(size.width) * size.height; }

}  // namespace

void KeptGreys::clear() { frames_.clear(); }

std::int64_t KeptGreys::bytes() const {
  std::int64_t bytes = 0;
  for (const GrayImage& frame : frames_) bytes += pixels_of(frame.size());
  return bytes;
}

void KeptGreys::keep(GrayView frame) {
  if (frame.empty() || (!frames_.empty() && frames_.back().size() != frame.size())) clear();
  if (frame.empty()) return;
  GrayImage copy;
  const std::int64_t each = pixels_of(frame.size());
  while (frames_.size() >= 2 && (frames_.size() >= most_frames_ ||
                                 each * static_cast<std::int64_t>(frames_.size() + 1) > most_bytes_)) {
    copy = std::move(frames_.front());
    frames_.pop_front();
  }
  if (copy.empty()) copy = GrayImage(frame.width, frame.height);
  for (int y = 0; y < frame.height; ++y)
    std::memcpy(copy.row(y), frame.row(y), static_cast<std::size_t>(frame.width));
  frames_.push_back(std::move(copy));
}

}  // namespace winnow
