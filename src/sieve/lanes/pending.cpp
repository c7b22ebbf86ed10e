#include "sieve/lanes/pending.h"

#include <algorithm>

namespace winnow {
namespace {

// The most bytes of a worker's shelf, enough for 1,300 windows of 24x24 without a tilted plane.
constexpr std::int64_t kMostBytes = std::int64_t{2} << 20;

int width_of(const LaneGeometry& g) { return (g.patch_width + kShelfWidth - 1) / kShelfWidth * kShelfWidth; }
int rows_of(const LaneGeometry& g) { return g.patch_values / g.patch_width; }
// The number of windows side by side on the shelf. The shelf's windows begin at the second column of the
// planes, where a cache line starts.
int across(const LaneGeometry& g) { return (g.stride - 1) / width_of(g); }

}  // namespace

int Shelf::windows(const LaneProgram& program) {
  if (!program.shelves) return 0;
  const LaneGeometry& g = program.geometry;
  const std::int64_t bytes =
      std::int64_t{width_of(g)} * rows_of(g) * (program.tilted ? 2 : 1) * sizeof(std::uint16_t);
  const auto pending = static_cast<std::int64_t>(program.stages.size() - 1) * (kBundle - 1);
  return static_cast<int>(std::min(pending, kMostBytes / bytes));
}

int Shelf::rows(const LaneProgram& program) {
  const int in_row = across(program.geometry);
  return (windows(program) + in_row - 1) / in_row * rows_of(program.geometry);
}

Shelf::Shelf(const LaneProgram& program, const Strip& strip)
    : width_(width_of(program.geometry)), rows_(rows_of(program.geometry)) {
  const int in_row = across(program.geometry);
  for (int i = 0; i < windows(program); ++i) {
    places_.push_back(strip.shelf() + i / in_row * rows_ * strip.stride() + i % in_row * width_ + 1);
  }
  free_.reserve(places_.size());
  clear();
}

void Shelf::clear() {
  free_.clear();
  for (std::size_t i = places_.size(); i > 0; --i) free_.push_back(static_cast<std::int32_t>(i - 1));
}

void Shelf::put(Strip& strip, PendingWindow& window) {
  window.shelf = free_.back();
  free_.pop_back();
  const std::int32_t place = places_[static_cast<std::size_t>(window.shelf)];
  strip.shelve(window.at, place, width_, rows_);
  window.at = place;
}

}  // namespace winnow
