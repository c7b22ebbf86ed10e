// Reads a hostile XML text as a tree, and knows the line of each element.
//
// In:     a text that outlives the tree, since lines are counted in it.
// Out:    elements, texts and numbers, or an `Error`: kLimit if the text is too large, else kFormat.
// Exact:  numbers are the nearest doubles, as `truth/words.h` says.
// Memory: an `XmlTree` owns its elements, which live as long as the `XmlTree`. Tags and attributes are
//         counted before the tree is built.
// Thread: any number of threads may read one tree.
//
// Neither this code nor pugixml recurses, so deep nesting takes no stack. Only XML's five own entities and
// numeric character references are expanded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <pugixml.hpp>

namespace winnow {

class XmlTree {
 public:
  explicit XmlTree(std::string_view text);
  pugi::xml_node root() const { return document_.document_element(); }
  std::int64_t line(pugi::xml_node at) const;

 private:
  std::int64_t line_of(std::ptrdiff_t offset) const;

  std::string_view text_;
  pugi::xml_document document_;
};

// The text of the child, without the blanks around it. Throws an error without a place if there is no such
// child.
std::string child_text(pugi::xml_node parent, const char* name);
double child_number(pugi::xml_node parent, const char* name);
std::string attribute_text(pugi::xml_node element, const char* name);
double attribute_number(pugi::xml_node element, const char* name);
// True for "1", false for "0" or an empty text. `name` names the flag in the error for other texts.
bool flag_of(const char* text, const char* name);

}  // namespace winnow
