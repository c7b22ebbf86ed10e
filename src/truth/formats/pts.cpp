// Reads iBUG's .pts files, as truth/formats/readers.h declares; its opening comment holds here. A file holds
// one object: "version: 1", "n_points: 68", and between braces a line "x y" for each point.
#include <winnow/error.h>

#include "truth/formats/readers.h"
#include "truth/place.h"
#include "truth/words.h"

namespace winnow {
namespace {

// The text behind `name` and a colon, without outer blanks.
std::string_view value_of(std::string_view line, const std::string& name) {
  if (!line.starts_with(name + ":"))
    throw Error(ErrorCode::kFormat, "the line must be '" + name + ": NUMBER', not " + shown(line));
  return trim(line.substr(name.size() + 1));
}

std::size_t read_point_count(std::string_view line, const FirstPts& first) {
  const auto count = static_cast<std::size_t>(read_count(value_of(line, "n_points"), "n_points", kMaxPoints));
  if (count == 0) throw Error(ErrorCode::kFormat, "n_points is 0, and an object has points");
  if (first.points != 0 && count != first.points)
    throw Error(ErrorCode::kFormat, "the object has " + std::to_string(count) + " points, the one of " +
                                        shown(first.picture) + " has " + std::to_string(first.points));
  return count;
}

Point read_point(std::string_view line) {
  const std::vector<std::string> words = split(line, ' ');
  if (words.size() != 2)
    throw Error(ErrorCode::kFormat, "a point is 'x y', here are " + std::to_string(words.size()) + " words");
  return {read_real(words[0], "a point's x") - 1, read_real(words[1], "a point's y") - 1};
}

}  // namespace

void read_pts(std::string_view text, const std::string& stem, AroundLabels& around, FirstPts& first,
              Gather& gather) {
  if (trim(text).empty()) throw Error(ErrorCode::kFormat, "the file is empty");
  const std::string path = around.picture(stem);
  const std::string name = path.substr(path.find_last_of('/') + 1);
  const std::size_t picture = gather.picture(name, path);
  Lines lines(text);
  const auto checked = [&](const auto& body) { at_line([&] { return lines.number(); }, body); };
  const auto need = [&](const char* what) {
    if (lines.next_data()) return;
    checked([&] { throw Error(ErrorCode::kFormat, std::string("the file ends before ") + what); });
  };

  need("'version: 1'");
  checked([&] {
    const std::string_view version = value_of(lines.text(), "version");
    if (version != "1")
      throw Error(ErrorCode::kFormat, "the version is " + shown(version) + ", and Winnow reads version 1");
  });
  need("'n_points: NUMBER'");
  std::size_t count = 0;
  checked([&] { count = read_point_count(lines.text(), first); });
  need("'{'");
  checked([&] {
    if (lines.text() != "{")
      throw Error(ErrorCode::kFormat, "the points begin with '{', not with " + shown(lines.text()));
  });
  std::vector<Point> points;
  for (need("'}'"); lines.text() != "}"; need("'}'"))
    checked([&] {
      if (points.size() == count)
        throw Error(ErrorCode::kFormat, "n_points is " + std::to_string(count) + ", here is one more");
      points.push_back(read_point(lines.text()));
    });
  checked([&] {
    if (points.size() < count)
      throw Error(ErrorCode::kFormat,
                  "n_points is " + std::to_string(count) + ", here are " + std::to_string(points.size()));
    gather.points(picture, std::move(points));
  });
  if (lines.next_data()) checked([&] { throw Error(ErrorCode::kFormat, "behind '}' the file must end"); });
  if (first.points == 0) first = {count, name};
}

}  // namespace winnow
