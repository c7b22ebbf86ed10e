#include "synthetic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <utility>

#include "tied_model.h"

namespace witness {
namespace {

using winnow::GrayImage;
using winnow::Size;

std::uint8_t byte_of(double v) { return static_cast<std::uint8_t>(std::clamp(v, 0.0, 255.0)); }

template <class PixelAt>
GrayImage fill(Size size, PixelAt pixel_at) {
  GrayImage image(size.width, size.height);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) image.row(y)[x] = static_cast<std::uint8_t>(pixel_at(x, y));
  return image;
}

GrayImage noise(Size size, Random& random, int low = 0, int high = 255) {
  return fill(size, [&](int, int) { return random.between(low, high); });
}

// A picture of squares of `cell` x `cell` pixels, each of one random grey. Features have about this size.
GrayImage mosaic(Size size, int cell, Random& random) {
  const std::uint64_t seed = random.next();
  return fill(size, [&](int x, int y) {
    return scramble(seed ^ (static_cast<std::uint64_t>(y / cell) << 32) ^
                    static_cast<std::uint64_t>(x / cell)) &
           255;
  });
}

// Noise with a standard deviation of about 10, the limit below which OpenCV calls a window flat. Flat and
// other windows occur side by side.
GrayImage nearly_flat(Size size, Random& random) {
  const int base = random.between(20, 235);
  return fill(size, [&](int x, int y) {
    const int amplitude = 14 + (x / 24 + y / 24) % 7;
    return base + random.between(-amplitude, amplitude);
  });
}

// Flat ground with islands of texture, so that flat windows and first-stage rejects alternate along a row.
GrayImage islands(Size size, Random& random) {
  GrayImage image = fill(size, [](int, int) { return 128; });
  for (int n = 0; n < 12; ++n) {
    const int w = random.between(3, 60), h = random.between(3, 60);
    const int x0 = random.below(size.width), y0 = random.below(size.height);
    for (int y = y0; y < std::min(size.height, y0 + h); ++y)
      for (int x = x0; x < std::min(size.width, x0 + w); ++x)
        image.row(y)[x] = static_cast<std::uint8_t>(random.below(256));
  }
  return image;
}

void draw_ellipse(GrayImage& image, double cx, double cy, double rx, double ry, double grey) {
  const int y1 = std::min(image.height() - 1, static_cast<int>(cy + ry));
  const int x1 = std::min(image.width() - 1, static_cast<int>(cx + rx));
  for (int y = std::max(0, static_cast<int>(cy - ry)); y <= y1; ++y)
    for (int x = std::max(0, static_cast<int>(cx - rx)); x <= x1; ++x) {
      const double u = (x - cx) / rx, v = (y - cy) / ry, d = u * u + v * v;
      if (d < 1) {
        const double fraction = std::min(1.0, (1 - d) * 3);
        image.row(y)[x] = byte_of(image.row(y)[x] * (1 - fraction) + grey * fraction);
      }
    }
}

using Maker = std::function<GrayImage(Size window, Random& random)>;
struct Entry {
  const char* name;
  bool large;
  Maker make;
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> list = {
      {"1x1", false,
       [](Size, Random& r) {
         return noise({1, 1}, r);
       }},
      {"1xN", false,
       [](Size, Random& r) {
         return noise({1, 203}, r);
       }},
      {"Nx1", false,
       [](Size, Random& r) {
         return noise({203, 1}, r);
       }},
      {"narrower-than-window", false,
       [](Size w, Random& r) {
         return noise({w.width - 1, 3 * w.height}, r);
       }},
      {"lower-than-window", false,
       [](Size w, Random& r) {
         return noise({3 * w.width, w.height - 1}, r);
       }},
      {"window-noise", false, [](Size w, Random& r) { return noise(w, r); }},
      {"window-blobs", false, [](Size w, Random& r) { return make_blobs(w, r); }},
      {"window-plus-1", false,
       [](Size w, Random& r) {
         return make_blobs({w.width + 1, w.height + 1}, r);
       }},
      {"window-wide", false,
       [](Size w, Random& r) {
         return mosaic({w.width + 200, w.height}, 5, r);
       }},
      {"window-tall", false,
       [](Size w, Random& r) {
         return mosaic({w.width, w.height + 200}, 5, r);
       }},
      // draw.cpp gives these pictures a scale of 1.5: the second level just fits, or just does not.
      {"limit-even", false,
       [](Size w, Random& r) {
         return noise(Size{w.width * 3 / 2 & ~1, w.height * 3 / 2 + 1}, r);
       }},
      {"limit-odd", false,
       [](Size w, Random& r) {
         return noise(Size{w.width * 3 / 2 + 1, w.height * 3 / 2 & ~1}, r);
       }},
      {"ties", false, [](Size w, Random&) { return make_ties_picture(w); }},
      {"odd-157x119", false,
       [](Size, Random& r) {
         return make_blobs({157, 119}, r);
       }},
      {"odd-33x255", false,
       [](Size, Random& r) {
         return make_blobs({33, 255}, r);
       }},
      {"odd-511x45", false,
       [](Size, Random& r) {
         return make_blobs({511, 45}, r);
       }},
      {"black", false,
       [](Size, Random&) {
         return fill({161, 117}, [](int, int) { return 0; });
       }},
      {"white", false,
       [](Size, Random&) {
         return fill({161, 117}, [](int, int) { return 255; });
       }},
      {"one-white-pixel", false,
       [](Size, Random&) {
         return fill({160, 120}, [](int x, int y) { return x == 81 && y == 62 ? 255 : 0; });
       }},
      {"noise", false,
       [](Size, Random& r) {
         return noise({200, 150}, r);
       }},
      {"nearly-flat", false,
       [](Size, Random& r) {
         return nearly_flat({200, 151}, r);
       }},
      {"islands", false,
       [](Size, Random& r) {
         return islands({237, 160}, r);
       }},
      {"gradient-x", false,
       [](Size, Random&) {
         return fill({256, 120}, [](int x, int) { return x; });
       }},
      {"gradient-y", false,
       [](Size, Random&) {
         return fill({120, 256}, [](int, int y) { return 255 - y; });
       }},
      {"gradient-xy", false,
       [](Size, Random&) {
         return fill({200, 160}, [](int x, int y) { return (x * 2 + y * 3) & 255; });
       }},
      {"checkerboard-1", false,
       [](Size, Random&) {
         return fill({160, 120}, [](int x, int y) { return (x + y) % 2 * 255; });
       }},
      {"checkerboard-7", false,
       [](Size, Random&) {
         return fill({201, 151}, [](int x, int y) { return (x / 7 + y / 7) % 2 * 255; });
       }},
      {"stripes", false,
       [](Size, Random&) {
         return fill({201, 151}, [](int x, int) { return x / 5 % 2 * 255; });
       }},
      {"mosaic-3", false,
       [](Size, Random& r) {
         return mosaic({223, 167}, 3, r);
       }},
      {"mosaic-11", false,
       [](Size, Random& r) {
         return mosaic({223, 167}, 11, r);
       }},
      {"blobs", false,
       [](Size, Random& r) {
         return make_blobs({320, 243}, r);
       }},
      {"blobs-1-of-2", false,
       [](Size, Random& r) {
         return make_blobs({640, 480}, r);
       }},
      {"white-1080p", true,
       [](Size, Random&) {
         return fill({1920, 1080}, [](int, int) { return 255; });
       }},
      {"bright-4k", true,
       [](Size, Random& r) {
         return noise({3840, 2160}, r, 180, 255);
       }},
      {"blobs-4k", true,
       [](Size, Random& r) {
         return make_blobs({3840, 2160}, r);
       }},
  };
  return list;
}

}  // namespace

std::vector<std::string> synthetic_names(bool subset) {
  std::vector<std::string> names;
  for (const Entry& entry : entries())
    if (!(subset && entry.large)) names.push_back(std::string("synthetic/") + entry.name);
  return names;
}

GrayImage make_synthetic(const std::string& name, Size window, Random random) {
  for (const Entry& entry : entries())
    if (name == std::string("synthetic/") + entry.name) return entry.make(window, random);
  throw std::runtime_error("there is no picture called " + name);
}

GrayImage make_blobs(Size size, Random& random) {
  GrayImage image = mosaic(size, 9, random);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      image.row(y)[x] = static_cast<std::uint8_t>(60 + image.row(y)[x] / 6);
  const double area = static_cast<double>(size.width) * size.height;
  const int count = 3 + static_cast<int>(area / 6000);
  for (int n = 0; n < count; ++n) {
    const double r = std::min(size.width, size.height) * (0.05 + 0.4 * random.real() * random.real());
    const double cx = random.real() * size.width, cy = random.real() * size.height;
    const double skin = 150 + random.below(90), dark = 20 + random.below(60);
    draw_ellipse(image, cx, cy, r, r * 1.25, skin);
    for (const double side : {-0.4, 0.4}) {
      draw_ellipse(image, cx + side * r, cy - 0.25 * r, 0.28 * r, 0.16 * r, dark);
      draw_ellipse(image, cx + side * r, cy - 0.5 * r, 0.3 * r, 0.08 * r, dark + 20);
    }
    draw_ellipse(image, cx, cy + 0.25 * r, 0.14 * r, 0.1 * r, skin - 50);
    draw_ellipse(image, cx, cy + 0.65 * r, 0.4 * r, 0.12 * r, dark + 30);
  }
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) image.row(y)[x] = byte_of(image.row(y)[x] + random.between(-4, 4));
  return image;
}

GrayImage make_tiled(winnow::GrayView tile, Size size) {
  return fill(size, [&](int x, int y) {
    const int u = x % tile.width, v = y % tile.height;
    const bool flip_x = x / tile.width % 2 == 1, flip_y = y / tile.height % 2 == 1;
    return tile.row(flip_y ? tile.height - 1 - v : v)[flip_x ? tile.width - 1 - u : u];
  });
}

}  // namespace witness
