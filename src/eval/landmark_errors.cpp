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
#include "truth/points/known_shapes.h"
#include "truth/points/mean_points.h"
#include "truth/points/point_names.h"

namespace winnow {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

const std::string& name_of(const LabelledPicture& picture) {
  return picture.name.empty() ? picture.path : picture.name;
}

void require(bool holds, const std::string& sentence, const std::string& file = {}) {
  if (!holds) throw Error(ErrorCode::kUsage, sentence, file);
}

// Chooses the points that are compared. Throws if those of the labels and of the model do not fit together.
ComparedPoints points_to_compare(const LabelledPicture& picture, const PointScheme& labels, std::size_t label,
                                 const PointScheme& model, std::size_t shape) {
  ComparedPoints compared = compared_points(labels, label, model, shape);
  require(compared.count() > 0,
          "a face has " + std::to_string(label) + " marked points, and the model has " +
              std::to_string(shape) +
              (label == shape
                   ? "; their names do not fit together"
                   : "; other numbers are compared only if names, or iBUG's scheme, tell which are the "
                     "same"),
          name_of(picture));
  return compared;
}

void check_same_count(const LabelledPicture& picture, std::size_t first, std::size_t count) {
  require(first == 0 || first == count,
          "faces of the truth have " + std::to_string(first) + " points and " + std::to_string(count) +
              " points; judge them in two calls",
          name_of(picture));
}

// Calls `use` with the picture and each of its labels that marks a face.
template <class Use>
void each_face(std::span<const LabelledPicture> pictures, const Use& use) {
  for (const LabelledPicture& picture : pictures)
    for (const Label& label : picture.labels)
      if (marks_face(label)) use(picture, label);
}

// The points of `from` with these numbers.
std::vector<Point> chosen(const std::vector<Point>& from, const std::vector<std::size_t>& numbers) {
  std::vector<Point> points;
  for (const std::size_t i : numbers) points.push_back(from[i]);
  return points;
}

// The eyes of the labels. If the labels do not tell them, the model's scheme does.
PointScheme judging_scheme(PointScheme labels, const PointScheme& model, const ComparedPoints& compared) {
  if (labels.has_eyes() || !model.has_eyes()) return labels;
  const auto mapped = [&](const std::vector<std::uint16_t>& numbers) {
    std::vector<std::uint16_t> result;
    for (const std::uint16_t number : numbers) {
      const auto at = std::find(compared.shape.begin(), compared.shape.end(), number);
      if (at == compared.shape.end()) return std::vector<std::uint16_t>{};
      result.push_back(
          static_cast<std::uint16_t>(compared.label[static_cast<std::size_t>(at - compared.shape.begin())]));
    }
    return result;
  };
  labels.left_eye = mapped(model.left_eye);
  labels.right_eye = mapped(model.right_eye);
  labels.outer_corners = mapped(model.outer_corners);
  return labels;
}

// Adds up the errors of faces, which become the figures of an evaluation.
class Sums {
 public:
  Sums(double distance, PointScheme scheme) : scheme_(std::move(scheme)) { reliability_.distance = distance; }

  // Computes the errors of a face, and adds them.
  void add(JudgedFace& face, const Label& label, const ComparedPoints& compared) {
    const FaceLengths lengths = lengths_of(label.points, scheme_);
    distances_.clear();
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < compared.count(); ++i) {
      const LandmarkPoint& found = face.shape.points[compared.shape[i]];
      const double distance = distance_of({found.x, found.y}, label.points[compared.label[i]]);
      distances_.push_back(distance);
      sum += distance;
      squares += distance * distance;
    }
    const double count = static_cast<double>(compared.count()), mean = sum / count;
    face.errors = {mean / lengths.pupils, mean / lengths.eye_corners, mean / lengths.side,
                   std::sqrt(squares) / (count * lengths.eye_corners)};
    add_points(LandmarkNorm::kPupils, lengths.pupils);
    add_points(LandmarkNorm::kEyeCorners, lengths.eye_corners);
    add_points(LandmarkNorm::kSide, lengths.side);
    for (std::size_t n = 0; n < norms_.size(); ++n) {
      if (!std::isnan(face.errors[n])) norms_[n].curve.push_back(face.errors[n]);
    }
    add_confidence(face.shape, compared, scheme_.has_eyes() ? lengths.pupils : lengths.side);
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

  void add_confidence(const Shape& shape, const ComparedPoints& compared, double length) {
    sure_ = sure_ && !shape.confidence.empty();
    if (shape.confidence.empty() || std::isnan(length)) return;
    for (std::size_t i = 0; i < compared.count(); ++i) {
      const double stated = static_cast<double>(shape.confidence[compared.shape[i]]);
      const std::size_t tenth = std::min<std::size_t>(static_cast<std::size_t>(stated * 10), 9);
      ReliabilityBin& bin = reliability_.bins[tenth];
      ++bin.points;
      bin.stated += stated;
      bin.observed += distances_[i] <= reliability_.distance * length ? 1 : 0;
    }
  }

  PointScheme scheme_;
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

// The points of shapes in doubles.
std::vector<Point> points_of(const Shape& shape) {
  std::vector<Point> points;
  for (const LandmarkPoint& point : shape.points) points.push_back({point.x, point.y});
  return points;
}

// The scheme of the model, or what the places of its points tell.
PointScheme found_scheme(std::span<const JudgedFace> found, const PointScheme& model) {
  if (model != PointScheme{}) return model;
  std::vector<std::vector<Point>> shapes;
  for (const JudgedFace& face : found)
    if (shapes.empty() || face.shape.points.size() == shapes.front().size())
      shapes.push_back(points_of(face.shape));
  const std::vector<Point> mean = mean_of_faces(shapes);
  return mean.empty() ? PointScheme{} : scheme_of_names(names_of_shape(mean));
}

// Compares the points of the found faces.
void judge(std::span<const LabelledPicture> pictures, double distance, const ComparedSchemes& schemes,
           LandmarkEvaluation& result) {
  if (result.found.empty()) return Sums(distance, {}).finish(result);
  const PointScheme labels = schemes.labels != PointScheme{} ? schemes.labels : known_scheme(pictures).scheme;
  const PointScheme model = found_scheme(result.found, schemes.model);
  const auto label_of = [&](const JudgedFace& face) -> const Label& {
    return pictures[face.picture].labels[face.label];
  };
  std::vector<std::vector<Point>> marked, shapes;
  ComparedPoints compared;
  std::size_t first_label = 0, first_shape = 0;
  for (const JudgedFace& face : result.found) {
    const std::size_t of_label = label_of(face).points.size(), of_shape = face.shape.points.size();
    compared = points_to_compare(pictures[face.picture], labels, of_label, model, of_shape);
    check_same_count(pictures[face.picture], first_label, of_label);
    check_same_count(pictures[face.picture], first_shape, of_shape);
    first_label = of_label;
    first_shape = of_shape;
    marked.push_back(chosen(label_of(face).points, compared.label));
    shapes.push_back(chosen(points_of(face.shape), compared.shape));
  }
  if (!compared.by_names) check_same_order(marked, mean_of_faces(shapes));
  result.scheme = judging_scheme(labels, model, compared);
  result.points = compared.count();
  result.label_points = compared.label;
  result.shape_points = compared.shape;
  Sums sums(distance, result.scheme);
  for (JudgedFace& face : result.found) sums.add(face, label_of(face), compared);
  sums.finish(result);
}

}  // namespace

const char* landmark_norm_name(LandmarkNorm norm) {
  constexpr std::array<const char*, kLandmarkNorms.size()> kNames = {"pupils", "eye_corners", "side", "root"};
  return kNames[static_cast<std::size_t>(norm)];
}

LandmarkEvaluation evaluate_landmarks(std::span<const LabelledPicture> pictures,
                                      std::span<const std::vector<MarkedFace>> found, double distance,
                                      const ComparedSchemes& schemes) {
  require(pictures.size() == found.size(), "there must be a list of marked faces for each picture");
  require(distance > 0 && std::isfinite(distance), "the distance of a right point must be above 0");
  LandmarkEvaluation result;
  result.pictures = static_cast<std::int64_t>(pictures.size());
  for (std::size_t p = 0; p < pictures.size(); ++p) {
    const LabelledPicture& picture = pictures[p];
    const auto faces = faces_of(picture, found[p]);
    for (std::size_t i = 0; i < picture.labels.size(); ++i) {
      if (!marks_face(picture.labels[i])) {
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
      result.found.push_back({p, i, marked.box, marked.shape, {}});
    }
  }
  judge(pictures, distance, schemes, result);
  return result;
}

PointScheme check_faces(std::span<const LabelledPicture> pictures, const LandmarkModel& model,
                        const std::vector<std::string>& names) {
  const PointScheme labels = known_scheme(pictures, names).scheme, own = scheme_of_model(model);
  std::vector<Point> mean;
  for (const ShapePoint& point : model.mean)
    mean.push_back({static_cast<double>(point.x), static_cast<double>(point.y)});
  std::size_t first = 0;
  std::vector<std::vector<Point>> faces;
  ComparedPoints compared;
  each_face(pictures, [&](const LabelledPicture& picture, const Label& label) {
    compared = points_to_compare(picture, labels, label.points.size(), own, mean.size());
    check_same_count(picture, first, label.points.size());
    first = label.points.size();
    faces.push_back(chosen(label.points, compared.label));
  });
  if (!faces.empty() && !compared.by_names) check_same_order(faces, chosen(mean, compared.shape));
  return faces.empty() ? labels : judging_scheme(labels, own, compared);
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
