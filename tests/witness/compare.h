// Compares two answers without regard to their order, since OpenCV's order changes with its threads.
//
// In:     two lists of detections, and the fields that count.
// Out:    a sentence about the differences; empty if there are none.
// Exact:  scores are compared as doubles, bit by bit.
// Memory: takes copies of the lists.
// Thread: any.
#pragma once

#include <winnow/detector.h>
#include <string>
#include <vector>

namespace witness {

enum Fields { kBoxes = 0, kScores = 1, kNeighbors = 2 };  // boxes are always compared

// Empty if the answers are equal. Otherwise lists the first few detections that only one of them has:
// "raw scores: 2 of 17 only in OpenCV: [3 4 24 24 score 1.25] ...; 2 of 17 only in Winnow: ...".
std::string difference(const std::string& what, std::vector<winnow::Detection> theirs,
                       std::vector<winnow::Detection> ours, int fields, const char* their_name = "OpenCV",
                       const char* our_name = "Winnow");

}  // namespace witness
