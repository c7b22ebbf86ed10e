#include "draw.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "random.h"

namespace witness {
namespace {

using winnow::Box;
using winnow::DetectOptions;
using winnow::Size;

// Pictures with this many pixels or more keep their size. Their least object size grows instead.
constexpr double kLargePixels = 2e6;

enum class SizeRule {
  kNone,
  kMin24,
  kMin,
  kMax,
  kBoth,
  kEqual,
  kMinAboveMax,
  kContradicting,
  kMinHuge,
  kHalfMax
};

double draw_scale(Random& random) {
  const double scale = random.pick({1.05, 1.1, 1.1, 1.1, 1.2, 1.2, 1.3, 1.5, 0.0});
  const double any = 1.03 + 0.6 * random.real();
  return scale > 0 ? scale : any;
}

void draw_sizes(Random& random, Size window, Size picture, DetectOptions& options) {
  using enum SizeRule;
  const SizeRule rule =
      random.pick({kNone, kNone, kNone, kMin24, kMin24, kMin24, kMin, kMin, kMax, kBoth, kBoth, kEqual,
                   kEqual, kMinAboveMax, kContradicting, kMinHuge, kHalfMax});
  const auto any = [&](int low_quarters,
                       int high_quarters) {  // the bounds count quarters of the window's sides
    return Size{random.between(window.width * low_quarters / 4, window.width * high_quarters / 4),
                random.between(window.height * low_quarters / 4, window.height * high_quarters / 4)};
  };
  const Size a = any(1, 10), b = any(4, 24), low{std::min(a.width, b.width), std::min(a.height, b.height)},
             high{std::max(a.width, b.width), std::max(a.height, b.height)};
  switch (rule) {
    case kNone:
      break;
    case kMin24:
      options.min_size = {24, 24};
      break;
    case kMin:
      options.min_size = a;
      break;
    case kMax:
      options.max_size = b;
      break;
    case kBoth:
      options.min_size = low, options.max_size = high;
      break;
    case kEqual:
      options.min_size = options.max_size = b;
      break;
    case kMinAboveMax:
      options.min_size = high, options.max_size = low;
      break;
    case kContradicting:
      options.min_size = {100, 20}, options.max_size = {90, 90};
      break;
    case kMinHuge:
      options.min_size = {picture.width + 50, picture.height + 1};
      break;
    case kHalfMax:
      options.max_size = {0, b.height};
      break;  // OpenCV reads a width of 0 as no maximum
  }
}

// Draws a random crop of the picture, in most cases large enough to have windows.
Box draw_crop(Random& random, Size window, Size size) {
  const Size least{std::min(size.width, std::max(window.width, size.width / 2)),
                   std::min(size.height, std::max(window.height, size.height / 2))};
  const int width = random.between(least.width, size.width),
            height = random.between(least.height, size.height);
  return {random.between(0, size.width - width), random.between(0, size.height - height), width, height};
}

Size size_every(Size size, int every) {
  return {(size.width + every - 1) / every, (size.height + every - 1) / every};
}

}  // namespace

double estimate_windows(Size window, Size picture, const DetectOptions& options) {
  double sum = 0, any_level = 0;
  for (double factor = 1;; factor *= options.scale_factor.value_or(1.1)) {
    const double width = window.width * factor, height = window.height * factor;
    if (width > picture.width || height > picture.height) break;
    const double step = factor < 2 ? 2 : 1;
    const double windows = (picture.width / factor - window.width + 1) *
                           (picture.height / factor - window.height + 1) / (step * step);
    any_level = any_level > 0 ? any_level : windows;
    if (width < options.min_size.width || height < options.min_size.height) continue;
    if (options.max_size.width > 0 && options.max_size.height > 0 &&
        (width > options.max_size.width || height > options.max_size.height))
      break;
    sum += windows;
  }
  return sum > 0 ? sum : any_level;  // if the sizes leave no level, one level is scanned all the same
}

Case draw_case(const CaseId& id, Size window, Size picture, double budget) {
  Random random(hash_text(id.model + "\n" + id.picture, id.seed));
  Case c;
  c.id = id;
  c.options.scale_factor = draw_scale(random);
  c.options.min_neighbors = random.below(7);
  const int luck = random.below(20);
  const double limit = budget * (luck < 16 ? 1 : luck < 19 ? 3 : 8);
  const bool cropped = random.one_in(3);
  if (static_cast<double>(picture.width) * picture.height >= kLargePixels &&
      (id.picture.starts_with("synthetic/") || id.picture.starts_with("tiled/"))) {
    c.options.scale_factor = std::max(*c.options.scale_factor, 1.1);
    c.crop = {0, 0, picture.width, picture.height};
    double low = 24;
    do {
      c.options.min_size = {static_cast<int>(low), static_cast<int>(low)};
      low *= 1.1;
    } while (estimate_windows(window, picture, c.options) > 8 * budget);
    c.windows = estimate_windows(window, picture, c.options);
    return c;
  }
  draw_sizes(random, window, picture, c.options);
  if (id.picture.starts_with("synthetic/limit")) {
    c.options.scale_factor = 1.5;
    c.options.min_size = c.options.max_size = {};
    c.crop = {0, 0, picture.width, picture.height};
    return c;
  }
  if (id.picture == "synthetic/ties") {  // one level without a crop: the windows for which the model was made
    c.options.min_size = c.options.max_size = window;
    c.crop = {0, 0, picture.width, picture.height};
    return c;
  }
  while (estimate_windows(window, size_every(picture, c.every), c.options) > limit) ++c.every;
  const Size left = size_every(picture, c.every);
  c.crop = cropped ? draw_crop(random, window, left) : Box{0, 0, left.width, left.height};
  c.windows = estimate_windows(window, {c.crop.width, c.crop.height}, c.options);
  return c;
}

Prepared prepare(const Case& c, const SharedGray& picture) {
  Prepared prepared{picture, {}};
  if (c.every > 1) {
    const Size size = size_every(picture->size(), c.every);
    winnow::GrayImage thinned(size.width, size.height);
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) thinned.row(y)[x] = picture->row(y * c.every)[x * c.every];
    prepared.pixels = std::make_shared<winnow::GrayImage>(std::move(thinned));
  }
  prepared.view = prepared.pixels->view().crop(c.crop);
  return prepared;
}

std::string describe(const Case& c) {
  char text[256];
  std::snprintf(text, sizeof text,
                "scale %.17g neighbours %d min %dx%d max %dx%d, every %d, crop %d,%d,%d,%d",
                *c.options.scale_factor, *c.options.min_neighbors, c.options.min_size.width,
                c.options.min_size.height, c.options.max_size.width, c.options.max_size.height, c.every,
                c.crop.x, c.crop.y, c.crop.width, c.crop.height);
  return text;
}

}  // namespace witness
