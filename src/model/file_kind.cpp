#include "model/file_kind.h"

#include <algorithm>
#include <string_view>

namespace winnow {
namespace {

std::string_view head_of(std::span<const std::byte> bytes) {
  constexpr std::size_t kEnough = 512;
  return {reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), kEnough)};
}

// The text without a byte order mark and leading white space.
std::string_view text_of(std::span<const std::byte> bytes) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

bool starts_without_case(std::string_view text, std::string_view lower_words) {
  if (text.size() < lower_words.size()) return false;
  return std::equal(lower_words.begin(), lower_words.end(), text.begin(), [](char low, char c) {
    return low == c || (c >= 'A' && c <= 'Z' && low == c - 'A' + 'a');
  });
}

bool is_html(std::string_view text) {
  return starts_without_case(text, "<!doctype html") || starts_without_case(text, "<html");
}

struct Signature {
  std::string_view bytes;
  const char* words;
};

constexpr Signature kSignatures[] = {
    {"\xff\xd8\xff", "a JPEG picture"},
    {"\x89PNG", "a PNG picture"},
    {"GIF8", "a GIF picture"},
    {"RIFF", "a RIFF file (WebP, AVI or WAV)"},
    {"\x1f\x8b", "gzip-compressed data (unpack it first)"},
    {"BZh", "bzip2-compressed data (unpack it first)"},
    {"\xfd"
     "7zXZ",
     "xz-compressed data (unpack it first)"},
    {"\x28\xb5\x2f\xfd", "zstd-compressed data (unpack it first)"},
    {"PK\x03\x04", "a ZIP archive (unpack it first)"},
    {"%PDF", "a PDF document"},
    {"\x7f"
     "ELF",
     "a program"},
    {"%YAML", "YAML"},
    {"version https://git-lfs", "a Git LFS pointer, not the file that it stands for"},
    {"\xff\xfe", "UTF-16 text (UTF-8 is needed)"},
    {"\xfe\xff", "UTF-16 text (UTF-8 is needed)"},
};

}  // namespace

bool is_probably_xml(std::span<const std::byte> bytes) {
  const std::string_view text = text_of(bytes);
  return text.starts_with('<') && !is_html(text);
}

bool is_probably_yaml(std::span<const std::byte> bytes) {
  const std::string_view text = text_of(bytes);
  return text.starts_with("%YAML") || text.starts_with("---") || text.starts_with('{');
}

std::string describe_bytes(std::span<const std::byte> bytes) {
  if (bytes.empty()) return "an empty file";
  const std::string_view head = head_of(bytes);
  for (const Signature& signature : kSignatures) {
    if (head.starts_with(signature.bytes)) return signature.words;
  }
  if (head.size() > 2 && head[0] == 'P' && head[1] >= '1' && head[1] <= '6' &&
      std::string_view(" \t\r\n").find(head[2]) != std::string_view::npos) {
    return "a PNM picture";
  }
  const std::string_view text = text_of(bytes);
  if (text.empty()) return "nothing but white space";
  if (text.starts_with('{') || text.starts_with('[')) return "JSON";
  if (text.starts_with("%YAML")) return "YAML";
  if (is_html(text)) return "an HTML page, perhaps a download that went wrong";
  return "no kind of file that is known here";
}

}  // namespace winnow
