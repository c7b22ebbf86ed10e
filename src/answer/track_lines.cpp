// Writes the tracks of a frame as lines of JSON or CSV, as winnow/answer.h declares; its opening comment
// holds here.
#include <fmt/format.h>

#include <winnow/answer.h>

#include "answer/line_texts.h"

namespace winnow {
namespace {

std::string json_line(const TrackResult& result) {
  std::string tracks;
  for (const Track& track : result.tracks) {
    if (!tracks.empty()) tracks += ",";
    tracks +=
        fmt::format(R"({{"id":{},"x":{},"y":{},"width":{},"height":{},"confidence":{},"state":"{}"}})",
                    track.id, place_text(track.box.x), place_text(track.box.y), place_text(track.box.width),
                    place_text(track.box.height), chance_text(track.confidence), state_name(track.state));
  }
  const std::string file = result.file.empty() ? "" : R"("picture":)" + json_string(result.file) + ",";
  return fmt::format(R"({{"source":{},"frame":{},{}"time":{},"width":{},"height":{},"tracks":[{}]}})"
                     "\n",
                     json_string(result.source), result.frame, file,
                     result.time ? json_number(*result.time) : "null", result.picture.width,
                     result.picture.height, tracks);
}

std::string csv_lines(const TrackResult& result) {
  std::string lines;
  for (const Track& track : result.tracks) {
    lines += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(result.source), result.frame,
                         result.time ? shortest(*result.time) : "", track.id, state_name(track.state),
                         place_text(track.box.x), place_text(track.box.y), place_text(track.box.width),
                         place_text(track.box.height), chance_text(track.confidence), csv_field(result.file));
  }
  return lines;
}

}  // namespace

std::string track_header(ResultFormat format) {
  return format == ResultFormat::kCsv ? "source,frame,time,id,state,x,y,width,height,confidence,picture\n"
                                      : "";
}

std::string track_lines(const TrackResult& result, ResultFormat format) {
  return format == ResultFormat::kJsonLines ? json_line(result) : csv_lines(result);
}

}  // namespace winnow
