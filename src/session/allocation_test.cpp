// Counts the allocations of a session. This program replaces every operator new by one that counts while
// `counting` is set. Sanitizers replace these operators, too, so builds with sanitizers leave this file out.
#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <winnow/detector.h>
#include <winnow/follower.h>

#include "session/corner_landmarks_for_test.h"
#include "session/scene_for_test.h"

namespace {

std::atomic<bool> counting{false};
std::atomic<std::int64_t> allocations{0};

void* counted(std::size_t size, std::size_t alignment) noexcept {
  if (counting.load(std::memory_order_relaxed)) ++allocations;
  if (size == 0) size = 1;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(size);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* counted_or_throw(std::size_t size, std::size_t alignment = 1) {
  void* memory = counted(size, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t n) { return counted_or_throw(n); }
void* operator new[](std::size_t n) { return counted_or_throw(n); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return counted(n, 1); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return counted(n, 1); }
void* operator new(std::size_t n, std::align_val_t a) {
  return counted_or_throw(n, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t n, std::align_val_t a) {
  return counted_or_throw(n, static_cast<std::size_t>(a));
}
void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return counted(n, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return counted(n, static_cast<std::size_t>(a));
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t, const std::nothrow_t&) noexcept { std::free(p); }

namespace winnow {
namespace {

// The number of allocations by `work` through operator new.
template <class Work>
std::int64_t allocations_of(const Work& work) {
  allocations = 0;
  counting = true;
  work();
  counting = false;
  return allocations;
}

// The value of a line of /proc/self/status, in bytes.
std::int64_t memory_status(const std::string& name) {
  std::ifstream file("/proc/self/status");
  std::string line;
  while (std::getline(file, line)) {
    if (line.rfind(name + ":", 0) == 0) return std::stoll(line.substr(name.size() + 1)) * 1024;
  }
  ADD_FAILURE() << "no " << name << " in /proc/self/status";
  return 0;
}

// Resets the peak of the memory in use (VmHWM).
void forget_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

GrayImage busy_picture(Size size) {
  GrayImage picture(size.width, size.height);
  std::uint32_t state = 1;
  for (int x = 0; x < size.width; ++x) {
    state = state * 1664525 + 1013904223;
    picture.row(0)[x] = static_cast<std::uint8_t>(state >> 24);
  }
  // Each row is the first row, rotated by some pixels.
  for (int y = 1; y < size.height; ++y) {
    const int by = y * 37 % size.width;
    std::memcpy(picture.row(y), picture.row(0) + by, static_cast<std::size_t>(size.width - by));
    std::memcpy(picture.row(y) + size.width - by, picture.row(0), static_cast<std::size_t>(by));
  }
  return picture;
}

// A scene with four squares. The right half is textured, so that its windows are not flat.
GrayImage scene_with_objects() {
  return sample::make_scene({700, 400},
                            {{400, 30, 36, 36}, {500, 160, 48, 48}, {60, 100, 60, 60}, {620, 300, 40, 40}});
}

// A cascade with as many stages and stumps as a trained face cascade. Some of the windows pass each stage.
Cascade large_cascade() {
  CascadeModel model;
  model.window = {20, 20};
  std::int32_t at = 0;
  for (int s = 0; s < 22; ++s) {
    const int trees = 3 + s * 9;
    const std::int32_t first = at;
    for (int t = 0; t < trees; ++t, ++at) {
      const int x = at * 7 % 12, y = at * 5 % 11, w = 2 + at % 4, h = 3 + at % 6;
      model.haar.push_back(
          {{HaarRect{{x, y, 2 * w, h}, -1.f}, HaarRect{{x, y, w, h}, 2.f}, HaarRect{}}, false});
      model.nodes.push_back({0, -1, at, 0.f});
      model.leaves.insert(model.leaves.end(), {0.5f, -0.5f});
      model.trees.push_back({at, 1, 2 * at});
    }
    model.stages.push_back({first, trees, 1.f});
  }
  return Cascade(std::move(model));
}

TEST(Allocation, TheCounterCounts) {
  EXPECT_EQ(allocations_of([] { std::vector<int>(100).swap(*std::make_unique<std::vector<int>>()); }), 2);
  EXPECT_EQ(allocations_of([] { free(malloc(10)); }), 0);
}

// With one thread, a frame after the first allocates nothing, neither through operator new nor malloc.
TEST(Allocation, NoneAFrameAfterTheFirst) {
  const GrayImage scene = scene_with_objects();
  Detector detector(sample::square_finder(), {BackendKind::kCpu, 1});
  Detections result;
  for (const bool raw : {true, false}) {
    DetectOptions options;
    options.raw = raw;
    options.min_neighbors = 1;
    detector.detect(scene.view(), options, result);
    const Detections first = result;
    ASSERT_FALSE(first.objects.empty());
    const std::size_t before = mallinfo2().uordblks;
    const std::int64_t count = allocations_of([&] {
      for (int frame = 0; frame < 5; ++frame) detector.detect(scene.view(), options, result);
    });
    EXPECT_EQ(count, 0) << "in 5 frames";
    EXPECT_EQ(mallinfo2().uordblks, before);
    EXPECT_EQ(result.objects, first.objects);
  }
}

TEST(Allocation, NoneAFrameWithTwoThreads) {
  const GrayImage scene = scene_with_objects();
  Detector detector(sample::square_finder(), {BackendKind::kCpu, 2});
  Detections result;
  detector.detect(scene.view(), {}, result);
  EXPECT_EQ(allocations_of([&] {
              for (int frame = 0; frame < 20; ++frame) detector.detect(scene.view(), {}, result);
            }),
            0)
      << "in 20 frames";
}

// A busy frame needs no more memory than a black one, unless more windows survive. In the black frame no
// window passes the first stage. In the busy frame windows reach the last stage, which rejects them all.
TEST(Allocation, NoneForABusyFrameAfterABlackOne) {
  CascadeModel model = large_cascade().model();
  model.stages.back().threshold = 1e6f;
  for (const int threads : {1, 2}) {
    const GrayImage black(700, 400), busy = busy_picture({700, 400});
    Detector detector(Cascade(model), {BackendKind::kCpu, threads});
    Detections result;
    detector.detect(black.view(), {}, result);
    EXPECT_EQ(result.counters.reached[1], 0);
    EXPECT_EQ(allocations_of([&] { detector.detect(busy.view(), {}, result); }), 0) << threads << " threads";
    EXPECT_GT(result.counters.reached[21], 0);
    EXPECT_EQ(result.counters.reached.back(), 0);
  }
}

TEST(Allocation, NoneWhereSizesAlternate) {
  const GrayImage scene = scene_with_objects();
  const GrayView crop = scene.view().crop({0, 0, 300, 200});
  Detector detector(sample::square_finder(), {BackendKind::kCpu, 1});
  std::vector<Detections> results(2);
  const std::vector<GrayView> pictures{scene.view(), crop};
  detector.detect(pictures, {}, results);
  EXPECT_EQ(allocations_of([&] { detector.detect(pictures, {}, results); }), 0);
}

// Searches enlarged pictures with a border. Their two sizes alternate, and boxes are merged by mean shift and
// by support.
TEST(Allocation, NoneWithABorderAndMeanShift) {
  const GrayImage scene = scene_with_objects();
  const GrayView crop = scene.view().crop({380, 0, 300, 200});
  Detector detector(sample::square_finder(), {BackendKind::kCpu, 1});
  std::vector<Detections> results(2);
  const std::vector<GrayView> pictures{crop, scene.view()};
  DetectOptions options;
  options.border = 0.2;
  options.enlarge = 1.3;
  const auto search = [&] {
    for (const Merge merge : {Merge::kMeanShift, Merge::kSupport}) {
      options.merge = merge;
      detector.detect(pictures, options, results);
      for (const GrayView& picture : pictures) detector.detect(picture, options, results[0]);
    }
  };
  search();
  EXPECT_FALSE(results[0].objects.empty());
  const std::size_t before = mallinfo2().uordblks;
  EXPECT_EQ(allocations_of(search), 0);
  EXPECT_EQ(mallinfo2().uordblks, before);
}

TEST(Memory, ASessionFor1080p) {
  const GrayImage picture = busy_picture({1920, 1080});
  const Cascade cascade = large_cascade();
  forget_peak();
  const std::int64_t before = memory_status("VmRSS");
  {
    Detector detector(cascade, {BackendKind::kCpu, 2});
    Detections result;
    DetectOptions options;
    options.scale_factor = 1.2;
    detector.detect(picture.view(), options, result);
    EXPECT_GT(result.counters.reached[1], 0);
  }
  EXPECT_LT(memory_status("VmHWM") - before, 100 << 20);
}

// The limit of 1.5 GiB includes the picture's own 256 MiB.
TEST(Memory, AVeryLargePicture) {
  forget_peak();
  const GrayImage picture = busy_picture({16384, 16384});
  CascadeModel model;
  model.window = {24, 24};
  model.haar.push_back({{HaarRect{{0, 0, 24, 24}, -1.f}, HaarRect{{0, 0, 12, 24}, 2.f}, HaarRect{}}, false});
  model.nodes = {{0, -1, 0, 1e30f}};  // every window goes left
  model.leaves = {-1.f, 1.f};
  model.trees = {{0, 1, 0}};
  model.stages = {{0, 1, 0.f}};
  Detector detector(Cascade(std::move(model)), {BackendKind::kCpu, 2});
  DetectOptions options;
  options.scale_factor = 2;
  const Detections result = detector.detect(picture.view(), options);
  EXPECT_TRUE(result.objects.empty());
  EXPECT_GT(result.counters.windows, 16384 / 2 * 16384 / 2);
  EXPECT_EQ(result.counters.reached.back(), 0);
  EXPECT_LT(memory_status("VmHWM"), std::int64_t{1536} << 20);
}

// Faces come, go, hide and are forgotten; the frame changes its size, and the video is cut. After 10,000
// frames the follower holds no more memory than after 1,000.
TEST(Allocation, AFollowerNeedsNoMoreForALongVideo) {
  FollowOptions options;
  options.search.min_neighbors = 1;
  options.gap = 12;
  Follower follower(sample::square_finder(), sample::corner_landmarks(), options, {BackendKind::kCpu, 1});
  std::vector<GrayImage> images;
  for (int number = 0; number < 50; ++number) {
    std::vector<Box> squares = {{10 + number, 20, 36, 36}};
    if (number % 17 < 9) squares.push_back({100, 60, 48, 48});
    images.push_back(sample::make_scene(number < 40 ? Size{200, 130} : Size{180, 140}, squares));
  }
  std::vector<Followed> faces;
  std::size_t early = 0, seen = 0;
  for (int number = 0; number < 10'000; ++number) {
    const GrayImage& image = images[static_cast<std::size_t>(number) % images.size()];
    follower.next(image.view(), faces);
    seen += faces.size();
    if (number == 1000) early = mallinfo2().uordblks;
  }
  EXPECT_GT(seen, 10'000U);
  EXPECT_LT(mallinfo2().uordblks, early + (64 << 10));
}

}  // namespace
}  // namespace winnow
