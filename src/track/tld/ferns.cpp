#include "track/tld/ferns.h"

#include <algorithm>
#include <cstddef>

namespace winnow {
namespace {

constexpr int kRounds = 2;  // of learning

}  // namespace

FernPairs make_fern_pairs(std::uint64_t seed) {
  FernPairs pairs;
  Random random(seed);
  const auto fraction = [&] { return static_cast<std::uint16_t>(random.below(1 << 16)); };
  for (FernPair& pair : pairs) {
    pair.x[0] = pair.x[1] = fraction();
    pair.y[0] = pair.y[1] = fraction();
    (random.below(2) == 0 ? pair.x : pair.y)[1] = fraction();
  }
  return pairs;
}

FernOffsets fern_offsets(const FernPairs& pairs, Size window, std::int32_t pitch) {
  FernOffsets offsets;
  const auto at = [](std::uint16_t fraction, int side) {
    return static_cast<std::int32_t>((std::int64_t{fraction} * (side - 1) + (1 << 15)) >> 16);
  };
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (std::size_t end = 0; end < 2; ++end)
      offsets[i][end] = at(pairs[i].y[end], window.height) * pitch + at(pairs[i].x[end], window.width);
  }
  return offsets;
}

Ferns::Ferns() : seen_(std::size_t{kFerns} << kFernBits), values_(seen_.size()) {}

void Ferns::learn(std::span<const FernPattern> object, std::span<const FernPattern> others,
                  std::int32_t enough, Random random) {
  std::vector<LikelyWindow> windows;
  windows.reserve(others.size());
  for (const FernPattern& pattern : others) windows.push_back({0, sum(pattern), pattern});
  learn_windows(
      object, windows, [](const LikelyWindow&) { return true; }, enough, random);
}

// While it lives, values are the largest that they can become while the object's patterns are learnt.
class Ferns::Raised {
 public:
  Raised(Ferns& ferns, std::span<const FernPattern> object) : ferns_(ferns) {
    for (std::size_t fern = 0; fern < kFerns; ++fern)
      for (const FernPattern& pattern : object) places_.push_back(place(fern, pattern));
    std::sort(places_.begin(), places_.end());
    std::uint64_t times = 0;  // that a place is counted
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const std::size_t at = places_[i];
      times = i > 0 && places_[i - 1] == at ? times + kRounds : kRounds;
      ferns.values_[at] = value_of(ferns.seen_[at].object + times, ferns.seen_[at].others);
    }
  }
  ~Raised() {
    for (const std::size_t at : places_) ferns_.set_seen(at, ferns_.seen_[at]);
  }
  Raised(const Raised&) = delete;
  Raised& operator=(const Raised&) = delete;

 private:
  Ferns& ferns_;
  std::vector<std::size_t> places_;
};

// Each pattern has a hash as its key, and the order is that of the keys. So only patterns that may count need
// a place in it. Learning raises the values of the object's patterns alone. Until one of these counts, sums
// that are too small stay so.
void Ferns::learn_windows(std::span<const FernPattern> object, std::span<const LikelyWindow> others,
                          const std::function<bool(const LikelyWindow&)>& is_other, std::int32_t enough,
                          Random random) {
  const std::uint64_t seed = random.bits();
  // Keys in the upper halves; below them places in a list of the object's patterns and of the others.
  std::vector<std::uint64_t> order;
  const auto make_order = [&](const auto& most) {
    order.clear();
    const auto add = [&](std::size_t at) { order.push_back(hash(seed, at) >> 32 << 32 | at); };
    for (std::size_t i = 0; i < object.size(); ++i) add(i);
    for (std::size_t i = 0; i < others.size(); ++i)
      if (most(others[i]) >= kLeastOther && is_other(others[i])) add(object.size() + i);
    std::sort(order.begin(), order.end());
  };
  const auto make_long_order = [&] {
    const Raised raised(*this, object);
    make_order([&](const LikelyWindow& other) { return sum(other.pattern); });
  };
  bool object_counts = std::any_of(object.begin(), object.end(),
                                   [&](const FernPattern& pattern) { return sum(pattern) <= enough; });
  if (object_counts)
    make_long_order();
  else
    make_order([](const LikelyWindow& other) { return other.sum; });
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::uint64_t turn = order[i];
      const std::size_t at = turn & 0xFFFFFFFF;
      const bool is_object = at < object.size();
      const FernPattern& pattern = is_object ? object[at] : others[at - object.size()].pattern;
      const std::int32_t now = sum(pattern);
      if (is_object ? now > enough : now < kLeastOther) continue;
      count(pattern, is_object);
      if (is_object && !object_counts) {
        object_counts = true;
        make_long_order();
        i = static_cast<std::size_t>(std::lower_bound(order.begin(), order.end(), turn) - order.begin());
      }
    }
  }
}

void Ferns::count(const FernPattern& pattern, bool object) {
  for (std::size_t fern = 0; fern < kFerns; ++fern) {
    const std::size_t at = place(fern, pattern);
    Seen seen = seen_[at];
    std::uint32_t& count = object ? seen.object : seen.others;
    count += count < kMostSeen ? 1 : 0;
    set_seen(at, seen);
  }
}

void Ferns::set_seen(std::size_t at, Seen seen) {
  seen_[at] = seen;
  values_[at] = value_of(seen.object, seen.others);
}

}  // namespace winnow
