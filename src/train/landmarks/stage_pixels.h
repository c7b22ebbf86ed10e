// Draws the places of the pixels that a stage reads, and gathers these pixels for all samples.
//
// In:     the mean shape, options and the stage's number; samples.
// Out:    for each pixel its nearest point and the offset from this point; a matrix with a row for each
//         pixel.
// Exact:  the same for the same seed. Places depend on the C library's sine and cosine.
// Memory: the matrix belongs to the caller.
// Thread: any; gathering uses more threads inside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <winnow/landmarks.h>
#include <winnow/train_landmarks.h>

#include "train/landmarks/landmark_samples.h"

namespace winnow {

struct StagePixels {
  std::vector<ShapePixel> list;
  ShapePixels pixels;              // the same pixels: one list each for point, x and y
  std::vector<ShapePoint> places;  // the pixels' places on the mean shape
};

// Draws `count` pixels. For each pixel a point of the mean shape is drawn. The pixel lies within `radius` of
// that point.
StagePixels draw_pixels(const std::vector<ShapePoint>& mean, int count, double radius, std::uint64_t seed,
                        int stage);

// Returns the value of stage `stage` in a geometric sequence from `first` in the first stage to `last` in the
// last.
double at_stage(double first, double last, int stage, int stages);

// Fills `matrix`: for each pixel, one after the other, a value for each sample.
void gather_pixels(const LandmarkSamples& samples, const FixedMean& mean, const StagePixels& pixels,
                   int threads, std::uint8_t* matrix);

}  // namespace winnow
