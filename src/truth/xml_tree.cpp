#include "truth/xml_tree.h"

#include <algorithm>

#include <winnow/error.h>

#include "truth/words.h"

namespace winnow {
namespace {

// pugixml takes 64 bytes for an element or a piece of text, and 40 for an attribute. A face of 68 points
// needs about 200 attributes, so 80 thousand such faces fit.
constexpr std::size_t kMaxBytes = std::size_t{512} << 20;
constexpr std::ptrdiff_t kMaxTags = std::ptrdiff_t{16} << 20;
constexpr std::ptrdiff_t kMaxAttributes = std::ptrdiff_t{16} << 20;

std::string tag(const char* name) { return std::string(1, '<').append(name).append(1, '>'); }

}  // namespace

XmlTree::XmlTree(std::string_view text) : text_(text) {
  const auto refuse = [](auto most, const char* what) {
    throw Error(ErrorCode::kLimit, "XML may have " + std::to_string(most) + what);
  };
  if (text.size() > kMaxBytes) refuse(kMaxBytes, " bytes at most");
  if (std::count(text.begin(), text.end(), '<') > kMaxTags) refuse(kMaxTags, " tags at most");
  if (std::count(text.begin(), text.end(), '=') > kMaxAttributes)
    refuse(kMaxAttributes, " equals signs at most");
  const pugi::xml_parse_result result = document_.load_buffer(
      text.data(), text.size(), pugi::parse_default | pugi::parse_trim_pcdata, pugi::encoding_utf8);
  if (result.status == pugi::status_out_of_memory)
    throw Error(ErrorCode::kLimit, "not enough memory for the XML");
  if (!result)
    throw Error(ErrorCode::kFormat, std::string("broken XML: ") + result.description(), {},
                "line " + std::to_string(line_of(result.offset)));
}

std::int64_t XmlTree::line_of(std::ptrdiff_t offset) const {
  const std::size_t end =
      std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0)), text_.size());
  return 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(end), '\n');
}

std::int64_t XmlTree::line(pugi::xml_node at) const { return line_of(at.offset_debug()); }

std::string child_text(pugi::xml_node parent, const char* name) {
  const pugi::xml_node child = parent.child(name);
  if (!child) throw Error(ErrorCode::kFormat, tag(parent.name()) + " has no " + tag(name));
  return std::string(trim(child.child_value()));
}

double child_number(pugi::xml_node parent, const char* name) {
  return read_real(child_text(parent, name), tag(name).c_str());
}

std::string attribute_text(pugi::xml_node element, const char* name) {
  const pugi::xml_attribute attribute = element.attribute(name);
  if (!attribute) throw Error(ErrorCode::kFormat, tag(element.name()) + " has no attribute " + name);
  return std::string(trim(attribute.value()));
}

double attribute_number(pugi::xml_node element, const char* name) {
  return read_real(attribute_text(element, name), name);
}

bool flag_of(const char* text, const char* name) {
  const std::string_view word = trim(text);
  if (word.empty() || word == "0") return false;
  if (word == "1") return true;
  throw Error(ErrorCode::kFormat, std::string(name) + ": " + shown(word) + " is neither 0 nor 1");
}

}  // namespace winnow
