// Keeps patches of an object and of what it is not, and says how much a patch is like the object.
//
// In:     patches, and whether they are of the object.
// Out:    likenesses from 0 to 1.
// Exact:  as `likeness_of` (`object_patch.h`), then a few operations of doubles in a fixed order.
// Memory: owns at most `kMostTemplates` patches of each kind.
// Thread: one thread at a time adds; reading is free.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "track/tld/object_patch.h"

namespace winnow {

inline constexpr std::size_t kMostTemplates = 200;

struct Likeness {
  // The distance to what the object is not, as a part of the distances to both. A distance is one less the
  // greatest likeness to a patch.
  double relative = 0;
  double conservative = 0;  // the same, with the earlier half of the object's patches, and the certain ones
  double other = 0;         // the greatest likeness to what the object is not
};

class Templates {
 public:
  Likeness compare(const ObjectPatch& patch) const;
  // The greatest likeness to a patch of the object; to one that is certain, since a person marked it; to one
  // that is certain or of the earlier half. -1 without such patches.
  double like_object(const ObjectPatch& patch) const;
  double like_certain(const ObjectPatch& patch) const;
  double like_early(const ObjectPatch& patch) const;

  // `certain`: a person marked the patch. If there are too many patches, a random one goes that is not
  // certain, or the oldest certain one but the first.
  void add_object(const ObjectPatch& patch, bool certain, Random& random);
  void add_other(const ObjectPatch& patch, Random& random);

  std::size_t objects() const { return objects_.size(); }
  std::size_t others() const { return others_.size(); }
  // A patch that is kept of the object, and whether it is certain.
  struct Kept {
    ObjectPatch patch;
    bool certain = false;
  };
  // In the order in which they came.
  std::span<const Kept> all_objects() const { return objects_; }
  std::span<const ObjectPatch> all_others() const { return others_; }

 private:
  // Whether the patch is of the earlier half, or certain.
  bool is_early(std::size_t i) const { return i < (objects_.size() + 1) / 2 || objects_[i].certain; }

  std::vector<Kept> objects_;  // in the order in which they came
  std::vector<ObjectPatch> others_;
};

}  // namespace winnow
