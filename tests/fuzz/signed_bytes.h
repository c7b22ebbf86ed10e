// Makes Winnow's own bytes of any bytes: puts magic, version and the right checksum before them.
//
// In:     the four letters of the magic; the bytes behind the head; the version, up to 255.
// Out:    bytes whose head no reader refuses.
// Memory: the caller owns the bytes.
// Thread: any.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/crc32.h"

inline std::vector<std::byte> signed_bytes(std::string_view magic, std::span<const std::byte> body,
                                           int version = 1) {
  std::vector<std::byte> bytes(12 + body.size());
  for (std::size_t i = 0; i < 4; ++i) bytes[i] = static_cast<std::byte>(magic[i]);
  bytes[4] = static_cast<std::byte>(version);
  const std::uint32_t sum = winnow::crc32(body);
  for (std::size_t i = 0; i < 4; ++i) bytes[8 + i] = static_cast<std::byte>(sum >> (8 * i) & 255);
  std::copy(body.begin(), body.end(), bytes.begin() + 12);
  return bytes;
}
