// Lists the cascades to compare: those of OpenCV's data package, files of the caller, and made ones.
//
// In:     a pattern, or a name.
// Out:    names and paths of files. Both sides read the same file.
// Exact:  the list depends only on the pattern, the installed files and the seed.
// Memory: made models are temporary files, removed when the program ends.
// Thread: one thread at a time.
//
// Names of made models:
//   NAME@K        the first K stages of NAME
//   NAME@old      NAME in the old format of opencv_haartraining
//   random/N      a small random cascade (Haar, or LBP if N ends in 8 or 9)
//   random-old/N  the same in the old format
//   ties/N        a cascade of `tied_model.h`
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace witness {

struct ModelFile {
  std::string name;  // "haarcascade_eye"; for a file outside the package, its path
  std::string path;
  bool made = false;  // a generated model; it is compared on fewer and smaller pictures
};

// Returns the models whose names match `glob`, sorted by name. A `glob` with a '/' is a pattern of paths.
std::vector<ModelFile> list_models(const std::string& glob);
// Names of made models that belong to `models`. `find_model` writes a made model's file.
std::vector<std::string> made_models(const std::vector<ModelFile>& models, bool subset, std::uint64_t seed);
// Returns the model called `name`, and makes it if necessary. Throws std::runtime_error if there is none.
ModelFile find_model(const std::string& name);

}  // namespace witness
