// Gives the functions that the readers of both XML formats of OpenCV use.
//
// In:     an XML file and an element of it, both of the caller.
// Out:    models and features, or an `Error` that names the line.
// Exact:  numbers are those that OpenCV reads (`model/numbers.h`).
// Memory: results belong to the caller, and refer to nothing in the file.
#pragma once

#include <cstdint>
#include <pugixml.hpp>
#include <string>

#include <winnow/cascade_model.h>

#include "model/check.h"
#include "model/opencv/xml_file.h"

namespace winnow {

// Read the body of each format: stages, trees and features of `cascade`.
CascadeModel read_new_format(const XmlFile& file, pugi::xml_node cascade);
CascadeModel read_old_format(const XmlFile& file, pugi::xml_node cascade);

// Reads <rects> and <tilted> of a Haar feature, which are the same in both formats.
HaarFeature read_haar_feature(const XmlFile& file, pugi::xml_node feature);

// Throws kLimit if a list already has as many entries as a model may hold. Readers call this before each new
// entry.
void check_room(const XmlFile& file, pugi::xml_node at, std::size_t used, std::size_t limit,
                const char* what);

// A tree whose nodes and leaves are not read yet.
inline Tree begin_tree(const CascadeModel& model) {
  return {static_cast<std::int32_t>(model.nodes.size()), 0, static_cast<std::int32_t>(model.leaves.size())};
}
// Throws kFormat for a tree with a wrong number of leaf values. `count`: how many the tree has.
[[noreturn]] inline void fail_leaves(const XmlFile& file, pugi::xml_node at, const Tree& tree,
                                     const std::string& count) {
  file.fail(at, "a tree of " + std::to_string(tree.node_count) + " nodes needs " +
                    std::to_string(tree.node_count + 1) + " leaf values, this one has " + count);
}

// Reads the list of stages. `threshold` and `trees` are the names of these elements in the format.
// `read_tree` reads a tree. `rest` reads the elements behind the trees of a stage.
template <class ReadTree, class Rest>
void read_stages(const XmlFile& file, pugi::xml_node cascade, const char* threshold, const char* trees,
                 CascadeModel& model, ReadTree read_tree, Rest rest) {
  const pugi::xml_node stages = file.require(cascade, "stages");
  for (pugi::xml_node item = file.list_first(stages); item; item = file.list_next(item)) {
    check_room(file, item, model.stages.size(), kMaxStages, "stages");
    Stage stage;
    stage.first_tree = static_cast<std::int32_t>(model.trees.size());
    stage.threshold = file.number<float>(file.require(item, threshold));
    const pugi::xml_node list = file.require(item, trees);
    for (pugi::xml_node tree = file.list_first(list); tree; tree = file.list_next(tree))
      read_tree(file, tree, model);
    stage.tree_count = static_cast<std::int32_t>(model.trees.size()) - stage.first_tree;
    if (stage.tree_count == 0) file.fail(list, "the stage has no trees");
    model.stages.push_back(stage);
    rest(item);
  }
  if (model.stages.empty()) file.fail(stages, "the cascade has no stages");
}

}  // namespace winnow
