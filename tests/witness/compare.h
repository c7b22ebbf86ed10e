// Answers as sorted multisets: OpenCV's own order changes with its threads, so order is no part of what is
// compared with it.
#pragma once

#include <winnow/detector.h>
#include <string>
#include <vector>

namespace witness {

enum Fields { kBoxes = 0, kScores = 1, kNeighbors = 2 };  // boxes always; scores as doubles, to the bit

// Empty if equal; else what is only in one of them, the first few, e.g.
// "raw scores: 2 of 17 only in OpenCV: [3 4 24 24 score 1.25] ...; 2 of 17 only in Winnow: ...".
std::string difference(const std::string& what, std::vector<winnow::Detection> theirs,
                       std::vector<winnow::Detection> ours, int fields, const char* their_name = "OpenCV",
                       const char* our_name = "Winnow");

}  // namespace witness
