#include "truth/points/point_names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "truth/words.h"

namespace winnow {
namespace {

using Words = std::vector<std::string>;

constexpr std::size_t kIbugPoints = 68;
constexpr std::string_view kIbug = "ibug ";

// The two sides in the words of several languages. The first word of a pair is the left side.
constexpr std::pair<std::string_view, std::string_view> kSides[] = {
    {"left", "right"},        {"l", "r"},          {"lt", "rt"},
    {"lft", "rgt"},           {"lhs", "rhs"},      {"links", "rechts"},
    {"gauche", "droite"},     {"gauche", "droit"}, {"izquierdo", "derecho"},
    {"izquierda", "derecha"}, {"izq", "der"},      {"sinistra", "destra"},
    {"sinistro", "destro"},   {"sx", "dx"},        {"esquerdo", "direito"},
    {"esquerda", "direita"}};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Splits "leftEye_1" into left, eye, 1, and "lefteye" into left, eye. All words have small letters.
Words words_of(std::string_view name) {
  Words words;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(std::exchange(word, {}));
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i], before = i > 0 ? name[i - 1] : ' ';
    const bool capital = c >= 'A' && c <= 'Z', after_small = before >= 'a' && before <= 'z';
    if (!is_letter(c) && !is_digit(c)) {
      end_word();
      continue;
    }
    if ((capital && after_small) || is_digit(c) != is_digit(before)) end_word();
    word += lower(std::string_view(&c, 1));
  }
  end_word();
  Words parts;
  for (const std::string& each : words) {
    std::string_view rest = each;
    std::string_view tail;
    for (const std::string_view side : {"left", "right"}) {
      if (rest.size() <= side.size()) continue;
      if (rest.starts_with(side)) {
        parts.emplace_back(side);
        rest.remove_prefix(side.size());
      } else if (rest.ends_with(side)) {
        tail = side;
        rest.remove_suffix(side.size());
      }
    }
    parts.emplace_back(rest);
    if (!tail.empty()) parts.emplace_back(tail);
  }
  return parts;
}

// The words with left and right exchanged, and whether the first exchanged word was left.
struct Exchanged {
  Words words;
  bool left = false;
};

// Exchanges all words that name a side. A word may name the left of two pairs, so there may be several
// results.
std::vector<Exchanged> exchanged_sides(const Words& words) {
  std::vector<Exchanged> results;
  const auto add = [&](std::span<const std::pair<std::string_view, std::string_view>> sides) {
    Exchanged result{words, false};
    bool any = false;
    for (std::string& word : result.words) {
      for (const auto& [left, right] : sides) {
        if (word != left && word != right) continue;
        if (!any) result.left = word == left;
        any = true;
        word = word == left ? right : left;
        break;
      }
    }
    if (any) results.push_back(std::move(result));
  };
  add(kSides);
  for (const auto& pair : kSides) add({&pair, 1});
  return results;
}

// Exchanges the first or the last letters l and r of single words, as in "LE" and "RE" or "eyel" and "eyer".
std::vector<Exchanged> exchanged_letters(const Words& words) {
  std::vector<Exchanged> results;
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (const std::size_t at : {std::size_t{0}, words[i].size() - 1}) {
      const char letter = words[i][at];
      if (letter != 'l' && letter != 'r') continue;
      Exchanged result{words, letter == 'l'};
      result.words[i][at] = letter == 'l' ? 'r' : 'l';
      results.push_back(std::move(result));
    }
  }
  return results;
}

Words without_digits(const Words& words) {
  Words kept;
  for (const std::string& word : words)
    if (!is_digit(word[0])) kept.push_back(word);
  return kept;
}

// What the names tell about one another.
class NamedPoints {
 public:
  explicit NamedPoints(std::span<const std::string> names) {
    for (const std::string& name : names) words_.push_back(words_of(name));
    for (std::size_t i = 0; i < words_.size(); ++i) at_.emplace(words_[i], i);
    unique_ = at_.size() == words_.size() && !at_.contains(Words{});
    for (std::size_t i = 0; i < words_.size(); ++i) find_partner(i);
  }

  std::vector<std::uint16_t> mirrored() const {
    if (!unique_ || lacks_partner_) return {};
    std::vector<std::uint16_t> result;
    std::set<Words> middle;
    bool any = false;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::size_t partner = partners_[i].value_or(i);
      any = any || partner != i;
      if (partner == i && !middle.insert(without_digits(words_[i])).second) return {};
      if (partners_[partner].value_or(partner) != i) return {};
      result.push_back(static_cast<std::uint16_t>(partner));
    }
    return any ? result : std::vector<std::uint16_t>{};
  }

  void find_eyes(PointScheme& scheme) const {
    if (!unique_) return;
    for (const auto fits : {&NamedPoints::is_pupil, &NamedPoints::is_eye_middle, &NamedPoints::is_eye}) {
      std::vector<std::uint16_t> left, right, sideless;
      for (std::size_t i = 0; i < words_.size(); ++i) {
        if (!(this->*fits)(i)) continue;
        (!partners_[i] ? sideless : left_[i] ? left : right).push_back(static_cast<std::uint16_t>(i));
      }
      if (left.empty() && right.empty() && sideless.size() == 2) left = {sideless[0]}, right = {sideless[1]};
      if (left.empty() || left.size() != right.size()) continue;
      scheme.left_eye = std::move(left);
      scheme.right_eye = std::move(right);
      break;
    }
    std::vector<std::uint16_t> outer;
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (is_eye(i) && partners_[i] && has_word(i, {"outer", "outside", "out", "lateral", "exocanthion"}))
        outer.push_back(static_cast<std::uint16_t>(i));
    if (outer.size() == 2 && left_[outer[0]] != left_[outer[1]]) scheme.outer_corners = outer;
  }

 private:
  void find_partner(std::size_t i) {
    std::optional<std::size_t> partner;
    bool left = false;
    const std::vector<Exchanged> sides = exchanged_sides(words_[i]);
    for (const auto& others : {sides, exchanged_letters(words_[i])}) {
      for (const Exchanged& other : others) {
        const auto found = at_.find(other.words);
        if (partner || found == at_.end() || found->second == i) continue;
        partner = found->second;
        left = other.left;
      }
    }
    lacks_partner_ = lacks_partner_ || (!partner && !sides.empty());
    partners_.push_back(partner);
    left_.push_back(left);
  }

  bool has_word(std::size_t i, std::initializer_list<std::string_view> wanted) const {
    return std::any_of(words_[i].begin(), words_[i].end(), [&](const std::string& word) {
      return std::find(wanted.begin(), wanted.end(), word) != wanted.end();
    });
  }
  bool is_eye(std::size_t i) const {
    bool eye = false;
    for (const std::string& word : words_[i]) {
      for (const std::string_view other : {"brow", "lash", "glass", "bag"})
        if (word.find(other) != std::string::npos) return false;
      eye = eye || word.starts_with("eye") || word.ends_with("eye") || word.ends_with("eyes") ||
            word == "pupil" || word == "iris" || word == "le" || word == "re";
    }
    return eye;
  }
  bool is_pupil(std::size_t i) const {
    return has_word(i, {"pupil", "pupils", "iris"}) && is_eye_or_pupil(i);
  }
  bool is_eye_or_pupil(std::size_t i) const { return is_eye(i) || has_word(i, {"pupil", "pupils", "iris"}); }
  bool is_eye_middle(std::size_t i) const {
    return is_eye(i) && (has_word(i, {"center", "centre", "middle", "mid", "eyecenter", "eyecentre"}) ||
                         words_[i].size() <= 2);
  }

  std::vector<Words> words_;
  std::map<Words, std::size_t> at_;
  std::vector<std::optional<std::size_t>> partners_;
  std::vector<bool> left_;
  bool unique_ = true, lacks_partner_ = false;
};

// For each of the 68 points the point that it becomes in a mirrored picture.
std::array<std::size_t, kIbugPoints> ibug_mirrored() {
  std::array<std::size_t, kIbugPoints> mirrored{};
  const auto turn_round = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i <= last; ++i) mirrored[i] = first + last - i;
  };
  turn_round(0, 16);                                       // the edge of the face
  turn_round(17, 26);                                      // the brows
  for (std::size_t i = 27; i <= 30; ++i) mirrored[i] = i;  // the bridge of the nose
  turn_round(31, 35);                                      // the base of the nose
  constexpr std::pair<std::size_t, std::size_t> kEyes[] = {{36, 45}, {37, 44}, {38, 43},
                                                           {39, 42}, {40, 47}, {41, 46}};
  for (const auto& [a, b] : kEyes) mirrored[a] = b, mirrored[b] = a;
  turn_round(48, 54);  // the mouth, in four calls: outer edge above and below, inner edge above and below
  turn_round(55, 59);
  turn_round(60, 64);
  turn_round(65, 67);
  return mirrored;
}

// The numbers of iBUG's points with these names; nothing if another name is among them.
std::optional<std::vector<std::size_t>> ibug_numbers(std::span<const std::string> names) {
  std::vector<std::size_t> numbers;
  for (const std::string& name : names) {
    if (!name.starts_with(kIbug)) return std::nullopt;
    std::size_t number = 0;
    const char* const end = name.data() + name.size();
    const auto read = std::from_chars(name.data() + kIbug.size(), end, number);
    if (read.ec != std::errc() || read.ptr != end || number >= kIbugPoints) return std::nullopt;
    numbers.push_back(number);
  }
  return numbers;
}

void tell_ibug(const std::vector<std::size_t>& numbers, PointScheme& scheme) {
  const auto usual = ibug_mirrored();
  const auto place = [&](std::size_t number) -> std::optional<std::uint16_t> {
    const auto at = std::find(numbers.begin(), numbers.end(), number);
    if (at == numbers.end()) return std::nullopt;
    return static_cast<std::uint16_t>(at - numbers.begin());
  };
  bool whole = true;
  for (const std::size_t number : numbers) {
    const auto partner = place(usual[number]);
    whole = whole && partner;
    scheme.mirrored.push_back(partner.value_or(0));
  }
  if (!whole) scheme.mirrored.clear();
  for (std::size_t number = 36; number <= 41; ++number) {
    const auto left = place(number), right = place(usual[number]);
    if (!left || !right) continue;
    scheme.left_eye.push_back(*left);
    scheme.right_eye.push_back(*right);
    if (number == 36) scheme.outer_corners = {*left, *right};
  }
}

}  // namespace

std::string ibug_name(std::size_t number) { return std::string(kIbug) + std::to_string(number); }

PointScheme scheme_of_names(std::span<const std::string> names) {
  PointScheme scheme;
  if (names.empty()) return scheme;
  scheme.names.assign(names.begin(), names.end());
  if (const auto numbers = ibug_numbers(names)) {
    tell_ibug(*numbers, scheme);
    return scheme;
  }
  const NamedPoints points(names);
  scheme.mirrored = points.mirrored();
  points.find_eyes(scheme);
  return scheme;
}

bool names_a_point(std::string_view name) {
  const Words words = words_of(name);
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return is_letter(word[0]) && word != "p" && word != "pt" && word != "point" && word != "landmark" &&
           word != "lm" && word != "kp" && word != "keypoint" && word != "k";
  });
}

}  // namespace winnow
