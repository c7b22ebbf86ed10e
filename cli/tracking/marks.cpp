#include "tracking/marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>

#include "terminal/arguments.h"

namespace winnow::cli {
namespace {

constexpr double kMostPixels = 1e6;

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

bool read_box(std::string_view text, RealBox& box) {
  std::array<double, 4> values{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t comma = i + 1 < values.size() ? text.find(',') : text.size();
    if (comma == std::string_view::npos || !read_number(text.substr(0, comma), values[i]) ||
        !(std::abs(values[i]) <= kMostPixels))
      return false;
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  box = {values[0], values[1], values[2], values[3]};
  return box.width > 0 && box.height > 0;
}

}  // namespace

std::vector<Mark> parse_marks(const std::vector<std::string>& texts) {
  std::vector<Mark> marks;
  int ids = 0;
  for (const std::string& whole : texts) {
    Mark mark;
    mark.text = whole;
    std::string_view text = whole;
    bool good = true;
    if (const std::size_t equals = text.find('='); equals != std::string_view::npos) {
      good = read_number(text.substr(0, equals), mark.id);
      mark.begins = false;
      text.remove_prefix(equals + 1);
    }
    if (const std::size_t at = text.find('@'); at != std::string_view::npos) {
      good = good && read_number(text.substr(at + 1), mark.frame) && mark.frame >= 0;
      text = text.substr(0, at);
    }
    require(good && read_box(text, mark.box),
            fmt::format("--box is X,Y,W,H or X,Y,W,H@FRAME, or ID=X,Y,W,H@FRAME for a correction, not '{}'",
                        whole));
    if (mark.begins) mark.id = ++ids;
    marks.push_back(mark);
  }
  for (const Mark& mark : marks) {
    const auto begun = std::find_if(marks.begin(), marks.end(),
                                    [&](const Mark& other) { return other.begins && other.id == mark.id; });
    require(mark.begins || begun != marks.end(),
            fmt::format("--box {}: no box begins object {}", mark.text, mark.id));
    require(mark.begins || mark.frame > begun->frame,
            fmt::format("--box {}: object {} begins in frame {}, and a correction comes later", mark.text,
                        mark.id, begun->frame));
  }
  std::stable_sort(marks.begin(), marks.end(),
                   [](const Mark& a, const Mark& b) { return a.frame < b.frame; });
  return marks;
}

}  // namespace winnow::cli
