// Binds `Detections`: the objects as arrays, items and slices, and the counters.
#include <winnow/detection.h>

#include <winnow/error.h>

#include <algorithm>
#include <utility>

#include "arrays/picture_argument.h"
#include "bytes.h"
#include "detecting/detection.h"
#include "typed.h"
#include "values.h"

namespace winnow::python {
namespace {

// Makes an array with a row of `columns` numbers for each object; with `columns` = 0, an array of one number
// for each object. `fill` writes the numbers of an object.
template <class Number, class Fill>
nb::object numbers_of(const std::vector<Detection>& objects, std::size_t columns, const Fill& fill) {
  const std::size_t width = columns == 0 ? 1 : columns;
  auto* const numbers = new Number[objects.size() * width + 1];
  const nb::capsule owner(numbers, [](void* at) noexcept { delete[] static_cast<Number*>(at); });
  for (std::size_t i = 0; i < objects.size(); ++i) fill(objects[i], numbers + i * width);
  const std::size_t shape[] = {objects.size(), columns};
  return nb::cast(nb::ndarray<nb::numpy, Number>(numbers, columns == 0 ? 1 : 2, shape, owner));
}

void fill_box(const Detection& object, int* to) {
  const Box& box = object.box;
  to[0] = box.x, to[1] = box.y, to[2] = box.width, to[3] = box.height;
}
void fill_corners(const Detection& object, int* to) {
  const Box& box = object.box;
  to[0] = box.x, to[1] = box.y, to[2] = box.x + box.width, to[3] = box.y + box.height;
}

nb::object detection_of(const Detection& object) {
  const Box& box = object.box;
  return detection_class()(box.x, box.y, box.width, box.height, object.score, object.neighbors);
}

nb::list list_of(const std::vector<Detection>& objects) {
  nb::list list;
  for (const Detection& object : objects) list.append(detection_of(object));
  return list;
}

// A copy of the answer with other objects.
Detections with_objects(const Detections& found, std::vector<Detection> objects) {
  return {std::move(objects), found.counters, found.backend, found.picture};
}

// The place of an object; a number below 0 counts from the end.
std::size_t index_of(const Detections& found, Py_ssize_t number) {
  const auto count = static_cast<Py_ssize_t>(found.objects.size());
  if (number < -count || number >= count)
    throw nb::index_error(
        ("there is no object " + std::to_string(number) + " among " + std::to_string(count)).c_str());
  return static_cast<std::size_t>(number < 0 ? number + count : number);
}

Detections slice_of(const Detections& found, nb::handle slice) {
  const auto [start, stop, step, count] = nb::cast<nb::slice>(slice).compute(found.objects.size());
  std::vector<Detection> objects;
  for (std::size_t i = 0; i < count; ++i)
    objects.push_back(found.objects[static_cast<std::size_t>(start + static_cast<Py_ssize_t>(i) * step)]);
  return with_objects(found, std::move(objects));
}

// The objects that an array chooses: by a truth value for each object, or by the numbers of objects.
Detections chosen_of(const Detections& found, nb::handle chosen) {
  const nb::object array = nb::module_::import_("numpy").attr("asarray")(chosen);
  const auto kind = nb::cast<std::string>(array.attr("dtype").attr("kind"));
  const auto size = nb::cast<std::size_t>(array.attr("size"));
  if (nb::cast<int>(array.attr("ndim")) != 1 || (kind != "b" && kind != "i" && kind != "u" && size > 0))
    throw nb::type_error("objects are chosen by a number, a slice, or an array of truth values or numbers");
  if (kind == "b" && size != found.objects.size())
    throw nb::index_error(("there are " + std::to_string(found.objects.size()) + " objects, and " +
                           std::to_string(size) + " truth values")
                              .c_str());
  std::vector<Detection> objects;
  const nb::object numbers = kind == "b" ? nb::object(array.attr("nonzero")()[0]) : array;
  for (const nb::handle number : numbers.attr("tolist")())
    objects.push_back(found.objects[index_of(found, nb::cast<Py_ssize_t>(number))]);
  return with_objects(found, std::move(objects));
}

// A `Detection` if `which` is a number; `Detections` if `which` is a slice or an array that chooses.
nb::object item_of(const Detections& found, nb::handle which) {
  if (PySlice_Check(which.ptr())) return nb::cast(slice_of(found, which));
  if (PyIndex_Check(which.ptr()) != 0 && !nb::hasattr(which, "__len__")) {
    const Py_ssize_t at = PyNumber_AsSsize_t(which.ptr(), PyExc_IndexError);
    if (at == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
    return detection_of(found.objects[index_of(found, at)]);
  }
  return nb::cast(chosen_of(found, which));
}

Detections by_score(const Detections& found) {
  std::vector<Detection> objects = found.objects;
  std::stable_sort(objects.begin(), objects.end(),
                   [](const Detection& a, const Detection& b) { return a.score > b.score; });
  return with_objects(found, std::move(objects));
}

bool same(const Detections& a, const Detections& b) {
  return a.objects == b.objects && a.picture == b.picture && a.counters.same_answer(b.counters);
}

std::string size_text(Size size) { return std::to_string(size.width) + "x" + std::to_string(size.height); }

RgbImage copy_of(RgbView view) {
  RgbImage copy(view.width, view.height);
  for (int y = 0; y < view.height; ++y) std::copy(view.row(y), view.row(y) + view.width, copy.row(y));
  return copy;
}

// The picture in colour, with a marked box for each object.
Picture draw(const Detections& found, nb::handle picture, const std::optional<ChannelsWord>& channels,
             Rgb color, std::optional<int> thickness) {
  PictureArgument argument(picture, {parse_channels(channels)});
  if (argument.on_device()) throw Error(ErrorCode::kUsage, "bring the picture to the host to draw into it");
  const nb::gil_scoped_release free;
  const PictureView& view = argument.host();
  const Size size = view.size();
  if (size != found.picture)
    throw Error(ErrorCode::kUsage, "this picture is " + size_text(size) + ", and the one that was searched " +
                                       size_text(found.picture) + "; give the picture that was searched");
  Picture drawn;
  drawn.color = view.color.data == nullptr ? to_color(view.gray) : copy_of(view.color);
  const int usual = std::clamp(std::min(size.width, size.height) / 240, 2, 8);
  for (const Detection& object : found.objects)
    draw_box(drawn.color.view(), object.box, color, thickness.value_or(usual));
  drawn.gray = to_gray(std::as_const(drawn.color).view());
  return drawn;
}

nb::object to_pandas(const Detections& found) {
  nb::object pandas;
  try {
    pandas = nb::module_::import_("pandas");
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_ModuleNotFoundError)) throw;
    PyErr_SetString(PyExc_ModuleNotFoundError, "to_pandas() needs pandas: pip install pandas");
    throw nb::python_error();
  }
  const nb::object records = detection_records(found.objects);
  nb::dict columns;
  for (const char* name : {"x", "y", "width", "height", "score", "neighbors"}) columns[name] = records[name];
  return pandas.attr("DataFrame")(columns);
}

std::string describe(const Detections& found) {
  return "Detections(" + std::to_string(found.objects.size()) +
         (found.objects.size() == 1 ? " object" : " objects") + " in " + std::to_string(found.picture.width) +
         "x" + std::to_string(found.picture.height) + ", " + found.backend + ")";
}

}  // namespace

void bind_detections(nb::module_& module) {
  nb::class_<Detections> shown(
      module, "Detections",
      "The objects that were found in one picture: a sequence of `Detection`s.\n\n"
      "`len`, loops, indexes and slices work as for a list. A slice, or an array of truth values such\n"
      "as found.scores > 5, gives `Detections` with the chosen objects. Two answers are equal if\n"
      "objects, counters and the picture's size are, whatever the backend. Every array is a copy, which\n"
      "you may change.\n\n"
      ">>> found = winnow.Detector('face').detect('photo.jpg')\n"
      ">>> for x, y, width, height, score, neighbors in found:\n"
      "...     print(x, y, width, height, round(score, 2))\n"
      "164 101 204 204 142.46\n"
      ">>> found.boxes.tolist(), found[0].score > 100, len(found[1:])\n"
      "([[164, 101, 204, 204]], True, 0)");
  shown.def("__len__", [](const Detections& found) { return found.objects.size(); })
      .def(
          "__getitem__", [](const Detections& found, nb::handle which) { return item_of(found, which); },
          nb::arg("which").none(),
          nb::sig("def __getitem__(self, which: slice | collections.abc.Sequence[int] | "
                  "numpy.typing.NDArray[typing.Any], /) -> Detections"))
      .def(
          "__getitem__", [](const Detections& found, nb::handle which) { return item_of(found, which); },
          nb::arg("which"), nb::sig("def __getitem__(self, which: typing.SupportsIndex, /) -> Detection"))
      .def(
          "__iter__", [](const Detections& found) { return nb::iter(list_of(found.objects)); },
          nb::sig("def __iter__(self) -> collections.abc.Iterator[Detection]"))
      .def(
          "__eq__",
          [](const Detections& found, nb::handle b) {
            const Detections* other = nullptr;
            return nb::try_cast(b, other) && other != nullptr && same(found, *other);
          },
          nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def_prop_ro(
          "objects", [](const Detections& found) { return RecordArray{detection_records(found.objects)}; },
          "A structured array with the fields x, y, width, height, score and neighbors.")
      .def_prop_ro(
          "boxes",
          [](const Detections& found) { return IntArray{numbers_of<int>(found.objects, 4, fill_box)}; },
          "The boxes as (n, 4): x, y, width, height.")
      .def_prop_ro(
          "xyxy",
          [](const Detections& found) { return IntArray{numbers_of<int>(found.objects, 4, fill_corners)}; },
          "The boxes as (n, 4): left, top, right, bottom; right and bottom are one past the last pixel.")
      .def_prop_ro(
          "scores",
          [](const Detections& found) {
            return DoubleArray{numbers_of<double>(
                found.objects, 0, [](const Detection& object, double* to) { *to = object.score; })};
          },
          "The score of each object. A larger score means a surer object. Each model has a zero and a unit\n"
          "of its own.")
      .def_prop_ro(
          "neighbors",
          [](const Detections& found) {
            return IntArray{numbers_of<int>(
                found.objects, 0, [](const Detection& object, int* to) { *to = object.neighbors; })};
          },
          "How many windows were merged into each object.")
      .def_prop_ro(
          "counters", [](const Detections& found) -> const Counters& { return found.counters; },
          nb::rv_policy::reference_internal)
      .def_prop_ro("backend", [](const Detections& found) { return found.backend; })
      .def_prop_ro(
          "picture", [](const Detections& found) { return found.picture; }, "The picture's (width, height).")
      .def("by_score", &by_score,
           "The same answer with the surest object first. Objects with equal scores keep their order.\n\n"
           ">>> found = winnow.Detector('face').detect('photo.jpg', min_neighbors=0).by_score()\n"
           ">>> bool((found.scores[:-1] >= found.scores[1:]).all())\n"
           "True")
      .def(
          "to_pandas", [](const Detections& found) { return to_pandas(found); },
          nb::sig("def to_pandas(self) -> typing.Any"),
          "A pandas.DataFrame with a row for each object. It needs pandas.\n\n"
          ">>> table = winnow.Detector('face').detect('photo.jpg').to_pandas()  # doctest: +SKIP\n"
          ">>> table[table.score > 5]  # doctest: +SKIP\n"
          "     x    y  width  height       score  neighbors\n"
          "0  164  101    204     204  142.458...         45")
      .def(
          "draw",
          [](const Detections& found, const AnyPicture& picture, const std::optional<ChannelsWord>& channels,
             const Color& color, std::optional<int> thickness) {
            return ColorPicture{
                nb::cast(draw(found, picture.object, channels, parse_color(color.object), thickness))};
          },
          nb::arg("picture"), nb::kw_only(), nb::arg("channels") = nb::none(),
          nb::arg("color") = nb::make_tuple(0, 255, 0), nb::arg("thickness") = nb::none(),
          "The picture that was searched as a `Picture` in colour, with a frame in each box. `draw` takes\n"
          "pictures in every form that `detect` takes. thickness: pixels; None suits the picture's size.\n\n"
          ">>> found = winnow.Detector('face').detect('photo.jpg')\n"
          ">>> found.draw('photo.jpg').save('marked.png')")
      .def("__repr__", [](const Detections& found) { return describe(found); });
  shown
      .def(
          "to_bytes", [](const Detections& found) { return python_bytes(found.to_bytes()); },
          "The answer as bytes, to keep or to send; `Detections.parse` gives it back. `pickle` works, "
          "too.\n\n"
          ">>> found = winnow.Detector('face').detect('photo.jpg')\n"
          ">>> winnow.Detections.parse(found.to_bytes()) == found\n"
          "True")
      .def_static(
          "parse", [](const nb::bytes& bytes) { return Detections::parse(span_of(bytes)); }, nb::arg("bytes"),
          "Reads the bytes that `to_bytes` gave.\n\n"
          ">>> found = winnow.Detector('face').detect('photo.jpg')\n"
          ">>> winnow.Detections.parse(found.to_bytes()).boxes.tolist()\n"
          "[[164, 101, 204, 204]]")
      .def("__getstate__", [](const Detections& found) { return python_bytes(found.to_bytes()); })
      .def("__setstate__", [](Detections& found, const nb::bytes& bytes) {
        new (&found) Detections(Detections::parse(span_of(bytes)));
      });
  shown.attr("__hash__") = nb::none();
}

}  // namespace winnow::python
