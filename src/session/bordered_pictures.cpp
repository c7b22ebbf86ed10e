#include "session/bordered_pictures.h"

#include "image/border.h"

namespace winnow {

std::size_t bordered_pixels(Size picture, double border) {
  const Size size = bordered_size(picture, border_margin(picture, border));
  return static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height);
}

void BorderedPictures::copy(std::span<const PictureView> pictures, double border, bool color) {
  views_.clear();
  margins_.clear();
  std::size_t grays = 0, colors = 0;
  const auto has_color = [&](const PictureView& picture) { return color && picture.color.data != nullptr; };
  for (const PictureView& picture : pictures) {
    const std::size_t pixels = bordered_pixels(picture.size(), border);
    (has_color(picture) ? colors : grays) += pixels;
  }
  // The buffers never shrink, so that no pixel is cleared twice.
  if (gray_.size() < grays) gray_.resize(grays);
  if (color_.size() < colors) color_.resize(colors);
  std::uint8_t* gray = gray_.data();
  Rgb* rgb = color_.data();
  for (const PictureView& picture : pictures) {
    const int margin = border_margin(picture.size(), border);
    const Size size = bordered_size(picture.size(), margin);
    margins_.push_back(margin);
    if (!has_color(picture) || picture.empty()) {
      const ImageView<std::uint8_t> to{gray, size.width, size.height, size.width};
      views_.push_back(GrayView(to));
      if (!picture.empty()) add_border(picture.gray, margin, to);
      gray += bordered_pixels(picture.size(), border);
      continue;
    }
    const ImageView<Rgb> colored{rgb, size.width, size.height,
                                 static_cast<std::ptrdiff_t>(size.width * sizeof(Rgb))};
    add_border(picture.color, margin, colored);
    views_.push_back({GrayView{nullptr, size.width, size.height, size.width}, colored});
    rgb += bordered_pixels(picture.size(), border);
  }
}

}  // namespace winnow
