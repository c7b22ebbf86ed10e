// Matches marked faces with labels, and computes the errors of their points, as winnow/eval_landmarks.h
// declares.
#include <winnow/eval_landmarks.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <winnow/error.h>

#include "eval/landmark_rule.h"
#include "truth/face_rule.h"

namespace winnow {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

const std::string& name_of(const LabelledPicture& picture) {
  return picture.name.empty() ? picture.path : picture.name;
}

void require(bool holds, const std::string& sentence, const std::string& file = {}) {
  if (!holds) throw Error(ErrorCode::kUsage, sentence, file);
}

// Chooses the points that are compared. `label` and `shape`: how many points the label and the shape have.
// Throws if these two numbers do not fit together.
ComparedPoints points_to_compare(const LabelledPicture& picture, std::size_t label, std::size_t shape) {
  const ComparedPoints compared = compared_points(label, shape);
  require(compared.count > 0,
          "a face has " + std::to_string(label) + " marked points, and the model has " +
              std::to_string(shape) + "; equal numbers can be compared, and 5 with 68",
          name_of(picture));
  return compared;
}

void check_same_count(const LabelledPicture& picture, std::size_t first, std::size_t count) {
  require(first == 0 || first == count,
          "faces of the truth have 5 points and 68 points; judge them in two calls", name_of(picture));
}

// Adds up the errors of faces, which become the figures of an evaluation.
class Sums {
 public:
  explicit Sums(double distance) { reliability_.distance = distance; }

  // Computes the errors of a face, and adds them.
  void add(JudgedFace& face, const Label& label, const ComparedPoints& compared) {
    const FaceLengths lengths = lengths_of(label.points);
    distances_.clear();
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < compared.count; ++i) {
      const LandmarkPoint& found = face.shape.points[compared.shape(i)];
      const double distance = distance_of({found.x, found.y}, label.points[compared.label(i)]);
      distances_.push_back(distance);
      sum += distance;
      squares += distance * distance;
    }
    const double count = static_cast<double>(compared.count), mean = sum / count;
    face.errors = {mean / lengths.pupils, mean / lengths.eye_corners, mean / lengths.side,
                   std::sqrt(squares) / (count * lengths.eye_corners)};
    add_points(LandmarkNorm::kPupils, lengths.pupils);
    add_points(LandmarkNorm::kEyeCorners, lengths.eye_corners);
    add_points(LandmarkNorm::kSide, lengths.side);
    for (std::size_t n = 0; n < norms_.size(); ++n) {
      if (!std::isnan(face.errors[n])) norms_[n].curve.push_back(face.errors[n]);
    }
    add_confidence(face.shape, compared, lengths.pupils);
  }

  void finish(LandmarkEvaluation& result) {
    for (NormErrors& norm : norms_) finish(norm);
    result.norms = std::move(norms_);
    if (!sure_ || result.found.empty()) return;
    for (ReliabilityBin& bin : reliability_.bins) {
      const double points = bin.points > 0 ? static_cast<double>(bin.points) : kNone;
      bin.stated /= points;
      bin.observed /= points;
    }
    result.reliability = reliability_;
  }

 private:
  static void finish(NormErrors& norm) {
    const std::size_t faces = norm.curve.size();
    norm.mean = norm.median = kNone;
    if (faces == 0) return;
    const double count = static_cast<double>(faces);
    norm.mean = std::accumulate(norm.curve.begin(), norm.curve.end(), 0.0) / count;
    for (double& point : norm.points) point /= count;
    std::sort(norm.curve.begin(), norm.curve.end());
    norm.median = (norm.curve[(faces - 1) / 2] + norm.curve[faces / 2]) / 2;
  }

  void add_points(LandmarkNorm norm, double length) {
    if (std::isnan(length)) return;
    std::vector<double>& points = norms_[static_cast<std::size_t>(norm)].points;
    points.resize(distances_.size());
    for (std::size_t i = 0; i < points.size(); ++i) points[i] += distances_[i] / length;
  }

  void add_confidence(const Shape& shape, const ComparedPoints& compared, double pupils) {
    sure_ = sure_ && !shape.confidence.empty();
    if (shape.confidence.empty() || std::isnan(pupils)) return;
    for (std::size_t i = 0; i < compared.count; ++i) {
      const double stated = static_cast<double>(shape.confidence[compared.shape(i)]);
      const std::size_t tenth = std::min<std::size_t>(static_cast<std::size_t>(stated * 10), 9);
      ReliabilityBin& bin = reliability_.bins[tenth];
      ++bin.points;
      bin.stated += stated;
      bin.observed += distances_[i] <= reliability_.distance * pupils ? 1 : 0;
    }
  }

  std::vector<double> distances_;  // in pixels, of the points of the face that is being added
  std::array<NormErrors, kLandmarkNorms.size()> norms_{};
  Reliability reliability_;
  bool sure_ = true;  // all shapes so far have a confidence
};

void check_shape(const LabelledPicture& picture, const Shape& shape) {
  for (const LandmarkPoint& point : shape.points)
    require(std::isfinite(point.x) && std::isfinite(point.y), "a marked point must have finite coordinates",
            name_of(picture));
  require(shape.confidence.empty() || shape.confidence.size() == shape.points.size(),
          "a shape has one confidence for each point, or none", name_of(picture));
  for (const float stated : shape.confidence)
    require(stated >= 0 && stated <= 1, "a confidence must be from 0 to 1", name_of(picture));
}

// For each label, the index of its face in `found`, if any. Faces that name their label get that label.
// `match_faces` gives the other faces to the other labels.
std::vector<std::optional<std::size_t>> faces_of(const LabelledPicture& picture,
                                                 std::span<const MarkedFace> found) {
  std::vector<std::optional<std::size_t>> own(picture.labels.size());
  std::vector<std::size_t> others;
  std::vector<Box> boxes;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i].label) {
      others.push_back(i);
      boxes.push_back(found[i].box);
      continue;
    }
    const std::size_t label = *found[i].label;
    require(label < own.size(), "a marked face names a label that is not there", name_of(picture));
    require(!own[label], "two marked faces name the same label", name_of(picture));
    own[label] = i;
  }
  if (others.empty()) return own;
  LabelledPicture left = picture;
  for (std::size_t i = 0; i < own.size(); ++i) left.labels[i].ignore = left.labels[i].ignore || own[i];
  const auto matched = match_faces(left, boxes);
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (matched[i]) own[i] = others[*matched[i]];
  }
  return own;
}

}  // namespace

const char* landmark_norm_name(LandmarkNorm norm) {
  constexpr std::array<const char*, kLandmarkNorms.size()> kNames = {"pupils", "eye_corners", "side", "root"};
  return kNames[static_cast<std::size_t>(norm)];
}

LandmarkEvaluation evaluate_landmarks(std::span<const LabelledPicture> pictures,
                                      std::span<const std::vector<MarkedFace>> found, double distance) {
  require(pictures.size() == found.size(), "there must be a list of marked faces for each picture");
  require(distance > 0 && std::isfinite(distance), "the distance of a right point must be above 0");
  LandmarkEvaluation result;
  result.pictures = static_cast<std::int64_t>(pictures.size());
  Sums sums(distance);
  for (std::size_t p = 0; p < pictures.size(); ++p) {
    const LabelledPicture& picture = pictures[p];
    const auto faces = faces_of(picture, found[p]);
    for (std::size_t i = 0; i < picture.labels.size(); ++i) {
      const Label& label = picture.labels[i];
      if (!marks_face(label)) {
        ++result.left_out;
        continue;
      }
      ++result.faces;
      if (!faces[i]) {
        result.missed.push_back({p, i});
        continue;
      }
      const MarkedFace& marked = found[p][*faces[i]];
      check_shape(picture, marked.shape);
      const ComparedPoints compared =
          points_to_compare(picture, label.points.size(), marked.shape.points.size());
      check_same_count(picture, result.points, compared.count);
      result.points = compared.count;
      JudgedFace& face = result.found.emplace_back(JudgedFace{p, i, marked.box, marked.shape, {}});
      sums.add(face, label, compared);
    }
  }
  sums.finish(result);
  return result;
}

void check_faces(std::span<const LabelledPicture> pictures, std::size_t points) {
  std::size_t first = 0;
  for (const LabelledPicture& picture : pictures) {
    for (const Label& label : picture.labels) {
      if (!marks_face(label)) continue;
      const std::size_t count = points_to_compare(picture, label.points.size(), points).count;
      check_same_count(picture, first, count);
      first = count;
    }
  }
}

double NormErrors::above(double error) const {
  if (curve.empty()) return kNone;
  const auto past = std::upper_bound(curve.begin(), curve.end(), error);
  return static_cast<double>(curve.end() - past) / static_cast<double>(curve.size());
}

double NormErrors::area_to(double error) const {
  if (curve.empty() || !(error > 0)) return kNone;
  // The curve steps up at each face's error, so a face adds the part of the range above its error.
  double sum = 0;
  for (const double each : curve) sum += std::max(0.0, 1 - each / error);
  return sum / static_cast<double>(curve.size());
}

std::int64_t Reliability::points() const {
  std::int64_t sum = 0;
  for (const ReliabilityBin& bin : bins) sum += bin.points;
  return sum;
}

double Reliability::difference() const {
  double sum = 0;
  for (const ReliabilityBin& bin : bins) {
    if (bin.points > 0) sum += static_cast<double>(bin.points) * std::abs(bin.stated - bin.observed);
  }
  const std::int64_t all = points();
  return all > 0 ? sum / static_cast<double>(all) : kNone;
}

LandmarkNorm LandmarkEvaluation::main_norm() const {
  return of(LandmarkNorm::kPupils).curve.empty() ? LandmarkNorm::kSide : LandmarkNorm::kPupils;
}

}  // namespace winnow
