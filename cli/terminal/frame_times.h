// Sums up the times of frames: their median, other percentiles and the greatest time.
//
// In:     the seconds of each frame.
// Out:    percentiles that are off by at most 1 %, and the greatest time as it is. Times below a microsecond
//         or above an hour count as these.
// Memory: 9 KiB for any number of frames: a histogram counts the frames of each range of times. A range ends
//         2 % above its beginning.
// Thread: one thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace winnow::cli {

class FrameTimes {
 public:
  void add(double seconds);
  bool empty() const { return count_ == 0; }
  // The least time that `fraction` of all frames did not exceed, in seconds; 0 without frames.
  double percentile(double fraction) const;
  double greatest() const { return greatest_; }
  // "median 1.92 ms, 95th percentile 3.20 ms, greatest 38.4 ms"
  std::string text() const;

 private:
  static constexpr std::size_t kRanges = 1112;  // from a microsecond to an hour

  std::array<std::int64_t, kRanges> counts_{};
  std::int64_t count_ = 0;
  double least_ = 0, greatest_ = 0;
};

}  // namespace winnow::cli
