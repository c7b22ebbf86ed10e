// Fuzzes the readers of labels with any bytes.
// The bytes are refused with an `Error`, or read. Labels that were read must keep the promises of
// `truth/gather.h`. The first byte does not belong to the file: it names a format, or none.
#include <winnow/truth.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <winnow/error.h>

#include "truth/truth_file.h"

namespace {

void require(bool good) {
  if (!good) std::abort();
}

// Gives a picture for every name. With `named`, there are names of classes, too.
struct Around final : winnow::AroundLabels {
  bool named = false;
  std::vector<std::string> classes() override {
    return named ? std::vector<std::string>{"a", "b"} : std::vector<std::string>();
  }
  std::string picture(const std::string& stem) override { return "pictures/" + stem + ".png"; }
  winnow::Size size(const std::string&) override { return {640, 480}; }
};

void check(const winnow::Truth& truth) {
  std::set<std::string> names;
  require(!truth.pictures.empty());
  for (const winnow::LabelledPicture& picture : truth.pictures) {
    require(!picture.name.empty() && !picture.path.empty() && names.insert(picture.name).second);
    for (const winnow::Label& label : picture.labels) {
      const winnow::RealBox& box = label.box;
      for (const double value : {box.x, box.y, box.width, box.height}) require(std::isfinite(value));
      const bool by_points =
          truth.format == winnow::TruthFormat::kPoints || truth.format == winnow::TruthFormat::kPts;
      require(by_points ? !label.points.empty() : box.width > 0 && box.height > 0);
      for (const winnow::Point& point : label.points)
        require(std::isfinite(point.x) && std::isfinite(point.y));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const char* const formats[] = {"", "info", "csv", "points", "coco", "yolo", "voc", "dlib", "fddb", "pts"};
  winnow::TruthOptions options;
  options.format = formats[(data[0] >> 1) % std::size(formats)];
  Around around;
  around.named = (data[0] & 1) != 0;
  const std::span<const std::byte> bytes = std::as_bytes(std::span(data + 1, size - 1));
  try {
    check(winnow::parse_truth(bytes, "folder/labels.txt", options, around));
  } catch (const winnow::Error& error) {
    require(!error.sentence().empty());
  }
  try {
    const std::string_view text = winnow::truth_text(bytes);
    for (const std::string& name : winnow::yaml_names(text)) require(!name.empty());
    for (const std::string& name : winnow::class_list(text)) require(!name.empty());
  } catch (const winnow::Error& error) {
    require(!error.sentence().empty());
  }
  return 0;
}
