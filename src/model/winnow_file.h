// Reads and writes Winnow's own model file: a FlatBuffer (winnow_model.fbs) with data, rules, card and notes.
//
// In:     hostile bytes for the reader; a checked model for the writer.
// Out:    a model that says what the file says, for the caller to check (`check_model`); or the bytes of a
//         file. The reader throws kFormat for broken bytes, kUnsupported for a newer version or an unknown
//         score, and kLimit for counts and sizes beyond the limits here and in `check.h`.
// Exact:  a model reads back unchanged, and the same model always gives the same bytes.
// Memory: results belong to the caller. FlatBuffers' verifier comes first. No count allocates more than the
//         file holds or a limit allows.
// Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <winnow/cascade_model.h>

namespace winnow {

// The newest version that is read. Version 2 added running sums and tables, version 3 trees of LBP features
// after tables. A model without them is written as version 1.
inline constexpr std::uint32_t kWinnowFileVersion = 3;
inline constexpr std::size_t kMaxWinnowBytes = std::size_t{128} << 20;  // of a file that is read

bool is_winnow_file(std::span<const std::byte> bytes);
CascadeModel read_winnow_file(std::span<const std::byte> bytes);
std::vector<std::byte> write_winnow_file(const CascadeModel& model);

}  // namespace winnow
