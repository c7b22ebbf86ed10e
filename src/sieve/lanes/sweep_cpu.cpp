// Judges the windows of one job in lanes, as sieve/lanes/sweep.h declares; its opening comment holds here.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sieve/lanes/sweep_cpu.cpp"
#include <hwy/foreach_target.h>
// hwy/foreach_target.h must be included before hwy/highway.h.
#include <hwy/highway.h>

#include <bit>

#include "sieve/lanes/stage_cpu-inl.h"
#include "sieve/lanes/sweep.h"
#include "sieve/lanes/walk_cpu-inl.h"
#include "sieve/stages_rule.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {

// Judges cascades that are not fixed-point. A window that the lanes leave undecided is judged again in
// doubles.
class StageSweep : public Walk<StageSweep> {
 public:
  static constexpr bool kKeepsPairs = true, kHasLines = false;
  using Walk::Walk;

  void first_stage(const Octet* octets, int bundles, std::uint32_t* pass) {
    for (int g = 0; g < bundles; ++g) pass[g] = octet_stage(0, octets + g * kOctets, kOctets, false);
  }

  void judge(int s, std::size_t listed, int n, std::uint32_t* pass) {
    const Octet* octets = w_.octets.data() + listed;
    for (int first = 0; first < n; first += kOctets)
      *pass++ = octet_stage(s, octets + first, std::min(kOctets, n - first), true);
  }

  // Serves cascades of one stage. Later windows have overwritten the survivor's verdicts, so the score is
  // computed anew.
  void keep_listed(std::size_t listed, int i) {
    const Octet octet = w_.octets[listed];
    keep(window_of(octet, i), stage_sum(model_, model_.stages[0], sums_of(octet, i)));
  }

  void move_line(int, int, std::size_t) {}
  PendingWindow pending(const Octet& octet, int, int, int i) const {
    return {place(octet) + i * level_.step, norm_of(octet, i), window_of(octet, i), 0};
  }

  int run_packed(int first, const PendingWindow* windows, int n) {
    Bundle bundle;
    pack_bundle(windows, n, bundle);
    const auto sums = [&](int i) {
      return sums_at(windows[i].at, windows[i].norm, program_.wide && windows[i].shelf < 0);
    };
    std::uint32_t alive = n == kBundle ? ~0u : (1u << n) - 1;
    int s = first;
    for (; alive != 0 && s < stages(); ++s) {
      const int living = std::popcount(alive);
      if (s > first && should_defer(living, s)) break;
      count(s, living);
      const StageBits bits = run_stage<LaneLoad::kPacked>(program_, stage(s), bundle, w_.verdicts.data());
      alive = settle(s, bits, alive, sums);
    }
    if (s == stages()) {
      keep_all(
          alive, [&](int i) { return windows[i].window; }, sums);
      alive = 0;
    }
    let_wait(windows, n, alive, s, [](PendingWindow&, int) {});
    return alive != 0 ? s : stages();
  }

 private:
  // Judges n octets, at most kOctets. Returns the windows that pass, eight bits per octet. `counted`: whether
  // to count the windows that enter.
  std::uint32_t octet_stage(int s, const Octet* octets, int n, bool counted) {
    Bundle bundle;
    std::uint32_t alive = place_bundle(octets, n, bundle);
    if (alive == 0) return 0;
    const float* norms[kOctets];
    for (int o = 0; o < kOctets; ++o) norms[o] = w_.norms.data() + band_place(octets[padding_octet(o, n)]);
    for (int p = 0; p < kVectors32; ++p) {
      bundle.norm[p] = program_.flat_windows ? load_octets(DF(), norms, p) : hn::Set(DF(), 1.f);
    }
    if (counted) count(s, std::popcount(alive));
    const StageBits bits = run_stage_of(stage(s), bundle);
    const auto sums = [&](int i) { return sums_of(octets[i / 8], i % 8); };
    alive = settle(s, bits, alive, sums);
    if (s > 0 && stage(s).last)
      keep_all(
          alive, [&](int i) { return window_of(octets[i / 8], i % 8); }, sums);
    return alive;
  }

  StageBits run_stage_of(const LaneStage& code, const Bundle& bundle) const {
    std::uint32_t* verdicts = w_.verdicts.data();
    const bool split = level_.step == 2;
    if (paired_) {
      return split ? run_stage<LaneLoad::kSplitPairs>(program_, code, bundle, verdicts)
                   : run_stage<LaneLoad::kRowPairs>(program_, code, bundle, verdicts);
    }
    return split ? run_stage<LaneLoad::kSplit>(program_, code, bundle, verdicts)
                 : run_stage<LaneLoad::kRows>(program_, code, bundle, verdicts);
  }

  template <class SumsOf>
  std::uint32_t settle(int s, const StageBits& bits, std::uint32_t alive, const SumsOf& sums_of) const {
    std::uint32_t pass = bits.pass & alive;
    const Stage& stage = model_.stages[static_cast<std::size_t>(s)];
    for (std::uint32_t unsure = bits.unsure & alive; unsure != 0; unsure &= unsure - 1) {
      const int i = std::countr_zero(unsure);
      if (!stage_rejects(stage_sum(model_, stage, sums_of(i)), stage_limit(stage, model_.rules)))
        pass |= 1u << i;
    }
    return pass;
  }

  // Keeps the windows in `alive` as survivors. The verdicts of the last stage's nodes give a score without
  // `stage_sum`: the same leaves are added in the same order.
  template <class WindowOf, class SumsOf>
  void keep_all(std::uint32_t alive, const WindowOf& window_of, const SumsOf& sums_of) {
    const Stage& stage = model_.stages.back();
    for (; alive != 0; alive &= alive - 1) {
      const int i = std::countr_zero(alive);
      if (program_.stages.back().needs_doubles) {
        keep(window_of(i), stage_sum(model_, stage, sums_of(i)));
        continue;
      }
      double score = 0;
      const std::uint32_t* verdicts = w_.verdicts.data();
      for (int t = stage.first_tree; t < stage.first_tree + stage.tree_count; ++t) {
        const Tree& tree = model_.trees[static_cast<std::size_t>(t)];
        const TreeNode* nodes = model_.nodes.data() + tree.first_node;
        int at = 0;
        do {
          at = (verdicts[at] >> i & 1) != 0 ? nodes[at].left : nodes[at].right;
        } while (at > 0);
        score += model_.leaves[static_cast<std::size_t>(tree.first_leaf - at)];
        verdicts += tree.node_count;
      }
      keep(window_of(i), score);
    }
  }

  static std::ptrdiff_t band_place(const Octet& octet) { return octet.row() * kNormStride + octet.col(); }
  float norm_of(const Octet& octet, int i) const {
    return program_.flat_windows ? w_.norms[static_cast<std::size_t>(band_place(octet) + i)] : 1.f;
  }
  WindowSums sums_of(const Octet& octet, int i) const {
    return sums_at(place(octet) + i * level_.step, norm_of(octet, i), program_.wide);
  }
  // `wide` is false for windows on the shelf, which has no 32-bit sums.
  WindowSums sums_at(std::int32_t at, float norm, bool wide) const {
    const Strip& strip = w_.strip;
    if (wide)
      return {strip.sum() + at, program_.tilted ? strip.tilted() + at : nullptr, strip.stride(), norm};
    return {nullptr, nullptr,          strip.stride(),
            norm,    strip.low() + at, program_.tilted ? strip.tilted_low() + at : nullptr};
  }
};

void StageSweepNow(const SweepJob& job, SweepWorker& worker) { StageSweep(job, worker).run(); }
void StageFinishNow(const SweepJob& job, SweepWorker& worker) { StageSweep(job, worker).run_pending(); }

int TargetNow() { return static_cast<int>(HWY_TARGET); }

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {

HWY_EXPORT(StageSweepNow);
HWY_EXPORT(StageFinishNow);
HWY_EXPORT(TargetNow);

int strip_stride(Size window) {
  // Lanes may read a whole bundle beyond the last window, with two pixels for each window.
  return (kStripWidth + window.width + 1 + 4 * kBundle + 63) / 64 * 64;
}
int strip_rows(Size window) { return window.height + 1 + kBandHeight; }

SweepWorker::SweepWorker(const LaneProgram& program, Size window)
    : strip({strip_stride(window), strip_rows(window), program.wide, program.flat_windows, program.tilted,
             Shelf::rows(program)}),
      pixels(static_cast<std::size_t>(strip_stride(window)) + 64),
      norms(static_cast<std::size_t>(kBandHeight) * kNormStride + kBundle),
      skip_next(1),
      octets(kBandOctets + kSquad * kOctets),
      lines(program.fixed_point ? octets.size() : 0),
      pending(program.stages.size()),
      shelf(program, strip),
      patch(program.packs ? static_cast<std::size_t>(program.packed_corners()) : 0),
      verdicts(static_cast<std::size_t>(program.max_nodes) + 1),
      leaf_rows(static_cast<std::size_t>(program.max_rows) * kSquad),
      reached(static_cast<std::size_t>(program.model_stages) + 1) {
  for (auto& row : resize_rows.across) row.resize(static_cast<std::size_t>(strip_stride(window)));
}

void SweepWorker::clear() {
  survivors.clear();
  for (PendingList& list : pending) list.clear();
  shelf.clear();
  skipped = flat = 0;
  std::fill(reached.begin(), reached.end(), 0);
}

void sweep(const SweepJob& job, SweepWorker& worker) {
  job.program->fixed_point ? fixed_sweep(job, worker) : HWY_DYNAMIC_DISPATCH(StageSweepNow)(job, worker);
}

void finish_sweep(const SweepJob& job, SweepWorker& worker) {
  job.program->fixed_point ? finish_fixed_sweep(job, worker)
                           : HWY_DYNAMIC_DISPATCH(StageFinishNow)(job, worker);
}

std::string sweep_target() { return hwy::TargetName(HWY_DYNAMIC_DISPATCH(TargetNow)()); }

}  // namespace winnow
#endif  // HWY_ONCE
