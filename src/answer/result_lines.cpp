// Writes the objects of a frame as lines of JSON or CSV, as winnow/answer.h declares; its opening comment
// holds here.
#include <fmt/format.h>

#include <iterator>

#include <winnow/answer.h>

#include "answer/line_texts.h"

namespace winnow {
namespace {

std::string json_line(bool timing, const FrameResult& result) {
  fmt::memory_buffer line;
  auto out = std::back_inserter(line);
  fmt::format_to(out, R"({{"source":{},"frame":{},"time":{},"width":{},"height":{},"model":{},"objects":[)",
                 json_string(result.source), result.frame, result.time ? json_number(*result.time) : "null",
                 result.picture.width, result.picture.height, json_string(result.model));
  const char* comma = "";
  for (const Detection& object : result.objects) {
    fmt::format_to(out, R"({}{{"x":{},"y":{},"width":{},"height":{},"score":{},"neighbors":{}}})", comma,
                   object.box.x, object.box.y, object.box.width, object.box.height, json_number(object.score),
                   object.neighbors);
    comma = ",";
  }
  fmt::format_to(out, "]");
  if (timing) {
    fmt::format_to(out, R"(,"backend":{},"seconds":{:.6f})", json_string(result.backend), result.seconds);
  }
  fmt::format_to(out, "}}\n");
  return fmt::to_string(line);
}

std::string csv_lines(bool timing, const FrameResult& result) {
  fmt::memory_buffer lines;
  auto out = std::back_inserter(lines);
  const std::string source = csv_field(result.source);
  for (const Detection& object : result.objects) {
    fmt::format_to(out, "{},{},{},{},{},{},{},{},{}", source, result.frame,
                   result.time ? shortest(*result.time) : "", object.box.x, object.box.y, object.box.width,
                   object.box.height, shortest(object.score), object.neighbors);
    if (timing) fmt::format_to(out, ",{},{:.6f}", csv_field(result.backend), result.seconds);
    fmt::format_to(out, "\n");
  }
  return fmt::to_string(lines);
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
