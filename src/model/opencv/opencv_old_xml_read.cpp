// Reads opencv_haartraining's format, which keeps features and leaves inside the nodes. The opening comment
// of model/opencv/opencv_xml_elements.h, which declares this, holds here.
#include <cmath>
#include <limits>
#include <string>

#include <winnow/error.h>

#include "model/check.h"
#include "model/opencv/opencv_xml_elements.h"

namespace winnow {
namespace {

// Reads a node's child: a leaf value of its own, or the number of another node.
std::int32_t read_child(const XmlFile& file, pugi::xml_node element, const std::string& side,
                        CascadeModel& model, const Tree& tree) {
  const pugi::xml_node value = file.find(element, (side + "_val").c_str());
  const pugi::xml_node node = file.find(element, (side + "_node").c_str());
  if (value && node) file.fail(node, "the node has both <" + side + "_val> and <" + side + "_node>");
  if (!value && !node) file.fail(element, "the node has neither <" + side + "_val> nor <" + side + "_node>");
  if (node) {
    const std::int32_t child = file.number<std::int32_t>(node);
    if (child < 1)
      file.fail(node, "<" + side + "_node> is " + std::to_string(child) +
                          ", only other nodes than the root can follow");
    return child;
  }
  const std::int32_t leaf = static_cast<std::int32_t>(model.leaves.size()) - tree.first_leaf;
  model.leaves.push_back(file.number<float>(value));
  return -leaf;
}

void read_tree(const XmlFile& file, pugi::xml_node element, CascadeModel& model) {
  Tree tree = begin_tree(model);
  for (pugi::xml_node item = file.list_first(element); item; item = file.list_next(item), ++tree.node_count) {
    check_room(file, item, model.nodes.size(), kMaxNodes, "tree nodes");
    HaarFeature feature = read_haar_feature(file, file.require(item, "feature"));
    // OpenCV drops a third rectangle of almost no weight when it converts the old format.
    if (std::fabs(feature.rects[2].weight) < std::numeric_limits<float>::epsilon())
      feature.rects[2] = HaarRect{};
    TreeNode node;
    node.feature = static_cast<std::int32_t>(model.haar.size());
    node.threshold = file.number<float>(file.require(item, "threshold"));
    node.left = read_child(file, item, "left", model, tree);
    node.right = read_child(file, item, "right", model, tree);
    model.haar.push_back(feature);
    model.nodes.push_back(node);
  }
  if (tree.node_count == 0) file.fail(element, "the tree has no nodes");
  const std::int32_t leaves = static_cast<std::int32_t>(model.leaves.size()) - tree.first_leaf;
  if (leaves != tree.node_count + 1) fail_leaves(file, element, tree, std::to_string(leaves));
  model.trees.push_back(tree);
}

}  // namespace

CascadeModel read_old_format(const XmlFile& file, pugi::xml_node cascade) {
  CascadeModel model;
  XmlNumbers size(file, file.require(cascade, "size"));
  model.window.width = size.next<std::int32_t>();
  model.window.height = size.next<std::int32_t>();
  size.expect_end();
  bool branches = false;
  read_stages(file, cascade, "stage_threshold", "trees", model, read_tree, [&](pugi::xml_node stage) {
    const std::int32_t index = static_cast<std::int32_t>(model.stages.size()) - 1;
    const pugi::xml_node parent = file.find(stage, "parent"), next = file.find(stage, "next");
    branches = branches || (parent && file.number<std::int32_t>(parent) != index - 1) ||
               (next && file.number<std::int32_t>(next) != -1);
  });
  if (branches) {
    model.notes.push_back(
        "The stages form a tree; they are taken one after the other in the order of the file, as OpenCV 3 "
        "and later do.");
  }
  return model;
}

}  // namespace winnow
