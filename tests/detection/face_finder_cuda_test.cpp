// Counts the calls to the driver of a `FaceFinder`. One graph finds and marks the faces of a batch, and the
// host waits once for all answers of the batch.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include <winnow/face_finder.h>

#include "base/device/device_for_test.h"
#include "model/landmarks/landmark_samples_for_test.h"
#include "session/scene_for_test.h"

#if defined(WINNOW_HAVE_CUDA) && __has_include(<cupti.h>)

#include "base/device/driver_calls_for_test.h"

namespace winnow {
namespace {

using sample::Asked;
using sample::count;
using sample::DriverCalls;

TEST(FaceFinderCuda, OneGraphAndOneWaitABatch) {
  WINNOW_NEEDS_DEVICE();
  DriverCalls calls;
  WINNOW_NEEDS_CUPTI(calls);
  std::vector<GrayImage> images;
  std::vector<PictureView> views;
  for (int i = 0; i < 64 * 6; ++i)
    images.push_back(sample::make_scene({160, 120}, {{20 + i % 60, 30, 36, 36}, {100, 70, 30, 30}}));
  for (const GrayImage& image : images) views.push_back(image.view());
  const Landmarks landmarks(
      sample::random_landmarks({.points = 68, .stages = 3, .confidence = true}, true, 7));
  FaceFinder finder(sample::square_finder(), landmarks, {BackendKind::kCuda, 1});
  std::vector<Detections> found;
  std::vector<std::vector<Shape>> shapes;
  finder.find(views, {}, found, shapes);  // makes plans and captures graphs
  calls.clear();
  finder.find(views, {}, found, shapes);
  const Asked asked = count(calls, {});
  EXPECT_EQ(asked.graphs, 6);
  EXPECT_EQ(asked.waits, 6) << "the host looked at something in between";
  EXPECT_EQ(asked.launches, 0);
  EXPECT_EQ(asked.copies, 0) << "they are in the graphs";
  for (const std::vector<Shape>& each : shapes) EXPECT_GE(each.size(), 1U);

  // One picture alone.
  finder.find(std::span(views).first(1), {}, found, shapes);
  finder.find(std::span(views).first(1), {}, found, shapes);
  calls.clear();
  finder.find(std::span(views).first(1), {}, found, shapes);
  const Asked alone = count(calls, {});
  EXPECT_EQ(alone.graphs, 1);
  EXPECT_EQ(alone.waits, 1);
  EXPECT_EQ(alone.launches + alone.copies, 0);
}

}  // namespace
}  // namespace winnow

#endif
