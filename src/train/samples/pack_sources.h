// Determines the kinds of the sources given to `make_pack`, from the files on disk.
//
// In:     paths of files and folders.
// Out:    the kind of a source, and the pictures of a folder.
// Exact:  names are sorted, so the order does not depend on the file system.
// Memory: the caller owns the names.
// Thread: any.
#pragma once

#include <string>
#include <vector>

namespace winnow {

enum class SourceKind { kCrops, kPicture, kVec, kTruth };
// A folder is a truth (labels that `read_truth` reads) if it has labels, also in the labels/ beside
// images/, or no pictures. A file is a truth if it is neither a picture nor a `.vec`.
SourceKind positive_kind(const std::string& path);

// The files of a folder whose names end like those of pictures (.jpg, .png, ...), sorted by name. Hidden
// files and folders inside the folder are left out. kIo if the folder cannot be read.
std::vector<std::string> pictures_in(const std::string& folder);

// True if a label file with the picture's name lies beside the picture (YOLO's .txt, VOC's .xml or iBUG's
// .pts).
bool has_labels(const std::string& picture);
bool has_yolo_labels(const std::string& picture);
bool is_folder(const std::string& path);
// Whether the labels of a folder of pictures lie in a folder of YOLO's: labels/ in it, or beside images/.
bool has_label_folder(const std::string& folder);
// Whether the path is a file whose name ends like that of a data.yaml of YOLO's.
bool is_data_yaml(const std::string& path);
// The path without links and "..", also of a file that is not there.
std::string real_path(const std::string& path);
// Whether two paths lead to the same file or folder.
bool same_source(const std::string& a, const std::string& b);
// True if the first bytes are those of a picture. kIo if the file cannot be read.
bool starts_as_picture(const std::string& path);
// The last component of a path.
std::string file_name(const std::string& path);

}  // namespace winnow
