// Writes and reads the bytes of a pack.
//
// In:     a pack and the size of shards; or the bytes of files, which are hostile input.
// Out:    bytes for a sink; or a pack. kFormat if bytes are damaged or cut off. kUnsupported for another
//         version. kUsage if a shard is missing or given twice, or if packs have different windows.
// Exact:  the pack that is read equals the pack that was written.
// Memory: writing does not copy the pack: it holds one chunk at a time, which the sink borrows for its call.
//         Reading owns the pack it returns, and keeps nothing of the files. Sizes are checked against the
//         bytes that exist before memory is allocated.
// Thread: any.
//
// A pack is one stream of bytes: window, recipe, names, pixels, pictures. A pack with colours is of version
// 2: its stream ends with the number of channels, and the colours. The stream is cut into shards. A file is
// one shard, or several shards one after the other. All numbers are little-endian. A shard has a head: its
// number, the number of shards, the pack's id (a hash of the stream), and its range in the stream. The
// shard's bytes follow in chunks of 1 MiB, each with its CRC-32.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <winnow/pack.h>

namespace winnow {

// Cuts a pack into shards of at most `shard_bytes` bytes; 0 makes one shard. kUsage for shards of less than
// 4096 bytes, for more than 10,000 shards, and for a pack that could not be read again. The sink gets the
// bytes in order, at most a chunk and its CRC at a time, with the shard's number counted from 1.
using ShardSink = std::function<void(std::uint32_t shard, std::span<const std::byte> bytes)>;
void write_shards(const Pack& pack, std::int64_t shard_bytes, const ShardSink& sink);

struct NamedBytes {
  std::string name;  // for errors
  std::span<const std::byte> bytes;
};
// Reads all packs in these files. Shards may come in any order. Packs with the same window become one pack,
// in the order of their first shards in the files.
Pack parse_pack(const std::vector<NamedBytes>& files);

// Number of shards of the pack that the file's first shard belongs to.
std::uint32_t shards_of(const NamedBytes& file);

}  // namespace winnow
