// Tests the likeness to what was kept of an object and of its surroundings.
#include "track/tld/templates.h"

#include <gtest/gtest.h>

#include "track/tld/object_scene_for_test.h"

namespace winnow {
namespace {

ObjectPatch patch_of(std::uint64_t which) {
  const Texture look(which, 2);
  GrayFrame frame({15, 15});
  for (int y = 0; y < 15; ++y)
    for (int x = 0; x < 15; ++x) frame.at(x, y) = static_cast<std::uint8_t>(look.at(x, y));
  return patch_at(frame.view(), {0, 0, 15, 15});
}

TEST(Templates, KnowNothingAtFirst) {
  const Templates none;
  EXPECT_EQ(none.compare(patch_of(1)).relative, 0);
  EXPECT_EQ(none.like_object(patch_of(1)), -1);
  EXPECT_EQ(none.like_certain(patch_of(1)), -1);
  EXPECT_EQ(none.like_early(patch_of(1)), -1);
}

TEST(Templates, CompareDistancesToBothKinds) {
  Templates templates;
  Random random(1);
  templates.add_object(patch_of(1), true, random);
  templates.add_other(patch_of(2), random);
  const ObjectPatch patch = patch_of(3);
  const double object = 1 - likeness_of(patch, patch_of(1)), other = 1 - likeness_of(patch, patch_of(2));
  EXPECT_DOUBLE_EQ(templates.compare(patch).relative, other / (other + object));
  EXPECT_DOUBLE_EQ(templates.compare(patch).other, 1 - other);
  EXPECT_DOUBLE_EQ(templates.compare(patch_of(1)).relative, 1);
  EXPECT_NEAR(templates.compare(patch_of(2)).relative, 0, 1e-12);
}

TEST(Templates, WithoutSurroundingsAnUnrelatedPatchIsNotAlike) {
  Templates templates;
  Random random(1);
  templates.add_object(patch_of(1), true, random);
  EXPECT_DOUBLE_EQ(templates.compare(patch_of(1)).relative, 1);
  EXPECT_LT(templates.compare(patch_of(3)).relative, 0.6);
}

TEST(Templates, TheEarlierHalfIsConservative) {
  Templates templates;
  Random random(1);
  for (const std::uint64_t which : {1, 2, 3}) templates.add_object(patch_of(which), false, random);
  templates.add_other(patch_of(9), random);
  for (const std::uint64_t which : {1, 2}) {
    const Likeness like = templates.compare(patch_of(which));
    EXPECT_DOUBLE_EQ(like.conservative, like.relative) << which;
    EXPECT_DOUBLE_EQ(templates.like_early(patch_of(which)), 1) << which;
  }
  const Likeness late = templates.compare(patch_of(3));
  EXPECT_DOUBLE_EQ(late.relative, 1);
  EXPECT_LT(late.conservative, 0.9);
  EXPECT_LT(templates.like_early(patch_of(3)), 0.9);
  templates.add_object(patch_of(4), true, random);
  EXPECT_DOUBLE_EQ(templates.compare(patch_of(4)).conservative, 1)
      << "what a person marked is certain at once";
  EXPECT_DOUBLE_EQ(templates.like_early(patch_of(4)), 1);
}

TEST(Templates, AreBounded) {
  Templates templates;
  Random random(1);
  templates.add_object(patch_of(1), true, random);
  for (std::uint64_t which = 2; which < 2 * kMostTemplates; ++which) {
    templates.add_object(patch_of(which), false, random);
    templates.add_other(patch_of(which + 10'000), random);
  }
  EXPECT_EQ(templates.objects(), kMostTemplates);
  EXPECT_EQ(templates.others(), kMostTemplates);
  EXPECT_DOUBLE_EQ(templates.like_certain(patch_of(1)), 1);
  EXPECT_DOUBLE_EQ(templates.like_object(patch_of(2 * kMostTemplates - 1)), 1) << "the newest patch stays";
  for (std::uint64_t which = 1000; which < 1000 + 2 * kMostTemplates; ++which)
    templates.add_object(patch_of(which), true, random);
  EXPECT_EQ(templates.objects(), kMostTemplates);
  EXPECT_DOUBLE_EQ(templates.like_certain(patch_of(1)), 1) << "the first mark stays";
}

}  // namespace
}  // namespace winnow
