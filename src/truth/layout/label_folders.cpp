#include "truth/layout/label_folders.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>
#include <utility>

#include "base/file.h"
#include "image/picture_format.h"
#include "truth/words.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

constexpr std::pair<std::string_view, std::string_view> kBeside[] = {{"images", "labels"},
                                                                     {"jpegimages", "annotations"}};
constexpr int kMostDepth = 4;
constexpr std::int64_t kMaxCocoBytes = std::int64_t{1} << 30;

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (!is_hidden(it->path())) paths.push_back(it->path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

// Names that are no labels, although they end in .txt.
bool is_other_text(const std::string& name) {
  return name == "classes.txt" || name == "train.txt" || name == "val.txt" || name == "test.txt" ||
         name.starts_with("readme");
}

bool has_label_files(const fs::path& folder) {
  const std::vector<fs::path> paths = entries(folder);
  return std::any_of(paths.begin(), paths.end(), [](const fs::path& path) {
    const std::string ending = lower(path.extension().string());
    std::error_code error;
    return (ending == ".txt" || ending == ".xml" || ending == ".pts") &&
           !is_other_text(lower(path.filename().string())) && !fs::is_directory(path, error);
  });
}

// A part of the path with this name in small letters, as it is spelled; "" if there is none.
fs::path inside(const fs::path& folder, std::string_view name) {
  for (const fs::path& path : entries(folder)) {
    std::error_code error;
    if (lower(path.filename().string()) == name && fs::is_directory(path, error)) return path;
  }
  return {};
}

fs::path normal(const fs::path& path) {
  const fs::path whole = path.lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

// Adds the folders of labels inside a folder. A text file far below may be anything, so the labels of YOLO
// must lie beside their pictures, in labels/, or beside images/.
void collect(const fs::path& folder, int depth, bool in_labels, std::set<fs::path>& found) {
  const auto add = [&](const fs::path& labels) { found.insert(labels.lexically_normal()); };
  if (const std::string beside = labels_beside(folder.string()); !beside.empty()) add(beside);
  const std::vector<fs::path> paths = entries(folder);
  const std::string name = lower(normal(folder).filename().string());
  in_labels = in_labels || name == "labels" || name == "annotations";
  const bool own = std::any_of(paths.begin(), paths.end(), [](const fs::path& path) {
    if (!is_picture_name(path.filename().string())) return false;
    std::error_code error;
    for (const char* ending : {".txt", ".xml", ".pts"})
      if (fs::exists(fs::path(path).replace_extension(ending), error)) return true;
    return false;
  });
  if (own || (in_labels && has_label_files(folder))) add(folder);
  for (const fs::path& path : paths) {
    std::error_code error;
    if (depth < kMostDepth && fs::is_directory(path, error)) collect(path, depth + 1, in_labels, found);
  }
}

bool is_coco(const fs::path& path) {
  std::error_code error;
  if (lower(path.extension().string()) != ".json" || !fs::is_regular_file(path, error)) return false;
  if (fs::file_size(path, error) > static_cast<std::uintmax_t>(kMaxCocoBytes) || error) return false;
  const std::vector<std::byte> bytes = read_file(path.string(), kMaxCocoBytes);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.find("\"images\"") != std::string_view::npos &&
         text.find("\"annotations\"") != std::string_view::npos;
}

std::vector<std::string> coco_files_in(const fs::path& folder) {
  std::vector<std::string> files, instances;
  for (const fs::path& path : entries(folder)) {
    if (!is_coco(path)) continue;
    files.push_back(path.lexically_normal().string());
    if (lower(path.filename().string()).starts_with("instances")) instances.push_back(files.back());
  }
  return instances.empty() ? files : instances;
}

}  // namespace

bool is_picture_name(std::string_view name) {
  return name.find_last_of('.') > 0 && format_of_ending(std::string(name)) != nullptr;
}

std::vector<std::string> picture_files(const std::string& folder) {
  std::vector<std::string> files;
  for (const fs::path& path : entries(folder)) {
    std::error_code error;
    if (is_picture_name(path.filename().string()) && fs::is_regular_file(path, error))
      files.push_back(path.string());
  }
  return files;
}

std::string labels_beside(const std::string& pictures) {
  std::error_code error;
  const fs::path whole = normal(fs::absolute(pictures, error));
  fs::path below;
  for (fs::path at = whole; at.has_relative_path(); at = at.parent_path()) {
    for (const auto& [from, to] : kBeside) {
      if (lower(at.filename().string()) != from) continue;
      const fs::path beside = inside(at.parent_path(), to);
      if (beside.empty()) return "";
      const fs::path labels = below.empty() ? beside : beside / below;
      if (!has_label_files(labels)) return "";
      // A relative path stays relative.
      return fs::path(pictures).is_absolute() ? labels.string()
                                              : labels.lexically_relative(fs::current_path()).string();
    }
    below = below.empty() ? at.filename() : at.filename() / below;
  }
  return "";
}

std::vector<std::string> label_folders(const std::string& folder) {
  if (has_label_files(folder)) return {folder};
  for (const char* name : {"labels", "annotations"})
    if (const fs::path path = inside(folder, name); !path.empty() && has_label_files(path))
      return {path.string()};
  if (const std::string beside = labels_beside(folder); !beside.empty()) return {beside};
  std::set<fs::path> found;
  collect(folder, 0, false, found);
  std::vector<std::string> folders;
  for (const fs::path& path : found) folders.push_back(path.string());
  return folders;
}

std::vector<std::string> coco_files(const std::string& folder) {
  if (std::vector<std::string> files = coco_files_in(folder); !files.empty()) return files;
  const auto labels_in = [](const fs::path& place) { return inside(place, "annotations"); };
  if (const fs::path own = labels_in(folder); !own.empty())
    if (std::vector<std::string> files = coco_files_in(own); !files.empty()) return files;
  std::error_code error;
  const fs::path whole = normal(fs::absolute(folder, error)),
                 up = (fs::path(folder) / "..").lexically_normal();
  if (lower(whole.filename().string()) == "images") return coco_files_in(labels_in(up));
  const bool below_images = lower(whole.parent_path().filename().string()) == "images";
  const fs::path labels = labels_in(below_images ? (up / "..").lexically_normal() : up);
  const fs::path file = labels / ("instances_" + whole.filename().string() + ".json");
  return !labels.empty() && is_coco(file) ? std::vector{file.lexically_normal().string()}
                                          : std::vector<std::string>{};
}

}  // namespace winnow
