// Tests files and checks of cascades of HOG blocks.
#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include <winnow/error.h>
#include <winnow/hog_cascade.h>

#include "model/hog_cascade_for_test.h"
#include "model/hog_cascade_model.h"
#include "model/hog_samples_for_test.h"

namespace winnow {
namespace {

TEST(HogCascadeFile, ReadsBackWhatItWrote) {
  for (HogCascadeModel model : sample::hog_cascades()) {
    model.card.source = "squares";
    model.notes = {"A note."};
    if (model.grid == 4) {
      model.mean.resize(static_cast<std::size_t>(model.window.width * model.window.height));
      std::iota(model.mean.begin(), model.mean.end(), std::uint8_t{3});
    }
    const HogCascade cascade(model);
    const std::vector<std::byte> bytes = cascade.to_bytes();
    const HogCascade again = HogCascade::parse(bytes, "file");
    EXPECT_TRUE(again.model().same_as(model));
    EXPECT_EQ(again.model().mean, model.mean);
    EXPECT_EQ(again.model().card.source, "squares");
    EXPECT_EQ(again.model().notes, model.notes);
    EXPECT_EQ(again.to_bytes(), bytes);
    const DetectorModel detector = DetectorModel::parse(bytes, "file");
    EXPECT_EQ(detector.kind(), "hog-cascade");
    EXPECT_EQ(detector.window(), model.window);
    ASSERT_TRUE(HogCascade::from(detector).has_value());
    EXPECT_TRUE(HogCascade::from(detector)->model().same_as(model));
    EXPECT_EQ(detector.plan_rules().step_unit, model.grid);
  }
}

TEST(HogCascadeFile, CutOffBytesAreRefused) {
  const std::vector<std::byte> bytes = HogCascade(sample::hog_cascade({20, 12}, 4, 4, 3, 1)).to_bytes();
  for (std::size_t size = 0; size < bytes.size(); size += 7) {
    try {
      HogCascade::parse({bytes.data(), size}, "part");
      // A FlatBuffer ends in padding, so a file that lacks only padding is still complete.
      EXPECT_GT(size + 16, bytes.size());
    } catch (const Error& error) {
      EXPECT_TRUE(error.code() == ErrorCode::kFormat || error.code() == ErrorCode::kUnsupported)
          << error.what();
    }
  }
}

TEST(HogCascadeFile, OtherKindsAreRefusedByName) {
  const auto refusal = [](auto work) -> std::string {
    try {
      work();
    } catch (const Error& error) {
      return error.sentence();
    }
    return "no error";
  };
  const std::vector<std::byte> svm = HogSvm(sample::hog_svm({}, 1)).to_bytes(HogFormat::kWinnow);
  EXPECT_EQ(refusal([&] { HogCascade::parse(svm, "x"); }),
            "this file holds a linear SVM over HOG, a cascade of HOG blocks is needed");
  const std::vector<std::byte> blocks = HogCascade(sample::hog_cascade({20, 12}, 4, 4, 3, 1)).to_bytes();
  EXPECT_EQ(refusal([&] { HogSvm::parse(blocks, "x"); }),
            "this file holds a cascade of HOG blocks, a linear SVM over HOG is needed");
  EXPECT_NE(refusal([&] { HogCascade::parse({}, "x"); }).find("a cascade of HOG blocks is a .winnow file"),
            std::string::npos);
  EXPECT_FALSE(HogCascade::from(HogSvm(sample::hog_svm({}, 1))).has_value());
}

TEST(HogCascadeCheck, SaysWhatIsWrong) {
  const auto with = [](auto change) -> std::string {
    HogCascadeModel model = sample::hog_cascade({64, 128}, 4, 8, 3, 1);
    change(model);
    try {
      check_hog_cascade(model);
    } catch (const Error& error) {
      return error.what();
    }
    return "good";
  };
  EXPECT_EQ(with([](auto&) {}), "good");
  EXPECT_EQ(with([](auto& m) { m.grid = 5; }), "the grid is 5 pixels, it must be 2, 4 or 8");
  EXPECT_EQ(with([](auto& m) { m.window.width = 66; }),
            "a window of 66x128 is not made of two or more steps of the grid");
  EXPECT_EQ(with([](auto& m) { m.step = 6; }), "windows must lie a multiple of the grid apart");
  EXPECT_EQ(with([](auto& m) { m.stages.clear(); }), "there are no stages");
  EXPECT_EQ(with([](auto& m) {
              m.stages[1].block = {15, 0, 1, 1};
            }),
            "stage 1: the block is outside the window");
  EXPECT_EQ(with([](auto& m) { m.stages[2].block.cell_width = 0; }),
            "stage 2: a cell must be as large as the grid or larger");
  EXPECT_EQ(with([](auto& m) {
              m.stages[0].weights[3] = 32767;
              m.stages[0].weights[4] = 32767;
            }),
            "stage 0: the weights are longer than 32767");
  EXPECT_NE(with([](auto& m) { m.stages[0].first = std::nanf(""); }).find("the table must begin"),
            std::string::npos);
  EXPECT_NE(with([](auto& m) { m.stages[0].bins_per_response = 0; }).find("the bins of a response"),
            std::string::npos);
  EXPECT_EQ(with([](auto& m) { m.zero = 1 << 30; }), "the zero of scores is too large");
  EXPECT_EQ(with([](auto& m) { m.mean.resize(8191); }),
            "the mean positive has 8191 pixels, the window has 8192");
}

}  // namespace
}  // namespace winnow
