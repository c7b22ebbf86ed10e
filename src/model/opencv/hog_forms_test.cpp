// Tests the forms of files that hold HOG SVMs: OpenCV's XML, YAML and JSON, and numbers alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "model/hog_samples_for_test.h"
#include "model/numbers.h"
#include "model/samples_for_test.h"

namespace winnow {
namespace {

using sample::hog_svms;
using sample::kHogJson;
using sample::kHogXml;
using sample::kHogYaml;
using sample::parse_hog;
using sample::replaced;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(HogForms, EachStorageGivesTheSameModel) {
  for (const std::string& text : {kHogXml, kHogYaml, kHogJson}) {
    const HogSvmModel model = parse_hog(text).model();
    EXPECT_EQ(model.weights, (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(model.bias, -9.5);
    EXPECT_EQ(model.shape, (HogShape{{16, 16}, {16, 16}, {8, 8}, {8, 8}, 2, false, true, 0, 0.2}));
    EXPECT_EQ(model.card.name, "sample");
    EXPECT_THAT(model.notes, testing::IsEmpty());
    const DetectorModel detector = DetectorModel::parse(std::as_bytes(std::span(text)), "people");
    EXPECT_EQ(detector.kind(), "hog-svm");
    EXPECT_EQ(detector.window(), (Size{16, 16}));
    EXPECT_TRUE(detector.reads_color());
    EXPECT_EQ(detector.cascade(), nullptr);
  }
}

TEST(HogForms, FieldsMayBeAsOpenCvReadsThem) {
  for (const auto& [text, without_bias, sigma, levels, more] :
       {std::array{kHogXml, std::string(" -9.5"), std::string("<winSigma>4."), std::string("<nlevels>64"),
                   std::string("</people>")},
        std::array{kHogYaml, std::string(", -9.5"), std::string("winSigma: 4."), std::string("nlevels: 64"),
                   std::string("-9.5 ]\n")}}) {
    EXPECT_EQ(parse_hog(replaced(text, without_bias, "")).model().bias, 0);
    const std::string number = sigma.substr(0, sigma.size() - 2);
    EXPECT_EQ(parse_hog(replaced(text, sigma, number + "-1.")).model().shape.sigma, 0);
    EXPECT_EQ(parse_hog(replaced(text, sigma, number + "2.1000000000000001")).model().shape.sigma, 2.1);
    EXPECT_THAT(parse_hog(replaced(text, levels, levels.substr(0, levels.size() - 2) + "13")).model().notes,
                ElementsAre("The file asks for at most 13 levels; Winnow takes 64."));
    const std::string other = text == kHogXml ? "</people><b>1</b>" : "-9.5 ]\nb: 1\n";
    EXPECT_THAT(parse_hog(replaced(text, more, other)).model().notes,
                ElementsAre("The file holds more than one thing; only the first was read, as OpenCV does."));
  }
  EXPECT_TRUE(parse_hog(replaced(kHogYaml, "signedGradient: 0", "signedGradient: 1")).model().shape.directed);
  EXPECT_FALSE(parse_hog(replaced(kHogYaml, "gammaCorrection: 1", "gammaCorrection: 0")).model().shape.gamma);
}

TEST(HogForms, YamlMayBeWrittenInOtherForms) {
  const HogSvmModel wanted = parse_hog(kHogYaml).model();
  const auto expect_same = [&](const std::string& text) {
    EXPECT_TRUE(parse_hog(text).model().same_as(wanted)) << text;
  };
  std::string windows = kHogYaml;
  for (std::size_t at = 0; (at = windows.find('\n', at)) != std::string::npos; at += 2)
    windows.insert(at, 1, '\r');
  expect_same(windows);
  expect_same("\xef\xbb\xbf" + kHogYaml);
  expect_same(replaced(kHogYaml, "%YAML:1.0\n", ""));
  expect_same(replaced(kHogYaml, "%YAML:1.0", "%YAML 1.1"));
  expect_same(replaced(kHogYaml, "[ 16, 16 ]", "\n      - 16\n      - 16"));
  expect_same(replaced(kHogYaml, "   nbins: 2", "   # bins\n   other: { a: [ 1, { b: 2 } ] }\n   nbins: 2"));
}

TEST(HogForms, XmlIsExact) {
  for (HogSvmModel model : hog_svms()) {
    model.card.source = "trained on a sunny day";
    model.card.terms = "Copyright: nobody\nFree for all";
    const std::vector<std::byte> bytes = HogSvm(model).to_bytes(HogFormat::kOpenCvXml);
    const HogSvmModel back = HogSvm::parse(bytes, "sample").model();
    EXPECT_TRUE(back.same_as(model));
    EXPECT_THAT(back.card.terms, HasSubstr("Copyright: nobody\nFree for all"));
    EXPECT_EQ(back.card.source, model.card.source);
    EXPECT_EQ(HogSvm(back).to_bytes(HogFormat::kOpenCvXml), bytes);
  }
}

TEST(HogForms, XmlHoldsAFloatForABias) {
  HogSvmModel model = hog_svms()[0];
  model.bias = 0.1;
  try {
    HogSvm(model).to_bytes(HogFormat::kOpenCvXml);
    ADD_FAILURE() << "was written";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    EXPECT_EQ(error.sentence(),
              "the bias 0.1 is no float, which is all that OpenCV's files hold; write it as .winnow, or "
              "round the bias first");
  }
}

std::string numbers(std::size_t count, const std::string& between, const std::string& after = "") {
  Random random(4);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    append_real(text, static_cast<float>(random.bell()));
    text += after + (i + 1 < count ? between : "");
  }
  return text;
}

TEST(HogForms, NumbersAloneHaveAKnownShape) {
  const HogSvmModel people = parse_hog(numbers(3781, ", ")).model();
  EXPECT_EQ(people.shape, HogShape());
  EXPECT_EQ(people.weights.size(), 3780u);
  EXPECT_NE(people.bias, 0);
  EXPECT_THAT(people.notes, ElementsAre("The numbers came without a shape; that of OpenCV's detector with a "
                                        "window of 64x128 was taken."));
  for (const std::string& text :
       {numbers(3781, "\n") + "\n", "[" + numbers(3781, ",\n ") + "]", "\xef\xbb\xbf" + numbers(3781, "\t"),
        "{ " + numbers(3781, ", ", "f") + " };\n", "[[" + numbers(3781, "], [") + "]]"}) {
    EXPECT_TRUE(parse_hog(text).model().same_as(people)) << text.substr(0, 60);
    EXPECT_EQ(DetectorModel::parse(std::as_bytes(std::span(text)), "x").kind(), "hog-svm");
  }
  const HogSvmModel no_bias = parse_hog(numbers(3780, " ")).model();
  EXPECT_EQ(no_bias.weights, people.weights);
  EXPECT_EQ(no_bias.bias, 0);
  EXPECT_EQ(no_bias.notes[0], "The numbers came without a bias; 0 was taken.");
  const HogSvmModel daimler = parse_hog(numbers(1981, " ")).model();
  EXPECT_EQ(daimler.shape.window, (Size{48, 96}));
  EXPECT_FALSE(daimler.shape.gamma);
  EXPECT_EQ(daimler.shape.values(), 1980u);
}

}  // namespace
}  // namespace winnow
