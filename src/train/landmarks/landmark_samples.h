// Draws the samples of a training of landmarks, and reads their pixels. A sample is a face, mirrored or not,
// in a box. Its present shape is the points that the fit has found so far.
//
// In:     a set of faces, the numbers of the faces that give samples, options and the seed.
// Out:    for each sample its box, its pixels, and in coordinates of the box its true shape and its present
//         shape.
// Exact:  the same numbers for the same faces, options and seed. Pixels are those that a fit reads in the
//         picture, or in the mirrored picture.
// Memory: present shapes lie in a `SampleList`. The faces and the list `mirrored` must outlive the samples.
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
  ShapeBox box;  // if the sample is mirrored, a box of the mirrored picture
};

class LandmarkSamples {
 public:
  // `chosen`: the numbers of the faces that give samples, in rising order; each gives `per_face` samples.
  // Sample 0 of a face has the face's own box and begins with the mean shape. `mirrored`: as from
  // `PointScheme::mirrored`.
  LandmarkSamples(const FaceSet& faces, const std::vector<std::size_t>& mirrored,
                  std::vector<std::uint32_t> chosen, int per_face);
  // Draws the samples' boxes.
  void draw_boxes(const LandmarkOptions& options, std::uint64_t seed);
  // Sets each present shape: to the mean shape, or to a mixture of two true shapes.
  void draw_starts(const LandmarkOptions& options, std::uint64_t seed, const FixedMean& mean,
                   SampleMemory& memory);

  std::size_t count() const { return samples_.size(); }
  std::size_t points() const { return points_; }
  int per_face() const { return per_face_; }
  const std::vector<std::uint32_t>& chosen() const { return chosen_; }
  const LandmarkSample& operator[](std::size_t i) const { return samples_[i]; }
  std::int32_t* shape(std::size_t i) { return shapes_.data() + i * 2 * points_; }
  const std::int32_t* shape(std::size_t i) const { return shapes_.data() + i * 2 * points_; }
  // Writes the true shape of sample `i`: the points' x coordinates, then their y coordinates.
  void truth(std::size_t i, std::int32_t* coordinates) const;
  // Returns the points of the present shape, in pixels of the picture as it is, not mirrored, and in the
  // order of the face's points.
  std::vector<Point> points_of(std::size_t i) const;
  // Returns the mean of `face_error` over the first sample of each face.
  double mean_error(const PointScheme& scheme) const;

  // Reads each picture and calls `use(thread, picture, first, last)` once with it. The picture's samples are
  // `first` to `last` - 1.
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

// Returns the mean distance of points from the true points, divided by `main_length` (truth/face_rule.h) of
// the true points. Both lists have the same length. `scheme`: what the points mean.
double face_error(std::span<const Point> points, std::span<const Point> truth, const PointScheme& scheme);

// Returns the mean of the true shapes of `chosen`, in the faces' own boxes. If `mirrored` is not empty, the
// mirrored shapes count, too.
std::vector<ShapePoint> mean_shape(const FaceSet& faces, const std::vector<std::size_t>& mirrored,
                                   const std::vector<std::uint32_t>& chosen);

// Writes into `row` the `count` pixels that a sample with this shape reads in its picture.
void read_sample_pixels(const GrayView& picture, const LandmarkSample& sample, const std::int32_t* shape,
                        std::size_t points, const ShapeTurn& turn, const ShapePixels& pixels,
                        std::size_t count, std::uint8_t* row);

}  // namespace winnow
