// Checks the state of a training of landmarks: files that are cut off or damaged, and files of a training
// with other options, faces or kind of model.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <span>

#include <winnow/error.h>
#include <winnow/train_hog.h>

#include "base/file.h"
#include "learn/samples_for_test.h"
#include "train/landmarks/made_faces_for_test.h"
#include "train/state_file.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;
using sample::bytes_of;
using sample::made_faces;

LandmarkOptions tiny_options() {
  LandmarkOptions options = sample::small_landmark_options();
  options.stages = 2;
  options.trees = 3;
  options.samples = 2;
  return options;
}

// A training that was stopped in its second stage.
class LandmarkCheckpoint : public testing::Test {
 protected:
  LandmarkCheckpoint() {
    run_.checkpoint = folder_.path();
    train_landmarks(made_faces().set, tiny_options(), run_,
                    [](const LandmarkStep& step) { return step.stage < 1; });
    whole_ = read_file(folder_.file("stage"), 1 << 30);
    run_.resume = true;
  }

  void write(std::span<const std::byte> bytes) { write_file(folder_.file("stage"), bytes); }

  // "done" if the training resumes and ends, "refused" for a damaged state, else the sentence of the error.
  std::string outcome(const FaceSet& faces, const LandmarkOptions& options) const {
    try {
      train_landmarks(faces, options, run_);
      return "done";
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kUsage) return error.sentence();
      // A model of another version, or with too many trees, may stand in a file whose checksum is right.
      const bool of_model = error.code() == ErrorCode::kUnsupported || error.code() == ErrorCode::kLimit;
      return error.code() == ErrorCode::kFormat || of_model ? "refused" : error.what();
    }
  }
  std::string outcome() const { return outcome(made_faces().set, tiny_options()); }

  TestFolder folder_;
  RunOptions run_ = sample::landmark_run(BackendKind::kCpu, 1);
  std::vector<std::byte> whole_;
};

TEST_F(LandmarkCheckpoint, CutOffAndDamagedFilesAreRefused) {
  std::mt19937 random(5);
  const std::size_t step = whole_.size() / 60;
  for (std::size_t length = 0; length < whole_.size(); length += length < 32 ? 1 : step) {
    write(std::span(whole_).first(length));
    ASSERT_EQ(outcome(), "refused") << length;
  }
  for (int i = 0; i < 60; ++i) {
    std::vector<std::byte> damaged = whole_;
    damaged[random() % damaged.size()] ^= static_cast<std::byte>(1 + random() % 255);
    write(damaged);
    ASSERT_EQ(outcome(), "refused") << i;
  }
  std::vector<std::byte> longer = whole_;
  longer.insert(longer.end(), 8, std::byte{0});
  write(longer);
  EXPECT_EQ(outcome(), "refused");
  const std::string text = "a file that somebody else put here, longer than a checksum";
  write(std::as_bytes(std::span(text)));
  EXPECT_EQ(outcome(), "refused");
  fs::remove(folder_.file("stage"));
  fs::create_directory(folder_.file("stage"));
  EXPECT_NE(outcome(), "done");
  fs::remove(folder_.file("stage"));
  write(whole_);
  EXPECT_EQ(outcome(), "done");
}

// The checksum of these files is right, so that the check of each number is reached.
TEST_F(LandmarkCheckpoint, WholeFilesThatMakeNoSenseAreRefused) {
  const auto words = [&](const std::vector<std::byte>& bytes) {
    std::vector<std::byte> list(bytes.begin(), bytes.end() - 8);
    return list;
  };
  const auto rewritten = [&](const std::function<void(std::vector<std::byte>&)>& change) {
    std::vector<std::byte> list = words(whole_);
    change(list);
    const std::uint64_t sum = hash_bytes(list);
    const auto tail = std::as_bytes(std::span(&sum, 1));
    list.insert(list.end(), tail.begin(), tail.end());
    write(list);
    return outcome();
  };
  EXPECT_EQ(rewritten([](auto&) {}), "done");
  write(whole_);
  EXPECT_EQ(rewritten([](auto& list) { list[0] ^= std::byte{1}; }), "refused") << "the kind of the file";
  EXPECT_NE(rewritten([](auto& list) { list[8] ^= std::byte{1}; }).find("another training"),
            std::string::npos);
  // Changes a byte of the model or of the numbers behind the model. The training must refuse the state or
  // resume, and never crash.
  std::mt19937 random(6);
  int refused = 0;
  for (int i = 0; i < 150; ++i) {
    const std::string said = rewritten([&](auto& list) {
      const std::size_t at = i < 40 ? 16 + static_cast<std::size_t>(i) : 16 + random() % (list.size() - 16);
      list[at] ^= static_cast<std::byte>(1 + random() % 255);
    });
    if (said == "refused") ++refused;
    ASSERT_TRUE(said == "refused" || said == "done") << said;
  }
  EXPECT_GT(refused, 40);
  EXPECT_EQ(rewritten([](auto& list) { list.resize(16); }), "refused");
  EXPECT_EQ(rewritten([](auto& list) { list.resize(list.size() - 8); }), "refused");
  // Writes `count` as the number of stages; the right number is 1. In the file, four numbers follow the
  // number of stages: three figures of the stage, and the training's seconds.
  const auto with_stages = [&](std::uint64_t count) {
    return rewritten(
        [&](auto& list) { std::memcpy(list.data() + list.size() - 5 * 8, &count, sizeof(count)); });
  };
  write(whole_);
  EXPECT_EQ(with_stages(1), "done");
  write(whole_);
  EXPECT_EQ(with_stages(0), "refused");
  EXPECT_EQ(with_stages(2), "refused");
  EXPECT_EQ(with_stages(~std::uint64_t{0}), "refused");
}

TEST_F(LandmarkCheckpoint, AnotherModelInsideIsRefused) {
  const auto with_model = [&](const std::function<void(LandmarkModel&)>& change) {
    write(whole_);
    StateReader in(folder_.file("stage"));
    StateWriter out;
    out.put(in.get<std::uint64_t>());
    out.put(in.get<std::uint64_t>());
    LandmarkModel model = Landmarks::parse(in.get_list<std::byte>(), "").model();
    change(model);
    out.put_list(Landmarks(model).to_bytes(LandmarkFormat::kWinnow));
    out.put(in.get<std::uint64_t>());
    for (int i = 0; i < 4; ++i) out.put(in.get<double>());
    out.write(folder_.file("stage"));
    return outcome();
  };
  EXPECT_EQ(with_model([](LandmarkModel&) {}), "done");
  EXPECT_EQ(with_model([](LandmarkModel& m) { m.mean[1].x += 0.01F; }), "refused");
  EXPECT_EQ(with_model([](LandmarkModel& m) { m.turned = false; }), "refused");
  EXPECT_EQ(with_model([](LandmarkModel& m) { m.detector = "people"; }), "refused");
  EXPECT_EQ(with_model([](LandmarkModel& m) { m.trees.pixels++, m.trees.pixel_list.emplace_back(); }),
            "refused");
  EXPECT_EQ(with_model([](LandmarkModel& m) {
              m.trees.trees = 2;
              m.trees.splits.resize(2 * m.trees.splits_per_tree());
              m.fixed_leaves.numbers.resize(2 * m.trees.leaves_per_tree() *
                                            static_cast<std::size_t>(m.fixed_leaves.values));
            }),
            "refused");
}

TEST_F(LandmarkCheckpoint, AnotherRuns) {
  const auto other = [&](const std::function<void(LandmarkOptions&)>& change) {
    LandmarkOptions options = tiny_options();
    change(options);
    return outcome(made_faces().set, options).find("another training") != std::string::npos;
  };
  using O = LandmarkOptions;
  EXPECT_TRUE(other([](O& o) { o.stages = 3; }));
  EXPECT_TRUE(other([](O& o) { o.trees = 4; }));
  EXPECT_TRUE(other([](O& o) { o.depth = 2; }));
  EXPECT_TRUE(other([](O& o) { o.pixels = 61; }));
  EXPECT_TRUE(other([](O& o) { o.splits = 11; }));
  EXPECT_TRUE(other([](O& o) { o.rate = 0.26; }));
  EXPECT_TRUE(other([](O& o) { o.calm = 4; }));
  EXPECT_TRUE(other([](O& o) { o.samples = 3; }));
  EXPECT_TRUE(other([](O& o) { o.mirror = false; }));
  EXPECT_TRUE(other([](O& o) { o.mirrored = {0, 1, 2, 3, 4}; }));
  EXPECT_TRUE(other([](O& o) { o.scale_jitter = 0.05; }));
  EXPECT_TRUE(other([](O& o) { o.move_jitter = 0.05; }));
  EXPECT_TRUE(other([](O& o) { o.mixed = 0.5; }));
  EXPECT_TRUE(other([](O& o) { o.first_radius = 0.31; }));
  EXPECT_TRUE(other([](O& o) { o.last_radius = 0.05; }));
  EXPECT_TRUE(other([](O& o) { o.first_closeness = 0.2; }));
  EXPECT_TRUE(other([](O& o) { o.last_closeness = 0.2; }));
  EXPECT_TRUE(other([](O& o) { o.basis = 0; }));
  EXPECT_TRUE(other([](O& o) { o.held_back = 0.2; }));
  const auto faces = [&](const std::function<void(FaceSet&)>& change) {
    FaceSet set = made_faces().set;
    change(set);
    return outcome(set, tiny_options()).find("another training") != std::string::npos;
  };
  EXPECT_TRUE(faces([](FaceSet& f) { f.hash ^= 1; }));
  EXPECT_TRUE(faces([](FaceSet& f) { f.faces[3].points[2].x += 1e-9; }));
  EXPECT_TRUE(faces([](FaceSet& f) { f.faces[3].box.y += 1; }));
  EXPECT_TRUE(faces([](FaceSet& f) { f.faces.pop_back(); }));
  run_.seed = 2;
  EXPECT_TRUE(other([](O&) {}));
  run_.seed = 1;
  EXPECT_EQ(read_file(folder_.file("stage"), 1 << 30), whole_) << "a refused training touches no state";
  LandmarkOptions more = tiny_options();
  more.confidence_trees = 9;
  EXPECT_EQ(outcome(made_faces().set, more), "done") << "the confidence is learned after the stages";
}

TEST_F(LandmarkCheckpoint, WithoutResumeAStateIsKept) {
  run_.resume = false;
  EXPECT_NE(outcome().find("holds the state of a training; resume it, or take another"), std::string::npos);
  EXPECT_EQ(read_file(folder_.file("stage"), 1 << 30), whole_);
  const TestFolder other;
  std::ofstream(other.file("file")) << "x";
  run_.checkpoint = other.file("file");
  EXPECT_NE(outcome().find("cannot be made"), std::string::npos);
}

TEST_F(LandmarkCheckpoint, TheStateOfAnotherKindOfTraining) {
  const TestFolder other;
  HogSvmOptions options;
  options.shape.window = {24, 24};
  options.rounds = 2;
  options.negatives = 50;
  RunOptions run = sample::landmark_run();
  run.checkpoint = other.path();
  train_hog_svm(sample::make_sample_pack({24, 24}, 20, 4, 3), options, run);
  ASSERT_TRUE(fs::exists(other.file("stage")));
  run_.checkpoint = other.path();
  EXPECT_EQ(outcome(), "refused");
  run.checkpoint = folder_.path();
  run.resume = true;
  EXPECT_THROW(train_hog_svm(sample::make_sample_pack({24, 24}, 20, 4, 3), options, run), Error);
}

TEST_F(LandmarkCheckpoint, AFullDiskKeepsTheOldState) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  fs::create_symlink("/dev/full", folder_.file("stage.part"));
  EXPECT_NE(outcome().find("stage: cannot write"), std::string::npos);
  EXPECT_EQ(read_file(folder_.file("stage"), 1 << 30), whole_);
}

}  // namespace
}  // namespace winnow
