// Puts a list into a random order.
//
// In:     a list, and random numbers (`base/random.h`).
// Out:    the list in an order that the numbers alone decide.
// Exact:  the same order everywhere, unlike `std::shuffle`.
// Memory: nothing is allocated.
// Thread: any, with a list each.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace winnow {

// `random`: a `Random`, which goes on behind the numbers that were used.
template <class T, class Numbers>
void shuffle(std::vector<T>& list, Numbers&& random) {
  for (std::size_t i = list.size(); i > 1; --i)
    std::swap(list[i - 1], list[static_cast<std::size_t>(random.below(static_cast<int>(i)))]);
}

}  // namespace winnow
