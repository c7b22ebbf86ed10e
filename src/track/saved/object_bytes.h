// Converts objects that trackers learnt to bytes and back.
//
// In:     what is known of objects, and where they are; or bytes that may be hostile.
// Out:    the bytes of `ByteWriter` (`base/byte_numbers.h`); or the same objects, to the bit. kFormat for
//         damaged bytes and for values that no tracker makes; kLimit for too many objects.
// Memory: an object takes a megabyte, and its bytes at most 1,074,000. What is read is bounded by
//         `kMostSavedObjects`.
// Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <winnow/box.h>

#include "track/tld/learnt_object.h"
#include "track/tld/object_tracker.h"

namespace winnow {

inline constexpr std::size_t kMostSavedObjects = 256;  // `Tracker::kMostSaved`
inline constexpr std::int64_t kMostSavedBytes = std::int64_t{kMostSavedObjects} * 1'074'000;

struct SavedObject {
  LearntObject object;
  TrackingPlace place;
  Size frame;  // the frame of `place`; none if the object was in no frame yet
};

std::vector<std::byte> write_objects(std::span<const SavedObject> objects);
std::vector<SavedObject> parse_objects(std::span<const std::byte> bytes);

}  // namespace winnow
