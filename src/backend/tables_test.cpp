// Tests every table in the list of backends, so that a new backend is tested as soon as it is listed. Each
// table must give the results of `reference`: objects, merges, and the steps of training.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <winnow/error.h>

#include "backend/backend.h"
#include "backend/ranges_for_test.h"
#include "backend/training.h"
#include "group/candidates_for_test.h"
#include "hog/blocks/lesson_for_test.h"
#include "hog/sieves_for_test.h"
#include "image/texture_for_test.h"
#include "learn/steps.h"
#include "learn/tables_for_test.h"
#include "model/hog_cascade_for_test.h"
#include "model/hog_cascade_model.h"
#include "model/model_kinds.h"
#include "sieve/scenes_for_test.h"

namespace winnow {
namespace {

std::vector<const BackendTable*> tables_here() {
  std::vector<const BackendTable*> here;
  for (const BackendTable& table : backend_tables()) {
    if (table.why_not().empty()) here.push_back(&table);
  }
  return here;
}

TEST(Tables, AreWholeAndHaveNamesOfTheirOwn) {
  std::set<std::string> names;
  std::set<BackendKind> kinds;
  const std::vector<BackendInfo> listed = list_backends();
  ASSERT_EQ(listed.size(), backend_tables().size());
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const BackendTable& table = backend_tables()[i];
    SCOPED_TRACE(table.name);
    EXPECT_EQ(listed[i].kind, table.kind);
    EXPECT_EQ(listed[i].available, table.why_not().empty());
    EXPECT_FALSE(listed[i].detail.empty());
    EXPECT_TRUE(names.insert(table.name).second);
    EXPECT_TRUE(kinds.insert(table.kind).second);
    EXPECT_NE(table.kind, BackendKind::kAuto);
    EXPECT_EQ(parse_backend(table.name), table.kind);
    EXPECT_STREQ(backend_name(table.kind), table.name);
    if (!table.why_not().empty()) {
      EXPECT_THROW(find_backend(table.kind), Error);
      continue;
    }
    ASSERT_TRUE(table.built);
    EXPECT_GE(table.threads(0), 1);
    EXPECT_GE(table.workers(table.threads(0)), 1);
    EXPECT_LE(table.workers(table.threads(0)), table.threads(0));
    EXPECT_GE(table.pictures_at_once(table.threads(0)), 1);
    ASSERT_NE(table.merge.group, nullptr);
    ASSERT_NE(table.merge.mean_shift, nullptr);
    EXPECT_FALSE(table.kinds.empty());
    for (const KindSteps& steps : table.kinds) EXPECT_NE(steps.make_sieve, nullptr) << steps.kind;
  }
  EXPECT_EQ(find_backend(BackendKind::kAuto).kind, tables_here().front()->kind);
  EXPECT_THROW(parse_backend("abacus"), Error);
}

// Searches one picture on every pipeline with several merge rules.
class Searches {
 public:
  Searches(const DetectorModel& model)
      : pipelines_(sample::pipelines_here(model)),
        reference_(sample::pipeline_of(BackendKind::kReference, model)) {}

  testing::AssertionResult same(const sample::Searched& searched) {
    struct Setting {
      int neighbors, margin;
      Merge merge;
      bool clip;
    };
    for (const Setting setting : {Setting{3, 0, Merge::kGroups, true}, Setting{1, 6, Merge::kGroups, false},
                                  Setting{0, 3, Merge::kGroups, true}, Setting{0, 0, Merge::kMeanShift, true},
                                  Setting{1, 4, Merge::kSupport, true}}) {
      if (setting.merge == Merge::kMeanShift && raw_ > 300) continue;  // mean shift would compare all pairs
      SearchRequest request = searched.request(++reference_.plans);
      request.min_neighbors = setting.neighbors;
      request.margin = setting.margin;
      request.merge = setting.merge;
      request.clip = setting.clip;
      Detections wanted;
      const SearchJob job{request, {&searched.picture, 1}, wanted, searched.source};
      reference_.pipeline->search({&job, 1});
      objects += wanted.objects.size();
      if (setting.neighbors == 0 && setting.merge == Merge::kGroups) raw_ = wanted.objects.size();
      for (sample::NamedPipeline& of : pipelines_) {
        Detections got;
        const SearchJob mine{request, {&searched.picture, 1}, got, searched.source};
        of.pipeline->search({&mine, 1});
        if (got.objects != wanted.objects || !got.counters.same_answer(wanted.counters))
          return testing::AssertionFailure() << of.name << ": " << got.objects.size() << " objects, not "
                                             << wanted.objects.size() << ", or others, or other counters; "
                                             << setting.neighbors << " neighbours, margin " << setting.margin;
      }
    }
    return testing::AssertionSuccess();
  }

  std::size_t objects = 0;

 private:
  sample::Pipelines pipelines_;
  sample::NamedPipeline reference_;
  std::size_t raw_ = 0;  // the last picture's number of candidates, before merging
};

auto cascade_searches(std::size_t& objects) {
  return [&objects](const Cascade& cascade, const std::vector<GrayView>& pictures, double factor,
                    Size min_size) {
    Searches searches(cascade);
    for (const GrayView& picture : pictures) {
      LevelPlan plan;
      plan_levels({picture.size(), cascade.window(), factor, min_size, {}}, plan);
      if (const auto result = searches.same({picture, plan, -1e9}); !result) return result;
    }
    objects += searches.objects;
    return testing::AssertionSuccess();
  };
}

TEST(Tables, EachFindsTheObjectsOfTheReference) {
  std::size_t objects = 0;
  for (std::uint64_t seed = 101; seed <= 130; ++seed) {
    sample::random_scene(
        seed,
        [](sample::Random& random, Size window) {
          return Size{window.width + random.between(0, 120), window.height + random.between(0, 90)};
        },
        cascade_searches(objects));
    if (HasFatalFailure()) return;
  }
  sample::soft_cascades(2, cascade_searches(objects));
  sample::every_kind_of_fixed_point(14, {12, 12}, cascade_searches(objects));
  sample::many_trees(2, cascade_searches(objects));
  sample::many_grids(2, cascade_searches(objects));
  sample::large_windows(2, 60, cascade_searches(objects));
  sample::odd_sizes(cascade_searches(objects));
  EXPECT_GT(objects, 1000u);
}

TEST(Tables, EachFindsTheObjectsOfTheReferenceWithHog) {
  std::uint64_t seed = 90;
  std::size_t objects = 0;
  for (const HogShape& shape : sample::hog_shapes()) {
    sample::each_wide_search(
        shape, {21, 13}, seed,
        [&](const DetectorModel& model, const PictureView& picture, const LevelPlan& plan) {
          Searches searches(model);
          EXPECT_TRUE(searches.same({picture, plan, 0., picture.color.data != nullptr}));
          objects += searches.objects;
        });
  }
  EXPECT_GT(objects, 100u);
  objects = 0;
  for (const HogCascadeModel& model : sample::hog_cascades()) {
    const DetectorModel detector = HogCascade(model);
    Searches searches(detector);
    const GrayImage picture = sample::texture(157, 203, 3);
    const LevelPlan plan = sample::plan_of(detector, {157, 203}, 0);
    for (const double min_score : {-1e6, 0.}) EXPECT_TRUE(searches.same({picture.view(), plan, min_score}));
    objects += searches.objects;
  }
  EXPECT_GT(objects, 100u);
}

TEST(Tables, EachMergesAsTheReference) {
  const MergeSteps reference = find_backend(BackendKind::kReference).merge;
  for (const BackendTable* table : tables_here()) {
    SCOPED_TRACE(table->name);
    GroupScratch wanted_scratch, scratch;
    ShiftScratch wanted_shift, shift;
    std::vector<Candidate> wanted, got;
    for (unsigned seed = 0; seed < 120; ++seed) {
      SCOPED_TRACE(seed);
      std::mt19937 random(seed);
      const std::vector<Candidate> list = sample::random_candidates(
          random, seed % 40 == 7 ? 2500 : static_cast<int>(seed % 10 < 3 ? seed % 10 : random() % 300));
      const int neighbors = static_cast<int>(random() % 4);
      wanted_scratch.mean = scratch.mean = seed % 2 == 0 ? MeanRule::kFloat : MeanRule::kDouble;
      reference.group(list, neighbors, kGroupEps, wanted_scratch, wanted);
      table->merge.group(list, neighbors, kGroupEps, scratch, got);
      ASSERT_EQ(got, wanted);
      if (list.size() > 1000) continue;  // the reference takes time in n squared
      const WeightRule weight = seed % 2 == 0 ? WeightRule::kEqual : WeightRule::kScore;
      reference.mean_shift(list, weight, neighbors - 1, wanted_shift, wanted);
      table->merge.mean_shift(list, weight, neighbors - 1, shift, got);
      ASSERT_EQ(got, wanted);
    }
  }
}

TEST(Tables, EachTrainsCascadesAsTheReference) {
  const auto& reference = find_training<TrainSteps>(BackendKind::kReference, kCascadeKind);
  const Size window{12, 13};
  for (const BackendTable* table : tables_here()) {
    SCOPED_TRACE(table->name);
    const auto& steps = find_training<TrainSteps>(table->kind, kCascadeKind);
    for (const FeatureSet set : {FeatureSet::kHaarTilted, FeatureSet::kLbp}) {
      RunFeatures features = sample::features_of(set, window);
      const SamplePlanes planes = sample::planes_of(features, 700, 200);
      RunFeatures own = features;
      choose_rules(reference, planes, 1, WeakKind::kTree, features);
      choose_rules(steps, planes, 1, WeakKind::kTree, own);
      ASSERT_EQ(own.rules.size(), features.rules.size());
      std::vector<std::uint8_t> wanted(kSampleChunk), got(kSampleChunk);
      for (std::size_t f = 0; f < features.compiled.size(); f += 7) {
        for (std::size_t chunk = 0; chunk < planes.chunks(); ++chunk) {
          reference.bin_chunk(features.compiled[f], features.rules[f], planes, chunk, wanted.data());
          steps.bin_chunk(own.compiled[f], own.rules[f], planes, chunk, got.data());
          ASSERT_EQ(got, wanted) << "feature " << f << ", block " << chunk;
        }
      }
      const TableRequest request{&features, &planes, 200, std::int64_t{1} << 30, 1, 0, WeakKind::kTree};
      const auto table_of_reference = reference.make_table(request), own_table = steps.make_table(request);
      sample::expect_splits(*own_table, *table_of_reference, features.list.size(), 700, 5);
    }
  }
}

TEST(Tables, EachTrainsBlocksAsTheReference) {
  const sample::Lesson lesson(4, 70, 1500);
  for (const BackendTable* table : tables_here()) {
    SCOPED_TRACE(table->name);
    const auto& steps = find_training<BlockSteps>(table->kind, kHogCascadeKind);
    lesson.expect_reference(*steps.make_learner(lesson.samples, lesson.blocks, 2, 0));
  }
}

TEST(Tables, TrainingThatIsNotThereIsRefused) {
  EXPECT_THROW(find_training<BlockSteps>(BackendKind::kCpu, kCascadeKind), Error);
  EXPECT_THROW(find_training<TrainSteps>(BackendKind::kCpu, "no such kind"), Error);
  EXPECT_NO_THROW(find_training<TrainSteps>(BackendKind::kAuto, kCascadeKind));
}

}  // namespace
}  // namespace winnow
