// Tests which XML texts are refused, and the words of the errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/opencv/opencv_xml_for_test.h"
#include "model/samples_for_test.h"

namespace winnow {
namespace {

using sample::kNewText;
using sample::kOldText;
using sample::parse;
using sample::refused;
using sample::with;
using testing::HasSubstr;

constexpr CascadeFormat kNew = CascadeFormat::kOpenCvXml;

void expect_refused(const std::string& text, const std::string& place, const std::string& words,
                    ErrorCode code = ErrorCode::kFormat) {
  const Error error = refused(text);
  EXPECT_THAT(error.place(), HasSubstr(place)) << error.what();
  EXPECT_THAT(error.sentence(), HasSubstr(words));
  EXPECT_EQ(error.code(), code) << error.what();
  EXPECT_EQ(error.file(), "sample");
}

TEST(OpenCvXml, WhatIsMissingIsNamed) {
  expect_refused(with(kNewText, "<width>+24.</width>", ""), "line 7", "<width> is missing");
  expect_refused(with(kNewText, "<stageThreshold>-1.4562760591506958e+00</stageThreshold>", ""), "line 18",
                 "<stageThreshold> is missing");
  expect_refused(with(kNewText, "<featureType>HAAR</featureType>", ""), "line 7", "<featureType> is missing");
  expect_refused(with(kOldText, "<threshold>.5</threshold>", ""), "line 25", "<threshold> is missing");
  expect_refused(with(kOldText, "<left_val>2.5e-1</left_val>", ""), "line 25",
                 "neither <left_val> nor <left_node>");
  expect_refused(with(kOldText, "<stage_threshold>-2.0683259963989258e+000</stage_threshold>", ""), "line 8",
                 "<stage_threshold> is missing");
  std::string text = kNewText;
  text.erase(text.find("  <features>"), text.find("</cascade>") - text.find("  <features>"));
  expect_refused(text, "line 7", "<features> is missing");
  text = kNewText;
  text.erase(text.find("  <stages>"), text.find("  <features>") - text.find("  <stages>"));
  expect_refused(text, "line 7", "<stages> is missing");
  expect_refused("<?xml version=\"1.0\"?><opencv_storage></opencv_storage>", "line 1", "is empty");
  expect_refused("<opencv_storage><a><b>1</b></a></opencv_storage>", "line 1", "holds no cascade");
  expect_refused("<opencv_storage><a><stages></stages><size>20 20</size></a></opencv_storage>", "line 1",
                 "no stages");
  expect_refused("<svg></svg>", "line 1", "<opencv_storage>");
}

TEST(OpenCvXml, WhatIsThereTwiceIsRefused) {
  expect_refused(with(kNewText, "<height>", "<height>20</height><height>"), "line 9", "a second <height>");
  expect_refused(with(kNewText, "<features>", "<features></features>\n<features>"), "line 33",
                 "a second <features>");
  expect_refused(with(kOldText, "<left_val>2", "<left_node>1</left_node><left_val>2"), "line 36", "both");
}

TEST(OpenCvXml, BadNumbersAreShown) {
  expect_refused(with(kNewText, "-7.7304208278656006e-01", "nan"), "line 26, byte",
                 "'nan' is not a finite number");
  expect_refused(with(kNewText, "-7.7304208278656006e-01", ".NaN"), "line 26, byte",
                 "'.NaN' is not a number");
  expect_refused(with(kNewText, "<!-- between --> .5", "<!-- between -->\n 1e39"), "line 27, byte",
                 "beyond the range of a float");
  expect_refused(with(kNewText, "-1.4562760591506958e+00", "1e999"), "line 20", "beyond the range");
  expect_refused(with(kNewText, "-1.4562760591506958e+00", "- 1"), "line 20", "'-' is not a number");
  expect_refused(with(kNewText, "-1.4562760591506958e+00", "<a/>"), "line 20",
                 "'a' where numbers are expected");
  expect_refused(with(kNewText, "-1.4562760591506958e+00", ""), "line 20", "ends where a number is missing");
  expect_refused(with(kNewText, "-1.4562760591506958e+00", "1 2"), "line 20", "one number too many");
  expect_refused(with(kNewText, "0 -1 0 1.29", "0 -1 0.5 1.29"), "line 24", "'0.5' is not an integer");
  expect_refused(with(kNewText, "0 -1 0 1.29", "0 -1 99999999999 1.29"), "line 24", "beyond 32 bits");
  expect_refused(with(kNewText, "e-01</internalNodes>", "e-01 0</internalNodes>"), "line 23",
                 "ends where a number is missing");
  expect_refused(with(kNewText, ".5</leafValues>", "</leafValues>"), "line 25",
                 "needs 2 leaf values, this one has 1");
  expect_refused(with(kNewText, ".5</leafValues>", "1 2 3 4</leafValues>"), "line 25", "this one has more");
  expect_refused(with(kNewText, "<width>+24.", "<width>\x1b[31m"), "line 10", "'?[31m'");
}

TEST(OpenCvXml, BadShapesAreRefused) {
  expect_refused(with(kNewText, "0 -1 1 -4.6", "0 -1 2 -4.6"), "stage 0, tree 1, node 0", "no feature 2");
  expect_refused(with(kOldText, "<right_node>1<", "<right_node>2<"), "stage 0, tree 0, node 0", "no node 2");
  expect_refused(with(kOldText, "<right_node>1<", "<right_node>0<"), "line 24",
                 "only other nodes than the root");
  expect_refused(with(kOldText, "<left_val>2.5e-1</left_val>", "<left_node>1</left_node>"), "line 11",
                 "needs 3 leaf values, this one has 2");
  expect_refused(with(kNewText, "0 14 20 6 2.", "0 15 20 6 2."), "feature 0", "not inside the window");
  expect_refused(
      with(kNewText, "<_>\n          0 14 20 6 2.</_>", "<_>0 0 1 1 1</_><_>0 0 1 1 1</_><_>0 0 1 1 1</_>"),
      "line 37", "more than 3 rectangles");
  expect_refused(with(kNewText, "<width>+24.", "<width>1000000"), "", "the window is");
  expect_refused(with(kNewText, "<rects>\n", "<rects>text\n"), "line 34", "text where a list");
  expect_refused(with(kNewText, "<stages>\n", "<stages><stage/>\n"), "line 16", "'stage' where a list");
  std::string text = kNewText;
  text.erase(text.find("<rects>") + 7, text.find("</rects>") - text.find("<rects>") - 7);
  expect_refused(text, "line 34", "no rectangles");
}

TEST(OpenCvXml, LoopsAreRefused) {
  const std::string text = sample::xml(sample::trees(), kNew);
  expect_refused(with(text, " -3 -1 3 0.25", " 1 -1 3 0.25"), "stage 0, tree 0, node 1", "reached twice");
  expect_refused(with(text, " -3 -1 3 0.25", " 2 -1 3 0.25"), "stage 0, tree 0", "reached twice");
}

TEST(OpenCvXml, OtherKindsAreNamed) {
  expect_refused(with(kNewText, ">HAAR<", ">HOG<"), "line 8", "HOG", ErrorCode::kUnsupported);
  expect_refused(with(kNewText, ">HAAR<", ">SURF<"), "line 8", "'SURF' are unknown");
  expect_refused(with(kNewText, ">BOOST<", ">FOREST<"), "line 7", "'FOREST' are not supported",
                 ErrorCode::kUnsupported);
  expect_refused(with(kNewText, "<maxCatCount>0", "<maxCatCount>256"), "line 14", "maxCatCount is 256");
  const std::string lbp = sample::xml(sample::lbp(), kNew);
  expect_refused(with(lbp, "<maxCatCount>256", "<maxCatCount>32"), "line", "maxCatCount is 32");
  expect_refused(with(lbp, "<maxCatCount>256</maxCatCount>", ""), "line", "<maxCatCount> is missing");
  expect_refused(with(lbp, " 13 2147483647", " 13"), "line", "ends where a number is missing");
}

TEST(OpenCvXml, CutOffFilesAreRefused) {
  for (std::string text : {std::string(kNewText), std::string(kOldText), sample::xml(sample::lbp(), kNew)}) {
    text.erase(text.find_last_not_of('\n') + 1);
    for (std::size_t cut = 0; cut < 64; ++cut) {
      const Error error = refused(text.substr(0, text.size() * cut / 64));
      EXPECT_EQ(error.code(), ErrorCode::kFormat) << cut;
      EXPECT_THAT(error.place(), HasSubstr(cut > 0 ? "line " : "")) << cut;
    }
  }
}

TEST(OpenCvXml, SyntaxErrorsHaveLineAndByte) {
  expect_refused(with(kNewText, "</height>", "</heigth>"), "line 9, byte 2", "broken XML");
  std::string text = kNewText;
  text[text.find("HAAR")] = '\0';
  expect_refused(text, "line 8, byte", "a zero byte");
}

TEST(OpenCvXml, DepthCostsNoStack) {
  constexpr int kDepth = 500'000;
  std::string open, close;
  for (int i = 0; i < kDepth; ++i) {
    open += "<a>";
    close += "</a>";
  }
  EXPECT_TRUE(parse(with(kNewText, "<features>", open + close + "<features>"))
                  .model()
                  .same_as(parse(kNewText).model()));
  expect_refused(with(kNewText, "<features>", open + "<features>"), "line", "broken XML");
  expect_refused(with(kNewText, "0 14 20", open + close), "line", "'a' where numbers are expected");
}

TEST(OpenCvXml, TooManyElementsAreRefusedBeforeTheyAreRead) {
  std::string text = "<opencv_storage>";
  for (int i = 0; i < (9 << 20); ++i) text += "<a>";
  expect_refused(text, "", "elements and pieces of text at most", ErrorCode::kLimit);
  text = "<opencv_storage>";
  for (int i = 0; i < (5 << 20); ++i) text += "<a/>b";
  expect_refused(text, "", "elements and pieces of text at most", ErrorCode::kLimit);
  text = "<opencv_storage " + std::string(3 << 20, '=');
  expect_refused(text, "", "equals signs at most", ErrorCode::kLimit);
  text = "<opencv_storage>" + std::string(65 << 20, ' ');
  expect_refused(text, "", "bytes at most", ErrorCode::kLimit);
}

TEST(OpenCvXml, DocumentTypesAreNotExpanded) {
  const std::string type =
      "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c SYSTEM "
      "\"file:///etc/passwd\">]>\n";
  EXPECT_NO_THROW(parse(with(kNewText, "<opencv_storage>", type + "<opencv_storage>")));
  expect_refused(with(with(kNewText, "<opencv_storage>", type + "<opencv_storage>"), ">20<", ">&b;<"),
                 "line 10", "'&b;' is not a number");
}

}  // namespace
}  // namespace winnow
