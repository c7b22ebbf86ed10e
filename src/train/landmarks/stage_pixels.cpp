#include "train/landmarks/stage_pixels.h"

#include <cmath>

#include "base/random.h"
#include "shape/shape_turn.h"

namespace winnow {

StagePixels draw_pixels(const std::vector<ShapePoint>& mean, int count, double radius, std::uint64_t seed,
                        int stage) {
  constexpr double kFullTurn = 6.283185307179586;
  Random random(seed, stage);
  StagePixels drawn;
  for (int i = 0; i < count; ++i) {
    const ShapePoint& around = mean[static_cast<std::size_t>(random.below(static_cast<int>(mean.size())))];
    const double angle = random.real(0, kFullTurn), away = radius * std::sqrt(random.real(0, 1));
    const ShapePoint place{around.x + static_cast<float>(away * std::cos(angle)),
                           around.y + static_cast<float>(away * std::sin(angle))};
    std::size_t nearest = 0;
    float least = INFINITY;
    for (std::size_t p = 0; p < mean.size(); ++p) {
      const float x = place.x - mean[p].x, y = place.y - mean[p].y;
      if (x * x + y * y >= least) continue;
      least = x * x + y * y;
      nearest = p;
    }
    const ShapePixel pixel{static_cast<std::uint16_t>(nearest),
                           {place.x - mean[nearest].x, place.y - mean[nearest].y}};
    drawn.list.push_back(pixel);
    drawn.pixels.point.push_back(pixel.point);
    drawn.pixels.x.push_back(pixel.offset.x);
    drawn.pixels.y.push_back(pixel.offset.y);
    drawn.places.push_back(place);
  }
  return drawn;
}

double at_stage(double first, double last, int stage, int stages) {
  if (stages < 2) return first;
  return first * std::pow(last / first, static_cast<double>(stage) / (stages - 1));
}

void gather_pixels(const LandmarkSamples& samples, const FixedMean& mean, const StagePixels& pixels,
                   int threads, std::uint8_t* matrix) {
  const std::size_t count = pixels.list.size(), points = samples.points();
  std::vector<std::vector<std::uint8_t>> rows(static_cast<std::size_t>(threads));
  samples.each_picture(
      threads, [&](std::size_t thread, const GrayView& picture, std::size_t first, std::size_t last) {
        std::vector<std::uint8_t>& row = rows[thread];
        row.resize((last - first) * count);
        for (std::size_t i = first; i < last; ++i) {
          const ShapeTurn turn = turn_of_shape(mean, samples.shape(i), static_cast<int>(points));
          read_sample_pixels(picture, samples[i], samples.shape(i), points, turn, pixels.pixels, count,
                             row.data() + (i - first) * count);
        }
        for (std::size_t pixel = 0; pixel < count; ++pixel)
          for (std::size_t i = first; i < last; ++i)
            matrix[pixel * samples.count() + i] = row[(i - first) * count + pixel];
      });
}

}  // namespace winnow
