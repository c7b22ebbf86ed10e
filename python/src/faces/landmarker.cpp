// Binds `Landmarker`, `Shape` and `draw_shape`.
#include <winnow/landmarker.h>

#include <winnow/answer.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "arrays/number_arrays.h"
#include "arrays/picture_argument.h"
#include "constructor.h"
#include "detecting/detection.h"
#include "machine_arguments.h"
#include "models/model_argument.h"
#include "typed.h"
#include "values.h"

namespace winnow::python {
namespace {

constexpr const char* kBoxesForEach = "there must be a list of boxes for each picture";

// A landmarker that several Python threads may share: one thread fits at a time, and the others wait.
class SharedLandmarker {
 public:
  SharedLandmarker(Landmarks model, const MachineOptions& machine) : landmarker_(std::move(model), machine) {}

  // The shapes of one picture, or a list of shapes for each picture if several were given.
  nb::object fit(nb::handle pictures, nb::handle boxes, Channels channels) {
    const PictureRules rules{channels, false};
    if (PyList_Check(pictures.ptr()) || PyTuple_Check(pictures.ptr()))
      return nb::cast(fit_all(pictures, boxes, rules));
    PictureArgument picture(pictures, rules, true);
    if (picture.many().is_valid()) return nb::cast(fit_all(picture.many(), boxes, rules));
    picture.refuse_device();
    return nb::cast(fit_one(picture, parse_boxes(boxes)));
  }

  const Landmarker& landmarker() const { return landmarker_; }
  BackendKind backend() {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    return landmarker_.backend();
  }
  std::string note() {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    return landmarker_.note();
  }

 private:
  // Pictures that are fitted in one call, with the boxes of each.
  struct Part {
    std::deque<PictureArgument> pictures;
    std::vector<std::vector<Box>> boxes;
    std::int64_t pixels = 0;
    std::size_t box_count = 0;
  };

  std::vector<Shape> fit_one(PictureArgument& picture, const std::vector<Box>& boxes) {
    std::vector<Shape> shapes;
    const nb::gil_scoped_release free;
    const GrayView gray = picture.host().gray;
    const std::lock_guard lock(busy_);
    landmarker_.fit(gray, boxes, shapes);
    return shapes;
  }

  // Pictures are taken and fitted in parts. Ctrl-C then waits only for one part, and only the pictures of one
  // part are in memory.
  std::vector<std::vector<Shape>> fit_all(nb::handle pictures, nb::handle boxes, const PictureRules& rules) {
    constexpr std::int64_t kMostPixels = 1 << 27;
    constexpr std::size_t kEnoughBoxes = 4096;
    if (!nb::hasattr(boxes, "__iter__")) throw Error(ErrorCode::kUsage, kBoxesForEach);
    std::vector<std::vector<Shape>> results;
    Part part;
    nb::iterator each = nb::iter(boxes);
    for (const nb::handle picture : pictures) {
      if (each == nb::iterator::sentinel()) throw Error(ErrorCode::kUsage, kBoxesForEach);
      PictureArgument& argument =
          for_picture(results.size() + part.pictures.size(),
                      [&]() -> PictureArgument& { return take(picture, *each, rules, part); });
      ++each;
      if (argument.in_file()) {
        const nb::gil_scoped_release free;
        argument.host();
      }
      const Size size = argument.size();
      part.pixels += static_cast<std::int64_t>(size.width) * size.height;
      if (part.pixels < kMostPixels && part.box_count < kEnoughBoxes) continue;
      fit_part(part, results);
      part = {};
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
    if (each != nb::iterator::sentinel()) throw Error(ErrorCode::kUsage, kBoxesForEach);
    fit_part(part, results);
    return results;
  }

  static PictureArgument& take(nb::handle picture, nb::handle boxes, const PictureRules& rules, Part& part) {
    part.boxes.push_back(parse_boxes(boxes));
    part.box_count += part.boxes.back().size();
    PictureArgument& argument = part.pictures.emplace_back(picture, rules);
    argument.refuse_device();
    return argument;
  }

  void fit_part(Part& part, std::vector<std::vector<Shape>>& results) {
    const nb::gil_scoped_release free;
    std::vector<GrayView> views;
    for (PictureArgument& argument : part.pictures) views.push_back(argument.host().gray);
    const std::lock_guard lock(busy_);
    landmarker_.fit(views, part.boxes, shapes_);
    for (std::vector<Shape>& shapes : shapes_) results.push_back(std::exchange(shapes, {}));
  }

  Landmarker landmarker_;
  std::mutex busy_;
  std::vector<std::vector<Shape>> shapes_;
};

// A form of `fit` for the type stubs: its types tell what a call gives for one picture and for many. At run
// time each form takes pictures of every kind.
template <class Pictures, class Boxes, class Answer>
Answer fit(SharedLandmarker& self, const Pictures& pictures, const Boxes& boxes,
           const std::optional<ChannelsWord>& channels) {
  return {self.fit(pictures.object, boxes.object, parse_channels(channels))};
}

DoubleArray points_of(const Shape& shape) { return points_array(shape.points); }

std::optional<FloatArray> confidence_of(const Shape& shape) {
  if (shape.confidence.empty()) return std::nullopt;
  return FloatArray{owned_numbers(shape.confidence, {shape.confidence.size()})};
}

std::optional<double> known(double chance) { return chance >= 0 ? std::optional(chance) : std::nullopt; }

float presence_from(const std::optional<double>& presence) {
  if (presence && !(*presence >= 0 && *presence <= 1)) refuse("presence must be from 0 to 1");
  return presence ? static_cast<float>(*presence) : -1;
}

Shape make_shape(nb::handle points, const std::optional<AnyArray>& confidence,
                 const std::optional<double>& presence) {
  Shape shape{points_from<LandmarkPoint>(points), {}};
  shape.presence = presence_from(presence);
  if (!confidence) return shape;
  const nb::object chances = array_of(confidence->object, "confidences", 1, "(points,)");
  check_shape(chances, "confidences", {shape.points.size()}, "(points,)");
  shape.confidence = reals_of<float>(chances, "confidences");
  return shape;
}

using Places = nb::ndarray<const double, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using Chances = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void set_state(Shape& shape, const std::tuple<Places, std::optional<Chances>, std::optional<double>>& state) {
  new (&shape) Shape();
  const auto& [places, chances, presence] = state;
  shape.presence = presence_from(presence);
  for (std::size_t i = 0; i < places.shape(0); ++i)
    shape.points.push_back({places.data()[2 * i], places.data()[2 * i + 1]});
  if (chances) shape.confidence.assign(chances->data(), chances->data() + chances->size());
}

void bind_shape(nb::module_& module) {
  nb::class_<Shape> shown(
      module, "Shape",
      "The points of one object. `Landmarker.fit` gives a shape for each box. Arrays are copies, which\n"
      "you may change.\n\n"
      "The constructor takes points that another program marked, for an evaluation.\n\n"
      ">>> winnow.Shape([(10, 20), (30.5, 20), (20, 34)], confidence=[0.25, 0.75, 0.5]).mean_confidence\n"
      "0.5");
  def_constructor(
      shown,
      +[](Shape* self, const AnyArray& points, const std::optional<AnyArray>& confidence,
          const std::optional<double>& presence) {
        new (self) Shape(make_shape(points.object, confidence, presence));
      },
      nb::arg("points"), nb::kw_only(), nb::arg("confidence") = nb::none(), nb::arg("presence") = nb::none());
  shown
      .def_prop_ro("points", &points_of,
                   "Places in the picture, (points, 2): x and y. The middle of the first pixel is (0, 0).")
      .def_prop_ro("confidence", &confidence_of,
                   "For each point the probability that the point is right, as `PointConfidence` defines\n"
                   "it; None if the model has no confidence.")
      .def_prop_ro(
          "mean_confidence", [](const Shape& shape) { return known(shape.mean_confidence()); },
          "The mean of `confidence`, so the expected fraction of right points; None if the model has no\n"
          "confidence.")
      .def_prop_ro(
          "presence", [](const Shape& shape) { return known(static_cast<double>(shape.presence)); },
          "The probability that the box shows what the model was trained for; None if the model does not\n"
          "know it. It holds where faces and false alarms of the detector are equally frequent.")
      .def_prop_ro(
          "whole_confidence", [](const Shape& shape) { return known(shape.whole_confidence()); },
          "`presence` if the model knows it, else `mean_confidence`.")
      .def("__len__", [](const Shape& shape) { return shape.points.size(); })
      .def(
          "__eq__",
          [](const Shape& a, nb::handle b) {
            const Shape* other = nullptr;
            return nb::try_cast(b, other) && other != nullptr && a == *other;
          },
          nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__repr__",
           [](const Shape& shape) {
             return "Shape(" + std::to_string(shape.points.size()) +
                    (shape.points.size() == 1 ? " point)" : " points)");
           })
      .def("__getstate__",
           [](const Shape& shape) {
             return std::tuple(points_of(shape), confidence_of(shape),
                               known(static_cast<double>(shape.presence)));
           })
      .def("__setstate__", &set_state);
  shown.attr("__hash__") = nb::none();
}

}  // namespace

void bind_landmarker(nb::module_& module) {
  bind_shape(module);
  nb::class_<SharedLandmarker> shown(
      module, "Landmarker",
      "Marks points in boxes of pictures, such as 68 points of a face. Points and confidence are the same on "
      "every\nbackend, for every number of threads and devices. Threads may share a landmarker, and then "
      "wait "
      "for each other;\nfor speed give each its own.\n\n"
      ">>> landmarker = winnow.Landmarker('points.winnow', backend='cpu', threads=2)\n"
      ">>> landmarker\n"
      "Landmarker(points, cpu, 2 threads)");
  def_constructor(
      shown,
      +[](SharedLandmarker* self, const AnyLandmarks& model, WINNOW_MACHINE_PARAMETERS) {
        Landmarks loaded = parse_landmarks(model.object);
        const MachineOptions machine = machine_of(WINNOW_MACHINE_VALUES);
        const nb::gil_scoped_release free;
        new (self) SharedLandmarker(std::move(loaded), machine);
      },
      nb::arg("model"), nb::kw_only(), WINNOW_MACHINE_ARGUMENTS);
  shown
      .def("fit", &fit<PlainPicture, AnyDetections, OneFit>, nb::arg("picture"), nb::arg("boxes"),
           nb::kw_only(), nb::arg("channels") = nb::none())
      .def("fit", &fit<ManyPictures, ManyDetections, ManyFits>, nb::arg("pictures"), nb::arg("boxes"),
           nb::kw_only(), nb::arg("channels") = nb::none())
      .def("fit", &fit<AnyPicture, AnyDetections, OneFit>, nb::arg("picture").none(), nb::arg("boxes"),
           nb::kw_only(), nb::arg("channels") = nb::none(),
           "A `Shape` for each box of a picture, in the order of the boxes.\n\n"
           "Pictures are those of `Detector.detect`, in host memory. Boxes are `Detections`, a list of\n"
           "`Detection`s, or whole numbers (n, 4): x, y, width, height. They may reach beyond the picture. "
           "Many\n"
           "pictures need a list of boxes for each, and give a list of shapes for each. Boxes must come from "
           "the\n"
           "detector that the model was made for. `Landmarks.for_face_boxes` gives a model for `face`.\n\n"
           ">>> landmarker = winnow.Landmarker('points.winnow', backend='cpu')\n"
           ">>> found = winnow.Detector('face', backend='cpu').detect('photo.jpg')\n"
           ">>> (shape,) = landmarker.fit('photo.jpg', found)\n"
           ">>> shape, shape.points.shape, shape.confidence\n"
           "(Shape(5 points), (5, 2), None)\n"
           ">>> gray = winnow.read_picture('photo.jpg').gray\n"
           ">>> landmarker.fit([gray, gray], [found, [(160, 100, 200, 200), (150, 90, 220, 220)]])\n"
           "[[Shape(5 points)], [Shape(5 points), Shape(5 points)]]")
      .def_prop_ro("model", [](const SharedLandmarker& self) { return self.landmarker().model(); })
      .def_prop_ro(
          "backend", [](SharedLandmarker& self) { return BackendWord{backend_name(self.backend())}; },
          "'auto' if several backends may be used, else the backend.")
      .def_prop_ro(
          "note", [](SharedLandmarker& self) { return self.note(); },
          "With 'auto': why no device helps, if one was to help and could not start or failed; else \"\".")
      .def_prop_ro("threads", [](const SharedLandmarker& self) { return self.landmarker().threads(); })
      .def("__repr__", [](SharedLandmarker& self) {
        const Landmarker& landmarker = self.landmarker();
        return text_of("Landmarker(" + landmarker.model().name() + ", " + backend_name(self.backend()) +
                       ", " + std::to_string(landmarker.threads()) +
                       (landmarker.threads() == 1 ? " thread)" : " threads)"));
      });
  module.def(
      "draw_shape",
      [](const ByteArray& picture, const Shape& shape, const Color& color, int thickness) {
        draw_shape(ColorArgument(picture.object).view, shape, parse_color(color.object), thickness);
      },
      nb::arg("picture"), nb::arg("shape"), nb::arg("color") = nb::make_tuple(0, 255, 0), nb::kw_only(),
      nb::arg("thickness") = 1,
      "Draws the points of a shape into a colour array; 68 points are joined by lines.\n\n"
      ">>> canvas = winnow.read_picture('photo.jpg', color=True).color.copy()\n"
      ">>> for shape in winnow.Landmarker('points.winnow').fit(canvas, [(164, 101, 204, 204)], "
      "channels='rgb'):\n"
      "...     winnow.draw_shape(canvas, shape)");
}

}  // namespace winnow::python
