#include <gtest/gtest.h>

#include <vector>

#include <winnow/detector.h>

#include "session/scene_for_test.h"
#include "session/search_per_thread.h"

namespace winnow {
namespace {

using sample::make_scene;
using sample::soft_square_finder;
using sample::square_finder;

TEST(SearchPerThread, AsManyPicturesAsKeepThreadsBusy) {
  const GrayImage image(40, 30), large(400, 300);
  const auto alone = [&](std::size_t pictures, std::size_t threads, std::size_t larges = 0) {
    std::vector<PictureView> views(pictures, image.view());
    for (std::size_t i = 0; i < larges; ++i) views[i] = large.view();
    return pictures_per_thread(views, threads);
  };
  EXPECT_EQ(alone(64, 1), 0u);
  EXPECT_EQ(alone(64, 0), 0u);
  EXPECT_EQ(alone(1, 2), 0u);
  EXPECT_EQ(alone(2, 2), 2u);
  EXPECT_EQ(alone(3, 2), 2u);
  EXPECT_EQ(alone(3, 4), 3u);
  EXPECT_EQ(alone(2, 4), 0u);
  EXPECT_EQ(alone(64, 32), 64u);
  EXPECT_EQ(alone(66, 32), 64u);
  EXPECT_EQ(alone(2, 2, 1), 0u);
  EXPECT_EQ(alone(2, 2, 2), 2u);
  EXPECT_EQ(alone(200, 2, 1), 200u);
}

// Repeated calls with pictures of many sizes. Some calls have more pictures than threads, some fewer.
TEST(SearchPerThread, TheReferencesAnswer) {
  std::vector<GrayImage> images;
  for (int i = 0; i < 23; ++i) {
    const Size size{150 + i % 3 * 31, 120 + i % 2 * 40};
    images.push_back(
        make_scene(size, {{10 + i * 3 % 60, 20, 36, 36}, {60, 50 + i * 7 % 30, 48 + i % 5, 48 + i % 5}}));
  }
  images.push_back(GrayImage(5, 5));
  std::vector<GrayView> views;
  for (const GrayImage& image : images) views.push_back(image.view());
  for (const Cascade& cascade : {square_finder(), soft_square_finder()}) {
    Detector reference(cascade, {BackendKind::kReference, 1});
    std::vector<Detections> wanted, got;
    DetectOptions options;
    options.min_neighbors = 1;
    reference.detect(views, options, wanted);
    std::size_t objects = 0;
    for (const int threads : {1, 2, 3, 8}) {
      Detector cpu(cascade, {BackendKind::kCpu, threads});
      for (const std::size_t count : {24, 2, 9, 24}) {
        SCOPED_TRACE(testing::Message() << threads << " threads, " << count << " pictures");
        cpu.detect(std::span<const GrayView>(views).last(count), options, got);
        ASSERT_EQ(got.size(), count);
        for (std::size_t i = 0; i < count; ++i) {
          const Detections& want = wanted[views.size() - count + i];
          EXPECT_EQ(want.objects, got[i].objects);
          EXPECT_TRUE(want.counters.same_answer(got[i].counters));
          EXPECT_EQ(want.picture, got[i].picture);
          EXPECT_EQ(got[i].backend, "cpu");
          objects += got[i].objects.size();
        }
      }
    }
    EXPECT_GT(objects, 0u);
  }
}

}  // namespace
}  // namespace winnow
