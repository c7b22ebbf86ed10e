#include <winnow/error.h>

#include "primitives/scan.h"

namespace winnow {
namespace {

std::uint32_t scan(std::span<const std::uint32_t> in, std::span<std::uint32_t> out, bool inclusive) {
  if (in.size() != out.size()) throw Error(ErrorCode::kUsage, "a scan gives as many numbers as it is given");
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::uint32_t before = sum;
    sum += in[i];
    out[i] = inclusive ? sum : before;
  }
  return sum;
}

}  // namespace

std::uint32_t inclusive_scan_ref(std::span<const std::uint32_t> in, std::span<std::uint32_t> out) {
  return scan(in, out, true);
}
std::uint32_t exclusive_scan_ref(std::span<const std::uint32_t> in, std::span<std::uint32_t> out) {
  return scan(in, out, false);
}

}  // namespace winnow
