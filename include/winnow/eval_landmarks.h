// Measures how well landmarks mark faces: compares marked points with those that people marked.
//
//   winnow::Truth truth = winnow::read_truth("points.csv");
//   std::vector<std::vector<winnow::MarkedFace>> found = ...;  // one entry a picture, in the truth's order
//   winnow::LandmarkEvaluation result = winnow::evaluate_landmarks(truth.pictures, found);
//   std::printf("%.2f %%\n", 100 * result.of(winnow::LandmarkNorm::kPupils).mean);
//
// In:     labelled pictures with points, and the faces that were marked in each.
// Out:    errors of faces and points, curves and shares; reports as JSON, CSV and a page of HTML.
// Exact:  doubles by single IEEE operations in the order of pictures and labels; equal input gives equal
//         results.
// Memory: results own their data and belong to the caller.
// Thread: the functions may be called from any.
//
// Points are compared as the numbers of the truth and of `Shape` say: the middle of the first pixel is (0, 0)
// in both, as in dlib's files.
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

// The length that divides distances. The truth alone decides the length, so models share it. Labels of
// neither 68 nor 5 points have the side only.
enum class LandmarkNorm {
  // The distance of the pupils. 68 points: between the means of 36 to 41 and of 42 to 47. 5 points: between
  // the means of 0 and 1, and of 2 and 3.
  kPupils,
  kEyeCorners,  // the distance of the outer corners of the eyes: points 36 and 45, or 0 and 3 of 5
  kSide,        // sqrt(width * height) of the box around the label's points
  // Another measure, with the eye corners: the root of the sum of squared distances, divided by the corners'
  // distance and by the number of points. The other norms have the mean of the distances.
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
  std::optional<std::size_t> label = {};  // the label that the box was made of; none: `match_faces` decides
};

struct JudgedFace {
  std::size_t picture = 0, label = 0;
  Box box;
  Shape shape;
  std::array<double, kLandmarkNorms.size()> errors{};  // by norm; NaN if the label lacks the norm
  double error(LandmarkNorm norm) const { return errors[static_cast<std::size_t>(norm)]; }
};
// A face that no box belongs to. It is counted apart, and is never an error of points.
struct MissedFace {
  std::size_t picture = 0, label = 0;
  bool operator==(const MissedFace&) const = default;
};

// The errors of all found faces that have a norm. Figures are NaN without such a face.
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
// Reports give the shares of faces above these errors, and the area up to the first.
inline constexpr std::array<double, 2> kReportedLandmarkErrors = {0.08, 0.1};

// The points whose stated probability lies in one tenth of 0 to 1. 1 belongs to the last tenth.
struct ReliabilityBin {
  std::int64_t points = 0;
  double stated = 0, observed = 0;  // the mean probability, and the fraction of right points; NaN if empty
};
// Compares the probabilities that a model states with what is observed. Faces without pupils are left out.
struct WINNOW_API Reliability {
  double distance = 0;  // a point is right within this fraction of the distance of the pupils
  std::array<ReliabilityBin, 10> bins{};
  std::int64_t points() const;
  double difference() const;  // the mean of |stated - observed| over all points; NaN without points
};

struct WINNOW_API LandmarkEvaluation {
  std::int64_t pictures = 0;
  std::int64_t faces = 0;          // labels that count
  std::int64_t left_out = 0;       // labels that are ignored or have no points
  std::size_t points = 0;          // compared in each face; 0 if no face was found
  std::vector<JudgedFace> found;   // in the order of pictures and labels
  std::vector<MissedFace> missed;  // in that order, too
  std::array<NormErrors, kLandmarkNorms.size()> norms{};
  std::optional<Reliability> reliability{};  // none if a shape has no confidence
  const NormErrors& of(LandmarkNorm norm) const { return norms[static_cast<std::size_t>(norm)]; }
  // The norm that orders the worst faces: the pupils, or the side if no found face has pupils.
  LandmarkNorm main_norm() const;
};

// Compares `found[i]` with the labels of `pictures[i]`. Equal numbers of points are compared one by one. If
// one side has 68 points and the other 5, `kFiveOf68` are compared. `distance`: when a point is right
// (`PointConfidence::distance`).
//
// kUsage for lists of different lengths, other numbers of points, compared points that differ in number from
// face to face, a coordinate or a confidence that makes no sense, and a `MarkedFace::label` that is not there
// or is given twice.
WINNOW_API LandmarkEvaluation evaluate_landmarks(std::span<const LabelledPicture> pictures,
                                                 std::span<const std::vector<MarkedFace>> found,
                                                 double distance = PointConfidence{}.distance);
// Throws kUsage if a model with so many points cannot be compared with all labels that count.
WINNOW_API void check_faces(std::span<const LabelledPicture> pictures, std::size_t points);

// One of the models that a report compares.
struct EvaluatedLandmarks {
  std::string name, file;
  LandmarkEvaluation faces;
  std::size_t points = 0;                    // of the model
  std::string boxes;                         // the name of the detector whose boxes were marked, or "truth"
  std::optional<DetectOptions> detect = {};  // how the detector searched; none for boxes of the truth
  std::string backend = {};
  double search_seconds = 0, fit_seconds = 0;  // spent on finding boxes, and on marking them
};
struct LandmarkReport {
  std::string title = "Evaluation of landmarks";
  std::vector<std::string> truth;         // names of the truth files
  std::vector<LabelledPicture> pictures;  // the pictures that were searched
  std::int64_t unread = 0;  // pictures that could not be searched; their labels are left out, too
  double move = 0;          // boxes were moved by this fraction of their side before they were marked
  std::uint64_t seed = 1;   // of the directions of the moves
  std::vector<EvaluatedLandmarks> models;
};

WINNOW_API std::string landmark_eval_json(const LandmarkReport& report);
// A line for each face and model, found or not.
WINNOW_API std::string landmark_eval_csv(const LandmarkReport& report);
// One self-contained page. Opens pictures again for crops of the worst faces; a crop is left out if its
// picture cannot be read. kUsage if a model was evaluated on other pictures than the report's.
WINNOW_API std::string landmark_eval_page(const LandmarkReport& report);
// The paths of the files that `write_landmark_eval` writes: eval.json, faces.csv and index.html.
WINNOW_API std::vector<std::string> landmark_eval_files(const std::string& folder);
// Writes these files into `folder`, which is made if it does not exist. kIo if a file cannot be written.
WINNOW_API void write_landmark_eval(const LandmarkReport& report, const std::string& folder);

}  // namespace winnow
