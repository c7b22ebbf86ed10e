// Judges the windows of one job by a fixed-point cascade, in lanes, as sieve/lanes/sweep.h declares; its
// opening comment holds here.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sieve/lanes/fixed_sweep_cpu.cpp"
#include <hwy/foreach_target.h>
// hwy/foreach_target.h must be included before hwy/highway.h.
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "sieve/lanes/fixed_cpu-inl.h"
#include "sieve/lanes/sweep.h"
#include "sieve/lanes/walk_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {

// Judges fixed-point cascades. Sums are exact, and each window keeps its sum from chunk to chunk.
class FixedSweep : public Walk<FixedSweep> {
 public:
  static constexpr bool kKeepsPairs = false, kHasLines = true;
  using Walk::Walk;

  void first_stage(const Octet* octets, int bundles, std::uint32_t* pass) {
    squad_.count = bundles;
    const float* norms = w_.norms.data() + octets->col();
    for (int g = 0; g < bundles; ++g, norms += kBundle) {
      squad_.alive[g] = place_bundle<true>(octets + g * kOctets, kOctets, squad_.bundle[g]);
      for (int p = 0; p < kVectors32; ++p) {
        squad_.bundle[g].norm[p] =
            program_.flat_windows ? hn::LoadU(DF(), norms + p * kN32) : hn::Set(DF(), 1.f);
      }
    }
    squad_.clear_sums();
    constexpr bool kPairs = kN16 > 8;
    level_.step == 2 ? run_squad<kPairs ? LaneLoad::kSplitPairs : LaneLoad::kSplit>(0, pass)
                     : run_squad<kPairs ? LaneLoad::kRowPairs : LaneLoad::kRows>(0, pass);
  }

  void judge(int s, std::size_t listed, int n, std::uint32_t* pass) {
    squad_.count = (n + kOctets - 1) / kOctets;
    for (int g = 0; g < squad_.count; ++g) {
      const std::size_t first = listed + static_cast<std::size_t>(g * kOctets);
      const int m = std::min(kOctets, n - g * kOctets);
      squad_.alive[g] = place_bundle(w_.octets.data() + first, m, squad_.bundle[g]);
      count(s, std::popcount(squad_.alive[g]));
      const float* norms[kOctets];
      const std::int32_t* sums[kOctets];
      for (int o = 0; o < kOctets; ++o) {
        const OctetLine& line = w_.lines[first + static_cast<std::size_t>(padding_octet(o, m))];
        norms[o] = line.norm;
        sums[o] = line.sum;
      }
      for (int p = 0; p < kVectors32; ++p) {
        squad_.bundle[g].norm[p] = load_octets(DF(), norms, p);
        squad_.sums[g][p] = program_.carries ? load_octets(D32(), sums, p) : hn::Zero(D32());
      }
    }
    level_.step == 2 ? run_squad<LaneLoad::kSplit>(s, pass) : run_squad<LaneLoad::kRows>(s, pass);
    if (!stage(s).last) return;
    for (int g = 0; g < squad_.count; ++g) {
      for (std::uint32_t left = pass[g]; left != 0; left &= left - 1) {
        const int bit = std::countr_zero(left);
        keep(window_of(w_.octets[listed + static_cast<std::size_t>(g * kOctets + bit / 8)], bit % 8),
             score_of(sum_of(g, bit)));
      }
    }
  }

  void move_line(int g, int o, std::size_t listed) {
    OctetLine& line = w_.lines[listed];
    std::memcpy(line.norm, reinterpret_cast<const float*>(squad_.bundle[g].norm) + 8 * o, sizeof(line.norm));
    std::memcpy(line.sum, reinterpret_cast<const std::int32_t*>(squad_.sums[g]) + 8 * o, sizeof(line.sum));
  }

  PendingWindow pending(const Octet& octet, int g, int o, int i) const {
    const int bit = 8 * o + i;
    return {place(octet) + i * level_.step, reinterpret_cast<const float*>(squad_.bundle[g].norm)[bit],
            window_of(octet, i), sum_of(g, bit)};
  }

  void keep_listed(std::size_t listed, int i) {
    keep(window_of(w_.octets[listed], i), score_of(w_.lines[listed].sum[i]));
  }

  int run_packed(int first, const PendingWindow* windows, int n) {
    Squad& squad = packed_;
    squad.count = 1;
    pack_bundle(windows, n, squad.bundle[0]);
    HWY_ALIGN std::int32_t sums[kBundle];
    for (int i = 0; i < kBundle; ++i) sums[i] = windows[i < n ? i : 0].sum;
    for (int p = 0; p < kVectors32; ++p) squad.sums[0][p] = hn::Load(D32(), sums + p * kN32);
    std::uint32_t& alive = squad.alive[0];
    alive = n == kBundle ? ~0u : (1u << n) - 1;
    int s = first;
    for (; alive != 0 && s < stages(); ++s) {
      const int living = std::popcount(alive);
      if (s > first && should_defer(living, s)) break;
      count(s, living);
      if (!program_.carries) squad.clear_sums();
      run_chunk<LaneLoad::kPacked>(program_, stage(s), squad, room());
    }
    for (int p = 0; p < kVectors32; ++p) hn::Store(squad.sums[0][p], D32(), sums + p * kN32);
    if (s == stages()) {
      for (; alive != 0; alive &= alive - 1)
        keep(windows[std::countr_zero(alive)].window, score_of(sums[std::countr_zero(alive)]));
    }
    let_wait(windows, n, alive, s, [&](PendingWindow& window, int i) { window.sum = sums[i]; });
    return alive != 0 ? s : stages();
  }

 private:
  static double score_of(std::int32_t sum) { return static_cast<double>(sum) / kScoreUnit; }

  FixedRoom room() const { return {w_.leaf_rows.data(), w_.verdicts.data(), w_.reached.data()}; }

  template <LaneLoad load>
  void run_squad(int s, std::uint32_t* pass) {
    run_chunk<load>(program_, stage(s), squad_, room());
    std::copy(squad_.alive, squad_.alive + squad_.count, pass);
  }

  std::int32_t sum_of(int g, int bit) const {
    return reinterpret_cast<const std::int32_t*>(squad_.sums[g])[bit];
  }

  Squad squad_;   // bundles of octets that are judged in place
  Squad packed_;  // the packed bundle
};

void FixedSweepNow(const SweepJob& job, SweepWorker& worker) { FixedSweep(job, worker).run(); }
void FixedFinishNow(const SweepJob& job, SweepWorker& worker) { FixedSweep(job, worker).run_pending(); }

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {

HWY_EXPORT(FixedSweepNow);
HWY_EXPORT(FixedFinishNow);

void fixed_sweep(const SweepJob& job, SweepWorker& worker) {
  HWY_DYNAMIC_DISPATCH(FixedSweepNow)(job, worker);
}
void finish_fixed_sweep(const SweepJob& job, SweepWorker& worker) {
  HWY_DYNAMIC_DISPATCH(FixedFinishNow)(job, worker);
}

}  // namespace winnow
#endif  // HWY_ONCE
