// Reads the labels that a data.yaml or a list of pictures leads to, as truth/truth_file.h declares; its
// opening comment holds here. Both are of YOLO's trainings.
#include <algorithm>
#include <filesystem>
#include <set>

#include <winnow/error.h>

#include "base/count_text.h"
#include "base/file.h"
#include "truth/layout/label_folders.h"
#include "truth/place.h"
#include "truth/truth_file.h"
#include "truth/words.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

// A value of YAML without quotes and without a comment behind it.
std::string plain_value(std::string_view text) {
  text = trim(text);
  if (text.size() >= 2 && (text[0] == '"' || text[0] == '\'')) {
    const std::size_t end = text.find(text[0], 1);
    if (end != std::string_view::npos) return std::string(text.substr(1, end - 1));
  }
  return std::string(trim(text.substr(0, text.find(" #"))));
}

// The paths of a data.yaml.
struct DataPaths {
  std::string root;
  std::vector<std::string> sources;  // of train, val and test
};

DataPaths paths_of(std::string_view text) {
  DataPaths paths;
  Lines lines(text);
  bool inside = false;
  while (lines.next_data()) {
    const std::string_view line = lines.text();
    if (inside && line.starts_with("- ")) {
      paths.sources.push_back(plain_value(line.substr(2)));
      continue;
    }
    inside = false;
    if (lines.indented()) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string key = lower(trim(line.substr(0, colon)));
    const std::string_view value = trim(line.substr(colon + 1));
    if (key == "path") paths.root = plain_value(value);
    if (key != "train" && key != "val" && key != "valid" && key != "test") continue;
    if (value.empty() || value[0] == '#') {
      inside = true;
    } else if (value[0] == '[') {
      for (const std::string& each : split(value.substr(1, value.find(']') - 1), ','))
        if (!each.empty()) paths.sources.push_back(plain_value(each));
    } else if (const std::string one = plain_value(value); one != "null" && one != "~" && !one.empty()) {
      paths.sources.push_back(one);
    }
  }
  return paths;
}

// The place of a source, which counts from the root or from the folder of the data.yaml. Exports of Roboflow
// begin with "../" although the folders lie beside the file. "" if nothing is there.
std::string found_source(const std::string& source, const fs::path& root, const fs::path& folder) {
  std::vector<fs::path> places{root / source, folder / source};
  if (source.starts_with("../")) places.push_back(folder / source.substr(3));
  std::error_code error;
  for (const fs::path& place : places)
    if (fs::exists(place, error)) return place.lexically_normal().string();
  return "";
}

std::vector<std::string> names_in_list(std::string_view text, const fs::path& folder) {
  std::vector<std::string> pictures;
  Lines lines(text);
  while (lines.next_data())
    pictures.push_back((folder / std::string(lines.text())).lexically_normal().string());
  return pictures;
}

// Collects the labels of pictures, wherever these lie.
class PictureLabels {
 public:
  PictureLabels(const TruthOptions& options, std::string root, std::vector<std::string> classes)
      : options_(options),
        root_(std::move(root)),
        classes_(std::move(classes)),
        gather_(TruthFormat::kYolo, root_) {
    for (const std::string& name : classes_) gather_.category(name);
  }
  void add_folder(const std::string& folder) {
    std::vector<std::string> pictures = picture_files(folder);
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
      if (entry.is_directory(error)) add_folder(entry.path().string());
    for (const std::string& picture : pictures) add(picture);
  }
  void add(const std::string& picture) {
    const fs::path path(picture), folder = path.parent_path();
    if (!seen_.insert(picture).second) return;
    Place& place = place_of(folder);
    const fs::path labels = fs::path(place.labels) / path.stem().concat(".txt");
    std::error_code error;
    if (!fs::is_regular_file(labels, error)) {
      gather_.picture(place.around.name(picture), picture);
      ++without_;
      return;
    }
    ++with_;
    try {
      polygons_ += read_yolo(truth_text(read_file(labels.string(), kMaxTruthBytes)), path.stem().string(),
                             classes_.empty() ? place.classes : classes_, place.around, gather_);
    } catch (const Error& error_of_file) {
      if (!error_of_file.file().empty()) throw;
      throw error_of_file.in_file(labels.string());
    }
  }
  Truth finish() {
    if (with_ == 0)
      throw Error(ErrorCode::kFormat,
                  "none of its " + count_text(static_cast<std::int64_t>(without_), "picture") +
                      " has a file of labels (YOLO's .txt), beside it or in labels/ beside images/");
    gather_.note_yolo(without_, polygons_);
    return gather_.finish(options_.category);
  }
  Gather& gather() { return gather_; }

 private:
  struct Place {
    std::string labels;
    BesideLabels around;
    std::vector<std::string> classes;
  };
  Place& place_of(const fs::path& folder) {
    const auto known = places_.find(folder.string());
    if (known != places_.end()) return known->second;
    std::string labels = labels_beside(folder.string());
    if (labels.empty()) labels = folder.string();
    Place place{labels, BesideLabels(labels, folder.string(), root_), {}};
    if (classes_.empty()) place.classes = place.around.classes();
    for (const std::string& name : place.classes) gather_.category(name);
    return places_.emplace(folder.string(), std::move(place)).first->second;
  }

  const TruthOptions& options_;
  std::string root_;
  std::vector<std::string> classes_;
  Gather gather_;
  std::map<std::string, Place> places_;
  std::set<std::string> seen_;
  std::size_t with_ = 0, without_ = 0, polygons_ = 0;
};

std::string folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

}  // namespace

bool is_picture_list(std::string_view text) {
  Lines lines(text);
  bool any = false;
  while (lines.next_data()) {
    if (!is_picture_name(lines.text())) return false;
    any = true;
  }
  return any;
}

Truth read_picture_list(std::string_view text, const std::string& path, const TruthOptions& options) {
  const std::string folder = options.pictures.empty() ? folder_of(path) : options.pictures;
  PictureLabels labels(options, folder, {});
  for (const std::string& picture : names_in_list(text, folder)) labels.add(picture);
  return labels.finish();
}

Truth read_data_yaml(std::string_view text, const std::string& path, const TruthOptions& options) {
  const DataPaths paths = paths_of(text);
  if (paths.sources.empty())
    throw Error(ErrorCode::kFormat, "names no pictures: train, val or test is needed");
  const fs::path folder = folder_of(path);
  std::error_code error;
  fs::path root = folder / paths.root;
  if (!fs::is_directory(root, error)) root = folder;
  PictureLabels labels(options, root.lexically_normal().string(), yaml_names(text));
  std::size_t taken = 0;
  std::string names;
  for (const std::string& source : paths.sources) {
    const std::string place = found_source(source, root, folder);
    if (place.empty()) {
      labels.gather().note(source + " is not there, and left out");
      continue;
    }
    names += (taken++ == 0 ? "" : ", ") + place;
    if (fs::is_directory(place, error)) {
      labels.add_folder(place);
    } else {
      const std::vector<std::byte> bytes = read_file(place, kMaxTruthBytes);
      for (const std::string& picture : names_in_list(truth_text(bytes), folder_of(place)))
        labels.add(picture);
    }
  }
  if (taken == 0)
    throw Error(ErrorCode::kIo,
                "none of its folders is there, such as " + shown(std::string_view(paths.sources.front())));
  if (taken > 1)
    labels.gather().note("pictures of " + std::to_string(taken) + " folders are taken together: " + names);
  return labels.finish();
}

}  // namespace winnow
