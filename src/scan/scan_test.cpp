// Tests that a scan's events depend neither on batches nor on the work's failures, and that no state gets
// frames of two inputs.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <vector>

#include <winnow/error.h>
#include <winnow/scan.h>

#include "scan/streams_for_test.h"

namespace winnow {
namespace {

// Counts the frames of its input, and refuses frames of any other input.
class Counter final : public ScanState {
 public:
  explicit Counter(std::size_t input) : input_(input) { ++alive; }
  ~Counter() override { --alive; }
  void next(ScanEvent& frame) override {
    EXPECT_EQ(frame.input, input_);
    EXPECT_GT(mark_of(frame).frame, last_);
    last_ = mark_of(frame).frame;
    frame.answer = ++seen;
  }
  int seen = 0;  // the number of frames so far
  static inline int alive = 0;

 private:
  std::size_t input_;
  int last_ = -1;
};

ScanOptions counting(std::optional<int> batch) {
  ScanOptions options;
  options.batch = batch;
  options.make_state = [](const Input&, const ScanEvent& first) {
    return std::make_unique<Counter>(first.input);
  };
  return options;
}

// Finds an object at each frame's mark, and fails where the test asks for it.
class MarkWork final : public ScanWork {
 public:
  void answer(std::span<ScanEvent* const> frames) override {
    ++calls;
    std::set<std::size_t> inputs;
    for (const ScanEvent* frame : frames) inputs.insert(frame->input);
    most_inputs = std::max(most_inputs, inputs.size());
    most_frames = std::max(most_frames, frames.size());
    for (ScanEvent* frame : frames) {
      EXPECT_TRUE(frame->found.objects.empty()) << "an answer of another frame is left";
      const Mark mark = mark_of(*frame);
      frame->found.objects.push_back({{mark.stream, mark.frame, 1, 1}, 1., 1});
      if (mark == refused) frame->problem = "it is refused";
      if (mark == thrown) throw Error(code, "it is thrown");
      if (mark == too_large) throw std::bad_alloc();
    }
  }
  Mark refused{-1, 0}, thrown{-1, 0}, too_large{-1, 0};
  ErrorCode code = ErrorCode::kDevice;
  std::size_t most_inputs = 0, most_frames = 0;
  int calls = 0;
};

// The events as text, and the frame count of each state at the end of its input.
struct Seen {
  std::vector<std::string> events;
  std::vector<int> counts;
};
Seen run(Scan& scan) {
  Seen seen;
  for (ScanEvent event; scan.next(event);) {
    EXPECT_LE(Counter::alive, 1);
    const std::string input = std::to_string(event.input) + ": ";
    if (event.kind == FrameEvent::Kind::kProblem) {
      EXPECT_TRUE(event.found.objects.empty());
      seen.events.push_back(input + event.problem.substr(event.problem.rfind('/') + 1));
    } else if (event.kind == FrameEvent::Kind::kEnd) {
      seen.events.push_back(input + "end");
      seen.counts.push_back(event.state == nullptr ? -1 : static_cast<Counter*>(event.state)->seen);
    } else {
      const Mark mark = mark_of(event);
      std::string text = input + "frame " + std::to_string(event.index);
      for (const Detection& object : event.found.objects) {
        EXPECT_EQ((Mark{object.box.x, object.box.y}), mark);
        text += ", found";
      }
      if (event.answer.has_value()) text += ", " + std::to_string(std::any_cast<int>(event.answer));
      seen.events.push_back(text);
    }
  }
  EXPECT_EQ(Counter::alive, 0);
  return seen;
}

TEST(Scan, FramesOfDifferentInputsNeverMeetInOneState) {
  const Streams streams({5, 1, 9});
  std::vector<std::string> events;
  for (const std::optional<int> batch : {std::optional<int>(1), {2}, {7}, {100}, {}}) {
    auto work = std::make_unique<MarkWork>();
    const MarkWork& marks = *work;
    Scan scan(streams.inputs(), std::move(work), counting(batch));
    const Seen seen = run(scan);
    EXPECT_EQ(seen.counts, (std::vector<int>{5, 1, -1, 9}));
    if (events.empty()) events = seen.events;
    EXPECT_EQ(seen.events, events) << "batch " << batch.value_or(0);
    EXPECT_EQ(scan.progress().frames, 15);
    EXPECT_EQ(scan.progress().problems, 1);
    EXPECT_EQ(scan.progress().inputs_done, 4u);
    if (batch == 7 || batch == 100) {
      EXPECT_GT(marks.most_inputs, 1u) << "no batch mixes inputs, so that this tests nothing";
      EXPECT_EQ(marks.most_frames, batch == 7 ? 7u : 15u);
    }
    EXPECT_TRUE(batch != 1 || marks.calls == 15);
  }
  EXPECT_EQ(events.front(), "0: frame 0, found, 1");
  EXPECT_EQ(events[4], "0: frame 4, found, 5");
  EXPECT_EQ(events[6], "1: frame 0, found, 1") << "the second input's state begins anew";
  EXPECT_NE(std::find(events.begin(), events.end(), "2: *.gif: no file is called so"), events.end());
}

TEST(Scan, WithoutWorkFramesOnlyPassByTheStates) {
  const Streams streams({3, 2});
  Scan scan(streams.inputs(), nullptr, counting(2));
  const Seen seen = run(scan);
  EXPECT_EQ(seen.counts, (std::vector<int>{3, 2, -1}));
  EXPECT_EQ(seen.events.front(), "0: frame 0, 1");
}

TEST(Scan, WithoutStatesThereAreAnswersAlone) {
  const Streams streams({2});
  Scan scan(streams.inputs(), std::make_unique<MarkWork>());
  EXPECT_EQ(run(scan).events, (std::vector<std::string>{"0: frame 0, found", "0: frame 1, found", "0: end"}));
}

TEST(Scan, AFrameThatCannotBeAnsweredIsAProblemAlone) {
  const Streams streams({5, 1, 4});
  for (const int batch : {1, 3, 50}) {
    auto work = std::make_unique<MarkWork>();
    work->refused = {0, 1};
    work->thrown = {0, 3};
    work->too_large = {2, 0};
    Scan scan(streams.inputs(), std::move(work), counting(batch));
    std::vector<std::string> problems;
    // A state counts its frames; frames with problems are not among them.
    std::vector<int> counts;
    for (ScanEvent event; scan.next(event);) {
      if (event.kind == FrameEvent::Kind::kProblem) problems.push_back(event.problem);
      EXPECT_EQ(event.found.objects.size(), event.kind == FrameEvent::Kind::kFrame ? 1u : 0u);
      if (event.kind == FrameEvent::Kind::kEnd && event.state != nullptr)
        counts.push_back(static_cast<Counter*>(event.state)->seen);
    }
    EXPECT_EQ(counts, (std::vector<int>{3, 1, 3}));
    ASSERT_EQ(problems.size(), 4u);
    EXPECT_NE(problems[0].find("stream0, frame 1: it is refused"), std::string::npos) << problems[0];
    EXPECT_NE(problems[1].find("stream0, frame 3: it is thrown"), std::string::npos) << problems[1];
    EXPECT_NE(problems[3].find("stream2, frame 0: there is not enough memory"), std::string::npos);
  }
}

// Whatever the batch size is, the scan gives all frames before the bad frame, and then throws.
TEST(Scan, OtherErrorsEndTheScanAfterTheFramesBefore) {
  const Streams streams({5});
  for (const ErrorCode code : {ErrorCode::kUsage, ErrorCode::kBackend}) {
    for (const int batch : {1, 2, 3, 50}) {
      auto work = std::make_unique<MarkWork>();
      work->thrown = {0, 2};
      work->code = code;
      Scan scan(streams.inputs(), std::move(work), counting(batch));
      ScanEvent event;
      for (int frame = 0; frame < 2; ++frame) {
        ASSERT_TRUE(scan.next(event));
        EXPECT_EQ(mark_of(event).frame, frame);
        EXPECT_EQ(event.found.objects.size(), 1u);
      }
      EXPECT_THROW(scan.next(event), Error);
      EXPECT_FALSE(scan.next(event));
      EXPECT_TRUE(scan.wait(std::chrono::milliseconds(0))) << "next says that it is over";
    }
  }
  EXPECT_EQ(Counter::alive, 0);
}

TEST(Scan, ManyBrokenInputsDoNotWaitForFrames) {
  const Streams streams({1});
  std::vector<Input> inputs(5000, {InputKind::kBroken, "*.gif", "", "no file is called so"});
  inputs.insert(inputs.begin(), streams.inputs().front());
  inputs.push_back(streams.inputs().front());
  auto work = std::make_unique<MarkWork>();
  const MarkWork& marks = *work;
  Scan scan(inputs, std::move(work), counting(64));
  ScanEvent event;
  ASSERT_TRUE(scan.next(event));
  EXPECT_EQ(marks.calls, 1) << "the first frame was answered before the last was read";
  int events = 1;
  while (scan.next(event)) ++events;
  EXPECT_EQ(events, 2 * 5000 + 4);
  EXPECT_EQ(marks.calls, 2);
}

class FailingState final : public ScanState {
 public:
  void next(ScanEvent& frame) override {
    if (mark_of(frame).frame == 1) throw Error(ErrorCode::kLimit, "one frame is too much");
  }
};

TEST(Scan, AStateThatFailsMakesAProblemOfItsFrame) {
  const Streams streams({3});
  ScanOptions options;
  options.make_state = [](const Input&, const ScanEvent&) { return std::make_unique<FailingState>(); };
  Scan scan(streams.inputs(), std::make_unique<MarkWork>(), options);
  std::vector<FrameEvent::Kind> kinds;
  for (ScanEvent event; scan.next(event);) kinds.push_back(event.kind);
  using Kind = FrameEvent::Kind;
  EXPECT_EQ(kinds, (std::vector<Kind>{Kind::kFrame, Kind::kProblem, Kind::kFrame, Kind::kEnd}));
}

TEST(Scan, AStopEndsTheScan) {
  const Streams streams({100});
  std::stop_source source;
  ScanOptions options = counting(4);
  options.stop = source.get_token();
  Scan scan(streams.inputs(), std::make_unique<MarkWork>(), options);
  ScanEvent event;
  ASSERT_TRUE(scan.next(event));
  source.request_stop();
  int more = 0;
  while (scan.next(event)) ++more;
  EXPECT_EQ(more, 3) << "the frames that were taken already";
}

TEST(Scan, EveryAndOptionsOutOfRange) {
  const Streams streams({7});
  ScanOptions options;
  options.every = 3;
  Scan scan(streams.inputs(), std::make_unique<MarkWork>(), options);
  EXPECT_EQ(run(scan).events, (std::vector<std::string>{"0: frame 0, found", "0: frame 3, found",
                                                        "0: frame 6, found", "0: end"}));
  options.every = 0;
  EXPECT_THROW(Scan(streams.inputs(), nullptr, options), Error);
  options.every = 1;
  options.batch = 0;
  EXPECT_THROW(Scan(streams.inputs(), nullptr, options), Error);
}

TEST(Scan, ProblemsBeforeTheFirstFrameDoNotWaitForIt) {
  const Streams streams({3});
  std::vector<Input> inputs(2, {InputKind::kBroken, "*.gif", "", "no file is called so"});
  inputs.push_back(streams.inputs().front());
  auto work = std::make_unique<MarkWork>();
  const MarkWork& marks = *work;
  Scan scan(inputs, std::move(work), counting(3));
  ScanEvent event;
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(scan.next(event));
    EXPECT_NE(event.kind, FrameEvent::Kind::kFrame);
    EXPECT_EQ(marks.calls, 0) << "a frame was answered before event " << i << " was given";
  }
  ASSERT_TRUE(scan.next(event));
  EXPECT_EQ(event.kind, FrameEvent::Kind::kFrame);
}

TEST(Scan, AMakerThatGivesNoStateIsAskedOnceAnInput) {
  const Streams streams({4, 3});
  int asked = 0;
  ScanOptions options;
  options.make_state = [&](const Input&, const ScanEvent&) {
    ++asked;
    return std::unique_ptr<ScanState>();
  };
  Scan scan(streams.inputs(), std::make_unique<MarkWork>(), options);
  for (ScanEvent event; scan.next(event);) EXPECT_EQ(event.state, nullptr);
  EXPECT_EQ(asked, 2);
}

}  // namespace
}  // namespace winnow
