// Keeps the boxes that cover faces in the frames of a video, and joins the paths of faces over gaps.
//
// A path is a run of frames, each with a box of the same face. A path may grow at both ends. If another path
// begins within the gap after a path's end, the frames between them are covered, too. Otherwise the path
// lingers: a few frames after its end are covered. A few frames before a beginning that joins no end are
// covered, too.
//
// In:     frames in their order, and boxes of paths.
// Out:    the boxes of each frame, oldest frame first. Each frame is given once, and then dropped.
// Exact:  doubles in a fixed order; same boxes for the same calls.
// Memory: some boxes for each frame that was not given yet.
// Thread: one thread at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include <winnow/box.h>
#include <winnow/face_cover.h>

#include "track/cover/face_evidence.h"

namespace winnow {

struct CoverRules {
  int gap = 30;       // the most frames between two paths that are joined
  int linger = 5;     // frames for which a path lingers
  int remember = 0;   // frames for which an ended path is kept, unless `gap` or `linger` is larger
  int sure = 1;       // searches that make a face sure
  int patience = 0;   // frames after its first search for which a followed face counts as sure
  bool live = false;  // later searches are not known, so a face that is not sure keeps all its covers
};

class CoverPaths {
 public:
  // Where a path lies in a frame.
  struct Place {
    Place(const RealBox& all) : box(all), core(all) {}  // NOLINT: a box is a place that flow found
    Place(const RealBox& all, const RealBox& least, bool by_search, bool is_likely)
        : box(all), core(least), found(by_search), likely(is_likely) {}

    RealBox box, core;     // with the points, and without; the latter serves for a face that is not sure
    bool found = false;    // by a search
    bool likely = true;    // whether the search itself was sure
    bool certain = false;  // whether so many windows found the face that this search is enough
  };

  explicit CoverPaths(const CoverRules& rules) : rules_(rules) {}

  // Adds a frame without boxes.
  void add_frame() { frames_.emplace_back(); }
  // The number of the newest frame; negative before the first frame.
  std::int64_t newest() const { return given_ + static_cast<std::int64_t>(frames_.size()) - 1; }
  // The video cuts to another scene at this frame. No face lingers over a cut. Cuts come in rising order.
  void cut(std::int64_t frame) { cuts_.push_back(frame); }
  // The number of the oldest frame that was not given.
  std::int64_t oldest() const { return given_; }

  // Begins a path of a face in the newest frame, and gives the path's number.
  int begin(int face, const Place& place);
  // Grows a path by a box: `extend` in the newest frame, `extend_back` in a frame before the path's first
  // frame. Frames that the path skips are covered, too.
  void extend(int path, const Place& place);
  void extend_back(int path, std::int64_t frame, const Place& place);
  // Covers a box in the newest frame, where the face may be. The box is dropped if the path is extended or
  // joined later. If the path ends, it lingers from this frame on.
  void linger(int path, const RealBox& box);
  // Whether the path is still kept.
  bool has(int path) const;
  std::int64_t last(int path) const { return find(path).last; }
  // Whether the path meets an ended path of the same face. True if the ended path was not yet ended in this
  // path's first frame, or if both paths have a box at the same place in that frame.
  bool meets_itself(int path) const;

  // Whether another path overlaps this path in so many of this path's first frames that both cover one face.
  // Paths of faces that cross overlap in fewer frames.
  bool doubles_another(int path) const;

  // Ends a path: its face is lost. Flow may still extend the path, and a later path may be joined to it.
  void end(int path);
  // Whether an ended path can be joined to the beginning of this path.
  bool can_join(int path) const { return partner_of(find(path)) != nullptr; }
  // Joins the best ended path to this path's beginning. If there is none, frames before the beginning are
  // covered, as many as a path lingers.
  void join(int path);
  // Closes ended paths whose box in the newest frame is at the place of `box`: they need no further boxes.
  // Appends the numbers of these paths to `closed`.
  void close(const RealBox& box, std::vector<int>& closed);
  // Covers the boxes of lingering paths in the newest frame, and forgets paths that ended too long ago.
  void finish_frame();
  // Forgets all paths, because the next frames have another size. Paths that begin later get no boxes in
  // the frames so far.
  void forget_paths();

  struct Given {
    RealBox box;
    int path;  // the number of the face's first path
    int searches;
    CoverReason reason;
  };
  // Gives the boxes of the oldest frame, and drops the frame. All searches that are known by now count.
  void give(std::vector<Given>& boxes);

 private:
  struct Cover {
    int path;
    CoverReason reason;
    RealBox box, plain;  // `plain`: not stretched, not spread, without points; for a face that is not sure
    SharedEvidence evidence;
    std::int64_t from;  // the frame of the place that this cover lingers from; for others its own frame

    bool is_place() const { return reason <= CoverReason::kCarried; }
  };
  struct Path {
    int number, face;
    SharedEvidence evidence;
    std::int64_t first, last;
    RealBox first_box, last_box, first_core, last_core;
    bool ended = false, joined = false;
    bool alone = false;       // no path was joined to its beginning, and its speed there is not known yet
    std::int64_t end = 0;     // the path's last frame when it was ended; flow may have added boxes since
    std::int64_t maybe = -1;  // the last frame that `linger` covered

    std::int64_t last_maybe() const { return std::max(last, maybe); }
    RealBox end_box{};
  };
  struct Speed {
    double x = 0, y = 0;
  };

  // Covers a place of the path in the newest frame.
  void take(const Path& path, const Place& place);
  Path& find(int path);
  const Path& find(int path) const { return const_cast<CoverPaths*>(this)->find(path); }
  // `from`: the frame of the path's place that a lingering cover comes from.
  void cover(std::int64_t frame, const Path& path, CoverReason reason, const RealBox& box,
             const RealBox& plain, std::optional<std::int64_t> from = {});
  bool is_cut_off(const Cover& cover) const;
  // Whether a much smaller and surer face says that this is no face: this is around it, or its chest.
  bool is_no_face(const FaceEvidence& face) const;
  bool is_needed(const Cover& cover) const;
  const RealBox* box_at(std::int64_t frame, int path) const;
  // The mean speed of a path in the frames at its end, or at its beginning, in pixels a frame. Unknown for a
  // path of one frame.
  std::optional<Speed> speed_at(const Path& path, bool at_end) const;
  double nearness(const Path& end, const Path& begin) const;
  // Whether `end` has a box in the first frame of `path`, at the place of the first box of `path`.
  bool meets(const Path& end, const Path& path) const;
  const Path* partner_of(const Path& path) const;
  // `fill` covers the frames between two ends of paths.
  struct End {
    std::int64_t frame;
    RealBox box;
    std::optional<Speed> speed;
  };
  void fill(const Path& path, const End& from, const End& to);
  void drop_lingering(const Path& path, std::int64_t frame);
  void stop_lingering(const Path& path);
  void linger_before(const Path& path);

  CoverRules rules_;
  std::int64_t given_ = 0, first_of_size_ = 0;
  int last_number_ = 0;
  std::deque<std::vector<Cover>> frames_;
  std::vector<Path> paths_;
  std::vector<std::int64_t> cuts_;
};

}  // namespace winnow
