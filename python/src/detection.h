// Turns objects that were found into NumPy's records, and back.
//
// In:     `Detections`, a structured array with the fields of `Detections.objects`, or boxes as (n, 4).
// Out:    records with x, y, width, height, score and neighbors.
// Memory: records look into the `Detections` that they came from.
#pragma once

#include <span>
#include <vector>

#include <winnow/detection.h>

#include "bind.h"

namespace winnow::python {

nb::object detection_records(std::span<const Detection> objects, nb::handle owner);
nb::object detection_records(std::vector<Detection> objects);
std::vector<Detection> parse_detections(nb::handle object);

}  // namespace winnow::python
