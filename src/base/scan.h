// Running sums of a list of any size, modulo 2^32.
// In: unsigned 32-bit numbers. Out: as many sums, in memory of the caller's, which may be the numbers' own
// but must not overlap them otherwise; the total is returned. inclusive: out[i] = in[0] + .. + in[i];
// exclusive: out[i] = in[0] + .. + in[i-1]. A size that differs between `in` and `out` is a kUsage error.
// exact: integers modulo 2^32. reference: one loop. cpu, one thread: lanes, one pass. cpu, more threads: each
// takes ranges; one pass adds them up, a second one scans them, so that memory is read twice and written
// once: it pays where the second thread has memory bandwidth of its own.
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
