#include "model/opencv_xml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/samples_for_test.h"

namespace winnow {
namespace {

using sample::parse;
using sample::refused;
using sample::with;
using testing::HasSubstr;

constexpr CascadeFormat kNew = CascadeFormat::kOpenCvXml, kOld = CascadeFormat::kOpenCvOldXml;

// A cascade as opencv_traincascade writes it, with a number in every spelling.
constexpr const char* kNewText = R"(<?xml version="1.0"?>
<!--
  A detector of nothing.
  Line two.
-->
<opencv_storage>
<cascade type_id="opencv-cascade-classifier"><stageType>BOOST</stageType>
  <featureType>HAAR</featureType>
  <height>20</height>
  <width>+24.</width>
  <stageParams>
    <maxWeakCount>2</maxWeakCount></stageParams>
  <featureParams>
    <maxCatCount>0</maxCatCount></featureParams>
  <stageNum>1</stageNum>
  <stages>
    <!-- stage 0 -->
    <_>
      <maxWeakCount>2</maxWeakCount>
      <stageThreshold>-1.4562760591506958e+00</stageThreshold>
      <weakClassifiers>
        <_>
          <internalNodes>
            0 -1 0 1.2963959574699402e-01</internalNodes>
          <leafValues>
            -7.7304208278656006e-01 <!-- between --> .5</leafValues></_>
        <_>
          <internalNodes>
            0 -1 1 -4.6326808631420135e-02</internalNodes>
          <leafValues>
            5 -4.9097689986228943e-01</leafValues></_></weakClassifiers></_></stages>
  <features>
    <_>
      <rects>
        <_>
          0 8 20 12 -1.</_>
        <_>
          0 14 20 6 2.</_></rects></_>
    <_>
      <rects>
        <_>
          9 1 4 15 -1</_>
        <_>
          9 6 4 5 3.</_></rects>
      <tilted>0</tilted></_></features></cascade>
</opencv_storage>
)";

// A tree and a stump as opencv_haartraining writes them.
constexpr const char* kOldText = R"(<?xml version="1.0"?>
<opencv_storage>
<!-- Automatically converted from somewhere -->
<thing type_id="opencv-haar-classifier">
  <size>
    64 16</size>
  <stages>
    <_>
      <!-- stage 0 -->
      <trees>
        <_>
          <!-- tree 0 -->
          <_>
            <!-- root node -->
            <feature>
              <rects>
                <_>
                  32 2 8 6 -1.</_>
                <_>
                  32 4 8 2 3.</_></rects>
              <tilted>0</tilted></feature>
            <threshold>1.6915600746870041e-002</threshold>
            <left_val>-9.5547717809677124e-001</left_val>
            <right_node>1</right_node></_>
          <_>
            <feature>
              <rects>
                <_>
                  10 2 4 2 -1.</_>
                <_>
                  10 2 2 2 2.</_>
                <_>
                  1 1 1 1 1e-8</_></rects>
              <tilted>1</tilted></feature>
            <threshold>.5</threshold>
            <left_val>2.5e-1</left_val>
            <right_val>8.9129137992858887e-001</right_val></_></_></trees>
      <stage_threshold>-2.0683259963989258e+000</stage_threshold>
      <parent>-1</parent>
      <next>-1</next></_></stages></thing>
</opencv_storage>
)";

TEST(OpenCvXml, ReadsTheNewFormat) {
  const CascadeModel model = parse(kNewText).model();
  EXPECT_EQ(model.kind, FeatureKind::kHaar);
  EXPECT_EQ(model.window, (Size{24, 20}));
  ASSERT_EQ(model.stages.size(), 1u);
  EXPECT_EQ(model.stages[0], (Stage{0, 2, -1.4562760591506958f}));
  EXPECT_EQ(model.nodes,
            (std::vector<TreeNode>{{0, -1, 0, 0.12963959574699402f}, {0, -1, 1, -0.046326808631420135f}}));
  EXPECT_EQ(model.leaves, (std::vector<float>{-0.77304208278656006f, 0.5f, 5.f, -0.49097689986228943f}));
  ASSERT_EQ(model.haar.size(), 2u);
  EXPECT_EQ(model.haar[1].rects[1], (HaarRect{{9, 6, 4, 5}, 3.f}));
  EXPECT_EQ(model.haar[1].rects[2], HaarRect{});
  EXPECT_EQ(model.rules, ModelRules{});
  EXPECT_EQ(model.card, (ModelCard{"sample", "", "A detector of nothing.", ""}));
  EXPECT_TRUE(model.notes.empty());
}

TEST(OpenCvXml, ReadsTheOldFormat) {
  const CascadeModel model = parse(kOldText).model();
  EXPECT_EQ(model.window, (Size{64, 16}));
  EXPECT_EQ(model.stages, (std::vector<Stage>{{0, 1, -2.0683259963989258f}}));
  EXPECT_EQ(model.trees, (std::vector<Tree>{{0, 2, 0}}));
  EXPECT_EQ(model.nodes, (std::vector<TreeNode>{{0, 1, 0, 0.016915600746870041f}, {-1, -2, 1, 0.5f}}));
  EXPECT_EQ(model.leaves, (std::vector<float>{-0.95547717809677124f, 0.25f, 0.89129137992858887f}));
  EXPECT_TRUE(model.haar[1].tilted);
  EXPECT_EQ(model.haar[1].rects[2], HaarRect{}) << "OpenCV drops a third rectangle without weight";
  EXPECT_EQ(model.card.source, "Automatically converted from somewhere");
  EXPECT_TRUE(model.notes.empty());
}

TEST(OpenCvXml, NewFormatIsExact) {
  for (const CascadeModel& model : sample::all()) {
    EXPECT_TRUE(parse(sample::xml(model, kNew)).model().same_as(model)) << model.card.name;
  }
}

// What the old format keeps: each tree node by node, with its own copy of the feature and the leaf at each
// exit.
void expect_same_decisions(const CascadeModel& a, const CascadeModel& b) {
  EXPECT_EQ(a.window, b.window);
  EXPECT_EQ(a.stages, b.stages);
  ASSERT_EQ(a.trees, b.trees);
  for (const Tree& tree : a.trees) {
    for (int i = tree.first_node; i < tree.first_node + tree.node_count; ++i) {
      const TreeNode &x = a.nodes[static_cast<std::size_t>(i)], &y = b.nodes[static_cast<std::size_t>(i)];
      EXPECT_EQ(x.threshold, y.threshold);
      EXPECT_EQ(a.haar[static_cast<std::size_t>(x.feature)], b.haar[static_cast<std::size_t>(y.feature)]);
      for (const auto& [p, q] : {std::pair{x.left, y.left}, std::pair{x.right, y.right}}) {
        if (p > 0 || q > 0) {
          EXPECT_EQ(p, q);
        } else {
          EXPECT_EQ(a.leaves[static_cast<std::size_t>(tree.first_leaf - p)],
                    b.leaves[static_cast<std::size_t>(tree.first_leaf - q)]);
        }
      }
    }
  }
}

TEST(OpenCvXml, OldFormatDecidesTheSame) {
  for (const CascadeModel& model : {sample::stumps(), sample::trees()}) {
    const std::string text = sample::xml(model, kOld);
    const Cascade back = parse(text);
    expect_same_decisions(model, back.model());
    EXPECT_EQ(sample::text_of(back.to_bytes(kOld)), text);
    EXPECT_TRUE(parse(sample::text_of(back.to_bytes(kNew))).model().same_as(back.model()));
  }
}

TEST(OpenCvXml, OldFormatCannotSayEverything) {
  const auto refused_code = [](const CascadeModel& model, CascadeFormat format) {
    try {
      Cascade(model).to_bytes(format);
    } catch (const Error& error) {
      return error.code();
    }
    ADD_FAILURE() << "was written";
    return ErrorCode::kIo;
  };
  EXPECT_EQ(refused_code(sample::lbp(), kOld), ErrorCode::kUsage);
  CascadeModel light = sample::stumps();
  light.haar[1].rects[2].weight = 1e-8f;
  EXPECT_EQ(refused_code(light, kOld), ErrorCode::kUnsupported);
  EXPECT_TRUE(parse(sample::xml(light, kNew)).model().same_as(light));
  CascadeModel ruled = sample::stumps();
  ruled.rules.threshold_slack = 0;
  EXPECT_EQ(refused_code(ruled, kOld), ErrorCode::kUnsupported);
  EXPECT_EQ(refused_code(ruled, kNew), ErrorCode::kUnsupported);
  for (const CascadeModel& model : sample::counting()) {
    EXPECT_EQ(refused_code(model, kOld), ErrorCode::kUnsupported);
    EXPECT_EQ(refused_code(model, kNew), ErrorCode::kUnsupported);
  }
}

TEST(OpenCvXml, StumpsAreTakenAsOpenCvTakesThem) {
  const CascadeModel model = parse(with(kNewText, "0 -1 1 -4.6", "-1 0 1 -4.6")).model();
  EXPECT_TRUE(model.same_as(parse(kNewText).model()));
  ASSERT_EQ(model.notes.size(), 1u);
  EXPECT_THAT(model.notes[0], HasSubstr("child indices of 1 stumps"));
}

TEST(OpenCvXml, ThirdPartyOddities) {
  const std::string stage = "<parent>-1</parent>\n      <next>-1</next>";
  CascadeModel model = parse(with(kOldText, stage, "<parent>-1</parent><next>3</next>")).model();
  ASSERT_EQ(model.notes.size(), 1u);
  EXPECT_THAT(model.notes[0], HasSubstr("form a tree"));
  EXPECT_NO_THROW(parse(with(kOldText, stage, ""))) << "the links are not needed";
  model = parse(with(kNewText, "<stageNum>1<", "<stageNum>9<")).model();
  ASSERT_EQ(model.notes.size(), 1u);
  EXPECT_THAT(model.notes[0], HasSubstr("9 stages"));
  model = parse(with(kNewText, "</cascade>", "</cascade><more>1</more>")).model();
  ASSERT_EQ(model.notes.size(), 1u);
  EXPECT_NO_THROW(parse(with(kNewText, " type_id=\"opencv-cascade-classifier\"", "")));
  EXPECT_NO_THROW(parse(with(kNewText, "BOOST", "\"BOOST\"")));
  EXPECT_NO_THROW(parse(std::string("\xef\xbb\xbf") + kNewText));
  std::string windows = kNewText;
  for (std::size_t i = 0; (i = windows.find('\n', i)) != std::string::npos; i += 2) windows.insert(i, "\r");
  EXPECT_TRUE(parse(windows).model().same_as(parse(kNewText).model()));
}

TEST(OpenCvXml, TermsTravelWithTheModel) {
  const std::string text =
      with(kNewText, "Line two.", "Copyright 1900 by nobody -> ok.\n * Keep this License.");
  const CascadeModel model = parse(text).model();
  EXPECT_EQ(model.card.source, "A detector of nothing.");
  EXPECT_THAT(model.card.terms, HasSubstr("Keep this License."));
  for (const CascadeFormat format : {kNew, kOld}) {
    EXPECT_EQ(parse(sample::xml(model, format)).model().card, model.card);
  }
  EXPECT_EQ(
      parse(with(kNewText, "A detector of nothing.", "| Contributors License Agreement")).model().card.source,
      "");
  CascadeModel said = sample::stumps();
  said.card.source = "made --here-- <&>";
  EXPECT_EQ(parse(sample::xml(said, kNew)).model().card.source, "made - -here- - <&>");
}

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
    for (std::size_t part = 0; part < 64; ++part) {
      const Error error = refused(text.substr(0, text.size() * part / 64));
      EXPECT_EQ(error.code(), ErrorCode::kFormat) << part;
      EXPECT_THAT(error.place(), HasSubstr(part > 0 ? "line " : "")) << part;
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
