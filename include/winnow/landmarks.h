// Loads and saves landmarks: models that mark points of a face, or of another object, by cascaded regression
// trees (Kazemi, 2014).
//
//   winnow::Landmarks points = winnow::Landmarks::load("shape_predictor_68_face_landmarks.dat");
//   winnow::Landmarker landmarker(points);  // landmarker.h
//
// A fit begins with the mean shape inside a box. Each stage reads pixels near the points of the shape so far,
// and each of its trees adds one leaf to the shape.
//
// In:     a file of dlib's or Winnow's own, recognised by its content, or a model as plain data.
// Out:    a checked `Landmarks`, or the bytes of a file. `Error` for a file that cannot be read (kIo), is no
//         such model (kFormat), or fails the check (kFormat, kLimit, kUnsupported).
// Exact:  reading the bytes of `to_bytes` gives an equal model; dlib's file keeps neither card nor notes. A
//         file that dlib wrote is written again with the same bytes.
// Memory: a `Landmarks` is immutable and cheap to copy. `model()` and `name()` live as long as any copy.
//         Names of formats live as long as the program. Bytes to parse are read only during the call.
// Thread: any number of threads may use one model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <winnow/cascade_model.h>
#include <winnow/export.h>
#include <winnow/model.h>
#include <winnow/point_scheme.h>

namespace winnow {

// A place in box coordinates: 0 is the centre of the box's first pixel, and 1 the centre of its last pixel.
struct ShapePoint {
  float x = 0, y = 0;
  bool operator==(const ShapePoint&) const = default;
};

// A pixel that a stage reads: an offset from a point of the shape. The offset turns and scales with the
// shape.
struct ShapePixel {
  std::uint16_t point = 0;
  ShapePoint offset;
  bool operator==(const ShapePixel&) const = default;
};

// A split goes left if the value of pixel `first` minus that of pixel `second` is above the threshold.
struct ShapeSplit {
  std::uint16_t first = 0, second = 0;
  float threshold = 0;
  bool operator==(const ShapeSplit&) const = default;
};

// Units of fixed-point numbers. A coordinate counts units of 2^-kCoordinateBits of a box's side. A number of
// a basis counts units of 2^-kBasisBits.
inline constexpr int kCoordinateBits = 22;
inline constexpr int kBasisBits = 14;

// The splits of trees of one size, and the pixels that the splits read. Both lists are ordered stage by
// stage.
struct ShapeTrees {
  std::int32_t stages = 0, trees = 0, pixels = 0;  // trees and pixels per stage
  std::int32_t depth = 0;                          // splits on the way to a leaf
  std::vector<ShapePixel> pixel_list;              // stages * pixels entries
  std::vector<ShapeSplit>
      splits;  // tree by tree; split i has the children 2 * i + 1 (left) and 2 * i + 2 (right)

  std::size_t splits_per_tree() const { return (std::size_t{1} << depth) - 1; }
  std::size_t leaves_per_tree() const { return std::size_t{1} << depth; }
  std::size_t tree_count() const {
    return static_cast<std::size_t>(stages) * static_cast<std::size_t>(trees);
  }
  bool operator==(const ShapeTrees&) const = default;
};

// Leaves of whole numbers. A leaf has a number for each coordinate of the shape or, if there is a basis, for
// each vector of the basis. In each stage the numbers count units of 2^-unit_bits of a box's side.
struct FixedLeaves {
  std::int32_t values = 0;              // count of numbers in a leaf
  std::vector<std::int32_t> unit_bits;  // one per stage, 0 to 40
  std::vector<std::int16_t> numbers;    // the numbers of all leaves, leaf by leaf
  // Stage by stage: for each vector, its coordinates x0, y0, x1, ... in units of 2^-kBasisBits. Without a
  // basis the list is empty.
  std::vector<std::int16_t> basis;
  bool operator==(const FixedLeaves&) const = default;
};

// How sure a model is of each point. After the last stage of the fit, one more stage of trees gives each
// point a sum, and the point's curve turns the sum into a probability. A model may also have presence: the
// probability that the box shows what the model was trained for. Each list then has one more entry for
// presence, after the entries for the points.
struct PointConfidence {
  ShapeTrees trees;    // one stage
  FixedLeaves leaves;  // a number for each point, and one for presence; no basis
  // A sum gives the probability 1 / (1 + exp(-(slope * sum + shift))). Here `sum` is the sum of the leaves'
  // numbers times 2^-unit_bits.
  std::vector<float> slope, shift;  // for each point, and for presence
  // A point is right within this fraction of the distance between the pupils; of the side of the box around
  // the points if the model's scheme has no eyes.
  double distance = 0.05;
  bool operator==(const PointConfidence&) const = default;
};

// Turns a detector's box into the box that this model needs, which has the same proportions.
struct BoxPlace {
  double scale = 1;            // the side of the model's box, divided by the detector's side
  double right = 0, down = 0;  // how far the middle moves, as fractions of the detector's side
  bool operator==(const BoxPlace&) const = default;
};

struct LandmarkModel {
  std::vector<ShapePoint> mean;  // the shape that each fit begins with
  ShapeTrees trees;
  // The leaves of dlib's models, in the order of the trees. A leaf lists what it adds to x0, y0, x1, ...
  // Empty if the model has fixed-point leaves.
  std::vector<float> float_leaves;
  FixedLeaves fixed_leaves;  // empty if the model has `float_leaves`
  // Whether a stage turns its sum of leaves with the shape before adding it, as it turns the offsets of
  // pixels. Leaves that learned from upright faces then suit leaning faces, too. Only for fixed-point models.
  bool turned = false;
  std::optional<PointConfidence> confidence{};
  // What the points mean. No value in dlib's files and in models of earlier versions, whose shape tells it.
  std::optional<PointScheme> scheme{};
  // The detector whose boxes the model takes, and how these boxes are placed.
  std::string detector;  // the name of a built-in model, or ""
  BoxPlace place;
  ModelCard card;
  std::vector<std::string> notes;  // unusual facts about the file, in sentences

  bool fixed_point() const { return float_leaves.empty(); }
  bool has_presence() const { return confidence && confidence->slope.size() > mean.size(); }
  // Compares all that changes points or their meaning; card and notes are not compared.
  bool same_as(const LandmarkModel& other) const {
    return mean == other.mean && trees == other.trees && float_leaves == other.float_leaves &&
           fixed_leaves == other.fixed_leaves && turned == other.turned && confidence == other.confidence &&
           scheme == other.scheme && detector == other.detector && place == other.place;
  }
};

enum class LandmarkFormat {
  kWinnow,  // Winnow's own format
  kDlib,    // dlib's shape_predictor
};
WINNOW_API const char* landmark_format_name(LandmarkFormat format);

class WINNOW_API Landmarks {
 public:
  // `name` stands for the file in errors, and becomes the model's name if the bytes hold none.
  static Landmarks load(const std::string& path);
  static Landmarks parse(std::span<const std::byte> bytes, const std::string& name);
  // Checks `model` and takes it over.
  explicit Landmarks(LandmarkModel model);
  // The landmarks inside a model; empty for a model of another kind.
  static std::optional<Landmarks> from(const Model& model);

  const LandmarkModel& model() const { return *model_; }
  const std::string& name() const { return model_->card.name; }
  std::size_t points() const { return model_->mean.size(); }
  operator Model() const;

  // The same model with leaves of 16 bits. Points of dlib's 68-point file move by 0.3 % of the box on average,
  // and by up to 7 % of it. kUsage for a model that has fixed-point leaves already.
  Landmarks with_16_bits() const;

  // The same model for boxes of the built-in detector `face`. dlib's file, and a model made from that file,
  // get the `BoxPlace` that turns boxes of `face` into dlib's. A model that names its detector stays as it
  // is. A model that Winnow trained also stays, since it gets the boxes that it was trained on.
  Landmarks for_face_boxes() const;

  // The bytes of a file. kUnsupported if the format cannot express the model: dlib's file has no basis, no
  // confidence, no scheme of points, and no place of boxes.
  std::vector<std::byte> to_bytes(LandmarkFormat format) const;
  // Replaces an existing file only after all bytes are written. kIo if the file cannot be written.
  void save(const std::string& path, LandmarkFormat format) const;

 private:
  explicit Landmarks(std::shared_ptr<const LandmarkModel> checked);

  std::shared_ptr<const LandmarkModel> model_;
};

}  // namespace winnow
