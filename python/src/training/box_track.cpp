// Binds tracks of boxes, and `read_box_track`.
#include <winnow/box_track.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays/number_arrays.h"
#include "constructor.h"
#include "typed.h"
#include "values.h"
#include "words.h"

namespace winnow::python {
namespace {

BoxTrack make_track(nb::handle boxes, nb::handle confidence) {
  const std::string what = "boxes", sure = "confidence";
  const nb::object array = array_of(boxes, what, 2, "(frames, 4)");
  const std::size_t frames = shape_of(array)[0];
  check_shape(array, what, {frames, 4}, "(frames, 4)");
  const std::vector<double> numbers = reals_of<double>(array, what);
  BoxTrack track;
  track.format = BoxTrackFormat::kVot;
  track.frames.resize(frames);
  for (std::size_t i = 0; i < frames; ++i) {
    const double* const four = &numbers[4 * i];
    int missing = 0;
    for (int number = 0; number < 4; ++number) missing += std::isnan(four[number]) ? 1 : 0;
    if (missing != 0 && missing != 4)
      refuse("frame " + std::to_string(i) + ": some numbers of the box are NaN, and others are not");
    if (missing == 0) track.frames[i].box = RealBox{four[0], four[1], four[2], four[3]};
  }
  if (confidence.is_none()) return track;
  const nb::object stated = array_of(confidence, sure, 1, "(frames,)");
  check_shape(stated, sure, {frames}, "(frames,)");
  const std::vector<double> values = reals_of<double>(stated, sure);
  for (std::size_t i = 0; i < frames; ++i) track.frames[i].confidence = values[i];
  return track;
}

DoubleArray boxes_of(const BoxTrack& track) {
  std::vector<double> numbers;
  numbers.reserve(4 * track.frames.size());
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  for (const FrameBox& frame : track.frames) {
    const RealBox box = frame.box.value_or(RealBox{kNone, kNone, kNone, kNone});
    numbers.insert(numbers.end(), {box.x, box.y, box.width, box.height});
  }
  return {owned_numbers(std::move(numbers), {track.frames.size(), 4})};
}

DoubleArray confidence_of(const BoxTrack& track) {
  std::vector<double> values;
  for (const FrameBox& frame : track.frames) values.push_back(frame.confidence);
  return {owned_numbers(std::move(values), {track.frames.size()})};
}

}  // namespace

void bind_box_track(nb::module_& module) {
  nb::class_<BoxTrack> shown(
      module, "BoxTrack",
      "The box of one object in each frame of a sequence: what people marked, or what a tracker answered.\n\n"
      "boxes: an array (frames, 4) of x, y, width and height in pixels from 0; NaN in frames without the\n"
      "object. confidence: a number from 0 to 1 for each frame, or NaN.\n\n"
      ">>> winnow.BoxTrack([(10, 10, 40, 40), (np.nan,) * 4])\n"
      "BoxTrack(2 frames, 1 box)");
  def_constructor(
      shown,
      +[](BoxTrack* self, const AnyArray& boxes, const std::optional<AnyArray>& confidence) {
        new (self) BoxTrack(make_track(boxes.object, confidence ? confidence->object : nb::none()));
      },
      nb::arg("boxes"), nb::kw_only(), nb::arg("confidence") = nb::none());
  shown
      .def_prop_ro("boxes", &boxes_of,
                   "An array (frames, 4) of x, y, width and height; NaN in frames without the object.")
      .def_prop_ro("confidence", &confidence_of,
                   "The stated confidence of each frame; NaN if none is stated.")
      .def_prop_ro(
          "format",
          [](const BoxTrack& track) { return BoxTrackFormatWord{box_track_format_name(track.format)}; },
          "The format of the file; 'vot' for a track that was made of arrays.")
      .def_prop_ro(
          "picture",
          [](const BoxTrack& track) -> std::optional<std::tuple<int, int>> {
            if (track.picture == Size{}) return std::nullopt;
            return std::tuple(track.picture.width, track.picture.height);
          },
          "The largest (width, height) of a frame that lines of JSON state, or None.")
      .def("__len__", [](const BoxTrack& track) { return track.frames.size(); })
      .def("__repr__", [](const BoxTrack& track) {
        std::size_t boxes = 0;
        for (const FrameBox& frame : track.frames) boxes += frame.box ? 1 : 0;
        return "BoxTrack(" + counted(track.frames.size(), "frame") + ", " + std::to_string(boxes) +
               (boxes == 1 ? " box)" : " boxes)");
      });
  module.def(
      "read_box_track",
      [](const Path& path, const std::optional<BoxTrackFormatWord>& format,
         const std::optional<BoxTrackFormatWord>& or_else, std::optional<std::int64_t> id) {
        return read_box_track(path.text, {format ? format->text : "", or_else ? or_else->text : "", id});
      },
      nb::arg("path"), nb::kw_only(), nb::arg("format") = nb::none(), nb::arg("or_else") = nb::none(),
      nb::arg("id") = nb::none(), nb::call_guard<nb::gil_scoped_release>(),
      "Reads the boxes of a sequence: text of OTB, TLD, VOT or TLP, or a tracker's lines of JSON or CSV.\n\n"
      "format: 'otb', 'tld', 'vot', 'tlp', 'json' or 'csv'. None recognises the format by the content.\n"
      "or_else: the format of text that fits several. id: the track to take from JSON or CSV.\n\n"
      ">>> winnow.read_box_track('gt.txt', format='tld')\n"
      "BoxTrack(3 frames, 2 boxes)");
}

}  // namespace winnow::python
