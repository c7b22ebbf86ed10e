// Lists a folder as a sequence of pictures, as winnow/feed.h declares; its opening comment holds here.
#include <winnow/feed.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include <winnow/error.h>

#include "feed/input_kind.h"

namespace winnow {
namespace {

// The last digits of a file's name, without zeros at their beginning; empty without digits.
std::string number_in(const std::string& place) {
  const std::string stem = std::filesystem::path(place).stem().string();
  constexpr std::string_view kDigits = "0123456789";
  const std::size_t last = stem.find_last_of(kDigits);
  if (last == std::string::npos) return {};
  const std::size_t before = stem.find_last_not_of(kDigits, last);
  const std::string digits = stem.substr(before == std::string::npos ? 0 : before + 1,
                                         last - (before == std::string::npos ? 0 : before + 1) + 1);
  const std::size_t first = digits.find_first_not_of('0');
  return first == std::string::npos ? "0" : digits.substr(first);
}

bool is_lower(const std::string& a, const std::string& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

// Whether `next` is one more than `number`. Numbers may have any number of digits.
bool follows(std::string number, const std::string& next) {
  std::size_t at = number.size();
  while (at > 0 && number[at - 1] == '9') number[--at] = '0';
  if (at > 0) {
    ++number[at - 1];
  } else {  // 99 became 00, and becomes 100
    number.push_back('0');
    number.front() = '1';
  }
  return number == next;
}

}  // namespace

PictureSequence expand_sequence(const std::string& folder) {
  PictureSequence sequence;
  std::vector<std::pair<std::string, Input>> numbered;
  for (Input& input : expand_inputs({.names = {folder}, .files_from = {}})) {
    if (input.kind == InputKind::kBroken) throw Error(ErrorCode::kIo, input.problem, input.path);
    if (input.kind != InputKind::kPicture) continue;
    if (kind_of_file(input.path) == InputKind::kVideo) {
      sequence.notes.push_back(input.place + " is a video, and is left out");
      continue;
    }
    numbered.emplace_back(number_in(input.place), std::move(input));
  }
  std::stable_sort(numbered.begin(), numbered.end(),
                   [](const auto& a, const auto& b) { return is_lower(a.first, b.first); });
  for (std::size_t i = 0; i < numbered.size(); ++i) {
    const std::string& number = numbered[i].first;
    if (number.empty())
      sequence.notes.push_back(numbered[i].second.place + " has no number, and is frame " +
                               std::to_string(i));
    if (i > 0 && !numbered[i - 1].first.empty()) {
      const std::string& before = numbered[i - 1].first;
      if (number == before)
        sequence.notes.push_back(sequence.pictures.back().place + " and " + numbered[i].second.place +
                                 " have the same number");
      else if (!follows(before, number))
        sequence.notes.push_back("no picture has a number between " + before + " and " + number);
    }
    sequence.pictures.push_back(std::move(numbered[i].second));
  }
  if (sequence.pictures.empty()) throw Error(ErrorCode::kUsage, "this folder holds no pictures", folder);
  return sequence;
}

}  // namespace winnow
