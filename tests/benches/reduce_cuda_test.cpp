// Compares reduction on a device with the reference.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include <winnow/error.h>

#include "base/device/device_for_test.h"

#ifdef WINNOW_HAVE_CUDA

#include "primitives/reduce_cuda.h"

namespace winnow {
namespace {

template <class T>
T value_of(const DeviceBuffer<T>& buffer, cudaStream_t stream) {
  T value;
  check_cuda(cudaMemcpyAsync(&value, buffer.data(), sizeof(T), cudaMemcpyDeviceToHost, stream), "copying");
  check_cuda(cudaStreamSynchronize(stream), "copying");
  return value;
}

TEST(ReduceCuda, EqualsTheReference) {
  WINNOW_NEEDS_DEVICE();
  const CudaStream stream = make_stream();
  constexpr std::size_t kMost = 10'000'019;  // large enough that threads read several numbers at a time
  DeviceReduce reduce;
  reduce.plan(kMost);
  const std::int64_t asked = cuda_allocations();
  DeviceBuffer<std::uint32_t> in(kMost);
  DeviceBuffer<std::uint64_t> sum(1);
  DeviceBuffer<Extremes> extremes(1);
  for (const std::size_t size :
       std::initializer_list<std::size_t>{0, 1, 31, 32, 33, 1023, 1024, 1025, 1'000'003, kMost}) {
    for (const bool odd : {false, true}) {
      SCOPED_TRACE(testing::Message() << size << " numbers" << (odd ? " from the second on" : ""));
      std::mt19937 random(static_cast<unsigned>(size));
      std::vector<std::uint32_t> values(size);
      for (std::uint32_t& v : values)
        v = odd ? 0xFFFFFFFFu - random() % 3 : static_cast<std::uint32_t>(random());
      upload(std::span<const std::uint32_t>(values), in);
      const std::size_t first = odd && size > 0 ? 1 : 0;  // so that the list is not aligned
      const std::span<const std::uint32_t> list(in.data() + first, size - first);
      reduce.enqueue_sum(list, sum.data(), stream.get());
      reduce.enqueue_extremes(list, extremes.data(), stream.get());
      const std::span<const std::uint32_t> same = std::span(values).subspan(first);
      EXPECT_EQ(value_of(sum, stream.get()), sum_ref(same));
      EXPECT_EQ(value_of(extremes, stream.get()), extremes_ref(same));
    }
  }
  EXPECT_EQ(cuda_allocations(), asked + 3) << "the buffers of this test";
}

TEST(ReduceCuda, RoomIsChecked) {
  WINNOW_NEEDS_DEVICE();
  const CudaStream stream = make_stream();
  DeviceReduce reduce;
  reduce.plan(4);
  DeviceBuffer<std::uint32_t> in(5);
  DeviceBuffer<std::uint64_t> sum(1);
  DeviceBuffer<Extremes> extremes(1);
  EXPECT_THROW(reduce.enqueue_sum({in.data(), 5}, sum.data(), stream.get()), Error);
  EXPECT_THROW(reduce.enqueue_extremes({in.data(), 5}, extremes.data(), stream.get()), Error);
}

}  // namespace
}  // namespace winnow

#endif
