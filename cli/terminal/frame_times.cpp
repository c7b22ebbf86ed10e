#include "terminal/frame_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace winnow::cli {
namespace {

constexpr double kLeast = 1e-6, kGreatest = 3600;
constexpr double kRatio = 1.02;  // of the end of a range and its beginning

std::string milliseconds(double seconds) {
  const double value = seconds * 1000;
  return value < 10 ? fmt::format("{:.2f} ms", value) : fmt::format("{:.1f} ms", value);
}

}  // namespace

void FrameTimes::add(double seconds) {
  const double time = std::clamp(seconds, kLeast, kGreatest);
  const auto range = static_cast<std::size_t>(std::log(time / kLeast) / std::log(kRatio));
  ++counts_[std::min(range, kRanges - 1)];
  least_ = count_ == 0 ? time : std::min(least_, time);
  greatest_ = std::max(greatest_, time);
  ++count_;
}

double FrameTimes::percentile(double fraction) const {
  const auto wanted = static_cast<std::int64_t>(std::ceil(fraction * static_cast<double>(count_)));
  std::int64_t passed = 0;
  for (std::size_t range = 0; range < kRanges; ++range) {
    passed += counts_[range];
    if (passed == 0 || passed < wanted) continue;
    const double middle = kLeast * std::pow(kRatio, static_cast<double>(range) + 0.5);
    return std::clamp(middle, least_, greatest_);
  }
  return 0;
}

std::string FrameTimes::text() const {
  return fmt::format("median {}, 95th percentile {}, greatest {}", milliseconds(percentile(0.5)),
                     milliseconds(percentile(0.95)), milliseconds(greatest_));
}

}  // namespace winnow::cli
