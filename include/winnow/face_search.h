// Says how faces are searched for landmarks, and which of them are dropped.
//
//   winnow::Detector detector(winnow::DetectorModel::load("built-in:face"));
//   winnow::Landmarker landmarker(winnow::Landmarks::load("built-in:face-68"));
//   const winnow::FaceSearch search = winnow::face_search(detector.model(), landmarker.model());
//   winnow::Detections found = detector.detect(picture.view(), search.options);
//   std::vector<winnow::Box> boxes;
//   for (const winnow::Detection& object : found.objects) boxes.push_back(object.box);
//   std::vector<winnow::Shape> shapes = landmarker.fit(picture.view().gray, boxes);
//   winnow::drop_unlikely(search, found.objects, shapes);
//
// In:     a detector's model, landmarks, and what the caller chose.
// Out:    options of the search, and the least confidence of a face.
// Exact:  plain values.
// Memory: nothing is kept.
// Thread: any.
//
// Landmarks with presence (`Shape::presence`) tell faces from false alarms. So the detector may search more
// loosely: it finds more faces, and presence drops the false alarms. `winnow faces`, `winnow eval landmarks`
// and `make_faces_work` search in this way.
#pragma once

#include <optional>
#include <vector>

#include <winnow/detection.h>
#include <winnow/detector_model.h>
#include <winnow/export.h>
#include <winnow/landmarker.h>
#include <winnow/landmarks.h>

namespace winnow {

// The search for landmarks with presence, in boxes of the detector that they were trained with. Chosen on
// faces and scenes that the training did not see (docs/design/020-training-points.md).
inline constexpr double kFaceScale = 1.07;
inline constexpr int kFaceNeighbors = 1;
inline constexpr double kFacePresence = 0.1;
// Presence was learned from larger faces. So a box narrower than this stays if it has more than twice the
// neighbours that the detector asks for, whatever its presence.
inline constexpr int kSmallFace = 60;

struct FaceSearch {
  DetectOptions options;
  double min_confidence = 0;  // of `Shape::whole_confidence`; 0 drops no face
  // Narrower boxes with more neighbours than these stay; 0: none do.
  int small_face = 0, small_neighbors = 0;
};

// Fields of `options` that have a value stay as they are. With other detectors, with landmarks without
// presence, and with candidates that are not grouped, the other fields take the detector's values, and only a
// `min_confidence` of the caller's drops faces. Such a `min_confidence` holds for small faces, too. kUsage for
// one that is not from 0 to 1, or is above 0 although the landmarks have no confidence.
WINNOW_API FaceSearch face_search(const DetectorModel& detector, const Landmarks& landmarks,
                                  DetectOptions options = {}, std::optional<double> min_confidence = {});

// Whether the search drops an object with this shape.
WINNOW_API bool is_unlikely(const FaceSearch& search, const Detection& object, const Shape& shape);
// Drops unlikely objects and their shapes. Both lists have equal lengths.
WINNOW_API void drop_unlikely(const FaceSearch& search, std::vector<Detection>& objects,
                              std::vector<Shape>& shapes);

}  // namespace winnow
