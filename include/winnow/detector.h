// Finds objects: a `Detector` has its own buffers, so one belongs to one thread at a time; cascades are
// shared.
//
//   winnow::Detector detector(winnow::Cascade::load("haarcascade_frontalface_alt.xml"));
//   for (const auto& object : detector.detect(picture.gray.view()).objects) ...
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <winnow/backend.h>
#include <winnow/cascade.h>
#include <winnow/image.h>

namespace winnow {

struct DetectorOptions {
  BackendKind backend = BackendKind::kAuto;
  int threads = 0;                 // 0: all of the machine's
  std::vector<int> devices = {0};  // for cuda: they share the pictures of a call, or the rows of a large one
};

struct DetectOptions {
  double scale_factor = 1.1;  // > 1
  int min_neighbors = 3;      // a group of n candidates is kept if n > min_neighbors; 0 does not group
  // 0: none. If no size of the list is within both, the one nearest to the least is searched, as OpenCV does.
  Size min_size;
  Size max_size;
  bool raw = false;  // candidates before grouping, each with 1 neighbour
  double min_score = -std::numeric_limits<double>::infinity();
};

struct Detection {
  Box box;
  double score = 0;   // the last stage's sum; of a group the largest (OpenCV's levelWeights)
  int neighbors = 1;  // candidates in the group
  bool operator==(const Detection&) const = default;
};

// Part of the answer: equal on every backend. `weak` alone is a cost and may differ.
struct Counters {
  std::int64_t windows = 0;  // on the grid
  std::int64_t skipped = 0;  // not visited, since the one before was rejected by the first stage
  std::int64_t flat = 0;     // rejected before any stage
  std::vector<std::int64_t>
      reached;            // windows that entered stage i; one more at the end: those that passed all
  std::int64_t weak = 0;  // weak classifiers evaluated for windows that still lived
  bool same_answer(const Counters& o) const {
    return windows == o.windows && skipped == o.skipped && flat == o.flat && reached == o.reached;
  }
};

struct Detections {
  std::vector<Detection> objects;  // ordered by the smallest window id of each group
  Counters counters;
  std::string backend;  // "cpu"
  Size picture;
};

class WINNOW_API Detector {
 public:
  explicit Detector(Cascade cascade, const DetectorOptions& options = {});
  ~Detector();
  Detector(Detector&&) noexcept;
  Detector& operator=(Detector&&) noexcept;

  const Cascade& cascade() const;
  BackendKind backend() const;  // which one `auto` chose
  int threads() const;
  std::string simd() const;  // the cpu backend's SIMD target, "" for others

  Detections detect(GrayView picture, const DetectOptions& options = {});
  // Into an existing result, whose memory is used again: nothing is allocated once a size has been
  // seen (on a device, twice), unless more is found than ever before.
  void detect(GrayView picture, const DetectOptions& options, Detections& result);
  // Several pictures in one call; results in their order. On a processor threads search a picture each, if
  // there are enough of them.
  void detect(std::span<const GrayView> pictures, const DetectOptions& options,
              std::vector<Detections>& results);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Merges boxes as OpenCV's groupRectangles does; groups of `min_neighbors` or fewer are dropped, the rest
// come in the order of their first member. `eps`: how far apart the edges of similar boxes may be, as a part
// of their size; from 0 to 4. Corners up to 2^28 either way, sides from 0 to 2^28.
WINNOW_API std::vector<Detection> group_boxes(std::span<const Detection> candidates, int min_neighbors,
                                              double eps = 0.2);

}  // namespace winnow
