// Compares compaction on a device with the reference.
#include <gtest/gtest.h>

#include <vector>

#include <winnow/error.h>

#include "base/device/device_for_test.h"
#include "primitives/compact.h"
#include "sieve/random_for_test.h"

#ifdef WINNOW_HAVE_CUDA

#include "primitives/compact_cuda.h"

namespace winnow {
namespace {

TEST(CompactCuda, EqualsTheReference) {
  WINNOW_NEEDS_DEVICE();
  const CudaStream stream = make_stream();
  DeviceCompact compact;
  compact.plan(1'000'003);
  for (const std::size_t size : {0, 1, 31, 32, 33, 63, 64, 65, 767, 768, 769, 1023, 1025, 12'287, 12'288,
                                 12'289, 32 * 12'288, 33 * 12'288 + 1, 1'000'003}) {
    for (const double fraction : {0.0, 0.02, 0.5, 0.97, 1.0}) {
      sample::Random random(size);
      std::vector<std::int64_t> windows(size), wanted(size, -1);
      // Bits beyond the last window are set, too.
      std::vector<std::uint64_t> mask(size / 64 + 1, ~std::uint64_t{0});
      std::int64_t id = -5;
      for (std::size_t i = 0; i < size; ++i) {
        windows[i] = id += 1 + static_cast<std::int64_t>(random.bits() >> 40);
        if (!random.chance(fraction)) mask[i / 64] &= ~(std::uint64_t{1} << (i % 64));
      }
      const std::size_t kept = compact_ref(windows, mask, wanted);
      wanted.resize(kept);
      DeviceBuffer<std::int64_t> in(size + 1), out(size + 1);
      DeviceBuffer<std::uint64_t> mask_on_device, count(1);
      upload(std::span<const std::int64_t>(windows), in);
      upload(std::span<const std::uint64_t>(mask), mask_on_device);
      for (const bool in_place : {false, true}) {
        SCOPED_TRACE(testing::Message() << size << " windows, " << fraction << " living"
                                        << (in_place ? ", in their own place" : ""));
        std::int64_t* to = in_place ? in.data() : out.data();
        compact.enqueue({in.data(), size}, {mask_on_device.data(), mask.size()}, {to, size}, count.data(),
                        stream.get());
        std::uint64_t number = 0;
        std::vector<std::int64_t> got(kept);
        check_cuda(
            cudaMemcpyAsync(&number, count.data(), sizeof(number), cudaMemcpyDeviceToHost, stream.get()),
            "copying");
        check_cuda(cudaMemcpyAsync(got.data(), to, kept * sizeof(std::int64_t), cudaMemcpyDeviceToHost,
                                   stream.get()),
                   "copying");
        check_cuda(cudaStreamSynchronize(stream.get()), "copying");
        ASSERT_EQ(number, kept);
        ASSERT_TRUE(got == wanted);
      }
    }
  }
}

TEST(CompactCuda, RoomIsChecked) {
  WINNOW_NEEDS_DEVICE();
  const CudaStream stream = make_stream();
  DeviceCompact compact;
  compact.plan(65);
  DeviceBuffer<std::int64_t> in(66), out(66);
  DeviceBuffer<std::uint64_t> mask(2), count(1);
  const auto enqueue = [&](std::size_t windows, std::size_t words, std::size_t room) {
    compact.enqueue({in.data(), windows}, {mask.data(), words}, {out.data(), room}, count.data(),
                    stream.get());
  };
  EXPECT_THROW(enqueue(65, 1, 65), Error);
  EXPECT_THROW(enqueue(65, 2, 64), Error);
  EXPECT_THROW(enqueue(66, 2, 66), Error);
}

}  // namespace
}  // namespace winnow

#endif
