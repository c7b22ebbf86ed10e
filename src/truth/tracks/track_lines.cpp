// Reads tracks from lines of JSON and from CSV with a head line, as truth/tracks/track_file.h declares; its
// opening comment holds here.
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <winnow/error.h>

#include "truth/place.h"
#include "truth/tracks/track_file.h"
#include "truth/tracks/track_gather.h"
#include "truth/words.h"

namespace winnow {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t kLargestId = std::int64_t{1} << 53;
constexpr std::uint64_t kLongestSide = 1 << 20;

[[noreturn]] void fail(const std::string& sentence) { throw Error(ErrorCode::kFormat, sentence); }

// Whether an object of this state is lost.
bool is_lost(const std::string& state) {
  if (state == "lost") return true;
  if (state.empty() || state == "found" || state == "tracked") return false;
  fail("the state is " + shown(state) + ", and must be found, tracked or lost");
}

// The field of an object; null if it is missing.
const Json& field_of(const Json& object, const char* name) {
  static const Json kNone;
  const auto at = object.find(name);
  return at == object.end() ? kNone : *at;
}

double real_of(const Json& object, const char* name) {
  const Json& value = field_of(object, name);
  if (value.is_null()) fail(std::string(name) + " is missing");
  if (!value.is_number()) fail(std::string(name) + " is not a number");
  const double number = value.get<double>();
  if (!(std::abs(number) <= kLargestNumber)) fail(std::string(name) + " is more than any picture has pixels");
  return number;
}

// A whole number from 0 to 2^53; no value if it is missing.
std::optional<std::int64_t> whole_of(const Json& object, const char* name) {
  const Json& value = field_of(object, name);
  if (value.is_null()) return std::nullopt;
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > static_cast<std::uint64_t>(kLargestId))
    fail(std::string(name) + " is not a whole number from 0 to 2^53");
  return value.get<std::int64_t>();
}

std::string text_of(const Json& object, const char* name) {
  const Json& value = field_of(object, name);
  if (value.is_null()) return {};
  if (!value.is_string()) fail(std::string(name) + " is not a text");
  return value.get<std::string>();
}

// The size that a frame states; none if it states none, or one that no picture has.
Size picture_of(const Json& frame) {
  Size size;
  for (const auto& [name, side] : {std::pair{"width", &size.width}, std::pair{"height", &size.height}}) {
    const Json& value = field_of(frame, name);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kLongestSide) return {};
    *side = value.get<int>();
  }
  return size;
}

FrameBox box_of(const Json& track) {
  FrameBox frame;
  if (!field_of(track, "confidence").is_null())
    frame.confidence = checked_confidence(real_of(track, "confidence"));
  if (is_lost(text_of(track, "state"))) return frame;
  frame.box = checked_box(
      {real_of(track, "x"), real_of(track, "y"), real_of(track, "width"), real_of(track, "height")});
  return frame;
}

void read_json_line(std::string_view line, TrackGather& gather) {
  const Json frame = Json::parse(line.begin(), line.end(), nullptr, false);
  if (!frame.is_object()) fail(shown(line) + " is no object of JSON");
  const Json& tracks = field_of(frame, "tracks");
  if (!tracks.is_array()) fail("the frame has no list of tracks");
  gather.frame(text_of(frame, "source"), whole_of(frame, "frame"));
  gather.picture(picture_of(frame));
  for (const Json& track : tracks) {
    if (!track.is_object()) fail("a track is no object of JSON");
    const std::optional<std::int64_t> id = whole_of(track, "id");
    if (!id) fail("a track has no id");
    gather.box(*id, box_of(track));
  }
}

enum Column { kSource, kFrame, kId, kX, kY, kWidth, kHeight, kConfidence, kState, kColumns };
constexpr std::array<const char*, kColumns> kColumnNames = {"source", "frame",  "id",         "x",    "y",
                                                            "width",  "height", "confidence", "state"};

struct Head {
  char separator = ',';
  std::size_t columns = 0;
  std::array<int, kColumns> at{};  // the place of each column; -1 if it is missing
};

Head read_head(std::string_view line) {
  Head head;
  head.separator = separator_of(line);
  head.at.fill(-1);
  const std::vector<std::string> names = split(line, head.separator);
  head.columns = names.size();
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t column = 0; column < kColumns; ++column) {
      if (lower(names[i]) != kColumnNames[column]) continue;
      if (head.at[column] >= 0) fail("the head line names " + std::string(kColumnNames[column]) + " twice");
      head.at[column] = static_cast<int>(i);
    }
  }
  for (const Column column : {kX, kY, kWidth, kHeight})
    if (head.at[column] < 0)
      fail("the head line names no column " + std::string(kColumnNames[column]) +
           "; tracks have source,frame,id,x,y,width,height,confidence,state");
  return head;
}

void read_csv_row(std::string_view line, const Head& head, TrackGather& gather) {
  const std::vector<std::string> fields = split(line, head.separator);
  if (fields.size() != head.columns)
    fail("the line has " + std::to_string(fields.size()) + " columns, the head line " +
         std::to_string(head.columns));
  const auto field = [&](Column column) {
    const int at = head.at[column];
    return at >= 0 ? fields[static_cast<std::size_t>(at)] : std::string();
  };
  const auto real = [&](Column column) { return read_real(field(column), kColumnNames[column]); };
  const auto whole = [&](Column column) -> std::optional<std::int64_t> {
    if (field(column).empty()) return std::nullopt;
    return read_count(field(column), kColumnNames[column], kLargestId);
  };
  // Without a column that tells frames apart, each line is a frame.
  const bool apart = head.at[kSource] >= 0 || head.at[kFrame] >= 0;
  const std::string source = field(kSource);
  const std::optional<std::int64_t> number = whole(kFrame);
  if (!apart || !gather.is_last(source, number)) gather.frame(source, number);
  FrameBox frame;
  if (!field(kConfidence).empty()) frame.confidence = checked_confidence(real(kConfidence));
  if (!is_lost(lower(field(kState))))
    frame.box = checked_box({real(kX), real(kY), real(kWidth), real(kHeight)});
  gather.box(whole(kId).value_or(0), frame);
}

}  // namespace

BoxTrack read_json_lines(std::string_view text, std::optional<std::int64_t> id) {
  TrackGather gather;
  Lines lines(text);
  while (lines.next()) at_line([&] { return lines.number(); }, [&] { read_json_line(lines.text(), gather); });
  return gather.finish(BoxTrackFormat::kJson, id);
}

BoxTrack read_track_csv(std::string_view text, std::optional<std::int64_t> id) {
  TrackGather gather;
  Lines lines(text);
  std::optional<Head> head;
  while (lines.next()) {
    at_line([&] { return lines.number(); },
            [&] {
              if (head) {
                read_csv_row(lines.text(), *head, gather);
              } else {
                head = read_head(lines.text());
              }
            });
  }
  BoxTrack track = gather.finish(BoxTrackFormat::kCsv, id);
  if (track.frames.empty()) fail("there is no line behind the head line");
  return track;
}

}  // namespace winnow
