// The bytes of a pack. A pack is one stream of bytes (window, names, pixels, pictures, recipe), cut into
// parts; a file is a part, or parts one behind the other. A part says which of how many it is, of which pack
// (a hash of the stream) and which bytes of the stream it holds; they follow in blocks of 1 MiB, each with
// its CRC-32. All numbers are little-endian. What is read is hostile: sizes are held against the bytes that
// are there before memory is asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <winnow/pack.h>

namespace winnow {

// Parts of at most this many bytes each; 0: one part. kUsage if they would be too small or too many. The sink
// gets their bytes in order, at most a little more than a block at a time, with the number of the part,
// counted from 1: the pack is not copied.
using PartSink = std::function<void(std::uint32_t part, std::span<const std::byte> bytes)>;
void write_parts(const Pack& pack, std::int64_t part_bytes, const PartSink& sink);

struct NamedBytes {
  std::string name;  // for errors
  std::span<const std::byte> bytes;
};
Pack parse_pack(const std::vector<NamedBytes>& files);
// The stream inside, in pieces.
Pack parse_pack_stream(const std::vector<std::span<const std::byte>>& pieces);

// How many parts the pack has that these bytes begin a part of.
std::uint32_t parts_of(const NamedBytes& file);

}  // namespace winnow
