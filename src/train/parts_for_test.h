// Gives the parts of a pack in memory, for tests.
//
// In:     a pack, and the largest size of a part in bytes (0: one part).
// Out:    the bytes of each part, as `write_parts` gives them.
// Memory: the caller owns the parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "train/samples/pack_file.h"

namespace winnow::sample {

inline std::vector<std::vector<std::byte>> pack_parts(const Pack& pack, std::int64_t part_bytes) {
  std::vector<std::vector<std::byte>> parts;
  write_parts(pack, part_bytes, [&](std::uint32_t part, std::span<const std::byte> bytes) {
    if (part > parts.size()) parts.emplace_back();
    parts.back().insert(parts.back().end(), bytes.begin(), bytes.end());
  });
  return parts;
}

}  // namespace winnow::sample
