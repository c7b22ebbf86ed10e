// Finds objects in pictures with a trained model.
//
//   winnow::Detector detector(winnow::DetectorModel::load("built-in:face"));
//   for (const auto& object : detector.detect(picture.view()).objects) ...
//
// In:     pictures in host memory (any stride, copied only to add a border), or on a device
//         (`DevicePicture`). kUsage for options or views that make no sense. kLimit for a side above 65,536
//         pixels, or for more than 4096 levels.
// Out:    objects with boxes and scores, and counters of the search. An empty picture, or one smaller than
//         the window, has no objects.
// Exact:  same objects, scores and counters for every backend, thread count, device count and batch.
// Memory: a detector owns its buffers and keeps the model alive. `model()` and `cascade()` live as long as
//         the detector. `detect` reads pictures only during the call. With a reused result, nothing is
//         allocated for a picture size that the detector searched before (on a device: twice before), unless
//         a search finds more than all earlier ones.
// Thread: one thread at a time; any number of detectors may use one model.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <winnow/backend.h>
#include <winnow/cascade.h>
#include <winnow/detection.h>
#include <winnow/detector_model.h>
#include <winnow/device_picture.h>
#include <winnow/image.h>
#include <winnow/machine.h>
#include <winnow/plan_rules.h>

namespace winnow {

struct FlowRules;
struct FollowJob;
struct PipelineChange;
struct PictureShapes;
struct ShapeMarks;

class WINNOW_API Detector {
 public:
  // A `Cascade` may be passed as the model. kBackend if the backend is not available, or cannot run this kind
  // of model. Once a device has failed (kDevice), each further search throws kDevice: make a new detector.
  // With kAuto, the processor searches instead, and `note` says why.
  explicit Detector(DetectorModel model, const MachineOptions& machine = {});
  ~Detector();
  Detector(Detector&&) noexcept;
  Detector& operator=(Detector&&) noexcept;

  const DetectorModel& model() const;
  const Cascade& cascade() const;  // kUsage if the model is no cascade
  // kAuto if the detector may use several backends; `Detections::backend` says which searched a picture.
  BackendKind backend() const;
  // With kAuto: why no device helps, if one was to help and could not start or failed; else "".
  std::string note() const;
  int threads() const;
  std::string simd() const;      // the cpu backend's SIMD target, "" for other backends
  int pictures_at_once() const;  // how many small pictures in one call keep the backend busy

  Detections detect(const PictureView& picture, const DetectOptions& options = {});
  Detections detect(GrayView picture, const DetectOptions& options = {}) {
    return detect(PictureView(picture), options);
  }
  // Writes into an existing result, whose memory is used again.
  void detect(const PictureView& picture, const DetectOptions& options, Detections& result);
  void detect(GrayView picture, const DetectOptions& options, Detections& result) {
    detect(PictureView(picture), options, result);
  }
  // Searches several pictures of any sizes in one call; `results[i]` belongs to `pictures[i]`. A device
  // searches the pictures in batches. On the host, each thread searches pictures of its own if there are
  // enough pictures.
  void detect(std::span<const PictureView> pictures, const DetectOptions& options,
              std::vector<Detections>& results);
  void detect(std::span<const GrayView> pictures, const DetectOptions& options,
              std::vector<Detections>& results);
  // Searches pictures that already lie on a device, without a copy to the host. kUsage unless the backend is
  // cuda and the detector uses that device.
  void detect(std::span<const DevicePicture> pictures, const DetectOptions& options,
              std::vector<Detections>& results);

  // `enqueue` starts the search of one picture. `collect` waits for the oldest search, so answers come in the
  // order of the starts. A device searches between the two calls; a backend on the host searches inside
  // `enqueue`. Pictures that are pinned or lie on a device must stay as they are until `collect`; other
  // pictures may change at once. A started search is pending until its `collect`. kUsage for `enqueue` while
  // `most_pending` searches are pending, for `detect` while any search is pending, and for `collect` while
  // none is. A search whose `collect` throws is no longer pending.
  void enqueue(const PictureView& picture, const DetectOptions& options = {});
  void enqueue(GrayView picture, const DetectOptions& options = {}) {
    enqueue(PictureView(picture), options);
  }
  void enqueue(const DevicePicture& picture, const DetectOptions& options = {});
  void collect(Detections& result);
  Detections collect();
  int pending() const;
  static int most_pending();  // 8

 private:
  friend class MarkedSearch;
  friend class SplitWork;
  // Searches with a pipeline that marks points, if the backend has one.
  Detector(DetectorModel model, const MachineOptions& machine, const ShapeMarks* marks);
  // Searches with the pipeline that `change` makes of the backend's. With kAuto, the processor searches.
  Detector(DetectorModel model, const MachineOptions& machine, const PipelineChange& change);
  // Like `detect`, and marks points where the pipeline can. `shapes` is empty or has an element for each
  // picture.
  void detect_marked(std::span<const PictureView> pictures, const DetectOptions& options,
                     std::vector<Detections>& results, std::span<PictureShapes> shapes);
  // Whether this backend can search with these options and carry points in one submission. If so, `follow`
  // does both, and `forget` frees what the backend keeps of a video.
  bool follows(const DetectOptions& options);
  // Throws what `detect` throws for a frame that does not go with these options.
  void check_frame(const PictureView& frame, const DetectOptions& options);
  void follow(std::span<FollowJob> jobs, const DetectOptions& options, const FlowRules& rules);
  void forget(int video);

  struct State;
  std::unique_ptr<State> state_;
};

// Merges boxes as OpenCV's groupRectangles does. A group becomes its mean box with its largest score and the
// number of its members. Groups of `min_neighbors` or fewer are dropped, and so are small groups inside
// larger ones. The other groups come in the order of their first member. A `min_neighbors` of 0 or less
// merges nothing. `eps`, from 0 to 4, says how far apart the edges of similar boxes may be, as a fraction of
// their size. Corners of boxes have coordinates from -2^28 to 2^28, and sides are from 0 to 2^28. Other
// values are kUsage.
WINNOW_API std::vector<Detection> group_boxes(std::span<const Detection> candidates, int min_neighbors,
                                              double eps = 0.2);
// Merges boxes by mean shift, as `Merge::kMeanShift` does: each box climbs to a peak of the boxes' density in
// place and size. The boxes at one peak become an object. The object has the peak's box, the largest score of
// the boxes, and their number. Objects of `min_neighbors` or fewer boxes are dropped. The other objects come
// in the order of their first box. `weight` says what a box weighs; with kScore a score of 0 or less has no
// weight. Boxes are limited as for `group_boxes`, and a side of 0 counts as 1.
//
// The density is a sum of Gaussians, one for each box. Their bandwidths are an eighth of the box's sides in
// place, and a factor of 1.3 in size. Dalal gave these bandwidths for windows of 64 x 128.
WINNOW_API std::vector<Detection> mean_shift_boxes(std::span<const Detection> candidates, int min_neighbors,
                                                   WeightRule weight = WeightRule::kEqual);

// Merges boxes as `Merge::kSupport` does. A box weighs its score minus `floor`, or 1 if `floor` is not
// finite. An object's score is its support. Objects of `min_neighbors` or fewer boxes are dropped. Boxes are
// limited as for `group_boxes`.
WINNOW_API std::vector<Detection> support_boxes(std::span<const Detection> candidates, int min_neighbors,
                                                double floor = 0);

}  // namespace winnow
