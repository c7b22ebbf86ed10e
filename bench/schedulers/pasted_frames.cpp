#include "schedulers/pasted_frames.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <tuple>
#include <vector>

#include "scale/resize.h"

namespace bench {
namespace {

using namespace winnow;

// Scales of three levels at the usual factor of 1.1. Some of these levels have step 2, others step 1.
constexpr double kScales[] = {1.21, 1.7716, 2.5937};

GrayImage copy_of(GrayView view) {
  GrayImage copy(view.width, view.height);
  for (int y = 0; y < view.height; ++y) std::copy_n(view.row(y), view.width, copy.row(y));
  return copy;
}

}  // namespace

GrayImage surest_object(const Cascade& cascade, std::span<const GrayView> pictures, Size min_size) {
  MachineOptions on;
  on.backend = BackendKind::kCpu;
  Detector detector(cascade, on);
  DetectOptions options;
  options.min_size = min_size;
  for (const bool raw : {false, true}) {
    options.raw = raw;
    std::vector<Detections> found;
    detector.detect(pictures, options, found);
    const auto sureness = [](const Detection& d) { return std::tuple(d.neighbors, d.score); };
    const Detection* best = nullptr;
    std::size_t where = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (const Detection& object : found[i].objects) {
        if (best != nullptr && sureness(object) <= sureness(*best)) continue;
        best = &object;
        where = i;
      }
    }
    if (best != nullptr) return copy_of(pictures[where].crop(best->box));
  }
  return {};
}

GrayImage paste_objects(GrayView picture, GrayView object, Size smallest, int percent, unsigned seed) {
  GrayImage frame = copy_of(picture);
  if (percent == 0) return frame;
  const double most = std::min(static_cast<double>(picture.width) / smallest.width,
                               static_cast<double>(picture.height) / smallest.height);
  const double scale = std::min(kScales[seed % std::size(kScales)], most);
  const auto scaled = [&](int side) { return std::max(1, static_cast<int>(std::floor(side * scale))); };
  GrayImage patch(scaled(smallest.width), scaled(smallest.height));
  resize_ref(object, patch.view());

  const int across = picture.width / patch.width(), down = picture.height / patch.height();
  std::vector<int> cells(static_cast<std::size_t>(across * down));
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = static_cast<int>(i);
  // The shuffle is written out, since std::shuffle differs between standard libraries.
  std::mt19937 random(seed);
  for (std::size_t i = cells.size(); i > 1; --i) std::swap(cells[i - 1], cells[random() % i]);
  cells.resize((cells.size() * static_cast<std::size_t>(percent) + 99) / 100);
  for (const int cell : cells) {
    const int x = cell % across * patch.width(), y = cell / across * patch.height();
    for (int row = 0; row < patch.height(); ++row)
      std::copy_n(patch.row(row), patch.width(), frame.row(y + row) + x);
  }
  return frame;
}

}  // namespace bench
