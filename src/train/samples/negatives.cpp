#include "train/samples/negatives.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include <winnow/error.h>
#include <winnow/truth.h>

#include "base/clean_text.h"
#include "base/count_text.h"
#include "base/file.h"
#include "image/files/decode.h"
#include "image/files/encode.h"
#include "train/samples/pack_sources.h"
#include "truth/layout/label_folders.h"

namespace winnow {
namespace {

constexpr std::int64_t kMaxListBytes = 1 << 28;

std::vector<std::string> listed(const std::string& list) {
  const std::vector<std::byte> bytes = read_file(list, kMaxListBytes);
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  const bool binary = std::any_of(text, text + bytes.size(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\r' && c != '\t';
  });
  if (binary) throw Error(ErrorCode::kFormat, "is neither a picture nor a list of pictures", list);
  const std::filesystem::path folder = std::filesystem::path(list).parent_path();
  std::vector<std::string> names;
  const std::string_view mark = "\xEF\xBB\xBF";  // some editors begin UTF-8 files with this mark
  const bool marked = std::string_view(text, bytes.size()).starts_with(mark);
  for (const char *at = text + (marked ? mark.size() : 0), *end = text + bytes.size(); at < end;) {
    const char* line_end = std::find(at, end, '\n');
    std::string name(at, line_end);
    while (!name.empty() && (name.back() == '\r' || name.back() == ' ' || name.back() == '\t'))
      name.pop_back();
    name.erase(0, name.find_first_not_of(" \t"));
    if (!name.empty() && name.front() != '#') names.push_back((folder / name).string());
    at = line_end == end ? end : line_end + 1;
  }
  return names;
}

bool is_jpeg(const std::vector<std::byte>& file) {
  return file.size() > 2 && file[0] == std::byte{0xFF} && file[1] == std::byte{0xD8};
}

std::vector<std::byte> as_png(const PictureView& picture) {
  return picture.color.data != nullptr ? encode_png(picture.color) : encode_png(picture.gray);
}

}  // namespace

std::vector<std::string> pictures_without_objects(const std::string& source, const PackNote& note) {
  const bool yaml = is_data_yaml(source);
  const std::vector<std::string> pictures = yaml ? std::vector<std::string>{} : pictures_in(source);
  const bool beside = std::any_of(pictures.begin(), pictures.end(), has_yolo_labels);
  if (!yaml && !beside && !has_label_folder(source) && (pictures.empty() || coco_files(source).empty()))
    return pictures;
  std::vector<std::string> paths;
  std::size_t marked = 0;
  TruthOptions options;
  if (beside) options.format = truth_format_name(TruthFormat::kYolo);
  const Truth truth = read_truth(source, options);
  if (truth.format != TruthFormat::kYolo && truth.format != TruthFormat::kCoco) return pictures;
  if (note)
    for (const std::string& each : truth.notes) note(source + ": " + each);
  for (const LabelledPicture& picture : truth.pictures) {
    if (picture.labels.empty()) paths.push_back(picture.path);
    marked += picture.labels.empty() ? 0 : 1;
  }
  if (marked > 0 && note)
    note(source + ": " + count_text(static_cast<std::int64_t>(marked), "picture") +
         (marked == 1 ? " has marked objects, and is" : " have marked objects, and are") +
         " left out of the negatives");
  return paths;
}

std::vector<std::string> pictures_of(const std::string& source, const PackNote& note) {
  if (is_folder(source) || is_data_yaml(source)) return pictures_without_objects(source, note);
  return starts_as_picture(source) ? std::vector<std::string>{source} : listed(source);
}

void leave_out(std::vector<std::string>& pictures, const std::set<std::string>& positives,
               const std::string& source, const PackNote& note) {
  if (positives.empty()) return;
  const auto taken = static_cast<std::int64_t>(std::erase_if(
      pictures, [&](const std::string& picture) { return positives.contains(real_path(picture)); }));
  if (taken > 0)
    note(source + ": " + count_text(taken, "picture") +
         (taken == 1 ? " shows the object, and is" : " show the object, and are") +
         " left out of the negatives");
}

std::vector<Pack::Negative> load_negatives(const std::vector<std::string>& sources, Box crop, Size window,
                                           bool color, const PackNote& note,
                                           const std::set<std::string>& positives) {
  std::vector<Pack::Negative> negatives;
  for (const std::string& source : sources) {
    std::vector<std::string> pictures = pictures_of(source, note);
    if (pictures.empty())
      note(source + (is_folder(source) ? " holds no picture of its own (.jpg, .png, .pgm and their like)"
                                       : " names no picture"));
    leave_out(pictures, positives, source, note);
    for (const std::string& path : pictures) {
      try {
        std::vector<std::byte> file = read_file(path, kMaxPictureBytes);
        ReadOptions how;
        how.color = color;
        const Picture picture = decode_picture(file, how);
        const Size size = picture.gray.size();
        if (crop.width > 0) {
          if (crop.x + crop.width > size.width || crop.y + crop.height > size.height) {
            note(path + " is too small for the part that is taken of negatives");
            continue;
          }
          negatives.push_back(
              {clean_text(path), {crop.width, crop.height}, as_png(picture.view().crop(crop))});
          continue;
        }
        if (size.width < window.width || size.height < window.height) {
          note(path + " is smaller than the window");
          continue;
        }
        if (!is_jpeg(file)) {
          std::vector<std::byte> png = as_png(picture.view());
          if (png.size() < file.size()) file = std::move(png);
        }
        file.shrink_to_fit();
        negatives.push_back({clean_text(path), size, std::move(file)});
      } catch (const Error& error) {
        note(error.file().empty() ? error.in_file(path).what() : error.what());
      }
    }
  }
  if (negatives.empty() && !sources.empty())
    throw Error(ErrorCode::kUsage, "there is no negative picture to be used");
  return negatives;
}

}  // namespace winnow
