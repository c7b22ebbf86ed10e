// Reads a track in the named or recognised format, as winnow/box_track.h declares; its opening comment holds
// here.
#include <winnow/box_track.h>

#include <array>
#include <new>
#include <stdexcept>

#include <winnow/error.h>

#include "base/file.h"
#include "truth/tracks/track_file.h"
#include "truth/truth_file.h"
#include "truth/words.h"

namespace winnow {
namespace {

constexpr std::array kFormats = {BoxTrackFormat::kOtb, BoxTrackFormat::kTld,  BoxTrackFormat::kVot,
                                 BoxTrackFormat::kTlp, BoxTrackFormat::kJson, BoxTrackFormat::kCsv};

std::optional<BoxTrackFormat> format_of(const std::string& name) {
  if (name.empty()) return std::nullopt;
  std::string names;
  for (const BoxTrackFormat format : kFormats) {
    if (name == box_track_format_name(format)) return format;
    names += (names.empty() ? "" : ", ") + std::string(box_track_format_name(format));
  }
  throw Error(ErrorCode::kUsage, "there is no format " + shown(name) + " of tracks, but " + names);
}

// Whether the first line names columns.
bool has_head(std::string_view text) {
  Lines lines(text);
  lines.next();
  const std::vector<std::string> fields = split(lines.text(), separator_of(lines.text()));
  const std::string first = fields.empty() ? std::string() : lower(fields[0]);
  return !first.empty() && first != "nan" && first[0] >= 'a' && first[0] <= 'z';
}

}  // namespace

const char* box_track_format_name(BoxTrackFormat format) {
  switch (format) {
    case BoxTrackFormat::kOtb:
      return "otb";
    case BoxTrackFormat::kTld:
      return "tld";
    case BoxTrackFormat::kVot:
      return "vot";
    case BoxTrackFormat::kTlp:
      return "tlp";
    case BoxTrackFormat::kJson:
      return "json";
    case BoxTrackFormat::kCsv:
      return "csv";
  }
  return "unknown";
}

double checked_confidence(double confidence) {
  if (!(confidence >= 0 && confidence <= 1))
    throw Error(ErrorCode::kFormat, "the confidence is " + shown(confidence) + ", and must be from 0 to 1");
  return confidence;
}

RealBox checked_box(const RealBox& box) {
  if (!(box.width > 0 && box.height > 0))
    throw Error(ErrorCode::kFormat, "the box is " + shown(box.width) + " pixels wide and " +
                                        shown(box.height) + " high, so it has no area");
  return box;
}

BoxTrack parse_box_track(std::span<const std::byte> bytes, const BoxTrackOptions& options) {
  const std::optional<BoxTrackFormat> named = format_of(options.format), or_else = format_of(options.or_else);
  const std::string_view text = truth_text(bytes), inner = trim(text);
  if (inner.empty()) throw Error(ErrorCode::kFormat, "the file is empty");
  if (named ? *named == BoxTrackFormat::kJson : inner[0] == '{') return read_json_lines(text, options.id);
  if (named ? *named == BoxTrackFormat::kCsv : has_head(text)) return read_track_csv(text, options.id);
  return read_box_lines(text, named, or_else);
}

BoxTrack read_box_track(const std::string& path, const BoxTrackOptions& options) {
  try {
    return parse_box_track(read_file(path, kMaxTrackBytes), options);
  } catch (const Error& error) {
    throw error.in_file(path);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::kLimit, "there is not enough memory for the track", path);
  } catch (const std::length_error&) {
    throw Error(ErrorCode::kLimit, "there is not enough memory for the track", path);
  }
}

}  // namespace winnow
