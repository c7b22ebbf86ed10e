// Checks that described windows are those that a sieve scores.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <winnow/describe.h>
#include <winnow/error.h>

#include "base/random.h"
#include "hog/hog_steps.h"
#include "image/texture_for_test.h"
#include "model/hog_models_for_test.h"
#include "scale/plan.h"

namespace winnow {
namespace {

HogSvmModel random_model(const HogShape& shape, std::uint64_t seed) {
  Random random(seed);
  HogSvmModel model;
  model.shape = shape;
  for (std::size_t i = 0; i < shape.values(); ++i)
    model.weights.push_back(static_cast<float>(random.bell() * 0.1));
  model.bias = 0.5;
  return model;
}

TEST(Describe, ValuesTimesWeightsAreTheScores) {
  std::uint64_t seed = 50;
  for (const HogShape& shape :
       {HogShape{}, HogShape{{24, 36}, {12, 12}, {6, 6}, {6, 6}, 7, true, false, 2.5, 0.3},
        HogShape{{32, 32}, {16, 16}, {4, 4}, {8, 8}}, HogShape{{20, 30}, {10, 10}, {5, 5}, {5, 5}}}) {
    const HogSvmModel model = random_model(shape, ++seed);
    const GrayImage gray = sample::texture(101, 143, ++seed);
    RgbImage color(101, 143);
    for (int y = 0; y < 143; ++y)
      for (int x = 0; x < 101; ++x)
        color.row(y)[x] = {gray.row(y)[x], gray.row(142 - y)[x], gray.row(y)[100 - x]};
    for (const PictureView& picture : {PictureView(gray.view()), PictureView(gray.view(), color.view())}) {
      const DetectorModel detector = HogSvm(model);
      PlanRequest request;
      request.picture = picture.size();
      request.window = shape.window;
      request.scale_factor = 1000;
      request.rules = detector.plan_rules();
      LevelPlan plan;
      plan_levels(request, plan);
      ASSERT_EQ(plan.levels.size(), 1u);
      const auto sieve = make_hog_sieve_ref(detector);
      SieveResult wanted;
      sieve->set_options({-1e6, false});
      sieve->run(picture, plan, wanted);
      const WindowValues values = describe_windows(picture, shape);
      EXPECT_EQ(values.length, shape.values());
      ASSERT_EQ(static_cast<std::size_t>(values.count.width) * static_cast<std::size_t>(values.count.height),
                wanted.survivors.size());
      std::size_t window = 0;
      for (int y = 0; y < values.count.height; ++y) {
        for (int x = 0; x < values.count.width; ++x, ++window) {
          double score = model.bias;
          for (std::size_t i = 0; i < values.length; ++i)
            score += static_cast<double>(model.weights[i]) * static_cast<double>(values.at(x, y)[i]);
          ASSERT_NEAR(score, wanted.survivors[window].score, 1e-3);
        }
      }
      // A finer step gives the same windows, and others between them.
      const WindowValues finer = describe_windows(picture, shape, {{1, 2}});
      for (int y = 0; 2 * y < finer.count.height && y < 3; ++y) {
        const int step = shape.block_stride.height;
        if (step % 2 != 0 || y * step / 2 >= finer.count.height || y >= values.count.height) break;
        const auto a = values.at(0, y), b = finer.at(0, y * step / 2);
        EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
      }
    }
  }
}

TEST(Describe, ReferenceGivesTheSameValues) {
  std::uint64_t seed = 70;
  std::vector<HogShape> shapes = sample::hog_shapes();
  shapes.push_back({{40, 36}, {30, 24}, {10, 12}, {5, 6}, 5});  // six cells across: two vectors of four lanes
  for (const HogShape& shape : shapes) {
    const HogForm form = make_hog_form(random_model(shape, ++seed));
    const GrayImage gray = sample::texture(shape.window.width + 23, shape.window.height + 14, ++seed);
    const GrayView view = gray.view();
    Describer describer(shape);
    for (const DescribeOptions& options : {DescribeOptions{}, DescribeOptions{{5, 7}, {11, 3}},
                                           DescribeOptions{{}, {}, {{-9, 4}, {500, -300}}}}) {
      const WindowValues values = describer.describe(view, options);
      const Size step{options.step.width > 0 ? options.step.width : shape.block_stride.width,
                      options.step.height > 0 ? options.step.height : shape.block_stride.height};
      for (int y = 0; y < values.count.height; ++y) {
        for (int x = 0; x < values.count.width; ++x) {
          PixelPoint corner{x * step.width - options.padding.width, y * step.height - options.padding.height};
          if (!options.locations.empty()) corner = options.locations[static_cast<std::size_t>(x)];
          BlockGrid grid;
          lay_grid(shape, corner, {1, 1}, step, grid);
          describe_ref(form, {&view, 1}, grid);
          const auto got = values.at(x, y);
          std::size_t i = 0;
          for (int column = 0; column < shape.blocks().width; ++column) {
            for (int row = 0; row < shape.blocks().height; ++row) {
              for (int k = 0; k < grid.values; ++k, ++i)
                ASSERT_EQ(got[i], std::ldexp(static_cast<float>(grid.at(column, row)[k]), -kHogValueBits));
            }
          }
        }
      }
    }
  }
}

TEST(Describe, WindowsThatDoNotFitHaveNoValues) {
  const GrayImage gray = sample::texture(63, 200, 1);
  const WindowValues none = describe_windows(gray.view(), {});
  EXPECT_EQ(none.count, Size());
  EXPECT_EQ(none.length, 3780u);
  EXPECT_TRUE(none.values.empty());
  EXPECT_TRUE(describe_windows({}, {}).values.empty());
}

TEST(Describe, WrongInputIsRefused) {
  const GrayImage gray = sample::texture(2000, 2000, 1);
  EXPECT_THROW(describe_windows(gray.view(), {}, {{-1, 8}}), Error);
  EXPECT_THROW(describe_windows(gray.view(), {{64, 128}, {16, 16}, {8, 8}, {7, 8}}), Error);
  try {
    describe_windows(gray.view(), {}, {{1, 1}});
    ADD_FAILURE() << "was described";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kLimit);
    EXPECT_EQ(
        error.sentence(),
        "the windows have more than 268435456 values; raise the step, or describe parts of the picture");
  }
}

}  // namespace
}  // namespace winnow
