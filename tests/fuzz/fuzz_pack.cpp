// Fuzzes the reader and writer of packs with any bytes.
// The bytes are refused with an `Error`, or read. A pack that was read is written in one shard and in small
// shards, read again, and must be the same.
#include <winnow/error.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "train/samples/pack_file.h"
#include "train/samples/pack_stream.h"
#include "train/shards_for_test.h"

namespace {

void require(bool good) {
  if (!good) std::abort();
}

winnow::Pack again(const winnow::Pack& pack, std::int64_t shard_bytes) {
  const auto shards = winnow::sample::pack_shards(pack, shard_bytes);
  std::vector<winnow::NamedBytes> files;
  for (const auto& shard : shards) files.insert(files.begin(), {"part", shard});
  return winnow::parse_pack(files);
}

void require_same(const winnow::Pack& a, const winnow::Pack& b) {
  require(a.window == b.window && a.positives == b.positives && a.names == b.names && a.recipe == b.recipe);
  require(a.color == b.color && a.colors == b.colors);
  require(a.negatives.size() == b.negatives.size());
  for (std::size_t i = 0; i < a.negatives.size(); ++i) {
    const auto &left = a.negatives[i], &right = b.negatives[i];
    require(left.name == right.name && left.size == right.size && left.file == right.file);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
  winnow::Pack pack;
  try {
    // The bytes are tried as a bare stream first, because no mutation gets past a CRC.
    pack = winnow::parse_pack_stream({bytes});
  } catch (const winnow::Error&) {
    try {
      pack = winnow::parse_pack({{"fuzz", bytes}});
    } catch (const winnow::Error&) {
      return 0;
    }
  }
  require_same(again(pack, 0), pack);
  require_same(again(pack, 4096), pack);
  return 0;
}
