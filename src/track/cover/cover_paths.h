// Keeps the boxes that cover faces in the frames of a video, and joins the paths of faces over gaps.
//
// A path is a run of frames in which one face has a box in each. It may grow at both ends. Where a path ends
// and another begins within the gap, the frames between are covered, too. An end without a beginning stays
// for a few frames, and so does a beginning without an end.
//
// In:     frames in their order, and boxes of paths.
// Out:    for each frame its boxes, until the frame is given.
// Exact:  doubles in a fixed order; same boxes for the same steps.
// Memory: some boxes for each frame that was not given yet.
// Thread: one thread at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "track/follow/claims.h"

namespace winnow {

struct CoverRules {
  int gap = 30;
  int linger = 5;
  int remember = 0;  // frames for which an end may still be joined, if more than `gap` and `linger`
};

class CoverPaths {
 public:
  explicit CoverPaths(const CoverRules& rules) : rules_(rules) {}

  // Adds a frame without boxes.
  void add_frame() { frames_.emplace_back(); }
  // The number of the newest frame; negative before the first.
  std::int64_t newest() const { return given_ + static_cast<std::int64_t>(frames_.size()) - 1; }
  // The number of the oldest frame that was not given.
  std::int64_t oldest() const { return given_; }

  // Begins a path of a face in the newest frame, and gives the path's number.
  int begin(int face, const FaceBox& box);
  // Puts the path's box into the newest frame, or into a frame before its first. Frames that the path passed
  // over are covered, too.
  void extend(int path, const FaceBox& box);
  void extend_back(int path, std::int64_t frame, const FaceBox& box);
  // Covers a box in the newest frame, in which the path may be there. What is filled later takes its place. An
  // end lingers from this frame on.
  void linger(int path, const FaceBox& box);
  // Whether the path was not forgotten.
  bool has(int path) const;
  std::int64_t last(int path) const { return find(path).last; }
  // Whether the path's face already has a box at the place and in the frame of the path's beginning, or was
  // followed there.
  bool meets_itself(int path) const;

  // Whether another path lies at the same place in the first frames of this one, for so many frames that both
  // cover one face. Faces that cross do not.
  bool doubles_another(int path) const;

  // No box follows, for now: another path may join.
  void end(int path);
  // Whether a path that ended may go on in this one.
  bool can_join(int path) const { return partner_of(find(path)) != nullptr; }
  // Joins the beginning of a path with such an end. Without one, the beginning lingers.
  void join(int path);
  // Where an ended path is at the place of a box in the newest frame, the path needs no further boxes. Gives
  // the paths that end so.
  void close(const FaceBox& box, std::vector<int>& closed);
  // Covers what lingers in the newest frame, and forgets paths that ended before the gap.
  void finish_frame();
  // No path goes on in the frames that follow, and none of theirs lies in the frames before: they have another
  // size.
  void forget_paths();

  // The boxes of the oldest frame, which is given by this.
  void give(std::vector<FaceBox>& boxes);

 private:
  enum class Kind : std::uint8_t { kPath, kBetween, kLinger };
  struct Cover {
    int path;
    Kind kind;
    FaceBox box;
  };
  struct Path {
    int number, face;
    std::int64_t first, last;
    FaceBox first_box, last_box;
    bool ended = false, joined = false;
    bool alone = false;       // its beginning lingers, and its speed there is not known yet
    std::int64_t end = 0;     // the last frame before `end`; later boxes are flow's
    std::int64_t maybe = -1;  // the last frame of `linger`

    std::int64_t last_maybe() const { return std::max(last, maybe); }
    FaceBox end_box{};
  };
  struct Speed {
    double x = 0, y = 0;
  };

  Path& find(int path);
  const Path& find(int path) const { return const_cast<CoverPaths*>(this)->find(path); }
  void cover(std::int64_t frame, const Cover& cover);
  const FaceBox* box_at(std::int64_t frame, int path) const;
  // The mean speed of a path in the frames at its end, or at its beginning, in pixels a frame. Unknown for a
  // path of one frame.
  std::optional<Speed> speed_at(const Path& path, bool at_end) const;
  double nearness(const Path& end, const Path& begin) const;
  // Whether the beginning of a path lies where another path is in that frame.
  bool meets(const Path& end, const Path& path) const;
  const Path* partner_of(const Path& path) const;
  // Covers the frames between two ends.
  struct End {
    std::int64_t frame;
    FaceBox box;
    std::optional<Speed> speed;
  };
  void fill(int path, const End& from, const End& to);
  void stop_lingering(const Path& path);
  void linger_before(const Path& path);

  CoverRules rules_;
  std::int64_t given_ = 0, first_of_size_ = 0;
  int last_number_ = 0;
  std::deque<std::vector<Cover>> frames_;
  std::vector<Path> paths_;
};

}  // namespace winnow
