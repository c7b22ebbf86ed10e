// Reads and writes OpenCV's two XML formats: opencv_traincascade's (new) and opencv_haartraining's (old, Haar
// only).
//
// In:     hostile bytes for the readers; a checked, canonical model for the writers.
// Out:    a model that says what the file says, for the caller to check (`check_model`); or text that OpenCV
//         3 and 4 load.
// Exact:  the new format reads back as the same model. The old one keeps features and leaves inside nodes, so
//         that reading renumbers them. The model still decides the same with the same numbers.
// Memory: results belong to the caller.
// Thread: any.
//
// - Numbers are read as double and cast. The 1e-5 that OpenCV subtracts from stage thresholds is left to
//   `ModelRules`.
// - The readers are lenient where OpenCV is so on purpose, and a note says so. Stage trees are taken in file
//   order. Stumps have leaf 0 on the left and leaf 1 on the right, whatever their child indices say.
// - The writers throw for a model that the format cannot express: kUsage for LBP in the old format,
//   kUnsupported otherwise. Text above 64 MiB could not be read again and is kLimit.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <winnow/cascade_model.h>

namespace winnow {

class XmlFile;

// Reads either format, as the content of the file says.
CascadeModel read_opencv_xml(std::span<const std::byte> bytes);
std::string write_opencv_xml(const CascadeModel& model);
std::string write_opencv_old_xml(const CascadeModel& model);

}  // namespace winnow
