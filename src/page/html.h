// What the pages that Winnow writes have in common: one file each, with styles and pictures inside, readable
// on light and dark ground, without scripts or references.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace winnow {

// Fit to stand in XML and HTML, between tags and in attributes.
std::string xml_text(std::string_view text);
// For data: URIs.
std::string base64(std::span<const std::byte> bytes);

// From the doctype to the headline; `title` is fit for HTML. Classes: `wide` (scrolls), `plots`, `thumbs`,
// `name`.
std::string page_head(const std::string& title);
std::string page_end();

}  // namespace winnow
