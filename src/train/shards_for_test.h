// Writes the shards of a pack to memory, for tests.
//
// In:     a pack, and the largest size of a shard in bytes (0: one shard).
// Out:    the bytes of each shard, as `write_shards` gives them.
// Memory: the caller owns the shards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "train/samples/pack_file.h"

namespace winnow::sample {

inline std::vector<std::vector<std::byte>> pack_shards(const Pack& pack, std::int64_t shard_bytes) {
  std::vector<std::vector<std::byte>> shards;
  write_shards(pack, shard_bytes, [&](std::uint32_t shard, std::span<const std::byte> bytes) {
    if (shard > shards.size()) shards.emplace_back();
    shards.back().insert(shards.back().end(), bytes.begin(), bytes.end());
  });
  return shards;
}

}  // namespace winnow::sample
