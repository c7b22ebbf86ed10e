#include "point_errors.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "made_faces.h"

namespace bench {
namespace {

using namespace winnow;

constexpr double kSameFace = 0.3;  // boxes that overlap more show the same face
constexpr double kLarge = 10;      // percent
constexpr int kPerFrame = 20;      // steps of a lag
constexpr int kLeastLag = -4 * kPerFrame, kMostLag = 10 * kPerFrame;

double apart(const LandmarkPoint& a, const LandmarkPoint& b) { return std::hypot(a.x - b.x, a.y - b.y); }

// The face that a search found in this frame, and whose box overlaps this box most.
const Followed* same_face(std::span<const Followed> faces, const Box& box) {
  const Followed* best = nullptr;
  double most = kSameFace;
  for (const Followed& face : faces) {
    if (face.state != FaceState::kFound) continue;
    if (const double both = overlap(face.box, box); both > most) {
      most = both;
      best = &face;
    }
  }
  return best;
}

double correlation(std::span<const double> a, std::span<const double> b) {
  const double count = static_cast<double>(a.size()),
               mean_a = std::accumulate(a.begin(), a.end(), 0.0) / count,
               mean_b = std::accumulate(b.begin(), b.end(), 0.0) / count;
  double both = 0, square_a = 0, square_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    both += (a[i] - mean_a) * (b[i] - mean_b);
    square_a += (a[i] - mean_a) * (a[i] - mean_a);
    square_b += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return square_a > 0 && square_b > 0 ? both / std::sqrt(square_a * square_b) : 0;
}

}  // namespace

void AgeErrors::add(std::span<const Followed> yardstick, std::span<const Followed> faces) {
  for (const Followed& face : faces) {
    if (face.state == FaceState::kFound) ages_[face.id] = 0;
    if (face.state != FaceState::kTracked) continue;
    const std::size_t age = ++ages_[face.id];
    const Followed* right = same_face(yardstick, face.box);
    if (age > kMost || right == nullptr) continue;
    const std::vector<LandmarkPoint>&points = face.shape.points, &places = right->shape.points;
    double sum = 0;
    for (std::size_t i = 0; i < points.size(); ++i) sum += apart(points[i], places[i]);
    const double error = 100 * sum / (static_cast<double>(points.size()) * apart(places[36], places[45]));
    sums_[age] += error;
    ++counts_[age];
    large_ += error > kLarge;
    seen_[{frame_, right->id}] = {age, error};
  }
  ++frame_;
}

double AgeErrors::mean_beside(std::span<const AgeErrors* const> others, std::size_t first,
                              std::size_t last) const {
  const auto within = [&](const Seen& seen) { return seen.age >= first && seen.age <= last; };
  double sum = 0;
  int count = 0;
  for (const auto& [at, seen] : seen_) {
    const std::pair<int, int>& place = at;
    const bool in_all = std::all_of(others.begin(), others.end(), [&](const AgeErrors* other) {
      const auto there = other->seen_.find(place);
      return there != other->seen_.end() && within(there->second);
    });
    if (!within(seen) || !in_all) continue;
    sum += seen.error;
    ++count;
  }
  return sum / std::max(1, count);
}

double AgeErrors::mean(std::size_t first, std::size_t last) const {
  return std::accumulate(sums_.begin() + static_cast<std::ptrdiff_t>(first),
                         sums_.begin() + static_cast<std::ptrdiff_t>(last) + 1, 0.0) /
         std::max(1, count(first, last));
}

int AgeErrors::count(std::size_t first, std::size_t last) const {
  return std::accumulate(counts_.begin() + static_cast<std::ptrdiff_t>(first),
                         counts_.begin() + static_cast<std::ptrdiff_t>(last) + 1, 0);
}

double lag_of(std::span<const double> measured, const std::function<double(double)>& truth) {
  std::vector<double> shifted(measured.size());
  double best = 0, most = -2;
  for (int step = kLeastLag; step <= kMostLag; ++step) {
    const double lag = static_cast<double>(step) / kPerFrame;
    for (std::size_t i = 0; i < shifted.size(); ++i) shifted[i] = truth(static_cast<double>(i) - lag);
    if (const double same = correlation(measured, shifted); same > most) {
      most = same;
      best = lag;
    }
  }
  return best;
}

}  // namespace bench
