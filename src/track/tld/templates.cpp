#include "track/tld/templates.h"

#include <algorithm>

namespace winnow {

namespace {

// The likeness of two patches that have nothing to do with one another. Without patches of surroundings this
// is what a patch is compared with.
constexpr double kUnrelated = 0.5;

}  // namespace

Likeness Templates::compare(const ObjectPatch& patch) const {
  Likeness like;
  if (objects_.empty()) return like;
  double early = -1, all = -1;
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    const double likeness = likeness_of(patch, objects_[i].patch);
    all = std::max(all, likeness);
    if (is_early(i)) early = std::max(early, likeness);
  }
  like.other = kUnrelated;
  for (const ObjectPatch& other : others_) like.other = std::max(like.other, likeness_of(patch, other));
  const double from_others = 1 - like.other;
  const auto part = [&](double likeness) {
    const double both = from_others + (1 - likeness);
    return both > 0 ? from_others / both : 0;
  };
  like.relative = part(all);
  like.conservative = part(early);
  return like;
}

double Templates::like_object(const ObjectPatch& patch) const {
  double most = -1;
  for (const Kept& kept : objects_) most = std::max(most, likeness_of(patch, kept.patch));
  return most;
}

double Templates::like_certain(const ObjectPatch& patch) const {
  double most = -1;
  for (const Kept& kept : objects_)
    if (kept.certain) most = std::max(most, likeness_of(patch, kept.patch));
  return most;
}

double Templates::like_early(const ObjectPatch& patch) const {
  double most = -1;
  for (std::size_t i = 0; i < objects_.size(); ++i)
    if (is_early(i)) most = std::max(most, likeness_of(patch, objects_[i].patch));
  return most;
}

void Templates::add_object(const ObjectPatch& patch, bool certain, Random& random) {
  if (objects_.size() >= kMostTemplates) {
    std::vector<std::ptrdiff_t> free;
    for (std::size_t i = 0; i < objects_.size(); ++i)
      if (!objects_[i].certain) free.push_back(static_cast<std::ptrdiff_t>(i));
    // If a person marked them all, the oldest goes, but not the first.
    const std::ptrdiff_t gone =
        free.empty() ? 1 : free[static_cast<std::size_t>(random.below(static_cast<int>(free.size())))];
    objects_.erase(objects_.begin() + gone);
  }
  objects_.push_back({patch, certain});
}

void Templates::add_other(const ObjectPatch& patch, Random& random) {
  if (others_.size() >= kMostTemplates)
    others_.erase(others_.begin() + random.below(static_cast<int>(others_.size())));
  others_.push_back(patch);
}

}  // namespace winnow
