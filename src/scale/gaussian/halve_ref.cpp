// Halves a picture in plain loops, as scale/gaussian/halve.h declares; its opening comment holds here.
#include "scale/gaussian/halve.h"

namespace winnow {

void halve_ref(GrayView source, ImageView<std::uint8_t> target, HalveRow&) {
  for (int y = 0; y < target.height; ++y) {
    for (int x = 0; x < target.width; ++x) {
      std::uint32_t across[kHalveTaps];
      for (int j = 0; j < kHalveTaps; ++j) {
        const std::uint8_t* row = source.row(mirrored(2 * y + j - kHalveRadius, source.height));
        const auto pixel = [&](int i) -> std::uint32_t {
          return row[mirrored(2 * x + i - kHalveRadius, source.width)];
        };
        across[j] = halve_sum(pixel(0), pixel(1), pixel(2), pixel(3), pixel(4));
      }
      target.row(y)[x] = halve_round(halve_sum(across[0], across[1], across[2], across[3], across[4]));
    }
  }
}

}  // namespace winnow
