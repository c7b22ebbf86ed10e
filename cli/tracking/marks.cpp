#include "tracking/marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>
#include <utility>

#include "terminal/arguments.h"

namespace winnow::cli {
namespace {

constexpr double kMostPixels = 1e6;

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

// Reads X,Y,W,H. Throws a sentence that begins with the whole text of the option.
RealBox read_box(std::string_view text, const std::string& whole) {
  const auto fail = [&](const std::string& sentence) {
    require(false, fmt::format("--box {}: {}", whole, sentence));
  };
  std::vector<double> values;
  for (std::string_view rest = text;;) {
    const std::string_view part = rest.substr(0, rest.find(','));
    double value = 0;
    if (!read_number(part, value) || std::isnan(value)) fail(fmt::format("'{}' is no number", part));
    if (!(std::abs(value) <= kMostPixels)) fail(fmt::format("{} is more than any frame has pixels", part));
    values.push_back(value);
    if (part.size() == rest.size()) break;
    rest.remove_prefix(part.size() + 1);
  }
  if (values.size() != 4) fail("a box is four numbers, X,Y,W,H: left, top, width and height in pixels");
  if (!(values[2] > 0 && values[3] > 0)) fail("width and height must be above 0");
  return {values[0], values[1], values[2], values[3]};
}

Mark read_mark(const std::string& whole) {
  Mark mark;
  mark.text = whole;
  std::string_view text = whole;
  if (const std::size_t equals = text.find('='); equals != std::string_view::npos) {
    require(read_number(text.substr(0, equals), mark.id) && mark.id > 0,
            fmt::format("--box {}: the id before = is a whole number, and 1 is the first object", whole));
    mark.begins = false;
    text.remove_prefix(equals + 1);
  }
  if (const std::size_t at = text.find('@'); at != std::string_view::npos) {
    require(read_number(text.substr(at + 1), mark.frame) && mark.frame >= 0,
            fmt::format("--box {}: the frame behind @ is a whole number, and 0 is the first frame", whole));
    text = text.substr(0, at);
  }
  mark.box = read_box(text, whole);
  return mark;
}

}  // namespace

std::vector<Mark> parse_marks(const std::vector<std::string>& texts, int loaded) {
  std::vector<Mark> marks;
  int ids = loaded;
  for (const std::string& whole : texts) {
    Mark mark = read_mark(whole);
    if (mark.begins) mark.id = ++ids;
    marks.push_back(std::move(mark));
  }
  for (const Mark& mark : marks) {
    if (mark.begins || mark.id <= loaded) continue;
    const auto begun = std::find_if(marks.begin(), marks.end(),
                                    [&](const Mark& other) { return other.begins && other.id == mark.id; });
    require(begun != marks.end(), fmt::format("--box {}: no box begins object {}; leave out {}= to begin one",
                                              mark.text, mark.id, mark.id));
    require(mark.frame > begun->frame,
            fmt::format("--box {}: object {} begins in frame {}, and a correction comes later", mark.text,
                        mark.id, begun->frame));
  }
  std::stable_sort(marks.begin(), marks.end(),
                   [](const Mark& a, const Mark& b) { return a.frame < b.frame; });
  for (std::size_t i = 0; i < marks.size(); ++i) {
    for (std::size_t j = i + 1; j < marks.size() && marks[j].frame == marks[i].frame; ++j)
      require(marks[i].id != marks[j].id,
              fmt::format("--box {} and --box {} mark object {} in the same frame", marks[i].text,
                          marks[j].text, marks[i].id));
  }
  return marks;
}

}  // namespace winnow::cli
