// Binds labels, pictures with labels, and `read_truth`.
#include <winnow/truth.h>

#include "constructor.h"
#include "detecting/detection.h"
#include "typed.h"
#include "values.h"
#include "words.h"

namespace winnow::python {
namespace {

using BoxOfLabel = std::tuple<double, double, double, double>;
using PointOfLabel = std::pair<double, double>;
// The state of a label for `pickle`. Its category is bytes, since it may be no UTF-8.
using LabelState = std::tuple<BoxOfLabel, std::vector<PointOfLabel>, nb::bytes, bool>;

using PictureState = std::tuple<nb::bytes, nb::bytes, std::vector<Label>>;

Label make_label(BoxOfLabel box, const std::vector<PointOfLabel>& points, std::string category, bool ignore) {
  Label label{{std::get<0>(box), std::get<1>(box), std::get<2>(box), std::get<3>(box)},
              {},
              std::move(category),
              ignore};
  for (const auto& [x, y] : points) label.points.push_back({x, y});
  return label;
}

BoxOfLabel box_of(const Label& label) {
  return {label.box.x, label.box.y, label.box.width, label.box.height};
}

std::vector<PointOfLabel> points_of(const Label& label) {
  std::vector<PointOfLabel> points;
  for (const Point& point : label.points) points.emplace_back(point.x, point.y);
  return points;
}

}  // namespace

void bind_truth(nb::module_& module) {
  nb::class_<Label> shown_label(
      module, "Label",
      "A mark that somebody made in a picture: a box (x, y, width, height) and perhaps points.\n\n"
      ">>> winnow.Label((10, 20, 30, 30), category='face')\n"
      "Label((10.0, 20.0, 30.0, 30.0), face)");
  def_constructor(
      shown_label,
      +[](Label* self, BoxOfLabel box, const std::vector<PointOfLabel>& points, std::string category,
          bool ignore) { new (self) Label(make_label(box, points, std::move(category), ignore)); },
      nb::arg("box"), nb::kw_only(), nb::arg("points") = nb::make_tuple(), nb::arg("category") = "",
      nb::arg("ignore") = false);
  shown_label.def_prop_ro("box", &box_of)
      .def_prop_ro("points", &points_of)
      .def_prop_ro("category", [](const Label& label) { return text_of(label.category); })
      .def_ro("ignore", &Label::ignore,
              "Whether a detection of this label counts neither as right nor as wrong.")
      .def("__repr__",
           [](nb::handle self) {
             const nb::str box(self.attr("box")), category(self.attr("category"));
             return nb::str("Label({}, {})").format(box, category);
           })
      .def("__getstate__",
           [](const Label& label) {
             return LabelState(box_of(label), points_of(label),
                               nb::bytes(label.category.data(), label.category.size()), label.ignore);
           })
      .def("__setstate__", [](Label& label, const LabelState& state) {
        const auto& [box, points, category, ignore] = state;
        new (&label) Label(make_label(box, points, {category.c_str(), category.size()}, ignore));
      });
  nb::class_<LabelledPicture> shown_picture(
      module, "LabelledPicture",
      "A picture's file and its labels.\n\n"
      ">>> winnow.LabelledPicture('photo.jpg', [winnow.Label((164, 101, 204, 204))])\n"
      "LabelledPicture(photo.jpg, 1 label)");
  def_constructor(
      shown_picture,
      +[](LabelledPicture* self, Path path, std::vector<Label> labels) {
        new (self) LabelledPicture{path.text, path.text, std::move(labels)};
      },
      nb::arg("path"), nb::arg("labels") = nb::make_tuple());
  shown_picture.def_prop_ro("path", [](const LabelledPicture& picture) { return Path{picture.path}; })
      .def_prop_ro("name", [](const LabelledPicture& picture) { return text_of(picture.name); })
      .def_ro("labels", &LabelledPicture::labels)
      .def("__repr__",
           [](const LabelledPicture& picture) {
             return text_of("LabelledPicture(" + picture.path + ", " + std::to_string(picture.labels.size()) +
                            (picture.labels.size() == 1 ? " label)" : " labels)"));
           })
      .def("__getstate__",
           [](const LabelledPicture& picture) {
             return PictureState(nb::bytes(picture.path.data(), picture.path.size()),
                                 nb::bytes(picture.name.data(), picture.name.size()), picture.labels);
           })
      .def("__setstate__", [](LabelledPicture& picture, const PictureState& state) {
        const auto& [path, name, labels] = state;
        new (&picture) LabelledPicture{{path.c_str(), path.size()}, {name.c_str(), name.size()}, labels};
      });
  module.def(
      "read_truth",
      [](const Path& path, const Path& pictures, const std::string& category, const TruthFormatWord& format) {
        return read_truth(path.text, {pictures.text, category, format.text}).pictures;
      },
      nb::arg("path"), nb::kw_only(), nb::arg("pictures") = Path{}, nb::arg("category") = "",
      nb::arg("format") = "", nb::call_guard<nb::gil_scoped_release>(),
      "Reads labels: info.dat, CSV, points, COCO, YOLO, VOC, dlib, FDDB or iBUG's .pts, recognised by "
      "their content.\n\n"
      ">>> winnow.read_truth('info.dat')\n"
      "[LabelledPicture(photo.jpg, 1 label)]");
  module.def(
      "read_point_names",
      [](const Path& path, const Path& pictures, const TruthFormatWord& format) {
        return read_truth(path.text, {pictures.text, "", format.text}).point_names;
      },
      nb::arg("path"), nb::kw_only(), nb::arg("pictures") = Path{}, nb::arg("format") = "",
      nb::call_guard<nb::gil_scoped_release>(),
      "Reads the names of the points in labels: those of a list's head line, or of dlib's parts. [] if\n"
      "points have numbers only. `find_faces` and `evaluate_landmarks` take the names.\n\n"
      ">>> winnow.read_point_names('points.csv')\n"
      "[]");
  module.def(
      "match_faces",
      [](const LabelledPicture& picture, const AnyDetections& boxes) {
        return match_faces(picture, parse_boxes(boxes.object));
      },
      nb::arg("picture"), nb::arg("boxes"),
      "For each label of a picture the number of its box; None for a label without a box.\n\n"
      "A box may belong to a label if it holds the middle of the label's points, and the box around the\n"
      "points holds the middle of the box. The pair with the largest overlap comes first. Labels that are\n"
      "ignored or have no points get no box.\n\n"
      ">>> pictures = winnow.read_truth('points.csv')\n"
      ">>> boxes = winnow.Detector('face').detect(pictures[0].path)\n"
      ">>> winnow.match_faces(pictures[0], boxes)\n"
      "[0]");
}

}  // namespace winnow::python
