// Describes the bytes of a file in words, for the error about a file that is no model.
//
// In:     the bytes of a file, not copied.
// Out:    words for a sentence.
// Memory: the words are a new string.
// Thread: any.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace winnow {

// True if the first character behind white space and a byte order mark is '<', and the text is not HTML.
bool is_probably_xml(std::span<const std::byte> bytes);
// True if the text begins as OpenCV's YAML or JSON does: with "%YAML", "---" or '{'.
bool is_probably_yaml(std::span<const std::byte> bytes);
// "an empty file", "a JPEG picture", "gzip-compressed data", ..., "no kind of file that is known here".
std::string describe_bytes(std::span<const std::byte> bytes);

}  // namespace winnow
