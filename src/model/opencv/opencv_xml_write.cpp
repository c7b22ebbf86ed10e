// Writes OpenCV's two XML formats of a cascade, as model/opencv/opencv_xml.h declares; its opening comment
// holds here.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include <winnow/error.h>

#include "model/check.h"
#include "model/numbers.h"
#include "model/opencv/opencv_comment.h"
#include "model/opencv/opencv_xml.h"
#include "model/opencv/xml_file.h"

namespace winnow {
namespace {

// A space precedes every number of a list, as in OpenCV's own files.
void put(std::string& out, std::int32_t value) { (out += ' ') += std::to_string(value); }
void put(std::string& out, float value) { append_real(out += ' ', value); }

void put_element(std::string& out, const char* indent, const char* name, const std::string& text) {
  out.append(indent).append("<").append(name).append(">").append(text).append("</").append(name).append(
      ">\n");
}

std::string real(float value) {
  std::string text;
  append_real(text, value);
  return text;
}

void refuse_other_rules(const CascadeModel& model) {
  if (model.fixed_point()) {
    throw Error(ErrorCode::kUnsupported,
                std::string("the cascade ") +
                    (model.tables.empty() ? "has a running sum" : "is made of tables") +
                    ", which OpenCV's XML cannot say; write it as .winnow");
  }
  if (model.rules == opencv_rules(model.kind)) return;
  throw Error(ErrorCode::kUnsupported,
              "the cascade follows rules of its own, which OpenCV's XML cannot say; write it as .winnow");
}

void put_rects(std::string& out, const HaarFeature& feature, const char* indent) {
  int count = 3;
  while (count > 1 && feature.rects[static_cast<std::size_t>(count) - 1].weight == 0) --count;
  out.append(indent).append("<rects>\n");
  for (int i = 0; i < count; ++i) {
    const HaarRect& rect = feature.rects[static_cast<std::size_t>(i)];
    out.append(indent).append("  <_>");
    for (const int value : {rect.box.x, rect.box.y, rect.box.width, rect.box.height}) put(out, value);
    put(out, rect.weight);
    out += "</_>\n";
  }
  out.append(indent).append("</rects>\n");
}

void put_tree(std::string& out, const CascadeModel& model, const Tree& tree) {
  out += "        <_>\n          <internalNodes>\n";
  for (std::int32_t i = 0; i < tree.node_count; ++i) {
    const std::size_t index = static_cast<std::size_t>(tree.first_node + i);
    const TreeNode& node = model.nodes[index];
    out += "           ";
    put(out, node.left);
    put(out, node.right);
    put(out, node.feature);
    if (model.kind == FeatureKind::kLbp) {
      for (const std::int32_t bits : model.subsets[index]) put(out, bits);
    } else {
      put(out, node.threshold);
    }
    out += "\n";
  }
  out += "          </internalNodes>\n          <leafValues>\n           ";
  for (std::int32_t i = 0; i <= tree.node_count; ++i)
    put(out, model.leaves[static_cast<std::size_t>(tree.first_leaf + i)]);
  out += "\n          </leafValues></_>\n";
}

void put_old_child(std::string& out, const CascadeModel& model, const Tree& tree, std::int32_t child,
                   const std::string& side) {
  const char* indent = "            ";
  if (child > 0) {
    put_element(out, indent, (side + "_node").c_str(), std::to_string(child));
  } else {
    put_element(out, indent, (side + "_val").c_str(),
                real(model.leaves[static_cast<std::size_t>(tree.first_leaf - child)]));
  }
}

void put_old_node(std::string& out, const CascadeModel& model, const Tree& tree, const TreeNode& node) {
  const HaarFeature& feature = model.haar[static_cast<std::size_t>(node.feature)];
  const float third = feature.rects[2].weight;
  if (third != 0 && std::fabs(third) < std::numeric_limits<float>::epsilon()) {
    throw Error(ErrorCode::kUnsupported,
                "a feature's third rectangle has a weight so small that OpenCV drops it from the old format");
  }
  out += "          <_>\n            <feature>\n";
  put_rects(out, feature, "              ");
  out.append("              <tilted>").append(feature.tilted ? "1" : "0").append("</tilted></feature>\n");
  put_element(out, "            ", "threshold", real(node.threshold));
  put_old_child(out, model, tree, node.left, "left");
  put_old_child(out, model, tree, node.right, "right");
  out += "          </_>\n";
}

// Text that is too long to be read again is not written. Such a cascade needs Winnow's own format.
std::string limited(std::string out) {
  check_xml_size(out);
  return out;
}

}  // namespace

std::string write_opencv_xml(const CascadeModel& model) {
  refuse_other_rules(model);
  const bool lbp = model.kind == FeatureKind::kLbp;
  std::int32_t most_trees = 0;
  for (const Stage& stage : model.stages) most_trees = std::max(most_trees, stage.tree_count);
  std::string out;
  put_head(out, model.card);
  out += "<opencv_storage>\n<cascade type_id=\"opencv-cascade-classifier\">\n";
  put_element(out, "  ", "stageType", "BOOST");
  put_element(out, "  ", "featureType", lbp ? "LBP" : "HAAR");
  put_element(out, "  ", "height", std::to_string(model.window.height));
  put_element(out, "  ", "width", std::to_string(model.window.width));
  out += "  <stageParams>\n";
  put_element(out, "    ", "maxWeakCount", std::to_string(most_trees));
  out += "  </stageParams>\n  <featureParams>\n";
  put_element(out, "    ", "maxCatCount", lbp ? "256" : "0");
  out += "  </featureParams>\n";
  put_element(out, "  ", "stageNum", std::to_string(model.stages.size()));
  out += "  <stages>\n";
  for (const Stage& stage : model.stages) {
    out += "    <_>\n";
    put_element(out, "      ", "maxWeakCount", std::to_string(stage.tree_count));
    put_element(out, "      ", "stageThreshold", real(stage.threshold));
    out += "      <weakClassifiers>\n";
    for (std::int32_t i = 0; i < stage.tree_count; ++i) {
      put_tree(out, model, model.trees[static_cast<std::size_t>(stage.first_tree + i)]);
    }
    out += "      </weakClassifiers></_>\n";
  }
  out += "  </stages>\n  <features>\n";
  for (const HaarFeature& feature : model.haar) {
    out += "    <_>\n";
    put_rects(out, feature, "      ");
    if (feature.tilted) put_element(out, "      ", "tilted", "1");
    out += "    </_>\n";
  }
  for (const LbpFeature& feature : model.lbp) {
    out += "    <_>\n      <rect>";
    for (const int value : {feature.cell.x, feature.cell.y, feature.cell.width, feature.cell.height})
      put(out, value);
    out += "</rect></_>\n";
  }
  out += "  </features>\n</cascade>\n</opencv_storage>\n";
  return limited(std::move(out));
}

std::string write_opencv_old_xml(const CascadeModel& model) {
  if (model.kind != FeatureKind::kHaar) {
    throw Error(ErrorCode::kUsage,
                "OpenCV's old format knows Haar features only, this cascade has LBP features");
  }
  refuse_other_rules(model);
  std::string out;
  put_head(out, model.card);
  out += "<opencv_storage>\n<cascade type_id=\"opencv-haar-classifier\">\n  <size>";
  put(out, model.window.width);
  put(out, model.window.height);
  out += "</size>\n  <stages>\n";
  std::int32_t index = 0;
  for (const Stage& stage : model.stages) {
    out += "    <_>\n      <trees>\n";
    for (std::int32_t t = 0; t < stage.tree_count; ++t) {
      const Tree& tree = model.trees[static_cast<std::size_t>(stage.first_tree + t)];
      out += "        <_>\n";
      for (std::int32_t n = 0; n < tree.node_count; ++n) {
        put_old_node(out, model, tree, model.nodes[static_cast<std::size_t>(tree.first_node + n)]);
      }
      out += "        </_>\n";
    }
    out += "      </trees>\n";
    put_element(out, "      ", "stage_threshold", real(stage.threshold));
    put_element(out, "      ", "parent", std::to_string(index - 1));
    put_element(out, "      ", "next", "-1");
    out += "    </_>\n";
    ++index;
  }
  out += "  </stages>\n</cascade>\n</opencv_storage>\n";
  return limited(std::move(out));
}

}  // namespace winnow
