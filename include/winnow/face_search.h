// Chooses how to search for faces that landmarks will mark, and which of the found faces to drop.
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
// Exact:  the same choice for the same models and values, on every machine.
// Memory: nothing is kept.
// Thread: any thread may call the functions.
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

// Values for landmarks that have presence and were trained with boxes of the same detector. They were chosen
// on faces and scenes that the training did not see (docs/design/020-training-points.md).
inline constexpr double kFaceScale = 1.07;
inline constexpr int kFaceNeighbors = 1;
inline constexpr double kFacePresence = 0.1;  // becomes `FaceSearch::min_confidence`
// Presence was learned from larger faces. So a box narrower than this many pixels stays, whatever its
// presence, if it has more than twice as many neighbours as the detector's default `min_neighbors`.
inline constexpr int kSmallFace = 60;

struct FaceSearch {
  DetectOptions options;
  double min_confidence = 0;  // faces with a lower `Shape::whole_confidence` are dropped; 0 drops none
  // A box stays in any case if it is narrower than `small_face` pixels and has more than `small_neighbors`
  // neighbours. With `small_face` 0 there is no such box.
  int small_face = 0, small_neighbors = 0;
};

// kUsage if the detector finds other objects than the landmarks mark (`ModelCard::kind`): one kind must be a
// part of the other, in any case of letters. A model that does not say its kind, as OpenCV's cascades, serves
// for all. `FaceFinder` and `Follower` call it.
WINNOW_API void check_kinds(const DetectorModel& detector, const Landmarks& landmarks);

// Completes `options` and chooses which faces to drop.
// - Fields of `options` that have a value stay as they are.
// - Fields without a value get the constants above if the landmarks have presence and name this detector, and
//   candidates are merged by `Merge::kGroups`. Otherwise these fields get the detector's values.
// - Without the constants, faces are dropped only by the caller's `min_confidence`. If the caller gives
//   `min_confidence`, it also counts for small faces.
// - kUsage for a `min_confidence` that is not from 0 to 1, or is above 0 although the landmarks have no
//   confidence.
WINNOW_API FaceSearch face_search(const DetectorModel& detector, const Landmarks& landmarks,
                                  DetectOptions options = {}, std::optional<double> min_confidence = {});

// Whether the search drops an object with this shape.
WINNOW_API bool is_unlikely(const FaceSearch& search, const Detection& object, const Shape& shape);
// Drops unlikely objects and their shapes. Both lists have equal lengths.
WINNOW_API void drop_unlikely(const FaceSearch& search, std::vector<Detection>& objects,
                              std::vector<Shape>& shapes);

}  // namespace winnow
