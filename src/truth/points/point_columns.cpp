#include "truth/points/point_columns.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include <winnow/error.h>

#include "truth/points/point_names.h"
#include "truth/words.h"

namespace winnow {
namespace {

// The name of a column as an axis and the name of a point: "nose_x" is the x of "nose".
struct PointColumn {
  char axis = 0;  // 'x', 'y', or 0 if the name begins and ends otherwise
  bool at_front = false;
  std::string point;
  bool paired = false;  // whether another column is the other axis of this point

  auto key(char of_axis) const { return std::tuple(lower(point), at_front, of_axis); }
};

PointColumn read_column(std::string_view column, bool at_front) {
  constexpr std::string_view kJoints = "_-. :([";
  PointColumn read;
  while (!column.empty() && (column.back() == ')' || column.back() == ']')) column.remove_suffix(1);
  if (column.empty()) return read;
  const std::string small = lower(column);
  const char axis = at_front ? small.front() : small.back();
  if (axis != 'x' && axis != 'y') return read;
  if (at_front) {
    column.remove_prefix(1);
    column.remove_prefix(std::min(column.find_first_not_of(kJoints), column.size()));
  } else {
    column.remove_suffix(1);
    column = column.substr(0, column.find_last_not_of(kJoints) + 1);
  }
  return {axis, at_front, std::string(column), false};
}

// The axis stands at the end or at the front of a name. The other axis of the same point decides.
std::vector<PointColumn> read_columns(std::span<const std::string> columns) {
  std::set<std::tuple<std::string, bool, char>> there;
  for (const std::string& column : columns)
    for (const bool at_front : {false, true})
      if (const PointColumn read = read_column(column, at_front); read.axis != 0)
        there.insert(read.key(read.axis));
  std::vector<PointColumn> all;
  for (const std::string& column : columns) {
    PointColumn chosen = read_column(column, false);
    if (chosen.axis == 0) chosen = read_column(column, true);
    for (const bool at_front : {true, false}) {
      PointColumn read = read_column(column, at_front);
      read.paired = read.axis != 0 && there.contains(read.key(read.axis == 'x' ? 'y' : 'x'));
      if (read.paired) chosen = std::move(read);
    }
    all.push_back(std::move(chosen));
  }
  return all;
}

bool is_y_of(const PointColumn& x, const PointColumn& y) {
  return y.axis == 'y' && lower(x.point) == lower(y.point);
}

// Without a pair of x and y, the order of columns cannot be told from their names. Some names cannot be in order.
void check_unpaired(std::span<const std::string> columns, std::size_t first) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string name = lower(columns[i]),
                      place = "column " + std::to_string(first + i) + " is " + shown(columns[i]);
    if (name.ends_with("row") || name.ends_with("col") || name.ends_with("column"))
      throw Error(ErrorCode::kFormat,
                  place + ", and points are given as x and y; name the columns so, x first");
    if (name.size() > 1 && !names.insert(name).second)
      throw Error(ErrorCode::kFormat, place + ", as a column before; give each column a name of its own");
  }
}

}  // namespace

std::vector<std::string> names_of_columns(std::span<const std::string> columns) {
  std::vector<std::string> names;
  if (columns.size() % 2 != 0) return names;
  const std::vector<PointColumn> read = read_columns(columns);
  bool letters = false;
  for (std::size_t i = 0; i < columns.size(); i += 2) {
    if (read[i].axis != 'x' || !is_y_of(read[i], read[i + 1]) || read[i].point.empty()) return {};
    names.push_back(read[i].point);
    letters = letters || names_a_point(read[i].point);
  }
  return letters ? names : std::vector<std::string>{};
}

bool are_point_columns(std::span<const std::string> columns) {
  const std::vector<PointColumn> read = read_columns(columns);
  return std::all_of(read.begin(), read.end(), [](const PointColumn& column) { return column.paired; }) &&
         std::any_of(read.begin(), read.end(),
                     [](const PointColumn& column) { return names_a_point(column.point); });
}

void check_columns(std::span<const std::string> columns, std::size_t first) {
  const std::vector<PointColumn> read = read_columns(columns);
  if (std::none_of(read.begin(), read.end(), [](const PointColumn& column) { return column.paired; }))
    return check_unpaired(columns, first);
  std::set<std::string> points;
  for (std::size_t i = 0; i < read.size(); ++i) {
    const auto refuse = [&](const std::string& why) {
      throw Error(ErrorCode::kFormat,
                  "column " + std::to_string(first + i) + " is " + shown(columns[i]) + why);
    };
    const bool is_x = i % 2 == 0;
    if (is_x && read[i].axis != 'x')
      refuse(" where the x of a point belongs; give each point two columns, its x and then its y");
    if (!is_x && !is_y_of(read[i - 1], read[i]))
      refuse(" where the y of " + shown(columns[i - 1]) +
             " belongs; give each point two columns, its x and then its y");
    if (is_x && !read[i].point.empty() && !points.insert(lower(read[i].point)).second)
      refuse(", a point that the head line has before; give each point a name of its own");
    if (is_x && i + 1 == read.size()) refuse(", and a column with its y is missing");
  }
}

}  // namespace winnow
