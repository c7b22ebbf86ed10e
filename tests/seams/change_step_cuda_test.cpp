// Tests that a test's own step can read the objects of a search, and the kept frame before, on the device.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include <winnow/detector.h>

#include "base/device/device_for_test.h"
#include "base/device/driver_calls_for_test.h"
#include "change_step_cuda.h"
#include "scale/gaussian/halve.h"
#include "scale/gaussian/kept_frames.h"
#include "session/scene_for_test.h"

namespace winnow::sample {
namespace {

constexpr Size kSize{320, 240};

// Draws a frame in which one square walks to the right and another square stands still.
GrayImage frame_of(int number) {
  return make_scene(kSize, {{20 + 7 * number, 30, 48, 48}, {200, 120, 80, 80}});
}

std::int64_t change_in(const Box& box, const KeptFrames& kept) {
  const GrayView now = kept.now()->level(1), before = kept.before()->level(1);
  std::int64_t sum = 0;
  for (int y = box.y / 2; y < box.y / 2 + box.height / 2; ++y) {
    for (int x = box.x / 2; x < box.x / 2 + box.width / 2; ++x) {
      sum += std::abs(now.row(y)[x] - before.row(y)[x]);
    }
  }
  return sum;
}

struct Flight {
  explicit Flight(cudaStream_t stream) : batch(stream) {}
  FrameBatch batch;
  ChangeStep* change = nullptr;
};

TEST(ChangeStepCuda, OneSubmissionAFrameWithoutATripToTheHost) {
  WINNOW_NEEDS_DEVICE();
  const Cascade cascade = square_finder();
  LevelPlan plan;
  plan_levels({kSize, cascade.window(), 1.1, {}, {}}, plan);
  const FrameWish wish{&plan, {}};
  const SearchRequest request{kSize, &plan, 1, 3, -1e9};
  const CudaStream stream = make_stream();
  DeviceKeptVideos kept(kSize, 2);
  kept.plan(1, stream.get());
  std::vector<std::unique_ptr<Flight>> flights;  // two batches in flight on one stream
  for (int i = 0; i < 2; ++i) {
    flights.push_back(std::make_unique<Flight>(stream.get()));
    FrameBatch& batch = flights.back()->batch;
    DeviceSearch& search =
        batch.add(std::make_unique<DeviceSearch>(make_device_sieve(cascade), 0, ObjectsHome::kDevice));
    search.plan(request, 1);
    batch.plan(kSize, {&wish, 1}, 1);
    flights.back()->change = &batch.add(std::make_unique<ChangeStep>(search, kept));
  }
  Detector detector(cascade, {BackendKind::kReference, 1});
  KeptFrames on_host(halve_ref);
#if __has_include(<cupti.h>)
  DriverCalls calls;
#endif
  for (int number = 0; number < 12; ++number) {
    const GrayImage image = frame_of(number);
    const PictureView picture(image.view());
    Flight& flight = *flights[static_cast<std::size_t>(number % 2)];
    flight.batch.wait();
#if __has_include(<cupti.h>)
    calls.clear();
#endif
    flight.batch.start({&picture, 1}, {}, 1);
#if __has_include(<cupti.h>)
    if (calls.there()) {
      EXPECT_EQ(calls.waits(), 0);
      EXPECT_EQ(calls.to_host(), 0) << "the host looked at something in between";
      if (number >= 4) {  // each kind of batch has come twice, so it is a graph now
        const Asked asked = count(calls, {"cuEventRecord"});
        EXPECT_EQ(asked.graphs, 1);
        EXPECT_EQ(asked.launches + asked.copies + asked.waits, 0);
      }
    }
#endif
    on_host.take(image.view(), 2);
    if (number == 0) continue;  // there is no frame before it
    std::vector<std::int64_t> wanted;
    for (const Detection& object : detector.detect(image.view()).objects)
      wanted.push_back(change_in(object.box, on_host));
    ASSERT_EQ(wanted.size(), 2u);
    flight.batch.wait();
    EXPECT_EQ(flight.change->read(), wanted) << "frame " << number;
    EXPECT_NE(wanted[0] == 0, wanted[1] == 0) << "one moves, and one does not";
  }
}

}  // namespace
}  // namespace winnow::sample
