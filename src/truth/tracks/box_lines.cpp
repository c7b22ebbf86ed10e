// Reads tracks of one box a line, as truth/tracks/track_file.h declares; its opening comment holds here.
//
// Frames are lines, so an empty line between two others is an error: it would shift all frames behind it.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <winnow/error.h>

#include "truth/place.h"
#include "truth/tracks/track_file.h"
#include "truth/words.h"

namespace winnow {
namespace {

constexpr std::size_t kMostNumbers = 8;
constexpr std::array<const char*, kMostNumbers> kNumberNames = {
    "number 1", "number 2", "number 3", "number 4", "number 5", "number 6", "number 7", "number 8"};

using Row = std::array<double, kMostNumbers>;

struct Rows {
  std::vector<Row> rows;    // row i is line i + 1
  std::size_t numbers = 0;  // in each row
  bool commas = false;      // whether a line has a comma
};

[[noreturn]] void fail(const std::string& sentence) { throw Error(ErrorCode::kFormat, sentence); }

double read_number(const std::string& word, std::size_t place) {
  return lower(word) == "nan" ? std::numeric_limits<double>::quiet_NaN()
                              : read_real(word, kNumberNames[place]);
}

void add_row(std::string_view line, Rows& rows) {
  const char separator = separator_of(line);
  rows.commas = rows.commas || separator == ',';
  const std::vector<std::string> fields = split(line, separator);
  if (rows.rows.empty()) rows.numbers = fields.size();
  if (fields.size() != rows.numbers)
    fail("the line has " + std::to_string(fields.size()) + " numbers, line 1 has " +
         std::to_string(rows.numbers));
  if (fields.size() < 4 || fields.size() == 7 || fields.size() > kMostNumbers)
    fail("the line has " + std::to_string(fields.size()) +
         " numbers; a box has 4, or 5 with a confidence, 6 as TLP's or 8 as a polygon");
  if (rows.rows.size() == kMaxFrames)
    throw Error(ErrorCode::kLimit, "a track may have " + std::to_string(kMaxFrames) + " frames");
  Row row{};
  for (std::size_t i = 0; i < fields.size(); ++i) row[i] = read_number(fields[i], i);
  rows.rows.push_back(row);
}

Rows read_rows(std::string_view text) {
  Rows rows;
  Lines lines(text);
  std::int64_t line = 0;
  while (lines.next()) {
    ++line;
    if (lines.number() != line)
      throw Error(ErrorCode::kFormat, "the line is empty; NaN stands for a frame without the object", {},
                  "line " + std::to_string(line));
    at_line([&] { return line; }, [&] { add_row(lines.text(), rows); });
  }
  return rows;
}

// The format of rows of four or five numbers, if nobody named it.
BoxTrackFormat known_boxes(const Rows& rows, std::optional<BoxTrackFormat> or_else) {
  // A comparison with NaN is false, so frames without the object fit every format.
  const bool corners = std::none_of(rows.rows.begin(), rows.rows.end(),
                                    [](const Row& row) { return row[2] < row[0] || row[3] < row[1]; });
  if (!corners && !rows.commas) return BoxTrackFormat::kOtb;
  const bool sides =
      or_else == BoxTrackFormat::kOtb || or_else == BoxTrackFormat::kVot || or_else == BoxTrackFormat::kTlp;
  if (sides || (corners && or_else == BoxTrackFormat::kTld)) return *or_else;
  if (!corners)
    fail(
        "the boxes are x,y,width,height, and otb counts pixels from 1 where vot counts from 0; name the "
        "format otb or vot");
  fail(
      "four numbers may be x,y,width,height (otb from pixel 1, vot from pixel 0) or x1,y1,x2,y2 (tld); name "
      "the format otb, vot or tld");
}

BoxTrackFormat known_rows(const Rows& rows, std::optional<BoxTrackFormat> or_else) {
  if (rows.numbers == 8) return BoxTrackFormat::kVot;
  if (rows.numbers == 6) return BoxTrackFormat::kTlp;
  return known_boxes(rows, or_else);
}

void check_numbers(const Rows& rows, BoxTrackFormat format) {
  if (rows.numbers == 8 && format != BoxTrackFormat::kVot)
    fail("8 numbers are a polygon of vot, not a box of " + std::string(box_track_format_name(format)));
  if (rows.numbers == 6 && format != BoxTrackFormat::kTlp)
    fail("6 numbers are frame,x,y,width,height,lost of tlp, not a box of " +
         std::string(box_track_format_name(format)));
}

// Whether all numbers from `first` to before `last` are NaN. kFormat if only some are.
bool all_nan(const Row& row, std::size_t first, std::size_t last) {
  const auto nan = std::count_if(row.begin() + static_cast<std::ptrdiff_t>(first),
                                 row.begin() + static_cast<std::ptrdiff_t>(last),
                                 [](double value) { return std::isnan(value); });
  if (nan != 0 && nan != static_cast<std::ptrdiff_t>(last - first))
    fail("some numbers of the box are NaN, and others are not");
  return nan != 0;
}

std::optional<RealBox> polygon_box(const Row& row) {
  if (all_nan(row, 0, 8)) return std::nullopt;
  const auto [left, right] = std::minmax({row[0], row[2], row[4], row[6]});
  const auto [top, bottom] = std::minmax({row[1], row[3], row[5], row[7]});
  return checked_box({left, top, right - left, bottom - top});
}

// The box whose four numbers begin at `first`.
std::optional<RealBox> box_at(const Row& row, std::size_t first, BoxTrackFormat format) {
  if (all_nan(row, first, first + 4)) return std::nullopt;
  const double a = row[first], b = row[first + 1], c = row[first + 2], d = row[first + 3];
  if (format == BoxTrackFormat::kTld) return checked_box({a, b, c - a + 1, d - b + 1});
  if (a == 0 && b == 0 && c == 0 && d == 0) return std::nullopt;
  const double shift = format == BoxTrackFormat::kOtb ? 1 : 0;
  return checked_box({a - shift, b - shift, c, d});
}

// Whether a line of TLP says that the object is lost. `before` is the line before; null in the first line.
bool is_lost(const Row& row, const Row* before) {
  if (before != nullptr && row[0] != (*before)[0] + 1)
    fail("frame " + shown(row[0]) + " follows frame " + shown((*before)[0]));
  if (row[5] != 0 && row[5] != 1) fail("lost is " + shown(row[5]) + ", and must be 0 or 1");
  return row[5] == 1;
}

FrameBox frame_of(const Rows& rows, std::size_t i, BoxTrackFormat format) {
  const Row& row = rows.rows[i];
  FrameBox frame;
  if (rows.numbers == 8) {
    frame.box = polygon_box(row);
  } else if (rows.numbers == 6) {
    if (!is_lost(row, i > 0 ? &rows.rows[i - 1] : nullptr)) frame.box = box_at(row, 1, format);
  } else {
    frame.box = box_at(row, 0, format);
    if (rows.numbers == 5 && !std::isnan(row[4])) frame.confidence = checked_confidence(row[4]);
  }
  return frame;
}

}  // namespace

BoxTrack read_box_lines(std::string_view text, std::optional<BoxTrackFormat> named,
                        std::optional<BoxTrackFormat> or_else) {
  const Rows rows = read_rows(text);
  BoxTrack track;
  track.format = named ? *named : known_rows(rows, or_else);
  check_numbers(rows, track.format);
  track.frames.reserve(rows.rows.size());
  for (std::size_t i = 0; i < rows.rows.size(); ++i)
    at_line([&] { return i + 1; }, [&] { track.frames.push_back(frame_of(rows, i, track.format)); });
  return track;
}

}  // namespace winnow
