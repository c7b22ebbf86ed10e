// Finds the end of a JPEG in a stream.
//
// In:     a reader that stands at the first byte of a JPEG, or behind its first two bytes.
// Out:    the bytes of one whole JPEG. kFormat if the JPEG is cut off or broken, kLimit above `max_bytes`.
// Exact:  the bytes are copied unchanged.
// Memory: the bytes belong to the caller.
// Thread: one thread at a time for a reader.
//
// Segments are walked by length and scans by markers. A thumbnail in a segment, a stuffed byte or a restart
// marker is therefore not taken for the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace winnow {

class ByteReader;

// Takes one JPEG, from its first byte to its end marker. The caller sets `begun` if the first two bytes were
// read already. If a second JPEG cuts this one off, `take_jpeg` throws kFormat and sets `begun`: the first
// two bytes of the second JPEG were read. In all other cases `begun` is false afterwards.
std::vector<std::byte> take_jpeg(ByteReader& reader, std::int64_t max_bytes, bool& begun);

}  // namespace winnow
