// Gives the names of weak classifiers and of the kinds of boosting, as winnow/weak_learner.h declares; its
// opening comment holds here.
#include <winnow/weak_learner.h>

namespace winnow {

const char* weak_kind_name(WeakKind kind) {
  switch (kind) {
    case WeakKind::kTree:
      return "tree";
    case WeakKind::kTable:
      return "table";
  }
  return "unknown";
}

const char* boost_kind_name(BoostKind kind) {
  switch (kind) {
    case BoostKind::kGentle:
      return "gentle";
    case BoostKind::kReal:
      return "real";
    case BoostKind::kDiscrete:
      return "discrete";
  }
  return "unknown";
}

}  // namespace winnow
