// Tests that ranks that divide a picture give the answer of one rank, whatever their number.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <winnow/error.h>

#include "backend/backend.h"
#include "cluster/greeting.h"
#include "cluster/ranks_for_test.h"
#include "cluster/split/split_sieve.h"
#include "cluster/split/split_work.h"
#include "session/scene_for_test.h"
#include "sieve/results_for_test.h"

namespace winnow {
namespace {

using sample::greeting;
using sample::Ranks;

std::unique_ptr<Pipeline> pipeline_for(const DetectorModel& model) {
  return make_pipeline(find_backend(BackendKind::kCpu), model, {});
}

MakeRankTask sifting(const DetectorModel& model) {
  return [model](const Hello&) { return make_rank_sift(model, {BackendKind::kCpu, 1}); };
}

// Ranks that are greeted, and end with this object.
class ReadyRanks {
 public:
  ReadyRanks(int ranks, const MakeRankTask& make) : ranks_(ranks, make) {
    greet_ranks(ranks_.root(), greeting());
  }
  ~ReadyRanks() { end_ready_ranks(ranks_.root(), MessageKind::kEnd); }
  Transport& root() { return ranks_.root(); }

 private:
  Ranks ranks_;
};

GrayImage squares(Size size) {
  return sample::make_scene(size, {{20, 30, 36, 36}, {60, 50, 80, 80}, {5, size.height - 40, 30, 30}});
}

LevelPlan plan_for(Size picture, const Cascade& cascade, double factor = 1.1) {
  LevelPlan plan;
  plan_levels({picture, cascade.window(), factor, {}, {}}, plan);
  return plan;
}

TEST(SplitShares, EachWindowIsInOneShare) {
  const Cascade cascade = sample::square_finder();
  for (const Size size : {Size{181, 447}, Size{300, 200}, Size{24, 24}, Size{10, 10}, Size{64, 900}}) {
    const LevelPlan plan = plan_for(size, cascade);
    for (const auto& [ranks, rounds] : {std::pair{1, 1}, {2, 1}, {3, 4}, {7, 2}, {20, 3}}) {
      std::vector<int> times(static_cast<std::size_t>(plan.window_count));
      const std::vector<SplitShare> shares = split_shares(plan, size, cascade.window(), ranks, rounds);
      ASSERT_EQ(shares.size(), static_cast<std::size_t>(1 + ranks * rounds));
      std::int64_t kept = 0;  // windows in the first share that are no eighth of the picture high
      int lowest_kept = size.height, highest_dealt = 0;
      for (std::size_t s = 0; s < shares.size(); ++s) {
        const SplitShare& share = shares[s];
        for (std::size_t l = 0; l < share.part.windows.levels.size(); ++l) {
          const Level& level = share.part.windows.levels[l];
          if (s > 0) {
            EXPECT_LE(8 * level.window.height, size.height);
            highest_dealt = std::max(highest_dealt, level.window.height);
          } else {
            if (8 * level.window.height <= size.height) kept += std::int64_t{level.rows} * level.cols;
            lowest_kept = std::min(lowest_kept, level.window.height);
          }
          for (int row = 0; row < level.rows; ++row) {
            const Box box = window_box(level, 0, level.corner.y + row * level.row_step);
            EXPECT_GE(box.y + 1, share.rows.first);
            EXPECT_LE(std::min(box.y + box.height - 2, size.height), share.rows.last);
          }
          for (std::int64_t i = 0; i < std::int64_t{level.rows} * level.cols; ++i)
            ++times[static_cast<std::size_t>(share.part.first_windows[l] + i)];
        }
        EXPECT_GE(share.rows.first, 0);
        EXPECT_LE(share.rows.last, size.height);
        // No share takes many more rows than its part of the picture. Each round has half of what is left.
        if (s > 0) {
          const int round = static_cast<int>(s - 1) / ranks;
          const int part = ranks << std::min(round + 1, rounds - 1);
          EXPECT_LE(share.rows.last - share.rows.first, size.height / part + highest_dealt + 5);
        }
      }
      EXPECT_LT(highest_dealt, lowest_kept);
      EXPECT_LE(2 * ranks * kept, plan.window_count);
      if (size.height > 400) {
        EXPECT_GT(highest_dealt, 0);
      }
      EXPECT_EQ(std::count(times.begin(), times.end(), 1), plan.window_count) << size.width << ", " << ranks;
    }
  }
}

TEST(SplitSieve, AnyNumberOfRanksSiftsAsOne) {
  const Cascade cascade = sample::square_finder();
  for (const int ranks : {1, 2, 3, 5}) {
    ReadyRanks others(ranks, sifting(cascade));
    SplitSieve split(others.root(), pipeline_for(cascade), cascade.window(), 1 + ranks % 4);
    // Sizes alternate, so that plans and pictures change. The second picture has gaps between its rows. The
    // last plan differs from the one before, for the same picture.
    for (int round = 0; round < 6; ++round) {
      const bool wide = round == 0 || round == 2;
      const GrayImage scene = squares(wide ? Size{381, 447} : Size{200, 700});
      GrayView view = scene.view();
      if (!wide) view.width -= 13;
      const LevelPlan plan = plan_for(view.size(), cascade, round < 5 ? 1.1 : 1.3);
      SieveResult wanted, got;
      make_sieve_ref(cascade)->run(view, plan, wanted);
      split.run(PictureView(view), plan, got);
      EXPECT_FALSE(wanted.survivors.empty());
      EXPECT_EQ(sample::difference(wanted, got), "") << ranks << " ranks, round " << round;
      EXPECT_EQ(wanted.weak, got.weak);
    }
  }
}

TEST(SplitWork, AnswersAsADetector) {
  const DetectorModel model = sample::square_finder();
  const GrayImage scene = squares({381, 447});
  Detector detector(model, {BackendKind::kCpu, 1});
  std::vector<DetectOptions> all(5);
  all[1].raw = true;
  all[2].region = {10, 20, 200, 300};
  all[3].border = 0.2;
  all[4].enlarge = 2;
  all[4].clip = false;
  all[4].min_score = -5;
  for (const DetectOptions& options : all) {
    ReadyRanks others(3, sifting(model));
    SplitWork work(others.root(), model, options, {BackendKind::kCpu, 1});
    ScanEvent event;
    event.picture.gray = scene.clone();
    ScanEvent* const frames[] = {&event};
    work.answer(frames);
    const Detections wanted = detector.detect(scene.view(), options);
    EXPECT_FALSE(wanted.objects.empty());
    EXPECT_EQ(event.found.objects, wanted.objects);
    EXPECT_TRUE(event.found.counters.same_answer(wanted.counters));
    EXPECT_EQ(event.found.backend, wanted.backend);
    EXPECT_EQ(event.found.picture, wanted.picture);
  }
}

TEST(SplitWork, WhatCannotBeDividedIsSaid) {
  const DetectorModel model = sample::square_finder();
  ReadyRanks others(2, sifting(model));
  EXPECT_THROW(SplitWork::check_model(DetectorModel::load("built-in:people")), Error);
  DetectOptions options;
  options.region = {500, 500, 40, 40};
  SplitWork work(others.root(), model, options, {BackendKind::kCpu, 1});
  ScanEvent event;
  event.picture.gray = squares({200, 300});
  ScanEvent* const frames[] = {&event};
  work.answer(frames);
  EXPECT_EQ(event.problem, "the region of interest lies outside the picture");
  event.sequence = true;
  EXPECT_THROW(work.answer(frames), Error) << "a frame of a video";
  options.region = {};
  options.scale_factor = 0.5;
  EXPECT_THROW(SplitWork(others.root(), model, options, {BackendKind::kCpu, 1}), Error);
}

// A pipeline that cannot sift.
class Broken final : public Pipeline {
 public:
  void search(std::span<const SearchJob>) override {}
  void enqueue(const SearchRequest&, const PictureView&, PictureSource) override {}
  void collect(Detections&) override {}
  void sift(const SearchRequest&, const PictureView&, PictureSource, SieveResult&) override {
    throw Error(ErrorCode::kDevice, "the device is broken");
  }
};

TEST(SplitSieve, AFailureOfARankIsThrown) {
  const Cascade cascade = sample::square_finder();
  const GrayImage scene = squares({381, 447});
  const LevelPlan plan = plan_for(scene.size(), cascade);
  SieveResult result;
  ReadyRanks others(3, [&](const Hello&) { return RankSift{std::make_unique<Broken>(), cascade.window()}; });
  SplitSieve split(others.root(), pipeline_for(cascade), cascade.window(), 2);
  for (int again = 0; again < 2; ++again) {
    try {
      split.run(PictureView(scene.view()), plan, result);
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kDevice);
      EXPECT_TRUE(error.sentence() == "rank 1: the device is broken" ||
                  error.sentence() == "rank 2: the device is broken")
          << error.sentence();
    }
  }
  ReadyRanks good(3, sifting(cascade));
  SplitSieve broken(good.root(), std::make_unique<Broken>(), cascade.window(), 1);
  EXPECT_THROW(broken.run(PictureView(scene.view()), plan, result), Error);
}

// Fails to send one message.
class FailingOnce final : public Transport {
 public:
  FailingOnce(Transport& other, int which) : Transport(0, other.ranks()), other_(other), left_(which) {}
  void wait(std::chrono::microseconds most) override { other_.wait(most); }
  void flush() override { other_.flush(); }

 protected:
  void post(int to, Message message) override {
    if (left_-- == 0) throw std::bad_alloc();
    other_.send(to, std::move(message));
  }
  bool take(int& from, Message& message) override { return other_.receive(from, message); }

 private:
  Transport& other_;
  int left_;
};

TEST(SplitSieve, AfterAnErrorTheNextPictureIsRight) {
  const Cascade cascade = sample::square_finder();
  const GrayImage first = squares({381, 447}), second = squares({300, 640});
  SieveResult wanted, got;
  const LevelPlan plan = plan_for(second.size(), cascade);
  make_sieve_ref(cascade)->run(second.view(), plan, wanted);
  for (int which = 0; which < 3; ++which) {
    ReadyRanks others(3, sifting(cascade));
    FailingOnce transport(others.root(), which);
    SplitSieve split(transport, pipeline_for(cascade), cascade.window(), 3);
    EXPECT_THROW(split.run(PictureView(first.view()), plan_for(first.size(), cascade), got), std::bad_alloc);
    split.run(PictureView(second.view()), plan, got);
    EXPECT_EQ(sample::difference(wanted, got), "") << which;
  }
}

// A rank that names a window which it was not given.
TEST(SplitSieve, AnswersThatCannotBeAreRefused) {
  const Cascade cascade = sample::square_finder();
  const GrayImage scene = squares({381, 447});
  const LevelPlan plan = plan_for(scene.size(), cascade);
  PostOffice office(2);
  const auto root = office.transport(0), other = office.transport(1);
  Sifted sifted;
  sifted.result.survivors = {{plan.window_count, 1.0}};
  for (int i = 0; i < 20; ++i) other->send(0, to_message(sifted));
  SplitSieve split(*root, pipeline_for(cascade), cascade.window(), 1);
  SieveResult result;
  EXPECT_THROW(split.run(PictureView(scene.view()), plan, result), Error);
}

TEST(SplitMessages, RowsThatCannotBeAreRefused) {
  const Cascade cascade = sample::square_finder();
  const Size size{381, 447};
  const std::vector<SplitShare> shares = split_shares(plan_for(size, cascade), size, cascade.window(), 3, 1);
  const PictureRows good{size, shares[1].rows, shares[1].part.windows};
  const auto rows = static_cast<std::size_t>(good.rows.last - good.rows.first);
  const std::vector<std::byte> pixels(rows * static_cast<std::size_t>(size.width));
  const auto is_refused = [&](const PictureRows& sent, std::size_t bytes) {
    try {
      const PictureRows read =
          read_rows(to_message(sent, {std::span(pixels).first(bytes), nullptr}), cascade.window());
      EXPECT_TRUE(same_levels(read.plan, sent.plan));
      EXPECT_EQ(read.rows, sent.rows);
      EXPECT_EQ(read.picture, sent.picture);
      return false;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kFormat);
      return true;
    }
  };
  EXPECT_FALSE(is_refused(good, pixels.size()));
  EXPECT_TRUE(is_refused(good, pixels.size() - 1));
  for (const auto change : std::vector<void (*)(PictureRows&)>{
           [](PictureRows& of) { of.rows.last = of.picture.height + 1; },
           [](PictureRows& of) { of.picture.width = -1; },
           [](PictureRows& of) { of.plan.levels.back().cols += 1; },
           [](PictureRows& of) { of.plan.levels.back().rows += 1000; },
           [](PictureRows& of) { of.plan.levels[0].corner.y = of.plan.levels[0].height; },
           [](PictureRows& of) { of.plan.levels[0].step = 0; },
           [](PictureRows& of) { of.plan.levels[1].first_window += 1; },
           [](PictureRows& of) { of.plan.levels[0].scale = 1.f / 0.f; },
           [](PictureRows& of) { of.plan.levels[0].corner.x = -1; }}) {
    PictureRows bad = good;
    change(bad);
    EXPECT_TRUE(is_refused(bad, pixels.size()));
  }
}

}  // namespace
}  // namespace winnow
