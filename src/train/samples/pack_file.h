// Writes and reads the bytes of a pack.
//
// In:     a pack and the size of parts; or the bytes of files, which are hostile input.
// Out:    bytes for a sink; or a pack. kFormat if bytes are damaged or cut off. kUnsupported for another
//         version. kUsage if a part is missing or given twice, or if packs have different windows.
// Exact:  the pack that is read equals the pack that was written.
// Memory: writing does not copy the pack: it holds one block at a time. Reading owns the pack it returns.
//         Sizes are checked against the bytes that are there before memory is allocated.
// Thread: any.
//
// A pack is one stream of bytes: window, recipe, names, pixels, pictures. A pack with colours is of version
// 2: its stream ends with the number of channels, and the colours. The stream is cut into parts. A file is
// one part, or several parts one after the other. All numbers are little-endian. A part has a head: its
// number, the number of parts, the pack (a hash of the stream), and its range in the stream. The bytes follow
// in blocks of 1 MiB, each with its CRC-32.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <winnow/pack.h>

namespace winnow {

// Cuts a pack into parts of at most `shard_bytes` bytes; 0 makes one part. kUsage for parts of less than 4096
// bytes, for more than 10,000 parts, and for a pack that could not be read again. The sink gets the bytes in
// order, at most a block and its CRC at a time, with the part's number counted from 1.
using ShardSink = std::function<void(std::uint32_t shard, std::span<const std::byte> bytes)>;
void write_shards(const Pack& pack, std::int64_t shard_bytes, const ShardSink& sink);

struct NamedBytes {
  std::string name;  // for errors
  std::span<const std::byte> bytes;
};
// Reads all packs in these files. Parts may come in any order. Several packs of one window become one pack,
// in the order in which the packs are met.
Pack parse_pack(const std::vector<NamedBytes>& files);

// Number of parts of the pack that the file's first part belongs to.
std::uint32_t shards_of(const NamedBytes& file);

}  // namespace winnow
