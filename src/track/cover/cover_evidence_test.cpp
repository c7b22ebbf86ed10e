// Tests `CoverPaths`: which covers the searches of a face stand for, and what is no face.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "track/cover/cover_paths_for_test.h"

namespace winnow {
namespace {

using namespace sample;

// A path of eleven frames in the middle of others. Searches found it in some of them.
std::vector<std::vector<CoverPaths::Given>> path_of(const CoverRules& rules, const std::vector<int>& searched,
                                                    bool likely) {
  CoverPaths paths(rules);
  int path = 0;
  for (int number = 0; number < 60; ++number) {
    paths.add_frame();
    const bool is_searched = std::find(searched.begin(), searched.end(), number) != searched.end();
    const RealBox all{90, 90, 60, 60};
    const CoverPaths::Place place{all, kBox, is_searched, likely};
    if (number == searched.front()) {
      path = paths.begin(1, place);
      for (int back = 1; back <= 15; ++back) paths.extend_back(path, number - back, place);
      paths.join(path);
    } else if (number > searched.front() && number <= searched.front() + 20) {
      paths.extend(path, place);
    } else if (number == searched.front() + 21) {
      paths.end(path);
    }
    paths.finish_frame();
  }
  return given_by(paths);
}

TEST(CoverPaths, WhatOneSearchFoundIsCoveredNearTheSearchWithoutItsPoints) {
  const CoverRules rules{30, 10, 0, 3};
  for (const auto& [searched, likely, before, after] :
       {std::tuple<std::vector<int>, bool, int, int>{{20}, true, 10, 10},
        {{20}, false, 5, 5},
        {{20, 21}, true, 10, 11},
        {{20, 22, 24}, true, 20, 30}}) {
    const auto frames = path_of(rules, searched, likely);
    for (int number = 0; number < 60; ++number) {
      const auto& boxes = frames[static_cast<std::size_t>(number)];
      ASSERT_EQ(!boxes.empty(), number >= 20 - before && number <= 20 + after)
          << number << " after " << searched.size() << " searches";
      if (boxes.empty() || before == 20) continue;
      EXPECT_EQ(boxes[0].box.width, 40);
      EXPECT_EQ(boxes[0].searches, static_cast<int>(searched.size()));
      EXPECT_EQ(boxes[0].reason, std::find(searched.begin(), searched.end(), number) != searched.end()
                                     ? CoverReason::kFound
                                     : CoverReason::kCarried);
    }
    if (before == 20) {
      EXPECT_EQ(frames[20][0].box.width, 60);
      EXPECT_EQ(frames[0][0].reason, CoverReason::kLingering);
    }
  }
}

TEST(CoverPaths, LiveAFaceThatIsNotSureKeepsAllItsCovers) {
  CoverRules rules{30, 4, 0, 3};
  rules.live = true;
  const auto frames = path_of(rules, {20}, false);
  for (int number = 0; number < 60; ++number) {
    const auto& boxes = frames[static_cast<std::size_t>(number)];
    ASSERT_EQ(!boxes.empty(), number >= 20 - 15 - 4 && number <= 20 + 20 + 4) << number;
    for (const CoverPaths::Given& box : boxes) EXPECT_GE(box.box.width, 60) << number;
  }
}

TEST(CoverPaths, AFollowedFaceIsNotJudgedSoonAfterItsFirstSearch) {
  for (const bool ends : {false, true}) {
    CoverRules rules{30, 2, 0, 3};
    rules.patience = 30;
    CoverPaths paths(rules);
    for (int number = 0; number <= 20; ++number) paths.add_frame();
    const int path = paths.begin(1, found(kBox));
    for (int back = 1; back <= 20; ++back) paths.extend_back(path, 20 - back, kBox);
    if (ends) paths.end(path);
    std::vector<CoverPaths::Given> boxes;
    paths.give(boxes);
    EXPECT_EQ(boxes.empty(), ends);
  }
}

TEST(CoverPaths, AFaceThatHoldsASurerFaceIsNoFace) {
  for (const auto& [side, searches, live, is_covered] :
       {std::tuple<double, int, bool, bool>{40, 9, false, false},
        {40, 8, false, true},
        {30, 9, false, true},
        {40, 9, true, true},
        {40, 8, true, true},
        {30, 9, true, true}}) {
    CoverRules rules{30, 0, 0, 3};
    rules.live = live;
    CoverPaths paths(rules);
    int face = 0, holder = 0;
    for (int number = 0; number < 40; ++number) {
      paths.add_frame();
      const CoverPaths::Place place{kBox, kBox, number < searches, true};
      if (number == 0) {
        face = paths.begin(1, place);
      } else {
        paths.extend(face, place);
      }
      const RealBox around{110 - side, 110 - side, 2.4 * side, 2.4 * side};
      if (number == 20) holder = paths.begin(2, found(around));
      if (number == 21) paths.extend(holder, found(around));
      if (number == 22) paths.end(holder);
      paths.finish_frame();
    }
    const auto frames = given_by(paths);
    EXPECT_EQ(frames[20].size(), is_covered ? 2U : 1U) << side << " " << searches << " " << live;
    EXPECT_EQ(frames[19].size(), 1U);
  }
}

// A face that is found in each of 80 frames, and a larger box from frame 40 on that searches find in some frames.
TEST(CoverPaths, WhatIsAroundAFaceOrItsChestIsNoFace) {
  const std::vector<int> often{40, 43, 46, 60, 79};
  for (const auto& [x, y, side, searched, live, is_covered] :
       {std::tuple<double, double, double, std::vector<int>, bool, bool>{70, 140, 100, often, false, false},
        {70, 90, 100, often, false, false},
        {70, 20, 100, often, false, false},
        {70, 140, 100, often, true, true},
        {70, 140, 80, often, false, true},   // not much larger than the face
        {70, 200, 100, often, false, true},  // too far below
        {70, 10, 100, often, false, true},   // the face is below the box
        {94, 90, 100, often, false, false},  // the face is at a quarter from the left
        {96, 90, 100, often, false, true},   // in the corner
        {70,
         140,
         100,
         {40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64, 79},
         false,
         true}}) {  // found more than a third as often
    CoverRules rules{30, 0, 0, 3};
    rules.live = live;
    CoverPaths paths(rules);
    int face = 0, larger = 0;
    const RealBox box{x, y, side, side};
    for (int number = 0; number < 80; ++number) {
      paths.add_frame();
      if (number == 0) {
        face = paths.begin(1, found(kBox));
      } else {
        paths.extend(face, found(kBox));
      }
      const bool is_found = std::find(searched.begin(), searched.end(), number) != searched.end();
      const CoverPaths::Place place{box, box, is_found, true};
      if (number == 40) {
        larger = paths.begin(2, place);
      } else if (number > 40) {
        paths.extend(larger, place);
      }
      paths.finish_frame();
    }
    const auto frames = given_by(paths);
    for (const int number : {40, 50, 79})
      EXPECT_EQ(frames[static_cast<std::size_t>(number)].size(), is_covered ? 2U : 1U)
          << number << " " << x << " " << y << " " << side << " " << live;
  }
}

// The larger box lies around the face in half of its searches only.
TEST(CoverPaths, AFaceThatPassesASmallerOneIsAFace) {
  for (const int beside : {2, 3}) {
    CoverPaths paths({30, 0, 0, 3});
    int face = 0, larger = 0;
    for (int number = 0; number < 60; ++number) {
      paths.add_frame();
      if (number == 0) {
        face = paths.begin(1, found(kBox));
      } else {
        paths.extend(face, found(kBox));
      }
      const RealBox box{number < 10 * beside ? 300.0 : 70.0, 90, 100, 100};
      const CoverPaths::Place place{box, box, number % 10 == 0, true};
      if (number == 0) {
        larger = paths.begin(2, place);
      } else if (number <= 50) {
        paths.extend(larger, place);
      }
      paths.finish_frame();
    }
    EXPECT_EQ(given_by(paths)[40].size(), beside == 3 ? 2U : 1U) << beside;
  }
}

}  // namespace
}  // namespace winnow
