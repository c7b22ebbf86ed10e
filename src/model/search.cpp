// Finds models by their names, as winnow/cascade.h declares; its opening comment holds here. If a name is not
// found, suggests similar names.
#include <dlfcn.h>
#include <winnow/cascade.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

#include "model/built_in.h"
#include "model/model_kinds.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSystemFolders[] = {
    "/usr/share/opencv4/haarcascades",       "/usr/share/opencv4/lbpcascades",
    "/usr/share/opencv/haarcascades",        "/usr/share/opencv/lbpcascades",
    "/usr/local/share/opencv4/haarcascades", "/usr/local/share/opencv4/lbpcascades",
    "/usr/local/share/opencv/haarcascades",  "/usr/local/share/opencv/lbpcascades",
};

// The folder in which the build installs models. A relative path starts at the folder of the library or
// program that holds this code.
std::string installed_models() {
  const fs::path folder = WINNOW_INSTALLED_MODELS;
  Dl_info here{};
  if (folder.is_absolute() || dladdr(reinterpret_cast<const void*>(&model_folders), &here) == 0)
    return folder.string();
  return (fs::path(here.dli_fname).parent_path() / folder).lexically_normal().string();
}

// The models of one folder; none if the folder does not exist. If several files share a name, the ending that
// comes first in `model_endings` decides.
std::map<std::string, std::string> models_in(const std::string& folder) {
  const std::vector<std::string> endings = model_endings();
  std::map<std::string, std::string> found;
  const auto rank = [&](const std::string& path) {
    return std::find(endings.begin(), endings.end(), fs::path(path).extension().string());
  };
  std::error_code error;
  fs::directory_iterator entries(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    const fs::path& path = entries->path();
    std::error_code ignored;
    if (rank(path.string()) == endings.end() || !entries->is_regular_file(ignored)) continue;
    std::string& kept = found[path.stem().string()];
    if (kept.empty() || rank(path.string()) < rank(kept)) kept = path.string();
  }
  return found;
}

std::string lower(std::string_view text) {
  std::string low(text);
  for (char& c : low) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return low;
}

// The number of letters to insert, remove or change to turn `a` into `b`.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

// Returns up to three names. Names that contain the word come first, then others by edit distance. A distance
// of more than half the letters of the longer word is too far.
std::vector<std::string> closest(const std::string& word, const std::vector<ModelEntry>& models) {
  constexpr std::size_t kMost = 3, kLongest = 200;
  const std::string wanted = lower(word.substr(0, kLongest));
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const ModelEntry& model : models) {
    const std::string name = lower(model.name.substr(0, kLongest));
    const std::size_t distance = name.find(wanted) != std::string::npos ? 0 : edit_distance(wanted, name);
    if (2 * distance <= std::max(wanted.size(), name.size())) ranked.emplace_back(distance, model.name);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(kMost, ranked.size()); ++i) names.push_back(ranked[i].second);
  return names;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

std::vector<std::string> model_folders() {
  std::vector<std::string> folders;
  const auto add = [&](std::string_view folder) {
    if (folder.empty() || std::find(folders.begin(), folders.end(), folder) != folders.end()) return;
    folders.emplace_back(folder);
  };
  if (const char* variable = std::getenv("WINNOW_MODELS")) {
    std::string_view rest = variable;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      add(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  add(installed_models());
  for (const char* folder : kSystemFolders) add(folder);
  return folders;
}

std::vector<ModelEntry> find_models() {
  std::map<std::string, std::string> all;
  for (const std::string& folder : model_folders()) all.merge(models_in(folder));
  std::vector<ModelEntry> models;
  for (const std::string& name : built_in_models()) all.try_emplace(name, built_in_path(name));
  for (auto& [name, path] : all) models.push_back({name, path});
  return models;
}

std::string resolve_model(const std::string& name_or_path) {
  if (name_or_path.empty()) throw Error(ErrorCode::kUsage, "the name of the model is empty");
  std::error_code ignored;
  const fs::path path(name_or_path);
  const bool exists = fs::exists(path, ignored), folder = fs::is_directory(path, ignored);
  if (exists && !folder) return name_or_path;
  if (!built_in_bytes(name_or_path).empty()) return name_or_path;
  if (path.has_parent_path()) {
    throw Error(folder ? ErrorCode::kUsage : ErrorCode::kIo,
                folder ? "is a folder, not a model" : "there is no such file", name_or_path);
  }
  const std::vector<std::string> endings = model_endings();
  for (const std::string& place : model_folders()) {
    // "haarcascade_eye.xml" names the file. "haarcascade_eye" names the model, whichever ending its file has.
    const fs::path named = fs::path(place) / name_or_path;
    const bool has_ending = std::find(endings.begin(), endings.end(), named.extension()) != endings.end();
    if (has_ending && fs::is_regular_file(named, ignored)) return named.string();
    for (const std::string& ending : endings) {
      const fs::path candidate = named.string() + ending;
      if (fs::is_regular_file(candidate, ignored)) return candidate.string();
    }
  }
  if (const std::string path_inside = built_in_path(name_or_path); !path_inside.empty()) return path_inside;
  const std::vector<std::string> names = closest(name_or_path, find_models());
  throw Error(ErrorCode::kUsage,
              "there is no model '" + name_or_path + "'" +
                  (names.empty() ? std::string() : std::string("; close to it: ") + joined(names)) +
                  "; searched in: " + joined(model_folders()));
}

}  // namespace winnow
