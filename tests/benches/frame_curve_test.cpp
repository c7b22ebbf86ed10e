// Tests the curve of frame times: its settings, its table and its picture.
#include "follow/frame_curve.h"

#include <gtest/gtest.h>

#include <string>

namespace bench {
namespace {

winnow::GrayImage slope(int side) {
  winnow::GrayImage image(side, side);
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) image.row(y)[x] = static_cast<std::uint8_t>(100 + x + y);
  return image;
}

std::vector<FrameCurve> curves_of(winnow::GrayView face, const CurveRun& run) {
  return frame_curves(winnow::DetectorModel::load("built-in:face"),
                      winnow::Landmarks::load("built-in:face-68"), face, run);
}

const CurveRun kRun{{160, 120}, 15, {winnow::BackendKind::kCpu, 1, {0}}};

TEST(FrameCurve, HasATimeForEachFrameOfEachSetting) {
  const winnow::GrayImage picture = slope(24);
  const std::vector<FrameCurve> curves = curves_of(picture.view(), kRun);
  ASSERT_EQ(curves.size(), 3U);
  for (const FrameCurve& curve : curves) {
    EXPECT_EQ(curve.times.all().size(), 15U);
    EXPECT_EQ(curve.faces, 0) << "the slope is no face";
  }
  EXPECT_EQ(curves_of({}, kRun).size(), 1U) << "without a picture there is no setting with a face";
}

TEST(FrameCurve, TableHasAFigureOfTheThesisForEachSetting) {
  std::vector<FrameCurve> curves;
  for (const char* setting :
       {"no face", "a face, searched every frame", "a face, searched every 10th frame"}) {
    curves.push_back({setting, 1, FrameTimes()});
    for (int i = 1; i <= 20; ++i) curves.back().times.add(i);
  }
  const ResultList list = curve_results(curves, kRun, "cpu", "a command");
  EXPECT_EQ(list.name, "face_curve_cpu");
  ASSERT_EQ(list.rows.size(), 6U);
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_EQ(list.rows[i].size(), list.columns.size());
    ASSERT_EQ(list.rows[i + 3].size(), list.columns.size());
    EXPECT_EQ(list.rows[i][1], list.rows[i + 3][1]);
    EXPECT_EQ(list.rows[i][4], 10.5);
    EXPECT_EQ(list.rows[i][6], 19);
    EXPECT_EQ(list.rows[i][7], 20);
    EXPECT_NEAR(list.rows[i + 3][3].get<double>() * list.rows[i + 3][4].get<double>(), 1000, 1);
  }
}

TEST(FrameCurve, PictureHasACurveForEachSetting) {
  std::vector<FrameCurve> curves(2);
  for (FrameCurve& curve : curves)
    for (int i = 0; i < 15; ++i) curve.times.add(i);
  curves[0].setting = "one", curves[1].setting = "two";
  const std::string svg = curve_picture(curves, kRun);
  EXPECT_EQ(svg.find("<svg"), 0U);
  EXPECT_NE(svg.find(">one<"), std::string::npos);
  EXPECT_NE(svg.find(">two<"), std::string::npos);
  EXPECT_NE(svg.find("<rect"), std::string::npos);
}

}  // namespace
}  // namespace bench
