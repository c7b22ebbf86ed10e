// Reads boxes from columns, as truth/formats/readers.h declares; its opening comment holds here. A head line
// names the columns. Without a head line, the user must name the format, and the columns are file, x, y,
// width, height, category, ignore. If a line gives the right or the lower edge of a box, the box's width or
// height is a difference of doubles.
#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "truth/formats/readers.h"
#include "truth/place.h"
#include "truth/points/point_columns.h"
#include "truth/words.h"

namespace winnow {
namespace {

enum Column { kFile, kX, kY, kWidth, kHeight, kRight, kBottom, kCategory, kIgnore, kColumns };

struct Synonym {
  std::string_view name;
  Column column;
};
constexpr Synonym kSynonyms[] = {
    {"file", kFile},
    {"filename", kFile},
    {"file_name", kFile},
    {"path", kFile},
    {"image", kFile},
    {"picture", kFile},
    {"x", kX},
    {"left", kX},
    {"xmin", kX},
    {"y", kY},
    {"top", kY},
    {"ymin", kY},
    {"width", kWidth},
    {"w", kWidth},
    {"height", kHeight},
    {"h", kHeight},
    {"xmax", kRight},
    {"right", kRight},
    {"ymax", kBottom},
    {"bottom", kBottom},
    {"category", kCategory},
    {"label", kCategory},
    {"class", kCategory},
    {"ignore", kIgnore},
    {"difficult", kIgnore},
};

std::optional<Column> column_of(const std::string& name) {
  for (const Synonym& synonym : kSynonyms)
    if (synonym.name == name) return synonym.column;
  return std::nullopt;
}

// Whether a column of this name is the picture's, if no other column is.
bool may_be_file(std::string_view name) {
  constexpr std::string_view kNames[] = {"image_id", "image_name", "image_path", "img",
                                         "img_name", "filepath",   "file_path"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// The names in a head line, in small letters.
std::vector<std::string> head_names(std::string_view line) {
  std::vector<std::string> names = head_fields(line);
  for (std::string& name : names) name = lower(name);
  return names;
}

struct Layout {
  char separator = ',';
  std::size_t columns = 0;       // number of columns in every line; 0: each line has its own number
  std::array<int, kColumns> at;  // the position of each column in a line; -1: there is no such column
};

Layout read_head(std::string_view line) {
  Layout layout{head_separator(line), 0, {}};
  layout.at.fill(-1);
  const std::vector<std::string> names = head_names(line);
  layout.columns = names.size();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::optional<Column> column = column_of(names[i]);
    if (!column) continue;
    if (layout.at[*column] >= 0)
      throw Error(ErrorCode::kFormat,
                  "the column " + shown(names[i]) + " is there twice, perhaps by another name");
    layout.at[*column] = static_cast<int>(i);
  }
  const auto other_file = std::find_if(names.begin(), names.end(), may_be_file);
  if (layout.at[kFile] < 0 && other_file != names.end())
    layout.at[kFile] = static_cast<int>(other_file - names.begin());
  const auto need = [&](bool there, const char* what) {
    if (!there) throw Error(ErrorCode::kFormat, std::string("the head line names no column for ") + what);
  };
  need(layout.at[kFile] >= 0, "the picture (file)");
  need(layout.at[kX] >= 0 && layout.at[kY] >= 0, "the corner (x and y)");
  // In a file with right and bottom, the columns width and height hold the picture's size.
  if (layout.at[kRight] >= 0 && layout.at[kBottom] >= 0) layout.at[kWidth] = layout.at[kHeight] = -1;
  need(layout.at[kWidth] >= 0 || layout.at[kRight] >= 0, "the width (width or xmax)");
  need(layout.at[kHeight] >= 0 || layout.at[kBottom] >= 0, "the height (height or ymax)");
  return layout;
}

Layout headless(std::string_view line) {
  Layout layout{separator_of(line), 0, {}};
  layout.at = {0, 1, 2, 3, 4, -1, -1, 5, 6};
  return layout;
}

// Whether a point's name may mean a corner of a box ("bottom_right", "p2") instead of a landmark.
bool may_be_corner(std::string_view name) {
  const auto letters = std::count_if(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  if (letters < 3 || name == "left_" || name == "right_") return true;
  constexpr std::string_view kWords[] = {"min",   "max",    "top",   "bottom", "upper",
                                         "lower", "corner", "start", "end",    "box"};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

// Whether the names of all columns but the first, the picture's, come in pairs: x and y of one point, as in
// "left_eye_x,left_eye_y,right_eye_x,right_eye_y".
bool name_points(const std::vector<std::string>& names) {
  if (names.size() % 2 == 0) return false;
  for (std::size_t i = 1; i < names.size(); i += 2) {
    const std::string_view x = names[i], y = names[i + 1];
    if (!x.ends_with('x') || !y.ends_with('y')) return false;
    const std::string_view point = x.substr(0, x.size() - 1);
    if (point != y.substr(0, y.size() - 1) || may_be_corner(point)) return false;
  }
  return true;
}

bool read_flag(const std::string& word) {
  const std::string small = lower(word);
  if (small.empty() || small == "0" || small == "false" || small == "no") return false;
  if (small == "1" || small == "true" || small == "yes") return true;
  throw Error(ErrorCode::kFormat, "ignore: " + shown(word) + " is neither 0 nor 1");
}

void read_row(std::string_view line, const Layout& layout, Gather& gather) {
  const std::vector<std::string> fields = split(line, layout.separator);
  if (layout.columns != 0 && fields.size() != layout.columns)
    throw Error(ErrorCode::kFormat, "the line has " + std::to_string(fields.size()) +
                                        " columns, the head line " + std::to_string(layout.columns));
  if (layout.columns == 0 && (fields.size() < 5 || fields.size() > 7))
    throw Error(ErrorCode::kFormat, "the line has " + std::to_string(fields.size()) +
                                        " columns; without a head line they are file, x, y, width, height, "
                                        "category and ignore, the last two if there");
  const auto field = [&](Column column) {
    const int at = layout.at[column];
    return at >= 0 && static_cast<std::size_t>(at) < fields.size() ? fields[at] : std::string();
  };
  const std::size_t picture = gather.picture(field(kFile));
  bool empty = true;
  for (const Column column : {kX, kY, kWidth, kHeight, kRight, kBottom})
    empty = empty && field(column).empty();
  if (empty) return;  // the picture has no object
  Label label;
  label.box.x = read_real(field(kX), "x");
  label.box.y = read_real(field(kY), "y");
  label.box.width = layout.at[kWidth] >= 0 ? read_real(field(kWidth), "width")
                                           : read_real(field(kRight), "right") - label.box.x;
  label.box.height = layout.at[kHeight] >= 0 ? read_real(field(kHeight), "height")
                                             : read_real(field(kBottom), "bottom") - label.box.y;
  label.category = field(kCategory);
  label.ignore = read_flag(field(kIgnore));
  gather.box(picture, std::move(label));
}

}  // namespace

char head_separator(std::string_view line) {
  if (separator_of(line) == ',') return ',';
  for (const char separator : {';', '\t'})
    if (line.find(separator) != std::string_view::npos) return separator;
  return ' ';
}

std::vector<std::string> head_fields(std::string_view line) {
  if (line.starts_with('#')) line = trim(line.substr(1));
  return split(line, head_separator(line));
}

bool is_bare_head(std::string_view line) {
  try {
    return are_point_columns(head_fields(line));
  } catch (const Error&) {
    return false;  // broken quotes
  }
}

Head judge_head(std::string_view line) {
  std::vector<std::string> names;
  try {
    names = head_names(line);
  } catch (const Error&) {
    return Head::kNone;  // a comment may have broken quotes; if the line is data, reading it fails later
  }
  bool file = false, x = false, y = false, side = false;
  for (const std::string& name : names) {
    if (is_real(name)) return Head::kNone;
    const std::optional<Column> column = column_of(name);
    file = file || column == kFile || may_be_file(name);
    x = x || column == kX;
    y = y || column == kY;
    side = side || (column >= kWidth && column <= kIgnore);
  }
  if (!file || names.size() < 2) return Head::kNone;
  if (x && y) return Head::kBoxes;
  if (column_of(names[0]) != kFile && !may_be_file(names[0])) return Head::kNone;
  if (side) return Head::kNoCorner;
  const std::vector<std::string> points = {"x0", "y0", "x1", "y1"};
  const bool four = names.size() == 5;
  const bool counted = std::equal(names.begin() + 1, names.end(), points.begin(), points.end());
  return !four || counted || name_points(names) ? Head::kPoints : Head::kEither;
}

void read_csv(std::string_view text, Gather& gather) {
  Lines lines(text);
  const auto line = [&] { return lines.number(); };
  std::optional<Layout> layout;
  while (lines.next()) {
    at_line(line, [&] {
      const bool comment = lines.text()[0] == '#' && (!layout || layout->columns == 0);
      if (comment && (layout || judge_head(lines.text()) == Head::kNone)) return;
      if (layout) return read_row(layout->separator == '\t' ? lines.raw() : lines.text(), *layout, gather);
      refuse_semicolons(lines.text());
      const std::vector<std::string> fields = split(lines.text(), separator_of(lines.text()));
      if (fields.size() > 1 && is_real(fields[1])) {
        layout = headless(lines.text());
        read_row(lines.text(), *layout, gather);
      } else {
        layout = read_head(lines.text());
      }
    });
  }
}

}  // namespace winnow
