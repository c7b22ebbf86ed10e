#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/scan_cpu.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come before highway.h
#include <hwy/highway.h>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>

#include <winnow/error.h>

#include "base/threads.h"
#include "primitives/reduce.h"
#include "primitives/scan.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Vectors have 128 bits, and a step takes two vectors. The chain of carries limits the speed.
using D32 = hn::CappedTag<std::uint32_t, 4>;

HWY_INLINE hn::Vec<D32> Prefix(hn::Vec<D32> v) {
  const D32 d;
  v = hn::Add(v, hn::ShiftLeftLanes<1>(d, v));
  return hn::Add(v, hn::ShiftLeftLanes<2>(d, v));
}

// `sum`: the sum before the first number. An exclusive sum is the inclusive sum minus the number itself.
std::uint32_t Scan(const std::uint32_t* in, std::uint32_t* out, std::size_t count, std::uint32_t sum,
                   bool inclusive) {
  const D32 d;
  auto before = hn::Set(d, sum);
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const auto a = hn::LoadU(d, in + i), b = hn::LoadU(d, in + i + 4);
    const auto sums_a = Prefix(a), sums_b = hn::Add(Prefix(b), hn::Broadcast<3>(sums_a));
    const auto whole_a = hn::Add(before, sums_a), whole_b = hn::Add(before, sums_b);
    before = hn::Add(before, hn::Broadcast<3>(sums_b));
    hn::StoreU(inclusive ? whole_a : hn::Sub(whole_a, a), d, out + i);
    hn::StoreU(inclusive ? whole_b : hn::Sub(whole_b, b), d, out + i + 4);
  }
  sum = hn::GetLane(before);
  for (; i < count; ++i) {
    const std::uint32_t last = sum;
    sum += in[i];
    out[i] = inclusive ? sum : last;
  }
  return sum;
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {

HWY_EXPORT(Scan);

namespace {

constexpr int kMostShares = 64;
constexpr std::size_t kLeastShare = 1 << 14;  // for fewer numbers, dividing the work costs more than doing it

std::uint32_t scan(std::span<const std::uint32_t> in, std::span<std::uint32_t> out, int threads,
                   bool inclusive) {
  if (in.size() != out.size()) throw Error(ErrorCode::kUsage, "a scan gives as many numbers as it is given");
  const std::size_t most = std::clamp<std::size_t>(in.size() / kLeastShare, 1, kMostShares);
  const std::size_t shares = std::min(most, static_cast<std::size_t>(std::max(threads, 1)));
  if (shares == 1) return HWY_DYNAMIC_DISPATCH(Scan)(in.data(), out.data(), in.size(), 0, inclusive);

  const auto begin = [&](std::size_t share) {
    return in.size() / shares * share + std::min(share, in.size() % shares);
  };
  std::array<std::uint32_t, kMostShares> before{};
  tbb::task_arena arena(arena_threads(static_cast<int>(shares)));
  const auto each = [&](const auto& work) {
    arena.execute([&] { tbb::parallel_for(std::size_t{0}, shares, work, tbb::simple_partitioner()); });
  };
  each([&](std::size_t p) {
    before[p] = static_cast<std::uint32_t>(sum_cpu(in.subspan(begin(p), begin(p + 1) - begin(p))));
  });
  std::uint32_t total = 0;
  for (std::size_t p = 0; p < shares; ++p) {
    const std::uint32_t own = before[p];
    before[p] = total;
    total += own;
  }
  each([&](std::size_t p) {
    const std::size_t first = begin(p), count = begin(p + 1) - first;
    HWY_DYNAMIC_DISPATCH(Scan)(in.data() + first, out.data() + first, count, before[p], inclusive);
  });
  return total;
}

}  // namespace

std::uint32_t inclusive_scan_cpu(std::span<const std::uint32_t> in, std::span<std::uint32_t> out,
                                 int threads) {
  return scan(in, out, threads, true);
}
std::uint32_t exclusive_scan_cpu(std::span<const std::uint32_t> in, std::span<std::uint32_t> out,
                                 int threads) {
  return scan(in, out, threads, false);
}

}  // namespace winnow
#endif  // HWY_ONCE
