// Divides the rows of windows of pictures into random parts, and compares the results of the parts with the
// result of the whole plan, for tests.
//
// In:     pipelines of one model, and a picture with a plan.
// Out:    the first difference, as an assertion result.
// Exact:  the same parts on every machine, from seeds. Nothing is compared with a tolerance.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backend/backend.h"
#include "base/shuffle.h"
#include "hog/blocks/block_steps.h"
#include "hog/hog_steps.h"
#include "hog/sieves_for_test.h"
#include "image/texture_for_test.h"
#include "model/hog_cascade_for_test.h"
#include "pipeline/pipeline.h"
#include "scale/plan_part.h"
#include "sieve/random_for_test.h"
#include "sieve/results_for_test.h"

namespace winnow::sample {

struct NamedPipeline {
  std::string name;
  std::unique_ptr<Pipeline> pipeline;
  int plans = 0;  // the number of plans that the pipeline was given
};
using Pipelines = std::vector<NamedPipeline>;
using MakePipelines = std::function<Pipelines(const DetectorModel&)>;

inline NamedPipeline pipeline_of(BackendKind backend, const DetectorModel& model, int threads = 1) {
  StepPlace place;
  place.threads = threads;
  return {std::string(backend_name(backend)) + ", threads: " + std::to_string(threads),
          make_pipeline(find_backend(backend), model, place)};
}

// For each backend that runs here and knows the model's kind, makes a pipeline with one thread, its clone for
// another thread, and a pipeline with three threads. A new backend is tested without new tests.
inline Pipelines pipelines_here(const DetectorModel& model) {
  Pipelines pipelines;
  for (const BackendTable& table : backend_tables()) {
    if (!table.why_not().empty() || steps_of(table, model.kind()) == nullptr) continue;
    pipelines.push_back(pipeline_of(table.kind, model));
    if (auto clone = pipelines.back().pipeline->clone_for_thread(); clone != nullptr)
      pipelines.push_back({std::string(table.name) + ", clone", std::move(clone)});
    if (table.threads(3) > 1) pipelines.push_back(pipeline_of(table.kind, model, 3));
  }
  return pipelines;
}

// A picture, its plan, and the options from which `request` makes a request.
struct Searched {
  PictureView picture;
  const LevelPlan& plan;
  double min_score;
  bool color = false;
  PictureSource source = {};

  SearchRequest request(int number) const {
    SearchRequest request{picture.size(), &plan, number, 3, min_score};
    request.color = color;
    return request;
  }
};

using RowsOfLevels = std::vector<RowRange>;  // for each level of a plan

// Parts that divide the rows of windows of a plan. Cuts lie anywhere. Equal cuts make empty ranges.
inline std::vector<RowsOfLevels> random_parts(Random& random, const LevelPlan& plan, int count) {
  std::vector<RowsOfLevels> parts(static_cast<std::size_t>(count));
  for (const Level& level : plan.levels) {
    std::vector<int> cuts{0, level.rows};
    for (int i = 1; i < count; ++i)
      cuts.push_back(random.chance(0.2) ? random.one_of(cuts) : random.below(level.rows + 1));
    std::sort(cuts.begin(), cuts.end());
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i].push_back({cuts[i], cuts[i + 1]});
  }
  return parts;
}

// All rows of the levels before `level`, and its first `rows` rows; with `after`, all other rows.
inline RowsOfLevels rows_up_to(const LevelPlan& plan, std::size_t level, int rows, bool after = false) {
  RowsOfLevels part;
  for (std::size_t l = 0; l < plan.levels.size(); ++l) {
    const int cut = l < level ? plan.levels[l].rows : l == level ? rows : 0;
    part.push_back(after ? RowRange{cut, plan.levels[l].rows} : RowRange{0, cut});
  }
  return part;
}

// Gives survivors of a part the numbers of the whole plan, in rising order.
inline std::vector<Survivor> in_plan(const PlanPart& part, std::vector<Survivor> survivors) {
  for (Survivor& survivor : survivors) {
    const auto level = static_cast<std::size_t>(place_window(part.windows, survivor.window).level);
    survivor.window += part.first_windows[level] - part.windows.levels[level].first_window;
  }
  return survivors;
}

inline void add_counters(const SieveResult& more, SieveResult& sum) {
  sum.windows += more.windows;
  sum.skipped += more.skipped;
  sum.flat += more.flat;
  sum.weak += more.weak;
  sum.reached.resize(std::max(sum.reached.size(), more.reached.size()));
  for (std::size_t s = 0; s < more.reached.size(); ++s) sum.reached[s] += more.reached[s];
}

// Searches the parts in a random order, some parts three times. Compares the joined results with `wanted`.
inline testing::AssertionResult parts_add_up(NamedPipeline& of, const Searched& searched,
                                             std::vector<RowsOfLevels> parts, const SieveResult& wanted,
                                             Random& random) {
  shuffle(parts, random);
  SieveResult sum, got;
  std::vector<Survivor> spare;
  PlanPart part;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string what = of.name + ", part " + std::to_string(i) + " of " + std::to_string(parts.size());
    cut_plan(searched.plan, parts[i], part);
    SearchRequest request = searched.request(++of.plans);
    request.plan = &part.windows;
    // The third time, a device runs the part as a graph.
    const int times = random.chance(0.2) ? 3 : 1;
    for (int time = 0; time < times; ++time) {
      const SieveResult before = std::exchange(got, {});
      of.pipeline->sift(request, searched.picture, searched.source, got);
      if (time == 0) continue;
      if (const std::string other = difference(before, got); !other.empty())
        return testing::AssertionFailure() << what << ", again: " << other;
    }
    if (got.windows != part.windows.window_count)
      return testing::AssertionFailure() << what << ": counts " << got.windows << " windows";
    if (got.reached.size() != wanted.reached.size())
      return testing::AssertionFailure() << what << ": counts " << got.reached.size() << " stages";
    for (std::size_t s = 1; s < got.survivors.size(); ++s) {
      if (got.survivors[s - 1].window >= got.survivors[s].window)
        return testing::AssertionFailure() << what << ": survivors do not rise";
    }
    const std::vector<Survivor> own = in_plan(part, got.survivors);
    sum.survivors.insert(sum.survivors.end(), own.begin(), own.end());
    add_counters(got, sum);
  }
  sort_survivors(sum.survivors, spare);
  sum.reached.resize(wanted.reached.size());
  if (const std::string what = difference(wanted, sum); !what.empty())
    return testing::AssertionFailure() << of.name << ", all parts: " << what;
  if (wanted.weak != sum.weak)
    return testing::AssertionFailure()
           << of.name << ", all parts: weak " << wanted.weak << ", got " << sum.weak;
  return testing::AssertionSuccess();
}

// Compares parts of one picture on all pipelines with the result of `reference` for the whole plan.
inline testing::AssertionResult parts_add_up(Sieve& reference, Pipelines& pipelines, const Searched& searched,
                                             Random& random, int count) {
  SieveResult wanted;
  reference.set_options({searched.min_score, false});
  reference.run(searched.picture, searched.plan, wanted);
  for (NamedPipeline& pipeline : pipelines) {
    const auto result =
        parts_add_up(pipeline, searched, random_parts(random, searched.plan, count), wanted, random);
    if (!result) return result;
  }
  return testing::AssertionSuccess();
}

// Makes the comparison `same` for the scenes of `sieve/scenes_for_test.h`.
inline auto cascade_ranges(const MakePipelines& make, std::uint64_t seed) {
  return [make, random = Random(seed)](const Cascade& cascade, const std::vector<GrayView>& pictures,
                                       double factor, Size min_size) mutable {
    Pipelines pipelines = make(cascade);
    const auto reference = make_sieve_ref(cascade);
    for (std::size_t i = 0; i < pictures.size(); ++i) {
      LevelPlan plan;
      plan_levels({pictures[i].size(), cascade.window(), factor, min_size, {}}, plan);
      // 1e9 is a least score, which cascades do not read.
      const auto result = parts_add_up(*reference, pipelines, {pictures[i], plan, 1e9}, random, 9);
      if (result) continue;
      return testing::AssertionFailure()
             << "picture " << i << " of " << pictures[i].width << "x" << pictures[i].height << ", factor "
             << factor << ", window " << cascade.window().width << "x" << cascade.window().height << ": "
             << result.message();
    }
    return testing::AssertionSuccess();
  };
}

// Compares parts with the whole plan for HOG SVMs of all `hog_shapes()`, on grey and colour pictures.
inline void hog_svm_ranges(const MakePipelines& make, std::uint64_t seed) {
  Random random(seed);
  std::uint64_t pictures = 40;
  for (const HogShape& shape : hog_shapes()) {
    const auto compare = [&](const DetectorModel& model, const PictureView& picture, const LevelPlan& plan) {
      const auto reference = make_hog_sieve_ref(model);
      Pipelines pipelines = make(model);
      const bool color = picture.color.data != nullptr;
      for (const double min_score : {-1e6, 0.})
        EXPECT_TRUE(parts_add_up(*reference, pipelines, {picture, plan, min_score, color}, random, 4));
    };
    each_wide_search(shape, {21, 13}, pictures, compare);
  }
}

inline void hog_cascade_ranges(const MakePipelines& make, std::uint64_t seed) {
  Random random(seed);
  for (const HogCascadeModel& model : hog_cascades()) {
    const DetectorModel detector = HogCascade(model);
    const auto reference = make_block_sieve_ref(detector);
    Pipelines pipelines = make(detector);
    for (const Size size : {model.window, Size{157, 203}, Size{model.window.width + 1, 131}}) {
      const GrayImage picture = texture(size.width, size.height, 3);
      for (const int step : {0, model.grid, 3 * model.grid}) {
        const LevelPlan plan = plan_of(detector, size, step);
        for (const double min_score : {-1e6, 0.})
          EXPECT_TRUE(parts_add_up(*reference, pipelines, {picture.view(), plan, min_score}, random, 9));
      }
    }
  }
}

}  // namespace winnow::sample
