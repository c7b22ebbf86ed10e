// Compares ranges of windows with whole searches, on the backends of the host.
#include <gtest/gtest.h>

#include <span>
#include <vector>

#include <winnow/error.h>

#include "backend/ranges_for_test.h"
#include "session/scene_for_test.h"

namespace winnow {
namespace {

using sample::pipeline_of;
using sample::Pipelines;
using sample::Searched;

// Every range of a picture with few windows. The counters of a range are the sums of the counters of its
// windows.
TEST(RangeSearch, EveryRangeOfASmallPicture) {
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
  Pipelines pipelines;
  pipelines.push_back(pipeline_of(BackendKind::kReference, cascade));
  pipelines.push_back(pipeline_of(BackendKind::kCpu, cascade));
  pipelines.push_back(pipeline_of(BackendKind::kCpu, cascade, 3));
  for (sample::NamedPipeline& of : pipelines) {
    const SearchRequest request = Searched{picture, plan, 0}.request(1);
    std::vector<SieveResult> each(static_cast<std::size_t>(plan.window_count));
    for (std::int64_t i = 0; i < plan.window_count; ++i)
      of.pipeline->sift(request, picture, {}, {i, i + 1}, each[static_cast<std::size_t>(i)]);
    for (std::int64_t first = 0; first <= plan.window_count; ++first) {
      SieveResult sum, got;
      sum.reached.assign(whole.reached.size(), 0);
      for (std::int64_t last = first;; ++last) {
        of.pipeline->sift(request, picture, {}, {first, last}, got);
        ASSERT_EQ(sample::difference(sum, got), "") << of.name << ", windows " << first << " to " << last;
        ASSERT_EQ(sum.weak, got.weak);
        if (last == plan.window_count) break;
        const SieveResult& next = each[static_cast<std::size_t>(last)];
        sample::add_counters(next, sum);
        sum.survivors.insert(sum.survivors.end(), next.survivors.begin(), next.survivors.end());
      }
      if (first == 0) {
        EXPECT_EQ(sample::difference(whole, sum), "");
      }
    }
  }
}

// Joined survivors, merged on the host, are the objects of a search.
TEST(RangeSearch, JoinedSurvivorsGiveTheObjects) {
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
      const std::int64_t third = plan.window_count / 3;
      for (const WindowRange range :
           {WindowRange{0, third}, WindowRange{third, third}, WindowRange{third, plan.window_count}}) {
        pipeline->sift(request, picture, {}, range, part);
        joined.insert(joined.end(), part.survivors.begin(), part.survivors.end());
      }
      std::vector<Candidate> candidates;
      candidates_of(plan, joined, candidates);
      Merger(find_backend(backend).merge).merge(candidates, request, got);
      EXPECT_EQ(wanted.objects, got.objects);
    }
  }
}

TEST(RangeSearch, NonsenseIsRefused) {
  const Cascade cascade = sample::square_finder();
  const GrayImage scene = sample::make_scene({60, 50}, {});
  LevelPlan plan;
  plan_levels({scene.size(), cascade.window(), 1.1, {}, {}}, plan);
  const SearchRequest request{scene.size(), &plan, 1, 3, 0};
  const auto pipeline = pipeline_of(BackendKind::kCpu, cascade).pipeline;
  SieveResult result;
  const auto is_refused = [&](WindowRange range, PictureSource source) {
    try {
      pipeline->sift(request, scene.view(), source, range, result);
    } catch (const Error& error) {
      return error.code() == ErrorCode::kUsage;
    }
    return false;
  };
  for (const WindowRange range :
       {WindowRange{-1, 3}, WindowRange{5, 4}, WindowRange{0, plan.window_count + 1},
        WindowRange{plan.window_count + 1, plan.window_count + 1}})
    EXPECT_TRUE(is_refused(range, {})) << range.first << " to " << range.last;
  EXPECT_TRUE(is_refused({0, 9}, {0, nullptr})) << "a picture on a device";
  EXPECT_FALSE(is_refused({0, 9}, {}));
}

}  // namespace
}  // namespace winnow
