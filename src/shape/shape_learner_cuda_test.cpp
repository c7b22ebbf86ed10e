// Compares the learner of a device with `reference`.
#include <gtest/gtest.h>

#include "base/device/device_for_test.h"
#include "shape/shape_learner.h"
#include "shape/shape_learner_for_test.h"

#ifdef WINNOW_HAVE_CUDA

namespace winnow {
namespace {

using namespace sample;

TEST(ShapeLearnerCuda, GivesTheSumsOfTheReference) {
  WINNOW_NEEDS_DEVICE();
  const auto reference = make_shape_learner_ref();
  const auto device = make_shape_learner_cuda(0);
  unsigned seed = 0;
  for (const LearnerCase& each : learner_cases()) {
    SCOPED_TRACE("case " + std::to_string(++seed));
    const LearnerScene scene = random_learner_scene(each.count, each.pixels, each.values, seed);
    expect_same_trees(*reference, *device, scene, each.depth, each.tries, seed);
  }
}

}  // namespace
}  // namespace winnow

#endif
