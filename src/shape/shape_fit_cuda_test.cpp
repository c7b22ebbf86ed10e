// Compares fits on a device with `reference`.
#include <gtest/gtest.h>

#include "base/device/device_for_test.h"
#include "shape/shape_fit.h"
#include "shape/shape_fit_for_test.h"

#ifdef WINNOW_HAVE_CUDA

namespace winnow {
namespace {

using namespace sample;

TEST(ShapeFitCuda, GivesTheBitsOfTheReference) {
  WINNOW_NEEDS_DEVICE();
  for (const FitCase& each : fit_cases()) {
    const SharedShapeProgram program = program_of(random_landmarks(each.sizes, each.fixed_point, 5));
    const auto reference = make_shape_fitter_ref(program);
    const auto cuda = make_shape_fitter_cuda(program, 0);
    for (const int tasks : {1, 7, 64, 300}) {
      const FitScene scene = random_fit_scene(3, tasks, static_cast<unsigned>(tasks));
      const FittedShapes wanted = fitted(*reference, scene), got = fitted(*cuda, scene);
      EXPECT_EQ(got.coordinates, wanted.coordinates) << each.name << ", " << tasks;
      EXPECT_EQ(got.confidence, wanted.confidence) << each.name << ", " << tasks;
    }
  }
}

}  // namespace
}  // namespace winnow

#endif
