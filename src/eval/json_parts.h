// Writes the parts that the JSON of all evaluations shares.
//
// In:     numbers, and the options of a search.
// Out:    values of JSON.
// Memory: values belong to the caller.
// Thread: any.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

#include <winnow/detector.h>

namespace winnow {

using Json = nlohmann::ordered_json;

// JSON has no infinities and no NaN. They become null.
inline Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json search_json(const DetectOptions& given);

}  // namespace winnow
