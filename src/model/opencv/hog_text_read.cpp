// Reads a file that has only the numbers of an SVM and no shape, spelled as in OpenCV's samples. The
// opening comment of model/opencv/hog_storage.h, which declares this, holds here.
#include <algorithm>
#include <array>

#include <winnow/error.h>

#include "base/clean_text.h"
#include "model/hog_model.h"
#include "model/numbers.h"
#include "model/opencv/hog_storage.h"

namespace winnow {
namespace {

constexpr std::string_view kSeparators = " \t\r\n\v\f,;[](){}";
constexpr std::string_view kOfNumbers = "0123456789+-.eEfF";

struct KnownShape {
  const char* words;
  HogShape shape;
};

// The shapes of OpenCV's two people detectors: HOGDescriptor's default, and Daimler's from OpenCV's sample.
const std::array<KnownShape, 2>& known_shapes() {
  static const std::array<KnownShape, 2> shapes = {
      KnownShape{"64x128", {}},
      KnownShape{"48x96", {{48, 96}, {16, 16}, {8, 8}, {8, 8}, 9, false, false, 0, 0.2}}};
  return shapes;
}

std::string_view text_of(std::span<const std::byte> bytes) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return text;
}

[[noreturn]] void refuse_count(std::size_t count) {
  std::string known;
  for (const KnownShape& each : known_shapes()) {
    const std::size_t values = each.shape.values();
    known += (known.empty() ? "" : "; ") + std::to_string(values) + " or " + std::to_string(values + 1) +
             " (window " + each.words + ")";
  }
  throw Error(ErrorCode::kFormat, "there are " + std::to_string(count) +
                                      " numbers without a shape; known counts are " + known +
                                      "; for other shapes, save OpenCV's HOGDescriptor as XML or YAML");
}

}  // namespace

bool is_hog_text(std::span<const std::byte> bytes) {
  constexpr std::size_t kHead = 4096;
  const std::string_view head = text_of(bytes).substr(0, kHead);
  const std::size_t first = head.find_first_not_of(kSeparators);
  if (first == std::string_view::npos ||
      std::string_view("0123456789+-.").find(head[first]) == std::string_view::npos)
    return false;
  return std::all_of(head.begin(), head.end(), [](char c) {
    return kSeparators.find(c) != std::string_view::npos || kOfNumbers.find(c) != std::string_view::npos;
  });
}

HogSvmModel read_hog_text(std::span<const std::byte> bytes) {
  const std::string_view text = text_of(bytes);
  std::vector<float> numbers;
  std::size_t count = 0, line = 1;
  for (std::size_t at = 0; at < text.size();) {
    if (kSeparators.find(text[at]) != std::string_view::npos) {
      line += text[at++] == '\n' ? 1 : 0;
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(kSeparators, at), text.size());
    std::string_view token = text.substr(at, end - at);
    at = end;
    std::string_view spelling = token;
    if (spelling.ends_with('f') || spelling.ends_with('F')) spelling.remove_suffix(1);  // as in "1.5f"
    float value = 0;
    if (const char* problem = parse_number(spelling, value)) {
      throw Error(ErrorCode::kFormat, quoted_text(token) + " " + problem, {}, "line " + std::to_string(line));
    }
    // Keeps at most one number more than the largest known shape needs. The rest are only counted.
    if (++count <= HogShape().values() + 1) numbers.push_back(value);
  }
  for (const KnownShape& each : known_shapes()) {
    const std::size_t values = each.shape.values();
    if (count != values && count != values + 1) continue;
    HogSvmModel model;
    model.shape = each.shape;
    if (count > values) {
      model.bias = static_cast<double>(numbers.back());
      numbers.pop_back();
    } else {
      model.notes.push_back("The numbers came without a bias; 0 was taken.");
    }
    model.weights = std::move(numbers);
    model.notes.push_back(std::string("The numbers came without a shape; that of OpenCV's detector with a "
                                      "window of ") +
                          each.words + " was taken.");
    return model;
  }
  refuse_count(count);
}

}  // namespace winnow
