// Reads an XML text as a tree of elements, and knows each element's line for error messages.
//
// In:     at most 64 MiB of UTF-8, possibly hostile. The bytes must outlive the XmlFile, since lines are
//         counted in them.
// Out:    elements, texts and numbers. Errors are kFormat, or kLimit for sizes, with the place "line 12" or
//         "line 12, byte 345".
// Exact:  numbers are those that OpenCV reads (`model/numbers.h`).
// Memory: an `XmlFile` owns a copy of the text and the tree, in less than 1 GiB. Elements live as long as the
//         `XmlFile`, and a comment lives as long as the bytes. An `XmlFile` must outlive its `XmlNumbers`.
//         Elements, texts and attributes are counted before anything is built.
// Thread: any number of threads may read one file.
//
// Neither this code nor pugixml recurses, so that depth costs no stack. Entities and document types are
// skipped, never expanded.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

#include <winnow/error.h>

#include "model/numbers.h"

namespace winnow {

inline constexpr std::size_t kMaxXmlBytes = std::size_t{64} << 20;

// Throws kLimit if XmlFile would refuse the text for its size.
void check_xml_size(std::string_view text);

class XmlFile {
 public:
  explicit XmlFile(std::span<const std::byte> bytes);

  pugi::xml_node root() const { return root_; }
  // The child of this name. `require` throws if there is none; both throw if there are several.
  pugi::xml_node find(pugi::xml_node parent, const char* name) const;
  pugi::xml_node require(pugi::xml_node parent, const char* name) const;
  // The <_> elements of a list: `list_first(list)`, then `list_next(item)`. Anything else in the list is an
  // error.
  pugi::xml_node list_first(pugi::xml_node list) const { return list_item(list.first_child()); }
  pugi::xml_node list_next(pugi::xml_node item) const { return list_item(item.next_sibling()); }
  // The text of an element that holds no other elements, without the spaces around it.
  std::string text(pugi::xml_node element) const;
  // The one number that an element holds.
  template <class T>
  T number(pugi::xml_node element) const;
  // The comment before the first element below the root, without the spaces around it.
  std::string_view leading_comment() const;

  [[noreturn]] void fail(pugi::xml_node at, const std::string& sentence,
                         ErrorCode code = ErrorCode::kFormat) const;
  [[noreturn]] void fail_at(std::ptrdiff_t offset, const std::string& sentence,
                            ErrorCode code = ErrorCode::kFormat) const;

 private:
  pugi::xml_node list_item(pugi::xml_node node) const;

  std::string_view source_;
  std::vector<char> buffer_;  // pugixml's tree points into the buffer
  pugi::xml_document document_;
  pugi::xml_node root_;
};

// The numbers of an element, one after the other.
class XmlNumbers {
 public:
  XmlNumbers(const XmlFile& file, pugi::xml_node element);
  bool at_end() const { return token_.empty(); }
  // Throws if no number is left, or if the next number is not of this type.
  template <class T>
  T next() {
    T value{};
    if (at_end())
      file_.fail(element_, std::string("<") + element_.name() + "> ends where a number is missing");
    if (const char* problem = parse_number(token_, value)) refuse(problem);
    advance();
    return value;
  }
  void expect_end() const;

 private:
  void advance();
  [[noreturn]] void refuse(const std::string& problem) const;

  const XmlFile& file_;
  pugi::xml_node element_, chunk_;
  std::string_view rest_, token_;
};

template <class T>
T XmlFile::number(pugi::xml_node element) const {
  XmlNumbers numbers(*this, element);
  const T value = numbers.next<T>();
  numbers.expect_end();
  return value;
}

}  // namespace winnow
