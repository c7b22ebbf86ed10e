// How pictures are searched with a model, and how windows are merged, unless the caller says otherwise.
//
// In:     nothing; plain data. A model has one (`DetectorModel::search_defaults`), and its card may name it.
// Out:    `DetectOptions` takes each field that the caller leaves out from here.
// Memory: plain data.
#pragma once

#include <limits>
#include <string>

#include <winnow/box.h>
#include <winnow/export.h>

namespace winnow {

// How candidates become objects. A candidate is a window that passed.
enum class Merge {
  // OpenCV's groupRectangles: a group of similar candidates becomes its mean box. Two candidates are in one
  // group if a chain of similar candidates joins them.
  kGroups,
  // Mean shift: each candidate climbs to a peak of the candidates' density in place and size. Candidates at
  // one peak become an object there. A candidate weighs 1, or its score if the model is a linear SVM.
  kMeanShift,
  // Support: a candidate's support is its own weight plus the weights of candidates that nearly coincide with
  // it, which count less if they overlap less. The candidate with the largest support becomes an object, and
  // its support is the object's score. The object takes the candidates that lie on it, also boxes around a
  // part of it. A candidate weighs its score less `min_score`, or 1 if `min_score` is minus infinity.
  kSupport,
};
WINNOW_API const char* merge_name(Merge merge);  // "groups", "meanshift", "support"
// Returns the merge with this name. kUsage for any other name, in an error that lists the names.
WINNOW_API Merge parse_merge(const std::string& name);

// The values here are OpenCV's for cascades. `DetectOptions` explains the fields.
struct SearchDefaults {
  double scale_factor = 1.1;
  double enlarge = 1;
  Size step{};  // {}: the step of the model's plan rules
  Merge merge = Merge::kGroups;
  int min_neighbors = 3;
  double min_score = -std::numeric_limits<double>::infinity();
  double min_support = 0;
  double border = 0;
  bool operator==(const SearchDefaults&) const = default;
};
// kFormat for values that no search takes.
WINNOW_API void check_search_defaults(const SearchDefaults& defaults);

}  // namespace winnow
