#include "truth/truth_file.h"

#include <filesystem>

#include <winnow/error.h>

#include "truth/known.h"
#include "truth/words.h"

namespace winnow {
namespace {

void read_as(TruthFormat format, std::string_view text, const std::filesystem::path& path,
             AroundLabels& around, Gather& gather) {
  switch (format) {
    case TruthFormat::kInfo:
      return read_info(text, gather);
    case TruthFormat::kCsv:
      return read_csv(text, gather);
    case TruthFormat::kPoints:
      return read_points(text, gather);
    case TruthFormat::kCoco:
      return read_coco(text, gather);
    case TruthFormat::kYolo: {
      const std::vector<std::string> classes = around.classes();
      for (const std::string& name : classes) gather.category(name);
      if (read_yolo(text, path.stem().string(), classes, around, gather) > 0)
        gather.note("polygons become the boxes around them");
      return;
    }
    case TruthFormat::kVoc:
      return read_voc(text, gather);
    case TruthFormat::kDlib:
      return read_dlib(text, gather);
    case TruthFormat::kFddb:
      return read_fddb(text, gather);
    case TruthFormat::kPts: {
      FirstPts first;
      return read_pts(text, path.stem().string(), around, first, gather);
    }
  }
}

}  // namespace

std::string_view truth_text(std::span<const std::byte> bytes) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (text.find('\0') != std::string_view::npos)
    throw Error(ErrorCode::kFormat, "holds zero bytes, so it is no text with labels");
  return text;
}

Truth parse_truth(std::span<const std::byte> bytes, const std::string& path, const TruthOptions& options,
                  AroundLabels& around) {
  const std::filesystem::path file(path);
  const std::string_view text = truth_text(bytes);
  const TruthFormat format = options.format.empty() ? known_format(text) : named_format(options.format);
  // An empty file of YOLO's labels means a picture without objects, but only if the user names the format.
  if (format != TruthFormat::kYolo && trim(text).empty())
    throw Error(ErrorCode::kFormat, "the file is empty");
  Gather gather(format,
                options.pictures.empty() ? voc_pictures(format, file.parent_path()) : options.pictures);
  read_as(format, text, file, around, gather);
  return gather.finish(options.category);
}

}  // namespace winnow
