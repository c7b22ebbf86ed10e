// Tests that ranks give the answers of a scan, whatever their number, and what they do when something fails.
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <winnow/error.h>
#include <winnow/scan.h>
#include <winnow/version.h>

#include "base/folder_for_test.h"
#include "cluster/ranks_for_test.h"
#include "cluster/root.h"

namespace winnow {
namespace {

using sample::greeting;
using sample::Ranks;

// Pictures of which some are cut or missing, streams between them, and names of no file.
class Mixed : public TestFolder {
 public:
  explicit Mixed(int pictures) {
    for (int i = 0; i < pictures; ++i) {
      const std::string path = file(std::to_string(i) + ".pgm");
      const int side = i % 13 == 0 ? 300 : 12 + i % 5;
      inputs_.push_back({InputKind::kPicture, path, std::to_string(i) + ".pgm", ""});
      if (i % 11 != 6) write(path, side, i % 7 == 3 ? 1 : 0, {i});
      if (i % 20 == 5) inputs_.push_back({InputKind::kBroken, "*.gif", "", "no file is called so"});
      if (i % 17 == 2) {
        const std::string stream = file("stream" + std::to_string(i));
        std::vector<int> frames(static_cast<std::size_t>(3 * i));
        for (std::size_t f = 0; f < frames.size(); ++f) frames[f] = static_cast<int>(f);
        write(stream, 9, 0, frames);
        inputs_.push_back({InputKind::kStream, stream, "", ""});
      }
    }
  }
  const std::vector<Input>& inputs() const { return inputs_; }

 private:
  static void write(const std::string& path, int side, int missing, const std::vector<int>& values) {
    std::ofstream out(path, std::ios::binary);
    for (const int value : values) {
      out << "P5 " << side << ' ' << side << " 255\n";
      out << std::string(static_cast<std::size_t>(side * side - missing), static_cast<char>(value));
    }
  }
  std::vector<Input> inputs_;
};

// Finds one object for each frame, whose box is made of the frame's first pixel and its size. `slow`: whether
// frames take different times. `bad`: the frame whose first pixel is this ends the scan.
class PixelWork final : public ScanWork {
 public:
  explicit PixelWork(bool slow, int bad = -1) : slow_(slow), bad_(bad) {}
  void answer(std::span<ScanEvent* const> frames) override {
    for (ScanEvent* frame : frames) {
      const GrayView gray = frame->picture.gray.view();
      const int value = gray.row(0)[0];
      if (value == bad_) throw Error(ErrorCode::kUsage, "no object is bad");
      if (slow_ && value % 5 == 0) std::this_thread::sleep_for(std::chrono::microseconds(300));
      frame->found.picture = gray.size();
      frame->found.objects = {{{value, 1, gray.width, gray.height}, 0.5, value}};
    }
  }

 private:
  bool slow_;
  int bad_;
};

// Numbers the frames of a stream, as faces are numbered.
class CountState final : public ScanState {
 public:
  void next(ScanEvent& event) override {
    Followed face;
    face.id = ++frames_;
    face.shape.points.resize(1);
    event.answer = std::vector<Followed>{face};
  }

 private:
  int frames_ = 0;
};

RankWork work_for(bool counts, bool slow, int bad = -1) {
  RankWork work;
  work.work = std::make_unique<PixelWork>(slow, bad);
  if (counts)
    work.options.make_state = [](const Input&, const ScanEvent& first) -> std::unique_ptr<ScanState> {
      return first.sequence ? std::make_unique<CountState>() : nullptr;
    };
  work.rules.model = "pixels";
  work.rules.window = {2, 2};
  return work;
}

std::string text_of(FrameEvent::Kind kind, std::size_t input, const std::string& words) {
  return std::to_string(static_cast<int>(kind)) + " " + std::to_string(input) + " " + words;
}

std::string words_of(const FrameRecord& record) {
  return record.lines + std::to_string(record.objects) + " " + std::to_string(record.last_id) + " " +
         std::to_string(record.large_window);
}

std::vector<std::string> scanned(const std::vector<Input>& inputs, bool counts) {
  RankWork work = work_for(counts, false);
  Scan scan(inputs, std::move(work.work), std::move(work.options));
  std::vector<std::string> events;
  for (ScanEvent event; scan.next(event);)
    events.push_back(text_of(
        event.kind, event.input,
        event.kind == FrameEvent::Kind::kFrame ? words_of(record_of(event, work.rules)) : event.problem));
  return events;
}

std::vector<std::string> dealt(int ranks, const std::vector<Input>& inputs, bool counts) {
  Ranks others(ranks, [&](const Hello&) { return work_for(counts, true); });
  ClusterOptions options;
  options.threads = 2;
  options.whole_videos = counts;
  const auto start = std::chrono::steady_clock::now();
  ClusterScan scan(others.root(), greeting(), inputs, options);
  std::vector<std::string> events;
  for (ClusterEvent event; scan.next(event);) {
    const bool answered = event.kind == FrameEvent::Kind::kFrame;
    events.push_back(text_of(event.kind, event.input, answered ? words_of(event.record) : event.problem));
    if (!answered) continue;
    EXPECT_GT(event.read, start);
    EXPECT_LT(event.read, std::chrono::steady_clock::now());
  }
  std::int64_t items = 0, done = 0, bytes = 0;
  for (const RankFigures& figures : scan.finish()) {
    EXPECT_GT(figures.items, 0) << "each rank has a part";
    items += figures.items;
    bytes += figures.bytes;
    done += figures.done.frames;
  }
  EXPECT_EQ(items, done);
  others.end();
  const RootFigures root = scan.root_figures();
  EXPECT_EQ(root.got_bytes, others.sent_bytes());
  EXPECT_EQ(root.sent_bytes, others.received_bytes());
  EXPECT_GT(root.sent_bytes, bytes) << "files and heads";
  EXPECT_GT(root.dealing, 0);
  EXPECT_GT(root.gathering, 0);
  EXPECT_GT(root.waits_for_ranks + root.waits_for_inputs, 0) << "which of them, depends on the load";
  return events;
}

TEST(ClusterScan, AnyNumberOfRanksAnswersAsOneScan) {
  const Mixed mixed(150);
  for (const bool counts : {false, true}) {
    const std::vector<std::string> alone = scanned(mixed.inputs(), counts);
    for (const int ranks : {2, 3, 6}) {
      SCOPED_TRACE(testing::Message() << ranks << " ranks" << (counts ? ", streams whole" : ""));
      EXPECT_EQ(dealt(ranks, mixed.inputs(), counts), alone);
    }
  }
}

TEST(ClusterScan, ModelsAndArgumentsTravel) {
  std::vector<Hello> heard;
  std::mutex mutex;
  Hello hello = greeting();
  hello.arguments = {"faces", "--points", "5", "a picture.jpg", ""};
  {
    Ranks others(3, [&](const Hello& says) {
      const std::lock_guard lock(mutex);
      heard.push_back(says);
      return work_for(false, false);
    });
    ClusterScan scan(others.root(), hello, {}, {});
    ClusterEvent event;
    EXPECT_FALSE(scan.next(event));
    scan.finish();
  }
  ASSERT_EQ(heard.size(), 2u);
  for (const Hello& says : heard) {
    EXPECT_EQ(says.arguments, hello.arguments);
    ASSERT_EQ(says.files.size(), 1u);
    EXPECT_EQ(says.files[0].name, "model");
    EXPECT_EQ(says.files[0].bytes, hello.files[0].bytes);
  }
}

TEST(ClusterScan, ARankThatCannotWorkEndsTheRun) {
  const Mixed mixed(20);
  const MakeRankTask refuse = [](const Hello&) -> RankTask {
    throw Error(ErrorCode::kBackend, "there is no device");
  };
  Ranks others(3, refuse);
  try {
    ClusterScan scan(others.root(), greeting(), mixed.inputs(), {});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBackend);
    EXPECT_EQ(std::string(error.what()), "there is no device");
  }
}

TEST(ClusterScan, AnotherVersionIsRefused) {
  Ranks others(2, [](const Hello&) { return work_for(false, false); });
  Hello old = greeting();
  old.version = "0.0.1";
  try {
    ClusterScan scan(others.root(), old, {}, {});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    EXPECT_NE(std::string(error.what()).find("0.0.1"), std::string::npos) << error.what();
  }
}

// What ends a scan on a rank ends the run behind the same events as in a scan.
TEST(ClusterScan, AnErrorComesInItsPlace) {
  const Mixed mixed(60);
  Ranks others(4, [](const Hello&) { return work_for(false, true, 37); });
  ClusterScan scan(others.root(), greeting(), mixed.inputs(), {});
  std::vector<std::string> alone = scanned(mixed.inputs(), false);
  std::size_t events = 0;
  try {
    for (ClusterEvent event; scan.next(event); ++events) {
      const std::string words =
          event.kind == FrameEvent::Kind::kFrame ? words_of(event.record) : event.problem;
      ASSERT_EQ(text_of(event.kind, event.input, words), alone[events]);
    }
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_EQ(std::string(error.what()), "no object is bad");
  }
  EXPECT_NE(alone[events].find("\"x\":37,"), std::string::npos) << alone[events];
}

TEST(ClusterScan, RanksMayEndWithoutWork) {
  Ranks others(3, [](const Hello&) -> RankWork { throw std::logic_error("no work was dealt"); });
  end_ranks(others.root());
}

TEST(ClusterScan, MayBeLeftAtAnyTime) {
  const Mixed mixed(100);
  for (int taken = 0; taken < 100; taken += 23) {
    Ranks others(3, [](const Hello&) { return work_for(true, true); });
    ClusterOptions options;
    options.whole_videos = true;
    ClusterScan scan(others.root(), greeting(), mixed.inputs(), options);
    ClusterEvent event;
    for (int i = 0; i < taken; ++i) ASSERT_TRUE(scan.next(event));
  }
}

TEST(ClusterScan, AStopEndsAtOnce) {
  const Mixed mixed(150);
  const std::vector<std::string> alone = scanned(mixed.inputs(), true);
  Ranks others(3, [](const Hello&) { return work_for(true, true); });
  std::stop_source stop;
  ClusterOptions options;
  options.whole_videos = true;
  options.stop = stop.get_token();
  ClusterScan scan(others.root(), greeting(), mixed.inputs(), options);
  std::size_t events = 0;
  for (ClusterEvent event; scan.next(event); ++events) {
    if (events == 30) stop.request_stop();
    const std::string words = event.kind == FrameEvent::Kind::kFrame ? words_of(event.record) : event.problem;
    ASSERT_EQ(text_of(event.kind, event.input, words), alone[events]);
  }
  EXPECT_EQ(events, 31u);
}

// Tickets are few, and parcels hold less then: no rank waits for the answers of others.
TEST(ClusterScan, AThousandRanksHaveWorkAtTheSameTime) {
  constexpr int kRanks = 1001;
  const TestFolder folder;
  std::ofstream(folder.file("a.pgm"), std::ios::binary) << "P5 1 1 255\n.";
  const std::vector<Input> inputs(20000, {InputKind::kPicture, folder.file("a.pgm"), "a.pgm", ""});
  PostOffice office(kRanks);
  std::vector<std::unique_ptr<Transport>> ranks;
  for (int rank = 0; rank < kRanks; ++rank) ranks.push_back(office.transport(rank));
  // No rank answers, so that all have what they can get. The stop then ends the scan.
  std::stop_source stop;
  std::thread root([&] {
    ClusterOptions options;
    options.stop = stop.get_token();
    ClusterScan scan(*ranks[0], greeting(), inputs, options);
    ClusterEvent event;
    EXPECT_FALSE(scan.next(event));
  });
  std::vector<int> parcels(kRanks, 0);
  const auto all_have = [&](int count) {
    return std::all_of(parcels.begin() + 1, parcels.end(), [&](int has) { return has >= count; });
  };
  const auto last = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  for (int done = 0; done < kRanks - 1;) {
    for (std::size_t number = 1; number < ranks.size(); ++number) {
      int from = 0;
      for (Message message; ranks[number]->receive(from, message);) {
        const MessageKind kind = kind_of(message);
        if (kind == MessageKind::kHello) ranks[number]->send(0, to_message(Ready()));
        if (kind == MessageKind::kStop) ranks[number]->send(0, to_message(Done()));
        parcels[number] += kind == MessageKind::kParcel;
        done += kind == MessageKind::kStop;
      }
    }
    if (all_have(2) || std::chrono::steady_clock::now() > last) stop.request_stop();
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  root.join();
  EXPECT_TRUE(all_have(2));
}

// Messages that end early, hold too much, or were changed are refused.
TEST(ClusterMessages, DamageIsFound) {
  ParcelWriter writer;
  const auto bytes = std::make_shared<const std::vector<std::byte>>(100, std::byte{7});
  writer.picture(std::make_shared<const Input>(Input{InputKind::kPicture, "a.jpg", "a.jpg", ""}), bytes);
  FrameEvent frame;
  frame.from = std::make_shared<const Input>(Input{InputKind::kVideo, "b.mp4", "b.mp4", ""});
  frame.picture.gray = GrayImage(3, 2);
  frame.picture.color = RgbImage(3, 2);
  frame.index = 5;
  frame.time = 0.25;
  writer.frame(std::move(frame), true);
  writer.end_frames();
  EXPECT_EQ(writer.items(), 2u);
  EXPECT_EQ(writer.bytes(), 100u + 6 + 18);
  const Message message = writer.finish();
  EXPECT_TRUE(writer.empty());
  const std::vector<Item> items = read_parcel(message);
  ASSERT_EQ(items.size(), 3u);
  EXPECT_EQ(items[0].input->path, "a.jpg");
  EXPECT_EQ(*items[0].input->file, *bytes);
  EXPECT_EQ(items[1].index, 5);
  EXPECT_EQ(items[1].time, 0.25);
  EXPECT_EQ(items[1].picture.color.width(), 3);
  EXPECT_EQ(items[2].kind, Item::Kind::kEnd);
  for (std::size_t at = 0; at < message.head.size(); ++at) {
    Message changed = message;
    changed.head[at] ^= std::byte{64};
    EXPECT_THROW(read_parcel(changed), Error) << at;
    changed = message;
    changed.head.resize(at);
    EXPECT_THROW(read_parcel(changed), Error) << at;
  }
  Message fewer = message;
  fewer.parts.pop_back();
  EXPECT_THROW(read_parcel(fewer), Error);
  Message more = message;
  more.parts.push_back(message.parts.front());
  EXPECT_THROW(read_parcel(more), Error);
  Message smaller = message;
  smaller.parts[1].bytes = smaller.parts[1].bytes.first(5);
  EXPECT_THROW(read_parcel(smaller), Error);
  smaller = message;
  smaller.parts[2].bytes = smaller.parts[2].bytes.first(17);
  EXPECT_THROW(read_parcel(smaller), Error) << "colour";
  EXPECT_THROW(read_answers(message), Error);
}

}  // namespace
}  // namespace winnow
