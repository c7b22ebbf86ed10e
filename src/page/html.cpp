#include "page/html.h"

#include <algorithm>

namespace winnow {
namespace {

constexpr const char* kBeforeTitle = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>)";
constexpr const char* kBeforeHeadline = R"(</title>
<style>
:root { color-scheme: light dark; }
body { font: 15px/1.5 sans-serif; max-width: 1180px; margin: 0 auto; padding: 1rem 1.2rem 3rem;
       background: Canvas; color: CanvasText; }
h1 { font-size: 1.5rem; margin: .4rem 0; }
h2 { font-size: 1.15rem; margin: 2rem 0 .6rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .4rem; }
p { margin: .4rem 0; max-width: 75ch; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .25rem .5rem; text-align: right; border-bottom: 1px solid #8886; white-space: nowrap; }
.name { text-align: left; padding-left: 0; }
.group { text-align: center; }
thead th { vertical-align: bottom; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 500px), 1fr)); gap: 1.4rem; }
.plots figure { margin: 0; }
.plots svg { display: block; width: 100%; max-width: 640px; height: auto; }
figcaption { font-size: .85rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 0; }
dt { font-weight: 600; }
dd { margin: 0; overflow-wrap: anywhere; }
.thumbs { display: grid; grid-template-columns: repeat(auto-fill, minmax(112px, 1fr)); gap: .7rem; }
.thumbs figure { margin: 0; }
.thumbs div { position: relative; }
.thumbs img { display: block; width: 100%; height: auto; }
.thumbs i { position: absolute; box-sizing: border-box; border: 2px solid #ffd23f; outline: 1px solid #000a; }
.thumbs figcaption { font-size: .75rem; line-height: 1.3; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.frames { grid-template-columns: repeat(auto-fill, minmax(200px, 1fr)); }
.frames figcaption { white-space: normal; padding-top: .2rem; }
.frames i b { position: absolute; left: 0; top: 0; padding: 0 3px; font: 600 11px/1.2 sans-serif; background: #ffd23f;
              color: #000; }
.frames .away { border-style: dashed; }
</style>
</head>
<body>
<h1>)";

}  // namespace

std::string xml_text(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string path_link(std::string_view path) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-._~";
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string link;
  for (const char c : path) {
    if (kPlain.find(c) != std::string_view::npos) {
      link += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    link += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return link;
}

std::string base64(std::span<const std::byte> bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(bytes.size() - i, 3);
    unsigned triple = 0;
    for (std::size_t k = 0; k < 3; ++k)
      triple = triple << 8 | (k < left ? std::to_integer<unsigned>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= left ? kDigits[triple >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string page_head(const std::string& title) {
  return kBeforeTitle + title + kBeforeHeadline + title + "</h1>\n";
}

std::string page_end() { return "</body>\n</html>\n"; }

}  // namespace winnow
