// Draws boxes, lines and text, as winnow/image.h declares; its opening comment holds here.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include <winnow/error.h>
#include <winnow/image.h>

#include "image/font.h"

namespace winnow {
namespace {

// Paints the pixels of [x0, x1) x [y0, y1) that lie in the picture. Coordinates have 64 bits, so that no
// corner of a box overflows them.
void fill(ImageView<Rgb> image, std::int64_t x0, std::int64_t y0, std::int64_t x1, std::int64_t y1,
          Rgb color) {
  const int left = static_cast<int>(std::clamp<std::int64_t>(x0, 0, image.width));
  const int right = static_cast<int>(std::clamp<std::int64_t>(x1, 0, image.width));
  const int top = static_cast<int>(std::clamp<std::int64_t>(y0, 0, image.height));
  const int bottom = static_cast<int>(std::clamp<std::int64_t>(y1, 0, image.height));
  for (int y = top; y < bottom && left < right; ++y)
    std::fill(image.row(y) + left, image.row(y) + right, color);
}

void draw_glyph(ImageView<Rgb> image, std::int64_t x, std::int64_t y, const Glyph& glyph, Rgb color,
                int scale) {
  for (int row = 0; row < kGlyphHeight; ++row) {
    for (int column = 0; column < kGlyphWidth; ++column) {
      if ((glyph[static_cast<std::size_t>(row)] >> (kGlyphWidth - 1 - column) & 1) == 0) continue;
      const std::int64_t left = x + std::int64_t{column} * scale, top = y + std::int64_t{row} * scale;
      fill(image, left, top, left + scale, top + scale, color);
    }
  }
}

}  // namespace

void draw_box(ImageView<Rgb> image, const Box& box, Rgb color, int thickness) {
  if (thickness < 1) throw Error(ErrorCode::kUsage, "a frame must be at least one pixel thick");
  if (image.empty() || box.width <= 0 || box.height <= 0) return;
  const std::int64_t x0 = box.x, y0 = box.y, x1 = x0 + box.width, y1 = y0 + box.height;
  // A side of the frame is at most as thick as the box is wide or high, so it stays inside the box.
  const std::int64_t across = std::min(thickness, box.width), down = std::min(thickness, box.height);
  fill(image, x0, y0, x1, y0 + down, color);
  fill(image, x0, y1 - down, x1, y1, color);
  fill(image, x0, y0, x0 + across, y1, color);
  fill(image, x1 - across, y0, x1, y1, color);
}

void draw_line(ImageView<Rgb> image, Point from, Point to, Rgb color, int thickness) {
  if (thickness < 1) throw Error(ErrorCode::kUsage, "a line must be at least one pixel thick");
  if (!std::isfinite(from.x) || !std::isfinite(from.y) || !std::isfinite(to.x) || !std::isfinite(to.y))
    throw Error(ErrorCode::kUsage, "a line's ends must be numbers");
  const double reach = thickness / 2.;
  const auto column = [&](double x) { return static_cast<int>(std::clamp(x, 0., double(image.width))); };
  const auto row = [&](double y) { return static_cast<int>(std::clamp(y, 0., double(image.height))); };
  const double along_x = to.x - from.x, along_y = to.y - from.y,
               length = along_x * along_x + along_y * along_y;
  for (int y = row(std::min(from.y, to.y) - reach); y < row(std::max(from.y, to.y) + reach + 1); ++y) {
    for (int x = column(std::min(from.x, to.x) - reach); x < column(std::max(from.x, to.x) + reach + 1);
         ++x) {
      // `part` says which point of the line is nearest to the pixel's middle: 0 for `from`, 1 for `to`.
      const double dx = x + 0.5 - from.x, dy = y + 0.5 - from.y;
      const double part = length > 0 ? std::clamp((dx * along_x + dy * along_y) / length, 0., 1.) : 0;
      const double off_x = dx - part * along_x, off_y = dy - part * along_y;
      if (off_x * off_x + off_y * off_y <= reach * reach) image.row(y)[x] = color;
    }
  }
}

void draw_text(ImageView<Rgb> image, int x, int y, const std::string& text, Rgb color, int scale) {
  if (scale < 1) throw Error(ErrorCode::kUsage, "text needs at least one pixel a dot");
  if (image.empty()) return;
  std::int64_t left = x;
  unsigned char before = 0;
  for (const char c : text) {
    const auto character = static_cast<unsigned char>(c);
    // A character of several UTF-8 bytes is drawn as one hollow box, for its first byte.
    const bool continues = (character & 0xC0) == 0x80 && before >= 0x80;
    before = character;
    if (continues) continue;
    if (left >= image.width) return;
    if (left + std::int64_t{kGlyphWidth} * scale > 0) {
      draw_glyph(image, left, y, glyph_of(character), color, scale);
    }
    left += std::int64_t{kGlyphWidth + 1} * scale;
  }
}

}  // namespace winnow
