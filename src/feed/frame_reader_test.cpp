// Tests that events do not depend on the timing of the readers and of the caller that takes the events.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <functional>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <sys/stat.h>

#include <winnow/error.h>
#include <winnow/feed.h>

#include "base/folder_for_test.h"

namespace winnow {
namespace {

constexpr int kFiles = 60;

// Large and small pictures, each with a grey of its own. Every seventh is cut off, and every eleventh does
// not exist. Input 5 is broken.
class Folder : public TestFolder {
 public:
  Folder() {
    for (int i = 0; i < kFiles; ++i) {
      const std::string path = file(std::to_string(i) + ".pgm");
      inputs_.push_back({InputKind::kPicture, path, "", ""});
      if (is_missing(i)) continue;
      std::ofstream out(path, std::ios::binary);
      out << "P5 " << side(i) << ' ' << side(i) << " 255\n";
      const auto bytes = static_cast<std::size_t>(side(i)) * static_cast<std::size_t>(side(i));
      out << std::string(is_cut(i) ? bytes / 2 : bytes, static_cast<char>(i));
    }
    inputs_.insert(inputs_.begin() + 5, {InputKind::kBroken, "*.gif", "", "no file is called so"});
  }
  const std::vector<Input>& inputs() const { return inputs_; }

  static int side(int i) { return i % 4 == 0 ? 600 : 5 + i; }
  static bool is_cut(int i) { return i % 7 == 3; }
  static bool is_missing(int i) { return i % 11 == 6; }
  static bool is_good(int i) { return !is_cut(i) && !is_missing(i); }

 private:
  std::vector<Input> inputs_;
};

FrameReaderOptions by(int threads) {
  FrameReaderOptions options;
  options.max_pixels = 1 << 20;
  options.threads = threads;
  return options;
}

// Gives the inputs of a folder, and then what it is told to do.
class SlowSource final : public InputSource {
 public:
  using AtEnd = std::function<void(std::stop_token)>;
  explicit SlowSource(std::vector<Input> inputs, AtEnd at_end = {})
      : inputs_(std::move(inputs)), at_end_(std::move(at_end)) {}
  bool next(Input& input, std::stop_token over) override {
    if (next_ == inputs_.size()) {
      if (at_end_) at_end_(over);
      return false;
    }
    if (next_ % 8 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    input = inputs_[next_++];
    return true;
  }

 private:
  std::vector<Input> inputs_;
  std::size_t next_ = 0;
  AtEnd at_end_;
};

// Takes the next events and checks that they are those of input `at`.
testing::AssertionResult comes(FrameReader& reader, const Folder& folder, std::size_t at) {
  FrameEvent event;
  const bool broken = at == 5;
  const int number = static_cast<int>(at) - (at > 5 ? 1 : 0);
  if (!reader.next(event)) return testing::AssertionFailure() << "no event of input " << at;
  if (event.input != at) return testing::AssertionFailure() << "input " << event.input << ", not " << at;
  if (broken || !Folder::is_good(number)) {
    if (event.kind != FrameEvent::Kind::kProblem)
      return testing::AssertionFailure() << at << " has no problem";
    const std::string says = broken ? "no file is called so" : folder.inputs()[at].path;
    if (event.problem.find(says) == std::string::npos)
      return testing::AssertionFailure() << at << ": " << event.problem;
  } else {
    if (event.kind != FrameEvent::Kind::kFrame) return testing::AssertionFailure() << at << " has no frame";
    const int side = Folder::side(number);
    const GrayView picture = event.picture.gray.view();
    if (picture.size() != Size{side, side} || event.index != 0 || picture.row(side - 1)[side - 1] != number)
      return testing::AssertionFailure() << at << " is another picture";
  }
  if (!reader.next(event) || event.kind != FrameEvent::Kind::kEnd || event.input != at)
    return testing::AssertionFailure() << at << " does not end";
  return testing::AssertionSuccess();
}

TEST(FrameReader, OrderIsThatOfTheInputs) {
  const Folder folder;
  for (const int threads : {1, 2, 5, 16}) {
    for (const bool slowly : {false, true}) {
      SCOPED_TRACE(testing::Message() << threads << " threads" << (slowly ? ", taken slowly" : ""));
      FrameReader reader(folder.inputs(), by(threads));
      for (std::size_t i = 0; i < folder.inputs().size(); ++i) {
        // Readers read ahead during the sleep. Events must not depend on how far they read.
        if (slowly && i % 8 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        ASSERT_TRUE(comes(reader, folder, i));
      }
      FrameEvent event;
      EXPECT_FALSE(reader.next(event));
      EXPECT_FALSE(reader.next(event));
    }
  }
}

// Reader threads that read ahead, or wait for room, end when the FrameReader is destroyed.
TEST(FrameReader, MayBeLeftAtAnyTime) {
  const Folder folder;
  for (std::size_t taken = 0; taken < 30; taken += 3) {
    FrameReader reader(folder.inputs(), by(4));
    for (std::size_t i = 0; i < taken; ++i) ASSERT_TRUE(comes(reader, folder, i));
  }
}

TEST(FrameReader, SaysWhetherAnEventIsThere) {
  const Folder folder;
  FrameReader reader(folder.inputs(), by(3));
  for (std::size_t i = 0; i < folder.inputs().size(); ++i) {
    // The loop waits until an event is there. It has no time limit, because the machine may be busy.
    while (!reader.ready()) std::this_thread::yield();
    ASSERT_TRUE(comes(reader, folder, i));
  }
}

TEST(FrameReader, NothingToRead) {
  const std::vector<Input> none;
  FrameReader reader(none, by(4));
  FrameEvent event;
  EXPECT_FALSE(reader.next(event));
}

// A pipe that never gives a byte: only a stop ends the wait for its pictures.
class SilentPipe {
 public:
  SilentPipe() {
    if (::mkfifo(folder_.file("pipe").c_str(), 0600) != 0) throw std::runtime_error("no pipe for the test");
    // The pipe is opened for reading, too, because opening it only for writing waits for a reader.
    writer_.open(folder_.file("pipe"), std::ios::in | std::ios::out);
  }
  Input input() const { return {InputKind::kStream, folder_.file("pipe"), "pipe", ""}; }

 private:
  const TestFolder folder_;
  std::fstream writer_;
};

TEST(FrameReader, AStopEndsAWait) {
  const SilentPipe pipe;
  std::stop_source source;
  FrameReader reader({pipe.input()}, by(1), source.get_token());
  std::thread stopper([&] { source.request_stop(); });
  FrameEvent event;
  EXPECT_FALSE(reader.next(event));
  stopper.join();
  EXPECT_FALSE(reader.next(event));
}

TEST(FrameReader, AfterAStopNothingComes) {
  const Folder folder;
  std::stop_source source;
  FrameReader reader(folder.inputs(), by(2), source.get_token());
  ASSERT_TRUE(comes(reader, folder, 0));
  source.request_stop();
  FrameEvent event;
  EXPECT_FALSE(reader.next(event));
}

TEST(FrameReader, EveryNthFrameNeedsAnN) {
  FrameReaderOptions options;
  options.every = 0;
  EXPECT_THROW(FrameReader(std::vector<Input>(), options), Error);
}

TEST(FrameReader, ASourceGivesInputsOneByOne) {
  const Folder folder;
  for (const int threads : {1, 3}) {
    FrameReader reader(std::make_unique<SlowSource>(folder.inputs()), by(threads));
    for (std::size_t i = 0; i < folder.inputs().size(); ++i) ASSERT_TRUE(comes(reader, folder, i));
    FrameEvent event;
    EXPECT_FALSE(reader.next(event));
    EXPECT_FALSE(reader.next(event));
  }
}

TEST(FrameReader, ThrowsWhatASourceThrowsBehindItsInputs) {
  const Folder folder;
  const auto fail = [](std::stop_token) { throw std::runtime_error("the source is dry"); };
  FrameReader reader(std::make_unique<SlowSource>(folder.inputs(), fail), by(3));
  for (std::size_t i = 0; i < folder.inputs().size(); ++i) ASSERT_TRUE(comes(reader, folder, i));
  FrameEvent event;
  EXPECT_THROW(reader.next(event), std::runtime_error);
  EXPECT_FALSE(reader.next(event));
}

// A source that waits for inputs holds neither the events before nor the reader's end.
TEST(FrameReader, ASourceMayWait) {
  const Folder folder;
  const auto wait = [](std::stop_token over) {
    while (!over.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  FrameReader reader(std::make_unique<SlowSource>(folder.inputs(), wait), by(3));
  for (std::size_t i = 0; i < folder.inputs().size(); ++i) ASSERT_TRUE(comes(reader, folder, i));
  EXPECT_FALSE(reader.wait(std::chrono::milliseconds(1))) << "the source may give more inputs";
}

TEST(FrameReader, APictureMayLieInMemory) {
  const Folder folder;
  FrameReaderOptions files = by(2);
  files.files = true;
  FrameReader reader(folder.inputs(), files);
  std::vector<Input> loaded;
  std::vector<std::string> problems;
  for (FrameEvent event; reader.next(event);) {
    if (event.kind == FrameEvent::Kind::kProblem) problems.push_back(event.problem);
    if (event.kind != FrameEvent::Kind::kFrame) continue;
    EXPECT_TRUE(event.picture.gray.empty());
    EXPECT_EQ(event.bytes(), event.file->size());
    loaded.push_back(*event.from);
    loaded.back().path += " elsewhere";  // a file that does not exist
    loaded.back().file = event.file;
    loaded.back().kind = InputKind::kUnknown;  // nothing is read at the path to find out
  }
  // Files that do not exist are the reader's problems; those that are cut are found when they are decoded.
  std::size_t missing = 1, cut = 0;
  for (int i = 0; i < kFiles; ++i) {
    missing += Folder::is_missing(i);
    cut += !Folder::is_missing(i) && Folder::is_cut(i);
  }
  EXPECT_EQ(problems.size(), missing);
  FrameReader decoded(loaded, by(2));
  for (FrameEvent event; decoded.next(event);) {
    if (event.kind == FrameEvent::Kind::kEnd) continue;
    const int number = std::stoi(event.from->path.substr(event.from->path.rfind('/') + 1));
    const bool frame = event.kind == FrameEvent::Kind::kFrame;
    EXPECT_EQ(frame, Folder::is_good(number));
    cut -= !frame;
    if (frame)
      EXPECT_EQ(event.picture.gray.view().row(0)[0], number);
    else
      EXPECT_EQ(event.problem.find(event.from->path), 0u) << event.problem;
  }
  EXPECT_EQ(cut, 0u);
}

TEST(FrameReader, AFileMayHoldSeveralPictures) {
  const TestFolder folder;
  std::ofstream(folder.file("many.pgm")) << "P5 1 1 255 a\nP5 2 1 255 bcP2 1 1 9 7\n";
  std::ofstream(folder.file("cut.pgm")) << "P5 1 1 255 a\nP5 2 1 255 b";
  std::ofstream(folder.file("one.pgm")) << "P5 1 1 255 z\n";
  std::vector<Input> inputs;
  for (const char* name : {"many.pgm", "cut.pgm", "one.pgm"})
    inputs.push_back({InputKind::kPicture, folder.file(name), name, ""});
  for (const int every : {1, 2}) {
    for (const bool files : {false, true}) {
      FrameReaderOptions options = by(2);
      options.every = every;
      options.files = files;
      std::vector<std::string> seen;
      FrameReader reader(inputs, options);
      for (FrameEvent event; reader.next(event);) {
        if (event.kind == FrameEvent::Kind::kProblem) seen.push_back("problem");
        if (event.kind != FrameEvent::Kind::kFrame) continue;
        const bool alone = event.from->place == "one.pgm";
        EXPECT_EQ(event.sequence, !alone);
        EXPECT_EQ(event.file != nullptr, alone && files);
        const std::string name = frame_name(event);
        seen.push_back(name.substr(name.rfind('/') + 1) + ' ' + std::to_string(event.picture.gray.width()));
      }
      std::vector<std::string> wanted{"many.pgm, frame 0 1"};
      if (every == 1) wanted.push_back("many.pgm, frame 1 2");
      wanted.push_back("many.pgm, frame 2 1");
      wanted.push_back("cut.pgm, frame 0 1");
      wanted.push_back("problem");
      wanted.push_back(files ? "one.pgm 0" : "one.pgm 1");
      EXPECT_EQ(seen, wanted) << every << files;
    }
  }
}

TEST(FrameReader, PicturesThatAreNotReadAreCounted) {
  const TestFolder folder;
  // A GIF of two pictures with one pixel each.
  const std::string head = std::string("GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff", 19);
  const std::string picture = std::string(",\0\0\0\0\1\0\1\0\0\2\2\x4c\1\0", 15);
  std::ofstream(folder.file("two.gif"), std::ios::binary) << head << picture << picture << ';';
  FrameReader reader({{InputKind::kPicture, folder.file("two.gif"), "two.gif", ""}}, by(1));
  FrameEvent event;
  ASSERT_TRUE(reader.next(event));
  ASSERT_EQ(event.kind, FrameEvent::Kind::kFrame) << event.problem;
  EXPECT_EQ(event.picture.gray.view().row(0)[0], 255);
  EXPECT_EQ(event.unread, 1);
}

TEST(FrameReader, FramesMayBeMadeElsewhere) {
  const Folder folder;
  Input made{InputKind::kVideo, "made", "made", ""};
  int next = 0;
  made.frames = [&next](FrameEvent& event, std::stop_token) {
    if (next == 100) return false;
    event.kind = next == 50 ? FrameEvent::Kind::kProblem : FrameEvent::Kind::kFrame;
    event.problem = "no frame 50";
    if (next != 50) event.picture.gray = GrayImage(2, 1);
    event.index = next++;
    event.sequence = true;
    return true;
  };
  FrameReader reader({folder.inputs()[0], made, folder.inputs()[1]}, by(3));
  ASSERT_TRUE(comes(reader, folder, 0));
  FrameEvent event;
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(reader.next(event));
    ASSERT_EQ(event.kind, i == 50 ? FrameEvent::Kind::kProblem : FrameEvent::Kind::kFrame);
    ASSERT_EQ(event.index, i);
    ASSERT_EQ(event.input, 1u);
    ASSERT_EQ(event.from->path, "made");
  }
  ASSERT_TRUE(reader.next(event));
  EXPECT_EQ(event.kind, FrameEvent::Kind::kEnd);
  ASSERT_TRUE(reader.next(event));
  EXPECT_EQ(event.from->path, folder.inputs()[1].path);
}

TEST(FrameReader, MayBeMoved) {
  const Folder folder;
  FrameReader first(folder.inputs(), by(3));
  ASSERT_TRUE(comes(first, folder, 0));
  FrameReader second = std::move(first);
  for (std::size_t i = 1; i < folder.inputs().size(); ++i) ASSERT_TRUE(comes(second, folder, i));
  FrameEvent event;
  EXPECT_FALSE(second.next(event));
}

TEST(FrameReader, WaitsNoLongerThanAsked) {
  const TestFolder folder;
  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::stop_source stop;
  FrameReader reader({{InputKind::kStream, pipe, "", ""}}, by(1), stop.get_token());
  EXPECT_FALSE(reader.wait(std::chrono::milliseconds(1))) << "nothing was written yet";
  {
    std::ofstream out(pipe, std::ios::binary);
    out << "P5 2 1 255\nab";
  }
  const std::chrono::hours long_enough(1);
  FrameEvent event;
  EXPECT_TRUE(reader.wait(long_enough));
  ASSERT_TRUE(reader.next(event));
  EXPECT_EQ(event.kind, FrameEvent::Kind::kFrame);
  EXPECT_TRUE(reader.wait(long_enough));
  ASSERT_TRUE(reader.next(event));
  EXPECT_EQ(event.kind, FrameEvent::Kind::kEnd);
  EXPECT_TRUE(reader.wait(long_enough)) << "no event will come";
  EXPECT_FALSE(reader.next(event));

  FrameReader stopped({{InputKind::kStream, pipe, "", ""}}, by(1), stop.get_token());
  stop.request_stop();
  EXPECT_TRUE(stopped.wait(long_enough)) << "after a stop there is nothing to wait for";
}

}  // namespace
}  // namespace winnow
