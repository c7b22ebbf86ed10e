// The cascades to compare: those that OpenCV's data package brings, files of the caller's choice, and some
// made by the program. A made one is written to a temporary file, which both sides then read:
//   NAME@K      the first K stages of NAME
//   NAME@old    NAME in the old format of opencv_haartraining
//   random/N    a small random one (Haar, or LBP if N ends in 8 or 9), random-old/N the same in the old
//   format
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace witness {

struct ModelFile {
  std::string name;  // "haarcascade_eye"; of a file outside the package its path
  std::string path;
  bool made = false;  // compared on fewer and smaller pictures
};

// `glob` is matched against the names; with a '/' in it, it is a pattern of paths. Sorted by name.
std::vector<ModelFile> list_models(const std::string& glob);
// Names of made models beside those; each has files only once `find_model` was called.
std::vector<std::string> made_models(const std::vector<ModelFile>& models, bool subset, std::uint64_t seed);
// The one model called `name`, made if need be; throws std::runtime_error if there is none.
ModelFile find_model(const std::string& name);

}  // namespace witness
