// Finds the label files that go with a folder of pictures, and the folders of labels inside a folder.
//
// In:     paths of folders.
// Out:    paths of folders with label files.
// Exact:  names are sorted, so the order does not depend on the file system.
// Memory: the caller owns the paths.
// Thread: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace winnow {

// Whether a file's name ends like that of a picture, in small or capital letters.
bool is_picture_name(std::string_view name);
// The pictures of a folder by their names, without hidden files and the folders inside.
std::vector<std::string> picture_files(const std::string& folder);

// The folder beside the last images/ of the path, or beside JPEGImages/, with the labels of its pictures:
// labels/ or Annotations/, with the same sub-folders. "" if the path has no such part, or nothing is there.
std::string labels_beside(const std::string& pictures);

// The folders with label files that a folder leads to. The first of these that finds some decides: the folder
// itself, its labels/ or Annotations/, the folder beside its images/, and all folders inside.
std::vector<std::string> label_folders(const std::string& folder);

// The files with COCO's labels of a folder. The first of these that has some decides: the folder itself, its
// annotations/, annotations/ beside its images/, and annotations/instances_NAME.json beside a folder NAME or
// beside images/NAME. A file counts if it has the lists `images` and `annotations`. In annotations/, files
// named instances... are preferred.
std::vector<std::string> coco_files(const std::string& folder);

}  // namespace winnow
