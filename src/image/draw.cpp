// Draws frames and text, as winnow/image.h declares; its opening comment holds here.
#include <algorithm>
#include <cstdint>

#include <winnow/error.h>
#include <winnow/image.h>

#include "image/font.h"

namespace winnow {
namespace {

// Paints the pixels of [x0, x1) x [y0, y1) that lie in the picture. No box overflows coordinates of 64 bits.
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
  // Not thicker than the box, so that the sides stay inside the box.
  const std::int64_t across = std::min(thickness, box.width), down = std::min(thickness, box.height);
  fill(image, x0, y0, x1, y0 + down, color);
  fill(image, x0, y1 - down, x1, y1, color);
  fill(image, x0, y0, x0 + across, y1, color);
  fill(image, x1 - across, y0, x1, y1, color);
}

void draw_text(ImageView<Rgb> image, int x, int y, const std::string& text, Rgb color, int scale) {
  if (scale < 1) throw Error(ErrorCode::kUsage, "text needs at least one pixel a dot");
  if (image.empty()) return;
  std::int64_t left = x;
  unsigned char before = 0;
  for (const char c : text) {
    const auto character = static_cast<unsigned char>(c);
    // The later bytes of a UTF-8 character get no box of their own; the first byte has one.
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
