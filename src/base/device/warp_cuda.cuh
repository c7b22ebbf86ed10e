// Joins the values of a warp's lanes: their sum, minimum, maximum or exclusive or.
//
// In:     a 32-bit whole number from each of the 32 lanes, which all call a function together.
// Out:    the same result in every lane.
// Exact:  sums wrap modulo 2^32, so the order does not matter.
// Thread: device code.
// Cost:   one instruction from compute capability 8.0 on, five shuffles on older devices.
#pragma once

#include <cuda_runtime.h>

namespace winnow {

// `at_once` calls the instruction of newer devices. Its parameter has the type `auto`, so that the call is
// not compiled for older devices.
template <class Value, class AtOnce, class Join>
__device__ Value join_lanes(Value value, AtOnce at_once, Join join) {
  static_assert(sizeof(Value) == 4);
#if __CUDA_ARCH__ >= 800
  return at_once(value);
#else
#pragma unroll
  for (int step = 16; step > 0; step /= 2) value = join(value, __shfl_xor_sync(~0u, value, step));
  return value;
#endif
}

template <class Value>
__device__ Value warp_sum(Value value) {
  return join_lanes(
      value, [](auto own) { return __reduce_add_sync(~0u, own); }, [](Value a, Value b) { return a + b; });
}

template <class Value>
__device__ Value warp_min(Value value) {
  return join_lanes(
      value, [](auto own) { return __reduce_min_sync(~0u, own); },
      [](Value a, Value b) { return min(a, b); });
}

template <class Value>
__device__ Value warp_max(Value value) {
  return join_lanes(
      value, [](auto own) { return __reduce_max_sync(~0u, own); },
      [](Value a, Value b) { return max(a, b); });
}

template <class Value>
__device__ Value warp_xor(Value value) {
  return join_lanes(
      value, [](auto own) { return __reduce_xor_sync(~0u, own); }, [](Value a, Value b) { return a ^ b; });
}

}  // namespace winnow
