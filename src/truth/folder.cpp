// Reads truth from a folder with one label file per picture, as truth/truth_file.h declares; its opening
// comment holds here.
#include <algorithm>
#include <filesystem>
#include <optional>

#include <winnow/error.h>
#include <winnow/image.h>

#include "base/file.h"
#include "truth/known.h"
#include "truth/truth_file.h"
#include "truth/words.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

constexpr const char* kClasses = "classes.txt";
constexpr const char* kYaml = "data.yaml";

// Reads a file and gives its text to `use`, whose errors then name the file.
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

struct Files {
  std::vector<fs::path> xml, txt;
};

Files label_files(const fs::path& folder) {
  Files files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory()) continue;
    const std::string ending = lower(entry.path().extension().string());
    if (ending == ".xml") files.xml.push_back(entry.path());
    if (ending == ".txt" && entry.path().filename() != kClasses) files.txt.push_back(entry.path());
  }
  // Files of a folder come in no defined order.
  std::sort(files.xml.begin(), files.xml.end());
  std::sort(files.txt.begin(), files.txt.end());
  return files;
}

TruthFormat folder_format(const Files& files, const TruthOptions& options) {
  if (!options.format.empty()) {
    const TruthFormat format = named_format(options.format);
    if (format != TruthFormat::kYolo && format != TruthFormat::kVoc)
      throw Error(ErrorCode::kUsage, "is a folder, and labels of format " + options.format + " are a file");
    if ((format == TruthFormat::kYolo ? files.txt : files.xml).empty())
      throw Error(ErrorCode::kFormat, "is a folder without labels of format " + options.format);
    return format;
  }
  if (files.txt.empty() && files.xml.empty())
    throw Error(ErrorCode::kFormat, "is a folder without labels (YOLO's .txt or VOC's .xml)");
  if (!files.txt.empty() && !files.xml.empty())
    throw Error(ErrorCode::kFormat, "is a folder with .txt and .xml files; name the format yolo or voc");
  return files.xml.empty() ? TruthFormat::kYolo : TruthFormat::kVoc;
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
  Files files = label_files(folder);
  for (const char* inner : {"labels", "Annotations"}) {
    if (!files.txt.empty() || !files.xml.empty() || !fs::is_directory(folder / inner)) continue;
    folder /= inner;
    files = label_files(folder);
  }
  const TruthFormat format = folder_format(files, options);
  Gather gather(format, options.pictures.empty() ? voc_pictures(format, folder.string()) : options.pictures);
  if (format == TruthFormat::kVoc) {
    for (const fs::path& file : files.xml)
      with_text(file, [&](std::string_view text) { read_voc(text, gather); });
  } else {
    YoloBeside around(folder.string(), options.pictures);
    const std::vector<std::string> classes = around.classes();
    for (const std::string& name : classes) gather.category(name);
    for (const fs::path& file : files.txt)
      with_text(file, [&](std::string_view text) {
        read_yolo(text, file.stem().string(), classes, around, gather);
      });
  }
  return gather.finish(options.category);
}

std::vector<std::string> YoloBeside::classes() {
  fs::path folder = fs::absolute(labels_.empty() ? "." : labels_).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  for (int up = 0; up <= 2; ++up, folder = folder.parent_path()) {
    if (fs::is_regular_file(folder / kClasses)) return with_text(folder / kClasses, class_list);
    if (fs::is_regular_file(folder / kYaml)) return with_text(folder / kYaml, yaml_names);
  }
  return {};
}

std::string YoloBeside::picture(const std::string& stem) {
  std::vector<fs::path> folders;
  if (!pictures_.empty()) {
    folders = {pictures_};
  } else {
    folders = {labels_};
    // Pictures may lie in a folder named images beside the last folder of the path that is named labels.
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
    for (const char* ending : {".jpg", ".jpeg", ".png", ".pgm", ".ppm", ".pnm", ".JPG", ".JPEG", ".PNG"})
      if (const fs::path path = folder / (stem + ending); fs::is_regular_file(path)) return path.string();
  throw Error(ErrorCode::kIo, "its picture " + shown(stem + ".jpg") + " (or .png, ...) is not in " +
                                  (folders.back().empty() ? "this folder" : folders.back().string()));
}

// Reads the whole picture, because only a decoded picture is upright.
Size YoloBeside::size(const std::string& picture) { return read_picture(picture).gray.size(); }

}  // namespace winnow
