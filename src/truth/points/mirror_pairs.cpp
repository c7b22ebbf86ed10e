#include "truth/points/mirror_pairs.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <utility>

namespace winnow {
namespace {

using Pairing = std::vector<std::size_t>;

constexpr std::size_t kMostTriedPoints = 8;  // 8 points have 764 pairings
constexpr double kMostLean = 20 * std::numbers::pi / 180;
// The bounds of clear pairs. Of 150 shapes of 7 random points, none has both; with 10 faces of HELEN, 5
// points have a distance of 0.03 and a lead of 20.
constexpr double kMostDistance = 0.12, kLeastLead = 3;
// In shapes of many points neighbours lie near each other, and only the points that differ are compared.
constexpr double kLeastLocalLead = 2;
constexpr double kLeastNoise = 1e-6;  // marks are no more exact, so a lead stays finite

// A shape beside its reflection at the vertical axis, turned by at most kMostLean.
class Reflection {
 public:
  explicit Reflection(std::span<const Point> shape) : shape_(shape), reflected_(shape.size()) { turn(0); }

  // Turns the reflection so that it fits best under this pairing.
  void turn_to(const Pairing& pairing) {
    double same = 0, cross = 0;
    for (std::size_t i = 0; i < pairing.size(); ++i) {
      const Point from{-shape_[i].x, shape_[i].y}, to = shape_[pairing[i]];
      same += from.x * to.x + from.y * to.y;
      cross += from.x * to.y - from.y * to.x;
    }
    turn(std::clamp(std::atan2(cross, same), -kMostLean, kMostLean));
  }
  // The squared distance of the reflected point `i` from point `j`.
  double cost(std::size_t i, std::size_t j) const {
    const double x = reflected_[i].x - shape_[j].x, y = reflected_[i].y - shape_[j].y;
    return x * x + y * y;
  }
  double cost(const Pairing& pairing) const {
    double sum = 0;
    for (std::size_t i = 0; i < pairing.size(); ++i) sum += cost(i, pairing[i]);
    return sum;
  }
  std::size_t size() const { return shape_.size(); }

 private:
  void turn(double angle) {
    const double cosine = std::cos(angle), sine = std::sin(angle);
    for (std::size_t i = 0; i < shape_.size(); ++i)
      reflected_[i] = {-shape_[i].x * cosine - shape_[i].y * sine,
                       -shape_[i].x * sine + shape_[i].y * cosine};
  }

  std::span<const Point> shape_;
  std::vector<Point> reflected_;
};

// A fit in units of the shape's size.
double distance_of_cost(double cost, std::size_t points) {
  return std::max(std::sqrt(cost / (2 * static_cast<double>(points))), kLeastNoise);
}

// Tries every pairing, and keeps the best two.
class Trial {
 public:
  explicit Trial(std::span<const Point> shape) : reflection_(shape), pairing_(shape.size(), shape.size()) {
    pair_from(0);
  }
  const Pairing& best() const { return best_; }
  double best_cost() const { return best_cost_; }
  double second_cost() const { return second_cost_; }

 private:
  void pair_from(std::size_t first) {
    while (first < pairing_.size() && pairing_[first] < pairing_.size()) ++first;
    if (first == pairing_.size()) return judge();
    for (std::size_t other = first; other < pairing_.size(); ++other) {
      if (pairing_[other] < pairing_.size()) continue;
      pairing_[first] = other;
      pairing_[other] = first;
      pair_from(first + 1);
      pairing_[other] = pairing_.size();
      pairing_[first] = pairing_.size();
    }
  }
  void judge() {
    reflection_.turn_to(pairing_);
    const double cost = reflection_.cost(pairing_);
    if (cost < best_cost_) {
      second_cost_ = std::exchange(best_cost_, cost);
      best_ = pairing_;
    } else {
      second_cost_ = std::min(second_cost_, cost);
    }
  }

  Reflection reflection_;
  Pairing pairing_, best_;
  double best_cost_ = std::numeric_limits<double>::infinity();
  double second_cost_ = std::numeric_limits<double>::infinity();
};

// The assignment of reflected points to points with the least sum of costs (Kuhn and Munkres, with the
// potentials of Jonker and Volgenant).
Pairing assign(const Reflection& reflection) {
  const std::size_t count = reflection.size(), none = count;
  std::vector<double> row(count, 0), column(count + 1, 0);
  std::vector<std::size_t> row_of(count + 1, none);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double> least(count, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> way(count, none);
    std::vector<bool> used(count + 1, false);
    std::size_t at = count;  // the column before the first one
    row_of[at] = i;
    do {
      used[at] = true;
      const std::size_t from = row_of[at];
      double step = std::numeric_limits<double>::infinity();
      std::size_t next = 0;
      for (std::size_t j = 0; j < count; ++j) {
        if (used[j]) continue;
        const double cost = reflection.cost(from, j) - row[from] - column[j];
        if (cost < least[j]) {
          least[j] = cost;
          way[j] = at;
        }
        if (least[j] < step) {
          step = least[j];
          next = j;
        }
      }
      for (std::size_t j = 0; j <= count; ++j) {
        if (used[j]) {
          row[row_of[j]] += step;
          column[j] -= step;
        } else if (j < count) {
          least[j] -= step;
        }
      }
      at = next;
    } while (row_of[at] != none);
    while (at != count) {
      const std::size_t before = way[at];
      row_of[at] = row_of[before];
      at = before;
    }
  }
  Pairing pairing(count);
  for (std::size_t j = 0; j < count; ++j) pairing[row_of[j]] = j;
  return pairing;
}

bool is_pairing(const Pairing& pairing) {
  for (std::size_t i = 0; i < pairing.size(); ++i)
    if (pairing[pairing[i]] != i) return false;
  return true;
}

// Assigns from a start that is turned by this angle, until nothing changes.
Pairing assign_from(Reflection& reflection, const Pairing& start) {
  constexpr int kMostPasses = 20;
  Pairing pairing = start;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    Pairing next = assign(reflection);
    reflection.turn_to(next);
    if (next == pairing) break;
    pairing = std::move(next);
  }
  return pairing;
}

// The least lead of the pairing over one in which the points of two pairs, or of a pair and a single point,
// are joined otherwise. Only the points that differ count, and each is off by `noise` at least.
double local_lead(const Reflection& reflection, const Pairing& pairing, double noise) {
  double least = std::numeric_limits<double>::infinity();
  const auto try_other = [&](std::initializer_list<std::pair<std::size_t, std::size_t>> joins) {
    double here = 0, other = 0, points = 0;
    for (const auto& [a, b] : joins) {
      here += reflection.cost(a, pairing[a]) + (a == b ? 0 : reflection.cost(b, pairing[b]));
      other += reflection.cost(a, b) + (a == b ? 0 : reflection.cost(b, a));
      points += a == b ? 1 : 2;
    }
    least = std::min(least, std::sqrt(other / std::max(here, points * noise)));
  };
  const std::size_t count = pairing.size();
  for (std::size_t a = 0; a < count; ++a) {
    const std::size_t b = pairing[a];
    if (b < a) continue;
    if (b != a) try_other({{a, a}, {b, b}});
    for (std::size_t c = a + 1; c < count; ++c) {
      const std::size_t d = pairing[c];
      if (d < c || c == b) continue;
      if (a == b && c == d) {
        try_other({{a, c}});
      } else if (a != b && c != d) {
        try_other({{a, c}, {b, d}});
        try_other({{a, d}, {b, c}});
      } else {
        const std::size_t single = a == b ? a : c, left = a == b ? c : a, right = a == b ? d : b;
        try_other({{single, left}, {right, right}});
        try_other({{single, right}, {left, left}});
      }
    }
  }
  return least;
}

MirrorPairs judged(const Pairing& pairing, double distance, double lead, double least_lead) {
  MirrorPairs pairs{{}, distance, lead};
  if (distance <= kMostDistance && lead >= least_lead) pairs.mirrored.assign(pairing.begin(), pairing.end());
  return pairs;
}

}  // namespace

MirrorPairs find_mirror_pairs(std::span<const Point> shape) {
  if (shape.empty()) return {};
  if (shape.size() <= kMostTriedPoints) {
    const Trial trial(shape);
    const double best = distance_of_cost(trial.best_cost(), shape.size());
    return judged(trial.best(), best, distance_of_cost(trial.second_cost(), shape.size()) / best, kLeastLead);
  }
  Reflection reflection(shape);
  const Pairing pairing = assign_from(reflection, {});
  const double cost = reflection.cost(pairing), distance = distance_of_cost(cost, shape.size());
  if (!is_pairing(pairing)) return {{}, distance, 1};
  const double noise = std::max(cost / static_cast<double>(shape.size()), kLeastNoise * kLeastNoise);
  return judged(pairing, distance, local_lead(reflection, pairing, noise), kLeastLocalLead);
}

}  // namespace winnow
