// Makes integral planes of a grey picture: sums, squared sums, and sums over triangles tilted by 45 degrees.
//
// In:     a picture of w x h pixels p(x, y) (any stride).
// Out:    planes of (w + 1) x (h + 1) values:
//           sum(X, Y)    = sum of p(x, y) for x < X, y < Y
//           square(X, Y) = sum of p(x, y)^2 for x < X, y < Y
//           tilted(X, Y) = sum of p(x, y) for y < Y, |x - X + 1| <= Y - y - 1
// Exact:  values modulo 2^32. A window's sum is right if that sum itself fits in 32 bits.
// Memory: the caller owns picture and planes. Tilted sums allocate four rows of scratch in each call.
// Thread: any; a call uses one thread.
// Cost:   `integral_cpu` makes sums and squared sums in one pass, which is bound by its writes. Tilted sums
//         take a pass of their own.
#pragma once

#include <cstddef>
#include <cstdint>

#include <winnow/image.h>

namespace winnow {

using PlaneView = ImageView<std::uint32_t>;

// A plane whose `data` is null is not computed.
struct IntegralPlanes {
  PlaneView sum, square, tilted;
};

void integral_ref(GrayView picture, const IntegralPlanes& planes);
void integral_cpu(GrayView picture, const IntegralPlanes& planes);

}  // namespace winnow
