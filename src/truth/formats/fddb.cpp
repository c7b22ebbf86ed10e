// Reads FDDB's lists, as truth/formats/readers.h declares; its opening comment holds here. For each picture a
// list has the name, the number of ellipses, and each ellipse as "major minor angle x y 1".
#include <cmath>

#include "image/picture_format.h"
#include "truth/formats/readers.h"
#include "truth/place.h"
#include "truth/words.h"

namespace winnow {
namespace {

// The smallest upright box around an ellipse. `major` and `minor` are half axes in pixels. `angle` goes from
// the x axis to the major axis, in radians.
RealBox ellipse_box(double major, double minor, double angle, double x, double y) {
  if (!(major > 0) || !(minor > 0))
    throw Error(ErrorCode::kFormat,
                "the half axes of the ellipse are " + shown(major) + " and " + shown(minor) + " pixels");
  const double c = std::cos(angle), s = std::sin(angle);
  const double half_width = std::sqrt(major * major * c * c + minor * minor * s * s);
  const double half_height = std::sqrt(major * major * s * s + minor * minor * c * c);
  return {x - half_width, y - half_height, 2 * half_width, 2 * half_height};
}

void read_ellipse(std::string_view line, std::size_t picture, Gather& gather) {
  const std::vector<std::string> words = split(line, ' ');
  if (words.size() != 5 && words.size() != 6)
    throw Error(ErrorCode::kFormat, "an ellipse is 'major minor angle x y 1', here are " +
                                        std::to_string(words.size()) + " words");
  if (words.size() == 6) read_real(words[5], "the last number");
  Label label;
  label.box =
      ellipse_box(read_real(words[0], "the major half axis"), read_real(words[1], "the minor half axis"),
                  read_real(words[2], "the angle"), read_real(words[3], "x"), read_real(words[4], "y"));
  gather.box(picture, std::move(label));
}

}  // namespace

void read_fddb(std::string_view text, Gather& gather) {
  Lines lines(text);
  const auto line = [&] { return lines.number(); };
  const auto need = [&](const char* what) {
    if (!lines.next())
      at_line(line, [&] { throw Error(ErrorCode::kFormat, std::string("the list ends before ") + what); });
  };
  while (lines.next()) {
    const std::string name(lines.text());
    const std::string file = format_of_ending(name) != nullptr ? name : name + ".jpg";
    const std::size_t picture = at_line(line, [&] { return gather.picture(name, gather.path_of(file)); });
    need("the count of its last picture");
    const std::int64_t count =
        at_line(line, [&] { return read_count(lines.text(), "the count of ellipses", kMaxLabels); });
    for (std::int64_t i = 0; i < count; ++i) {
      need("all ellipses of its last picture");
      at_line(line, [&] { read_ellipse(lines.text(), picture, gather); });
    }
  }
}

}  // namespace winnow
