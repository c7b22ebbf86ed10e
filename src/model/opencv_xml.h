// OpenCV's two XML formats: opencv_traincascade's (new) and opencv_haartraining's (old, Haar only).
//
// Readers: hostile bytes in, a model out that says what the file says; the caller checks it (`check_model`).
// Numbers are read as double and cast; the 1e-5 that OpenCV takes off stage thresholds is left to
// `ModelRules`. Where OpenCV is lenient on purpose so are they, and a note says so: stage trees are taken in
// file order, stumps have leaf 0 on the left and leaf 1 on the right whatever their child indices say.
//
// Writers: a checked, canonical model in, bytes out that OpenCV 3 and 4 load. The new format is exact:
// reading it gives the same model. The old format writes each node's feature and leaves inside the node, so
// reading it gives a model that decides the same with the same numbers, but whose features and leaves are
// counted in order of appearance. What a format cannot say is an Error (kUsage for LBP in the old one,
// kUnsupported otherwise; kLimit for what could not be read again, above 64 MiB).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <winnow/cascade_model.h>

namespace winnow {

class XmlFile;

// Either format, told apart by what the file holds.
CascadeModel read_opencv_xml(std::span<const std::byte> bytes);
std::string write_opencv_xml(const CascadeModel& model);
std::string write_opencv_old_xml(const CascadeModel& model);

}  // namespace winnow
