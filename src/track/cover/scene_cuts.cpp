#include "track/cover/scene_cuts.h"

#include <cmath>
#include <cstddef>

namespace winnow {
namespace {

// Two frames show other scenes if their cells correlate by less. In videos for settings, neighbouring frames of
// one scene had 0.57 and more, and those of two scenes 0.3 and less.
constexpr double kLeastLikeness = 0.4;
// Cells of a frame that tells scenes apart differ by at least so many grey levels (their standard deviation).
constexpr double kLeastSpread = 4;

}  // namespace

SceneCuts::Look SceneCuts::look_at(GrayView frame) {
  Look look;
  if (frame.width < kColumns || frame.height < kRows) return look;
  double mean = 0;
  for (int row = 0; row < kRows; ++row) {
    const int top = row * frame.height / kRows, bottom = (row + 1) * frame.height / kRows;
    std::array<std::int64_t, kColumns> sums{};
    for (int y = top; y < bottom; ++y) {
      for (int column = 0; column < kColumns; ++column) {
        const std::uint8_t *at = frame.row(y) + column * frame.width / kColumns,
                           *end = frame.row(y) + (column + 1) * frame.width / kColumns;
        std::uint32_t sum = 0;
        for (; at != end; ++at) sum += *at;
        sums[static_cast<std::size_t>(column)] += sum;
      }
    }
    for (int column = 0; column < kColumns; ++column) {
      const int width = (column + 1) * frame.width / kColumns - column * frame.width / kColumns;
      double& cell = look.cells[static_cast<std::size_t>(row * kColumns + column)];
      cell = static_cast<double>(sums[static_cast<std::size_t>(column)]) / (width * (bottom - top));
      mean += cell / (kColumns * kRows);
    }
  }
  double squares = 0;
  for (double& cell : look.cells) {
    cell -= mean;
    squares += cell * cell;
  }
  if (squares >= kLeastSpread * kLeastSpread * kColumns * kRows) look.length = std::sqrt(squares);
  return look;
}

bool SceneCuts::differ(const Look& a, const Look& b) {
  if (a.length == 0 || b.length == 0) return false;
  double product = 0;
  for (std::size_t i = 0; i < a.cells.size(); ++i) product += a.cells[i] * b.cells[i];
  return product < kLeastLikeness * a.length * b.length;
}

std::optional<std::int64_t> SceneCuts::add(GrayView frame) {
  const Look look = look_at(frame);
  // After a flash, the frame before the flash is back: that is no new scene, either.
  const auto returns = std::erase_if(begins_, [&](const Begin& each) { return !differ(each.before, look); });
  if (returns == 0 && differ(last_, look)) begins_.push_back({frames_, last_});
  last_ = look;
  ++frames_;
  if (begins_.empty() || frames_ - begins_.front().frame < needed_) return std::nullopt;
  const std::int64_t cut = begins_.front().frame;
  begins_.erase(begins_.begin());
  return cut;
}

}  // namespace winnow
