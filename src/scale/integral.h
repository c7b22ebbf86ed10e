// Integral sums of a grey picture: sums, squared sums and sums over triangles turned by 45 degrees.
// In: a picture of w x h. Out: planes of (w + 1) x (h + 1) values, modulo 2^32 (a window's sum comes out
// right as long as it fits in 32 bits itself). exact.
//   sum(X, Y)    = sum of p(x, y) for x < X, y < Y            (`square`: of p * p)
//   tilted(X, Y) = sum of p(x, y) for y < Y, |x - X + 1| <= Y - y - 1
// The caller owns the planes. One pass over the picture; the cpu form is bound by what it writes.
#pragma once

#include <cstddef>
#include <cstdint>

#include <winnow/image.h>

namespace winnow {

using PlaneView = ImageView<std::uint32_t>;

// A plane with data == nullptr is not computed.
struct IntegralPlanes {
  PlaneView sum, square, tilted;
};

void integral_ref(GrayView picture, const IntegralPlanes& planes);
void integral_cpu(GrayView picture, const IntegralPlanes& planes);

}  // namespace winnow
