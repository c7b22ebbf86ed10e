// Multiplies the pixels of two patches, and adds up the products.
//
// In:     the pixels of two patches.
// Out:    the sum.
// Exact:  whole numbers; the same for every SIMD target.
// Memory: nothing is allocated.
// Thread: any.
#pragma once

#include <cstdint>

#include "track/tld/object_patch.h"

namespace winnow {

std::int32_t patch_product(const ObjectPatch& a, const ObjectPatch& b);

}  // namespace winnow
