// Converts objects that were found to NumPy's records, and back.
//
// In:     `Detections`, a list of `Detection`s, a structured array with the fields of `Detections.objects`,
//         or boxes as (n, 4).
// Out:    records with x, y, width, height, score and neighbors.
// Memory: records are a copy that belongs to the caller.
#pragma once

#include <span>
#include <vector>

#include <winnow/detection.h>

#include "bind.h"

namespace winnow::python {

// The class `Detection` of Python, for a single object.
nb::handle detection_class();
nb::object detection_records(std::span<const Detection> objects);
std::vector<Detection> parse_detections(nb::handle object);
std::vector<Box> parse_boxes(nb::handle object);  // the boxes of these objects

}  // namespace winnow::python
