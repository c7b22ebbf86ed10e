#include "truth/known.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <winnow/error.h>

#include "truth/formats/readers.h"
#include "truth/place.h"
#include "truth/words.h"

namespace winnow {
namespace {

constexpr std::array kFormats = {TruthFormat::kInfo, TruthFormat::kCsv,  TruthFormat::kPoints,
                                 TruthFormat::kCoco, TruthFormat::kYolo, TruthFormat::kVoc,
                                 TruthFormat::kDlib, TruthFormat::kFddb, TruthFormat::kPts};

std::string format_names() {
  std::string names;
  for (const TruthFormat format : kFormats)
    names += (names.empty() ? "" : ", ") + std::string(truth_format_name(format));
  return names;
}

[[noreturn]] void unknown(const std::string& why) {
  throw Error(ErrorCode::kFormat, why + "; Winnow reads labels as " + format_names());
}

// The format of an XML text, by the name of its first element.
TruthFormat known_xml(std::string_view text) {
  std::size_t at = 0;
  while ((at = text.find('<', at)) != std::string_view::npos) {
    const std::string_view rest = text.substr(at);
    const auto behind = [&](std::string_view end) {
      const std::size_t found = text.find(end, at);
      return found == std::string_view::npos ? text.size() : found + end.size();
    };
    if (rest.starts_with("<!--")) {
      at = behind("-->");
    } else if (rest.starts_with("<?")) {
      at = behind("?>");
    } else if (rest.starts_with("<!")) {
      at = behind(">");
    } else {
      const std::string_view name = rest.substr(1, rest.find_first_of(" \t\r\n>/", 1) - 1);
      if (name == "annotation") return TruthFormat::kVoc;
      if (name == "dataset") return TruthFormat::kDlib;
      unknown("is XML that begins with " + shown(name) + ", not VOC's <annotation> or dlib's <dataset>");
    }
  }
  unknown("is XML without an element");
}

enum class Row { kNameOnly, kInfo, kPoints, kYolo, kFourNumbers, kOther };

Row judge_row(std::string_view line) {
  refuse_semicolons(line);
  const char separator = separator_of(line);
  const std::vector<std::string> fields = split(line, separator);
  std::size_t numbers = 0, fractions = 0;
  for (std::size_t i = 1; i < fields.size(); ++i) {
    if (fields[i].empty() && separator == ',') continue;  // a picture without points
    if (!is_real(fields[i])) return Row::kOther;
    ++numbers;
    const double value = read_real(fields[i], "");
    fractions += value > -0.5 && value < 1.5;
  }
  if (numbers == 0) return Row::kNameOnly;
  // The corners of a polygon are fractions, and a picture's name is seldom a whole number.
  if (numbers > 4 && numbers % 2 == 0 && separator == ' ' && is_count(fields[0]) && fractions == numbers)
    return Row::kYolo;
  if (numbers == 4)
    return is_count(fields[0]) && separator == ' ' && fractions == 4 ? Row::kYolo : Row::kFourNumbers;
  return numbers % 2 == 1 && separator == ' ' ? Row::kInfo : Row::kPoints;
}

bool begins_pts(std::string_view line) {
  constexpr std::string_view kVersion = "version:";
  return line.starts_with(kVersion) && is_count(trim(line.substr(kVersion.size())));
}

// The format of a file with this line, or nothing if the line is a comment or a name alone. `row` is the
// number of earlier lines that are not comments.
std::optional<TruthFormat> known_line(std::string_view line, int row) {
  if (row == 0 && begins_pts(line)) return TruthFormat::kPts;
  const Head head = row == 0 ? judge_head(line) : Head::kNone;
  if (row <= 1 && is_bare_head(line)) return TruthFormat::kPoints;
  if (head == Head::kBoxes) return TruthFormat::kCsv;
  if (head == Head::kPoints) return TruthFormat::kPoints;
  if (head == Head::kEither)
    throw Error(ErrorCode::kFormat,
                "four columns such as x1,y1,x2,y2 may be two points or a box; name the format points, or the "
                "columns left_eye_x,left_eye_y,right_eye_x,right_eye_y, xmin,ymin,xmax,ymax or "
                "x,y,width,height");
  if (head == Head::kNoCorner)
    throw Error(
        ErrorCode::kFormat,
        "the head line names a box's sides or label, but no columns x and y (or left and top, xmin and "
        "ymin)");
  if (line[0] == '#') return std::nullopt;
  if (row == 1 && is_count(line)) return TruthFormat::kFddb;
  switch (judge_row(line)) {
    case Row::kNameOnly:
      return std::nullopt;
    case Row::kInfo:
      return TruthFormat::kInfo;
    case Row::kPoints:
      return TruthFormat::kPoints;
    case Row::kYolo:
      return TruthFormat::kYolo;
    case Row::kFourNumbers:
      throw Error(ErrorCode::kFormat,
                  "a name and four numbers may be a box or two points; name the format csv or points");
    case Row::kOther:
      break;
  }
  unknown(shown(line) + " is no line of labels");
}

TruthFormat known_lines(std::string_view text) {
  Lines lines(text);
  for (int row = 0; lines.next(); row += lines.text()[0] != '#')
    if (const auto format =
            at_line([&] { return lines.number(); }, [&] { return known_line(lines.text(), row); }))
      return *format;
  unknown("has no line with labels");
}

}  // namespace

const char* truth_format_name(TruthFormat format) {
  switch (format) {
    case TruthFormat::kInfo:
      return "info";
    case TruthFormat::kCsv:
      return "csv";
    case TruthFormat::kPoints:
      return "points";
    case TruthFormat::kCoco:
      return "coco";
    case TruthFormat::kYolo:
      return "yolo";
    case TruthFormat::kVoc:
      return "voc";
    case TruthFormat::kDlib:
      return "dlib";
    case TruthFormat::kFddb:
      return "fddb";
    case TruthFormat::kPts:
      return "pts";
  }
  return "unknown";
}

TruthFormat named_format(std::string_view name) {
  for (const TruthFormat format : kFormats)
    if (name == truth_format_name(format)) return format;
  throw Error(ErrorCode::kUsage, "there is no format " + shown(name) + " of labels, but " + format_names());
}

TruthFormat known_format(std::string_view text) {
  const std::string_view inner = trim(text);
  if (inner.empty()) throw Error(ErrorCode::kFormat, "the file is empty");
  if (inner[0] == '<') return known_xml(inner);
  if (inner[0] == '{' || inner[0] == '[') return TruthFormat::kCoco;
  return known_lines(text);
}

}  // namespace winnow
