// Keeps pending windows until other windows join them, so that late stages run for whole bundles of windows.
//
// In:     living windows of a strip, in one list per stage that they enter next.
// Out:    bundles of windows to pack, with their places in the strip's planes.
// Exact:  nothing is computed here; corners are copied.
// Memory: a worker owns its lists and its shelf and allocates them once. The shelf's corners lie in the
//         strip's planes. Pointers into a list are valid as long as the list lives. Taken windows stay
//         unchanged until windows are added.
// Thread: one thread at a time.
//
// There is one list per stage, and one shelf. When a band of rows ends, some lists hold less than a bundle.
// The corners of the windows in these lists are copied to the shelf: rows of the strip's planes that no band
// uses. The windows are packed from the shelf, together with windows of other bands and levels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scale/strip.h"
#include "sieve/lanes/lane_program.h"

namespace winnow {

constexpr int kBundle = 32;  // windows that are judged together; a word has one bit for each

struct PendingWindow {
  std::int32_t at;  // the place of the window's corner in the strip's row-by-row planes
  float norm;
  std::int64_t window;      // the window's number
  std::int32_t sum;         // the sum before the next stage, for fixed-point cascades
  std::int32_t shelf = -1;  // the window's place on the shelf; -1: not on the shelf
};

// The pending windows of one stage. A bundle is packed as soon as the list has kBundle windows. Judging one
// bundle may add up to kBundle windows to a list that holds fewer than kBundle. A list therefore has room for
// 2 * kBundle windows.
class PendingList {
 public:
  // The end of the list, with room for kBundle more windows.
  PendingWindow* end() { return windows_.data() + size_; }
  void grow_to(const PendingWindow* end) { size_ = static_cast<int>(end - windows_.data()); }
  int size() const { return size_; }
  std::span<PendingWindow> all() { return {windows_.data(), static_cast<std::size_t>(size_)}; }
  // Takes the last `count` windows, at most `size()`. The taken windows stay unchanged until windows are
  // added.
  const PendingWindow* take(int count) { return windows_.data() + (size_ -= count); }
  void clear() { size_ = 0; }

 private:
  std::array<PendingWindow, 2 * kBundle> windows_;
  int size_ = 0;
};

class Shelf {
 public:
  // `rows`: the rows of a strip's planes that the shelf needs. `windows`: the number of windows that the
  // shelf holds. When a band ends, each stage but the first has less than a bundle of pending windows. The
  // shelf has room for all of these windows, or for fewer if windows are large. `windows` is 0 if the
  // program has no shelf.
  static int rows(const LaneProgram& program);
  static int windows(const LaneProgram& program);

  // The strip must have `rows(program)` rows for the shelf.
  Shelf(const LaneProgram& program, const Strip& strip);
  void clear();  // frees all places

  int room() const { return static_cast<int>(free_.size()); }
  // Copies a window's corners to a free place, and sets the window's `at` and `shelf`. `room()` must be above
  // 0. `strip` is the strip of the constructor.
  void put(Strip& strip, PendingWindow& window);
  // Frees the place of a window, if it has one. Call `let_go` once per window that was put on the shelf.
  void let_go(const PendingWindow& window) {
    if (window.shelf >= 0) free_.push_back(window.shelf);
  }

 private:
  int width_, rows_;  // the size of a window's place, in columns and rows
  std::vector<std::int32_t> places_, free_;
};

}  // namespace winnow
