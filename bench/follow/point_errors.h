// Compares followed points with points that are known better: errors by the frames since a search, and lag.
//
// In:     the faces of each frame by two followers, or a series of figures and what they should be.
// Out:    errors in percent of the distance of the outer eye corners, and frames.
// Exact:  sums of doubles in the order of the frames.
// Memory: a few numbers for each face.
// Thread: one thread at a time per object.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <winnow/follower.h>

namespace bench {

// Compares tracked faces with the same faces of a yardstick, which searches each frame. Faces have 68 points.
// A face counts if a search found it 1 to 9 frames before, and if its box overlaps a face that the yardstick
// found in this frame.
class AgeErrors {
 public:
  static constexpr std::size_t kMost = 9;

  // Takes the next frame of a video.
  void add(std::span<const winnow::Followed> yardstick, std::span<const winnow::Followed> faces);
  // The mean error of faces that a search found `first` to `last` frames before; 0 if there is none.
  double mean(std::size_t first, std::size_t last) const;
  int count(std::size_t first, std::size_t last) const;
  // How many of all errors are above 10 percent, as if a face was lost.
  int large() const { return large_; }
  // The mean error of the faces in which this and all of `others` are `first` to `last` frames after a search.
  // Other searches may come at other times, so only such faces can be compared. 0 if there is none.
  double mean_beside(std::span<const AgeErrors* const> others, std::size_t first, std::size_t last) const;

 private:
  struct Seen {
    std::size_t age;
    double error;
  };
  std::map<int, std::size_t> ages_;  // for each face the frames since a search found the face
  int frame_ = 0;
  std::map<std::pair<int, int>, Seen> seen_;  // by frame, and by the number of the yardstick's face
  std::array<double, kMost + 1> sums_ = {};
  std::array<int, kMost + 1> counts_ = {};
  int large_ = 0;
};

// By how many frames a series lags behind: the shift of `truth` that correlates best with the series, in
// steps of 0.05 frames. `measured[i]` belongs to the time i.
double lag_of(std::span<const double> measured, const std::function<double(double)>& truth);

}  // namespace bench
