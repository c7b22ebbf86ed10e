// Gives the elements that all of Winnow's pages have.
//
// In:     text as UTF-8, or bytes.
// Out:    HTML that is readable on light and dark ground. A page is one file with its styles and pictures
//         inside, without scripts or references.
// Exact:  the same text for the same input.
// Memory: text is a new string.
// Thread: any.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace winnow {

// Escapes text for XML and HTML, between tags and in attributes. Control characters and invalid UTF-8 stay as
// they are; `clean_text` replaces them.
std::string xml_text(std::string_view text);
// A path as the address of a link: each byte but letters, digits and "/-._~" is escaped.
std::string path_link(std::string_view path);
// The bytes as text in Base64, for data: URIs.
std::string base64(std::span<const std::byte> bytes);

// The page from the doctype to the headline. `title` must be escaped already. The page's styles have the
// classes `wide` (scrolls), `plots`, `thumbs`, `name` and `group`. With `frames`, `thumbs` are larger, boxes
// have numbers, and a box of the class `away` is dashed.
std::string page_head(const std::string& title);
std::string page_end();

}  // namespace winnow
