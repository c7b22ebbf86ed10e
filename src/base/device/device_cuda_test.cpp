// Tests which code a device takes from a build, and the limits of its blocks.
#include <gtest/gtest.h>

#include "base/device/device_for_test.h"

#ifdef WINNOW_HAVE_CUDA
#include <winnow/error.h>

#include "base/device/cuda_memory.h"
#include "base/device/cuda_pointer.h"

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

}  // namespace
}  // namespace winnow

#endif
