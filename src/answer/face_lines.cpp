// Writes the faces of a frame as lines of JSON or CSV, as winnow/answer.h declares; its opening comment holds
// here.
#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include <winnow/answer.h>

#include "answer/line_texts.h"

namespace winnow {
namespace {

// The shortest text of the number, rounded to decimals. Halves round away from zero.
std::string rounded(double value, double decimals) {
  const double units = std::round(value * decimals);
  return units == 0 ? "0" : shortest(units / decimals);
}

std::string place_text(double value) { return rounded(value, 100); }
std::string chance_text(double value) { return rounded(value, 1000); }

void add_json_face(fmt::memory_buffer& line, const Detection& object, const Shape& shape) {
  auto out = std::back_inserter(line);
  const bool sure = !shape.confidence.empty();
  fmt::format_to(out, R"({{"x":{},"y":{},"width":{},"height":{},"score":{},"confidence":{},"points":[)",
                 object.box.x, object.box.y, object.box.width, object.box.height, json_number(object.score),
                 shape.whole_confidence() >= 0 ? chance_text(shape.whole_confidence()) : "null");
  for (std::size_t i = 0; i < shape.points.size(); ++i)
    fmt::format_to(out, "{}[{},{},{}]", i == 0 ? "" : ",", place_text(shape.points[i].x),
                   place_text(shape.points[i].y), sure ? chance_text(shape.confidence[i]) : "null");
  fmt::format_to(out, "]}}");
}

std::string json_line(bool timing, const FrameResult& result) {
  fmt::memory_buffer faces;
  for (std::size_t i = 0; i < result.objects.size(); ++i) {
    if (i > 0) fmt::format_to(std::back_inserter(faces), ",");
    add_json_face(faces, result.objects[i], result.shapes[i]);
  }
  return json_frame(result, "faces", fmt::to_string(faces), timing);
}

std::string csv_lines(bool timing, const FrameResult& result) {
  std::string lines;
  for (std::size_t f = 0; f < result.objects.size(); ++f) {
    const Detection& object = result.objects[f];
    const Shape& shape = result.shapes[f];
    const bool sure = !shape.confidence.empty();
    lines += fmt::format("{},{},{}", csv_start(result, object.box), shortest(object.score),
                         shape.whole_confidence() >= 0 ? chance_text(shape.whole_confidence()) : "");
    if (timing) lines += csv_timing(result);
    for (std::size_t i = 0; i < shape.points.size(); ++i)
      lines += fmt::format(",{},{},{}", place_text(shape.points[i].x), place_text(shape.points[i].y),
                           sure ? chance_text(shape.confidence[i]) : "");
    lines += "\n";
  }
  return lines;
}

}  // namespace

std::string face_header(std::size_t points, ResultFormat format, bool timing) {
  if (format == ResultFormat::kJsonLines) return "";
  std::string header = "source,frame,time,x,y,width,height,score,confidence";
  if (timing) header += ",backend,seconds";
  for (std::size_t i = 0; i < points; ++i) header += fmt::format(",x{0},y{0},c{0}", i);
  return header + "\n";
}

std::string face_lines(const FrameResult& result, ResultFormat format, bool timing) {
  if (result.shapes.size() != result.objects.size())
    throw Error(ErrorCode::kUsage, "there must be a shape for each object");
  return format == ResultFormat::kJsonLines ? json_line(timing, result) : csv_lines(timing, result);
}

}  // namespace winnow
