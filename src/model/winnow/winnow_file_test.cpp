#include "model/winnow/winnow_file.h"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/samples_for_test.h"
#include "winnow_model_generated.h"

namespace winnow {
namespace {

using testing::HasSubstr;

Error refused(const std::vector<std::byte>& bytes) { return sample::refused(sample::text_of(bytes)); }

// A file whose counts and rules the test chooses. The lists are those of `sample::stumps`.
struct Stored {
  std::uint32_t version = 1;
  std::uint8_t flat = 0;
  bool with_rules = true;
  std::vector<stored::Stage> stages = {stored::Stage(1, 0.f), stored::Stage(3, 0.f)};
  std::vector<std::uint32_t> trees = {1, 1, 1, 1};

  std::vector<std::byte> bytes() const {
    const CascadeModel model = sample::stumps();
    flatbuffers::FlatBufferBuilder builder;
    std::vector<stored::Node> nodes;
    for (const TreeNode& node : model.nodes) nodes.emplace_back(node.left, node.right, 0, node.threshold);
    const stored::Rect rect(0, 0, 4, 4, 1.f);
    const std::array<stored::Rect, 3> rects = {rect, stored::Rect(), stored::Rect()};
    const std::vector<stored::HaarFeature> haar = {stored::HaarFeature(flatbuffers::make_span(rects), 0)};
    const auto rules = with_rules ? stored::CreateRules(builder, 0, 0, 0, flat, true, 1e-5f) : 0;
    const auto stages_at = builder.CreateVectorOfStructs(stages);
    const auto trees_at = builder.CreateVector(trees);
    const auto nodes_at = builder.CreateVectorOfStructs(nodes);
    const auto leaves_at = builder.CreateVector(model.leaves);
    const auto haar_at = builder.CreateVectorOfStructs(haar);
    stored::FinishCascadeBuffer(
        builder, stored::CreateCascade(builder, version, 0, 20, 20, stages_at, trees_at, nodes_at, leaves_at,
                                       0, haar_at, 0, rules));
    const auto view = std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
    return {view.begin(), view.end()};
  }
};

std::vector<CascadeModel> every_sample() {
  std::vector<CascadeModel> models = sample::all();
  for (const CascadeModel& model : sample::fixed_point()) models.push_back(model);
  return models;
}

std::uint32_t version_of(const std::vector<std::byte>& bytes) {
  return flatbuffers::GetRoot<stored::Head>(bytes.data())->version();
}

// Files have the oldest version that can express them, so that older readers can read as many files as
// possible.
TEST(WinnowFile, VersionIsAsOldAsCanBe) {
  for (const CascadeModel& model : sample::all()) EXPECT_EQ(version_of(write_winnow_file(model)), 1u);
  for (const CascadeModel& model : sample::fixed_point())
    EXPECT_EQ(version_of(write_winnow_file(model)), model.mixed() ? 3u : 2u);
}

TEST(WinnowFile, IsExact) {
  for (CascadeModel model : every_sample()) {
    model.card = {"a name", "face", "nobody\ntrained it", "none; \xc3\xbc"};
    model.notes = {"A note.", "Another one."};
    if (!model.fixed_point()) model.rules.threshold_slack = 0.25f;
    model.rules.skip_after_first_stage_reject = false;
    const CascadeModel back = Cascade::parse(write_winnow_file(model), "other").model();
    EXPECT_TRUE(back.same_as(model));
    EXPECT_EQ(back.card, model.card);
    EXPECT_EQ(back.notes, model.notes);
    EXPECT_EQ(write_winnow_file(back), write_winnow_file(model));
  }
}

TEST(WinnowFile, MayLieAnywhereInMemory) {
  const std::vector<std::byte> bytes = write_winnow_file(sample::trees());
  std::vector<std::byte> room(bytes.size() + 8);
  for (std::size_t shift = 0; shift < 8; ++shift) {
    std::memcpy(room.data() + shift, bytes.data(), bytes.size());
    EXPECT_TRUE(
        Cascade::parse(std::span(room).subspan(shift, bytes.size()), "x").model().same_as(sample::trees()))
        << shift;
  }
}

TEST(WinnowFile, CutOffFilesAreRefused) {
  std::vector<CascadeModel> models = sample::all();
  models.push_back(sample::mixed());
  for (const CascadeModel& model : models) {
    const std::vector<std::byte> bytes = write_winnow_file(model);
    for (std::size_t cut = 0; cut < 64; ++cut) {
      const Error error =
          refused({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() * cut / 64)});
      EXPECT_EQ(error.code(), ErrorCode::kFormat) << cut;
    }
  }
}

TEST(WinnowFile, NoBrokenByteDoesHarm) {
  // The file is read or refused, and a model that was read can be written.
  for (const CascadeModel& model : {sample::trees(), sample::lbp(), sample::mixed()}) {
    const sample::BrokenFiles files =
        sample::break_bytes(write_winnow_file(model), [](const std::vector<std::byte>& broken) {
          const Cascade cascade = Cascade::parse(broken, "broken");
          EXPECT_TRUE(Cascade::parse(cascade.to_bytes(CascadeFormat::kWinnow), "again")
                          .model()
                          .same_as(cascade.model()));
        });
    EXPECT_GT(files.taken, 0);
    EXPECT_GT(files.refused, 0);
  }
}

TEST(WinnowFile, NewerVersionsAreRefusedByName) {
  EXPECT_NO_THROW(Cascade::parse(Stored{}.bytes(), "x"));
  Stored newer;
  newer.version = 5;
  const Error error = refused(newer.bytes());
  EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  EXPECT_THAT(error.sentence(), HasSubstr("of version 5"));
  Stored none;
  none.version = 0;
  EXPECT_THAT(refused(none.bytes()).sentence(), HasSubstr("no version"));
}

TEST(WinnowFile, HugeCountsAreRefused) {
  Stored file;
  file.stages[1] = stored::Stage(0xffffffffu, 0.f);
  EXPECT_THAT(refused(file.bytes()).sentence(), HasSubstr("more than can be"));
  file.stages.assign(3000, stored::Stage(1'000'000, 0.f));
  EXPECT_THAT(refused(file.bytes()).sentence(), HasSubstr("more trees than can be"));
  file = {};
  file.trees[2] = 0x80000000u;
  EXPECT_THAT(refused(file.bytes()).sentence(), HasSubstr("more than can be"));
  file.trees[2] = 500'000;
  EXPECT_EQ(refused(file.bytes()).place(), "stage 1, tree 1");
  file.trees.assign(5000, 1'000'000);
  EXPECT_THAT(refused(file.bytes()).sentence(), HasSubstr("more nodes than can be"));
  file = {};
  file.stages[0] = stored::Stage(0, 0.f);
  EXPECT_EQ(refused(file.bytes()).place(), "stage 0");
}

TEST(WinnowFile, RulesMustBeKnown) {
  Stored file;
  file.flat = 200;
  EXPECT_EQ(refused(file.bytes()).code(), ErrorCode::kUnsupported);
  file = {};
  file.with_rules = false;
  EXPECT_THAT(refused(file.bytes()).sentence(), HasSubstr("does not say its rules"));
}

}  // namespace
}  // namespace winnow
