// Pictures by picture, folder, pattern or list: what `--negatives` and the like name. A list is a text file
// with a name a line, seen from the list's folder. Of a folder its own pictures count, as in training, and
// none of deeper ones.
#pragma once

#include <string>
#include <vector>

namespace winnow::cli {

struct PictureList {
  std::vector<std::string> paths;
  std::vector<std::string> problems;  // sentences: what is missing
};

PictureList list_pictures(const std::string& name);

}  // namespace winnow::cli
