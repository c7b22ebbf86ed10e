// Counts the calls of the driver during a search, with NVIDIA's tools interface (CUPTI). Once batches of a
// kind have come twice, a batch costs one graph and one wait, and no allocation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <winnow/detector.h>
#include <winnow/error.h>
#include <winnow/pinned.h>

#include "base/device_for_test.h"
#include "session/answers_for_test.h"
#include "session/scene_for_test.h"

#if defined(WINNOW_HAVE_CUDA) && __has_include(<cupti.h>)

#include <cupti.h>
#include <dlfcn.h>

#include "base/cuda_memory.h"
#include "pipeline/device_search_cuda.h"
#include "scale/device_frames_cuda.h"

// Skips a test whose scene has up to 2,048 candidates if a block of the device groups fewer. The host groups
// them then, with further copies and waits.
#define WINNOW_NEEDS_LARGE_BLOCKS() \
  if (device_room().block_memory < 156 << 10) GTEST_SKIP() << "needs blocks of 156 KiB of shared memory"

namespace winnow {
namespace {

// Counts calls of the driver by name, as long as the object lives.
class DriverCalls {
 public:
  DriverCalls() {
    for (const char* name :
         {"libcupti.so.13", "libcupti.so", "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so",
          "/usr/local/cuda/lib64/libcupti.so"}) {
      if (library_ == nullptr) library_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    }
    if (library_ == nullptr) return;
    const auto subscribe = function<decltype(&cuptiSubscribe)>("cuptiSubscribe");
    const auto enable = function<decltype(&cuptiEnableDomain)>("cuptiEnableDomain");
    if (subscribe(&subscriber_, &DriverCalls::called, this) != CUPTI_SUCCESS) return;
    there_ = enable(1, subscriber_, CUPTI_CB_DOMAIN_DRIVER_API) == CUPTI_SUCCESS &&
             enable(1, subscriber_, CUPTI_CB_DOMAIN_RUNTIME_API) == CUPTI_SUCCESS;
  }
  ~DriverCalls() {
    if (there_) function<decltype(&cuptiUnsubscribe)>("cuptiUnsubscribe")(subscriber_);
  }
  DriverCalls(const DriverCalls&) = delete;
  DriverCalls& operator=(const DriverCalls&) = delete;

  bool there() const { return there_; }
  void clear() {
    counts_.clear();
    to_host_ = to_device_ = on_device_ = 0;
  }
  // Copies that the runtime was asked for, by direction. Copies inside a graph do not count.
  int to_host() const { return to_host_; }
  int to_device() const { return to_device_; }
  int on_device() const { return on_device_; }
  // All kinds of waits for the device.
  int waits() const {
    int waits = 0;
    for (const auto& [name, count] : counts_) {
      if (name.find("Synchronize") != std::string::npos) waits += count;
    }
    return waits;
  }
  const std::map<std::string, int>& counts() const { return counts_; }

 private:
  static void CUPTIAPI called(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                              const void* data) {
    const auto* call = static_cast<const CUpti_CallbackData*>(data);
    if (call->callbackSite != CUPTI_API_ENTER) return;
    auto& calls = *static_cast<DriverCalls*>(self);
    if (domain == CUPTI_CB_DOMAIN_DRIVER_API) {
      ++calls.counts_[call->functionName];
      return;
    }
    switch (id) {
      case CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020:
        calls.copied(static_cast<const cudaMemcpy_v3020_params*>(call->functionParams)->kind);
        break;
      case CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020:
        calls.copied(static_cast<const cudaMemcpyAsync_v3020_params*>(call->functionParams)->kind);
        break;
      case CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy2DAsync_v3020:
        calls.copied(static_cast<const cudaMemcpy2DAsync_v3020_params*>(call->functionParams)->kind);
        break;
      default:
        break;
    }
  }
  void copied(cudaMemcpyKind kind) {
    if (kind == cudaMemcpyDeviceToHost) ++to_host_;
    if (kind == cudaMemcpyHostToDevice) ++to_device_;
    if (kind == cudaMemcpyDeviceToDevice) ++on_device_;
  }
  template <class Function>
  Function function(const char* name) const {
    return reinterpret_cast<Function>(dlsym(library_, name));
  }

  void* library_ = nullptr;
  CUpti_SubscriberHandle subscriber_ = nullptr;
  bool there_ = false;
  std::map<std::string, int> counts_;
  int to_host_ = 0, to_device_ = 0, on_device_ = 0;
};

bool starts_with(const std::string& text, const char* start) { return text.rfind(start, 0) == 0; }
bool starts_with_any(const std::string& text, std::initializer_list<const char*> starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&](const char* start) { return starts_with(text, start); });
}

// Skips a test where CUPTI is not installed.
#define WINNOW_NEEDS_CUPTI(calls)                                                         \
  if (!(calls).there()) {                                                                 \
    const char* required = std::getenv("WINNOW_REQUIRE_CUDA");                            \
    if (required != nullptr && *required == '1') FAIL() << "CUPTI is not installed here"; \
    GTEST_SKIP() << "needs CUPTI, which is not installed here";                           \
  }

struct Asked {
  int graphs = 0, launches = 0, waits = 0, copies = 0;
};

// Counts graphs, launches, waits and copies. All other calls must only look at the thread's state, or begin
// with a name in `may`.
Asked count(const DriverCalls& calls, std::initializer_list<const char*> may) {
  Asked asked;
  for (const auto& [name, count] : calls.counts()) {
    ::testing::Test::RecordProperty(name, count);
    if (starts_with(name, "cuGraphLaunch")) {
      asked.graphs += count;
    } else if (starts_with(name, "cuLaunchKernel")) {
      asked.launches += count;
    } else if (starts_with(name, "cuStreamSynchronize")) {
      asked.waits += count;
    } else if (starts_with(name, "cuMemcpyHtoDAsync") || starts_with(name, "cuMemcpy2DAsync")) {
      asked.copies += count;
    } else {
      const bool harmless = starts_with_any(name, {"cuCtxGet", "cuCtxSet", "cuKernelGetName", "cuDeviceGet",
                                                   "cuDevicePrimaryCtx", "cuDriverGet", "cuGetProc"});
      EXPECT_TRUE(harmless || starts_with_any(name, may)) << name << ": " << count;
    }
  }
  return asked;
}

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
  detector.detect(views, {}, results);  // plans and captures
  calls.clear();
  detector.detect(views, {}, results);
  const Asked asked = count(calls, {});
  EXPECT_EQ(asked.graphs, 6);
  EXPECT_EQ(asked.launches, 0);
  EXPECT_EQ(asked.waits, 6);
  EXPECT_EQ(asked.copies, 0) << "they are in the graphs";
}

// One copy per picture. Rows fill a frame's pitch in one case, and do not in the other.
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
    if (round > 0) {  // the first makes plans
      EXPECT_EQ(calls.to_device(), 0);
    }
    for (std::size_t i = 0; i < wanted.size(); ++i) sample::expect_same(wanted[i], results[i]);
  }
  detector.enqueue(pictures[3]);
  sample::expect_same(wanted[3], detector.collect());

  pictures[0].device = 99;
  EXPECT_THROW(detector.detect(std::span<const DevicePicture>(pictures), {}, results), Error);
  EXPECT_THROW(reference.detect(std::span<const DevicePicture>(pictures).subspan(1), {}, results), Error);
  detector.detect(views, {}, results);  // the detector works on after a wrong argument
  sample::expect_same(wanted[0], results[0]);
}

// Two sessions search the same frames, which are uploaded once and whose levels are made once. Both enqueue
// three frames, and nothing waits before the first answer is collected.
TEST(CallsCuda, TwoSessionsShareFramesAndCollectLater) {
  WINNOW_NEEDS_DEVICE();
  WINNOW_NEEDS_LARGE_BLOCKS();
  DriverCalls calls;
  WINNOW_NEEDS_CUPTI(calls);
  const Cascade stages = sample::square_finder(), soft = sample::soft_square_finder();
  const Size size{640, 480};
  LevelPlan plans[2];
  plan_levels({size, stages.window(), 1.1, {}, {}}, plans[0]);
  plan_levels({size, soft.window(), 1.1, {40, 40}, {}}, plans[1]);  // some of the same levels
  const LevelPlan* wanted_plans[] = {&plans[0], &plans[1]};
  const SearchRequest requests[] = {{size, &plans[0], 1, 3, -1e9}, {size, &plans[1], 2, 2, -1e9}};
  DeviceFrames frames(3);
  DeviceSession first([&] { return make_device_sieve(stages); }, 3),
      second([&] { return make_device_sieve(soft); }, 3, ObjectsHome::kDevice);
  std::vector<GrayImage> images;
  std::vector<PictureView> pictures;
  for (int i = 0; i < 3; ++i)
    images.push_back(sample::make_scene(size, {{20 + 90 * i, 30, 36, 36}, {300, 200 + 40 * i, 80, 80}}));
  for (const GrayImage& image : images) pictures.push_back(image.view());
  frames.plan(size, wanted_plans, 1);
  Detector of_stages(stages, {BackendKind::kCpu, 1}), of_soft(soft, {BackendKind::kCpu, 1});
  for (int round = 0; round < 2; ++round) {
    calls.clear();
    std::vector<ObjectsView> objects;
    for (const PictureView& picture : pictures) {
      const int slot = frames.bring({&picture, 1});
      first.enqueue(frames, slot, 0, requests[0]);
      second.enqueue(frames, slot, 1, requests[1]);
      objects.push_back(second.objects());
    }
    if (round > 0) {  // the first round makes plans
      EXPECT_EQ(calls.waits(), 0);
      EXPECT_EQ(calls.to_device(), 3) << "a frame is uploaded once for both sessions";
      EXPECT_EQ(calls.to_host(), 0);
    }
    EXPECT_THROW(frames.bring({pictures.data(), 1}), Error) << "every slot is in use";
    EXPECT_THROW(first.enqueue(frames, 0, 0, requests[0]), Error) << "as many as may be are pending";
    for (int i = 0; i < 3; ++i) {
      Detections found;
      DetectOptions options;
      first.collect({&found, 1});
      Detections wanted = of_stages.detect(images[static_cast<std::size_t>(i)].view(), options);
      EXPECT_EQ(found.objects, wanted.objects);
      EXPECT_TRUE(found.counters.same_answer(wanted.counters));
      second.collect({&found, 1});
      options.min_neighbors = 2;
      options.min_size = {40, 40};
      wanted = of_soft.detect(images[static_cast<std::size_t>(i)].view(), options);
      EXPECT_EQ(found.objects, wanted.objects);
      EXPECT_TRUE(found.counters.same_answer(wanted.counters));
      EXPECT_FALSE(found.objects.empty());
      // The same objects lie on the device.
      std::int32_t count = 0;
      check_cuda(cudaMemcpy(&count, objects[static_cast<std::size_t>(i)].found, sizeof(count),
                            cudaMemcpyDeviceToHost),
                 "reading what was found");
      ASSERT_EQ(count, static_cast<std::int32_t>(found.objects.size()));
      std::vector<Candidate> there(static_cast<std::size_t>(count));
      check_cuda(cudaMemcpy(there.data(), objects[static_cast<std::size_t>(i)].objects,
                            there.size() * sizeof(Candidate), cudaMemcpyDeviceToHost),
                 "reading objects");
      for (std::size_t o = 0; o < there.size(); ++o) EXPECT_EQ(there[o].score, found.objects[o].score);
    }
  }
  EXPECT_THROW(first.collect({}), Error) << "nothing is pending";
}

// Frames go through the detector one after the other, and nothing waits before the first answer is collected.
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
      detector.enqueue(images[0].view());  // every flight plans
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

// A large picture goes step by step, without a graph, and still with one wait and no allocation.
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
  EXPECT_EQ(asked.launches, 5);  // for two waves, and for the answers
  EXPECT_EQ(asked.waits, 1);
  EXPECT_EQ(asked.copies, 2);
}

}  // namespace
}  // namespace winnow

#elif defined(WINNOW_HAVE_CUDA)

TEST(CallsCuda, AGraphAndAWaitABatch) { GTEST_SKIP() << "was built without cupti.h"; }

#endif
