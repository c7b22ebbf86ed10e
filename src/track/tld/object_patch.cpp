#include "track/tld/object_patch.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "track/tld/sift/patch_product.h"

namespace winnow {
namespace {

constexpr int kFractionBits = 8, kOne = 1 << kFractionBits;
constexpr double kMostStep = 1.5;  // pixels between two places that are read
constexpr int kMostPlaces = 64;    // in one direction of one pixel of a patch
// A pixel is compared with the mean of up to 9 x 9 pixels of the patch.
constexpr int kDetailRadius = 4, kEven = 128;

// The rows or columns about one.
struct Range {
  int first, last;
  int count() const { return last - first; }
};
constexpr Range about(int i) {
  return {std::max(0, i - kDetailRadius), std::min(kPatchSide, i + kDetailRadius + 1)};
}

// A place between two pixels.
struct Tap {
  int first, second;
  int weight;  // of the second pixel, in parts of kOne
};

// The number of places in one direction of each pixel of a patch.
int places_of(double length) {
  const double wanted = std::ceil(length / kPatchSide / kMostStep);
  return static_cast<int>(std::clamp(wanted, 1.0, static_cast<double>(kMostPlaces)));
}

void find_taps(double first, double length, int places, int side, std::vector<Tap>& taps) {
  taps.clear();
  const int count = places * kPatchSide;
  for (int i = 0; i < count; ++i) {
    const double at = std::clamp(first + (i + 0.5) / count * length - 0.5, 0.0, side - 1.0);
    const auto fixed = static_cast<int>(std::lrint(at * kOne));
    const int pixel = fixed >> kFractionBits;
    taps.push_back({pixel, std::min(pixel + 1, side - 1), fixed & (kOne - 1)});
  }
}

}  // namespace

PatchPixels shrunk_at(GrayView picture, const RealBox& box) {
  PatchPixels grey;
  const int across = places_of(box.width), down = places_of(box.height);
  thread_local std::vector<Tap> columns, rows;
  find_taps(box.x, box.width, across, picture.width, columns);
  find_taps(box.y, box.height, down, picture.height, rows);
  const std::int64_t places = std::int64_t{across} * down;
  for (int y = 0; y < kPatchSide; ++y) {
    for (int x = 0; x < kPatchSide; ++x) {
      std::int64_t sum = 0;
      for (int j = 0; j < down; ++j) {
        const Tap& row = rows[static_cast<std::size_t>(y * down + j)];
        const std::uint8_t *upper = picture.row(row.first), *lower = picture.row(row.second);
        for (int i = 0; i < across; ++i) {
          const Tap& column = columns[static_cast<std::size_t>(x * across + i)];
          const auto mean = [&](const std::uint8_t* pixels) {
            return pixels[column.first] * (kOne - column.weight) + pixels[column.second] * column.weight;
          };
          sum += mean(upper) * (kOne - row.weight) + mean(lower) * row.weight;
        }
      }
      constexpr std::int64_t kHalf = std::int64_t{1} << (2 * kFractionBits - 1);
      grey[static_cast<std::size_t>(y * kPatchSide + x)] =
          static_cast<std::uint8_t>((sum / places + kHalf) >> (2 * kFractionBits));
    }
  }
  return grey;
}

double variance_of(const PatchPixels& grey) {
  std::int64_t sum = 0, squares = 0;
  for (const std::uint8_t pixel : grey) {
    sum += pixel;
    squares += std::int64_t{pixel} * pixel;
  }
  return static_cast<double>(kPatchPixels * squares - sum * sum) / (kPatchPixels * kPatchPixels);
}

ObjectPatch patch_of(const PatchPixels& grey) {
  ObjectPatch patch;
  std::array<int, kPatchSide> columns{};  // sums of the rows about the row
  const auto add_row = [&](int y, int times) {
    for (int x = 0; x < kPatchSide; ++x)
      columns[static_cast<std::size_t>(x)] += times * grey[static_cast<std::size_t>(y * kPatchSide + x)];
  };
  for (int y = 0; y < kDetailRadius; ++y) add_row(y, 1);
  std::int64_t squares = 0;
  for (int y = 0; y < kPatchSide; ++y) {
    if (y + kDetailRadius < kPatchSide) add_row(y + kDetailRadius, 1);
    if (y > kDetailRadius) add_row(y - kDetailRadius - 1, -1);
    std::array<int, kPatchSide + 1> before{};  // sums of the columns before each
    for (std::size_t x = 0; x < kPatchSide; ++x) before[x + 1] = before[x] + columns[x];
    for (int x = 0; x < kPatchSide; ++x) {
      const Range across = about(x);
      const int sum =
          before[static_cast<std::size_t>(across.last)] - before[static_cast<std::size_t>(across.first)];
      const int pixels = across.count() * about(y).count();
      const auto at = static_cast<std::size_t>(y * kPatchSide + x);
      const int mean = (2 * sum + pixels) / (2 * pixels);
      const int detail = std::clamp(kEven + grey[at] - mean, 0, 255);
      patch.pixels[at] = static_cast<std::uint8_t>(detail);
      patch.sum += detail;
      squares += std::int64_t{detail} * detail;
    }
  }
  patch.spread = kPatchPixels * squares - patch.sum * patch.sum;
  return patch;
}

double likeness_of(const ObjectPatch& a, const ObjectPatch& b) {
  if (a.spread == 0 || b.spread == 0) return 0.5;
  const auto both = static_cast<double>(kPatchPixels * std::int64_t{patch_product(a, b)} - a.sum * b.sum);
  return (both / std::sqrt(static_cast<double>(a.spread) * static_cast<double>(b.spread)) + 1) / 2;
}

}  // namespace winnow
