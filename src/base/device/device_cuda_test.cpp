// Tests which code a device takes from a build, and the limits of its blocks.
#include <gtest/gtest.h>

#include "base/device/device_for_test.h"

#ifdef WINNOW_HAVE_CUDA
#include <winnow/error.h>

#include "base/device/cuda_memory.h"
#include "base/device/cuda_pointer.h"
#include "base/device/cuda_uploads.h"

namespace winnow {
namespace {

TEST(CodeForCuda, MachineCodeRunsWithinItsMajorNumber) {
  EXPECT_EQ(code_for("75-real,80-real,86-real,90-real", 8, 0), "code for 8.0");
  EXPECT_EQ(code_for("75-real,80-real,86-real,90-real", 8, 6), "code for 8.6");
  EXPECT_EQ(code_for("75-real,80-real,86-real,90-real", 8, 9), "code for 8.6");
  EXPECT_EQ(code_for("75-real,80-real,86-real,90-real", 7, 5), "code for 7.5");
  EXPECT_EQ(code_for("75-real,80-real,86-real,90-real", 7, 0), "");
  EXPECT_EQ(code_for("75-real,80-real,86-real,90-real", 10, 0), "");
  EXPECT_EQ(code_for("86-real", 8, 0), "");
}

TEST(CodeForCuda, TheDriverCompilesVirtualCodeForNewerDevices) {
  EXPECT_EQ(code_for("75-virtual", 9, 0), "code for 7.5, compiled by the driver");
  EXPECT_EQ(code_for("75-virtual,80-virtual", 9, 0), "code for 8.0, compiled by the driver");
  EXPECT_EQ(code_for("75-virtual", 7, 0), "");
  EXPECT_EQ(code_for("100-real,120", 12, 1), "code for 12.0");
  EXPECT_EQ(code_for("100-real,120", 13, 0), "code for 12.0, compiled by the driver");
  EXPECT_EQ(code_for("100-real,120", 11, 0), "");
  EXPECT_EQ(code_for("90", 9, 0), "code for 9.0");
  EXPECT_EQ(code_for("", 9, 0), "");
}

TEST(DeviceCuda, HasRoomForABlock) {
  WINNOW_NEEDS_DEVICE();
  const DeviceRoom room = device_room();
  EXPECT_GE(room.block_memory, 48 << 10);
  EXPECT_GE(room.processor_memory, room.block_memory);
  EXPECT_GE(room.processor_threads, 1024);
}

TEST(DeviceCuda, KnowsTheDeviceThatHoldsMemory) {
  WINNOW_NEEDS_DEVICE();
  const DeviceBuffer<int> memory(100);
  EXPECT_EQ(device_that_holds(memory.data() + 7), 0);
  const int here = 0;
  EXPECT_THROW(device_that_holds(&here), Error);
  EXPECT_THROW(device_that_holds(nullptr), Error);
}

TEST(DeviceCuda, TablesTravelInTheOrderOfAStream) {
  WINNOW_NEEDS_DEVICE();
  const CudaStream stream = make_stream();
  TableMemory memory;
  for (int round = 0; round < 3; ++round) {
    // Some tables are larger than a part of the memory. All values are freed before the copies are done.
    const std::vector<std::size_t> sizes{10, 200'000, 1, 130'000, 5, 7, 300'000};
    std::vector<DeviceBuffer<int>> tables(sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) tables[i].reserve(sizes[i]);
    const std::int64_t before = cuda_allocations();
    {
      const UploadsOn uploads(stream.get(), memory);
      EXPECT_EQ(upload_stream(), stream.get());
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        const std::vector<int> values(sizes[i], static_cast<int>(i) + 100 * round);
        upload(std::span<const int>(values), tables[i]);
      }
      end_uploads("copying tables");
    }
    EXPECT_EQ(upload_stream(), cudaStreamLegacy);
    check_cuda(cudaStreamSynchronize(stream.get()), "copying tables");
    if (round > 0) {
      EXPECT_EQ(cuda_allocations(), before) << "round " << round;
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      std::vector<int> got(sizes[i]);
      check_cuda(cudaMemcpy(got.data(), tables[i].data(), got.size() * sizeof(int), cudaMemcpyDeviceToHost),
                 "reading a table");
      EXPECT_EQ(got, std::vector<int>(sizes[i], static_cast<int>(i) + 100 * round));
    }
  }
}

TEST(DeviceCuda, ABufferThatGrowsTakesSlack) {
  WINNOW_NEEDS_DEVICE();
  DeviceBuffer<int> buffer(1000);
  EXPECT_EQ(buffer.size(), 1000u);
  EXPECT_FALSE(buffer.reserve(900));
  EXPECT_TRUE(buffer.reserve(1001));
  EXPECT_EQ(buffer.size(), 1500u);
  EXPECT_TRUE(buffer.reserve(4000));
  EXPECT_EQ(buffer.size(), 4000u);
}

}  // namespace
}  // namespace winnow

#endif
