// Reads truth from files and folders: finds the format, the pictures and the class names.
//
// In:     the bytes of a file, possibly hostile, or a folder.
// Out:    a `Truth`, or an `Error`.
// Exact:  as `truth/formats/readers.h` says.
// Memory: the result belongs to the caller. `truth_text` views the bytes, which must outlive the text.
// Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <winnow/truth.h>

#include "truth/formats/readers.h"

namespace winnow {

// The largest file that is read, in bytes. `parse_truth` does not check this limit.
inline constexpr std::int64_t kMaxTruthBytes = std::int64_t{1} << 30;

// The bytes as text, without the mark that some editors put before UTF-8. kFormat if a byte is zero.
std::string_view truth_text(std::span<const std::byte> bytes);

// Reads one file. `bytes` are the file's content, and `path` is its path: pictures are searched beside the
// file. Only YOLO and .pts files use `around`. Errors name the line, not the file.
Truth parse_truth(std::span<const std::byte> bytes, const std::string& path, const TruthOptions& options,
                  AroundLabels& around);

// Reads a folder with one label file per picture: YOLO's ("a.txt"), VOC's ("a.xml") or iBUG's ("a.pts"). The
// label files lie where `label_folders` (layout/label_folders.h) finds them, and are read in the order of
// their names. Errors name the file, unless they concern the whole folder.
Truth read_truth_folder(const std::string& folder, const TruthOptions& options);
// Reads YOLO's labels of the pictures that a list names, one a line.
Truth read_picture_list(std::string_view text, const std::string& path, const TruthOptions& options);
// Reads YOLO's labels of the pictures in the folders and lists that a data.yaml names: its train, val and
// test. Its paths count from its own folder, and from its `path` if it has one.
Truth read_data_yaml(std::string_view text, const std::string& path, const TruthOptions& options);
// Whether a text is a list of pictures: each line ends like the name of a picture.
bool is_picture_list(std::string_view text);

// The folder of the pictures whose labels lie in the folder `labels`. This is JPEGImages/ beside VOC's
// Annotations/ if JPEGImages/ exists, and otherwise `labels` itself.
std::string voc_pictures(TruthFormat format, const std::string& labels);

// Finds the files that go with YOLO's labels or with .pts files. Pictures lie in `pictures`. If `pictures` is
// "", they lie beside the labels, or in images/ if the labels are in labels/. Class names lie in
// classes.txt, obj.names or a .yaml with names, beside the labels or up to two folders above; the nearest
// file is used. kIo if a picture is not there. If `root` is not "", names of pictures count from there.
class BesideLabels final : public AroundLabels {
 public:
  BesideLabels(std::string labels, std::string pictures, std::string root = {})
      : labels_(std::move(labels)), pictures_(std::move(pictures)), root_(std::move(root)) {}
  std::vector<std::string> classes() override;
  std::string picture(const std::string& stem) override;
  std::string name(const std::string& picture) override;
  Size size(const std::string& picture) override;
  // The folders in which pictures are searched.
  std::vector<std::string> folders() const;

 private:
  std::string labels_, pictures_, root_;
  std::map<std::string, std::string> by_stem_;  // the paths of all pictures of the folders
  bool listed_ = false;
};

// The names of classes in a text. `class_list` reads one name per line. `yaml_names` reads the `names` of a
// data.yaml: `[a, b]`, or lines of the form `- a` or `0: a`. The list is empty if the text has no names.
std::vector<std::string> class_list(std::string_view text);
std::vector<std::string> yaml_names(std::string_view text);

}  // namespace winnow
