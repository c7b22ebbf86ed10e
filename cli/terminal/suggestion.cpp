#include "terminal/suggestion.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <system_error>

namespace winnow::cli {
namespace {

constexpr std::size_t kMostChanges = 2;
constexpr std::size_t kLeastBeginning = 3;
constexpr std::size_t kMostWords = 12;
constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:=+@%";

// A word of other programs, and the option that does it here.
struct OtherName {
  std::string_view word, option;
};

// If a command has several options for a word, the first of them is meant.
constexpr OtherName kOtherNames[] = {
    {"o", "out"},
    {"output", "out"},
    {"output-dir", "out"},
    {"save", "out"},
    {"c", "min-confidence"},
    {"c", "min-score"},
    {"conf", "min-confidence"},
    {"conf", "min-score"},
    {"confidence", "min-confidence"},
    {"confidence", "min-score"},
    {"threshold", "min-confidence"},
    {"threshold", "min-score"},
    {"score", "min-score"},
    {"min-confidence", "min-score"},
    {"json", "format"},
    {"jsonl", "format"},
    {"csv", "format"},
    {"cpu", "backend"},
    {"cuda", "backend"},
    {"gpu", "backend"},
    {"scale-factor", "scale"},
    {"size", "min-size"},
};

// The least number of letters to add, remove or change to turn `from` into `to`.
std::size_t changes(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t changed = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

// The only name that begins with the word; "" if there is none, or if the word is short.
std::string only_beginning(std::string_view word, const std::vector<std::string>& names) {
  std::string only;
  for (const std::string& name : names) {
    if (word.size() < kLeastBeginning || !name.starts_with(word)) continue;
    if (!only.empty()) return "";
    only = name;
  }
  return only;
}

}  // namespace

std::string closest_name(std::string_view word, const std::vector<std::string>& names) {
  std::string closest;
  // A short word is close to many names, so fewer than half of its letters may change.
  std::size_t least = std::min(kMostChanges + 1, (word.size() + 1) / 2);
  for (const std::string& name : names) {
    const std::size_t count = changes(word, name);
    if (count > least || (count == least && closest.empty())) continue;
    closest = count == least ? "" : name;
    least = count;
  }
  return closest.empty() ? only_beginning(word, names) : closest;
}

std::string other_name(std::string_view word, const std::vector<std::string>& names) {
  for (const OtherName& other : kOtherNames) {
    if (other.word == word && std::find(names.begin(), names.end(), other.option) != names.end())
      return std::string(other.option);
  }
  return "";
}

bool is_input_or_option(const std::string& word) {
  std::error_code error;
  return word.starts_with('-') || word.find_first_of("./*?") != std::string::npos ||
         std::filesystem::exists(word, error);
}

std::string quoted(const std::string& word) {
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) {
    if (c == '\'') {
      text += "'\\''";
    } else {
      text += c;
    }
  }
  return text + "'";
}

std::string did_you_mean(const std::string& command, const Arguments& rest) {
  std::string text = "; did you mean `winnow " + command;
  for (std::size_t i = 0; i < std::min(rest.size(), kMostWords); ++i)
    text.append(" ").append(quoted(rest[i]));
  return text + (rest.size() > kMostWords ? " ..." : "") + "`?";
}

}  // namespace winnow::cli
