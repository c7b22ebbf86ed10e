// Tests `CoverPaths`: which frames are covered between two ends, and how the covers are stretched.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "base/real_box.h"
#include "track/cover/cover_paths_for_test.h"

namespace winnow {
namespace {

using namespace sample;

// The covers of two paths with `missing` frames between them. The second path begins at `second`.
std::vector<std::vector<RealBox>> gap_of(int missing, const CoverRules& rules, double second,
                                         int second_face) {
  CoverPaths paths(rules);
  int path = 0;
  for (int number = 0; number < 8; ++number) {
    paths.add_frame();
    if (number == 0) {
      path = paths.begin(1, found(at(100)));
      paths.join(path);
    } else {
      paths.extend(path, at(100 + 2 * number));
    }
    paths.finish_frame();
  }
  for (int number = 0; number < missing; ++number) {
    paths.add_frame();
    if (number == 0) paths.end(path);
    paths.finish_frame();
  }
  paths.add_frame();
  if (missing == 0) paths.end(path);
  paths.join(paths.begin(second_face, found(at(second))));
  paths.finish_frame();
  return all_of(paths);
}

TEST(CoverPaths, FillAGapBetweenTwoEnds) {
  for (const int face : {1, 2})
    for (const int linger : {0, 5}) {  // filled boxes replace lingering boxes
      const auto frames = gap_of(5, {10, linger}, 126, face);
      for (const auto& boxes : frames) ASSERT_EQ(boxes.size(), 1U);
      EXPECT_NEAR(middle_x(frames[10][0]), 140, 2) << "on the way from 114 to 126";
    }
}

TEST(CoverPaths, FillNoLongerGapAndNoOtherPlace) {
  for (const auto& [missing, second, face, filled] : {std::tuple<int, double, int, bool>{10, 130, 2, true},
                                                      {11, 130, 2, false},
                                                      {5, 400, 2, false},
                                                      {5, 400, 1, true}}) {
    const auto frames = gap_of(missing, {10, 0}, second, face);
    EXPECT_EQ(!frames[10].empty(), filled) << missing << " " << second << " " << face;
  }
}

TEST(CoverPaths, LingerAroundAnEnd) {
  const auto frames = gap_of(20, {10, 3}, 400, 2);
  for (int number = 0; number < 29; ++number) {
    const bool covered = number < 8 + 3 || number >= 28 - 3;
    EXPECT_EQ(!frames[static_cast<std::size_t>(number)].empty(), covered) << number;
  }
  EXPECT_GT(frames[10][0].width, 40 + 3 * 2) << "the face may have gone on";
}

TEST(CoverPaths, DoNotLingerOverACut) {
  for (const int cut : {0, 17, 18, 21, 22, 23}) {
    CoverPaths paths({30, 5});
    int path = 0;
    for (int number = 0; number < 40; ++number) {
      paths.add_frame();
      if (number == cut && cut > 0) paths.cut(cut);
      if (number == 20) paths.join(path = paths.begin(1, found(kBox)));
      if (number == 21) paths.linger(path, kBox);
      if (number == 22) paths.end(path);
      paths.finish_frame();
    }
    const auto frames = all_of(paths);
    const int first = cut == 17 || cut == 18 ? cut : 15, last = cut > 20 ? cut - 1 : 26;
    for (int number = 0; number < 40; ++number)
      EXPECT_EQ(!frames[static_cast<std::size_t>(number)].empty(), number >= first && number <= last)
          << number << " " << cut;
  }
}

TEST(CoverPaths, AnEndThatGoesOnStopsLingering) {
  CoverPaths paths({10, 5});
  paths.add_frame();
  const int path = paths.begin(1, found(kBox));
  paths.finish_frame();
  for (int number = 0; number < 4; ++number) {
    paths.add_frame();
    if (number == 0) paths.end(path);
    paths.finish_frame();
  }
  paths.add_frame();
  paths.extend(path, at(110));
  paths.finish_frame();
  const auto frames = all_of(paths);
  for (const auto& boxes : frames) EXPECT_EQ(boxes.size(), 1U);
}

TEST(CoverPaths, ABoxAtItsPlaceClosesAnEnd) {
  CoverPaths paths({10, 5});
  paths.add_frame();
  const int path = paths.begin(1, found(kBox));
  paths.end(path);
  std::vector<int> closed;
  paths.close(at(300), closed);
  EXPECT_TRUE(closed.empty());
  paths.close(at(105), closed);
  EXPECT_EQ(closed, std::vector<int>{path});
  paths.finish_frame();
  paths.add_frame();
  paths.finish_frame();
  EXPECT_TRUE(all_of(paths)[1].empty()) << "what took its place is covered instead";
}

TEST(CoverPaths, FramesThatPathsPassOverAreCovered) {
  CoverPaths paths({10, 0});
  for (int number = 0; number < 6; ++number) paths.add_frame();
  const int path = paths.begin(1, found(kBox));
  paths.extend_back(path, 4, at(90));
  paths.extend_back(path, 1, at(60));
  const auto frames = all_of(paths);
  EXPECT_TRUE(frames[0].empty());
  for (int number = 1; number < 6; ++number) ASSERT_EQ(frames[static_cast<std::size_t>(number)].size(), 1U);
  EXPECT_NEAR(middle_x(frames[2][0]), 90, 4);
}

TEST(CoverPaths, AnEndThatCarriesWronglyStillMeetsItsFace) {
  CoverPaths paths({10, 0});
  paths.add_frame();
  const int path = paths.begin(1, found(kBox));
  paths.add_frame();
  paths.end(path);
  paths.extend(path, at(300));  // carried to a wrong place
  paths.add_frame();
  paths.extend(path, at(310));
  const int again = paths.begin(1, found(at(104)));
  paths.extend_back(again, 1, at(102));
  EXPECT_FALSE(paths.meets_itself(again));
  paths.extend_back(again, 0, at(100));
  EXPECT_TRUE(paths.meets_itself(again)) << "it was followed in frame 0";
  EXPECT_TRUE(paths.can_join(again));
}

// A path begins long after another path ended, and is carried back to within the gap after that end. Without
// `remember`, the ended path is forgotten before the new path begins.
TEST(CoverPaths, RememberAnEndForABeginningThatIsCarriedBack) {
  for (const int remember : {0, 8}) {
    CoverPaths paths({4, 0, remember});
    for (int number = 0; number < 8; ++number) {
      paths.add_frame();
      if (number == 0) paths.end(paths.begin(1, found(kBox)));
      paths.finish_frame();
    }
    const int again = paths.begin(2, found(kBox));
    paths.extend_back(again, 4, kBox);
    EXPECT_EQ(paths.can_join(again), remember > 0);
    paths.join(again);
    EXPECT_EQ(all_of(paths)[2].empty(), remember == 0);
  }
}

TEST(CoverPaths, TwoPathsAtOnePlaceAreDoublesButThoseThatCrossAreNot) {
  for (const double speed : {0.0, 6.0}) {
    CoverPaths paths({30, 0});
    int still = 0;
    for (int number = 0; number < 40; ++number) {
      paths.add_frame();
      if (number == 0) {
        still = paths.begin(1, found(at(100)));
      } else {
        paths.extend(still, at(100));
      }
      paths.finish_frame();
    }
    const int other = paths.begin(2, found(at(100 + 12 * speed)));
    int doubles = 0;
    for (int back = 1; back < 40; ++back) {
      EXPECT_EQ(paths.doubles_another(other), speed == 0 && back >= 15) << back;
      doubles += paths.doubles_another(other) ? 1 : 0;
      paths.extend_back(other, 39 - back, at(100 + speed * (12 - back)));
    }
    EXPECT_EQ(doubles > 0, speed == 0);
  }
}

TEST(CoverPaths, LiveCoversAreWider) {
  for (const bool live : {false, true}) {
    CoverRules rules{30, 4};
    rules.live = live;
    CoverPaths paths(rules);
    int path = 0;
    for (int number = 0; number < 10; ++number) {
      paths.add_frame();
      if (number == 0) path = paths.begin(1, found(at(100)));
      if (number > 0 && number < 6) paths.extend(path, at(100 + 60 * number));
      if (number == 6) paths.end(path);
      paths.finish_frame();
    }
    const auto frames = all_of(paths);
    ASSERT_EQ(frames[9].size(), 1U);
    // Four frames after the last box: the stretch is at its most, and the spread is not.
    EXPECT_NEAR(frames[9][0].width, live ? 40 * 2.5 * 1.16 : 40 * 2 * 1.08, 1e-9);
  }
}

TEST(CoverPaths, JoinedPathsHaveOneNumberAndAllSearches) {
  CoverPaths paths({30, 0, 0, 2});
  for (int number = 0; number < 40; ++number) {
    paths.add_frame();
    if (number == 0) paths.end(paths.begin(1, found(kBox)));
    if (number == 20) paths.join(paths.begin(1, found(kBox)));
    paths.finish_frame();
  }
  const auto frames = given_by(paths);
  for (int number = 0; number <= 20; ++number) {
    const auto& boxes = frames[static_cast<std::size_t>(number)];
    ASSERT_EQ(boxes.size(), 1U) << number;
    EXPECT_EQ(boxes[0].path, 1);
    EXPECT_EQ(boxes[0].searches, 2);
    EXPECT_EQ(boxes[0].reason, number % 20 == 0 ? CoverReason::kFound : CoverReason::kJoined);
  }
}

TEST(CoverPaths, APathWhoseSpeedIsKnownLateLingersOnce) {
  CoverPaths paths({30, 5});
  int path = 0;
  for (int number = 0; number < 30; ++number) {
    paths.add_frame();
    if (number == 10) {
      path = paths.begin(1, found(at(100)));
      paths.join(path);
    } else if (number > 10) {
      paths.extend(path, at(100 + 4 * (number - 10)));
    }
    paths.finish_frame();
  }
  const auto frames = all_of(paths);
  for (std::size_t number = 5; number < 10; ++number) EXPECT_EQ(frames[number].size(), 1U) << number;
  EXPECT_LT(frames[5][0].x, 100 - 15);
}

}  // namespace
}  // namespace winnow
