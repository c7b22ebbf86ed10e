// Holds a model's defaults for a search: the options that apply unless the caller gives others.
//
// In:     nothing; plain data. Each model has `DetectorModel::search_defaults`, which its card may set.
// Out:    a value for each field of `DetectOptions` that the caller leaves out.
// Exact:  plain values. A merge gives the same objects on every backend.
// Memory: plain data. `merge_name` returns a string that lives as long as the program.
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
  // one peak become one object, which lies at the peak. A candidate weighs 1, or its score if the model is a
  // linear SVM.
  kMeanShift,
  // Support: a candidate's support is its own weight plus the weights of candidates that overlap it by half
  // or more. The smaller the overlap, the less a weight counts. The candidate with the largest support
  // becomes an object, and its support is the object's score. The object takes each candidate if their
  // boxes share most of the smaller box's area, such as a box around a part of the object. The remaining
  // candidates are then treated in the same way. A candidate weighs its score minus `min_score`, or 1 if
  // `min_score` is minus infinity.
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
// Throws kFormat for values that no search accepts.
WINNOW_API void check_search_defaults(const SearchDefaults& defaults);

}  // namespace winnow
