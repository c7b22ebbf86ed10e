// Tests that a scan with lanes gives the events of a scan without them: with lanes that wake late, fail or
// never wake, and with frames of several sizes.
#include "scan/lane_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <winnow/error.h>
#include <winnow/scan.h>

#include "scan/desk.h"
#include "scan/streams_for_test.h"

namespace winnow {
namespace {

// What the lanes of a test do, and what happened in them.
struct Behaviour {
  std::function<void()> wake = [] {};
  Mark thrown{-1, 0};  // the lane's work throws when it comes to this frame
  ErrorCode code = ErrorCode::kDevice;
  Mark refused{-1, 0};                   // all work finds a problem in this frame
  Mark ends{-1, 0};                      // all work throws kUsage at this frame
  int throws = 1000;                     // how often a lane throws at most
  int threads = 1;                       // of the work that is no lane
  std::chrono::microseconds takes{500};  // a batch of that work
  std::atomic<std::size_t> largest = 0;  // batch of that work
  std::atomic<int> woken = 0, in_lanes = 0, threw = 0;
  std::atomic<int> left = 0;  // frames that a lane had answered in vain when it threw
  std::atomic<bool> mixed = false;
};

// Finds an object at each frame's mark.
class MarkedLanes final : public LanedWork {
 public:
  MarkedLanes(std::shared_ptr<Behaviour> does, int lanes, bool at_once, double start_seconds, bool is_lane)
      : does_(std::move(does)),
        lanes_(lanes),
        at_once_(at_once),
        start_seconds_(start_seconds),
        is_lane_(is_lane) {}

  void answer(std::span<ScanEvent* const> frames) override {
    const Size size = frames.front()->picture.gray.size();
    int done = 0;
    for (ScanEvent* frame : frames) {
      EXPECT_TRUE(frame->found.objects.empty()) << "an answer of another lane is left";
      if (is_lane_ && frame->picture.gray.size() != size) does_->mixed = true;
      const Mark mark = mark_of(*frame);
      frame->found.objects.push_back({{mark.stream, mark.frame, 1, 1}, 1., 1});
      if (mark == does_->refused) frame->problem = "it is refused";
      if (mark == does_->ends) throw Error(ErrorCode::kUsage, "it makes no sense");
      if (is_lane_ && mark == does_->thrown && does_->threw < does_->throws) {
        ++does_->threw;
        does_->left = done;
        throw Error(does_->code, "the lane is broken");
      }
      if (is_lane_) ++does_->in_lanes;
      ++done;
    }
    // Gives other lanes time to come in between.
    std::this_thread::sleep_for(is_lane_ ? std::chrono::microseconds(50) : does_->takes);
    if (!is_lane_) does_->largest = std::max(does_->largest.load(), frames.size());
  }
  int threads() const override { return does_->threads; }

  Lanes lanes() const override {
    Lanes lanes{{}, at_once_, start_seconds_};
    for (int i = 0; i < lanes_; ++i)
      lanes.lanes.push_back(
          {[does = does_] {
             does->wake();
             ++does->woken;
           },
           [does = does_] { return std::make_unique<MarkedLanes>(does, 0, false, 0, true); }});
    return lanes;
  }

 private:
  std::shared_ptr<Behaviour> does_;
  int lanes_;
  bool at_once_;
  double start_seconds_;
  bool is_lane_;
};

// Gives a frame the number of frames that its input had so far.
class Numbers final : public ScanState {
 public:
  void next(ScanEvent& frame) override { frame.answer = ++seen_; }

 private:
  int seen_ = 0;
};

ScanOptions numbered(std::optional<int> batch) {
  ScanOptions options;
  options.batch = batch;
  options.make_state = [](const Input&, const ScanEvent&) { return std::make_unique<Numbers>(); };
  return options;
}

std::vector<std::string> events_of(Scan& scan) {
  std::vector<std::string> events;
  for (ScanEvent event; scan.next(event);) {
    std::string text = std::to_string(event.input) + ": ";
    if (event.kind == FrameEvent::Kind::kFrame) {
      text +=
          "frame " + std::to_string(event.index) + ", " + std::to_string(std::any_cast<int>(event.answer));
      for (const Detection& object : event.found.objects)
        text += ", " + std::to_string(object.box.x) + " " + std::to_string(object.box.y);
      EXPECT_GT(event.seconds, 0);
    } else {
      text += event.kind == FrameEvent::Kind::kEnd ? "end" : event.problem;
      EXPECT_TRUE(event.found.objects.empty());
    }
    events.push_back(std::move(text));
  }
  return events;
}

class LaneRunTest : public testing::Test {
 protected:
  Scan scan(int lanes, bool at_once, std::optional<int> batch, double start_seconds = 0) const {
    return Scan(streams.inputs(), std::make_unique<MarkedLanes>(does, lanes, at_once, start_seconds, false),
                numbered(batch));
  }
  std::vector<std::string> run(int lanes, bool at_once, std::optional<int> batch, double start_seconds = 0) {
    Scan all = scan(lanes, at_once, batch, start_seconds);
    std::vector<std::string> events = events_of(all);
    note = all.progress().note;
    EXPECT_FALSE(does->mixed) << "a lane had frames of two sizes in one batch";
    return events;
  }

  Streams streams{{40, 1, 90, 30}, 3};
  std::shared_ptr<Behaviour> does = std::make_shared<Behaviour>();
  std::string note;
};

TEST_F(LaneRunTest, LanesGiveTheEventsOfTheWorkAlone) {
  does->refused = {2, 5};
  const std::vector<std::string> alone = run(0, true, 1);
  ASSERT_EQ(alone.size(), 161u + 1 + 5);
  EXPECT_EQ(does->in_lanes, 0);
  for (const bool at_once : {true, false}) {
    for (const int lanes : {1, 2, 5}) {
      for (const std::optional<int> batch : {std::optional<int>(1), {7}, {64}, {}})
        EXPECT_EQ(run(lanes, at_once, batch), alone) << lanes << " lanes, batch " << batch.value_or(0);
    }
  }
  EXPECT_GT(does->in_lanes, 0);
  EXPECT_EQ(note, "");
}

TEST_F(LaneRunTest, ALaneThatFailsInTheMidstLeavesItsFramesToTheWork) {
  const std::vector<std::string> alone = run(0, true, 1);
  int failures = 0;
  for (const ErrorCode code : {ErrorCode::kDevice, ErrorCode::kBackend}) {
    for (const bool at_once : {true, false}) {
      for (const int lanes : {1, 3}) {
        does = std::make_shared<Behaviour>();
        does->thrown = {2, 70};
        does->code = code;
        EXPECT_EQ(run(lanes, at_once, 4), alone);
        EXPECT_EQ(note, does->threw > 0 ? "the lane is broken" : "");
        failures += does->threw;
      }
    }
  }
  EXPECT_GT(failures, 0) << "no lane failed, so that this tests nothing";
}

TEST_F(LaneRunTest, AnErrorOfAFrameIsTheWorksToTell) {
  does->thrown = {2, 70};
  const std::vector<std::string> alone = run(0, true, 1);
  for (const ErrorCode code : {ErrorCode::kUsage, ErrorCode::kLimit}) {
    does->code = code;
    EXPECT_EQ(run(2, true, 3), alone);
    EXPECT_EQ(note, "");
  }
  EXPECT_EQ(does->threw, 2) << "no lane threw, so that this tests nothing";
  does->ends = {3, 4};
  for (const int lanes : {0, 2}) {
    Scan all = scan(lanes, true, 3);
    ScanEvent event;
    for (std::size_t i = 0; i < alone.size() - 27; ++i) ASSERT_TRUE(all.next(event)) << i;
    EXPECT_THROW(all.next(event), Error);
    EXPECT_FALSE(all.next(event));
    EXPECT_TRUE(all.wait(std::chrono::milliseconds(0)));
  }
}

TEST_F(LaneRunTest, ALaneThatCannotWakeIsANote) {
  const std::vector<std::string> alone = run(0, true, 1);
  does->wake = [] { throw Error(ErrorCode::kBackend, "there is no such device"); };
  for (const bool at_once : {true, false}) {
    EXPECT_EQ(run(2, at_once, {}), alone);
    EXPECT_EQ(note, "there is no such device");
  }
  EXPECT_EQ(does->in_lanes, 0);
}

TEST_F(LaneRunTest, NoScanWaitsForALaneThatIsStillWaking) {
  const std::vector<std::string> alone = run(0, true, 1);
  const auto may_wake = std::make_shared<std::promise<void>>();
  const std::shared_future<void> woken(may_wake->get_future());
  does->wake = [woken] { woken.wait(); };
  EXPECT_EQ(run(2, false, 5), alone);  // would never return
  EXPECT_EQ(does->woken, 0);
  may_wake->set_value();
  while (does->woken < 2) std::this_thread::yield();
  EXPECT_EQ(does->in_lanes, 0);
}

TEST_F(LaneRunTest, SlowWorkTakesSingleFramesWhileLanesWake) {
  const auto may_wake = std::make_shared<std::promise<void>>();
  const std::shared_future<void> woken(may_wake->get_future());
  for (const bool slow : {false, true}) {
    does = std::make_shared<Behaviour>();
    does->wake = [woken] { woken.wait(); };
    does->threads = 8;
    does->takes = std::chrono::microseconds(slow ? 10'000 : 10);
    run(1, false, {});
    if (slow) {
      EXPECT_EQ(does->largest, 1u);
    } else {
      EXPECT_GT(does->largest, 1u);
    }
  }
  may_wake->set_value();
}

TEST_F(LaneRunTest, LanesOpenOnlyIfTheWorkPaysForTheirStart) {
  run(2, false, {}, 1000);
  EXPECT_EQ(does->woken, 0);
  run(2, false, {}, 1e-5);
  // The run may end before the lanes' threads have begun.
  for (int i = 0; i < 60'000 && does->woken < 2; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(does->woken, 2);
}

TEST_F(LaneRunTest, AScanThatEndsEarlyStopsItsLanes) {
  for (const int events : {0, 1, 30}) {
    Scan all = scan(3, true, 2);
    ScanEvent event;
    for (int i = 0; i < events; ++i) ASSERT_TRUE(all.next(event));
  }
}

TEST_F(LaneRunTest, AStopEndsLanes) {
  const Streams many(std::vector<int>(20, 250));
  std::stop_source source;
  ScanOptions options = numbered(2);
  options.stop = source.get_token();
  Scan all(many.inputs(), std::make_unique<MarkedLanes>(does, 2, true, 0, false), options);
  ScanEvent event;
  ASSERT_TRUE(all.next(event));
  source.request_stop();
  int more = 0;
  while (all.next(event)) ++more;
  EXPECT_LT(more, 1500) << "more than the frames that were read already";
}

TEST_F(LaneRunTest, FramesGoToOtherLanesBeforeTheWork) {
  const std::vector<std::string> alone = run(0, true, 1);
  does = std::make_shared<Behaviour>();
  does->thrown = {2, 70};
  does->throws = 1;  // one lane alone
  EXPECT_EQ(run(3, true, 4), alone);
  EXPECT_EQ(note, "the lane is broken");
  EXPECT_EQ(does->in_lanes - does->left, 161) << "the work answered frames although lanes were there";
}

TEST(Desk, AsFewEventsAsAreWanted) {
  Desk desk({100, 1000});
  const auto push = [&](std::int64_t index, std::size_t most) {
    ScanEvent event;
    event.kind = ScanEvent::Kind::kFrame;
    event.index = index;
    return desk.push(std::move(event), most);
  };
  EXPECT_TRUE(push(0, 2));
  EXPECT_TRUE(push(1, 2));
  std::vector<ScanEvent*> frames;
  ASSERT_TRUE(desk.take_alike(8, frames));
  ASSERT_EQ(frames.size(), 2u);
  desk.done(frames);  // answered, but not taken yet
  std::atomic<bool> pushed = false;
  std::thread feeder([&] {
    push(2, 2);
    pushed = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(pushed) << "a camera's frames would grow old on the desk";
  ScanEvent event;
  ASSERT_TRUE(desk.pop(event));
  EXPECT_EQ(event.index, 0);
  feeder.join();
  desk.stop();
  EXPECT_FALSE(desk.pop(event));
  EXPECT_FALSE(push(3, 2));
}

}  // namespace
}  // namespace winnow
