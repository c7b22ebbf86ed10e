// Tests searches that are started now and collected later, and that the backend `cpu` refuses pictures on a
// device.
#include <gtest/gtest.h>

#include <span>
#include <vector>

#include <winnow/detector.h>
#include <winnow/error.h>

#include "session/scene_for_test.h"

namespace winnow {
namespace {

TEST(Detector, AnswersAreCollectedInTheOrderOfTheirStarts) {
  std::vector<GrayImage> images;
  for (int i = 0; i < 5; ++i)
    images.push_back(
        sample::make_scene({120 + 7 * i, 90 + 5 * i}, {{10 + 4 * i, 20, 30 + 2 * i, 30 + 2 * i}}));
  images.emplace_back(3, 2);  // too small for a window
  for (const BackendKind backend : {BackendKind::kReference, BackendKind::kCpu}) {
    Detector detector(sample::square_finder(), {backend, 2}), other(sample::square_finder(), {backend, 2});
    DetectOptions options;
    for (int round = 0; round < 3; ++round) {
      options.min_neighbors = round;
      for (const GrayImage& image : images) detector.enqueue(image.view(), options);
      EXPECT_EQ(detector.pending(), 6);
      for (const GrayImage& image : images) {
        const Detections wanted = other.detect(image.view(), options);
        const Detections found = detector.collect();
        EXPECT_EQ(found.objects, wanted.objects);
        EXPECT_TRUE(found.counters.same_answer(wanted.counters));
        EXPECT_EQ(found.backend, wanted.backend);
        EXPECT_EQ(found.picture, wanted.picture);
      }
    }
    EXPECT_THROW(detector.collect(), Error) << "nothing is pending";
    for (int i = 0; i < Detector::most_pending(); ++i) detector.enqueue(images[0].view());
    EXPECT_THROW(detector.enqueue(images[0].view()), Error) << "as many as may be are pending";
    EXPECT_THROW(detector.detect(images[0].view()), Error) << "searches are pending";
    std::vector<Detections> results;
    EXPECT_THROW(detector.detect(std::vector<GrayView>(4, images[0].view()), {}, results), Error);
    while (detector.pending() > 0) EXPECT_EQ(detector.collect().picture, images[0].size());
    EXPECT_EQ(detector.detect(images[1].view()).objects, other.detect(images[1].view()).objects);
    // Searches many sizes while one search is pending: the plan of that search is kept.
    detector.enqueue(images[1].view());
    for (int i = 0; i < 200; ++i) {
      detector.enqueue(GrayView{images[4].row(0), 40 + i % 60, 40 + i / 60, images[4].width()});
      if (detector.pending() == 2) continue;
      detector.collect();
    }
    while (detector.pending() > 0) detector.collect();
  }
}

TEST(Detector, PicturesOnADeviceNeedTheCudaBackend) {
  Detector detector(sample::square_finder(), {BackendKind::kCpu, 1});
  const GrayImage image(60, 60);
  const DevicePicture picture{image.row(0), 60, 60, 60, 0, nullptr};
  std::vector<Detections> results;
  EXPECT_THROW(detector.detect(std::span(&picture, 1), {}, results), Error);
  EXPECT_THROW(detector.enqueue(picture), Error);
  EXPECT_EQ(detector.pending(), 0);
  DevicePicture narrow = picture;
  narrow.stride = 59;
  EXPECT_THROW(detector.detect(std::span<const DevicePicture>(&narrow, 1), {}, results), Error);
}

}  // namespace
}  // namespace winnow
