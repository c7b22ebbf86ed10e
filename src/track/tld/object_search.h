// Searches a frame for a learnt object: windows go through a sieve of variance, ferns and nearest neighbour.
//
// In:     a prepared frame, a grid of windows for its size, and the object.
// Out:    the windows that the ferns find a little alike, with their patterns; the candidates among them,
//         with patches and likenesses. A candidate that is alike enough is found.
// Exact:  same lists for every backend.
// Memory: the caller owns the lists, whose memory is used again.
// Thread: any.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <winnow/box.h>

#include "track/tld/learnt_object.h"
#include "track/tld/object_frame.h"
#include "track/tld/object_patch.h"

namespace winnow {

// At most so many candidates, those with the largest sums, are compared with the templates.
inline constexpr std::size_t kMostCandidates = 100;

struct ObjectCandidate {
  std::int64_t window;
  RealBox box;        // the window, on the level
  RealBox place;      // the box that is most alike, at or near the window
  ObjectPatch patch;  // of the window
  Likeness like;      // of the place
  bool found = false;
};

struct ObjectFinds {
  std::vector<LikelyWindow> sifted;         // what the host sifted
  std::span<const LikelyWindow> likely;     // with a sum of kFernOne or more, in the order of their numbers
  std::vector<ObjectCandidate> candidates;  // those with the largest sums, in the order of their numbers
  std::int64_t above = 0;                   // the number of windows with a sum above the object's least
};

// Whether the pixels of a window vary enough for the object.
bool is_varied(const ObjectFrame& frame, const Box& window, const LearntObject& object);

// Finds the candidates among `finds.likely`.
// `near_by`: for so many candidates with the largest sums, boxes beside the window are tried, too.
void judge_likely(const ObjectFrame& frame, const ObjectGrid& grid, const LearntObject& object,
                  std::size_t near_by, int threads, ObjectFinds& finds);
// Sifts the windows of a frame with sums (sift/sift_windows.h), and finds the candidates.
void search_object(const ObjectFrame& frame, const ObjectGrid& grid, const LearntObject& object,
                   std::size_t near_by, ObjectFinds& finds);

}  // namespace winnow
