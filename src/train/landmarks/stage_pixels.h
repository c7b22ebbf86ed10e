// Draws the places of a stage's pixels, and gathers the pixels of samples.
//
// In:     the mean shape, options, the stage; samples.
// Out:    pixels, each an offset from the point next to it; a matrix with a row for each pixel.
// Exact:  the same for the same seed. Places take the C library's sine and cosine.
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
  ShapePixels pixels;              // the same, side by side
  std::vector<ShapePoint> places;  // on the mean shape
};

// A pixel lies within `radius` of a point that is drawn.
StagePixels draw_pixels(const std::vector<ShapePoint>& mean, int count, double radius, std::uint64_t seed,
                        int stage);

// A value that changes evenly, by factors, from the first to the last stage.
double at_stage(double first, double last, int stage, int stages);

// Fills `matrix`: pixel by pixel, a value for each sample.
void gather_pixels(const LandmarkSamples& samples, const FixedMean& mean, const StagePixels& pixels,
                   int threads, std::uint8_t* matrix);

}  // namespace winnow
