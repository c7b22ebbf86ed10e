// Compares parts of plans with whole searches on a device.
#include <gtest/gtest.h>

#include <span>
#include <vector>

#include <winnow/error.h>

#include "backend/ranges_for_test.h"
#include "base/device/device_for_test.h"
#include "session/scene_for_test.h"

#ifdef WINNOW_HAVE_CUDA

#include "base/device/cuda_memory.h"

namespace winnow {
namespace {

using sample::parts_add_up;
using sample::pipeline_of;
using sample::Pipelines;
using sample::Searched;

// Windows that pass many weak classifiers are judged outside their tiles.
TEST(PartSearchCuda, OfLongWindows) {
  WINNOW_NEEDS_DEVICE();
  const GrayImage scene = sample::make_scene({181, 147}, {{20, 30, 36, 36}, {60, 50, 80, 80}});
  for (const bool crowd : {false, true}) {
    const Cascade cascade =
        crowd ? sample::long_square_finder(-400.f, 0.5f) : sample::long_square_finder(-1.75f, 0.7080078125f);
    const std::vector<GrayView> pictures{scene.view()};
    auto same = sample::cascade_ranges(
        [](const DetectorModel& model) {
          Pipelines pipelines;
          pipelines.push_back(pipeline_of(BackendKind::kCuda, model));
          return pipelines;
        },
        9);
    EXPECT_TRUE(same(cascade, pictures, 1.1, Size{})) << (crowd ? "crowd" : "squares");
  }
}

// If a pipeline has two devices, the first device sifts the pictures that lie on the host.
TEST(PartSearchCuda, PicturesOnTheDeviceAndTwoDevices) {
  WINNOW_NEEDS_DEVICE();
  const Cascade cascade = sample::soft_square_finder();
  const Size size{640, 200};  // the rows of a frame have no padding at this width
  const GrayImage scene = sample::make_scene(size, {{20, 30, 36, 36}, {400, 50, 80, 80}});
  LevelPlan plan;
  plan_levels({size, cascade.window(), 1.1, {}, {}}, plan);
  DeviceBuffer<std::uint8_t> pixels;
  upload(std::span<const std::uint8_t>(scene.row(0), static_cast<std::size_t>(frame_bytes(size))), pixels);
  const PictureView there(GrayView{pixels.data(), size.width, size.height, size.width});
  StepPlace place;
  place.devices = {0, 0};
  Pipelines pipelines;
  pipelines.push_back(
      {"two", make_pipeline(find_backend(BackendKind::kCuda), DetectorModel(cascade), place)});
  sample::Random random(13);
  SieveResult wanted;
  make_sieve_ref(cascade)->run(scene.view(), plan, wanted);
  EXPECT_FALSE(wanted.survivors.empty());
  for (int round = 0; round < 4; ++round) {
    const Searched of_host{scene.view(), plan, 0}, of_device{there, plan, 0, false, {0, nullptr}};
    for (const Searched& searched : {of_host, of_device}) {
      const auto parts = sample::random_parts(random, plan, 5);
      EXPECT_TRUE(parts_add_up(pipelines[0], searched, parts, wanted, random)) << "round " << round;
    }
  }
  SieveResult result;
  EXPECT_THROW(pipelines[0].pipeline->sift(Searched{there, plan, 0}.request(99), there, {7, nullptr}, result),
               Error);
}

// Sifts parts while searches are pending, and between searches of the whole picture.
TEST(PartSearchCuda, BesideSearches) {
  WINNOW_NEEDS_DEVICE();
  const Cascade cascade = sample::square_finder();
  const GrayImage scene = sample::make_scene({181, 147}, {{20, 30, 36, 36}, {60, 50, 80, 80}});
  const PictureView picture = scene.view();
  LevelPlan plan;
  plan_levels({scene.size(), cascade.window(), 1.1, {}, {}}, plan);
  SearchRequest request{scene.size(), &plan, 1, 3, -1e9};
  SieveResult whole, first, second;
  make_sieve_ref(cascade)->run(scene.view(), plan, whole);
  const auto cpu = pipeline_of(BackendKind::kCpu, cascade).pipeline,
             cuda = pipeline_of(BackendKind::kCuda, cascade).pipeline;
  Detections wanted, got;
  const SearchJob of_cpu{request, {&picture, 1}, wanted}, of_cuda{request, {&picture, 1}, got};
  cpu->search({&of_cpu, 1});
  EXPECT_FALSE(wanted.objects.empty());
  PlanPart before, after;
  cut_plan(plan, sample::rows_up_to(plan, 1, 2), before);
  cut_plan(plan, sample::rows_up_to(plan, 1, 2, true), after);
  SearchRequest of_before = request, of_after = request;
  of_before.plan = &before.windows;
  of_before.plan_number = 2;
  of_after.plan = &after.windows;
  of_after.plan_number = 3;
  for (int round = 0; round < 4; ++round) {
    cuda->enqueue(request, picture, {});
    cuda->sift(of_before, picture, {}, first);
    cuda->enqueue(request, picture, {});
    cuda->sift(of_after, picture, {}, second);
    first.survivors = sample::in_plan(before, first.survivors);
    second.survivors = sample::in_plan(after, second.survivors);
    sample::add_counters(second, first);
    first.survivors.insert(first.survivors.end(), second.survivors.begin(), second.survivors.end());
    EXPECT_EQ(sample::difference(whole, first), "") << "round " << round;
    for (int i = 0; i < 2; ++i) {
      cuda->collect(got);
      EXPECT_EQ(wanted.objects, got.objects);
      EXPECT_TRUE(wanted.counters.same_answer(got.counters));
    }
    cuda->search({&of_cuda, 1});
    EXPECT_EQ(wanted.objects, got.objects);
    EXPECT_TRUE(wanted.counters.same_answer(got.counters));
  }
}

TEST(PartSearchCuda, TheSamePartAsksForMemoryOnce) {
  WINNOW_NEEDS_DEVICE();
  const DetectorModel model = sample::square_finder();
  const GrayImage scene = sample::make_scene({640, 480}, {{20, 30, 36, 36}});
  LevelPlan plan;
  plan_levels({scene.size(), model.window(), 1.1, {}, {}}, plan);
  PlanPart part;
  cut_plan(plan, sample::rows_up_to(plan, 1, 9), part);
  SearchRequest request = Searched{scene.view(), plan, 0}.request(1);
  request.plan = &part.windows;
  const auto cuda = pipeline_of(BackendKind::kCuda, model).pipeline;
  SieveResult result;
  cuda->sift(request, scene.view(), {}, result);
  const std::int64_t before = cuda_allocations();
  for (int i = 0; i < 5; ++i) cuda->sift(request, scene.view(), {}, result);
  EXPECT_EQ(cuda_allocations(), before);
}

}  // namespace
}  // namespace winnow

#endif  // WINNOW_HAVE_CUDA
