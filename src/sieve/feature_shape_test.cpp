#include "sieve/feature_shape.h"

#include <gtest/gtest.h>

namespace winnow {
namespace {

// The shape of a feature that compares the left half of a rectangle with the right half.
FeatureShape shape_of_halves(const Box& box, bool tilted = false) {
  HaarFeature feature;
  feature.tilted = tilted;
  feature.rects[0] = {box, -1};
  feature.rects[1] = {{box.x, box.y, box.width / 2, box.height}, 2};
  return shape_haar(feature, {64, 64}, true).shape;
}

// A half of 128 pixels has values up to 255 * 128, which fit int16. Values of a half of 129 or more pixels do
// not fit, wherever the feature lies.
TEST(FeatureShape, NarrowIfTheLargestValueFits) {
  for (const int x : {0, 5, 30}) {
    for (const int y : {0, 9, 20}) {
      EXPECT_EQ(shape_of_halves({x, y, 16, 16}), FeatureShape::kEdge);
      EXPECT_EQ(shape_of_halves({x, y, 32, 8}), FeatureShape::kEdge);
      EXPECT_NE(shape_of_halves({x, y, 6, 43}), FeatureShape::kEdge);
      EXPECT_NE(shape_of_halves({x, y, 34, 8}), FeatureShape::kEdge);
    }
  }
  EXPECT_EQ(shape_of_halves({30, 2, 16, 8}, true), FeatureShape::kEdge);
  EXPECT_NE(shape_of_halves({30, 2, 16, 9}, true), FeatureShape::kEdge);
}

}  // namespace
}  // namespace winnow
