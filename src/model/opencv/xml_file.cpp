#include "model/opencv/xml_file.h"

#include <algorithm>
#include <cstring>

#include "base/clean_text.h"

namespace winnow {
namespace {

// pugixml takes 64 bytes for an element or a piece of text, and 40 for an attribute. A real model of 64 MiB
// stays below these limits.
constexpr std::size_t kMaxXmlNodes = std::size_t{8} << 20;
constexpr std::ptrdiff_t kMaxAttributes = std::ptrdiff_t{2} << 20;
constexpr const char* kSpace = " \t\r\n";

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

// Returns an upper bound of the number of pugixml's nodes. Counts everything that opens with '<', and each
// text after a '>'.
std::size_t count_nodes(std::string_view text) {
  std::size_t nodes = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<' && i + 1 < text.size() && text[i + 1] != '/') ++nodes;
    if (text[i] != '>') continue;
    const std::size_t next = text.find_first_not_of(kSpace, i + 1);
    if (next == std::string_view::npos) break;
    if (text[next] != '<') ++nodes;
    i = next - 1;
  }
  return nodes;
}

bool is_text(pugi::xml_node node) {
  return node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata;
}

}  // namespace

void check_xml_size(std::string_view text) {
  const auto refuse = [](std::size_t most, const char* what) {
    throw Error(ErrorCode::kLimit, std::string("an XML cascade may have ") + std::to_string(most) + what);
  };
  if (text.size() > kMaxXmlBytes) refuse(kMaxXmlBytes, " bytes at most");
  if (count_nodes(text) > kMaxXmlNodes) refuse(kMaxXmlNodes, " elements and pieces of text at most");
  if (std::count(text.begin(), text.end(), '=') > kMaxAttributes)
    refuse(kMaxAttributes, " equals signs at most");
}

XmlFile::XmlFile(std::span<const std::byte> bytes)
    : source_(reinterpret_cast<const char*>(bytes.data()), bytes.size()) {
  check_xml_size(source_);
  if (const std::size_t zero = source_.find('\0'); zero != std::string_view::npos) {
    fail_at(static_cast<std::ptrdiff_t>(zero), "a zero byte, which XML does not allow");
  }
  buffer_.assign(source_.begin(), source_.end());
  // pugixml changes nothing in place, so every offset in the buffer is an offset in the source.
  const pugi::xml_parse_result result =
      document_.load_buffer_inplace(buffer_.data(), buffer_.size(), pugi::parse_cdata, pugi::encoding_utf8);
  if (result.status == pugi::status_out_of_memory)
    throw Error(ErrorCode::kLimit, "not enough memory for the XML");
  if (!result) fail_at(result.offset, std::string("broken XML: ") + result.description());
  root_ = document_.document_element();
}

void XmlFile::fail_at(std::ptrdiff_t offset, const std::string& sentence, ErrorCode code) const {
  if (offset < 0) throw Error(code, sentence);
  const std::size_t end = std::min(static_cast<std::size_t>(offset), source_.size());
  const std::string_view before = source_.substr(0, end);
  const std::string line = std::to_string(1 + std::count(before.begin(), before.end(), '\n'));
  throw Error(code, sentence, {}, "line " + line + ", byte " + std::to_string(end));
}

void XmlFile::fail(pugi::xml_node at, const std::string& sentence, ErrorCode code) const {
  const std::ptrdiff_t offset = at.offset_debug();
  if (offset < 0) throw Error(code, sentence);
  const std::string_view before = source_.substr(0, static_cast<std::size_t>(offset));
  throw Error(code, sentence, {},
              std::string("line ") + std::to_string(1 + std::count(before.begin(), before.end(), '\n')));
}

pugi::xml_node XmlFile::find(pugi::xml_node parent, const char* name) const {
  const pugi::xml_node first = parent.child(name);
  if (const pugi::xml_node second = first.next_sibling(name)) {
    fail(second, std::string("a second <") + name + "> in the same element");
  }
  return first;
}

pugi::xml_node XmlFile::require(pugi::xml_node parent, const char* name) const {
  const pugi::xml_node child = find(parent, name);
  if (!child) fail(parent, std::string("<") + name + "> is missing in " + quoted_text(parent.name()));
  return child;
}

pugi::xml_node XmlFile::list_item(pugi::xml_node node) const {
  if (!node) return node;
  if (node.type() != pugi::node_element) fail(node, "text where a list of <_> is expected");
  if (std::strcmp(node.name(), "_") != 0)
    fail(node, quoted_text(node.name()) + " where a list of <_> is expected");
  return node;
}

std::string XmlFile::text(pugi::xml_node element) const {
  std::string all;
  for (const pugi::xml_node child : element.children()) {
    if (!is_text(child)) fail(child, quoted_text(child.name()) + " where text is expected");
    all += child.value();
  }
  return std::string(trim(all));
}

std::string_view XmlFile::leading_comment() const {
  pugi::xml_node first = root_;
  for (const pugi::xml_node child : root_.children()) {
    if (child.type() != pugi::node_element) continue;
    first = child;
    break;
  }
  const std::ptrdiff_t end = first.offset_debug();
  if (end < 0) return {};
  const std::string_view head = source_.substr(0, static_cast<std::size_t>(end));
  const std::size_t open = head.find("<!--");
  const std::size_t close = head.find("-->", open == std::string_view::npos ? 0 : open + 4);
  if (open == std::string_view::npos || close == std::string_view::npos) return {};
  return trim(head.substr(open + 4, close - open - 4));
}

XmlNumbers::XmlNumbers(const XmlFile& file, pugi::xml_node element)
    : file_(file), element_(element), chunk_(element.first_child()) {
  if (chunk_) {
    if (!is_text(chunk_)) file_.fail(chunk_, quoted_text(chunk_.name()) + " where numbers are expected");
    rest_ = chunk_.value();
  }
  advance();
}

void XmlNumbers::advance() {
  for (;;) {
    const std::size_t first = rest_.find_first_not_of(kSpace);
    if (first != std::string_view::npos) {
      rest_.remove_prefix(first);
      token_ = rest_.substr(0, rest_.find_first_of(kSpace));
      rest_.remove_prefix(token_.size());
      return;
    }
    token_ = rest_ = {};
    if (chunk_) chunk_ = chunk_.next_sibling();  // a comment splits the text in two
    if (!chunk_) return;
    if (!is_text(chunk_)) file_.fail(chunk_, quoted_text(chunk_.name()) + " where numbers are expected");
    rest_ = chunk_.value();
  }
}

void XmlNumbers::refuse(const std::string& problem) const {
  const std::ptrdiff_t chunk = chunk_.offset_debug();
  const std::string sentence = quoted_text(token_) + " " + problem;
  if (chunk < 0) file_.fail(element_, sentence);
  file_.fail_at(chunk + (token_.data() - chunk_.value()), sentence);
}

void XmlNumbers::expect_end() const {
  if (!at_end()) refuse(std::string("is one number too many in <") + element_.name() + ">");
}

}  // namespace winnow
