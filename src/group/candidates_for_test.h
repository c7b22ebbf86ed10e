// Makes random candidates for tests of merging.
//
// In:     a seeded generator, and the number of candidates.
// Out:    the same candidates for the same state of the generator.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

#include "group/group.h"

namespace winnow::sample {

inline int below(std::mt19937& random, int n) {
  return static_cast<int>(random() % static_cast<unsigned>(n));
}

// Makes windows heaped around a few places or spread over a square, of one shape or of many. Some windows
// occur twice, some lie on one grid, and some have no width.
inline std::vector<Candidate> random_candidates(std::mt19937& random, int n) {
  const int side = 1 + below(random, 2000), heaps = below(random, 3) == 0 ? 0 : 1 + below(random, 8);
  const int grid = below(random, 3) == 0 ? 8 : 1, wander = 1 + below(random, 40);
  const bool one_shape = below(random, 2) == 0;
  std::vector<Box> places;
  for (int i = 0; i < heaps; ++i)
    places.push_back({below(random, side), below(random, side) - 500, 20 + below(random, 200), 0});
  std::vector<Candidate> list;
  for (int i = 0; i < n; ++i) {
    Box box{below(random, side), below(random, side) - 500, below(random, 300), below(random, 300)};
    if (heaps > 0 && below(random, 6) != 0) {
      box = places[static_cast<std::size_t>(below(random, heaps))];
      box.x += (below(random, wander) - wander / 2) / grid * grid;
      box.y += (below(random, wander) - wander / 2) / grid * grid;
      box.width += below(random, 30) - 15;
    }
    if (one_shape || box.height == 0) box.height = 2 * box.width;
    if (i > 0 && below(random, 10) == 0) box = list[static_cast<std::size_t>(below(random, i))].box;
    list.push_back({box, below(random, 40) / 8.0 - 1, 1});
  }
  return list;
}

}  // namespace winnow::sample
