#include "model/opencv/opencv_xml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/opencv/opencv_xml_for_test.h"
#include "model/samples_for_test.h"

namespace winnow {
namespace {

using sample::kNewText;
using sample::kOldText;
using sample::parse;
using sample::with;
using testing::HasSubstr;
using testing::StartsWith;

constexpr CascadeFormat kNew = CascadeFormat::kOpenCvXml, kOld = CascadeFormat::kOpenCvOldXml;

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
  EXPECT_EQ(model.card, (ModelCard{"sample", "", "A detector of nothing.\nLine two.", ""}));
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

// Compares features and leaves by value. Their indices may differ, because the old format writes a copy of
// its feature and its leaves into each node.
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
  for (const CascadeModel& model : sample::fixed_point()) {
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
  // Other comments are kept whole: somebody's name, or terms in other words.
  const CascadeModel credit =
      parse(with(kNewText, "Line two.", "Made by A. Person.\n   CC BY-NC 4.0 only.\n ===")).model();
  EXPECT_EQ(credit.card.source, "A detector of nothing.\nMade by A. Person.\nCC BY-NC 4.0 only.");
  for (const CascadeFormat format : {kNew, kOld})
    EXPECT_EQ(parse(sample::xml(credit, format)).model().card, credit.card);
  // A line with letters of any script is kept.
  const CascadeModel cyrillic = parse(with(kNewText, "A detector of nothing.", "Детектор лиц")).model();
  EXPECT_THAT(cyrillic.card.source, StartsWith("Детектор лиц\n"));
  for (const CascadeFormat format : {kNew, kOld})
    EXPECT_EQ(parse(sample::xml(cyrillic, format)).model().card, cyrillic.card);
  const CascadeModel terms =
      parse(with(with(kNewText, "A detector of nothing.", "顔"), "Line two.", "Copyright 1900.")).model();
  EXPECT_EQ(terms.card.source, "顔");
  CascadeModel said = sample::stumps();
  said.card.source = "made --here-- <&>";
  EXPECT_EQ(parse(sample::xml(said, kNew)).model().card.source, "made - -here- - <&>");
}

}  // namespace
}  // namespace winnow
