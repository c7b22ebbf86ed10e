// Reads opencv_traincascade's format, as model/opencv/opencv_xml_elements.h declares; its opening comment
// holds here.
#include <algorithm>
#include <string>

#include <winnow/error.h>

#include "base/clean_text.h"
#include "model/check.h"
#include "model/opencv/opencv_xml_elements.h"

namespace winnow {
namespace {

std::string word(const XmlFile& file, pugi::xml_node element) {
  std::string text = clean_text(file.text(element));
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  return text.substr(0, 40);
}

FeatureKind read_kind(const XmlFile& file, pugi::xml_node cascade) {
  const pugi::xml_node stage_type = file.require(cascade, "stageType");
  if (const std::string name = word(file, stage_type); name != "BOOST") {
    file.fail(stage_type, "stages of type '" + name + "' are not supported, only BOOST",
              ErrorCode::kUnsupported);
  }
  const pugi::xml_node feature_type = file.require(cascade, "featureType");
  const std::string name = word(file, feature_type);
  if (name == "HOG") {
    file.fail(feature_type,
              "cascades of HOG features are not supported (OpenCV 3 dropped them), only HAAR and LBP",
              ErrorCode::kUnsupported);
  }
  if (name != "HAAR" && name != "LBP") {
    file.fail(feature_type, "features of type '" + name + "' are unknown, HAAR or LBP is expected");
  }
  const FeatureKind kind = name == "LBP" ? FeatureKind::kLbp : FeatureKind::kHaar;
  const int expected = kind == FeatureKind::kLbp ? 256 : 0;
  const pugi::xml_node parameters = file.find(cascade, "featureParams");
  const pugi::xml_node categories = parameters ? file.find(parameters, "maxCatCount") : pugi::xml_node();
  if (!categories && kind == FeatureKind::kHaar) return kind;
  if (!categories)
    file.fail(parameters ? parameters : cascade,
              "<maxCatCount> is missing, LBP features have 256 categories");
  if (const int count = file.number<std::int32_t>(categories); count != expected) {
    file.fail(categories, std::string("maxCatCount is ") + std::to_string(count) + ", " + name +
                              " features have " + std::to_string(expected));
  }
  return kind;
}

void read_tree(const XmlFile& file, pugi::xml_node element, CascadeModel& model) {
  Tree tree = begin_tree(model);
  const pugi::xml_node nodes = file.require(element, "internalNodes");
  XmlNumbers numbers(file, nodes);
  for (; !numbers.at_end(); ++tree.node_count) {
    check_room(file, nodes, model.nodes.size(), kMaxNodes, "tree nodes");
    TreeNode node;
    node.left = numbers.next<std::int32_t>();
    node.right = numbers.next<std::int32_t>();
    node.feature = numbers.next<std::int32_t>();
    if (model.kind == FeatureKind::kLbp) {
      LbpSubset subset{};
      for (std::int32_t& bits : subset) bits = numbers.next<std::int32_t>();
      model.subsets.push_back(subset);
    } else {
      node.threshold = numbers.next<float>();
    }
    model.nodes.push_back(node);
  }
  if (tree.node_count == 0) file.fail(nodes, "the tree has no nodes");
  const pugi::xml_node leaves = file.require(element, "leafValues");
  XmlNumbers values(file, leaves);
  std::int32_t count = 0;
  for (; !values.at_end() && count <= tree.node_count; ++count) model.leaves.push_back(values.next<float>());
  if (count != tree.node_count + 1 || !values.at_end())
    fail_leaves(file, leaves, tree, values.at_end() ? std::to_string(count) : "more");
  model.trees.push_back(tree);
}

// Adds a note if the number in <stageNum> is not the number of stages in the list.
void check_promise(const XmlFile& file, pugi::xml_node cascade, CascadeModel& model) {
  const pugi::xml_node number = file.find(cascade, "stageNum");
  if (!number) return;
  const int promised = file.number<std::int32_t>(number);
  if (promised != static_cast<int>(model.stages.size())) {
    model.notes.push_back(std::string("The file says it has ") + std::to_string(promised) +
                          " stages, it holds " + std::to_string(model.stages.size()) + ".");
  }
}

void read_features(const XmlFile& file, pugi::xml_node cascade, CascadeModel& model) {
  const pugi::xml_node features = file.require(cascade, "features");
  for (pugi::xml_node item = file.list_first(features); item; item = file.list_next(item)) {
    check_room(file, item, std::max(model.haar.size(), model.lbp.size()), kMaxFeatures, "features");
    if (model.kind == FeatureKind::kHaar) {
      model.haar.push_back(read_haar_feature(file, item));
      continue;
    }
    XmlNumbers numbers(file, file.require(item, "rect"));
    LbpFeature feature;
    feature.cell.x = numbers.next<std::int32_t>();
    feature.cell.y = numbers.next<std::int32_t>();
    feature.cell.width = numbers.next<std::int32_t>();
    feature.cell.height = numbers.next<std::int32_t>();
    numbers.expect_end();
    model.lbp.push_back(feature);
  }
  if (model.haar.empty() && model.lbp.empty()) file.fail(features, "the cascade has no features");
}

// Sets the child indices of a cascade of stumps to leaf 0 on the left and leaf 1 on the right. OpenCV does
// not read the indices of such a cascade.
void straighten_stumps(CascadeModel& model) {
  for (const Tree& tree : model.trees) {
    if (tree.node_count != 1) return;
  }
  std::size_t odd = 0;
  for (TreeNode& node : model.nodes) {
    if (node.left == 0 && node.right == -1) continue;
    node.left = 0;
    node.right = -1;
    ++odd;
  }
  if (odd == 0) return;
  model.notes.push_back(std::string("The child indices of ") + std::to_string(odd) +
                        " stumps are not 0 and -1; OpenCV does not look at them, so leaf 0 is on the left "
                        "and leaf 1 on the right.");
}

}  // namespace

CascadeModel read_new_format(const XmlFile& file, pugi::xml_node cascade) {
  CascadeModel model;
  model.kind = read_kind(file, cascade);
  model.window.width = file.number<std::int32_t>(file.require(cascade, "width"));
  model.window.height = file.number<std::int32_t>(file.require(cascade, "height"));
  read_stages(file, cascade, "stageThreshold", "weakClassifiers", model, read_tree, [](pugi::xml_node) {});
  check_promise(file, cascade, model);
  read_features(file, cascade, model);
  straighten_stumps(model);
  return model;
}

}  // namespace winnow
