// Windows that wait to be packed with others, so that late stages run for whole groups of them.
// A list a stage; and a shelf, where windows go that have not met enough others when their band of rows is
// gone: what packing reads of a window is copied to rows of the strip's planes that no band reaches, and it
// is packed from there, with windows of other bands and levels. exact: nothing is computed here. Owned by a
// worker, memory asked for once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scale/strip.h"
#include "sieve/lanes/lane_program.h"

namespace winnow {

constexpr int kGroup = 32;  // windows judged together: bits of a word

struct Waiting {
  std::int32_t at;  // of its corner in the strip's planes, row by row
  float norm;
  std::int64_t window;      // its number
  std::int32_t sum;         // so far, of a fixed-point cascade
  std::int32_t shelf = -1;  // its number there
};

// Windows that wait to be packed for one stage. As soon as there are kGroup they are, so there is room for
// one block more than that.
class WaitingList {
 public:
  Waiting* end() { return windows_.data() + size_; }  // room for kGroup more
  void grow_to(const Waiting* end) { size_ = static_cast<int>(end - windows_.data()); }
  int size() const { return size_; }
  std::span<Waiting> all() { return {windows_.data(), static_cast<std::size_t>(size_)}; }
  // The last `count`; they stay where they are until others come to wait.
  const Waiting* take(int count) { return windows_.data() + (size_ -= count); }
  void clear() { size_ = 0; }

 private:
  std::array<Waiting, 2 * kGroup> windows_;
  int size_ = 0;
};

class Shelf {
 public:
  // Rows that a strip's planes need for it; and how many windows it is for: fewer than a group wait for each
  // stage but the first when a band ends. Fewer if they are large, none if windows never wait so long.
  static int rows(const LaneProgram& program);
  static int windows(const LaneProgram& program);

  Shelf(const LaneProgram& program, const Strip& strip);
  void clear();  // all places are free

  int room() const { return static_cast<int>(free_.size()); }
  void put(Strip& strip, Waiting& window);
  void let_go(const Waiting& window) {
    if (window.shelf >= 0) free_.push_back(window.shelf);
  }

 private:
  int width_, rows_;  // of a window's corners
  std::vector<std::int32_t> places_, free_;
};

}  // namespace winnow
