// Where a JPEG ends in a stream: segments are walked by their lengths and scans by their markers, so that a
// thumbnail inside a segment, stuffed bytes or restart markers are not taken for the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace winnow {

class ByteReader;

// One whole JPEG, from its first byte to its end marker. kFormat where it is cut off or goes wrong, kLimit if
// it has more than `max_bytes`. `begun`: its first two bytes were read already; true afterwards if it is cut
// off by another, whose first two bytes were read then.
std::vector<std::byte> take_jpeg(ByteReader& reader, std::int64_t max_bytes, bool& begun);

}  // namespace winnow
