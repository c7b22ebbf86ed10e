// Computes the running sums of a list of any size, modulo 2^32.
//
// In:     unsigned 32-bit numbers.
// Out:    as many sums, and the total as the return value. inclusive: out[i] = in[0] + .. + in[i]. exclusive:
//         out[i] = in[0] + .. + in[i-1]. Lists of different sizes throw kUsage.
// Exact:  integers modulo 2^32.
// Memory: the caller owns both lists. The lists may be the same memory, but must not overlap otherwise.
// Thread: any; the cpu form divides the work among `threads` threads.
// Cost:   the reference is one loop. The cpu form on one thread is one pass in lanes. On more threads one
//         pass adds up ranges and a second pass scans them: memory is read twice and written once. Two
//         threads are faster than one if the second thread has memory bandwidth of its own.
#pragma once

#include <cstdint>
#include <span>

namespace winnow {

std::uint32_t inclusive_scan_ref(std::span<const std::uint32_t> in, std::span<std::uint32_t> out);
std::uint32_t exclusive_scan_ref(std::span<const std::uint32_t> in, std::span<std::uint32_t> out);
std::uint32_t inclusive_scan_cpu(std::span<const std::uint32_t> in, std::span<std::uint32_t> out,
                                 int threads = 1);
std::uint32_t exclusive_scan_cpu(std::span<const std::uint32_t> in, std::span<std::uint32_t> out,
                                 int threads = 1);

}  // namespace winnow
