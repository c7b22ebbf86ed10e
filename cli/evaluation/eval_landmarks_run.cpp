#include "evaluation/eval_landmarks_run.h"

#include <winnow/answer.h>
#include <winnow/error.h>
#include <winnow/face_search.h>
#include <winnow/landmarker.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <optional>
#include <random>
#include <set>
#include <utility>

#include "commands.h"
#include "evaluation/eval_landmarks_summary.h"
#include "evaluation/eval_pictures.h"
#include "search_arguments.h"
#include "terminal/arguments.h"
#include "terminal/standard_output.h"
#include "terminal/stop.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

namespace winnow::cli {
namespace {

class Watch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// A label's box in whole pixels; none if the box has no place in a picture.
std::optional<Box> whole_box(const RealBox& box) {
  constexpr double kMost = 1 << 26;
  const double right = box.x + box.width, bottom = box.y + box.height;
  if (!(box.width >= 0 && box.height >= 0 && std::abs(box.x) < kMost && std::abs(box.y) < kMost &&
        std::abs(right) < kMost && std::abs(bottom) < kMost))
    return std::nullopt;
  const auto whole = [](double value) { return static_cast<int>(std::lround(value)); };
  return Box{whole(box.x), whole(box.y), std::max(1, whole(box.width)), std::max(1, whole(box.height))};
}

// Gives the boxes in which models mark points: those that a detector finds, or those of the truth. Models
// with the same boxes share a source.
class BoxSource {
 public:
  // `file`: the detector's model file; "" for the labels' own boxes.
  BoxSource(const std::string& file, const Landmarks& landmarks, const LandmarkEvalJob& job)
      : file_(file), move_(job.move), random_(job.seed) {
    if (file.empty()) return;
    detector_.emplace(DetectorModel::load(file), job.machine);
    const DetectorModel& model = detector_->model();
    name_ = model_name(model.card(), file);
    check_windows(model, name_, job.options);
    search_ = face_search(model, landmarks, job.options, job.min_confidence);
    options_ = complete_options(search_.options, model.search_defaults());
  }

  // Whether the other source finds the same boxes.
  bool same_as(const BoxSource& other) const {
    return file_ == other.file_ && options_.scale_factor == other.options_.scale_factor &&
           options_.min_neighbors == other.options_.min_neighbors &&
           search_.min_confidence == other.search_.min_confidence;
  }
  // Whether the search drops face `i` of the last picture, if the face has this shape.
  bool drops(std::size_t i, const Shape& shape) const {
    return detector_ && is_unlikely(search_, answer_.objects[i], shape);
  }
  const std::string& name() const { return name_; }
  double seconds() const { return seconds_; }  // time to find the faces of the last picture
  std::optional<DetectOptions> options() const { return detector_ ? std::optional(options_) : std::nullopt; }
  bool reads_color() const { return detector_ && detector_->model().reads_color() && !options_.gray; }

  // Finds the faces of a picture.
  void find(const PictureView& picture, const LabelledPicture& labels) {
    faces_.clear();
    const Watch watch;
    if (detector_) {
      detector_->detect(picture, options_, answer_);
      for (const Detection& object : answer_.objects) faces_.push_back({object.box, {}, {}});
    } else {
      for (std::size_t i = 0; i < labels.labels.size(); ++i) {
        const Label& label = labels.labels[i];
        if (label.ignore || label.points.empty()) continue;
        if (const auto box = whole_box(label.box)) faces_.push_back({*box, {}, i});
      }
    }
    seconds_ = watch.seconds();
    boxes_.clear();
    for (const MarkedFace& face : faces_) boxes_.push_back(moved(face.box));
  }
  // The faces of the last picture, without shapes, and for each face the box in which points are marked.
  const std::vector<MarkedFace>& faces() const { return faces_; }
  const std::vector<Box>& boxes() const { return boxes_; }

 private:
  // Moves the box by the fraction `move_` of its side in a random direction, rounded to whole pixels.
  Box moved(Box box) {
    if (move_ == 0) return box;
    constexpr double kUnit = 1.0 / (std::uint64_t{1} << 53);
    const double angle = 2 * std::numbers::pi * kUnit * static_cast<double>(random_() >> 11);
    const double far = move_ * std::sqrt(static_cast<double>(box.width) * box.height);
    box.x += static_cast<int>(std::lround(far * std::cos(angle)));
    box.y += static_cast<int>(std::lround(far * std::sin(angle)));
    return box;
  }

  std::string file_, name_ = kBoxesOfTruth;
  double move_;
  std::mt19937_64 random_;
  std::optional<Detector> detector_;
  DetectOptions options_;
  FaceSearch search_;
  Detections answer_;
  std::vector<MarkedFace> faces_;
  std::vector<Box> boxes_;
  double seconds_ = 0;
};

class LandmarkRun {
 public:
  explicit LandmarkRun(const LandmarkEvalJob& job) : job_(job) {
    report_.move = job.move;
    report_.seed = job.seed;
    if (!job.title.empty()) report_.title = job.title;
    load_models();
    read_truths();
    for (const Landmarker& model : models_)
      schemes_.push_back(check_faces(report_.pictures, model.model().model(), names_));
    check_folder(job.out, landmark_eval_files(job.out));
  }

  int run() {
    reader_.start(report_.pictures.size(), "face", job_.quiet);
    mark_pictures();
    reader_.finish();
    if (stop_requested()) return stop_exit_code();
    for (std::size_t m = 0; m < models_.size(); ++m) {
      const auto& confidence = models_[m].model().model().confidence;
      report_.models[m].faces = evaluate_landmarks(
          report_.pictures, found_[m], confidence ? confidence->distance : PointConfidence{}.distance,
          {schemes_[m], models_[m].model().model().scheme.value_or(PointScheme{})});
    }
    write_landmark_eval(report_, job_.out);
    print(job_.json ? landmark_summary_json(report_, job_.out) : landmark_summary_text(report_, job_.out));
    return reader_.problems() > 0 ? kExitProblem : kExitDone;
  }

 private:
  void load_models() {
    std::set<std::string> names;
    for (const std::string& file : job_.models) {
      const Landmarks given = Landmarks::load(file);
      const bool of_truth = job_.boxes == kBoxesOfTruth;
      // Boxes of detectors are placed as `winnow faces` places them. Boxes of the truth stay as they are.
      models_.emplace_back(of_truth ? given : given.for_face_boxes(), job_.machine);
      sources_of_.push_back(source(of_truth ? std::string() : find_model_file(detector_of(given)), given));
      const BoxSource& boxes = sources_[sources_of_.back()];
      EvaluatedLandmarks model;
      model.name = unique_name(names, model_name(given.model().card, file));
      model.file = file;
      model.points = given.points();
      model.boxes = boxes.name();
      model.detect = boxes.options();
      model.backend = backend_name(models_.back().backend());
      report_.models.push_back(std::move(model));
    }
    found_.resize(models_.size());
  }

  std::string detector_of(const Landmarks& landmarks) const {
    if (!job_.boxes.empty()) return job_.boxes;
    const std::string& own = landmarks.model().detector;
    return own.empty() ? "face" : own;
  }

  // Returns the index of the source that gives boxes to these landmarks. Adds the source if it is missing.
  std::size_t source(const std::string& file, const Landmarks& landmarks) {
    BoxSource wanted(file, landmarks, job_);
    const auto same = std::find_if(sources_.begin(), sources_.end(),
                                   [&](const BoxSource& each) { return each.same_as(wanted); });
    if (same != sources_.end()) return static_cast<std::size_t>(same - sources_.begin());
    sources_.push_back(std::move(wanted));
    return sources_.size() - 1;
  }

  void read_truths() {
    std::set<std::string> places;
    bool any = false;
    for (std::size_t i = 0; i < job_.truth.size(); ++i) {
      Truth truth = read_truth(job_.truth[i], job_.truth_options[i]);
      report_.truth.push_back(truth_words(job_.truth[i], truth));
      check_places(truth, places);
      for (const std::string& note : truth.notes) say(printable(job_.truth[i] + ": " + note));
      require(i == 0 || truth.point_names == names_,
              "the truths name their points differently: judge them in two calls");
      names_ = truth.point_names;
      for (LabelledPicture& picture : truth.pictures) {
        any = any || std::any_of(picture.labels.begin(), picture.labels.end(),
                                 [](const Label& label) { return !label.ignore && !label.points.empty(); });
        report_.pictures.push_back(std::move(picture));
      }
    }
    require(any, "the truth has no face with points: give a list of points, or dlib's XML with parts");
  }

  void mark_pictures() {
    std::vector<LabelledPicture> kept;
    std::vector<std::vector<MarkedFace>> faces(models_.size());
    std::vector<double> seconds(models_.size());
    std::size_t next = 0;  // the index of the picture that is read now
    const auto work = [&](const PictureView& picture) {
      std::size_t objects = 0;
      for (BoxSource& each : sources_) {
        each.find(picture, report_.pictures[next]);
        objects += each.faces().size();
      }
      for (std::size_t m = 0; m < models_.size(); ++m) {
        const BoxSource& boxes = sources_[sources_of_[m]];
        const Watch watch;
        models_[m].fit(picture.gray, boxes.boxes(), shapes_);
        seconds[m] = watch.seconds();
        faces[m].clear();
        for (std::size_t i = 0; i < shapes_.size(); ++i) {
          if (boxes.drops(i, shapes_[i])) continue;
          faces[m].push_back(boxes.faces()[i]);
          faces[m].back().shape = std::move(shapes_[i]);
        }
      }
      return objects;
    };
    const auto keep = [&](std::size_t index, bool done) {
      next = index + 1;
      if (!done) {
        ++report_.unread;
        return;
      }
      for (std::size_t m = 0; m < models_.size(); ++m) {
        report_.models[m].search_seconds += sources_[sources_of_[m]].seconds();
        report_.models[m].fit_seconds += seconds[m];
        found_[m].push_back(std::move(faces[m]));
      }
      kept.push_back(std::move(report_.pictures[index]));
    };
    const bool color = std::any_of(sources_.begin(), sources_.end(),
                                   [](const BoxSource& each) { return each.reads_color(); });
    if (reader_.each(paths_of(report_.pictures), work, keep, color)) report_.pictures = std::move(kept);
  }

  const LandmarkEvalJob& job_;
  std::vector<Landmarker> models_;
  std::vector<BoxSource> sources_;
  std::vector<std::size_t> sources_of_;  // for each model the index of its source
  LandmarkReport report_;
  std::vector<std::string> names_;    // of the points of the labels
  std::vector<PointScheme> schemes_;  // for each model what the points of the labels mean
  std::vector<std::vector<std::vector<MarkedFace>>> found_;  // for each model, for each picture
  std::vector<Shape> shapes_;
  EvalPictures reader_;
};

}  // namespace

int run_landmark_eval(const LandmarkEvalJob& job) {
  watch_for_stop();
  return LandmarkRun(job).run();
}

}  // namespace winnow::cli
