#include "train/landmarks/landmark_samples.h"

#include <algorithm>
#include <cmath>

#include <winnow/error.h>

#include "base/random.h"
#include "base/real_box.h"
#include "base/share_work.h"
#include "shape/shape_box.h"
#include "truth/face_rule.h"

namespace winnow {
namespace {

constexpr double kUnit = std::int64_t{1} << kCoordinateBits;

std::int32_t fixed(double coordinate) {
  return moved_coordinate(0, static_cast<std::int64_t>(std::floor(coordinate * kUnit + 0.5)));
}

}  // namespace

LandmarkSamples::LandmarkSamples(const FaceSet& faces, const std::vector<std::size_t>& mirrored,
                                 std::vector<std::uint32_t> chosen, int per_face)
    : faces_(faces),
      mirrored_(mirrored),
      chosen_(std::move(chosen)),
      per_face_(per_face),
      points_(faces.faces.front().points.size()) {}

ShapeBox LandmarkSamples::own_box(const TrainingFace& face, bool mirrored) const {
  ShapeBox box = placed_box(real_box(face.box), {});
  if (mirrored) box.left = faces_.sizes[face.picture].width - 1 - box.left - box.across;
  return box;
}

void LandmarkSamples::draw_boxes(const LandmarkOptions& options, std::uint64_t seed) {
  samples_.clear();
  samples_.reserve(chosen_.size() * static_cast<std::size_t>(per_face_));
  for (const std::uint32_t face : chosen_)
    for (int copy = 0; copy < per_face_; ++copy) {
      LandmarkSample sample;
      sample.face = face;
      sample.mirrored = !mirrored_.empty() && copy % 2 == 1;
      sample.box = own_box(faces_.faces[face], sample.mirrored);
      // The first sample and its mirror image keep the face's own box, because users fit faces in such boxes.
      if (copy >= (mirrored_.empty() ? 1 : 2)) {
        Random random(seed, face, copy);
        ShapeBox& box = sample.box;
        const double scale = std::clamp(1 + options.scale_jitter * random.bell(), 0.5, 2.0);
        const double right = options.move_jitter * random.bell(), down = options.move_jitter * random.bell();
        const double across = box.across * scale, high = box.down * scale;
        box.left += (box.across - across) / 2 + box.across * right;
        box.top += (box.down - high) / 2 + box.down * down;
        box.across = across;
        box.down = high;
      }
      samples_.push_back(sample);
    }
}

void LandmarkSamples::draw_starts(const LandmarkOptions& options, std::uint64_t seed, const FixedMean& mean,
                                  SampleMemory& memory) {
  shapes_ = SampleList<std::int32_t>(memory, samples_.size() * 2 * points_);
  std::vector<std::int32_t> one(2 * points_), other(2 * points_);
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    std::int32_t* const start = shape(i);
    std::copy(mean.start.begin(), mean.start.end(), start);
    const auto copy = static_cast<int>(i % static_cast<std::size_t>(per_face_));
    Random random(seed, samples_[i].face, copy, 1);
    if (copy < (mirrored_.empty() ? 1 : 2) || random.real(0, 1) >= options.mixed) continue;
    const auto draw = [&](std::vector<std::int32_t>& coordinates) {
      const std::uint32_t face =
          chosen_[static_cast<std::size_t>(random.below(static_cast<int>(chosen_.size())))];
      const bool in_mirror = !mirrored_.empty() && random.below(2) == 1;
      truth_in(face, in_mirror, own_box(faces_.faces[face], in_mirror), coordinates.data());
      return random.real(0.1, 1.1);
    };
    const double weight = draw(one), other_weight = draw(other);
    for (std::size_t c = 0; c < 2 * points_; ++c)
      start[c] = static_cast<std::int32_t>(
          std::floor((weight * one[c] + other_weight * other[c]) / (weight + other_weight) + 0.5));
  }
}

void LandmarkSamples::truth_in(std::uint32_t number, bool mirrored, const ShapeBox& box,
                               std::int32_t* coordinates) const {
  const TrainingFace& face = faces_.faces[number];
  const double last_column = faces_.sizes[face.picture].width - 1;
  for (std::size_t p = 0; p < points_; ++p) {
    const Point& from = face.points[mirrored ? mirrored_[p] : p];
    const double x = mirrored ? last_column - from.x : from.x;
    coordinates[p] = fixed((x - box.left) / box.across);
    coordinates[points_ + p] = fixed((from.y - box.top) / box.down);
  }
}

void LandmarkSamples::truth(std::size_t i, std::int32_t* coordinates) const {
  truth_in(samples_[i].face, samples_[i].mirrored, samples_[i].box, coordinates);
}

std::vector<Point> LandmarkSamples::points_of(std::size_t i) const {
  const LandmarkSample& sample = samples_[i];
  const double last_column = faces_.sizes[faces_.faces[sample.face].picture].width - 1;
  std::vector<Point> points(points_);
  for (std::size_t p = 0; p < points_; ++p) {
    const double x = sample.box.left + sample.box.across * (shape(i)[p] / kUnit);
    points[sample.mirrored ? mirrored_[p] : p] = {
        sample.mirrored ? last_column - x : x,
        sample.box.top + sample.box.down * (shape(i)[points_ + p] / kUnit)};
  }
  return points;
}

double LandmarkSamples::mean_error(const PointScheme& scheme) const {
  double sum = 0;
  for (std::size_t i = 0; i < samples_.size(); i += static_cast<std::size_t>(per_face_))
    sum += face_error(points_of(i), faces_.faces[samples_[i].face].points, scheme);
  return sum / static_cast<double>(chosen_.size());
}

void LandmarkSamples::each_picture(int threads, const UsePicture& use) const {
  const auto per_face = static_cast<std::size_t>(per_face_);
  std::vector<std::size_t> begins;  // the place in `chosen_` of each picture's first face
  for (std::size_t i = 0; i < chosen_.size(); ++i)
    if (i == 0 || faces_.faces[chosen_[i]].picture != faces_.faces[chosen_[i - 1]].picture)
      begins.push_back(i);
  begins.push_back(chosen_.size());
  share_work(threads, begins.size() - 1, 1, [&](std::size_t thread, std::size_t i) {
    const std::size_t number = faces_.faces[chosen_[begins[i]]].picture;
    const Picture picture = read_picture(faces_.pictures[number]);
    const GrayView view = picture.view().gray;
    if (view.width != faces_.sizes[number].width || view.height != faces_.sizes[number].height)
      throw Error(ErrorCode::kIo, "the picture has changed", faces_.pictures[number]);
    use(thread, view, begins[i] * per_face, begins[i + 1] * per_face);
  });
}

double face_error(std::span<const Point> points, std::span<const Point> truth, const PointScheme& scheme) {
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) sum += distance_of(points[i], truth[i]);
  return sum / static_cast<double>(points.size()) / main_length(truth, scheme);
}

std::vector<ShapePoint> mean_shape(const FaceSet& faces, const std::vector<std::size_t>& mirrored,
                                   const std::vector<std::uint32_t>& chosen) {
  LandmarkSamples samples(faces, mirrored, chosen, mirrored.empty() ? 1 : 2);
  samples.draw_boxes({}, 0);
  const std::size_t points = samples.points();
  std::vector<std::int64_t> sums(2 * points);
  std::vector<std::int32_t> truth(2 * points);
  for (std::size_t i = 0; i < samples.count(); ++i) {
    samples.truth(i, truth.data());
    for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += truth[c];
  }
  const auto mean = [&](std::size_t c) {
    return std::clamp(
        static_cast<float>(static_cast<double>(sums[c]) / static_cast<double>(samples.count()) / kUnit),
        -4.0F, 4.0F);
  };
  std::vector<ShapePoint> shape;
  for (std::size_t p = 0; p < points; ++p) shape.push_back({mean(p), mean(points + p)});
  return shape;
}

void read_sample_pixels(const GrayView& picture, const LandmarkSample& sample, const std::int32_t* shape,
                        std::size_t points, const ShapeTurn& turn, const ShapePixels& pixels,
                        std::size_t count, std::uint8_t* row) {
  const ShapeBox& box = sample.box;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t point = pixels.point[i];
    const float x = pixels.x[i], y = pixels.y[i];
    const double column =
        pixel_place(turn.same * x + -turn.cross * y, float_coordinate(shape[point]), box.left, box.across);
    const double line = pixel_place(turn.cross * x + turn.same * y, float_coordinate(shape[points + point]),
                                    box.top, box.down);
    row[i] = 0;
    if (!is_inside(column, line, picture.width, picture.height)) continue;
    const auto across = static_cast<std::ptrdiff_t>(column);
    row[i] = picture.data[static_cast<std::ptrdiff_t>(line) * picture.stride +
                          (sample.mirrored ? picture.width - 1 - across : across)];
  }
}

}  // namespace winnow
