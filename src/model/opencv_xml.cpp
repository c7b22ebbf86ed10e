#include "model/opencv_xml.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string_view>

#include <winnow/error.h>

#include "base/clean_text.h"
#include "model/check.h"
#include "model/opencv_xml_parts.h"

namespace winnow {
namespace {

bool contains_word(std::string_view text, std::string_view lower_word) {
  for (std::size_t i = 0; i + lower_word.size() <= text.size(); ++i) {
    std::size_t n = 0;
    while (n < lower_word.size() && std::tolower(static_cast<unsigned char>(text[i + n])) == lower_word[n])
      ++n;
    if (n == lower_word.size()) return true;
  }
  return false;
}

bool speaks_of_terms(std::string_view text) {
  return contains_word(text, "license") || contains_word(text, "licence") || contains_word(text, "copyright");
}

// Every byte of a letter beyond ASCII is 0x80 or above.
bool has_letters(std::string_view line) {
  return std::any_of(line.begin(), line.end(),
                     [](unsigned char c) { return c >= 0x80 || std::isalpha(c) != 0; });
}

// The lines that have letters, without the blanks around them.
std::string lines_with_letters(std::string_view comment) {
  std::string text;
  while (!comment.empty()) {
    std::string_view line = comment.substr(0, comment.find('\n'));
    comment.remove_prefix(line.size() < comment.size() ? line.size() + 1 : line.size());
    const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    while (!line.empty() && blank(line.front())) line.remove_prefix(1);
    while (!line.empty() && blank(line.back())) line.remove_suffix(1);
    if (!has_letters(line)) continue;
    if (!text.empty()) text += '\n';
    text += line;
  }
  return text;
}

// The first line that has letters, if the line is short and not the head of a licence.
std::string source_line(std::string_view comment) {
  constexpr std::size_t kLongest = 120;
  while (!comment.empty()) {
    std::string_view line = comment.substr(0, comment.find('\n'));
    comment.remove_prefix(line.size() < comment.size() ? line.size() + 1 : line.size());
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.front()))) line.remove_prefix(1);
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.remove_suffix(1);
    if (!has_letters(line)) continue;
    return line.size() <= kLongest && !speaks_of_terms(line) ? std::string(line) : std::string();
  }
  return {};
}

void read_card(const XmlFile& file, CascadeModel& model) {
  const std::string_view comment = file.leading_comment();
  if (comment.size() > kMaxTextBytes) {
    model.notes.push_back("The comment at the head of the file is too long to keep.");
    return;
  }
  const std::string clean = clean_text(comment);
  // A licence asks to be kept with the file, so the comment travels with the model. So does any other
  // comment.
  if (speaks_of_terms(clean)) {
    model.card.source = source_line(clean);
    model.card.terms = clean;
  } else {
    model.card.source = lines_with_letters(clean);
  }
}

}  // namespace

CascadeModel read_opencv_xml(std::span<const std::byte> bytes) {
  const XmlFile file(bytes);
  const pugi::xml_node root = file.root();
  if (std::strcmp(root.name(), "opencv_storage") != 0) {
    file.fail(root, std::string("the root element is <") + clean_text(root.name()) +
                        ">, a cascade of OpenCV has <opencv_storage>");
  }
  pugi::xml_node cascade = root.first_child();
  while (cascade && cascade.type() != pugi::node_element) cascade = cascade.next_sibling();
  if (!cascade) file.fail(root, "<opencv_storage> is empty");
  CascadeModel model;
  if (cascade.child("stageType") || cascade.child("featureType") || cascade.child("features")) {
    model = read_new_format(file, cascade);
  } else if (cascade.child("size") || cascade.child("stages")) {
    model = read_old_format(file, cascade);
  } else {
    file.fail(cascade, std::string("<") + clean_text(cascade.name()) +
                           "> holds no cascade: there are no <stages> and no <features>");
  }
  for (pugi::xml_node other = cascade.next_sibling(); other; other = other.next_sibling()) {
    if (other.type() != pugi::node_element) continue;
    model.notes.push_back("The file holds more than one thing; only the first was read, as OpenCV does.");
    break;
  }
  model.rules = opencv_rules(model.kind);
  read_card(file, model);
  return model;
}

HaarFeature read_haar_feature(const XmlFile& file, pugi::xml_node node) {
  HaarFeature feature;
  const pugi::xml_node rects = file.require(node, "rects");
  std::size_t count = 0;
  for (pugi::xml_node item = file.list_first(rects); item; item = file.list_next(item), ++count) {
    if (count == feature.rects.size()) file.fail(item, "a Haar feature has more than 3 rectangles");
    XmlNumbers numbers(file, item);
    HaarRect& rect = feature.rects[count];
    rect.box.x = numbers.next<std::int32_t>();
    rect.box.y = numbers.next<std::int32_t>();
    rect.box.width = numbers.next<std::int32_t>();
    rect.box.height = numbers.next<std::int32_t>();
    rect.weight = numbers.next<float>();
    numbers.expect_end();
  }
  if (count == 0) file.fail(rects, "a Haar feature has no rectangles");
  if (const pugi::xml_node tilted = file.find(node, "tilted"))
    feature.tilted = file.number<std::int32_t>(tilted) != 0;
  return feature;
}

void check_room(const XmlFile& file, pugi::xml_node at, std::size_t used, std::size_t limit,
                const char* what) {
  if (used >= limit)
    file.fail(at, std::string("the cascade has more than ") + std::to_string(limit) + " " + what,
              ErrorCode::kLimit);
}

}  // namespace winnow
