// Compares integral planes on a device with the reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include <winnow/error.h>

#include "base/device/device_for_test.h"
#include "scale/integral.h"

#ifdef WINNOW_HAVE_CUDA

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "scale/integral_cuda.h"

namespace winnow {
namespace {

constexpr std::uint32_t kUntouched = 0xDEADBEEF;

enum class Content { kNoise, kWhite };

// A list of pictures on the device, and places for their planes. The first plane begins `shift` values after
// the beginning of the memory. A stride is a multiple of four values, plus `more`. If `padded`, whole strides
// may be written, else only the planes' own columns. All other values must stay as they were.
class List {
 public:
  List(const std::vector<Size>& sizes, int shift, int more, Content content = Content::kNoise,
       bool padded = true)
      : sizes_(sizes) {
    std::mt19937 random(static_cast<unsigned>(sizes.size()) + 1);
    std::vector<std::uint8_t> bytes;
    std::int64_t values = shift;
    for (const Size& size : sizes) {
      const int pitch = (size.width + 3) / 4 * 4 + 4 * static_cast<int>(random() % 3);
      images_.push_back({static_cast<std::int64_t>(bytes.size()), size.width, size.height, pitch, 0});
      // The padding is noise, too, since planes must not depend on it.
      for (int i = 0; i < pitch * size.height; ++i)
        bytes.push_back(content == Content::kWhite ? 255 : static_cast<std::uint8_t>(random() >> 8));
      const std::int64_t stride = (size.width + 4) / 4 * 4 + more;
      places_.push_back({values, stride, padded ? stride : size.width + 1});
      values += places_.back().stride * (size.height + 1);
    }
    pixels_ = bytes;
    upload(std::span<const std::uint8_t>(bytes), pixels_on_device_);
    upload(std::span<const LevelImage>(images_), images_on_device_);
    wanted_sum_.assign(static_cast<std::size_t>(values), kUntouched);
    wanted_square_ = wanted_sum_;
    sum_.reserve(wanted_sum_.size());
    square_.reserve(wanted_sum_.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const auto view = [&](std::vector<std::uint32_t>& plane) {
        return PlaneView{plane.data() + places_[i].first, sizes[i].width + 1, sizes[i].height + 1,
                         static_cast<std::ptrdiff_t>(places_[i].stride * 4)};
      };
      const GrayView picture{pixels_.data() + images_[i].offset, sizes[i].width, sizes[i].height,
                             images_[i].pitch};
      integral_ref(picture, {view(wanted_sum_), view(wanted_square_), {}});
      for (auto* plane : {&wanted_sum_, &wanted_square_}) pad(*plane, sizes[i], places_[i]);
    }
  }

  void plan(DeviceIntegral& integral, bool square) const { integral.plan(sizes_, places_, square); }

  void clear(cudaStream_t stream) const {
    const std::vector<std::uint32_t> untouched(wanted_sum_.size(), kUntouched);
    for (const auto* plane : {&sum_, &square_}) {
      check_cuda(cudaMemcpyAsync(plane->data(), untouched.data(), untouched.size() * 4,
                                 cudaMemcpyHostToDevice, stream),
                 "clearing planes");
    }
    check_cuda(cudaStreamSynchronize(stream), "clearing planes");
  }

  void enqueue(const DeviceIntegral& integral, bool square, cudaStream_t stream) const {
    integral.enqueue({nullptr, pixels_on_device_.data(), images_on_device_.data(), 0, 0}, 0, sum_.data(),
                     square ? square_.data() : nullptr, stream);
  }

  // Waits for the stream, and compares the planes.
  void check(bool square, cudaStream_t stream) const {
    check_plane("sum", sum_, wanted_sum_, stream);
    if (testing::Test::HasFatalFailure()) return;
    const std::vector<std::uint32_t> untouched(wanted_sum_.size(), kUntouched);
    check_plane("square", square_, square ? wanted_square_ : untouched, stream);
  }

 private:
  // Repeats a row's last value up to whole sectors of 32 bytes, if there is room and writes are 16 bytes
  // wide.
  static void pad(std::vector<std::uint32_t>& plane, Size size, const DeviceIntegral::Place& place) {
    const int end = (size.width + 8) / 8 * 8;
    if (end > place.room || place.first % 4 != 0 || place.stride % 4 != 0) return;
    for (int y = 0; y <= size.height; ++y) {
      std::uint32_t* row = plane.data() + place.first + y * place.stride;
      for (int x = size.width + 1; x < end; ++x) row[x] = row[size.width];
    }
  }

  void check_plane(const char* name, const DeviceBuffer<std::uint32_t>& plane,
                   const std::vector<std::uint32_t>& wanted, cudaStream_t stream) const {
    std::vector<std::uint32_t> got(wanted.size());
    check_cuda(cudaMemcpyAsync(got.data(), plane.data(), got.size() * 4, cudaMemcpyDeviceToHost, stream),
               "copying planes");
    check_cuda(cudaStreamSynchronize(stream), "integral planes");
    const auto at = std::mismatch(got.begin(), got.end(), wanted.begin()).first - got.begin();
    if (at == static_cast<std::ptrdiff_t>(got.size())) return;
    ASSERT_FALSE(sizes_.empty()) << name << " of no picture";
    std::size_t picture = sizes_.size() - 1;
    while (picture > 0 && at < places_[picture].first) --picture;
    const std::int64_t inside = at - places_[picture].first, stride = places_[picture].stride;
    const auto index = static_cast<std::size_t>(at);
    FAIL() << name << " of picture " << picture << ", " << sizes_[picture].width << "x"
           << sizes_[picture].height << ", at " << inside % stride << ", " << inside / stride << ": "
           << got[index] << ", not " << wanted[index];
  }

  std::vector<Size> sizes_;
  std::vector<LevelImage> images_;
  std::vector<DeviceIntegral::Place> places_;
  std::vector<std::uint8_t> pixels_;
  std::vector<std::uint32_t> wanted_sum_, wanted_square_;
  DeviceBuffer<std::uint8_t> pixels_on_device_;
  DeviceBuffer<LevelImage> images_on_device_;
  DeviceBuffer<std::uint32_t> sum_, square_;
};

void run_and_check(const List& list, bool square) {
  const CudaStream stream = make_stream();
  DeviceIntegral integral;
  list.plan(integral, square);
  list.clear(stream.get());
  list.enqueue(integral, square, stream.get());
  list.check(square, stream.get());
}

TEST(IntegralCuda, SizesAroundATile) {
  WINNOW_NEEDS_DEVICE();
  for (const int width : {0, 1, 2, 3, 4, 5, 124, 127, 128, 129, 255, 256, 257}) {
    for (const int height : {0, 1, 2, 14, 15, 16, 17, 119, 120, 121, 127, 128, 129, 240, 241, 256, 257}) {
      SCOPED_TRACE(testing::Message() << width << "x" << height);
      for (const int more : {0, 4, 13, 40})
        run_and_check(List({{width, height}}, 0, more, Content::kNoise, more > 0), (width + height) % 2 == 0);
      if (HasFatalFailure()) return;
    }
  }
}

// The largest picture has more tiles than a device holds at once.
TEST(IntegralCuda, LargePictures) {
  WINNOW_NEEDS_DEVICE();
  for (const Size size : {Size{640, 480}, {1000, 37}, {37, 1000}, {4099, 513}, {513, 4099}, {6001, 3002}}) {
    for (const bool square : {false, true}) {
      SCOPED_TRACE(testing::Message() << size.width << "x" << size.height << (square ? ", squares" : ""));
      run_and_check(List({size}, 0, 0), square);
      if (HasFatalFailure()) return;
    }
  }
}

// Writes are 16 bytes wide, or 4 bytes wide if planes or strides are no multiples of 16 bytes.
TEST(IntegralCuda, PlanesAtAnyMultipleOfFourBytes) {
  WINNOW_NEEDS_DEVICE();
  for (const Size size : {Size{1, 1}, {130, 5}, {256, 128}, {301, 200}}) {
    for (int shift = 0; shift < 4; ++shift) {
      for (int more = 0; more < 4; ++more) {
        SCOPED_TRACE(testing::Message()
                     << size.width << "x" << size.height << " at " << shift << ", stride + " << more);
        run_and_check(List({size}, shift, more), (shift + more) % 2 == 0);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(IntegralCuda, ListsOfPictures) {
  WINNOW_NEEDS_DEVICE();
  std::vector<Size> levels;
  for (double side = 900; side > 20; side /= 1.1)
    levels.push_back({static_cast<int>(side * 1.3), static_cast<int>(side)});
  for (const bool square : {false, true}) {
    run_and_check(List(levels, 0, 0), square);
    // Tiles of both heights, in rounds of four or five blocks per multiprocessor.
    run_and_check(List(std::vector<Size>(64, {640, 480}), 0, 28), square);
    run_and_check(List(std::vector<Size>(64, {640, 512}), 0, 28), square);
    run_and_check(List(std::vector<Size>(66, {637, 475}), 0, 0), square);
    run_and_check(List({{1, 1}, {0, 5}, {700, 3}, {3, 700}, {5, 0}, {300, 300}}, 1, 1), square);
    run_and_check(List({}, 4, 0), square);
  }
}

// Squared sums exceed 32 bits from 258 x 258 white pixels on, sums from 4,105 x 4,105.
TEST(IntegralCuda, SumsWrap) {
  WINNOW_NEEDS_DEVICE();
  run_and_check(List({{1300, 700}}, 0, 0, Content::kWhite), true);
  run_and_check(List({{4200, 4200}}, 0, 0, Content::kWhite), true);
}

// Every run begins with the published words and the counter that the run before left.
TEST(IntegralCuda, RunAfterRun) {
  WINNOW_NEEDS_DEVICE();
  for (const bool square : {false, true}) {
    const List list({{1900, 1100}, {500, 400}, {130, 130}}, 0, 0);
    const CudaStream stream = make_stream();
    DeviceIntegral integral;
    list.plan(integral, square);
    for (int run = 0; run < 50; ++run) {
      SCOPED_TRACE(testing::Message() << "run " << run);
      list.clear(stream.get());
      list.enqueue(integral, square, stream.get());
      list.check(square, stream.get());
      if (HasFatalFailure()) return;
    }
    // A new plan has other pictures and another number of published words.
    const List other({{257, 800}, {2000, 300}}, 0, 0);
    for (const bool with_square : {!square, square}) {
      other.plan(integral, with_square);
      other.clear(stream.get());
      other.enqueue(integral, with_square, stream.get());
      other.check(with_square, stream.get());
      if (HasFatalFailure()) return;
    }
  }
}

TEST(IntegralCuda, GraphAfterGraph) {
  WINNOW_NEEDS_DEVICE();
  for (const bool square : {false, true}) {
    const List list({{1280, 720}, {640, 360}}, 0, 0);
    const CudaStream stream = make_stream();
    DeviceIntegral integral;
    list.plan(integral, square);
    // The graph holds two runs. The second run begins when the first run has ended.
    const CudaGraph graph = capture_graph(stream.get(), [&](cudaStream_t on) {
      list.enqueue(integral, square, on);
      list.enqueue(integral, square, on);
    });
    for (int run = 0; run < 20; ++run) {
      SCOPED_TRACE(testing::Message() << "run " << run);
      list.clear(stream.get());
      for (int i = 0; i < 5; ++i) check_cuda(cudaGraphLaunch(graph.get(), stream.get()), "launching a graph");
      list.check(square, stream.get());
      if (HasFatalFailure()) return;
      list.enqueue(integral, square, stream.get());  // one more run without a graph
      list.check(square, stream.get());
      if (HasFatalFailure()) return;
    }
  }
}

TEST(IntegralCuda, EachPictureNeedsAPlace) {
  WINNOW_NEEDS_DEVICE();
  const std::vector<Size> sizes(2, {5, 5});
  const std::vector<DeviceIntegral::Place> places(1);
  DeviceIntegral integral;
  EXPECT_THROW(integral.plan(sizes, places, false), Error);
}

}  // namespace
}  // namespace winnow

#endif
