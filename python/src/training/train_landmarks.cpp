// Binds the training of landmarks, and the sets of faces that it learns from.
#include <winnow/train_landmarks.h>

#include <winnow/error.h>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays/number_arrays.h"
#include "constructor.h"
#include "detecting/search_arguments.h"
#include "machine_arguments.h"
#include "training/train_watcher.h"
#include "typed.h"
#include "values.h"

namespace winnow::python {
namespace {

using TrainedLandmarks = Trained<LandmarkResult, LandmarkOptions>;
// The states of a face and of a set for `pickle`. A detector's name is bytes, since it may be no UTF-8.
using FaceState = std::tuple<std::size_t, std::vector<std::pair<double, double>>, Box, bool>;
using FalseBoxes = std::vector<std::pair<std::size_t, Box>>;
using Negatives = std::tuple<std::vector<Path>, std::vector<Size>, FalseBoxes>;
using SetState =
    std::tuple<std::vector<Path>, std::vector<Size>, std::vector<TrainingFace>, nb::bytes, std::uint64_t,
               std::vector<int>, std::size_t, Negatives, std::vector<std::string>>;

std::vector<Path> as_paths(const std::vector<std::string>& pictures) {
  std::vector<Path> paths;
  for (const std::string& picture : pictures) paths.push_back({picture});
  return paths;
}
std::vector<Path> paths_in(const FaceSet& faces) { return as_paths(faces.pictures); }

FalseBoxes false_boxes_of(const FaceSet& faces) {
  FalseBoxes boxes;
  for (const FalseBox& each : faces.false_boxes) boxes.emplace_back(each.picture, each.box);
  return boxes;
}

FaceSet make_face_set(std::vector<Path> pictures, std::vector<Size> sizes, std::vector<TrainingFace> faces,
                      std::string detector, std::uint64_t hash, std::vector<int> points, std::size_t marked,
                      Negatives negatives, std::vector<std::string> names) {
  FaceSet set;
  set.names = std::move(names);
  auto& [paths, negative_sizes, boxes] = negatives;
  for (Path& path : paths) set.negatives.push_back(std::move(path.text));
  set.negative_sizes = std::move(negative_sizes);
  for (const auto& [picture, box] : boxes) set.false_boxes.push_back({picture, box});
  set.detector = std::move(detector);
  for (Path& picture : pictures) set.pictures.push_back(std::move(picture.text));
  set.sizes = std::move(sizes);
  set.faces = std::move(faces);
  set.hash = hash;
  set.points = std::move(points);
  set.marked = marked;
  return set;
}

void bind_face(nb::module_& module) {
  nb::class_<TrainingFace> shown(module, "TrainingFace",
                                 "A face of a training: its picture's number, its points, and the box of a "
                                 "detector.\n\n"
                                 ">>> winnow.TrainingFace(0, [(12, 20), (31.5, 20)], (5, 5, 40, 40)).points\n"
                                 "array([[12. , 20. ],\n"
                                 "       [31.5, 20. ]])");
  def_constructor(
      shown,
      +[](TrainingFace* self, std::size_t picture, const AnyArray& points, Box box, bool found) {
        new (self) TrainingFace{picture, points_from<Point>(points.object), box, found};
      },
      nb::arg("picture"), nb::arg("points"), nb::arg("box"), nb::kw_only(), nb::arg("found") = true);
  shown.def_ro("picture", &TrainingFace::picture, "The number of the face's picture in `FaceSet.pictures`.")
      .def_prop_ro(
          "points", [](const TrainingFace& face) { return points_array(face.points); },
          "(points, 2): x and y. The array is a copy, which you may change.")
      .def_ro("box", &TrainingFace::box, "(x, y, width, height)")
      .def_ro("found", &TrainingFace::found,
              "False: the detector missed the face, and the box is where its boxes usually lie.")
      .def("__repr__",
           [](const TrainingFace& face) {
             return nb::str("TrainingFace({}, {}{})")
                 .format(counted(face.points.size(), "point"), face.box, face.found ? "" : ", not found");
           })
      .def("__getstate__",
           [](const TrainingFace& face) {
             std::vector<std::pair<double, double>> points;
             for (const Point& point : face.points) points.emplace_back(point.x, point.y);
             return FaceState(face.picture, std::move(points), face.box, face.found);
           })
      .def("__setstate__", [](TrainingFace& self, const FaceState& state) {
        const auto& [picture, points, box, found] = state;
        auto* face = new (&self) TrainingFace{picture, {}, box, found};
        for (const auto& [x, y] : points) face->points.push_back({x, y});
      });
}

void bind_face_set(nb::module_& module) {
  nb::class_<FaceSet> shown(
      module, "FaceSet",
      "Pictures with faces, their points, and the boxes of a detector. `find_faces` makes it.\n\n"
      "The constructor takes faces from elsewhere, in the order of their pictures. sizes: (width, height) "
      "of\n"
      "each picture. detector: the built-in model whose boxes the faces have; \"\" if it is none. hash: a\n"
      "number for the contents of the pictures; a checkpoint serves only sets with the same hash.\n\n"
      ">>> face = winnow.TrainingFace(0, [(200, 180), (300, 180)], (164, 101, 204, 204))\n"
      ">>> winnow.FaceSet(['photo.jpg'], [(512, 512)], [face], detector='face')\n"
      "FaceSet(1 face in 1 picture, face)");
  def_constructor(
      shown,
      +[](FaceSet* self, std::vector<Path> pictures, std::vector<Size> sizes, std::vector<TrainingFace> faces,
          std::string detector, std::uint64_t hash, std::vector<int> points, std::size_t marked,
          std::vector<Path> negatives, std::vector<Size> negative_sizes, FalseBoxes false_boxes,
          std::vector<std::string> names) {
        new (self) FaceSet(make_face_set(
            std::move(pictures), std::move(sizes), std::move(faces), std::move(detector), hash,
            std::move(points), marked,
            {std::move(negatives), std::move(negative_sizes), std::move(false_boxes)}, std::move(names)));
      },
      nb::arg("pictures"), nb::arg("sizes"), nb::arg("faces"), nb::kw_only(), nb::arg("detector") = "",
      nb::arg("hash") = 0, nb::arg("points") = std::vector<int>{}, nb::arg("marked") = 0,
      nb::arg("negatives") = std::vector<Path>{}, nb::arg("negative_sizes") = std::vector<Size>{},
      nb::arg("false_boxes") = FalseBoxes{}, nb::arg("names") = std::vector<std::string>{});
  shown.def_prop_ro("pictures", &paths_in, "The paths of the pictures.")
      .def_ro("sizes", &FaceSet::sizes, "(width, height) of each picture.")
      .def_ro("faces", &FaceSet::faces, "The faces, in the order of their pictures.")
      .def_prop_ro(
          "detector", [](const FaceSet& faces) { return text_of(faces.detector); },
          "The built-in model whose boxes the faces have; \"\" if it is none.")
      .def_ro("points", &FaceSet::points,
              "The points that are learned, by their numbers in the labels; [] for all.")
      .def_ro("names", &FaceSet::names, "The names of the points that are learned; [] if they have none.")
      .def_ro("marked", &FaceSet::marked, "How many points the labels have; 0 if unknown.")
      .def_ro("hash", &FaceSet::hash, "A number for the bytes of the pictures' files.")
      .def_prop_ro(
          "negatives", [](const FaceSet& faces) { return as_paths(faces.negatives); },
          "The paths of the pictures without faces in which the detector has false alarms.")
      .def_ro("negative_sizes", &FaceSet::negative_sizes, "(width, height) of each negative.")
      .def_prop_ro("false_boxes", &false_boxes_of,
                   "The false alarms: the negative's number, and (x, y, width, height).")
      .def("__repr__",
           [](const FaceSet& faces) {
             return text_of("FaceSet(" + counted(faces.faces.size(), "face") + " in " +
                            counted(faces.pictures.size(), "picture") +
                            (faces.detector.empty() ? "" : ", " + faces.detector) + ")");
           })
      .def("__getstate__",
           [](const FaceSet& faces) {
             return SetState(
                 paths_in(faces), faces.sizes, faces.faces,
                 nb::bytes(faces.detector.data(), faces.detector.size()), faces.hash, faces.points,
                 faces.marked,
                 Negatives(as_paths(faces.negatives), faces.negative_sizes, false_boxes_of(faces)),
                 faces.names);
           })
      .def("__setstate__", [](FaceSet& self, const SetState& state) {
        const auto& [pictures, sizes, faces, detector, hash, points, marked, negatives, names] = state;
        new (&self) FaceSet(make_face_set(pictures, sizes, faces, {detector.c_str(), detector.size()}, hash,
                                          points, marked, negatives, names));
      });

  const FaceSetOptions usual;
  module.def(
      "find_faces",
      [](const std::vector<LabelledPicture>& pictures,
         const Path& detector WINNOW_SEARCH_KEYWORDS(WINNOW_PARAMETER), const std::vector<int>& points,
         const std::vector<std::string>& names, const std::vector<Path>& negatives, WINNOW_MACHINE_PARAMETERS,
         const std::optional<nb::callable>& note) {
        Search search;
        WINNOW_SEARCH_KEYWORDS(WINNOW_FIELD)
        FaceSetOptions options{detector.text, search.options, points, names, {}};
        for (const Path& each : negatives) options.negatives.push_back(each.text);
        const MachineOptions machine = machine_of(WINNOW_MACHINE_VALUES);
        PackNote to_python;
        if (note) {
          to_python = [&note](const std::string& sentence) {
            const nb::gil_scoped_acquire python;
            (*note)(text_of(sentence));
          };
        }
        const nb::gil_scoped_release free;
        return find_faces(pictures, options, machine, to_python);
      },
      nb::arg("pictures"), nb::arg("detector") = usual.detector,
      nb::kw_only() WINNOW_SEARCH_KEYWORDS(WINNOW_ARGUMENT), nb::arg("points") = nb::make_tuple(),
      nb::arg("names") = nb::make_tuple(), nb::arg("negatives") = nb::make_tuple(), WINNOW_MACHINE_ARGUMENTS,
      nb::arg("note") = nb::none(),
      "Searches pictures for the faces that labels with points mark, and gives each face the box that was\n"
      "found. `match_faces` says which box belongs to a label.\n\n"
      "detector: the name or path of a model, or 'truth' for the boxes of the labels. The keywords of a "
      "search\n"
      "are those of `Detector.detect`. points: the points that are learned, by their numbers in the labels;\n"
      "none means all. names: the names of the labels' points (`read_point_names`). negatives: folders, "
      "lists and pictures without faces; the detector's false alarms in\n"
      "them teach the model's presence. `note` is called with a sentence about each picture or face that is "
      "left\nout.\n\n"
      ">>> faces = winnow.find_faces(winnow.read_truth('points.csv'))\n"
      ">>> faces\n"
      "FaceSet(8 faces in 8 pictures, face)\n"
      ">>> faces.faces[0].points.shape, faces.faces[0].found\n"
      "((5, 2), True)");
}

void bind_result(nb::module_& module) {
  nb::class_<LandmarkStage>(module, "LandmarkStage",
                            "The errors after a stage: the mean distance of points, as a fraction of the\n"
                            "distance of the pupils. If it is unknown which points are eyes, it is a\n"
                            "fraction of the side of the box around the points.")
      .def_ro("error", &LandmarkStage::error, "The mean error of the faces that trees learn from.")
      .def_ro("held_back_error", &LandmarkStage::held_back_error,
              "The mean error of the faces that are held back; NaN if there are none.")
      .def_ro("seconds", &LandmarkStage::seconds)
      .def("__repr__", [](const LandmarkStage& stage) {
        return nb::str("LandmarkStage(error {:.4f}, held back {:.4f})")
            .format(stage.error, stage.held_back_error);
      });
  nb::class_<LandmarkStep>(module, "LandmarkStep", "How far a training is; see `train_landmarks`.")
      .def_prop_ro(
          "stage", [](const LandmarkStep& step) { return step.stage + 1; },
          "The stage that is trained. The first is 1, as in the lines of the command.")
      .def_ro("tree", &LandmarkStep::tree, "The number of the stage's trees so far.")
      .def_ro("stage_done", &LandmarkStep::stage_done)
      .def_prop_ro(
          "so_far",
          [](const LandmarkStep& step) {
            return step.stage_done ? std::optional(step.so_far) : std::nullopt;
          },
          "The errors of a stage that is done; else None.")
      .def_ro("seconds", &LandmarkStep::seconds, "Seconds since the start of the training.")
      .def("__repr__", [](const LandmarkStep& step) {
        return nb::str("LandmarkStep(stage {}, {}, {:.1f} s)")
            .format(step.stage + 1, counted(static_cast<std::size_t>(step.tree), "tree"), step.seconds);
      });
  nb::class_<FittedFace>(
      module, "FittedFace",
      "A face of the training, with the points that the trained model marks in the face's box.")
      .def_ro("face", &FittedFace::face, "The number in `FaceSet.faces`.")
      .def_ro("held_back", &FittedFace::held_back)
      .def_ro("error", &FittedFace::error, "The face's error, measured as in `LandmarkStage`.")
      .def_prop_ro(
          "points", [](const FittedFace& face) { return points_array(face.points); },
          "(points, 2): x and y. The array is a copy, which you may change.")
      .def("__repr__", [](const FittedFace& face) {
        return nb::str("FittedFace(face {}, error {:.4f}{})")
            .format(face.face, face.error, face.held_back ? ", held back" : "");
      });
  nb::class_<TrainedLandmarks>(module, "LandmarkResult",
                               "Trained landmarks, the errors after each stage, and the faces as the\n"
                               "trained model marks them.")
      .def_prop_ro("landmarks", [](const TrainedLandmarks& trained) { return trained.result.landmarks; })
      .def_prop_ro("stages", [](const TrainedLandmarks& trained) { return trained.result.stages; })
      .def_prop_ro(
          "faces", [](const TrainedLandmarks& trained) { return trained.result.faces; },
          "The faces that trees learned from, then those that were held back.")
      .def_prop_ro(
          "samples", [](const TrainedLandmarks& trained) { return trained.result.samples; },
          "The number of samples that trees learned from.")
      .def_prop_ro(
          "presence",
          [](const TrainedLandmarks& trained)
              -> std::optional<std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>> {
            if (!trained.result.presence) return std::nullopt;
            const PresenceCheck& check = *trained.result.presence;
            return std::tuple(check.kept_faces, check.faces, check.kept_false_boxes, check.false_boxes);
          },
          "How many boxes have a presence of 0.5 or more: (those of the held-back faces, the number of\n"
          "held-back faces, false boxes, the number of false boxes). None if the model has no presence.")
      .def_prop_ro(
          "points_say",
          [](const TrainedLandmarks& trained) {
            return std::pair(text_of(trained.result.scheme.mirrored_sentence),
                             text_of(trained.result.scheme.norm_sentence));
          },
          "Two sentences: which points change places when a face is mirrored, and by what errors are "
          "divided.")
      .def_prop_ro(
          "stopped", [](const TrainedLandmarks& trained) { return trained.result.stopped; },
          "Whether `progress` stopped the training. The model then has the finished stages, and no\n"
          "confidence.")
      .def_prop_ro("backend", [](const TrainedLandmarks& trained) { return trained.result.backend; })
      .def_prop_ro("seconds", [](const TrainedLandmarks& trained) { return trained.result.seconds; })
      .def("__repr__", [](const TrainedLandmarks& trained) {
        return "LandmarkResult(" + counted(trained.result.stages.size(), "stage") + ", " +
               trained.result.backend + ")";
      });
}

void bind_training(nb::module_& module) {
  const LandmarkOptions usual;
  const RunOptions usual_run;
  module.def(
      "train_landmarks",
      [](const FaceSet& faces, int stages, int trees, int depth, int pixels, int splits, double rate,
         double calm, int samples, bool mirror, std::vector<int> mirrored, std::string eyes,
         double scale_jitter, double move_jitter, double mixed, double first_radius, double last_radius,
         double first_closeness, double last_closeness, int basis, double held_back, int confidence_trees,
         int presence_trees, WINNOW_MACHINE_PARAMETERS, std::int64_t memory, std::uint64_t seed,
         const Path& checkpoint, bool resume, const LandmarkProgress& progress) {
        LandmarkOptions options;
        options.stages = stages, options.trees = trees, options.depth = depth;
        options.pixels = pixels, options.splits = splits;
        options.rate = rate, options.calm = calm;
        options.samples = samples;
        options.mirror = mirror, options.mirrored = std::move(mirrored);
        options.eyes = std::move(eyes);
        options.scale_jitter = scale_jitter, options.move_jitter = move_jitter;
        options.mixed = mixed;
        options.first_radius = first_radius, options.last_radius = last_radius;
        options.first_closeness = first_closeness, options.last_closeness = last_closeness;
        options.basis = basis;
        options.held_back = held_back;
        options.confidence_trees = confidence_trees;
        options.presence_trees = presence_trees;
        const MachineOptions machine = machine_of(WINNOW_MACHINE_VALUES);
        return watch_training<LandmarkResult, LandmarkStep>(
            std::move(options), {machine, memory, seed, checkpoint.text, resume}, progress.object, stages,
            "stage", [&](const LandmarkOptions& o, const RunOptions& run, const LandmarkWatcher& watcher) {
              return train_landmarks(faces, o, run, watcher);
            });
      },
      nb::arg("faces"), nb::kw_only(), nb::arg("stages") = usual.stages, nb::arg("trees") = usual.trees,
      nb::arg("depth") = usual.depth, nb::arg("pixels") = usual.pixels, nb::arg("splits") = usual.splits,
      nb::arg("rate") = usual.rate, nb::arg("calm") = usual.calm, nb::arg("samples") = usual.samples,
      nb::arg("mirror") = usual.mirror, nb::arg("mirrored") = nb::make_tuple(), nb::arg("eyes") = "",
      nb::arg("scale_jitter") = usual.scale_jitter, nb::arg("move_jitter") = usual.move_jitter,
      nb::arg("mixed") = usual.mixed, nb::arg("first_radius") = usual.first_radius,
      nb::arg("last_radius") = usual.last_radius, nb::arg("first_closeness") = usual.first_closeness,
      nb::arg("last_closeness") = usual.last_closeness, nb::arg("basis") = usual.basis,
      nb::arg("held_back") = usual.held_back, nb::arg("confidence_trees") = usual.confidence_trees,
      nb::arg("presence_trees") = usual.presence_trees, WINNOW_MACHINE_ARGUMENTS,
      nb::arg("memory") = usual_run.memory, nb::arg("seed") = usual_run.seed, nb::arg("checkpoint") = Path{},
      nb::arg("resume") = false, nb::arg("progress") = nb::none(),
      "Trains landmarks: points, and how sure each point is. The same faces, options and seed give the same\n"
      "model on every backend.\n\n"
      "- `trees`: the number of trees of each stage. `depth`: splits on the way to a leaf.\n"
      "- `pixels`: how many pixels a stage reads. `splits`: how many random splits are tried at each\n"
      "  node.\n"
      "- `rate`: the fraction of the missing distance that a tree adds.\n"
      "- `calm`: makes small leaves add less: a leaf's sum is divided by its samples + calm.\n"
      "- `samples`: how many samples are made from each face.\n"
      "- `mirror`: half of the samples are mirrored, if `mirrored` is known.\n"
      "- `mirrored`: for each point the number of the point that it becomes in a mirrored picture.\n"
      "  Without it, names of points tell the pairs, or the marks if they leave no doubt.\n"
      "- `eyes`: the points of both eyes, as '0/1' or '36-41/42-47'. Without it, names tell them.\n"
      "- `scale_jitter`, `move_jitter`: standard deviations of the boxes of samples, as fractions of a\n"
      "  side.\n"
      "- `mixed`: the fraction of samples that begin with a mixture of two faces.\n"
      "- `first_radius`, `last_radius`: the largest distance of a pixel from its point in the first and\n"
      "  in the last stage, as a fraction of the box.\n"
      "- `first_closeness`, `last_closeness`: how far apart the two pixels of a split usually lie in\n"
      "  the first and in the last stage, as a fraction of the box.\n"
      "- `basis`: the vectors in the basis of a stage; 0 for no basis.\n"
      "- `held_back`: the fraction of pictures that trees do not learn from. Their faces give the\n"
      "  second error of stages and, if they are 8 or more, teach the confidence.\n"
      "- `confidence_trees`: 0 for no confidence.\n"
      "- `presence_trees`: these learn from the false boxes in `faces`; 0 for no presence.\n"
      "- `checkpoint`, `resume`, `progress`: as in `train_cascade`. A function gets a `LandmarkStep`.\n\n"
      ">>> faces = winnow.find_faces(winnow.read_truth('points.csv'))\n"
      ">>> result = winnow.train_landmarks(faces, stages=2, trees=20, held_back=0.25)\n"
      ">>> result.landmarks.points, len(result.stages), result.stages[1].error < result.stages[0].error\n"
      "(5, 2, True)");
  module.def(
      "training_page",
      [](const FaceSet& faces, const TrainedLandmarks& trained) {
        std::string page;
        {
          const nb::gil_scoped_release free;
          page = training_page(faces, trained.options, trained.run, trained.result);
        }
        return text_of(page);
      },
      nb::arg("faces"), nb::arg("result"),
      "The page about a training of landmarks, with the faces of the largest errors.");
}

}  // namespace

void bind_train_landmarks(nb::module_& module) {
  bind_face(module);
  bind_face_set(module);
  bind_result(module);
  bind_training(module);
}

}  // namespace winnow::python
