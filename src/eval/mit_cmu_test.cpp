// Tests the number of faces that OpenCV's cascades find in the MIT+CMU frontal set, by the rule of this set.
// The test needs the data folder.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <winnow/detector.h>
#include <winnow/error.h>
#include <winnow/eval.h>
#include <winnow/truth.h>

namespace winnow {
namespace {

namespace fs = std::filesystem;

fs::path data_folder() {
  const char* set = std::getenv("WINNOW_DATA");
  return set != nullptr && *set != '\0' ? fs::path(set) : fs::path(WINNOW_SOURCE_DIR) / "../shared/data";
}

// The pictures of both subsets, and the two pictures that hold no face.
std::vector<LabelledPicture> read_set(const fs::path& folder) {
  std::vector<LabelledPicture> pictures;
  for (const char* subset : {"test", "test-low"}) {
    const Truth truth = read_truth((folder / subset / "groundtruth.txt").string());
    pictures.insert(pictures.end(), truth.pictures.begin(), truth.pictures.end());
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder / subset)) {
      const std::string name = entry.path().filename().string();
      const bool named = std::any_of(truth.pictures.begin(), truth.pictures.end(),
                                     [&](const LabelledPicture& picture) { return picture.name == name; });
      if (entry.path().extension() == ".png" && !named) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) pictures.push_back({(folder / subset / name).string(), name, {}});
  }
  return pictures;
}

struct Expected {
  const char* model;
  std::int64_t at_5, at_25;  // faces found, of 326, with at most 5 or 25 false positives
};

class MitCmu : public testing::TestWithParam<Expected> {};

TEST_P(MitCmu, FacesFound) {
  const fs::path folder = data_folder() / "faces/mit-cmu";
  if (!fs::is_directory(folder))
    GTEST_SKIP() << folder << " is not there (WINNOW_DATA names the data folder)";
  std::string model;
  try {
    model = resolve_model(GetParam().model);
  } catch (const Error&) {
    GTEST_SKIP() << GetParam().model << " is not installed (package opencv-data)";
  }
  Detector detector(Cascade::load(model), {BackendKind::kCpu, 0});
  const std::vector<LabelledPicture> pictures = read_set(folder);
  DetectOptions options;
  options.min_neighbors = 1;
  std::vector<std::vector<Detection>> found;
  for (const LabelledPicture& picture : pictures)
    found.push_back(detector.detect(read_picture(picture.path).gray.view(), options).objects);
  EvalRule rule;
  rule.match = MatchKind::kPoints;
  const Evaluation e = evaluate(pictures, found, rule);
  ASSERT_EQ(e.pictures, 65);
  ASSERT_EQ(e.labels, 326);
  EXPECT_DOUBLE_EQ(e.recall_at(5) * 326, static_cast<double>(GetParam().at_5));
  EXPECT_DOUBLE_EQ(e.recall_at(25) * 326, static_cast<double>(GetParam().at_25));
}

INSTANTIATE_TEST_SUITE_P(, MitCmu,
                         testing::Values(Expected{"face", 297, 307},
                                         Expected{"haarcascade_frontalface_alt", 281, 293},
                                         Expected{"haarcascade_frontalface_alt2", 273, 292},
                                         Expected{"haarcascade_frontalface_default", 243, 276},
                                         Expected{"lbpcascade_frontalface", 130, 230}),
                         [](const auto& each) { return std::string(each.param.model); });

}  // namespace
}  // namespace winnow
