// Reads and writes dlib's shape_predictor.
//
// In:     hostile bytes, or a checked model.
// Out:    a model as the file has it, for the caller to check; or the bytes of a file. The reader throws
//         kFormat for broken bytes, with the byte's place, kUnsupported for trees of several sizes, and
//         kLimit for counts beyond those of landmark_model.h.
// Exact:  floats are read and written without loss. A file that dlib wrote is written with the same bytes.
// Memory: results belong to the caller. Counts are checked against limits and the bytes that the file has
//         left.
// Thread: any.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <winnow/landmarks.h>

namespace winnow {

bool is_dlib_shape(std::span<const std::byte> bytes);
LandmarkModel read_dlib_shape(std::span<const std::byte> bytes);
// kUnsupported if dlib's file cannot express the model.
std::vector<std::byte> write_dlib_shape(const LandmarkModel& model);

}  // namespace winnow
