// Gives the names of merge rules, checks search defaults, and fills options with these defaults.
#include <winnow/search_defaults.h>

#include <cmath>

#include <winnow/detection.h>
#include <winnow/error.h>

namespace winnow {

const char* merge_name(Merge merge) {
  switch (merge) {
    case Merge::kGroups:
      return "groups";
    case Merge::kMeanShift:
      return "meanshift";
    case Merge::kSupport:
      return "support";
  }
  return "unknown";
}

Merge parse_merge(const std::string& name) {
  for (const Merge merge : {Merge::kGroups, Merge::kMeanShift, Merge::kSupport}) {
    if (name == merge_name(merge)) return merge;
  }
  throw Error(ErrorCode::kUsage,
              "there is no merge \"" + name + "\"; there are groups, meanshift and support");
}

void check_search_defaults(const SearchDefaults& defaults) {
  const auto refuse = [](const char* what) {
    throw Error(ErrorCode::kFormat, std::string("the card's ") + what);
  };
  const auto is_side = [](int side) { return side >= 0 && side <= 1 << 16; };
  if (!(defaults.scale_factor > 1) || !std::isfinite(defaults.scale_factor))
    refuse("scale factor must be a number above 1");
  if (!(defaults.enlarge >= 1 && defaults.enlarge <= 4)) refuse("enlarging must be a number from 1 to 4");
  if (!is_side(defaults.step.width) || !is_side(defaults.step.height))
    refuse("step must be from 0 to 65536 pixels");
  if (std::isnan(defaults.min_score)) refuse("minimum score must be a number");
  if (std::isnan(defaults.min_support)) refuse("minimum support must be a number");
  if (!(defaults.border >= 0 && defaults.border <= 1)) refuse("border must be a number from 0 to 1");
}

DetectOptions complete_options(DetectOptions options, const SearchDefaults& defaults) {
  if (!options.scale_factor) options.scale_factor = defaults.scale_factor;
  if (!options.enlarge) options.enlarge = defaults.enlarge;
  if (options.step == Size{}) options.step = defaults.step;
  if (!options.merge) options.merge = defaults.merge;
  if (!options.min_neighbors) options.min_neighbors = defaults.min_neighbors;
  if (!options.min_score) options.min_score = defaults.min_score;
  if (!options.min_support) options.min_support = defaults.min_support;
  if (!options.border) options.border = defaults.border;
  return options;
}

}  // namespace winnow
