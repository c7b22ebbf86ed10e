// Writes the objects of a frame as lines of JSON or CSV, as winnow/answer.h declares; its opening comment
// holds here.
#include <fmt/format.h>

#include <iterator>

#include <winnow/answer.h>

#include "answer/line_texts.h"

namespace winnow {
namespace {

std::string json_line(bool timing, const FrameResult& result) {
  fmt::memory_buffer objects;
  auto out = std::back_inserter(objects);
  const char* comma = "";
  for (const Detection& object : result.objects) {
    fmt::format_to(out, R"({}{{"x":{},"y":{},"width":{},"height":{},"score":{},"neighbors":{}}})", comma,
                   object.box.x, object.box.y, object.box.width, object.box.height, json_number(object.score),
                   object.neighbors);
    comma = ",";
  }
  return json_frame(result, "objects", fmt::to_string(objects), timing);
}

std::string csv_lines(bool timing, const FrameResult& result) {
  std::string lines;
  for (const Detection& object : result.objects)
    lines += fmt::format("{},{},{}{}\n", csv_start(result, object.box), shortest(object.score),
                         object.neighbors, timing ? csv_timing(result) : "");
  return lines;
}

}  // namespace

std::string result_header(ResultFormat format, bool timing) {
  switch (format) {
    case ResultFormat::kJsonLines:
      return "";
    case ResultFormat::kCsv:
      return std::string("source,frame,time,x,y,width,height,score,neighbors") +
             (timing ? ",backend,seconds\n" : "\n");
  }
  throw Error(ErrorCode::kUsage, "this is no format of results");
}

std::string result_lines(const FrameResult& result, ResultFormat format, bool timing) {
  switch (format) {
    case ResultFormat::kJsonLines:
      return json_line(timing, result);
    case ResultFormat::kCsv:
      return csv_lines(timing, result);
  }
  throw Error(ErrorCode::kUsage, "this is no format of results");
}

}  // namespace winnow
