// Pictures by picture, folder, pattern or list: what `--negatives` and the like name. A list is a text file
// with a name a line, which is looked for as it stands, then beside the list.
#pragma once

#include <string>
#include <vector>

namespace winnow::cli {

struct PictureList {
  std::vector<std::string> paths;
  std::vector<std::string> problems;  // sentences: what is missing
};

PictureList list_pictures(const std::vector<std::string>& names);

}  // namespace winnow::cli
