#include "train/samples/pack_sources.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <system_error>

#include <winnow/error.h>

#include "base/file.h"
#include "image/picture_format.h"
#include "train/samples/vec_file.h"
#include "truth/layout/label_folders.h"
#include "truth/words.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

std::string first_bytes(const std::string& path, std::size_t count) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string bytes(count, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  if (!file.is_open() || file.bad()) {
    throw Error(ErrorCode::kIo, std::string("cannot open: ") + std::strerror(errno != 0 ? errno : EIO), path);
  }
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

bool is_vec(const std::string& path) {
  const std::string head = first_bytes(path, 12);
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (fs::path(path).extension() == ".vec") return true;
  if (error || size < 12 || size > static_cast<std::uintmax_t>(kMaxVecBytes) || head.size() < 12)
    return false;
  return head.find('\0') != std::string::npos && is_probably_vec(read_file(path, kMaxVecBytes));
}

}  // namespace

bool is_folder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

std::string file_name(const std::string& path) { return fs::path(path).filename().string(); }

std::vector<std::string> pictures_in(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const fs::path name = it->path().filename();
    std::error_code ignored;
    if (name.native().front() == '.' || format_of_ending(name.native()) == nullptr ||
        it->is_directory(ignored))
      continue;
    // A pipe or a device is no picture. A dangling link stays, so that reading it gives a note.
    if (it->exists(ignored) && !it->is_regular_file(ignored)) continue;
    names.push_back(it->path().string());
  }
  if (error) throw Error(ErrorCode::kIo, "this folder cannot be read: " + error.message(), folder);
  std::sort(names.begin(), names.end());
  return names;
}

bool starts_as_picture(const std::string& path) {
  const std::string head = first_bytes(path, kFormatBytes);
  const PictureFormat* format = format_of(std::as_bytes(std::span(head)));
  return format != nullptr && format->is_read;
}

bool has_labels(const std::string& picture) {
  std::error_code error;
  return std::ranges::any_of(std::array{".txt", ".xml", ".pts"}, [&](const char* ending) {
    return fs::exists(fs::path(picture).replace_extension(ending), error);
  });
}

bool has_yolo_labels(const std::string& picture) {
  std::error_code error;
  return fs::exists(fs::path(picture).replace_extension(".txt"), error);
}

bool has_label_folder(const std::string& folder) {
  const std::vector<std::string> folders = label_folders(folder);
  if (folders.empty() || same_source(folders.front(), folder)) return false;
  if (pictures_in(folder).empty()) return true;
  // Labels of other pictures may lie deeper.
  const fs::path labels(folders.front());
  const std::string beside = labels_beside(folder), name = lower(labels.filename().string());
  return folders.front() == beside ||
         (same_source(labels.parent_path().string(), folder) && (name == "labels" || name == "annotations"));
}

bool is_data_yaml(const std::string& path) {
  const std::string ending = lower(fs::path(path).extension().string());
  return (ending == ".yaml" || ending == ".yml") && !is_folder(path);
}

std::string real_path(const std::string& path) {
  std::error_code error;
  const fs::path place = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? path : place.string();
}

bool same_source(const std::string& a, const std::string& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) && !error;
}

SourceKind positive_kind(const std::string& path) {
  if (is_folder(path)) {
    const std::vector<std::string> pictures = pictures_in(path);
    // A folder with a label file beside a picture is a truth. Label files of YOLO, VOC and iBUG have their
    // pictures' names.
    const bool labelled = has_label_folder(path) ||
                          std::any_of(pictures.begin(), pictures.end(), has_labels) ||
                          !coco_files(path).empty();
    return pictures.empty() || labelled ? SourceKind::kTruth : SourceKind::kCrops;
  }
  if (starts_as_picture(path)) return SourceKind::kPicture;
  return is_vec(path) ? SourceKind::kVec : SourceKind::kTruth;
}

}  // namespace winnow
