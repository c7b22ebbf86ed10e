// The bytes of a pack. A pack is one stream of bytes (window, names, pixels, pictures, recipe), cut into
// parts; a file is a part, or parts one behind the other. A part says which of how many it is, of which pack
// (a hash of the stream) and which bytes of the stream it holds; they follow in blocks of 1 MiB, each with
// its CRC-32. All numbers are little-endian. What is read is hostile: sizes are held against the bytes that
// are there before memory is asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <winnow/pack.h>

namespace winnow {

// At most this many bytes each; 0: one part. kUsage if the parts would be too small or too many.
std::vector<std::vector<std::byte>> pack_parts(const Pack& pack, std::int64_t part_bytes);

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
