// Options of a pack: what makes sense, and as JSON for the recipe.
#pragma once

#include <nlohmann/json.hpp>

#include <winnow/pack.h>

#include "image/warp_picture.h"

namespace winnow {

void check_pack_options(const PackOptions& options);  // kUsage
WarpBounds warp_bounds(const PackOptions& options);
nlohmann::ordered_json options_json(const PackOptions& options);

}  // namespace winnow
