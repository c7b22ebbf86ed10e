// Compares products of patches with plain sums, on every SIMD target.
#include "track/tld/sift/patch_product.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/simd.h"
#include "base/simd_for_test.h"

namespace winnow {
namespace {

TEST(PatchProduct, IsThePlainSum) {
  const sample::GiveTargetBack give_back;
  for (const std::string& target : simd_targets()) {
    simd_force(target);
    Random random(6);
    for (int round = 0; round < 50; ++round) {
      ObjectPatch a, b;
      // Bright patches have the largest sums.
      for (std::uint8_t& pixel : a.pixels)
        pixel = static_cast<std::uint8_t>(round == 0 ? 255 : random.below(256));
      for (std::uint8_t& pixel : b.pixels)
        pixel = static_cast<std::uint8_t>(round == 0 ? 255 : random.below(256));
      std::int32_t sum = 0;
      for (std::size_t i = 0; i < a.pixels.size(); ++i) sum += a.pixels[i] * b.pixels[i];
      ASSERT_EQ(patch_product(a, b), sum) << target << ", round " << round;
    }
  }
}

}  // namespace
}  // namespace winnow
