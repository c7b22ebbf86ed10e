// Learns how an object looks, and how its surroundings look: the P- and N-experts of TLD.
//
// In:     a prepared frame, the grid, the object's box on the level, and the windows that a search found
//         varied.
// Out:    a learnt object.
// Exact:  each random number depends on the seed, the frame's number and the number's purpose. Turns use sums
//         and products of doubles alone.
// Memory: as `LearntObject`.
// Thread: one thread at a time for an object.
//
// The P-expert takes the windows nearest to the box, turned and moved a little, for the object. The N-expert
// takes windows far from it that the ferns took for the object, or nearly, for something else.
#pragma once

#include <cstdint>

#include <winnow/box.h>

#include "track/tld/learnt_object.h"
#include "track/tld/object_frame.h"
#include "track/tld/object_search.h"

namespace winnow {

// Learns an object from the frame in which a person marked it. `object.box` is set. False if no window is
// near to the box: it lies outside of the frame, say.
bool learn_first(const ObjectFrame& frame, const ObjectGrid& grid, LearntObject& object);

// Learns a box on the level that a person marked in a later frame, as certain as the first. False as above.
bool learn_marked(const ObjectFrame& frame, const ObjectGrid& grid, const RealBox& box,
                  std::uint64_t frame_number, LearntObject& object);

// Learns from a later frame. `box`: the object's place on the level.
void learn_more(const ObjectFrame& frame, const ObjectGrid& grid, const RealBox& box,
                const ObjectFinds& finds, std::uint64_t frame_number, LearntObject& object);

}  // namespace winnow
