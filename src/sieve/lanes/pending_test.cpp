#include "sieve/lanes/pending.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include <winnow/cascade.h>

#include "scale/plan.h"
#include "sieve/cascades_for_test.h"
#include "sieve/lanes/sweep.h"
#include "sieve/random_for_test.h"

namespace winnow {
namespace {

LaneProgram program_for(Size window, bool tilted, int stages) {
  LaneProgram program;
  program.geometry.stride = strip_stride(window);
  program.geometry.patch_width = window.width + 1;
  program.geometry.patch_values = program.geometry.patch_width * (window.height + 1);
  program.tilted = tilted;
  program.shelves = true;
  program.stages.resize(static_cast<std::size_t>(stages));
  return program;
}

// The shelf holds copies of the corners of pending windows. While the strip moves on, all copies that packing
// reads stay the same.
TEST(Shelf, WindowsStayAsTheyWereWhileTheStripMovesOn) {
  for (const Size window : {Size{24, 24}, Size{31, 9}, Size{32, 33}, Size{90, 12}, Size{1, 1}}) {
    SCOPED_TRACE(testing::Message() << window.width << "x" << window.height);
    sample::Random random(7);
    const LaneProgram program = program_for(window, true, 3);
    const int height = window.height + 40;
    Strip strip({strip_stride(window), height + 1, true, false, true, Shelf::rows(program)});
    Shelf shelf(program, strip);
    ASSERT_EQ(shelf.room(), 2 * (kBundle - 1));
    const auto fill = [&] {
      std::vector<std::uint8_t> pixels(static_cast<std::size_t>(strip_stride(window)) + 64);
      while (strip.rows() <= height) {
        for (std::uint8_t& pixel : pixels) pixel = static_cast<std::uint8_t>(random.below(256));
        strip.add_row(pixels.data(), kStripWidth + window.width);
      }
    };
    const auto corners = [&](std::int32_t at) {
      std::vector<std::uint16_t> values;
      for (const std::uint16_t* plane : {strip.low(), strip.tilted_low()}) {
        for (int y = 0; y <= window.height; ++y) {
          for (int x = 0; x <= window.width; ++x) values.push_back(plane[at + y * strip.stride() + x]);
        }
      }
      return values;
    };
    strip.start(false);
    fill();
    std::vector<PendingWindow> pending;
    std::vector<std::vector<std::uint16_t>> wanted;
    while (shelf.room() > 0) {
      const int row = random.between(0, height - window.height), col = random.between(0, kStripWidth - 1);
      pending.push_back({row * strip.stride() + col, 1.f, 0, 0});
      wanted.push_back(corners(pending.back().at));
      shelf.put(strip, pending.back());
    }
    strip.drop_rows(window.height, kStripWidth);
    fill();
    strip.start(true);
    fill();
    for (std::size_t i = 0; i < pending.size(); ++i) {
      EXPECT_GE(pending[i].at, strip.shelf());
      EXPECT_EQ(corners(pending[i].at), wanted[i]) << i;
    }
  }
}

TEST(Shelf, PlacesAreGivenBack) {
  const LaneProgram program = program_for({24, 24}, false, 2);
  Strip strip({strip_stride({24, 24}), 40, true, false, false, Shelf::rows(program)});
  strip.start(false);
  Shelf shelf(program, strip);
  const int room = shelf.room();
  std::vector<PendingWindow> pending(static_cast<std::size_t>(room));
  std::set<std::int32_t> places;
  for (PendingWindow& window : pending) {
    shelf.put(strip, window);
    places.insert(window.at);
  }
  EXPECT_EQ(places.size(), pending.size());
  EXPECT_EQ(shelf.room(), 0);
  shelf.let_go(PendingWindow{});  // a window that was never on the shelf
  EXPECT_EQ(shelf.room(), 0);
  const std::int32_t given_back = pending[5].at;
  shelf.let_go(pending[5]);
  EXPECT_EQ(shelf.room(), 1);
  PendingWindow another{};
  shelf.put(strip, another);
  EXPECT_EQ(another.at, given_back);
  shelf.clear();
  EXPECT_EQ(shelf.room(), room);
}

// The shelf takes at most two megabytes, and has no places if no windows are ever pending.
TEST(Shelf, IsAsLargeAsItNeedBe) {
  EXPECT_EQ(Shelf::windows(program_for({24, 24}, false, 23)), 22 * (kBundle - 1));
  EXPECT_EQ(Shelf::windows(program_for({24, 24}, false, 5000)), (2 << 20) / (32 * 25 * 2));
  EXPECT_EQ(Shelf::windows(program_for({24, 24}, true, 5000)), (2 << 20) / (32 * 25 * 4));
  EXPECT_EQ(Shelf::windows(program_for({89, 89}, false, 23)), (2 << 20) / (96 * 90 * 2));
  EXPECT_EQ(Shelf::windows(program_for({24, 24}, false, 1)), 0);
  LaneProgram program = program_for({24, 24}, false, 23);
  program.shelves = false;
  EXPECT_EQ(Shelf::windows(program), 0);
  EXPECT_EQ(Shelf::rows(program), 0);
}

// Cascades with many features per stage, so that windows are packed. Some windows are pending when a level
// ends, but no window is pending when the picture ends.
TEST(Shelf, IsEmptyAfterAPicture) {
  int shelved = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    sample::Random random(seed);
    sample::Recipe recipe;
    recipe.window = {16, 16};
    recipe.stages = 8;
    recipe.running = recipe.tables = seed % 2 == 0;
    recipe.most_trees = 60;
    const GrayImage picture = sample::random_picture(random, {150, 220});
    const Cascade cascade(sample::random_cascade(random, recipe, picture.view()));
    LaneGeometry geometry;
    geometry.stride = strip_stride(recipe.window);
    geometry.patch_width = recipe.window.width + 1;
    geometry.patch_values = geometry.patch_width * (recipe.window.height + 1);
    geometry.bundle = kBundle;
    const LaneProgram program = make_lane_program(cascade.model(), geometry);
    SweepWorker worker(program, recipe.window);
    LevelPlan plan;
    plan_levels({picture.view().size(), recipe.window, 1.2, {}, {}}, plan);
    std::vector<ResizeColumns> columns(plan.levels.size());
    std::vector<SweepJob> jobs;
    for (std::size_t l = 0; l < plan.levels.size(); ++l) {
      const Level& level = plan.levels[l];
      make_columns(picture.width(), level.width, columns[l]);
      columns[l].same = level.width == picture.width() && level.height == picture.height();
      jobs.push_back({picture.view(), &cascade.model(), &program, &level, &columns[l], 0, level.rows});
      worker.skip_next.resize(std::max(worker.skip_next.size(), static_cast<std::size_t>(level.rows)));
    }
    for (int time = 0; time < 2; ++time) {
      worker.clear();
      for (const SweepJob& job : jobs) {
        sweep(job, worker);
        shelved += Shelf::windows(program) - worker.shelf.room();
      }
      finish_sweep(jobs.front(), worker);
      EXPECT_EQ(worker.shelf.room(), Shelf::windows(program));
      for (const PendingList& list : worker.pending) EXPECT_EQ(list.size(), 0);
    }
  }
  EXPECT_GT(shelved, 0);
}

}  // namespace
}  // namespace winnow
