#include <winnow/error.h>

#include "primitives/compact.h"

namespace winnow {

std::size_t compact_ref(std::span<const std::int64_t> windows, std::span<const std::uint64_t> mask,
                        std::span<std::int64_t> out) {
  if (mask.size() < (windows.size() + 63) / 64 || out.size() < windows.size()) {
    throw Error(ErrorCode::kUsage, "compaction needs a bit and a place for every window");
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    if ((mask[i / 64] >> (i % 64) & 1) != 0) out[kept++] = windows[i];
  }
  return kept;
}

}  // namespace winnow
