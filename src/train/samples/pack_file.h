// Writes and reads the bytes of a pack.
//
// In:     to write: a pack and the size of shards. To read: the bytes of files, which are hostile input.
// Out:    writing: bytes, given to a sink. Reading: a pack. kFormat if bytes are damaged or cut off.
//         kUnsupported for an unknown version of the format. kUsage if a shard is missing or given twice, or
//         if packs differ in their windows or in having colours.
// Exact:  the pack that is read equals the pack that was written.
// Memory: writing does not copy the pack. One chunk is in memory at a time, and the sink may read the chunk
//         only during its call. The caller owns the pack that reading returns; the pack refers to no file.
//         Before memory is allocated, sizes are checked against the bytes that exist.
// Thread: any.
//
// A pack is one stream of bytes: window, recipe, names, pixels, pictures. A pack with colours has version 2,
// and its stream ends with the number of channels and the colours. The stream is cut into shards. A file is
// one shard, or several shards one after the other. All numbers are little-endian. A shard begins with a
// head: the shard's number, the number of shards, the pack's id (a hash of the stream), and the shard's range
// in the stream. The shard's bytes follow in chunks of 1 MiB, each with its CRC-32.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <winnow/pack.h>

namespace winnow {

// Cuts a pack into shards of at most `shard_bytes` bytes; 0 makes one shard. The sink gets the bytes in
// order, at most a chunk and its CRC at a time, and the shard's number, counted from 1. kUsage for shards of
// less than 4096 bytes, for more than 10,000 shards, and for a pack that could not be read again.
using ShardSink = std::function<void(std::uint32_t shard, std::span<const std::byte> bytes)>;
void write_shards(const Pack& pack, std::int64_t shard_bytes, const ShardSink& sink);

struct NamedBytes {
  std::string name;  // the file's name, for errors
  std::span<const std::byte> bytes;
};
// Reads all packs in these files and joins them, in the order of their first shards in the files. The shards
// of a pack may come in any order.
Pack parse_pack(const std::vector<NamedBytes>& files);

// Finds the pack of the file's first shard, and returns how many shards this pack has.
std::uint32_t shards_of(const NamedBytes& file);

}  // namespace winnow
