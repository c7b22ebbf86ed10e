// Finds faces in pictures and marks their points: a detector and a model of landmarks in one session.
//
//   winnow::FaceFinder finder(winnow::DetectorModel::load("built-in:face"),
//                             winnow::Landmarks::load("built-in:face-68"));
//   for (const winnow::Shape& shape : finder.find(picture.view()).shapes)
//     std::printf("%.1f %.1f\n", shape.points[0].x, shape.points[0].y);
//
// A device finds and marks faces in one submission: no box comes to the host first. In these cases the
// session marks the faces after the search, in a second step:
// - a search in a region, a search in colour, or a merge rule that runs on the host;
// - a frame with more than 2,048 windows that pass;
// - a single picture of 1,920 Ki pixels or more;
// - a batch with more faces than there is room for on the device.
//
// In:     pictures and options, as `Detector::detect` takes them in host memory, and the least confidence of
//         a face. Faces with a lower confidence are dropped, as by `drop_unlikely` (winnow/face_search.h).
//         Options without a value take the values of `face_search`.
// Out:    for each picture its objects, and for each object a shape.
// Exact:  objects are those of `Detector::detect`, and shapes those of `Landmarker::fit`, for every backend,
//         thread count, device count and batch. Boxes are placed as `Landmarks::for_face_boxes` says.
// Memory: a finder owns its buffers and keeps both models alive. Landmarks that `for_face_boxes` changes are
//         copied. `model()` and `landmarks()` live as long as the finder. Pictures are read only during a
//         call.
// Thread: one thread at a time; any number of finders may use one model.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <winnow/detector.h>
#include <winnow/export.h>
#include <winnow/landmarker.h>

namespace winnow {

struct FoundFaces {
  Detections found;
  std::vector<Shape> shapes;  // `shapes[i]` belongs to `found.objects[i]`
};

class WINNOW_API FaceFinder {
 public:
  // Errors are those of `Detector`, `Landmarker` and `check_kinds` (winnow/face_search.h).
  FaceFinder(DetectorModel model, Landmarks landmarks, const MachineOptions& machine = {});
  ~FaceFinder();
  FaceFinder(FaceFinder&&) noexcept;
  FaceFinder& operator=(FaceFinder&&) noexcept;

  const DetectorModel& model() const;
  const Landmarks& landmarks() const;
  BackendKind backend() const;  // kAuto if several backends may be used
  // With kAuto: why no device helps, if one was to help and could not start or failed; else "".
  std::string note() const;
  int threads() const;

  FoundFaces find(const PictureView& picture, const DetectOptions& options = {},
                  std::optional<double> min_confidence = {});
  FoundFaces find(GrayView picture, const DetectOptions& options = {},
                  std::optional<double> min_confidence = {}) {
    return find(PictureView(picture), options, min_confidence);
  }
  // Searches several pictures of any sizes in one call. Writes into existing results, whose memory is used
  // again: `found[i]` and `shapes[i]` belong to `pictures[i]`.
  void find(std::span<const PictureView> pictures, const DetectOptions& options,
            std::vector<Detections>& found, std::vector<std::vector<Shape>>& shapes,
            std::optional<double> min_confidence = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace winnow
