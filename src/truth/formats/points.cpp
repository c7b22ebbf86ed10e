// Reads lists of points, as truth/formats/readers.h declares; its opening comment holds here. Each line is
// one object: its picture and its points, as "a.jpg,x0,y0,x1,y1" or with blanks in place of commas. Below a head
// line with semicolons, semicolons separate the columns.
#include <algorithm>

#include "truth/formats/readers.h"
#include "truth/place.h"
#include "truth/points/point_columns.h"
#include "truth/words.h"

namespace winnow {
namespace {

// The line of the file's first object, and its number of points. All objects must have this number.
struct First {
  std::size_t points = 0;
  std::int64_t line = 0;
};

void read_line(const Lines& lines, bool semicolons, First& first, Gather& gather) {
  if (!semicolons) refuse_semicolons(lines.text());
  const std::vector<std::string> fields = split(lines.text(), semicolons ? ';' : separator_of(lines.text()));
  if (fields.size() == 1 && separator_of(lines.text()) == ',')
    throw Error(ErrorCode::kFormat, "the columns are separated by ',', and those of the head line by ';'");
  const std::size_t picture = gather.picture(fields[0]);
  if (std::all_of(fields.begin() + 1, fields.end(), [](const std::string& field) { return field.empty(); }))
    return;  // the picture has no object
  if (fields.size() % 2 == 0)
    throw Error(ErrorCode::kFormat,
                "points are pairs of numbers, here are " + std::to_string(fields.size() - 1) + " numbers");
  std::vector<Point> points(fields.size() / 2);
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i] = {read_real(fields[1 + 2 * i], "a point's x"), read_real(fields[2 + 2 * i], "a point's y")};
  // All objects have the same number of points. The check also finds boxes given in place of points.
  if (first.line == 0) first = {points.size(), lines.number()};
  if (points.size() != first.points)
    throw Error(ErrorCode::kFormat, "the object has " + std::to_string(points.size()) +
                                        " points, the one of line " + std::to_string(first.line) + " has " +
                                        std::to_string(first.points));
  gather.points(picture, std::move(points));
}

// Reads the names of points from a head line. Returns whether the line is one.
bool read_head(std::string_view line, Gather& gather) {
  const bool bare = is_bare_head(line);
  if (!bare && judge_head(line) == Head::kNone) return false;
  std::vector<std::string> columns = head_fields(line);
  if (!bare) columns.erase(columns.begin());
  check_columns(columns, bare ? 1 : 2);
  if (std::vector<std::string> names = names_of_columns(columns); !names.empty())
    gather.name_points(std::move(names));
  return true;
}

}  // namespace

void read_points(std::string_view text, Gather& gather) {
  Lines lines(text);
  First first;
  bool begun = false, semicolons = false;
  while (lines.next()) {
    at_line([&] { return lines.number(); },
            [&] {
              const std::string_view line = lines.text();
              if (!begun && is_count(line)) return;  // the number of lines, as in CelebA's lists
              const bool head = !begun && read_head(line, gather);
              if (head) semicolons = head_separator(line) == ';';
              if (line[0] == '#') return;
              begun = true;
              if (!head) read_line(lines, semicolons, first, gather);
            });
  }
}

}  // namespace winnow
