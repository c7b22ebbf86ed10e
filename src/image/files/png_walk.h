// Finds the end of a PNG in a stream.
//
// In:     a reader that stands at the first byte of a PNG.
// Out:    the bytes of one whole PNG. kFormat if the PNG is cut off or is none, kLimit above `max_bytes`.
// Exact:  the bytes are copied unchanged.
// Memory: the bytes belong to the caller. A chunk's claimed length allocates nothing.
// Thread: one thread at a time for a reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace winnow {

class ByteReader;

// Takes one PNG, from its first byte to the end of its last chunk. Checksums are left for the decoder to judge.
std::vector<std::byte> take_png(ByteReader& reader, std::int64_t max_bytes);

}  // namespace winnow
