// Divides and takes square roots without branches, for the gradients of pixels.
//
// In:     the numbers that `gradient_vote` computes from differences of pixels.
// Out:    the results of `IeeeMath`. The test HogCuda.QuickMathIsIeee compares both for every pair of
//         differences.
// Exact:  the same bits as `IeeeMath` for these numbers; for other numbers the last bit may differ.
// Memory: none.
// Thread: device code.
// Cost:   half the instructions of `IeeeMath`. Without branches the compiler works on several pixels at once.
//
// nvcc's own division and square root take the same steps, but first check for very large and small numbers.
#pragma once

#include <cuda_runtime.h>

namespace winnow {

struct HogQuickMath {
  __device__ static float divide(float a, float b) {
    float near;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(near) : "f"(b));
    near = __fmaf_rn(near, __fmaf_rn(-b, near, 1.f), near);
    const float quotient = a * near;
    return __fmaf_rn(near, __fmaf_rn(-b, quotient, a), quotient);
  }
  __device__ static float root(float a) {
    float near;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(near) : "f"(a));
    const float root = a * near;
    return a > 0 ? __fmaf_rn(0.5f * near, __fmaf_rn(-root, root, a), root) : 0.f;
  }
};

}  // namespace winnow
