// Lists the pictures that an option such as `--negatives` names.
//
// In:     the name of a picture, a folder, a pattern or a list.
// Out:    paths, and a sentence for each name that cannot be used.
// Memory: results belong to the caller.
//
// A list is a text file with one name per line, relative to the list's folder. A folder means the pictures
// directly in the folder, as in training.
#pragma once

#include <string>
#include <vector>

namespace winnow::cli {

struct PictureList {
  std::vector<std::string> paths;
  std::vector<std::string> problems;  // sentences about names that cannot be used
};

PictureList list_pictures(const std::string& name);

}  // namespace winnow::cli
