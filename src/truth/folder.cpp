// Reads truth from a folder with one label file per picture, as truth/truth_file.h declares; its opening
// comment holds here.
#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include <winnow/error.h>
#include <winnow/image.h>

#include "base/file.h"
#include "image/picture_format.h"
#include "truth/known.h"
#include "truth/truth_file.h"
#include "truth/words.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

constexpr const char* kClasses = "classes.txt";
constexpr const char* kYaml = "data.yaml";

// Reads a file and passes its text to `use`. An error of `use` then names the file.
template <class Use>
auto with_text(const fs::path& path, Use&& use) {
  const std::vector<std::byte> bytes = read_file(path.string(), kMaxTruthBytes);
  try {
    return use(truth_text(bytes));
  } catch (const Error& error) {
    if (!error.file().empty()) throw;
    throw error.in_file(path.string());
  }
}

// The label files of one format in a folder.
struct LabelFiles {
  TruthFormat format;
  const char* ending;
  std::vector<fs::path> paths;
};
using FolderFiles = std::array<LabelFiles, 3>;

FolderFiles label_files(const fs::path& folder) {
  FolderFiles files{
      {{TruthFormat::kYolo, ".txt", {}}, {TruthFormat::kVoc, ".xml", {}}, {TruthFormat::kPts, ".pts", {}}}};
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory() || entry.path().filename() == kClasses) continue;
    const std::string ending = lower(entry.path().extension().string());
    for (LabelFiles& each : files)
      if (ending == each.ending) each.paths.push_back(entry.path());
  }
  // Files of a folder come in no defined order.
  for (LabelFiles& each : files) std::sort(each.paths.begin(), each.paths.end());
  return files;
}

bool has_labels(const LabelFiles& files) { return !files.paths.empty(); }

const LabelFiles& named_files(const FolderFiles& files, const std::string& name) {
  const TruthFormat format = named_format(name);
  for (const LabelFiles& each : files) {
    if (each.format != format) continue;
    if (!has_labels(each)) throw Error(ErrorCode::kFormat, "is a folder without labels of format " + name);
    return each;
  }
  throw Error(ErrorCode::kUsage, "is a folder, and labels of format " + name + " are a file");
}

// The files of the only format that the folder holds.
const LabelFiles& only_files(const FolderFiles& files) {
  const LabelFiles* only = nullptr;
  std::string endings, names;
  for (const LabelFiles& each : files) {
    if (!has_labels(each)) continue;
    endings.append(only ? " and " : "").append(each.ending);
    names.append(only ? " or " : "").append(truth_format_name(each.format));
    only = &each;
  }
  if (only == nullptr)
    throw Error(ErrorCode::kFormat, "is a folder without labels (YOLO's .txt, VOC's .xml or iBUG's .pts)");
  if (std::count_if(files.begin(), files.end(), has_labels) > 1)
    throw Error(ErrorCode::kFormat, "is a folder with " + endings + " files; name the format " + names);
  return *only;
}

}  // namespace

std::string voc_pictures(TruthFormat format, const std::string& labels) {
  const fs::path folder = fs::path(labels).lexically_normal();
  const fs::path named = folder.has_filename() ? folder : folder.parent_path();
  if (format != TruthFormat::kVoc || named.filename() != "Annotations") return labels;
  const fs::path beside = named.parent_path() / "JPEGImages";
  std::error_code ignored;
  return fs::is_directory(beside, ignored) ? beside.string() : labels;
}

Truth read_truth_folder(const std::string& path, const TruthOptions& options) {
  fs::path folder = path;
  FolderFiles files = label_files(folder);
  for (const char* inner : {"labels", "Annotations"}) {
    if (std::any_of(files.begin(), files.end(), has_labels) || !fs::is_directory(folder / inner)) continue;
    folder /= inner;
    files = label_files(folder);
  }
  const auto& [format, ending, paths] =
      options.format.empty() ? only_files(files) : named_files(files, options.format);
  Gather gather(format, options.pictures.empty() ? voc_pictures(format, folder.string()) : options.pictures);
  BesideLabels around(folder.string(), options.pictures);
  std::vector<std::string> classes;
  if (format == TruthFormat::kYolo) classes = around.classes();
  for (const std::string& name : classes) gather.category(name);
  FirstPts first;
  for (const fs::path& file : paths)
    with_text(file, [&, format = format](std::string_view text) {
      if (format == TruthFormat::kVoc) return read_voc(text, gather);
      if (format == TruthFormat::kPts) return read_pts(text, file.stem().string(), around, first, gather);
      read_yolo(text, file.stem().string(), classes, around, gather);
    });
  return gather.finish(options.category);
}

std::vector<std::string> BesideLabels::classes() {
  fs::path folder = fs::absolute(labels_.empty() ? "." : labels_).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  for (int up = 0; up <= 2; ++up, folder = folder.parent_path()) {
    if (fs::is_regular_file(folder / kClasses)) return with_text(folder / kClasses, class_list);
    if (fs::is_regular_file(folder / kYaml)) return with_text(folder / kYaml, yaml_names);
  }
  return {};
}

std::string BesideLabels::picture(const std::string& stem) {
  std::vector<fs::path> folders;
  if (!pictures_.empty()) {
    folders = {pictures_};
  } else {
    folders = {labels_};
    // If the path has a folder named labels, pictures may lie in a folder named images beside that folder.
    // If several folders are named labels, the last one counts.
    fs::path below;
    for (fs::path at = fs::path(labels_).lexically_normal(); at.has_relative_path(); at = at.parent_path()) {
      if (at.filename() == "labels") {
        folders.push_back(at.parent_path() / "images" / below);
        break;
      }
      if (at.has_filename()) below = below.empty() ? at.filename() : at.filename() / below;
    }
  }
  for (const fs::path& folder : folders)
    for (const std::string& ending : picture_endings())
      if (const fs::path path = folder / (stem + ending); fs::is_regular_file(path)) return path.string();
  throw Error(ErrorCode::kIo, "its picture " + shown(stem + ".jpg") + " (or .png, ...) is not in " +
                                  (folders.back().empty() ? "this folder" : folders.back().string()));
}

// Decodes the whole picture, because EXIF may turn it, which swaps the width and height given in the file.
Size BesideLabels::size(const std::string& picture) { return read_picture(picture).gray.size(); }

}  // namespace winnow
