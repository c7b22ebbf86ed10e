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

// A box of less confidence counts as lost: it is told only if it is about twice as likely right as wrong.
inline constexpr double kLostBelow = 0.65;

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
inline constexpr Knot kFound[] = {{0.2, 0.00983}, {0.35, 0.0711}, {0.45, 0.637}, {0.55, 6.61}, {0.7, 60.2}};
inline constexpr Knot kNotFound[] = {{0.2, 0.0476}, {0.35, 0.191}, {0.45, 0.823}, {0.55, 4.1}, {0.7, 39.6}};
inline constexpr Knot kShareFound[] = {{0, 0.141},   {0.1, 0.373}, {0.3, 0.674},
                                       {0.6, 0.947}, {0.9, 1.73},  {1, 3.7}};
inline constexpr Knot kChange[] = {{-0.3, 0.534}, {-0.2, 0.687}, {-0.1, 0.992}, {0, 1.25}, {0.1, 0.471}};
inline constexpr Knot kBack[] = {{1, 1.36}, {4, 0.592}, {8, 0.267}};
inline constexpr Knot kKept[] = {{0.1, 1.06}, {0.5, 1.15}, {0.8, 1.19}, {1, 4.41}};

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
