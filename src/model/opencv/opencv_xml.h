// Reads and writes OpenCV's two XML formats: opencv_traincascade's (new) and opencv_haartraining's (old, Haar
// only).
//
// In:     hostile bytes for the readers; a checked, canonical model for the writers.
// Out:    a model as the file has it, for the caller to check (`check_model`); or text that OpenCV 3 and 4
//         load.
// Exact:  the new format reads back as the same model. The old format keeps features and leaves inside nodes,
//         so reading renumbers features and leaves. The model still makes the same decisions with the same
//         numbers.
// Memory: results belong to the caller.
// Thread: any.
//
// - Numbers are read as double and cast. Thresholds of stages are kept as the file has them. OpenCV subtracts
//   1e-5 from each, and `ModelRules::threshold_slack` holds that number.
// - Where OpenCV is lenient on purpose, the readers are lenient, too, and add a note. Stages that form a tree
//   are taken in file order. Stumps have leaf 0 on the left and leaf 1 on the right, whatever the file says.
// - The writers throw for a model that the format cannot express: kUsage for LBP in the old format,
//   kUnsupported otherwise. Text above 64 MiB is kLimit, because it could not be read again.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <winnow/cascade_model.h>

namespace winnow {

class XmlFile;

// Reads either format, recognised by the content of the file.
CascadeModel read_opencv_xml(std::span<const std::byte> bytes);
std::string write_opencv_xml(const CascadeModel& model);
std::string write_opencv_old_xml(const CascadeModel& model);

}  // namespace winnow
