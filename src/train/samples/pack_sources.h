// What the names given to `make_pack` are, known by what lies there.
#pragma once

#include <string>
#include <vector>

namespace winnow {

enum class SourceKind { kCrops, kPicture, kVec, kTruth };
SourceKind positive_kind(const std::string& path);

// The files of a folder whose names end as pictures do, sorted by name; hidden ones are left out, deeper
// folders are not looked into. kIo if the folder cannot be read.
std::vector<std::string> pictures_in(const std::string& folder);

// Whether a file of labels lies beside a picture, named like it (YOLO's .txt, VOC's .xml).
bool has_labels(const std::string& picture);
bool is_folder(const std::string& path);
// By the first bytes; kIo if it cannot be read.
bool starts_as_picture(const std::string& path);
// The last part of a path.
std::string file_name(const std::string& path);

}  // namespace winnow
