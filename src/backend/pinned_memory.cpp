// Pins memory through the backend with a device, as winnow/pinned.h declares; its opening comment holds here.
// Nothing is pinned without such a backend.
#include <winnow/pinned.h>

#include "backend/backend.h"

namespace winnow {

PinnedMemory::PinnedMemory(std::span<const std::byte> memory) {
  if (memory.empty()) return;
  for (const BackendTable& table : backend_tables()) {
    if (table.memory == nullptr || !table.why_not().empty()) continue;
    registered_ = table.memory->pin(memory.data(), memory.size());
    memory_ = memory;
    device_ = table.memory;
    return;
  }
}

PinnedMemory::~PinnedMemory() {
  if (held()) device_->unpin(memory_.data(), memory_.size(), registered_);
}

}  // namespace winnow
