// Reads YOLO's labels, as truth/formats/readers.h declares; its opening comment holds here. A file is one
// picture, with "class x y width height" on each line. The point x, y is the middle of the box. A line of a
// segmentation is "class x1 y1 x2 y2 x3 y3 ...". Numbers are fractions of the picture's size.
#include <algorithm>

#include <winnow/error.h>

#include "truth/formats/readers.h"
#include "truth/place.h"
#include "truth/words.h"

namespace winnow {
namespace {

constexpr std::int64_t kMaxClass = 1'000'000;

double read_fraction(const std::string& word, const char* what) {
  constexpr double kHair = 1e-3;  // the tolerance for rounded numbers
  const double fraction = read_real(word, what);
  if (fraction < -kHair || fraction > 1 + kHair)
    throw Error(ErrorCode::kFormat,
                std::string(what) + " is " + shown(fraction) + ", not a part of the picture (0 to 1)");
  return fraction;
}

// Whether a line of so many words is a class and the corners of a polygon.
bool is_polygon(std::size_t words) { return words >= 7 && words % 2 == 1; }

Label read_object(std::string_view line, const std::vector<std::string>& classes, Size size) {
  const std::vector<std::string> words = split(line, ' ');
  const bool polygon = is_polygon(words.size());
  if (words.size() != 5 && !polygon)
    throw Error(ErrorCode::kFormat,
                "an object is 'class x y width height', or a class and the corners of a "
                "polygon, here are " +
                    std::to_string(words.size()) + " words");
  const std::int64_t number = read_count(words[0], "the class", kMaxClass);
  if (!classes.empty() && number >= static_cast<std::int64_t>(classes.size()))
    throw Error(ErrorCode::kFormat, "the class is " + std::to_string(number) + ", and there are names for " +
                                        std::to_string(classes.size()));
  Label label;
  label.category = classes.empty() ? std::to_string(number) : classes[static_cast<std::size_t>(number)];
  if (polygon) {
    double left = 1, right = 0, top = 1, bottom = 0;
    for (std::size_t i = 1; i < words.size(); i += 2) {
      const double x = read_fraction(words[i], "x"), y = read_fraction(words[i + 1], "y");
      left = std::min(left, x), right = std::max(right, x);
      top = std::min(top, y), bottom = std::max(bottom, y);
    }
    label.box = {left * size.width, top * size.height, (right - left) * size.width,
                 (bottom - top) * size.height};
    return label;
  }
  const double x = read_fraction(words[1], "x"), y = read_fraction(words[2], "y");
  const double width = read_fraction(words[3], "width"), height = read_fraction(words[4], "height");
  label.box = {(x - width / 2) * size.width, (y - height / 2) * size.height, width * size.width,
               height * size.height};
  return label;
}

}  // namespace

std::size_t read_yolo(std::string_view text, const std::string& stem, const std::vector<std::string>& classes,
                      AroundLabels& around, Gather& gather) {
  const std::string path = around.picture(stem);
  const std::size_t picture = gather.picture(around.name(path), path);
  Size size;
  std::size_t polygons = 0;
  Lines lines(text);
  while (lines.next_data()) {
    // A picture without objects need not be opened.
    if (size.width == 0) size = around.size(path);
    at_line([&] { return lines.number(); },
            [&] {
              gather.box(picture, read_object(lines.text(), classes, size));
              polygons += is_polygon(split(lines.text(), ' ').size()) ? 1 : 0;
            });
  }
  return polygons;
}

}  // namespace winnow
