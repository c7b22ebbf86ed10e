// Tests when a session with `auto` starts a device, which engine does a call, and what happens if the device
// cannot start or fails.
#include "backend/auto_engine.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "backend/backend.h"

namespace winnow {
namespace {

struct MadeEngine {
  int number;
  int milliseconds = 0;            // of a call
  std::optional<ErrorCode> fails;  // each call throws
};

std::atomic<int> woken = 0;
std::atomic<bool> may_wake = true;
void wake(int) {
  while (!may_wake) std::this_thread::yield();
  ++woken;
}
void cannot_wake(int) { throw Error(ErrorCode::kBackend, "the driver is too old"); }

constexpr DeviceStart kAtOnce{[] { return true; }, wake, 0};
constexpr DeviceStart kLong{[] { return true; }, wake, 1000};
constexpr DeviceStart kBroken{[] { return true; }, cannot_wake, 0};

AutoEngine<MadeEngine> engines(const DeviceStart& start, const MadeEngine& first, const MadeEngine& later) {
  woken = 0;
  return AutoEngine<MadeEngine>(std::make_unique<MadeEngine>(first), &start, {0},
                                [later] { return std::make_unique<MadeEngine>(later); });
}

// Does a call, and returns the number of the engine that did it.
int run(AutoEngine<MadeEngine>& engines, std::size_t items = 1, std::size_t left = 0) {
  int number = 0;
  engines.run(items, left, [&](MadeEngine& engine) {
    std::this_thread::sleep_for(std::chrono::milliseconds(engine.milliseconds));
    if (engine.fails) throw Error(*engine.fails, "engine " + std::to_string(engine.number) + " failed");
    number = engine.number;
  });
  return number;
}

void wait_until_done(const AutoEngine<MadeEngine>& engines) {
  while (engines.is_waking()) std::this_thread::yield();
}

TEST(AutoEngine, TheFirstEngineDoesWhatADeviceDoesNotPayFor) {
  AutoEngine<MadeEngine> all = engines(kLong, {1, 1, {}}, {2, 0, {}});
  for (int i = 0; i < 20; ++i) EXPECT_EQ(run(all), 1);
  EXPECT_TRUE(all.may_have_device());
  EXPECT_EQ(woken, 0);
  EXPECT_EQ(run(all, 1, 3'000'000), 1) << "the call itself is the first engine's";
  wait_until_done(all);
  EXPECT_EQ(woken, 1) << "3,000 seconds are known to follow";
}

TEST(AutoEngine, CallsGoToTheFasterEngineForTheirSize) {
  AutoEngine<MadeEngine> all = engines(kAtOnce, {1, 5, {}}, {2, 0, {}});
  EXPECT_EQ(run(all), 1);
  wait_until_done(all);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(run(all), 2);
  AutoEngine<MadeEngine> slow = engines(kAtOnce, {1, 0, {}}, {2, 5, {}});
  EXPECT_EQ(run(slow), 1);
  wait_until_done(slow);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(run(slow), 2) << "a device may try";
  for (int i = 0; i < 10; ++i) EXPECT_EQ(run(slow), 1);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(run(slow, 100), 2) << "calls of this size are new to it";
  EXPECT_EQ(slow.note(), "");
}

TEST(AutoEngine, ADeviceThatFailsIsANoteAndTheCallGoesOn) {
  for (const ErrorCode code : {ErrorCode::kDevice, ErrorCode::kBackend}) {
    AutoEngine<MadeEngine> all = engines(kAtOnce, {1, 0, {}}, {2, 0, code});
    EXPECT_EQ(run(all), 1);
    wait_until_done(all);
    EXPECT_EQ(run(all), 1);
    EXPECT_EQ(all.note(), "engine 2 failed");
    EXPECT_FALSE(all.may_have_device());
    EXPECT_EQ(run(all), 1);
  }
  AutoEngine<MadeEngine> all = engines(kAtOnce, {1, 0, {}}, {2, 0, ErrorCode::kUsage});
  EXPECT_EQ(run(all), 1);
  wait_until_done(all);
  EXPECT_THROW(run(all), Error) << "the caller's mistake is no device's";
  EXPECT_EQ(all.note(), "");
}

TEST(AutoEngine, ADeviceThatCannotStartIsANote) {
  AutoEngine<MadeEngine> all = engines(kBroken, {1, 0, {}}, {2, 0, {}});
  EXPECT_EQ(run(all), 1);
  wait_until_done(all);
  EXPECT_EQ(run(all), 1);
  EXPECT_EQ(all.note(), "the driver is too old");
  EXPECT_FALSE(all.may_have_device());
  EXPECT_THROW(all.wake_now(), Error);
}

TEST(AutoEngine, NobodyWaitsForADeviceAtTheEnd) {
  may_wake = false;
  {
    AutoEngine<MadeEngine> all = engines(kAtOnce, {1, 0, {}}, {2, 0, {}});
    for (int i = 0; i < 5; ++i) EXPECT_EQ(run(all), 1);
    EXPECT_TRUE(all.is_waking());
  }  // would wait for ever
  EXPECT_EQ(woken, 0);
  may_wake = true;
  while (woken == 0) std::this_thread::yield();
}

TEST(AutoEngine, AFurtherPartOfACallStaysWithItsEngine) {
  AutoEngine<MadeEngine> all = engines(kAtOnce, {1, 0, {}}, {2, 0, {}});
  const MadeEngine& device = all.wake_now();
  int number = 0;
  all.with(&device, [&](MadeEngine& engine) { number = engine.number; });
  EXPECT_EQ(number, 2);
  all.with(&all.first(), [&](MadeEngine& engine) { number = engine.number; });
  EXPECT_EQ(number, 1);
  all.with(&device, [&](MadeEngine& engine) {
    number = engine.number;
    if (engine.number == 2) throw Error(ErrorCode::kDevice, "it is lost");
  });
  EXPECT_EQ(number, 1);
  EXPECT_EQ(all.note(), "it is lost");
}

TEST(AutoBackends, ALaterBackendNeedsAStart) {
  const AutoBackends here = auto_backends("cascade");
  EXPECT_NE(here.first, BackendKind::kAuto);
  EXPECT_EQ(start_of(here.first), nullptr);
  EXPECT_EQ(here.later == BackendKind::kAuto, here.start == nullptr);
  EXPECT_THROW(auto_backends("no such kind"), Error);
  const AutoInfo info = auto_info();
  EXPECT_EQ(info.first, auto_backends().first);
  EXPECT_EQ(info.later == BackendKind::kAuto, info.worth_seconds == 0);
}

}  // namespace
}  // namespace winnow
