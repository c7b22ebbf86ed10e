// How a model is searched and merged unless the caller says otherwise.
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

// How candidates, the windows that pass, become objects.
enum class Merge {
  // OpenCV's groupRectangles: candidates that are similar, directly or through others, become their mean box.
  kGroups,
  // Mean shift: each candidate climbs to a peak of the candidates' density in place and size. Candidates at
  // one peak become an object there. A candidate weighs 1, or its score if the model is a linear SVM.
  kMeanShift,
  // Support: a candidate's support is the sum of what the others weigh that nearly coincide with it. The best
  // supported one becomes an object, and takes those that lie on it, also boxes around a part of it. Its score
  // is its support. A candidate weighs its score less `min_score`, or 1 if `min_score` is minus infinity.
  kSupport,
};
WINNOW_API const char* merge_name(Merge merge);  // "groups", "meanshift", "support"
// One of these names; any other name is a kUsage error that lists them.
WINNOW_API Merge parse_merge(const std::string& name);

// The values here are OpenCV's for cascades. `DetectOptions` explains the fields.
struct SearchDefaults {
  double scale_factor = 1.1;
  double enlarge = 1;
  Size step{};  // {}: that of the model's plan rules
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
