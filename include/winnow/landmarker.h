// Marks points in boxes of pictures, such as 68 points of a face, with a trained model.
//
//   winnow::Landmarker landmarker(winnow::Landmarks::load("shape_predictor_68_face_landmarks.dat"));
//   for (const winnow::Shape& shape : landmarker.fit(picture.view().gray, boxes))
//     std::printf("%.1f %.1f\n", shape.points[0].x, shape.points[0].y);
//
// In:     grey pictures in host memory (any stride), and boxes of the model's detector. Boxes may reach
//         beyond the picture. kUsage for a box with a side below 1 or a number beyond 2^28, and for a view
//         that has a size but null data. kLimit for a picture's side above 65,536 pixels. kDevice if a device
//         fails.
// Out:    a shape for each box, in the order of the boxes.
// Exact:  same points and confidence for every backend, thread count, device count and batch.
// Memory: a landmarker owns its buffers, which grow to the largest call, and keeps the model alive. `fit`
//         reads pictures only during the call. A reused result keeps its memory.
// Thread: one thread at a time; any number of landmarkers may use one model.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <winnow/backend.h>
#include <winnow/box.h>
#include <winnow/export.h>
#include <winnow/image.h>
#include <winnow/landmarks.h>
#include <winnow/machine.h>

namespace winnow {

// A place in a picture. The middle of the first pixel is (0, 0), as in dlib's files.
struct LandmarkPoint {
  double x = 0, y = 0;
  bool operator==(const LandmarkPoint&) const = default;
};

struct Shape {
  std::vector<LandmarkPoint> points;
  // For each point the probability that the point is right, that is, within `PointConfidence::distance`.
  // Empty if the model has no confidence.
  std::vector<float> confidence;
  // The probability that the box shows what the model was trained for; -1 if the model has no presence. The
  // probability assumes that the detector finds faces and false alarms equally often.
  float presence = -1;

  // The mean of `confidence`: the expected fraction of right points. -1 if the model has no confidence.
  WINNOW_API double mean_confidence() const;
  // How sure the model is of the whole shape: `presence` if the model has presence, else `mean_confidence`.
  WINNOW_API double whole_confidence() const;
  bool operator==(const Shape&) const = default;
};

struct ShapeBox;

class WINNOW_API Landmarker {
 public:
  // kBackend if the backend is not available, or if a device has too little memory for a stage of the model.
  explicit Landmarker(Landmarks model, const MachineOptions& machine = {});
  ~Landmarker();
  Landmarker(Landmarker&&) noexcept;
  Landmarker& operator=(Landmarker&&) noexcept;

  const Landmarks& model() const;
  BackendKind backend() const;  // kAuto if several backends may be used
  // With kAuto: why no device helps, if one was to help and could not start or failed; else "".
  std::string note() const;
  int threads() const;

  std::vector<Shape> fit(GrayView picture, std::span<const Box> boxes);
  // Writes into an existing result, whose memory is used again.
  void fit(GrayView picture, std::span<const Box> boxes, std::vector<Shape>& shapes);
  // Marks several pictures in one call: `boxes[i]` and `shapes[i]` belong to `pictures[i]`.
  void fit(std::span<const GrayView> pictures, std::span<const std::vector<Box>> boxes,
           std::vector<std::vector<Shape>>& shapes);

 private:
  friend class MarkedSearch;
  // Like `fit`, with boxes that are placed already.
  void fit_placed(std::span<const GrayView> pictures, std::span<const std::vector<ShapeBox>> boxes,
                  std::vector<std::vector<Shape>>& shapes);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace winnow
