// Binds the evaluation of landmarks, its figures and its reports.
#include <winnow/eval_landmarks.h>

#include <winnow/error.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arrays/number_arrays.h"
#include "arrays/records.h"
#include "constructor.h"
#include "typed.h"
#include "values.h"
#include "words.h"

namespace winnow::python {
namespace {

LandmarkNorm parse_norm(const LandmarkNormWord& word) {
  return enumerator(word.text, "norm of errors", kLandmarkNorms.front(), kLandmarkNorms.back(),
                    landmark_norm_name);
}

void bind_faces(nb::module_& module) {
  nb::class_<MarkedFace> shown(
      module, "MarkedFace",
      "A face that a model marked: the detector's box and the shape in it, for `evaluate_landmarks`.\n\n"
      "label: the number of the label that the box was made of. None: `match_faces` finds the label.\n\n"
      ">>> winnow.MarkedFace((10, 10, 80, 80), winnow.Shape([(20, 30), (70, 30)]))\n"
      "MarkedFace((10, 10, 80, 80), 2 points)");
  def_constructor(
      shown,
      +[](MarkedFace* self, Box box, const Shape& shape, std::optional<std::size_t> label) {
        new (self) MarkedFace{box, shape, label};
      },
      nb::arg("box"), nb::arg("shape"), nb::kw_only(), nb::arg("label") = nb::none());
  shown.def_ro("box", &MarkedFace::box, "(x, y, width, height)")
      .def_prop_ro("shape", [](const MarkedFace& face) { return face.shape; })
      .def_ro("label", &MarkedFace::label)
      .def("__repr__", [](const MarkedFace& face) {
        return nb::str("MarkedFace({}, {})").format(face.box, counted(face.shape.points.size(), "point"));
      });
  nb::class_<JudgedFace>(module, "JudgedFace", "A face that was found, and the errors of its points.")
      .def_ro("picture", &JudgedFace::picture, "The picture's number.")
      .def_ro("label", &JudgedFace::label, "The label's number in its picture.")
      .def_ro("box", &JudgedFace::box, "(x, y, width, height)")
      .def_prop_ro("shape", [](const JudgedFace& face) { return face.shape; })
      .def(
          "error",
          [](const JudgedFace& face, const LandmarkNormWord& norm) { return face.error(parse_norm(norm)); },
          nb::arg("norm"),
          "The face's error by a norm; NaN if the label lacks the length that the norm divides by.\n\n"
          ">>> pictures = [winnow.LabelledPicture('a.jpg', [winnow.Label((0, 0, 50, 50), points=[(0, 0), "
          "(50, 50)])])]\n"
          ">>> face = winnow.MarkedFace((0, 0, 50, 50), winnow.Shape([(0, 5), (50, 55)]))\n"
          ">>> winnow.evaluate_landmarks(pictures, [[face]]).found[0].error('side')\n"
          "0.1")
      .def("__repr__", [](const JudgedFace& face) {
        return nb::str("JudgedFace(picture {}, label {})").format(face.picture, face.label);
      });
  nb::class_<MissedFace>(module, "MissedFace", "A face that no box belongs to.")
      .def_ro("picture", &MissedFace::picture, "The picture's number.")
      .def_ro("label", &MissedFace::label, "The label's number in its picture.")
      .def("__repr__", [](const MissedFace& face) {
        return nb::str("MissedFace(picture {}, label {})").format(face.picture, face.label);
      });
}

void bind_figures(nb::module_& module) {
  nb::class_<NormErrors>(module, "NormErrors",
                         "The errors of all found faces by one norm. Figures are NaN without such a face.")
      .def_ro("mean", &NormErrors::mean)
      .def_ro("median", &NormErrors::median)
      .def_prop_ro(
          "curve",
          [](const NormErrors& errors) {
            return DoubleArray{owned_numbers(errors.curve, {errors.curve.size()})};
          },
          "The errors of all faces, the smallest first.")
      .def_prop_ro(
          "points",
          [](const NormErrors& errors) {
            return DoubleArray{owned_numbers(errors.points, {errors.points.size()})};
          },
          "The mean error of each point that was compared; empty for 'root'.")
      .def_prop_ro("faces", &NormErrors::faces,
                   "The number of faces whose labels have the length that the norm divides by.")
      .def("above", &NormErrors::above, nb::arg("error"),
           "The fraction of faces with a larger error.\n\n"
           ">>> pictures = [winnow.LabelledPicture('a.jpg', [winnow.Label((0, 0, 50, 50), points=[(0, 0), "
           "(50, "
           "50)])])]\n"
           ">>> face = winnow.MarkedFace((0, 0, 50, 50), winnow.Shape([(0, 5), (50, 55)]))\n"
           ">>> errors = winnow.evaluate_landmarks(pictures, [[face]]).of('side')\n"
           ">>> errors.above(0.08), errors.above(0.2)\n"
           "(1.0, 0.0)")
      .def("area_to", &NormErrors::area_to, nb::arg("error"),
           "The area under the cumulative curve from 0 to `error`, as a fraction: 1 if all errors are 0.\n\n"
           ">>> pictures = [winnow.LabelledPicture('a.jpg', [winnow.Label((0, 0, 50, 50), points=[(0, 0), "
           "(50, "
           "50)])])]\n"
           ">>> face = winnow.MarkedFace((0, 0, 50, 50), winnow.Shape([(0, 5), (50, 55)]))\n"
           ">>> winnow.evaluate_landmarks(pictures, [[face]]).of('side').area_to(0.2)\n"
           "0.5")
      .def("__repr__", [](const NormErrors& errors) {
        return nb::str("NormErrors({}, mean {:.4f})")
            .format(counted(errors.curve.size(), "face"), errors.mean);
      });
  nb::class_<Reliability>(
      module, "Reliability",
      "The probabilities that a model states for points, beside what is observed. Faces\nwithout "
      "pupils are left out.")
      .def_ro("distance", &Reliability::distance,
              "A point is right within this fraction of the distance of the pupils.")
      .def_prop_ro(
          "bins",
          [](nb::handle self) {
            static const nb::handle type =
                record_type({{"points", "i8", offsetof(ReliabilityBin, points)},
                             {"stated", "f8", offsetof(ReliabilityBin, stated)},
                             {"observed", "f8", offsetof(ReliabilityBin, observed)}},
                            sizeof(ReliabilityBin))
                    .release();
            return RecordArray{records(
                std::span<const ReliabilityBin>(nb::cast<const Reliability&>(self).bins), type, self)};
          },
          "For each tenth of the probabilities: points, stated (the mean), observed (the fraction of right "
          "points).")
      .def_prop_ro("points", &Reliability::points, "The number of points in all bins.")
      .def_prop_ro("difference", &Reliability::difference, "The mean of |stated - observed| over all points.")
      .def("__repr__", [](const Reliability& self) {
        return nb::str("Reliability({}, difference {:.4f})")
            .format(counted(static_cast<std::size_t>(self.points()), "point"), self.difference());
      });
}

void bind_evaluation(nb::module_& module) {
  nb::class_<LandmarkEvaluation>(module, "LandmarkEvaluation",
                                 "The comparison of marked points with labels; see `evaluate_landmarks`.")
      .def_ro("pictures", &LandmarkEvaluation::pictures)
      .def_ro("faces", &LandmarkEvaluation::faces, "The number of labels that count.")
      .def_ro("left_out", &LandmarkEvaluation::left_out,
              "The number of labels that are ignored or have no points.")
      .def_ro("points", &LandmarkEvaluation::points,
              "The number of points that are compared in each face; 0 if no face was found.")
      .def_prop_ro(
          "found", [](const LandmarkEvaluation& e) { return e.found; },
          "The faces that were found, in the order of pictures and labels.")
      .def_prop_ro(
          "missed", [](const LandmarkEvaluation& e) { return e.missed; },
          "The faces that no box belongs to, in the order of pictures and labels.")
      .def(
          "of",
          [](const LandmarkEvaluation& e, const LandmarkNormWord& norm) { return e.of(parse_norm(norm)); },
          nb::arg("norm"),
          "The errors by a norm.\n\n"
          ">>> pictures = [winnow.LabelledPicture('a.jpg', [winnow.Label((0, 0, 50, 50), points=[(0, 0), "
          "(50, "
          "50)])])]\n"
          ">>> face = winnow.MarkedFace((0, 0, 50, 50), winnow.Shape([(0, 5), (50, 55)]))\n"
          ">>> winnow.evaluate_landmarks(pictures, [[face]]).of('side')\n"
          "NormErrors(1 face, mean 0.1000)")
      .def_prop_ro(
          "main_norm",
          [](const LandmarkEvaluation& e) { return LandmarkNormWord{landmark_norm_name(e.main_norm())}; },
          "'pupils', or 'side' if no found face has pupils.")
      .def_prop_ro(
          "reliability", [](const LandmarkEvaluation& e) { return e.reliability; },
          "The model's `Reliability`; None if a shape has no confidence.")
      .def("__repr__", [](const LandmarkEvaluation& e) {
        return "LandmarkEvaluation(" + std::to_string(e.found.size()) + " of " + std::to_string(e.faces) +
               " faces, " + std::to_string(e.pictures) + " pictures)";
      });
  module.def(
      "evaluate_landmarks",
      [](const std::vector<LabelledPicture>& pictures, const std::vector<std::vector<MarkedFace>>& found,
         double distance, const std::vector<std::string>& names, const std::optional<Landmarks>& model) {
        ComparedSchemes schemes{known_scheme(pictures, names).scheme, {}};
        if (model) {
          schemes.labels = check_faces(pictures, model->model(), names);
          schemes.model = model->model().scheme.value_or(PointScheme{});
        }
        return evaluate_landmarks(pictures, found, distance, schemes);
      },
      nb::arg("pictures"), nb::arg("found"), nb::kw_only(), nb::arg("distance") = PointConfidence{}.distance,
      nb::arg("names") = nb::make_tuple(), nb::arg("model") = nb::none(),
      nb::call_guard<nb::gil_scoped_release>(),
      "Compares the faces found[i] with the labels of pictures[i]. Points with the same names are compared,\n"
      "and five points of 300-W with all 68. names: the names of the labels' points (`read_point_names`).\n"
      "model: the landmarks that marked the faces, which may name points, too.\n\n"
      "The error of a face is the mean distance of its points, divided by a length of the label: 'pupils',\n"
      "'eye_corners', or the 'side' of the box around the points. 'root' is the root of the sum of squared\n"
      "distances, divided by the eye corners' distance and by the number of points. distance: a point is\n"
      "right within this fraction of the distance of the pupils, for `reliability`.\n\n"
      ">>> pictures = winnow.read_truth('points.csv')\n"
      ">>> detector = winnow.Detector('face')\n"
      ">>> landmarker = winnow.Landmarker('points.winnow')\n"
      ">>> found = []\n"
      ">>> for picture in pictures:\n"
      "...     boxes = detector.detect(picture.path)\n"
      "...     shapes = landmarker.fit(picture.path, boxes)\n"
      "...     found.append([winnow.MarkedFace(box.box, shape) for box, shape in zip(boxes, shapes)])\n"
      ">>> winnow.evaluate_landmarks(pictures, found)\n"
      "LandmarkEvaluation(8 of 8 faces, 8 pictures)");
}

void bind_report(nb::module_& module) {
  nb::class_<EvaluatedLandmarks> shown_model(module, "EvaluatedLandmarks",
                                             "One of the models of landmarks that a report compares.");
  def_constructor(
      shown_model,
      +[](EvaluatedLandmarks* self, std::string name, LandmarkEvaluation faces, Path file,
          std::optional<std::size_t> points, std::string boxes, std::string backend, double search_seconds,
          double fit_seconds) {
        EvaluatedLandmarks model;
        model.name = std::move(name), model.file = std::move(file.text);
        model.points = points.value_or(faces.points);
        model.faces = std::move(faces);
        model.boxes = std::move(boxes), model.backend = std::move(backend);
        model.search_seconds = search_seconds, model.fit_seconds = fit_seconds;
        new (self) EvaluatedLandmarks(std::move(model));
      },
      nb::arg("name"), nb::arg("faces"), nb::kw_only(), nb::arg("file") = Path{},
      nb::arg("points") = nb::none(), nb::arg("boxes") = "", nb::arg("backend") = "",
      nb::arg("search_seconds") = 0.0, nb::arg("fit_seconds") = 0.0);
  shown_model.def_prop_ro("name", [](const EvaluatedLandmarks& model) { return text_of(model.name); })
      .def_prop_ro("faces", [](const EvaluatedLandmarks& model) { return model.faces; })
      .def_ro("points", &EvaluatedLandmarks::points,
              "The number of the model's points. If it was not given, the number of points that were\n"
              "compared.");
  nb::class_<LandmarkReport> shown(
      module, "LandmarkReport",
      "A comparison of models of landmarks on labelled pictures, for `write_landmark_eval`.\n\n"
      "move: boxes were moved by this fraction of their side before the fit. seed: the seed of the\n"
      "random directions.\n\n"
      ">>> pictures = [winnow.LabelledPicture('a.jpg', [winnow.Label((0, 0, 50, 50), points=[(0, 0), (50, "
      "50)])])]\n"
      ">>> face = winnow.MarkedFace((0, 0, 50, 50), winnow.Shape([(0, 5), (50, 55)]))\n"
      ">>> model = winnow.EvaluatedLandmarks('mine', winnow.evaluate_landmarks(pictures, [[face]]))\n"
      ">>> report = winnow.LandmarkReport(pictures, [model], title='My faces')\n"
      ">>> [os.path.basename(path) for path in winnow.write_landmark_eval(report, 'report')]\n"
      "['eval.json', 'faces.csv', 'index.html']");
  def_constructor(
      shown,
      +[](LandmarkReport* self, std::vector<LabelledPicture> pictures, std::vector<EvaluatedLandmarks> models,
          std::optional<std::string> title, std::vector<Path> truth, std::int64_t unread, double move,
          std::uint64_t seed) {
        LandmarkReport report;
        if (title) report.title = std::move(*title);
        for (Path& path : truth) report.truth.push_back(std::move(path.text));
        report.pictures = std::move(pictures);
        report.models = std::move(models);
        report.unread = unread, report.move = move, report.seed = seed;
        new (self) LandmarkReport(std::move(report));
      },
      nb::arg("pictures"), nb::arg("models"), nb::kw_only(), nb::arg("title") = nb::none(),
      nb::arg("truth") = nb::list(), nb::arg("unread") = 0, nb::arg("move") = LandmarkReport().move,
      nb::arg("seed") = LandmarkReport().seed);
  shown
      .def(
          "json", [](const LandmarkReport& report) { return text_of(landmark_eval_json(report)); },
          "The figures as JSON.\n\n"
          ">>> import json\n"
          ">>> list(json.loads(winnow.LandmarkReport([], []).json()))[0]\n"
          "'title'")
      .def(
          "csv", [](const LandmarkReport& report) { return text_of(landmark_eval_csv(report)); },
          "A line for each face and model, as CSV.\n\n"
          ">>> winnow.LandmarkReport([], []).csv().startswith('model,')\n"
          "True")
      .def(
          "page",
          [](const LandmarkReport& report) {
            std::string page;
            {
              const nb::gil_scoped_release free;
              page = landmark_eval_page(report);
            }
            return text_of(page);
          },
          "One self-contained page of HTML.\n\n"
          ">>> '<html' in winnow.LandmarkReport([], []).page()\n"
          "True");
  module.def(
      "write_landmark_eval",
      [](const LandmarkReport& report, const Path& folder) {
        {
          const nb::gil_scoped_release free;
          write_landmark_eval(report, folder.text);
        }
        std::vector<Path> files;
        for (std::string& file : landmark_eval_files(folder.text)) files.push_back({std::move(file)});
        return files;
      },
      nb::arg("report"), nb::arg("folder"),
      "Writes eval.json, faces.csv and index.html. Gives their paths.\n\n"
      ">>> len(winnow.write_landmark_eval(winnow.LandmarkReport([], []), 'empty'))\n"
      "3");
}

}  // namespace

void bind_eval_landmarks(nb::module_& module) {
  bind_faces(module);
  bind_figures(module);
  bind_evaluation(module);
  bind_report(module);
}

}  // namespace winnow::python
