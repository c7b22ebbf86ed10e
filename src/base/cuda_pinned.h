// Which of the host's memory devices reach by themselves: what `PinnedMemory` holds. Any thread may ask.
#pragma once

#include <cstddef>

namespace winnow {

bool is_pinned(const void* memory, std::size_t bytes);

// True: pinned now; false: it was before. What cannot be pinned: kDevice.
bool pin_memory(const void* memory, std::size_t bytes);
// `registered`: what `pin_memory` said.
void unpin_memory(const void* memory, std::size_t bytes, bool registered) noexcept;

}  // namespace winnow
