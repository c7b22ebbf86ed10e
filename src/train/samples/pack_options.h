// Checks the options of a pack, and writes them as JSON for the recipe.
//
// In:     pack options.
// Out:    kUsage for an option out of its range; the part of the options that bounds warps; JSON with its
//         keys in a fixed order.
// Exact:  the same JSON for the same options.
// Memory: nothing is kept.
// Thread: any.
#pragma once

#include <nlohmann/json.hpp>

#include <winnow/pack.h>

#include "image/warp_picture.h"

namespace winnow {

void check_pack_options(const PackOptions& options);  // kUsage for an option out of its range
WarpBounds warp_bounds(const PackOptions& options);
nlohmann::ordered_json options_json(const PackOptions& options);

}  // namespace winnow
