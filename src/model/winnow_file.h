// Winnow's own model file: a FlatBuffer (winnow_model.fbs) with the whole model: data, rules, card and notes.
//
// Reader: hostile bytes in, a model out that says what the file says; the caller checks it (`check_model`).
// The buffer is held to FlatBuffers' verifier first, counts are held to what is there before anything is
// built from them. A file of a newer version is kUnsupported. Writer: a checked model in, the same bytes for
// the same model always; exact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <winnow/cascade_model.h>

namespace winnow {

// What is read; models that say nothing new are written as version 1. Version 2: running sums and tables;
// 3: trees of LBP features after tables.
inline constexpr std::uint32_t kWinnowFileVersion = 3;
inline constexpr std::size_t kMaxWinnowBytes = std::size_t{128} << 20;

bool is_winnow_file(std::span<const std::byte> bytes);
CascadeModel read_winnow_file(std::span<const std::byte> bytes);
std::vector<std::byte> write_winnow_file(const CascadeModel& model);

}  // namespace winnow
