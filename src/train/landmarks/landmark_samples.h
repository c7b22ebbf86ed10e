// Draws the samples of a training of landmarks, and reads their pixels.
//
// In:     faces, options, the seed, and the faces that give samples.
// Out:    for each sample a box, its true shape and its present shape, in coordinates of the box; its pixels.
// Exact:  the same numbers for the same faces, options and seed. Pixels are those that a fit reads in the
//         picture, or in the mirrored picture.
// Memory: present shapes lie in a `SampleList`. Faces and options must outlive the samples.
// Thread: one thread at a time; functions use more threads inside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <winnow/train_landmarks.h>

#include "shape/shape_program.h"
#include "shape/shape_rule.h"
#include "train/landmarks/sample_memory.h"

namespace winnow {

using FixedMean = MeanShape<std::int64_t, std::int32_t>;

struct LandmarkSample {
  std::uint32_t face = 0;
  bool mirrored = false;
  ShapeBox box;  // in the mirrored picture if the sample is mirrored
};

class LandmarkSamples {
 public:
  // `chosen`: numbers of faces, in rising order. Sample 0 of a face lies in the face's own box and begins
  // with the mean shape.
  LandmarkSamples(const FaceSet& faces, const std::vector<std::size_t>& mirrored,
                  std::vector<std::uint32_t> chosen, int per_face);
  // Draws boxes. `seed` names the purpose, too.
  void draw_boxes(const LandmarkOptions& options, std::uint64_t seed);
  // Sets the present shapes: to the mean, or to mixtures of true shapes.
  void draw_starts(const LandmarkOptions& options, std::uint64_t seed, const FixedMean& mean,
                   SampleMemory& memory);

  std::size_t count() const { return samples_.size(); }
  std::size_t points() const { return points_; }
  int per_face() const { return per_face_; }
  const std::vector<std::uint32_t>& chosen() const { return chosen_; }
  const LandmarkSample& operator[](std::size_t i) const { return samples_[i]; }
  std::int32_t* shape(std::size_t i) { return shapes_.data() + i * 2 * points_; }
  const std::int32_t* shape(std::size_t i) const { return shapes_.data() + i * 2 * points_; }
  // The true shape: columns, then rows.
  void truth(std::size_t i, std::int32_t* coordinates) const;
  // The points of the present shape in the picture, not mirrored, in the order of the face's points.
  std::vector<Point> points_of(std::size_t i) const;
  // The mean of `face_error` over all samples that are the first of their face.
  double mean_error() const;

  // Calls `use(thread, picture, first, last)` for the samples from `first` to before `last` of each picture.
  using UsePicture =
      std::function<void(std::size_t thread, const GrayView& picture, std::size_t first, std::size_t last)>;
  void each_picture(int threads, const UsePicture& use) const;

 private:
  ShapeBox own_box(const TrainingFace& face, bool mirrored) const;
  void truth_in(std::uint32_t face, bool mirrored, const ShapeBox& box, std::int32_t* coordinates) const;

  const FaceSet& faces_;
  const std::vector<std::size_t>& mirrored_;
  std::vector<std::uint32_t> chosen_;
  int per_face_;
  std::size_t points_;
  std::vector<LandmarkSample> samples_;
  SampleList<std::int32_t> shapes_;
};

// The mean distance of points from the true points, over `main_length` of the true points. Both lists are of
// equal length.
double face_error(std::span<const Point> points, std::span<const Point> truth);

// The mean of true shapes in the faces' own boxes, also mirrored if samples are mirrored.
std::vector<ShapePoint> mean_shape(const FaceSet& faces, const std::vector<std::size_t>& mirrored,
                                   const std::vector<std::uint32_t>& chosen);

// The pixels that a sample's present shape reads in its picture. `row` has room for `count` values.
void read_sample_pixels(const GrayView& picture, const LandmarkSample& sample, const std::int32_t* shape,
                        std::size_t points, const ShapeTurn& turn, const ShapePixels& pixels,
                        std::size_t count, std::uint8_t* row);

}  // namespace winnow
