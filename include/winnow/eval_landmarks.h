// Measures how well landmarks mark faces: compares a model's points with the points that people marked.
//
//   winnow::Truth truth = winnow::read_truth("points.csv");
//   std::vector<std::vector<winnow::MarkedFace>> found = ...;  // one entry a picture, in the truth's order
//   winnow::LandmarkEvaluation result = winnow::evaluate_landmarks(truth.pictures, found);
//   std::printf("%.2f %%\n", 100 * result.of(winnow::LandmarkNorm::kPupils).mean);
//
// In:     labelled pictures with points, and the faces that a model marked in each picture.
// Out:    errors of faces and points, curves and shares; reports as JSON, CSV and a page of HTML.
// Exact:  doubles by single IEEE operations in the order of pictures and labels; equal input gives equal
//         results.
// Memory: results own their data and belong to the caller.
// Thread: any thread may call the functions.
//
// Coordinates of the truth and of `Shape` are compared without a shift. In both, as in dlib's files, the
// middle of the first pixel is (0, 0).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <winnow/box.h>
#include <winnow/detector.h>
#include <winnow/export.h>
#include <winnow/landmarker.h>
#include <winnow/truth.h>

namespace winnow {

// The length by which distances are divided. The length comes from the label. kPupils and kEyeCorners need a
// scheme that tells eyes and corners; without one there is kSide only.
enum class LandmarkNorm {
  // The distance of the pupils: between the means of the points of the eyes. With iBUG's 68 points: between
  // the mean of points 36 to 41 and the mean of 42 to 47.
  kPupils,
  kEyeCorners,  // the distance of the outer corners of the eyes: points 36 and 45 of iBUG's 68
  kSide,        // sqrt(width * height) of the box around the label's points
  // Takes the root of the sum of squared distances, divided by the length of kEyeCorners and by the number of
  // points. The three norms above take the mean distance, divided by the norm's length.
  kRoot,
};
inline constexpr std::array<LandmarkNorm, 4> kLandmarkNorms = {
    LandmarkNorm::kPupils, LandmarkNorm::kEyeCorners, LandmarkNorm::kSide, LandmarkNorm::kRoot};
// "pupils", "eye_corners", "side" or "root".
WINNOW_API const char* landmark_norm_name(LandmarkNorm norm);

// A face that a model marked.
struct MarkedFace {
  Box box;  // the detector's box
  Shape shape;
  std::optional<std::size_t> label = {};  // the label that the box came from; no value: `match_faces` decides
};

struct JudgedFace {
  std::size_t picture = 0, label = 0;
  Box box;
  Shape shape;
  std::array<double, kLandmarkNorms.size()> errors{};  // one per norm; NaN if the label lacks the norm
  double error(LandmarkNorm norm) const { return errors[static_cast<std::size_t>(norm)]; }
};
// A labelled face without a box. Missed faces are counted separately, and do not enter the errors of points.
struct MissedFace {
  std::size_t picture = 0, label = 0;
  bool operator==(const MissedFace&) const = default;
};

// The errors of all found faces whose labels have the norm. Figures are NaN if there is no such face.
struct WINNOW_API NormErrors {
  double mean = 0, median = 0;
  std::vector<double> curve;   // the error of each face, rising: the cumulative curve
  std::vector<double> points;  // the mean error of each compared point; empty for kRoot
  std::int64_t faces() const { return static_cast<std::int64_t>(curve.size()); }
  double above(double error) const;  // the fraction of faces with a larger error
  // The area under the cumulative curve from 0 to `error`, as a fraction of the whole area: 1 if all errors
  // are 0.
  double area_to(double error) const;
};
// Reports give the fraction of faces above each of these errors, and `area_to` of the first error.
inline constexpr std::array<double, 2> kReportedLandmarkErrors = {0.08, 0.1};

// The points whose stated probability lies in one of ten equal ranges from 0 to 1. The last range includes 1.
struct ReliabilityBin {
  std::int64_t points = 0;
  double stated = 0, observed = 0;  // the mean probability, and the fraction of right points; NaN if empty
};
// Compares the probabilities that a model states with what is observed. Faces without the length are left
// out.
struct WINNOW_API Reliability {
  // A point is right within this fraction of the distance of the pupils; of the box's side (kSide) if the
  // scheme has no eyes.
  double distance = 0;
  std::array<ReliabilityBin, 10> bins{};
  std::int64_t points() const;
  double difference() const;  // the mean of |stated - observed| over all points; NaN without points
};

struct WINNOW_API LandmarkEvaluation {
  std::int64_t pictures = 0;
  std::int64_t faces = 0;     // labels that count: the found and the missed ones
  std::int64_t left_out = 0;  // labels that are ignored or have no points
  std::size_t points = 0;     // number of points compared in each face; 0 if no face was found
  // Pair `i` of compared points is point `label_points[i]` of a label and `shape_points[i]` of a shape.
  std::vector<std::size_t> label_points = {}, shape_points = {};
  PointScheme scheme = {};         // what the points of the labels mean
  std::vector<JudgedFace> found;   // in the order of pictures and labels
  std::vector<MissedFace> missed;  // in the order of pictures and labels
  std::array<NormErrors, kLandmarkNorms.size()> norms{};
  std::optional<Reliability> reliability{};  // no value if a shape has no confidence
  const NormErrors& of(LandmarkNorm norm) const { return norms[static_cast<std::size_t>(norm)]; }
  // The norm that orders the worst faces: the pupils, or the side if no found face has pupils.
  LandmarkNorm main_norm() const;
};

// What the points of labels and of a model mean. An empty scheme is replaced by what the places of the points
// tell (`known_scheme` in truth.h).
struct ComparedSchemes {
  PointScheme labels = {}, model = {};
};

// Compares `found[i]` with the labels of `pictures[i]`. Points with the same name are compared, and iBUG's
// points have names by their places. Without common names, equal numbers of points are compared in their
// order. A point is right if its error is at most `distance` (`PointConfidence::distance`).
//
// kUsage in these cases:
// - lists of different lengths;
// - numbers of points that cannot be compared, or that differ from face to face;
// - points without common names that lie as if they stood in another order than the model's;
// - a coordinate or a confidence that makes no sense;
// - a `MarkedFace::label` that does not exist or is given twice.
WINNOW_API LandmarkEvaluation evaluate_landmarks(std::span<const LabelledPicture> pictures,
                                                 std::span<const std::vector<MarkedFace>> found,
                                                 double distance = PointConfidence{}.distance,
                                                 const ComparedSchemes& schemes = {});
// Throws kUsage if a model cannot be compared with one of the labels, whose points have these names or none.
// Labels that are ignored or have no points do not matter. Returns the scheme of the labels.
WINNOW_API PointScheme check_faces(std::span<const LabelledPicture> pictures, const LandmarkModel& model,
                                   const std::vector<std::string>& names = {});

// One of the models that a report compares.
struct EvaluatedLandmarks {
  std::string name, file;
  LandmarkEvaluation faces;
  std::size_t points = 0;                    // number of the model's points
  std::string boxes;                         // the name of the detector whose boxes were marked, or "truth"
  std::optional<DetectOptions> detect = {};  // how the detector searched; no value for boxes of the truth
  std::string backend = {};
  double search_seconds = 0, fit_seconds = 0;  // spent on finding boxes, and on fitting points
};
struct LandmarkReport {
  std::string title = "Evaluation of landmarks";
  std::vector<std::string> truth;         // names of the truth files
  std::vector<LabelledPicture> pictures;  // the pictures that were searched
  std::int64_t unread = 0;  // pictures that could not be searched; their labels are left out, too
  double move = 0;          // boxes were moved by this fraction of their side before the fit
  std::uint64_t seed = 1;   // the seed for the directions of the moves
  std::vector<EvaluatedLandmarks> models;
};

WINNOW_API std::string landmark_eval_json(const LandmarkReport& report);
// One line for each pair of a face and a model, whether or not the face was found.
WINNOW_API std::string landmark_eval_csv(const LandmarkReport& report);
// One self-contained page. Opens pictures again for crops of the worst faces; a crop is left out if its
// picture cannot be read. kUsage if a model was evaluated on other pictures than the report's.
WINNOW_API std::string landmark_eval_page(const LandmarkReport& report);
// The paths of the files that `write_landmark_eval` writes: eval.json, faces.csv and index.html.
WINNOW_API std::vector<std::string> landmark_eval_files(const std::string& folder);
// Writes the files of `landmark_eval_files` into `folder`, which is made if it does not exist. kIo if a file
// cannot be written.
WINNOW_API void write_landmark_eval(const LandmarkReport& report, const std::string& folder);

}  // namespace winnow
