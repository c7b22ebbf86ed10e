#include <winnow/cascade.h>

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace winnow {
namespace {

namespace fs = std::filesystem;

// The files of the package opencv-data, if it is installed. Their contents are known.
struct Installed {
  const char* path;
  Size window;
  std::size_t stages, trees, nodes, features;
};

class InstalledCascades : public testing::TestWithParam<Installed> {};

TEST_P(InstalledCascades, AreReadAndWrittenBack) {
  const Installed& expected = GetParam();
  const std::string path = std::string("/usr/share/opencv4/") + expected.path + ".xml";
  if (!fs::exists(path)) GTEST_SKIP() << path << " is not installed";
  const Cascade cascade = Cascade::load(path);
  const CascadeModel& model = cascade.model();
  EXPECT_EQ(model.card.name, fs::path(path).stem().string());
  EXPECT_EQ(model.window, expected.window);
  EXPECT_EQ(model.stages.size(), expected.stages);
  EXPECT_EQ(model.trees.size(), expected.trees);
  EXPECT_EQ(model.nodes.size(), expected.nodes);
  EXPECT_EQ(model.haar.size() + model.lbp.size(), expected.features);
  EXPECT_TRUE(model.notes.empty());
  for (const CascadeFormat format : {CascadeFormat::kOpenCvXml, CascadeFormat::kWinnow}) {
    const Cascade back = Cascade::parse(cascade.to_bytes(format), cascade.name());
    EXPECT_TRUE(back.model().same_as(model)) << cascade_format_name(format);
    EXPECT_EQ(back.model().card, model.card) << cascade_format_name(format);
  }
  if (model.kind == FeatureKind::kHaar) {
    const std::vector<std::byte> old = cascade.to_bytes(CascadeFormat::kOpenCvOldXml);
    EXPECT_EQ(Cascade::parse(old, cascade.name()).to_bytes(CascadeFormat::kOpenCvOldXml), old);
  }
}

INSTANTIATE_TEST_SUITE_P(
    OpenCvData, InstalledCascades,
    testing::Values(
        Installed{"haarcascades/haarcascade_eye", {20, 20}, 24, 1066, 1066, 1066},
        Installed{"haarcascades/haarcascade_eye_tree_eyeglasses", {20, 20}, 30, 851, 2553, 2553},
        Installed{"haarcascades/haarcascade_frontalcatface", {24, 24}, 20, 1275, 1275, 1056},
        Installed{"haarcascades/haarcascade_frontalcatface_extended", {24, 24}, 20, 1184, 1184, 997},
        Installed{"haarcascades/haarcascade_frontalface_alt", {20, 20}, 22, 2135, 2135, 2135},
        Installed{"haarcascades/haarcascade_frontalface_alt2", {20, 20}, 20, 1047, 2094, 2094},
        Installed{"haarcascades/haarcascade_frontalface_alt_tree", {20, 20}, 47, 8468, 8468, 8468},
        Installed{"haarcascades/haarcascade_frontalface_default", {24, 24}, 25, 2913, 2913, 2913},
        Installed{"haarcascades/haarcascade_fullbody", {14, 28}, 30, 1464, 1464, 1464},
        Installed{"haarcascades/haarcascade_lefteye_2splits", {20, 20}, 20, 366, 732, 732},
        Installed{"haarcascades/haarcascade_licence_plate_rus_16stages", {64, 16}, 16, 91, 91, 91},
        Installed{"haarcascades/haarcascade_lowerbody", {19, 23}, 27, 1221, 1221, 1221},
        Installed{"haarcascades/haarcascade_profileface", {20, 20}, 26, 2609, 2609, 2609},
        Installed{"haarcascades/haarcascade_righteye_2splits", {20, 20}, 20, 368, 736, 736},
        Installed{"haarcascades/haarcascade_russian_plate_number", {60, 20}, 20, 212, 212, 208},
        Installed{"haarcascades/haarcascade_smile", {36, 18}, 20, 569, 569, 569},
        Installed{"haarcascades/haarcascade_upperbody", {22, 18}, 30, 2423, 2423, 2423},
        Installed{"lbpcascades/lbpcascade_frontalcatface", {24, 24}, 20, 419, 419, 353},
        Installed{"lbpcascades/lbpcascade_frontalface", {24, 24}, 20, 139, 139, 136},
        Installed{"lbpcascades/lbpcascade_frontalface_improved", {45, 45}, 19, 149, 149, 142},
        Installed{"lbpcascades/lbpcascade_profileface", {20, 34}, 16, 130, 130, 129},
        Installed{"lbpcascades/lbpcascade_silverware", {12, 80}, 16, 130, 130, 130}),
    [](const testing::TestParamInfo<Installed>& cascade) {
      return fs::path(cascade.param.path).filename().string();
    });

}  // namespace
}  // namespace winnow
