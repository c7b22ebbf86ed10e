// Pins host memory, which devices then read directly, and says whether memory is pinned.
//
// In:     a range of host memory.
// Out:    `is_pinned` says whether the range lies inside one range that was given to `pin_memory`.
// Memory: the caller owns the memory, and unpins each range once before freeing it.
// Thread: any.
#pragma once

#include <cstddef>

namespace winnow {

bool is_pinned(const void* memory, std::size_t bytes);

// Returns true if this call pinned the range, false if all of it was pinned before. kDevice if the system
// refuses.
bool pin_memory(const void* memory, std::size_t bytes);
// `registered`: the return value of `pin_memory`.
void unpin_memory(const void* memory, std::size_t bytes, bool registered) noexcept;

}  // namespace winnow
