// Counts the calls to the driver during a search, with NVIDIA's tools interface (CUPTI). After a batch of a
// kind has come twice, each further batch of this kind costs one graph, one wait and no allocation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <winnow/detector.h>
#include <winnow/error.h>
#include <winnow/pinned.h>

#include "base/device/device_for_test.h"
#include "session/answers_for_test.h"
#include "session/scene_for_test.h"

#if defined(WINNOW_HAVE_CUDA) && __has_include(<cupti.h>)

#include "base/device/cuda_memory.h"
#include "base/device/driver_calls_for_test.h"
#include "pipeline/device_search_cuda.h"
#include "scale/frames/frame_batch_cuda.h"

// Skips a test if a block of threads on this device cannot group the scene's candidates, up to 2,048. The
// host would then group these candidates, with further copies and waits.
#define WINNOW_NEEDS_LARGE_BLOCKS() \
  if (device_room().block_memory < 156 << 10) GTEST_SKIP() << "needs blocks of 156 KiB of shared memory"

namespace winnow {
namespace {

using sample::Asked;
using sample::count;
using sample::DriverCalls;

TEST(CallsCuda, AGraphAndAWaitABatch) {
  WINNOW_NEEDS_DEVICE();
  DriverCalls calls;
  WINNOW_NEEDS_CUPTI(calls);
  std::vector<GrayImage> images;
  std::vector<GrayView> views;
  for (int i = 0; i < 64 * 6; ++i)
    images.push_back(sample::make_scene({160, 120}, {{20 + i % 60, 30, 36, 36}}));
  for (const GrayImage& image : images) views.push_back(image.view());
  Detector detector(sample::square_finder(), {BackendKind::kCuda, 1});
  std::vector<Detections> results;
  detector.detect(views, {}, results);  // makes plans and captures graphs
  calls.clear();
  detector.detect(views, {}, results);
  const Asked asked = count(calls, {});
  EXPECT_EQ(asked.graphs, 6);
  EXPECT_EQ(asked.launches, 0);
  EXPECT_EQ(asked.waits, 6);
  EXPECT_EQ(asked.copies, 0) << "they are in the graphs";
}

// Each pinned picture costs one copy. Rows of 160 pixels fill a frame's pitch, rows of 150 pixels do not.
TEST(CallsCuda, PinnedPicturesAreFetchedWhereTheyLie) {
  WINNOW_NEEDS_DEVICE();
  DriverCalls calls;
  WINNOW_NEEDS_CUPTI(calls);
  for (const int width : {160, 150}) {
    std::vector<GrayImage> images;
    std::vector<GrayView> views;
    std::vector<PinnedMemory> pinned;
    for (int i = 0; i < 8; ++i) images.push_back(sample::make_scene({width, 120}, {{20 + i, 30, 36, 36}}));
    for (const GrayImage& image : images) {
      views.push_back(image.view());
      pinned.emplace_back(std::as_bytes(std::span(image.row(0), static_cast<std::size_t>(width * 120))));
    }
    Detector detector(sample::square_finder(), {BackendKind::kCuda, 1});
    std::vector<Detections> results;
    for (int round = 0; round < 3; ++round) {
      calls.clear();
      detector.detect(views, {}, results);
    }
    const Asked asked = count(calls, {});
    EXPECT_EQ(asked.copies, 8);
    EXPECT_EQ(asked.graphs, asked.waits);
    EXPECT_EQ(asked.launches, 0);
  }
}

// One copy per picture on the device, and none to or from the host.
TEST(CallsCuda, PicturesOnADeviceAreNotCopiedToTheHost) {
  WINNOW_NEEDS_DEVICE();
  DriverCalls calls;
  WINNOW_NEEDS_CUPTI(calls);
  constexpr int kWidth = 160, kHeight = 120;
  constexpr std::ptrdiff_t kStride = 200;
  std::vector<GrayImage> images;
  std::vector<GrayView> views;
  std::vector<DevicePicture> pictures;
  DeviceBuffer<std::uint8_t> memory(static_cast<std::size_t>(8 * kStride * kHeight));
  const CudaStream stream = make_stream();
  for (int i = 0; i < 8; ++i) {
    images.push_back(sample::make_scene({kWidth, kHeight}, {{20 + i, 30, 36, 36}}));
    std::uint8_t* to = memory.data() + i * kStride * kHeight;
    check_cuda(cudaMemcpy2DAsync(to, kStride, images.back().row(0), kWidth, kWidth, kHeight,
                                 cudaMemcpyHostToDevice, stream.get()),
               "making a picture on the device");
    pictures.push_back({to, kWidth, kHeight, kStride, 0, stream.get()});
  }
  for (const GrayImage& image : images) views.push_back(image.view());
  Detector detector(sample::square_finder(), {BackendKind::kCuda, 1}),
      reference(sample::square_finder(), {BackendKind::kReference, 1});
  std::vector<Detections> results, wanted;
  reference.detect(views, {}, wanted);
  for (int round = 0; round < 3; ++round) {
    calls.clear();
    detector.detect(std::span<const DevicePicture>(pictures), {}, results);
    EXPECT_EQ(calls.on_device(), 8);
    EXPECT_EQ(calls.to_host(), 0);
    if (round > 0) {  // the first round makes plans
      EXPECT_EQ(calls.to_device(), 0);
    }
    for (std::size_t i = 0; i < wanted.size(); ++i) sample::expect_same(wanted[i], results[i]);
  }
  detector.enqueue(pictures[3]);
  sample::expect_same(wanted[3], detector.collect());

  pictures[0].device = 99;
  EXPECT_THROW(detector.detect(std::span<const DevicePicture>(pictures), {}, results), Error);
  EXPECT_THROW(reference.detect(std::span<const DevicePicture>(pictures).subspan(1), {}, results), Error);
  detector.detect(views, {}, results);  // a wrong argument does not end the detector's work
  sample::expect_same(wanted[0], results[0]);
}

std::vector<Detection> objects_there(const ObjectsView& view) {
  std::int32_t count = 0;
  check_cuda(cudaMemcpy(&count, view.found, sizeof(count), cudaMemcpyDeviceToHost), "reading a count");
  std::vector<Candidate> there(static_cast<std::size_t>(count));
  check_cuda(cudaMemcpy(there.data(), view.objects, there.size() * sizeof(Candidate), cudaMemcpyDeviceToHost),
             "reading objects");
  std::vector<Detection> objects;
  for (const Candidate& each : there) objects.push_back({each.box, each.score, each.count});
  return objects;
}

// Two models search the same frames, which are uploaded once and whose levels are made once. Three batches
// are in flight, each one graph, and nothing waits before the first answer is read.
TEST(CallsCuda, TwoModelsShareFramesAndAreReadLater) {
  WINNOW_NEEDS_DEVICE();
  WINNOW_NEEDS_LARGE_BLOCKS();
  DriverCalls calls;
  WINNOW_NEEDS_CUPTI(calls);
  const Cascade stages = sample::square_finder(), soft = sample::soft_square_finder();
  const Size size{640, 480};
  LevelPlan plans[2];
  plan_levels({size, stages.window(), 1.1, {}, {}}, plans[0]);
  plan_levels({size, soft.window(), 1.1, {40, 40}, {}}, plans[1]);  // some levels are those of plans[0]
  const FrameWish wishes[] = {{&plans[0], {}}, {&plans[1], {}}};
  const SearchRequest requests[] = {{size, &plans[0], 1, 3, -1e9}, {size, &plans[1], 2, 2, -1e9}};
  const MergeSteps merge{group_cpu, mean_shift_cpu, support_cpu};
  struct Flight {
    FrameBatch batch;
    DeviceSearch *first, *second;
  };
  std::vector<Flight> flights(3);
  for (Flight& flight : flights) {
    flight.first = &flight.batch.add(std::make_unique<DeviceSearch>(make_device_sieve(stages), 0));
    flight.second =
        &flight.batch.add(std::make_unique<DeviceSearch>(make_device_sieve(soft), 1, ObjectsHome::kDevice));
    EXPECT_TRUE(flight.first->plan(requests[0], 1));
    EXPECT_TRUE(flight.second->plan(requests[1], 1));
    flight.batch.plan(size, wishes, 1);
    EXPECT_THROW(flight.first->objects(1), Error) << "its objects are not kept on the device";
  }
  ResultReader of_first([&] { return make_device_sieve(stages); }, merge),
      of_second([&] { return make_device_sieve(soft); }, merge);
  std::vector<GrayImage> images;
  for (int i = 0; i < 3; ++i)
    images.push_back(sample::make_scene(size, {{20 + 90 * i, 30, 36, 36}, {300, 200 + 40 * i, 80, 80}}));
  Detector by_stages(stages, {BackendKind::kCpu, 1}), by_soft(soft, {BackendKind::kCpu, 1});
  for (int round = 0; round < 3; ++round) {
    calls.clear();
    for (std::size_t i = 0; i < 3; ++i) {
      const PictureView picture(images[i].view());
      flights[i].batch.start({&picture, 1}, {}, 1);
    }
    EXPECT_EQ(calls.waits(), 0);
    EXPECT_EQ(calls.to_host(), 0);
    if (round == 0) {
      EXPECT_EQ(calls.to_device(), 3) << "a frame is uploaded once for both models";
    }
    if (round == 2) {
      const Asked asked = count(calls, {});
      EXPECT_EQ(asked.graphs, 3);
      EXPECT_EQ(asked.launches, 0);
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const Flight& flight = flights[i];
      flight.batch.wait();
      Detections found;
      DetectOptions options;
      of_first.read(*flight.first, flight.batch.view(0), 0, found);
      Detections wanted = by_stages.detect(images[i].view(), options);
      EXPECT_EQ(found.objects, wanted.objects);
      EXPECT_TRUE(found.counters.same_answer(wanted.counters));
      of_second.read(*flight.second, flight.batch.view(1), 0, found);
      options.min_neighbors = 2;
      options.min_size = {40, 40};
      wanted = by_soft.detect(images[i].view(), options);
      EXPECT_EQ(found.objects, wanted.objects);
      EXPECT_TRUE(found.counters.same_answer(wanted.counters));
      EXPECT_FALSE(found.objects.empty());
      EXPECT_EQ(objects_there(flight.second->objects(1)), wanted.objects);
    }
  }
}

// The objects on the device equal the caller's objects, in the same order. Both lists hold only objects that
// reach `min_score`, clipped to the picture, without the border's mirror images.
TEST(CallsCuda, ObjectsOnADeviceAreTheObjects) {
  WINNOW_NEEDS_DEVICE();
  WINNOW_NEEDS_LARGE_BLOCKS();
  const Cascade stages = sample::square_finder();
  const GrayImage scene = sample::make_scene(
      {320, 240}, {{2, 3, 36, 36}, {100, 30, 40, 40}, {200, 120, 80, 80}, {282, 202, 36, 36}});
  LevelPlan plan;
  plan_levels({{320, 240}, stages.window(), 1.1, {}, {}}, plan);
  const FrameWish wish{&plan, {}};
  FrameBatch batch;
  DeviceSearch& search =
      batch.add(std::make_unique<DeviceSearch>(make_device_sieve(stages), 0, ObjectsHome::kDevice));
  const MergeSteps merge{group_cpu, mean_shift_cpu, support_cpu};
  ResultReader reader([&] { return make_device_sieve(stages); }, merge);
  std::unique_ptr<Pipeline> host = make_host_pipeline(make_sieve_ref(stages), merge);
  const PictureView picture(scene.view());
  std::size_t most = 0, least = 1000;
  for (const int neighbors : {3, 1, 0}) {
    for (const int margin : {0, 5, 20, 100}) {
      for (const bool clip : {true, false}) {
        for (const double min_score : {-1e9, 0.5, 1e9}) {
          SearchRequest request{{320, 240}, &plan, 1, neighbors, min_score};
          request.margin = margin;
          request.clip = clip;
          Detections wanted, found;
          host->search(std::vector<SearchJob>{{request, {&picture, 1}, wanted}});
          if (search.plan(request, 1)) batch.plan({320, 240}, {&wish, 1}, 1);
          batch.start({&picture, 1}, {}, 1);
          batch.wait();
          reader.read(search, batch.view(), 0, found);
          EXPECT_EQ(found.objects, wanted.objects);
          EXPECT_EQ(objects_there(search.objects(1)), wanted.objects)
              << neighbors << " neighbours, margin " << margin << ", clip " << clip << ", " << min_score;
          most = std::max(most, wanted.objects.size());
          least = std::min(least, wanted.objects.size());
        }
      }
    }
  }
  EXPECT_GT(most, 1024u) << "the kernel never took a second round";
  EXPECT_EQ(least, 0u);
  SearchRequest shift{{320, 240}, &plan, 1, 3, -1e9};
  shift.merge = Merge::kMeanShift;
  search.plan(shift, 1);
  batch.start({&picture, 1}, {}, 1);
  batch.wait();
  Detections wanted, found;
  host->search(std::vector<SearchJob>{{shift, {&picture, 1}, wanted}});
  reader.read(search, batch.view(), 0, found);
  EXPECT_EQ(found.objects, wanted.objects);
  try {
    search.objects(1);
    ADD_FAILURE() << "objects of mean shift are not on the device";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  }
}

// A detector enqueues frames one after the other, without a wait before the first answer is collected.
TEST(CallsCuda, ADetectorCollectsLater) {
  WINNOW_NEEDS_DEVICE();
  DriverCalls calls;
  WINNOW_NEEDS_CUPTI(calls);
  Detector detector(sample::square_finder(), {BackendKind::kCuda, 1}),
      reference(sample::square_finder(), {BackendKind::kReference, 1});
  std::vector<GrayImage> images;
  for (int i = 0; i < 3; ++i) images.push_back(sample::make_scene({320, 240}, {{20 + 50 * i, 30, 36, 36}}));
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < Detector::most_pending(); ++i)
      detector.enqueue(images[0].view());  // so that every batch in flight has a plan
    while (detector.pending() > 0) detector.collect();
    calls.clear();
    for (const GrayImage& image : images) detector.enqueue(image.view());
    EXPECT_EQ(calls.waits(), 0);
    EXPECT_EQ(detector.pending(), 3);
    for (const GrayImage& image : images)
      sample::expect_same(reference.detect(image.view()), detector.collect());
    EXPECT_EQ(calls.waits(), 3);
  }
}

// A large picture is searched without a graph, but with one wait and without an allocation.
TEST(CallsCuda, AWaitALargePictureAlone) {
  WINNOW_NEEDS_DEVICE();
  WINNOW_NEEDS_LARGE_BLOCKS();
  DriverCalls calls;
  WINNOW_NEEDS_CUPTI(calls);
  const GrayImage scene = sample::make_scene({1920, 1080}, {{20, 30, 36, 36}, {1700, 900, 80, 80}});
  Detector detector(sample::square_finder(), {BackendKind::kCuda, 1});
  detector.detect(scene.view());  // plans
  calls.clear();
  detector.detect(scene.view());
  const Asked asked = count(calls, {"cuMemsetD", "cuEventRecord", "cuStreamWaitEvent"});
  EXPECT_EQ(asked.graphs, 0);
  EXPECT_EQ(asked.launches, 5);  // 5 kernels: for two waves, and for the answers
  EXPECT_EQ(asked.waits, 1);
  EXPECT_EQ(asked.copies, 2);
}

}  // namespace
}  // namespace winnow

#elif defined(WINNOW_HAVE_CUDA)

TEST(CallsCuda, AGraphAndAWaitABatch) { GTEST_SKIP() << "was built without cupti.h"; }

#endif
