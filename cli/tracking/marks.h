// Reads the boxes in which a user marks objects, from `winnow track --box`.
//
// In:     texts: "X,Y,W,H", then "@FRAME" for another frame than the first; "ID=" before them for an object
//         that an earlier box began.
// Out:    the marks, ordered by frame; kUsage for a text that is none, with what is wrong.
// Memory: results belong to the caller.
#pragma once

#include <winnow/box.h>

#include <cstdint>
#include <string>
#include <vector>

namespace winnow::cli {

struct Mark {
  int id = 0;  // counts on from the loaded objects, in the order of the boxes that begin objects
  bool begins = true;
  std::int64_t frame = 0;
  RealBox box;
  std::string text;  // as the user wrote it
};

// `loaded`: the number of objects that are there before the first box, with the ids from 1.
std::vector<Mark> parse_marks(const std::vector<std::string>& texts, int loaded);

}  // namespace winnow::cli
