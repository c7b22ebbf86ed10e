// Compares parts of plans with whole searches, on the backends of the host.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <winnow/error.h>

#include "backend/ranges_for_test.h"
#include "scale/share.h"
#include "session/scene_for_test.h"

namespace winnow {
namespace {

using sample::pipeline_of;
using sample::Pipelines;
using sample::Searched;

// Every range of rows of a picture with few windows. The counters of a range are the sums of the counters of
// its rows.
TEST(PartSearch, EveryRangeOfASmallPicture) {
  const GrayImage scene = sample::make_scene({50, 28}, {{1, 1, 26, 26}});
  const Cascade cascade = sample::square_finder();
  LevelPlan plan;
  plan_levels({scene.size(), cascade.window(), 1.1, {}, {}}, plan);
  const PictureView picture = scene.view();
  SieveResult whole;
  make_sieve_ref(cascade)->run(picture, plan, whole);
  EXPECT_GT(whole.windows, 20);
  EXPECT_GT(whole.skipped, 1);
  EXPECT_GT(whole.survivors.size(), 1u);
  std::vector<std::pair<std::size_t, int>> rows;  // a level and a row of it
  for (std::size_t l = 0; l < plan.levels.size(); ++l)
    for (int row = 0; row < plan.levels[l].rows; ++row) rows.emplace_back(l, row);
  Pipelines pipelines;
  pipelines.push_back(pipeline_of(BackendKind::kReference, cascade));
  pipelines.push_back(pipeline_of(BackendKind::kCpu, cascade));
  pipelines.push_back(pipeline_of(BackendKind::kCpu, cascade, 3));
  for (sample::NamedPipeline& of : pipelines) {
    // Sifts rows `first` to `last` - 1 of the list.
    const auto sifted = [&](std::size_t first, std::size_t last) {
      sample::RowsOfLevels part(plan.levels.size());
      for (std::size_t i = first; i < last; ++i) {
        RowRange& range = part[rows[i].first];
        if (range.first >= range.last) range.first = rows[i].second;
        range.last = rows[i].second + 1;
      }
      PlanPart cut;
      cut_plan(plan, part, cut);
      SearchRequest request = Searched{picture, plan, 0}.request(++of.plans);
      request.plan = &cut.windows;
      SieveResult result;
      of.pipeline->sift(request, picture, {}, result);
      result.survivors = sample::in_plan(cut, result.survivors);
      return result;
    };
    std::vector<SieveResult> each;
    for (std::size_t i = 0; i < rows.size(); ++i) each.push_back(sifted(i, i + 1));
    for (std::size_t first = 0; first <= rows.size(); ++first) {
      SieveResult sum;
      sum.reached.assign(whole.reached.size(), 0);
      for (std::size_t last = first;; ++last) {
        const SieveResult got = sifted(first, last);
        ASSERT_EQ(sample::difference(sum, got), "") << of.name << ", rows " << first << " to " << last;
        ASSERT_EQ(sum.weak, got.weak);
        if (last == rows.size()) break;
        sample::add_counters(each[last], sum);
        sum.survivors.insert(sum.survivors.end(), each[last].survivors.begin(), each[last].survivors.end());
      }
      if (first == 0) {
        EXPECT_EQ(sample::difference(whole, sum), "");
      }
    }
  }
}

// Pixels that no window of a part covers may be anything.
TEST(PartSearch, OtherRowsMayBeAnything) {
  const GrayImage scene = sample::make_scene({181, 147}, {{20, 30, 36, 36}, {60, 50, 80, 80}});
  const Cascade cascade = sample::square_finder();
  LevelPlan plan;
  plan_levels({scene.size(), cascade.window(), 1.1, {}, {}}, plan);
  sample::Random random(3);
  for (const BackendKind backend : {BackendKind::kReference, BackendKind::kCpu}) {
    sample::NamedPipeline of = pipeline_of(backend, cascade);
    PlanPart part;
    for (const sample::RowsOfLevels& rows : sample::random_parts(random, plan, 4)) {
      cut_plan(plan, rows, part);
      RowRange covered{scene.view().height, 0};
      for (const Level& level : part.windows.levels) {
        const RowRange source =
            source_rows(level, pixel_rows(level, {0, level.rows}, cascade.window()), scene.view().height);
        covered = {std::min(covered.first, source.first), std::max(covered.last, source.last)};
      }
      GrayImage other = scene.clone();
      for (int y = 0; y < scene.view().height; ++y) {
        if (y >= covered.first && y < covered.last) continue;
        for (int x = 0; x < scene.view().width; ++x)
          other.row(y)[x] = static_cast<std::uint8_t>(random.below(256));
      }
      SearchRequest request = Searched{scene.view(), plan, 0}.request(++of.plans);
      request.plan = &part.windows;
      SieveResult wanted, got;
      of.pipeline->sift(request, scene.view(), {}, wanted);
      of.pipeline->sift(request, std::as_const(other).view(), {}, got);
      EXPECT_EQ(sample::difference(wanted, got), "") << of.name;
    }
  }
}

// Joined survivors, merged on the host, are the objects of a search.
TEST(PartSearch, JoinedSurvivorsGiveTheObjects) {
  const Cascade cascade = sample::square_finder();
  const GrayImage scene = sample::make_scene({181, 147}, {{20, 30, 36, 36}, {60, 50, 80, 80}});
  const PictureView picture = scene.view();
  LevelPlan plan;
  plan_levels({scene.size(), cascade.window(), 1.1, {}, {}}, plan);
  SearchRequest request{scene.size(), &plan, 1, 3, 1.8};
  for (const Merge merge : {Merge::kGroups, Merge::kMeanShift, Merge::kSupport}) {
    request.merge = merge;
    for (const BackendKind backend : {BackendKind::kReference, BackendKind::kCpu}) {
      const auto pipeline = pipeline_of(backend, cascade).pipeline;
      Detections wanted, got;
      const SearchJob job{request, {&picture, 1}, wanted};
      pipeline->search({&job, 1});
      EXPECT_FALSE(wanted.objects.empty());
      std::vector<Survivor> joined;
      SieveResult part;
      const std::size_t level = 1;
      const int cut = plan.levels[level].rows / 3;
      for (const bool after : {false, true}) {
        PlanPart rows;
        cut_plan(plan, sample::rows_up_to(plan, level, cut, after), rows);
        SearchRequest of_part = request;
        of_part.plan = &rows.windows;
        of_part.plan_number = after ? 3 : 2;
        pipeline->sift(of_part, picture, {}, part);
        const std::vector<Survivor> own = sample::in_plan(rows, part.survivors);
        joined.insert(joined.end(), own.begin(), own.end());
      }
      std::vector<Survivor> spare;
      sort_survivors(joined, spare);
      std::vector<Candidate> candidates;
      candidates_of(plan, joined, candidates);
      Merger(find_backend(backend).merge).merge(candidates, request, got);
      EXPECT_EQ(wanted.objects, got.objects);
    }
  }
}

TEST(PartSearch, AHostRefusesPicturesOnADevice) {
  const Cascade cascade = sample::square_finder();
  const GrayImage scene = sample::make_scene({60, 50}, {});
  LevelPlan plan;
  plan_levels({scene.size(), cascade.window(), 1.1, {}, {}}, plan);
  const SearchRequest request{scene.size(), &plan, 1, 3, 0};
  const auto pipeline = pipeline_of(BackendKind::kCpu, cascade).pipeline;
  SieveResult result;
  EXPECT_THROW(pipeline->sift(request, scene.view(), {0, nullptr}, result), Error);
  EXPECT_NO_THROW(pipeline->sift(request, scene.view(), {}, result));
}

}  // namespace
}  // namespace winnow
