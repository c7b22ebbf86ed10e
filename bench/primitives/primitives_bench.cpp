// Times reduce, scan and compaction beside the standard library's algorithms. Each bench states how many
// bytes it must read once and write once. So bytes_per_second can be compared with the machine's bandwidth.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/simd.h"
#include "primitives/compact.h"
#include "primitives/reduce.h"
#include "primitives/scan.h"

namespace winnow {
namespace {

std::vector<std::uint32_t> values_of(const benchmark::State& state) {
  std::vector<std::uint32_t> values(static_cast<std::size_t>(state.range(0)));
  std::uint32_t seed = 1;
  for (std::uint32_t& v : values) v = seed = seed * 1664525 + 1013904223;
  return values;
}

void touched(benchmark::State& state, std::int64_t bytes_a_number) {
  state.SetBytesProcessed(state.iterations() * state.range(0) * bytes_a_number);
  state.SetLabel(simd_target());
}

template <class Sum>
void sum(benchmark::State& state, Sum sum_of) {
  const std::vector<std::uint32_t> values = values_of(state);
  for (auto _ : state) benchmark::DoNotOptimize(sum_of(values));
  touched(state, 4);
}
std::uint64_t sum_std(std::span<const std::uint32_t> v) {
  return std::accumulate(v.begin(), v.end(), std::uint64_t{0});
}

template <class Find>
void extremes(benchmark::State& state, Find find) {
  const std::vector<std::uint32_t> values = values_of(state);
  for (auto _ : state) benchmark::DoNotOptimize(find(values));
  touched(state, 4);
}
Extremes extremes_std(std::span<const std::uint32_t> v) {
  const auto [least, largest] = std::minmax_element(v.begin(), v.end());
  return {*least, *largest};
}

template <class Scan>
void scan(benchmark::State& state, Scan scan_into) {
  const std::vector<std::uint32_t> values = values_of(state);
  std::vector<std::uint32_t> out(values.size());
  for (auto _ : state) {
    scan_into(values, out);
    benchmark::ClobberMemory();
  }
  touched(state, 8);
}
using In = const std::vector<std::uint32_t>&;
using Out = std::vector<std::uint32_t>&;

// The bench's second argument is the percentage of living windows.
template <class Compact>
void compact(benchmark::State& state, Compact compact_into) {
  const std::vector<std::uint32_t> dice = values_of(state);
  std::vector<std::int64_t> windows(dice.size()), out(dice.size());
  std::vector<std::uint64_t> mask(dice.size() / 64 + 1);
  std::iota(windows.begin(), windows.end(), std::int64_t{7});
  std::int64_t living = 0;
  for (std::size_t i = 0; i < dice.size(); ++i) {
    const bool lives = (dice[i] >> 8) % 100 < static_cast<std::uint32_t>(state.range(1));
    mask[i / 64] |= std::uint64_t{lives} << (i % 64);
    living += lives;
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(compact_into(windows, mask, out));
    benchmark::ClobberMemory();
  }
  // The bytes of the mask, of all ids, and of the living ids.
  state.SetBytesProcessed(state.iterations() * (state.range(0) / 8 + state.range(0) * 8 + living * 8));
  state.SetLabel(simd_target());
}
std::size_t compact_std(std::span<const std::int64_t> windows, std::span<const std::uint64_t> mask,
                        std::span<std::int64_t> out) {
  std::size_t i = 0;
  const auto end = std::copy_if(windows.begin(), windows.end(), out.begin(), [&](std::int64_t) {
    const std::size_t at = i++;
    return (mask[at / 64] >> (at % 64) & 1) != 0;
  });
  return static_cast<std::size_t>(end - out.begin());
}

// Sizes for the first-level cache, the second-level cache, and memory.
void sizes(benchmark::internal::Benchmark* bench) { bench->Arg(1 << 12)->Arg(1 << 16)->Arg(1 << 24); }
void sizes_and_percents(benchmark::internal::Benchmark* bench) {
  for (const std::int64_t size : {1 << 12, 1 << 20}) {
    for (const std::int64_t percent : {1, 20, 50, 95}) bench->Args({size, percent});
  }
}

BENCHMARK_CAPTURE(sum, std, sum_std)->Apply(sizes);
BENCHMARK_CAPTURE(sum, ref, sum_ref)->Apply(sizes);
BENCHMARK_CAPTURE(sum, cpu, sum_cpu)->Apply(sizes);
BENCHMARK_CAPTURE(extremes, std, extremes_std)->Apply(sizes);
BENCHMARK_CAPTURE(extremes, ref, extremes_ref)->Apply(sizes);
BENCHMARK_CAPTURE(extremes, cpu, extremes_cpu)->Apply(sizes);

BENCHMARK_CAPTURE(scan, inclusive_std, [](In in, Out out) {
  std::inclusive_scan(in.begin(), in.end(), out.begin());
})->Apply(sizes);
BENCHMARK_CAPTURE(scan, inclusive_ref, [](In in, Out out) { inclusive_scan_ref(in, out); })->Apply(sizes);
BENCHMARK_CAPTURE(scan, inclusive_cpu, [](In in, Out out) { inclusive_scan_cpu(in, out); })->Apply(sizes);
BENCHMARK_CAPTURE(scan, inclusive_cpu_2_threads, [](In in, Out out) { inclusive_scan_cpu(in, out, 2); })
    ->Apply(sizes)
    ->UseRealTime();
BENCHMARK_CAPTURE(scan, exclusive_std, [](In in, Out out) {
  std::exclusive_scan(in.begin(), in.end(), out.begin(), 0u);
})->Apply(sizes);
BENCHMARK_CAPTURE(scan, exclusive_cpu, [](In in, Out out) { exclusive_scan_cpu(in, out); })->Apply(sizes);

BENCHMARK_CAPTURE(compact, std, compact_std)->Apply(sizes_and_percents);
BENCHMARK_CAPTURE(compact, ref, compact_ref)->Apply(sizes_and_percents);
BENCHMARK_CAPTURE(compact, cpu, compact_cpu)->Apply(sizes_and_percents);

}  // namespace
}  // namespace winnow

int main(int argc, char** argv) {
  winnow::simd_target();  // reads WINNOW_SIMD before anything is measured
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
