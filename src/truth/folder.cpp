// Reads truth from a folder with one label file per picture, as truth/truth_file.h declares; its opening
// comment holds here.
#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include <winnow/error.h>
#include <winnow/image.h>

#include "base/count_text.h"
#include "base/file.h"
#include "image/picture_format.h"
#include "truth/known.h"
#include "truth/layout/label_folders.h"
#include "truth/truth_file.h"
#include "truth/words.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

constexpr const char* kClasses = "classes.txt";
constexpr const char* kNames = "obj.names";

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

void add_label_files(const fs::path& folder, FolderFiles& files) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = lower(entry.path().filename().string());
    if (entry.is_directory() || name == kClasses || name.starts_with("readme")) continue;
    const std::string ending = lower(entry.path().extension().string());
    for (LabelFiles& each : files)
      if (ending == each.ending) each.paths.push_back(entry.path());
  }
}

bool has_labels(const LabelFiles& files) { return !files.paths.empty(); }

// Reads COCO's labels of a folder of pictures. A folder without pictures of its own does not tell where they lie.
Truth read_coco_folder(const std::string& folder, const std::vector<std::string>& files,
                       const TruthOptions& options) {
  const bool has_pictures = !options.pictures.empty() || !picture_files(folder).empty();
  if (files.size() > 1 || !has_pictures)
    throw Error(ErrorCode::kFormat,
                "is a folder with labels of COCO; name " +
                    std::string(files.size() > 1 ? "one of its files, such as " : "their file, ") +
                    files.front() + ", and with --pictures the folder of its pictures");
  const std::string pictures = options.pictures.empty() ? folder : options.pictures;
  Gather gather(TruthFormat::kCoco, pictures);
  with_text(files.front(), [&](std::string_view text) { read_coco(text, gather); });
  Truth truth = gather.finish(options.category);
  std::set<std::string> named;
  for (const LabelledPicture& picture : truth.pictures)
    named.insert(fs::path(picture.path).lexically_normal().string());
  const std::vector<std::string> there = picture_files(pictures);
  const auto others = std::count_if(there.begin(), there.end(), [&](const std::string& picture) {
    return !named.contains(fs::path(picture).lexically_normal().string());
  });
  truth.notes.push_back("the labels are those of " + files.front() +
                        (others > 0 ? ", which leaves " + count_text(others, "picture") + " out" : ""));
  return truth;
}

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

// Reads YOLO's labels of one folder after the other. A picture without a label file has no objects.
class YoloFolders {
 public:
  YoloFolders(Gather& gather, const TruthOptions& options, std::string root)
      : gather_(gather), options_(options), root_(std::move(root)) {}

  // Reads those of the label files that lie in the folder.
  void read(const std::string& folder, const std::vector<fs::path>& files) {
    BesideLabels around(folder, options_.pictures, root_);
    const std::vector<std::string> classes = around.classes();
    for (const std::string& name : classes) gather_.category(name);
    std::set<std::string> stems;
    for (const fs::path& file : files) {
      if ((file.parent_path() / "").lexically_normal() != (fs::path(folder) / "").lexically_normal())
        continue;
      stems.insert(file.stem().string());
      with_text(file, [&](std::string_view text) {
        polygons_ += read_yolo(text, file.stem().string(), classes, around, gather_);
      });
    }
    for (const std::string& pictures : around.folders())
      for (const std::string& picture : picture_files(pictures.empty() ? "." : pictures)) {
        if (stems.contains(fs::path(picture).stem().string())) continue;
        gather_.picture(around.name(picture), picture);
        ++without_;
      }
  }
  void note() { gather_.note_yolo(without_, polygons_); }

 private:
  Gather& gather_;
  const TruthOptions& options_;
  std::string root_;
  std::size_t without_ = 0, polygons_ = 0;
};

// The first folders of a list, for a sentence.
std::string listed(const std::vector<std::string>& folders) {
  constexpr std::size_t kMost = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(folders.size(), kMost); ++i) text += (i == 0 ? "" : ", ") + folders[i];
  return folders.size() > kMost ? text + " and more" : text;
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
  FolderFiles files{
      {{TruthFormat::kYolo, ".txt", {}}, {TruthFormat::kVoc, ".xml", {}}, {TruthFormat::kPts, ".pts", {}}}};
  const std::vector<std::string> folders = label_folders(path);
  for (const std::string& folder : folders) add_label_files(folder, files);
  if (options.format == truth_format_name(TruthFormat::kCoco) ||
      (options.format.empty() && std::none_of(files.begin(), files.end(), has_labels)))
    if (const std::vector<std::string> coco = coco_files(path); !coco.empty())
      return read_coco_folder(path, coco, options);
  // Files of a folder come in no defined order.
  for (LabelFiles& each : files) std::sort(each.paths.begin(), each.paths.end());
  const auto& [format, ending, paths] =
      options.format.empty() ? only_files(files) : named_files(files, options.format);
  const bool several = folders.size() > 1;
  Gather gather(format, !options.pictures.empty() ? options.pictures
                        : several                 ? path
                                                  : voc_pictures(format, folders.front()));
  if (several)
    gather.note("labels of " + std::to_string(folders.size()) +
                " folders are taken together: " + listed(folders));
  if (format == TruthFormat::kYolo) {
    YoloFolders yolo(gather, options, several ? path : std::string());
    for (const std::string& folder : folders) yolo.read(folder, paths);
    yolo.note();
    return gather.finish(options.category);
  }
  FirstPts first;
  for (const fs::path& file : paths) {
    BesideLabels around(file.parent_path().string(), options.pictures, several ? path : std::string());
    with_text(file, [&, format = format](std::string_view text) {
      if (format == TruthFormat::kVoc) return read_voc(text, gather);
      read_pts(text, file.stem().string(), around, first, gather);
    });
  }
  return gather.finish(options.category);
}

std::vector<std::string> BesideLabels::classes() {
  fs::path folder = fs::absolute(labels_.empty() ? "." : labels_).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  for (int up = 0; up <= 2; ++up, folder = folder.parent_path()) {
    for (const char* name : {kClasses, kNames})
      if (fs::is_regular_file(folder / name)) return with_text(folder / name, class_list);
    std::vector<fs::path> yamls;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      const std::string ending = lower(it->path().extension().string());
      if ((ending == ".yaml" || ending == ".yml") && it->is_regular_file(error)) yamls.push_back(it->path());
    }
    std::sort(yamls.begin(), yamls.end());
    for (const fs::path& yaml : yamls)
      if (std::vector<std::string> names = with_text(yaml, yaml_names); !names.empty()) return names;
  }
  return {};
}

std::vector<std::string> BesideLabels::folders() const {
  if (!pictures_.empty()) return {pictures_};
  std::vector<std::string> folders{labels_};
  // If the path has a folder named labels, pictures may lie in a folder named images beside that folder. If
  // several folders are named labels, the last one counts.
  fs::path below;
  for (fs::path at = fs::path(labels_).lexically_normal(); at.has_relative_path(); at = at.parent_path()) {
    const std::string name = lower(at.filename().string());
    if (name == "labels") {
      for (const char* images : {"images", "Images", "IMAGES"}) {
        const fs::path folder = at.parent_path() / images / below;
        if (images == std::string("images") || fs::is_directory(folder)) folders.push_back(folder.string());
      }
      break;
    }
    if (at.has_filename()) below = below.empty() ? at.filename() : at.filename() / below;
  }
  return folders;
}

std::string BesideLabels::picture(const std::string& stem) {
  const std::vector<std::string> places = folders();
  if (!std::exchange(listed_, true)) {
    // The first folder counts, and in a folder the first name.
    for (const std::string& folder : places)
      for (const std::string& file : picture_files(folder.empty() ? "." : folder))
        by_stem_.emplace(fs::path(file).stem().string(),
                         (fs::path(folder) / fs::path(file).filename()).string());
  }
  if (const auto found = by_stem_.find(stem); found != by_stem_.end()) return found->second;
  throw Error(ErrorCode::kIo, "its picture " + shown(stem + ".jpg") + " (or .png, ...) is not in " +
                                  (places.back().empty() ? "this folder" : places.back()));
}

std::string BesideLabels::name(const std::string& picture) {
  if (root_.empty()) return AroundLabels::name(picture);
  const fs::path relative =
      fs::path(picture).lexically_normal().lexically_relative(fs::path(root_).lexically_normal());
  return relative.empty() || relative.string().starts_with("..") ? picture : relative.string();
}

// Decodes the whole picture, because EXIF may turn it, which swaps the width and height given in the file.
Size BesideLabels::size(const std::string& picture) { return read_picture(picture).gray.size(); }

}  // namespace winnow
