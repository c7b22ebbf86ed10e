// Tests the figures of TLD 1.0's published boxes, beside the marks of its authors. The test needs the data
// folder.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include <winnow/eval_tracking.h>

namespace winnow {
namespace {

namespace fs = std::filesystem;

fs::path tracks() {
  const char* set = std::getenv("WINNOW_DATA");
  const fs::path data =
      set != nullptr && *set != '\0' ? fs::path(set) : fs::path(WINNOW_SOURCE_DIR) / "../shared/data";
  return data / "tracks";
}

TrackingEvaluation judged(const std::string& sequence) {
  const fs::path folder = tracks() / sequence;
  return evaluate_tracking(read_box_track((folder / "gt.txt").string(), {.format = "tld"}),
                           read_box_track((folder / "TLD1.0.txt").string(), {.or_else = "tld"}));
}

TEST(PublishedTld, CarIsLostAndFoundAgain) {
  if (!fs::exists(tracks() / "car/TLD1.0.txt")) GTEST_SKIP() << "no data in " << tracks();
  const TrackingEvaluation car = judged("car");
  EXPECT_EQ(car.present, 859);
  EXPECT_EQ(car.absent, 85);
  EXPECT_EQ(car.boxes, 908);
  EXPECT_EQ(car.right, 833);
  EXPECT_NEAR(car.figures.auc, 0.6574, 5e-5);
  EXPECT_NEAR(car.figures.within[20], 0.9662, 5e-5);
  EXPECT_NEAR(car.figures.f, 0.9428, 5e-5);
  EXPECT_EQ(car.figures.lost_absent, 28. / 85);
}

// The tracker began with the torso, and the marks are of the whole body.
TEST(PublishedTld, PedestrianIsFollowedByTheTorso) {
  if (!fs::exists(tracks() / "pedestrian1/TLD1.0.txt")) GTEST_SKIP() << "no data in " << tracks();
  const TrackingEvaluation pedestrian = judged("pedestrian1");
  EXPECT_EQ(pedestrian.present, 139);
  EXPECT_NEAR(pedestrian.figures.auc, 0.4683, 5e-5);
  EXPECT_NEAR(pedestrian.figures.within[20], 0.7266, 5e-5);
  EXPECT_EQ(pedestrian.figures.f, 1);
}

}  // namespace
}  // namespace winnow
