#include "train/samples/crop_folder.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <winnow/error.h>

#include "base/count_text.h"
#include "train/samples/pack_sources.h"
#include "train/samples/picture_planes.h"

namespace winnow {
namespace {

class CropFolder : public PositiveSource {
 public:
  CropFolder(const std::string& folder, const PackOptions& options)
      : options_(options), folder_(folder), paths_(pictures_in(folder)), picture_(options) {}
  std::string kind() const override { return "crops"; }
  std::size_t count() const override { return paths_.size(); }
  std::vector<std::string> pictures() const override { return paths_; }
  bool open(std::size_t i, Positive& positive, const PackNote& note) override {
    const std::string& path = paths_[i];
    const Planes* image = picture_.read(path, note);
    if (image == nullptr) return false;
    const Size size = image->size();
    sizes_.push_back(size);
    const RealBox& crop = options_.crop;
    if (crop.x < 0 || crop.y < 0 || crop.x + crop.width > size.width || crop.y + crop.height > size.height) {
      note(path + " does not hold the part that is to be taken");
      return false;
    }
    image->show(positive);
    positive.place = place_crop(size, crop, options_.window);
    positive.name = path;
    const char* wrong = what_is_wrong(positive.place, size, options_.window);
    if (wrong != nullptr) note(path + " " + wrong);
    return wrong == nullptr;
  }

  void check_opened(const PackNote& note) const override {
    // Parts of all pictures that lie in the same place are chosen by the user.
    if (sizes_.empty() || options_.crop.width > 0) return;
    refuse_scenes();
    const double wanted = shape_of(options_.window);
    const auto cut = std::count_if(sizes_.begin(), sizes_.end(), [&](Size size) {
      return std::max(shape_of(size) / wanted, wanted / shape_of(size)) > kMostCut;
    });
    if (cut == 0) return;
    note(folder_ + ": " + count_text(cut, "picture") + (cut == 1 ? " differs" : " differ") +
         " in shape from the window of " + std::to_string(options_.window.width) + "x" +
         std::to_string(options_.window.height) + ", and only the middle is taken; cut " +
         (cut == 1 ? "it" : "them") + " to that shape if the object lies elsewhere");
  }

 private:
  // Cameras make pictures upright and lying, whose shapes differ by 1.78 at least. Crops by hand differ by some
  // tens of percent.
  static constexpr double kMostShapes = 1.7;
  // The window loses more than a fifth of the picture.
  static constexpr double kMostCut = 1.25;

  static double shape_of(Size size) { return static_cast<double>(size.width) / size.height; }
  static std::string shape_text(double shape) {
    const auto hundredths = static_cast<long>(std::lround(100 * shape));
    return std::to_string(hundredths / 100) + "." + std::to_string(hundredths / 10 % 10) +
           std::to_string(hundredths % 10);
  }
  void refuse_scenes() const {
    std::vector<double> shapes;
    Size least = sizes_.front(), most = least;
    for (const Size& size : sizes_) {
      shapes.push_back(shape_of(size));
      least = {std::min(least.width, size.width), std::min(least.height, size.height)};
      most = {std::max(most.width, size.width), std::max(most.height, size.height)};
    }
    std::sort(shapes.begin(), shapes.end());
    const std::size_t edge = shapes.size() / 20;  // a twentieth at each end does not count
    const double low = shapes[edge], high = shapes[shapes.size() - 1 - edge];
    if (high <= kMostShapes * low) return;
    throw Error(ErrorCode::kUsage,
                "these pictures are no crops of one object: their shapes reach from " + shape_text(low) +
                    " to " + shape_text(high) + " (width by height), with " + std::to_string(least.width) +
                    " to " + std::to_string(most.width) +
                    " pixels across; cut them to one shape, or give the labels of whole pictures",
                folder_);
  }

  const PackOptions& options_;
  std::string folder_;
  std::vector<std::string> paths_;
  std::vector<Size> sizes_;  // of the pictures that were opened
  LastPicture picture_;
};

}  // namespace

std::unique_ptr<PositiveSource> open_crops(const std::string& folder, const PackOptions& options) {
  return std::make_unique<CropFolder>(folder, options);
}

}  // namespace winnow
