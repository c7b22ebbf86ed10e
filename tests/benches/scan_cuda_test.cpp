// Compares running sums on a device with the reference.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include <winnow/error.h>

#include "base/device/device_for_test.h"
#include "primitives/scan.h"

#ifdef WINNOW_HAVE_CUDA

#include "primitives/scan_cuda.h"

namespace winnow {
namespace {

struct OnTheDevice {
  std::vector<std::uint32_t> sums;
  std::uint32_t total;
};

OnTheDevice scan_on_device(const DeviceScan& scan, const std::vector<std::uint32_t>& values, bool inclusive,
                           bool in_place, cudaStream_t stream) {
  DeviceBuffer<std::uint32_t> in(values.size() + 1), out(values.size() + 1), total(1);
  upload(std::span<const std::uint32_t>(values), in);
  check_cuda(cudaMemset(total.data(), 0xA5, sizeof(std::uint32_t)), "filling");
  check_cuda(cudaStreamSynchronize(nullptr), "filling");
  std::uint32_t* to = in_place ? in.data() : out.data();
  const auto enqueue = inclusive ? &DeviceScan::enqueue_inclusive : &DeviceScan::enqueue_exclusive;
  (scan.*enqueue)({in.data(), values.size()}, {to, values.size()}, total.data(), stream);
  OnTheDevice result{std::vector<std::uint32_t>(values.size()), 0};
  check_cuda(cudaMemcpyAsync(result.sums.data(), to, values.size() * 4, cudaMemcpyDeviceToHost, stream),
             "copying");
  check_cuda(cudaMemcpyAsync(&result.total, total.data(), 4, cudaMemcpyDeviceToHost, stream), "copying");
  check_cuda(cudaStreamSynchronize(stream), "copying");
  return result;
}

TEST(ScanCuda, EqualsTheReference) {
  WINNOW_NEEDS_DEVICE();
  const CudaStream stream = make_stream();
  DeviceScan scan;
  scan.plan(1'000'003);
  for (const std::size_t size : {0, 1, 31, 32, 33, 1023, 1024, 1025, 1'000'003}) {
    std::mt19937 random(static_cast<unsigned>(size));
    std::vector<std::uint32_t> values(size), wanted(size);
    for (std::uint32_t& v : values) v = static_cast<std::uint32_t>(random());
    for (const bool inclusive : {true, false}) {
      const std::uint32_t total = (inclusive ? inclusive_scan_ref : exclusive_scan_ref)(values, wanted);
      for (const bool in_place : {false, true}) {
        SCOPED_TRACE(testing::Message() << size << " numbers" << (inclusive ? ", inclusive" : ", exclusive")
                                        << (in_place ? ", in their own place" : ""));
        const OnTheDevice got = scan_on_device(scan, values, inclusive, in_place, stream.get());
        ASSERT_TRUE(got.sums == wanted);
        ASSERT_EQ(got.total, total);
      }
    }
  }
}

// Scans without a total, in a graph that is launched several times.
TEST(ScanCuda, AsAGraph) {
  WINNOW_NEEDS_DEVICE();
  const CudaStream stream = make_stream();
  const std::vector<std::uint32_t> values(100'000, 3);
  DeviceScan scan;
  scan.plan(values.size());
  DeviceBuffer<std::uint32_t> in, out(values.size());
  upload(std::span<const std::uint32_t>(values), in);
  const std::int64_t asked = cuda_allocations();
  const CudaGraph graph = capture_graph(stream.get(), [&](cudaStream_t on) {
    scan.enqueue_exclusive({in.data(), values.size()}, {out.data(), values.size()}, nullptr, on);
  });
  for (int run = 0; run < 5; ++run) {
    check_cuda(cudaMemsetAsync(out.data(), 0xA5, values.size() * 4, stream.get()), "filling");
    check_cuda(cudaGraphLaunch(graph.get(), stream.get()), "launching a graph");
    std::vector<std::uint32_t> got(values.size());
    check_cuda(cudaMemcpyAsync(got.data(), out.data(), got.size() * 4, cudaMemcpyDeviceToHost, stream.get()),
               "copying");
    check_cuda(cudaStreamSynchronize(stream.get()), "copying");
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], 3 * i) << i << ", run " << run;
  }
  EXPECT_EQ(cuda_allocations(), asked);
}

TEST(ScanCuda, SizesAndRoomAreChecked) {
  WINNOW_NEEDS_DEVICE();
  const CudaStream stream = make_stream();
  DeviceScan scan;
  scan.plan(4);
  DeviceBuffer<std::uint32_t> in(5), out(5);
  for (const auto& enqueue : {&DeviceScan::enqueue_inclusive, &DeviceScan::enqueue_exclusive}) {
    EXPECT_THROW((scan.*enqueue)({in.data(), 4}, {out.data(), 3}, nullptr, stream.get()), Error);
    EXPECT_THROW((scan.*enqueue)({in.data(), 5}, {out.data(), 5}, nullptr, stream.get()), Error);
  }
}

}  // namespace
}  // namespace winnow

#endif
