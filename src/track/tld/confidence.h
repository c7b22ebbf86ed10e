// Tells how sure a box is: the probability that the box is on the object.
//
// In:     how alike the box is, whether a found window lies there, how well flow went; the memory of earlier
//         frames.
// Out:    how often such boxes overlapped the object by a quarter, in runs on nine sequences: from the first
//         frame, from a third, from the half, backwards, with gaps, and with turns of the camera. The odds
//         are a product of ratios. bench/tracking/track_figures.py fits the ratios.
// Exact:  sums, products and quotients of doubles in a fixed order.
// Memory: nothing is allocated. Three numbers of an object go from frame to frame.
// Thread: any.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include "track/tld/box_motion.h"

namespace winnow {

// A box of less confidence counts as lost: it is more likely wrong than right.
inline constexpr double kLostBelow = 0.5;

// What one frame tells of a box.
struct BoxSigns {
  double likeness = 0;            // conservative
  bool found = false;             // a found window lies there
  std::optional<FlowSigns> flow;  // none if the search alone gave the box
};

// What the frames before tell. A mark begins it anew.
struct SignMemory {
  double found = 1;     // the share of frames whose box was found; later frames count more
  double likeness = 1;  // the mean of likenesses; later frames count more
  double back = 0;      // the greatest `FlowSigns::back` since the box was found
  // The box is gone. How alike the object usually is stays known.
  void lose() { found = back = 0; }
};

namespace confidence {

// At this value of a sign the odds are multiplied by this ratio. Between two knots ratios lie on a line.
struct Knot {
  double at, ratio;
};

inline constexpr double kFoundPart = 0.2, kLikenessPart = 0.1;  // of a new frame, in the memory
inline constexpr Knot kFound[] = {{0.2, 0.0182}, {0.35, 0.0992}, {0.45, 0.643}, {0.55, 4.68}, {0.7, 50}};
inline constexpr Knot kNotFound[] = {{0.2, 0.0317}, {0.35, 0.143}, {0.45, 0.721}, {0.55, 3.98}, {0.7, 42.9}};
inline constexpr Knot kShareFound[] = {{0, 0.181},   {0.1, 0.334}, {0.3, 0.672},
                                       {0.6, 0.817}, {0.9, 1.38},  {1, 3.3}};
inline constexpr Knot kChange[] = {{-0.3, 0.671}, {-0.2, 0.822}, {-0.1, 1.06}, {0, 0.958}, {0.1, 0.27}};
inline constexpr Knot kBack[] = {{1, 1.31}, {4, 0.528}, {8, 0.22}};
inline constexpr Knot kKept[] = {{0.1, 0.592}, {0.5, 0.91}, {0.8, 1.24}, {1, 4.4}};

template <std::size_t N>
double ratio_at(const Knot (&knots)[N], double at) {
  if (!(at > knots[0].at)) return knots[0].ratio;
  for (std::size_t i = 1; i < N; ++i) {
    const Knot &a = knots[i - 1], &b = knots[i];
    if (at < b.at) return a.ratio + (b.ratio - a.ratio) * ((at - a.at) / (b.at - a.at));
  }
  return knots[N - 1].ratio;
}

}  // namespace confidence

// The confidence of a box. The memory takes in its signs.
inline double next_confidence(const BoxSigns& signs, SignMemory& memory) {
  using namespace confidence;
  const double change = signs.likeness - memory.likeness, back = signs.flow ? signs.flow->back : 0;
  memory.found += kFoundPart * ((signs.found ? 1 : 0) - memory.found);
  memory.likeness += kLikenessPart * change;
  memory.back = signs.found ? back : std::max(memory.back, back);
  double odds = signs.found ? ratio_at(kFound, signs.likeness) : ratio_at(kNotFound, signs.likeness);
  odds *= ratio_at(kShareFound, memory.found);
  odds *= ratio_at(kChange, change);
  odds *= ratio_at(kBack, memory.back);
  if (signs.flow) odds *= ratio_at(kKept, signs.flow->kept);
  return odds / (1 + odds);
}

}  // namespace winnow
