#include "scale/integral.h"
namespace winnow {
void integral_cpu(GrayView p, const IntegralPlanes& q) { integral_ref(p, q); }
}  // namespace winnow
