#include "train/checkpoint.h"

#include <gtest/gtest.h>
#include <winnow/error.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <random>

#include "base/file.h"
#include "base/folder_for_test.h"
#include "learn/samples_for_test.h"

namespace winnow {
namespace {

CascadeOptions of_depth(int depth) {
  CascadeOptions options;
  options.depth = depth;
  return options;
}

namespace fs = std::filesystem;

constexpr std::uint64_t kRun = 77;

class CheckpointTest : public ::testing::Test {
 protected:
  std::string file(const char* name) const { return (folder_ / name).string(); }
  std::vector<std::byte> read(const char* name) const { return read_file(file(name), 1 << 30); }
  void write(const char* name, std::span<const std::byte> bytes) const {
    fs::remove(file(name));  // truncating and rewriting a file flushes it to the disk at once, which is slow
    std::ofstream out(file(name), std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), std::ssize(bytes));
  }

  const TestFolder own_;
  const fs::path folder_ = fs::path(own_.path()) / "state";
};

CascadeOptions small_options() {
  CascadeOptions options;
  options.negatives = 100;
  options.features_per_round = 200;
  options.form = StageOptions{.stages = 2};
  return options;
}

const Pack& small_pack() {
  static const Pack pack = sample::make_sample_pack({12, 12}, 30, 6, 1);
  return pack;
}

// No field has its default value, so that the test notices a field that is not saved.
StageStart full_start() {
  RunOptions run;
  run.machine = {BackendKind::kCpu, 1};
  StageStart start;
  start.model = train_cascade(small_pack(), small_options(), run).cascade.model();
  start.stage = static_cast<std::int32_t>(start.model.stages.size());
  for (int i = 0; i <= start.stage; ++i) {
    TrainedStage stage;
    stage.weak = 3 + i;
    stage.hit = 0.9 - 0.01 * i;
    stage.false_alarm = 0.4;
    stage.positives = 30;
    stage.negatives = 100;
    stage.carried_over = 17;
    stage.mined_windows = std::int64_t{1} << 40;
    stage.mining_seconds = 1.25;
    stage.boosting_seconds = 2.5;
    start.stages.push_back(stage);
  }
  start.rules = {{-1.5f, 2.f}, {0.25f, 0.f}};
  start.alive = {1, 0, 1};
  start.places = {{3, 2, std::int64_t{1} << 35}, {4, 1, 9}};
  start.pixels.assign(2 * 144, 0);
  for (std::size_t i = 0; i < start.pixels.size(); ++i) start.pixels[i] = static_cast<std::uint8_t>(i * 7);
  start.position = std::uint64_t{1} << 33;
  start.seconds = 12.5;
  return start;
}

std::vector<WeakTree> some_trees() {
  WeakTree stump{{{5, 100, {}, 0, -1}}, {-4096, 4096}};
  WeakTree deep{{{7, 0, {1, -2, 3, -4, 5, -6, 7, -8}, 1, -2}, {8, 3, {}, 0, -1}}, {-10, 20, 30}};
  return {stump, deep};
}

void expect_same(const StageStart& a, const StageStart& b) {
  EXPECT_EQ(a.stage, b.stage);
  EXPECT_TRUE(a.model.same_as(b.model));
  ASSERT_EQ(a.stages.size(), b.stages.size());
  for (std::size_t i = 0; i < a.stages.size(); ++i) {
    const TrainedStage &x = a.stages[i], &y = b.stages[i];
    EXPECT_EQ(x.weak, y.weak);
    EXPECT_EQ(x.hit, y.hit);
    EXPECT_EQ(x.false_alarm, y.false_alarm);
    EXPECT_EQ(x.positives, y.positives);
    EXPECT_EQ(x.negatives, y.negatives);
    EXPECT_EQ(x.carried_over, y.carried_over);
    EXPECT_EQ(x.mined_windows, y.mined_windows);
    EXPECT_EQ(x.mining_seconds, y.mining_seconds);
    EXPECT_EQ(x.boosting_seconds, y.boosting_seconds);
  }
  ASSERT_EQ(a.rules.size(), b.rules.size());
  for (std::size_t i = 0; i < a.rules.size(); ++i) {
    EXPECT_EQ(a.rules[i].low, b.rules[i].low);
    EXPECT_EQ(a.rules[i].per_unit, b.rules[i].per_unit);
  }
  EXPECT_EQ(a.alive, b.alive);
  EXPECT_EQ(a.places, b.places);
  EXPECT_EQ(a.pixels, b.pixels);
  EXPECT_EQ(a.position, b.position);
  EXPECT_EQ(a.seconds, b.seconds);
}

void expect_same(const std::vector<WeakTree>& a, const std::vector<WeakTree>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t t = 0; t < a.size(); ++t) {
    EXPECT_EQ(a[t].leaves, b[t].leaves);
    ASSERT_EQ(a[t].nodes.size(), b[t].nodes.size());
    for (std::size_t n = 0; n < a[t].nodes.size(); ++n) {
      const WeakNode &x = a[t].nodes[n], &y = b[t].nodes[n];
      EXPECT_EQ(x.feature, y.feature);
      EXPECT_EQ(x.last, y.last);
      EXPECT_EQ(x.subset, y.subset);
      EXPECT_EQ(x.left, y.left);
      EXPECT_EQ(x.right, y.right);
    }
  }
}

TEST_F(CheckpointTest, WhatIsSavedComesBack) {
  const Checkpoint checkpoint(folder_.string(), kRun);
  EXPECT_FALSE(checkpoint.has_start());
  EXPECT_FALSE(checkpoint.load_start().has_value());
  EXPECT_TRUE(checkpoint.load_trees(0).empty());
  const StageStart start = full_start();
  checkpoint.save(start);
  checkpoint.save(start.stage, some_trees());
  const Checkpoint again(folder_.string(), kRun);
  ASSERT_TRUE(again.has_start());
  expect_same(again.load_start().value(), start);
  expect_same(again.load_trees(start.stage), some_trees());
  EXPECT_TRUE(again.load_trees(start.stage + 1).empty()) << "of another stage";

  StageStart first;
  first.stages.emplace_back();
  first.alive = {1, 1};
  again.save(first);
  const StageStart back = again.load_start().value();
  EXPECT_EQ(back.stage, 0);
  EXPECT_TRUE(back.model.stages.empty());
  EXPECT_EQ(back.alive, first.alive);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 2)
      << "nothing beside the two files";
}

TEST_F(CheckpointTest, FitsWhatCanBeGoneOnWithOnly) {
  RunFeatures features;
  features.list = list_features(FeatureSet::kHaar, small_pack().window, 20, 1);
  features.compiled = bin_features(features.list);
  features.rules.assign(20, {0.f, 100.f});
  StageStart good = full_start();
  good.rules = features.rules;
  good.alive.assign(small_pack().positive_count(), 1);
  ASSERT_TRUE(fits(good, features, small_pack(), {}));
  const std::function<void(StageStart&)> spoil[] = {
      [](StageStart& s) { s.stage = -5; },
      [](StageStart& s) { ++s.stage; },
      [](StageStart& s) { s.stages.pop_back(); },
      [](StageStart& s) { s.model.window.width = 13; },
      [](StageStart& s) { s.model.kind = FeatureKind::kLbp; },
      [](StageStart& s) { s.rules.pop_back(); },
      [](StageStart& s) { s.rules.clear(); },
      [](StageStart& s) { s.rules[3].low = std::numeric_limits<float>::quiet_NaN(); },
      [](StageStart& s) { s.rules[3].per_unit = -1; },
      [](StageStart& s) { s.alive.push_back(1); },
      [](StageStart& s) { s.alive[2] = 2; },
      [](StageStart& s) { s.alive.assign(s.alive.size(), 0); },
      [](StageStart& s) { s.pixels.pop_back(); },
      [](StageStart& s) { s.places.clear(), s.pixels.clear(); },
      [](StageStart& s) { s.position = ~std::uint64_t{0}; },
  };
  for (std::size_t i = 0; i < std::size(spoil); ++i) {
    StageStart bad = good;
    spoil[i](bad);
    EXPECT_FALSE(fits(bad, features, small_pack(), CascadeOptions())) << i;
  }

  const WeakTree tree{{{5, 100, {}, 1, 0}, {8, 3, {}, -1, -2}}, {-4096, 4096, 1}};
  ASSERT_TRUE(fits(tree, features, of_depth(2)));
  EXPECT_FALSE(fits(tree, features, of_depth(1))) << "too deep";
  const std::function<void(WeakTree&)> spoil_tree[] = {
      [](WeakTree& t) { t.nodes[1].feature = 2'000'000'000; },
      [](WeakTree& t) { t.nodes[0].feature = -1; },
      [](WeakTree& t) { t.nodes[0].last = 255; },
      [](WeakTree& t) { t.nodes[0].left = 2; },
      [](WeakTree& t) { t.nodes[1].left = 1; },
      [](WeakTree& t) { t.nodes[1].right = -3; },
      [](WeakTree& t) { t.leaves.pop_back(); },
      [](WeakTree& t) { t.nodes.clear(); },
      [](WeakTree& t) { t.leaves[0] = 1 << 30; },
  };
  for (std::size_t i = 0; i < std::size(spoil_tree); ++i) {
    WeakTree bad = tree;
    spoil_tree[i](bad);
    EXPECT_FALSE(fits(bad, features, of_depth(2))) << i;
  }
  features.rules[8].per_unit = 0;
  EXPECT_FALSE(fits(tree, features, of_depth(2)))
      << "no threshold parts the bins of a feature that is always the same";
}

TEST_F(CheckpointTest, KeepsNothingWithoutAFolder) {
  const Checkpoint checkpoint("", kRun);
  checkpoint.save(StageStart{});
  checkpoint.save(0, some_trees());
  EXPECT_FALSE(checkpoint.on());
  EXPECT_FALSE(checkpoint.has_start());
  EXPECT_FALSE(checkpoint.load_start().has_value());
  EXPECT_TRUE(checkpoint.load_trees(0).empty());
}

// "read", "refused" for a damaged checkpoint, or the message of another error.
std::string outcome_of(const Checkpoint& checkpoint, bool trees, std::int32_t stage) {
  try {
    if (trees) return "read " + std::to_string(checkpoint.load_trees(stage).size());
    checkpoint.load_start();
    return "read";
  } catch (const Error& error) {
    return error.code() == ErrorCode::kFormat ? "refused" : error.what();
  }
}

TEST_F(CheckpointTest, CutOffAndDamagedFilesAreRefused) {
  const Checkpoint checkpoint(folder_.string(), kRun);
  const StageStart start = full_start();
  checkpoint.save(start);
  checkpoint.save(start.stage, some_trees());
  std::mt19937 random(5);
  for (const char* name : {"stage", "trees"}) {
    const bool trees = name[0] == 't';
    const std::vector<std::byte> whole = read(name);
    const std::size_t step = whole.size() > 1000 ? whole.size() / 400 : 1;
    for (std::size_t length = 0; length < whole.size(); length += length < 64 ? 1 : step) {
      write(name, std::span(whole).first(length));
      ASSERT_EQ(outcome_of(checkpoint, trees, start.stage), "refused") << name << " of " << length;
    }
    for (int i = 0; i < 500; ++i) {
      std::vector<std::byte> damaged = whole;
      for (unsigned k = 0; k <= random() % 3; ++k)
        damaged[random() % damaged.size()] ^= static_cast<std::byte>(1 + random() % 255);
      if (damaged == whole) continue;
      write(name, damaged);
      ASSERT_EQ(outcome_of(checkpoint, trees, start.stage), "refused") << name << ", damage " << i;
    }
    std::vector<std::byte> longer = whole;
    longer.insert(longer.end(), 8, std::byte{0});
    write(name, longer);
    EXPECT_EQ(outcome_of(checkpoint, trees, start.stage), "refused");
    const std::string text = "a file that somebody else put here, longer than a checksum";
    write(name, std::as_bytes(std::span(text)));
    EXPECT_EQ(outcome_of(checkpoint, trees, start.stage), "refused");
    write(name, whole);
  }
  expect_same(checkpoint.load_start().value(), start);
  fs::remove(file("stage"));
  fs::create_directory(file("stage"));
  EXPECT_THROW(checkpoint.load_start(), Error);
  fs::remove(file("stage"));
  fs::create_symlink(file("stage"), file("stage"));  // a loop: the system refuses to follow it
  EXPECT_THROW(checkpoint.has_start(), Error);
  EXPECT_THROW(checkpoint.load_start(), Error);
}

TEST_F(CheckpointTest, AnotherRuns) {
  const StageStart start = full_start();
  const Checkpoint own(folder_.string(), kRun), other(folder_.string(), kRun + 1);
  own.save(start);
  own.save(start.stage, some_trees());
  try {
    other.load_start();
    ADD_FAILURE() << "another's state was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_NE(std::string(error.what()).find("another training"), std::string::npos);
  }
  EXPECT_TRUE(other.load_trees(start.stage).empty());
}

TEST_F(CheckpointTest, TheFingerprintIsOfWhatChangesTheAnswer) {
  constexpr std::uint64_t kSeed = 1;
  const std::uint64_t own = fingerprint(small_pack(), small_options(), kSeed);
  const auto changed = [&](auto change) {
    CascadeOptions options = small_options();
    change(options);
    return fingerprint(small_pack(), options, kSeed) != own;
  };
  EXPECT_TRUE(changed([](CascadeOptions& o) { o.features = FeatureSet::kLbp; }));
  EXPECT_TRUE(changed([](CascadeOptions& o) { o.boost = BoostKind::kReal; }));
  EXPECT_TRUE(changed([](CascadeOptions& o) { o.form = StageOptions{.stages = 2, .min_hit = 0.99}; }));
  EXPECT_TRUE(changed([](CascadeOptions& o) { o.form = StageOptions{.stages = 2, .max_false = 0.4}; }));
  EXPECT_TRUE(changed([](CascadeOptions& o) { o.form = StageOptions{.stages = 2, .max_weak = 100}; }));
  EXPECT_TRUE(changed([](CascadeOptions& o) { o.depth = 2; }));
  EXPECT_TRUE(changed([](CascadeOptions& o) { o.negatives = 101; }));
  EXPECT_TRUE(changed([](CascadeOptions& o) { o.pool = 500; }));
  EXPECT_TRUE(changed([](CascadeOptions& o) { o.features_per_round = 0; }));
  EXPECT_NE(fingerprint(small_pack(), small_options(), 2), own);
  EXPECT_FALSE(changed([](CascadeOptions& o) { o.form = StageOptions{.stages = 30}; }))
      << "a training may become longer";
  Pack pack = small_pack();
  pack.names[0] = "another name";
  EXPECT_EQ(fingerprint(pack, small_options(), kSeed), own);
  pack.positives[100] ^= 1;
  EXPECT_NE(fingerprint(pack, small_options(), kSeed), own);
  pack = small_pack();
  pack.negatives[1].file.back() ^= std::byte{1};
  EXPECT_NE(fingerprint(pack, small_options(), kSeed), own);
  pack = small_pack();
  std::swap(pack.negatives[0], pack.negatives[1]);
  EXPECT_NE(fingerprint(pack, small_options(), kSeed), own);
}

TEST_F(CheckpointTest, AFolderThatCannotBeWrittenTo) {
  fs::create_directories(folder_);
  std::ofstream(file("file")) << "x";
  EXPECT_THROW(Checkpoint(file("file"), kRun), Error);
  const Checkpoint checkpoint(folder_.string(), kRun);
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  StageStart start;
  start.alive = {1, 1, 1};
  checkpoint.save(start);
  fs::create_symlink("/dev/full", file("stage.part"));
  start.alive = {0, 0, 0};
  EXPECT_THROW(checkpoint.save(start), Error);
  EXPECT_EQ(checkpoint.load_start().value().alive, (std::vector<std::uint8_t>{1, 1, 1}))
      << "the old one stays";
}

}  // namespace
}  // namespace winnow
