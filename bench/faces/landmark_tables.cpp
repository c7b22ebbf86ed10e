#include "faces/landmark_tables.h"

#include <winnow/detector.h>
#include <winnow/error.h>
#include <winnow/eval_landmarks.h>
#include <winnow/landmarker.h>
#include <winnow/truth.h>

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <utility>

#include "landmarks/fit_time.h"
#include "model/landmarks/landmark_samples_for_test.h"

namespace bench {
namespace {

using winnow::LandmarkModel;

constexpr double kBelow = 0.1;  // the thesis asks that a face's error is below this

template <class Item>
void keep_first(std::vector<Item>& list, std::size_t count) {
  if (!list.empty()) list.resize(count);
}

double fits_per_second(winnow::Landmarker& landmarker, std::size_t faces, int repeat) {
  return 1e6 / fit_microseconds(landmarker, random_scene(64), faces, repeat);
}

struct MarkedSet {
  std::vector<winnow::LabelledPicture> pictures;
  std::vector<std::vector<winnow::MarkedFace>> found;
};

// Marks the faces that the detector finds in each picture of the truth.
MarkedSet mark(const std::string& truth, winnow::Detector& detector, winnow::Landmarker& landmarker) {
  MarkedSet set{winnow::read_truth(truth).pictures, {}};
  for (const winnow::LabelledPicture& labelled : set.pictures) {
    const winnow::Picture picture = winnow::read_picture(labelled.path);
    std::vector<winnow::Box> boxes;
    for (const winnow::Detection& object : detector.detect(picture.gray.view()).objects)
      boxes.push_back(object.box);
    const std::vector<winnow::Shape> shapes = landmarker.fit(picture.gray.view(), boxes);
    std::vector<winnow::MarkedFace>& faces = set.found.emplace_back();
    for (std::size_t i = 0; i < boxes.size(); ++i) faces.push_back({boxes[i], shapes[i], {}});
  }
  return set;
}

}  // namespace

LandmarkModel first_stages(const LandmarkModel& model, int stages) {
  if (stages < 1 || stages > model.trees.stages)
    throw winnow::Error(winnow::ErrorCode::kUsage, "a model of " + std::to_string(model.trees.stages) +
                                                       " stages cannot be cut to " + std::to_string(stages));
  LandmarkModel cut = model;
  cut.confidence.reset();  // confidence holds only for shapes after the last stage
  cut.trees.stages = stages;
  const auto kept = static_cast<std::size_t>(stages);
  const std::size_t trees = cut.trees.tree_count(), coordinates = 2 * cut.mean.size();
  const std::size_t leaves = trees * cut.trees.leaves_per_tree();
  const auto values = static_cast<std::size_t>(cut.fixed_leaves.values);
  keep_first(cut.trees.pixel_list, kept * static_cast<std::size_t>(cut.trees.pixels));
  keep_first(cut.trees.splits, trees * cut.trees.splits_per_tree());
  keep_first(cut.float_leaves, leaves * coordinates);
  keep_first(cut.fixed_leaves.unit_bits, kept);
  keep_first(cut.fixed_leaves.numbers, leaves * values);
  keep_first(cut.fixed_leaves.basis, kept * values * coordinates);
  return cut;
}

std::vector<NamedLandmarks> random_landmarks_like_dlib() {
  const winnow::sample::LandmarkSizes sizes{
      .points = 68, .stages = 15, .trees = 500, .pixels = 500, .depth = 4};
  return {{"random trees, as dlib's 68 points", winnow::sample::random_landmarks(sizes, false, 1)},
          {"the same, 16 bits", winnow::sample::random_landmarks(sizes, true, 1)}};
}

ResultList stage_results(std::span<const NamedLandmarks> models, std::span<const int> stages,
                         const winnow::MachineOptions& machine, int repeat, const std::string& command) {
  ResultList list{
      "landmark_stages_",
      "Landmarks by stages (the thesis: iterations) on ",
      "fits a second",
      command,
      "Each model is cut to its first stages. Faces of 150 pixels lie in one picture of 1280x720 with random "
      "texture, and each call takes other faces. A fit runs from host memory to host results; times are "
      "medians of " +
          std::to_string(repeat) + " calls. ",
      {"model", "stages", "one", "batch"},
      {{"model", "model"}, {"stages", "stages"}},
      {{"one", "one face a call", 0}, {"batch", "64 faces a call", 0}}};
  winnow::BackendKind backend = machine.backend;
  for (const NamedLandmarks& named : models) {
    for (const int count : stages) {
      winnow::Landmarker landmarker(winnow::Landmarks(first_stages(named.model, count)), machine);
      backend = landmarker.backend();
      const double one = fits_per_second(landmarker, 1, repeat);
      list.rows.push_back({named.name, count, one, fits_per_second(landmarker, 64, repeat)});
    }
  }
  list.name += winnow::backend_name(backend);
  list.title += std::string("`") + winnow::backend_name(backend) + "`";
  if (backend != winnow::BackendKind::kCuda && machine.threads == 1)
    list.about += "Times are processor time of one thread. ";
  list.about += "The thesis gives two figures of its device.";
  list.rows.push_back({"dlib's 68 points (the thesis, iPhone 7)", 3, 353, nullptr});
  list.rows.push_back({"dlib's 68 points (the thesis, iPhone 7)", 15, 68, nullptr});
  return list;
}

ResultList error_results(const NamedLandmarks& named, const std::string& detector_name,
                         std::span<const std::string> truths, const winnow::MachineOptions& machine,
                         const std::string& command) {
  winnow::Detector detector(winnow::DetectorModel::load(detector_name), machine);
  winnow::Landmarker landmarker(winnow::Landmarks(named.model).for_face_boxes(), machine);
  ResultList list{
      "landmark_error_root",
      "Errors of points by the thesis's measure",
      "root of the sum of squared distances, divided by 68 times the distance of the outer eye corners; "
      "percent of the found faces",
      command,
      "`" + named.name + "` with the boxes of the detector `" + detector.model().card().name +
          "`; `winnow eval landmarks` calls this measure `root`. "
          "The thesis's pictures, 300 indoor and 300 outdoor of 300-W, are not here, so no row can be "
          "compared "
          "with its row. The pictures here are faces of HELEN and AFW with the points of 300-W, and dlib "
          "trained "
          "its file on 300-W. A face that the detector does not find has no error. The measure divides a "
          "root by "
          "68, so its shares say little. The last two columns have the mean distance, divided by the same "
          "distance of the eyes.",
      {"pictures", "faces", "found", "mean", "below", "usual mean", "usual below"},
      {{"pictures", "pictures"}},
      {{"faces", "faces", 0},
       {"found", "found", 0},
       {"mean", "mean error", 4},
       {"below", "percent below 0.1", 1},
       {"usual mean", "mean distance", 4},
       {"usual below", "percent below 0.1", 1}}};
  for (const std::string& truth : truths) {
    const MarkedSet set = mark(truth, detector, landmarker);
    const winnow::LandmarkEvaluation faces = winnow::evaluate_landmarks(set.pictures, set.found);
    nlohmann::ordered_json row{std::filesystem::absolute(truth).parent_path().filename().string(),
                               faces.faces, faces.found.size()};
    for (const winnow::LandmarkNorm norm : {winnow::LandmarkNorm::kRoot, winnow::LandmarkNorm::kEyeCorners}) {
      const winnow::NormErrors& errors = faces.of(norm);
      if (errors.faces() == 0) {
        row.push_back(nullptr);
        row.push_back(nullptr);
      } else {
        row.push_back(errors.mean);
        row.push_back(100 * (1 - errors.above(kBelow)));
      }
    }
    list.rows.push_back(std::move(row));
  }
  list.rows.push_back({"300-W, indoor and outdoor (the thesis)", 600, nullptr, 0.1977, 75, nullptr, nullptr});
  return list;
}

}  // namespace bench
