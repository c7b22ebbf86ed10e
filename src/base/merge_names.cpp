// Gives the names of the merge rules, which live as long as the program.
#include <winnow/detection.h>
#include <winnow/error.h>

namespace winnow {

const char* merge_name(Merge merge) {
  switch (merge) {
    case Merge::kGroups:
      return "groups";
    case Merge::kMeanShift:
      return "meanshift";
  }
  return "unknown";
}

Merge parse_merge(const std::string& name) {
  for (const Merge merge : {Merge::kGroups, Merge::kMeanShift}) {
    if (name == merge_name(merge)) return merge;
  }
  throw Error(ErrorCode::kUsage, "there is no merge \"" + name + "\"; there are groups and meanshift");
}

}  // namespace winnow
