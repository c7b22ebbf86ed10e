// Finds the faces of labelled pictures, as winnow/train_landmarks.h declares; its opening comment holds here.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include <winnow/cascade.h>
#include <winnow/error.h>
#include <winnow/train_landmarks.h>

#include "base/clean_text.h"
#include "base/count_text.h"
#include "base/file.h"
#include "base/random.h"
#include "base/real_box.h"
#include "model/landmarks/landmark_model.h"
#include "train/landmarks/far_points.h"
#include "train/landmarks/presence.h"
#include "train/options.h"
#include "train/samples/negatives.h"
#include "train/samples/pack_sources.h"
#include "train/state_file.h"
#include "truth/face_rule.h"

namespace winnow {
namespace {

constexpr std::int64_t kMaxPictureBytes = std::int64_t{1} << 30;
constexpr double kLooseScale = 1.05;
constexpr std::size_t kFalseBoxesPerFace = 4;
constexpr std::uint64_t kThin = 0x7468696e;

// Rounds to whole pixels, and keeps the result from `least` to 2^29, so that sums of two such numbers fit an
// int.
int whole(double pixels, double least) {
  constexpr double kMost = 1 << 29;
  return static_cast<int>(std::floor((pixels > least ? std::min(pixels, kMost) : least) + 0.5));
}
int whole(double pixels) { return whole(pixels, -(1 << 29)); }

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Gives a box to each face that the detector missed. The box's place and size, relative to the face's points,
// are the medians over the found faces.
void place_missed(std::vector<TrainingFace>& faces) {
  std::vector<double> wide, high, right, down;
  for (const TrainingFace& face : faces) {
    if (!face.found) continue;
    const RealBox around = box_around(face.points), box = real_box(face.box);
    const double side = std::max(around.width, around.height);
    wide.push_back(box.width / side);
    high.push_back(box.height / side);
    right.push_back((box.x + box.width / 2 - around.x - around.width / 2) / side);
    down.push_back((box.y + box.height / 2 - around.y - around.height / 2) / side);
  }
  if (wide.empty() || wide.size() == faces.size()) return;
  const double w = median(wide), h = median(high), r = median(right), d = median(down);
  for (TrainingFace& face : faces) {
    if (face.found) continue;
    const RealBox around = box_around(face.points);
    const double side = std::max(around.width, around.height);
    face.box.width = whole(side * w, 2);  // a training takes no smaller box
    face.box.height = whole(side * h, 2);
    face.box.x = whole(around.x + around.width / 2 + side * r - face.box.width / 2.0);
    face.box.y = whole(around.y + around.height / 2 + side * d - face.box.height / 2.0);
  }
}

std::vector<Point> chosen_points(const Label& label, const std::vector<int>& wanted) {
  if (wanted.empty()) return label.points;
  std::vector<Point> points;
  for (const int number : wanted) {
    if (number < 0 || static_cast<std::size_t>(number) >= label.points.size())
      refuse("there is no point " + std::to_string(number) + ": faces have " +
             count_text(static_cast<std::int64_t>(label.points.size()), "point"));
    points.push_back(label.points[static_cast<std::size_t>(number)]);
  }
  return points;
}

// Whether an error comes from a picture. Such a picture is left out.
bool is_of_picture(const Error& error) {
  return error.code() == ErrorCode::kIo || error.code() == ErrorCode::kFormat ||
         error.code() == ErrorCode::kLimit;
}

class FaceFinder {
 public:
  FaceFinder(const FaceSetOptions& options, const MachineOptions& machine) : options_(options) {
    set_.points = options.points;
    if (options.detector == "truth") {
      if (!options.negatives.empty()) refuse("negatives need a detector that has false alarms in them");
      return;
    }
    const std::string path = resolve_model(options.detector);
    detector_.emplace(DetectorModel::load(path), machine);
    const std::string built_in = "built-in:";
    if (path.starts_with(built_in)) set_.detector = path.substr(built_in.size());
  }

  void add(const LabelledPicture& picture, const PackNote& note) {
    std::vector<TrainingFace> faces;
    LabelledPicture kept;  // the labels that mark `faces`
    for (const Label& label : picture.labels) {
      if (!marks_face(label)) continue;
      TrainingFace face;
      face.points = chosen_points(label, options_.points);
      if (set_.marked == 0) set_.marked = label.points.size();
      if (label.points.size() != set_.marked)
        throw Error(ErrorCode::kUsage,
                    "all faces must have the same number of points: this one has " +
                        std::to_string(label.points.size()) + ", others have " + std::to_string(set_.marked),
                    picture.path);
      if (face.points.size() < 2)
        refuse("a face needs two points or more; a list of points names each by its number");
      if (face.points.size() > kMaxPoints)
        throw Error(ErrorCode::kLimit, "a face has more than " + std::to_string(kMaxPoints) + " points",
                    picture.path);
      const RealBox around = box_around(face.points);
      if (is_far(face.points) || !(std::max(around.width, around.height) >= 1)) {
        note("left out a face whose points make no sense: " + picture.path);
        continue;
      }
      face.picture = set_.pictures.size();
      face.box = box_of_label(label, picture);
      faces.push_back(std::move(face));
      kept.labels.push_back(label);
    }
    if (faces.empty()) return;
    marked_.labels.insert(marked_.labels.end(), kept.labels.begin(), kept.labels.end());
    kept.path = picture.path;
    try {
      find(kept, faces);
    } catch (const Error& error) {
      if (!is_of_picture(error)) throw;
      note("left out " + picture.path + ": " + error.sentence());
    }
  }

  // Searches a picture without faces for false alarms.
  void add_negative(const std::string& path, const PackNote& note) {
    try {
      const Picture read = read_picture(path);
      const GrayView view = read.view().gray;
      ++searched_;
      detector_->detect(view, loose_search(), found_);
      const std::size_t before = set_.false_boxes.size();
      for (const Detection& object : found_.objects)
        if (object.box.width >= 2 && object.box.height >= 2)
          set_.false_boxes.push_back({set_.negatives.size(), object.box});
      if (set_.false_boxes.size() == before) return;
      set_.negatives.push_back(path);
      set_.negative_sizes.push_back({view.width, view.height});
    } catch (const Error& error) {
      if (!is_of_picture(error)) throw;
      note("left out " + path + ": " + error.sentence());
    }
  }

  FaceSet finish(const PackNote& note) {
    if (set_.faces.size() < 2)
      throw Error(ErrorCode::kFormat, "there are fewer than 2 faces with points to learn from");
    if (std::none_of(set_.faces.begin(), set_.faces.end(),
                     [](const TrainingFace& face) { return face.found; }))
      throw Error(ErrorCode::kFormat,
                  "the detector finds none of the " +
                      count_text(static_cast<std::int64_t>(set_.faces.size()), "marked face"));
    check_found();
    place_missed(set_.faces);
    if (const std::string reason = no_presence(); !reason.empty())
      note("the model gets no presence: " + reason);
    thin_false_boxes(kFalseBoxesPerFace * set_.faces.size());
    name_points();
    return std::move(set_);
  }

 private:
  // The box of a missed face is a guess. A training in which most boxes are guessed would learn little.
  void check_found() const {
    const auto found = std::count_if(set_.faces.begin(), set_.faces.end(),
                                     [](const TrainingFace& face) { return face.found; });
    if (2 * static_cast<std::size_t>(found) >= set_.faces.size()) return;
    throw Error(ErrorCode::kFormat,
                "the detector finds only " + std::to_string(found) + " of the " +
                    count_text(static_cast<std::int64_t>(set_.faces.size()), "marked face") +
                    "; take another detector, or truth for the boxes of the labels");
  }

  // Takes the names of the learned points from the labels, or from where all points of the labels lie.
  void name_points() {
    std::vector<std::string> names;
    for (const std::string& name : options_.names) names.push_back(clean_text(name));
    if (names.empty()) names = known_scheme({&marked_, 1}).scheme.names;
    if (!names.empty() && names.size() != set_.marked)
      refuse("the labels name " + count_text(static_cast<std::int64_t>(names.size()), "point") +
             ", and faces have " + std::to_string(set_.marked));
    if (!names.empty() && !options_.points.empty()) {
      for (const int number : options_.points) set_.names.push_back(names[static_cast<std::size_t>(number)]);
    } else {
      set_.names = std::move(names);
    }
  }

  // Returns the reason why the given negatives cannot teach presence; "" if they can.
  std::string no_presence() const {
    if (options_.negatives.empty()) return "";
    const std::string searched = count_text(static_cast<std::int64_t>(searched_), "negative");
    const std::size_t boxes = set_.false_boxes.size();
    if (boxes == 0) return "the detector finds nothing in " + searched;
    if (boxes < kLeastFalseBoxes)
      return "the detector finds only " + count_text(static_cast<std::int64_t>(boxes), "false alarm") +
             " in " + searched + ", and " + std::to_string(kLeastFalseBoxes) + " are needed";
    if (set_.negatives.size() < 2) return "all false alarms lie in one negative, and 2 are needed";
    return "";
  }

  // Returns options that keep every object, because many kinds of false alarms teach more than many of one
  // kind. Merging by groups cannot give groups of one window, so merging by support replaces it.
  DetectOptions loose_search() const {
    DetectOptions loose = options_.detect;
    if (!loose.scale_factor) loose.scale_factor = kLooseScale;
    if (loose.merge.value_or(detector_->model().search_defaults().merge) == Merge::kGroups)
      loose.merge = Merge::kSupport;
    loose.min_neighbors = 0;
    loose.min_support = 0;
    return loose;
  }

  // Keeps `most` false boxes, drawn by a hash, without changing their order.
  void thin_false_boxes(std::size_t most) {
    std::vector<FalseBox>& boxes = set_.false_boxes;
    if (boxes.size() <= most) return;
    std::vector<std::size_t> order(boxes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto key = [&](std::size_t i) {
      return winnow::hash(kThin, i, boxes[i].box.x, boxes[i].box.y, boxes[i].box.width);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    order.resize(most);
    std::sort(order.begin(), order.end());
    std::vector<FalseBox> kept;
    for (const std::size_t i : order) kept.push_back(boxes[i]);
    boxes = std::move(kept);
  }

  Box box_of_label(const Label& label, const LabelledPicture& picture) const {
    if (detector_) return {};
    const RealBox& box = label.box;
    if (!(box.width >= 2 && box.height >= 2))
      throw Error(ErrorCode::kUsage, "a label has no box; take the boxes of a detector", picture.path);
    return {whole(box.x), whole(box.y), whole(box.width), whole(box.height)};
  }

  void find(const LabelledPicture& picture, std::vector<TrainingFace>& faces) {
    const std::vector<std::byte> bytes = read_file(picture.path, kMaxPictureBytes);
    const Picture read = decode_picture(bytes);
    const GrayView view = read.view().gray;
    if (detector_) {
      detector_->detect(view, options_.detect, found_);
      std::vector<Box> boxes;
      for (const Detection& object : found_.objects) boxes.push_back(object.box);
      const auto matched = match_faces(picture, boxes);
      for (std::size_t i = 0; i < faces.size(); ++i) {
        faces[i].found = matched[i].has_value();
        if (matched[i]) faces[i].box = boxes[*matched[i]];
      }
    }
    set_.hash = hash_bytes(bytes, set_.hash);
    set_.pictures.push_back(picture.path);
    set_.sizes.push_back({view.width, view.height});
    for (TrainingFace& face : faces) set_.faces.push_back(std::move(face));
  }

  FaceSetOptions options_;
  std::optional<Detector> detector_;
  Detections found_;
  FaceSet set_;
  LabelledPicture marked_;    // the labels of all faces, with all their points
  std::size_t searched_ = 0;  // number of negatives searched
};

}  // namespace

FaceSet find_faces(std::span<const LabelledPicture> pictures, const FaceSetOptions& options,
                   const MachineOptions& machine, const PackNote& note) {
  FaceFinder finder(options, machine);
  const PackNote say = note ? note : [](const std::string&) {};
  for (const LabelledPicture& picture : pictures) finder.add(picture, say);
  std::set<std::string> marked;
  if (!options.negatives.empty())
    for (const LabelledPicture& picture : pictures)
      if (!picture.labels.empty()) marked.insert(real_path(picture.path));
  for (const std::string& source : options.negatives) {
    std::vector<std::string> negatives = pictures_of(source, say);
    leave_out(negatives, marked, source, say);
    for (const std::string& path : negatives) finder.add_negative(path, say);
  }
  return finder.finish(say);
}

}  // namespace winnow
