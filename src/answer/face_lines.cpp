// Writes the faces of a frame as lines of JSON or CSV, as winnow/answer.h declares; its opening comment holds
// here.
#include <fmt/format.h>

#include <iterator>
#include <string_view>
#include <utility>

#include <winnow/answer.h>
#include <winnow/error.h>

#include "answer/line_texts.h"

namespace winnow {
namespace {

// A face as lines show it. A face without `followed` has no number.
struct Shown {
  const Box& box;
  double score;
  const Shape& shape;
  const Followed* followed = nullptr;
};

std::vector<Shown> faces_of(const FrameResult& result) {
  std::vector<Shown> faces;
  for (std::size_t i = 0; i < result.objects.size(); ++i)
    faces.push_back({result.objects[i].box, result.objects[i].score, result.shapes[i]});
  for (const Followed& face : result.followed) faces.push_back({face.box, face.score, face.shape, &face});
  return faces;
}

void add_json_face(fmt::memory_buffer& line, const Shown& face) {
  auto out = std::back_inserter(line);
  const Shape& shape = face.shape;
  const bool sure = !shape.confidence.empty();
  fmt::format_to(out, "{{");
  if (face.followed != nullptr)
    fmt::format_to(out, R"("id":{},"state":"{}",)", face.followed->id, state_name(face.followed->state));
  fmt::format_to(out, R"("x":{},"y":{},"width":{},"height":{},"score":{},"confidence":{},"points":[)",
                 face.box.x, face.box.y, face.box.width, face.box.height, json_number(face.score),
                 shape.whole_confidence() >= 0 ? chance_text(shape.whole_confidence()) : "null");
  for (std::size_t i = 0; i < shape.points.size(); ++i)
    fmt::format_to(out, "{}[{},{},{}]", i == 0 ? "" : ",", place_text(shape.points[i].x),
                   place_text(shape.points[i].y), sure ? chance_text(shape.confidence[i]) : "null");
  fmt::format_to(out, "]}}");
}

std::string json_line(bool timing, const FrameResult& result) {
  fmt::memory_buffer faces;
  for (const Shown& face : faces_of(result)) {
    if (faces.size() > 0) fmt::format_to(std::back_inserter(faces), ",");
    add_json_face(faces, face);
  }
  return json_frame(result, "faces", fmt::to_string(faces), timing);
}

std::string csv_lines(bool timing, const FrameResult& result) {
  std::string lines;
  for (const Shown& face : faces_of(result)) {
    const Shape& shape = face.shape;
    const bool sure = !shape.confidence.empty();
    lines += fmt::format("{},{},{}", csv_start(result, face.box), shortest(face.score),
                         shape.whole_confidence() >= 0 ? chance_text(shape.whole_confidence()) : "");
    lines += face.followed == nullptr
                 ? ",,"
                 : fmt::format(",{},{}", face.followed->id, state_name(face.followed->state));
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
  std::string header = "source,frame,time,x,y,width,height,score,confidence,id,state";
  if (timing) header += ",backend,seconds";
  for (std::size_t i = 0; i < points; ++i) header += fmt::format(",x{0},y{0},c{0}", i);
  return header + "\n";
}

std::string face_lines(const FrameResult& result, ResultFormat format, bool timing) {
  if (result.shapes.size() != result.objects.size())
    throw Error(ErrorCode::kUsage, "there must be a shape for each object");
  if (!result.followed.empty() && !result.objects.empty())
    throw Error(ErrorCode::kUsage, "a frame has objects or followed faces, but not both");
  return format == ResultFormat::kJsonLines ? json_line(timing, result) : csv_lines(timing, result);
}

namespace {

constexpr std::string_view kEnd = "}\n";

// Opens a line of JSON for another field.
void open_line(std::string& line) {
  if (!line.ends_with(kEnd)) throw Error(ErrorCode::kUsage, "a field belongs to one line of JSON");
  line.resize(line.size() - kEnd.size());
}

}  // namespace

std::string with_copy(std::string line, std::string_view copy) {
  open_line(line);
  line += fmt::format(R"(,"copy":{})", json_string(std::string(copy)));
  line += kEnd;
  return line;
}

std::string with_covers(std::string line, std::span<const FaceCover> covers) {
  open_line(line);
  line += R"(,"covers":[)";
  for (const FaceCover& cover : covers)
    line += fmt::format(R"({}{{"x":{},"y":{},"width":{},"height":{},"path":{},"searches":{},"why":"{}"}})",
                        &cover == covers.data() ? "" : ",", cover.box.x, cover.box.y, cover.box.width,
                        cover.box.height, cover.path, cover.searches, reason_name(cover.reason));
  line += "]";
  line += kEnd;
  return line;
}

}  // namespace winnow
