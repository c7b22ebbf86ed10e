// Gives `winnow.cv2` OpenCV's mean shift over the windows of a HOGDescriptor. A window's weight is its score
// divided by the square root of the sum of its bandwidths. `mean_shift_boxes` has other weights.
#include <cmath>
#include <cstdint>
#include <vector>

#include <winnow/box.h>

#include "bind.h"
#include "values.h"

namespace winnow::python {
namespace {

struct Spot {
  double x = 0, y = 0, size = 0;  // the middle, and the logarithm of the scale
};

struct Hit {
  Spot at;
  double across = 0, down = 0;  // bandwidths at the scale of the hit
  double weight = 0;
};

const double kSizeBand = std::log(1.3);
constexpr double kAcross = 8, kDown = 16;
constexpr double kFar = 100;  // beyond this squared distance a hit adds less than 1e-21 of its weight
constexpr int kMostSteps = 100;
constexpr double kStill = 1e-5, kSamePeak = 1;

double squared(double x, double y, double size) { return x * x + y * y + size * size; }

double distance(const Spot& from, const Hit& hit) {
  return squared((hit.at.x - from.x) / hit.across, (hit.at.y - from.y) / hit.down,
                 (hit.at.size - from.size) / kSizeBand);
}

// The squared distance in bandwidths at the scale of `b`.
double distance(const Spot& a, const Spot& b) {
  const double scale = std::exp(b.size);
  return squared((b.x - a.x) / (kAcross * scale), (b.y - a.y) / (kDown * scale),
                 (b.size - a.size) / kSizeBand);
}

Spot climb(const std::vector<Hit>& hits, const Spot& from) {
  Spot sum, weights;
  for (const Hit& hit : hits) {
    const double far = distance(from, hit);
    if (far > kFar) continue;
    const double weight = hit.weight * std::exp(-far / 2);
    sum.x += weight * hit.at.x / hit.across, weights.x += weight / hit.across;
    sum.y += weight * hit.at.y / hit.down, weights.y += weight / hit.down;
    sum.size += weight * hit.at.size / kSizeBand, weights.size += weight / kSizeBand;
  }
  return {sum.x / weights.x, sum.y / weights.y, sum.size / weights.size};
}

double density(const std::vector<Hit>& hits, const Spot& at) {
  double sum = 0;
  for (const Hit& hit : hits) sum += hit.weight * std::exp(-distance(at, hit) / 2);
  return sum;
}

// Truncates a side or a corner to a whole number. False for NaN, and for 2^30 or more.
bool cut(double value, int& to) {
  if (!(std::abs(value) < 1 << 30)) return false;
  to = static_cast<int>(value);
  return true;
}

struct Merged {
  std::vector<int> boxes;  // four numbers for each box
  std::vector<double> weights;
};

Merged merge(const std::vector<Hit>& hits, double threshold, Size window, Size picture) {
  std::vector<Spot> peaks;
  for (const Hit& hit : hits) {
    Spot at = climb(hits, hit.at);
    for (int step = 0; step < kMostSteps; ++step) {
      const Spot before = at;
      at = climb(hits, before);
      if (distance(at, before) <= kStill) break;
    }
    bool known = false;
    for (const Spot& peak : peaks) known = known || distance(at, peak) < kSamePeak;
    if (!known) peaks.push_back(at);
  }
  Merged merged;
  for (const Spot& peak : peaks) {
    const double weight = density(hits, peak), scale = std::exp(peak.size);
    int width = 0, height = 0, x = 0, y = 0;
    if (!(weight > threshold) || !cut(window.width * scale, width) || !cut(window.height * scale, height) ||
        !cut(peak.x - width / 2, x) || !cut(peak.y - height / 2, y))
      continue;
    const Box box = clip({x, y, width, height}, picture);
    if (box.width <= 0 || box.height <= 0) continue;
    merged.boxes.insert(merged.boxes.end(), {box.x, box.y, box.width, box.height});
    merged.weights.push_back(weight);
  }
  return merged;
}

template <class T, std::size_t kDimensions>
nb::object array_of(std::vector<T>&& values, const std::size_t (&shape)[kDimensions]) {
  auto* const kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(kept, [](void* at) noexcept { delete static_cast<std::vector<T>*>(at); });
  static T none{};
  return nb::cast(nb::ndarray<nb::numpy, T>(kept->empty() ? &none : kept->data(), kDimensions, shape, owner));
}

}  // namespace

void bind_cv2_merge(nb::module_& module) {
  using Boxes = nb::ndarray<const int, nb::shape<-1, 4>, nb::device::cpu>;
  using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;
  module.def(
      "_merge_like_opencv",
      [](const Boxes& boxes, const Numbers& scores, const Numbers& scales, double threshold, Size window,
         Size picture) {
        if (scores.size() != boxes.shape(0) || scales.size() != boxes.shape(0))
          throw Error(ErrorCode::kUsage, "each box needs a score and a scale");
        std::vector<Hit> hits(boxes.shape(0));
        const auto box = boxes.view();
        const auto score = scores.view(), scale_of = scales.view();
        for (std::size_t i = 0; i < hits.size(); ++i) {
          const double scale = scale_of(i);
          Hit& hit = hits[i];
          // Halves round to even.
          hit.at = {std::rint(box(i, 0) + box(i, 2) * 0.5), std::rint(box(i, 1) + box(i, 3) * 0.5),
                    std::log(scale)};
          hit.across = kAcross * scale;
          hit.down = kDown * scale;
          hit.weight = score(i) / std::sqrt(hit.across + hit.down + kSizeBand);
        }
        Merged merged;
        {
          const nb::gil_scoped_release free;
          merged = merge(hits, threshold, window, picture);
        }
        const std::size_t count = merged.weights.size();
        return nb::make_tuple(array_of(std::move(merged.boxes), {count, std::size_t{4}}),
                              array_of(std::move(merged.weights), {count}));
      },
      nb::arg("boxes"), nb::arg("scores"), nb::arg("scales"), nb::arg("threshold"), nb::arg("window"),
      nb::arg("picture"),
      nb::sig("def _merge_like_opencv(boxes: numpy.typing.NDArray[numpy.int32], scores: "
              "numpy.typing.NDArray[numpy.float64], scales: numpy.typing.NDArray[numpy.float64], threshold: "
              "float, "
              "window: collections.abc.Sequence[int], picture: collections.abc.Sequence[int]) -> "
              "tuple[numpy.typing.NDArray[numpy.int32], "
              "numpy.typing.NDArray[numpy.float64]]"),
      "Merges windows by OpenCV's mean shift, and clips them to the picture; for `winnow.cv2`.");
}

}  // namespace winnow::python
