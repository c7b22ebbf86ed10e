#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sieve/sweep_cpu.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <hwy/highway.h>

#include <algorithm>
#include <bit>

#include "sieve/lanes_cpu-inl.h"
#include "sieve/norms_cpu-inl.h"
#include "sieve/pack_cpu-inl.h"
#include "sieve/skip_rule.h"
#include "sieve/stage_cpu-inl.h"
#include "sieve/stages_rule.h"
#include "sieve/sweep.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {

// Octets that live, of those kept in pairs, below which pairs are given up (measured: 0.7 to 0.9 are alike).
constexpr double kPairsWorth = 0.85;

// One thread's way through a job: a strip of columns after the other, each from top to bottom in bands of
// rows.
class Sweep {
 public:
  Sweep(const SweepJob& job, SweepWorker& worker)
      : job_(job),
        program_(*job.program),
        model_(*job.model),
        level_(*job.level),
        w_(worker),
        window_(job.model->window) {}

  void run() {
    const int step = level_.step;
    std::fill(w_.skip_next.begin(), w_.skip_next.end(), 0);
    for (int x = 0; x < level_.cols * step; x += kStripWidth) {
      first_col_ = x / step;
      cols_ = std::min(kStripWidth / step, level_.cols - first_col_);
      run_strip(x);
    }
  }

 private:
  void run_strip(int x) {
    const int step = level_.step, pixels = (cols_ - 1) * step + window_.width;
    w_.strip.start(step == 2);
    w_.resize_rows.held[0] = w_.resize_rows.held[1] = -1;
    int top = job_.first_row * step;  // of the strip, on the level
    for (int row = job_.first_row; row < job_.last_row;) {
      const int end = std::min(job_.last_row, row + kBandHeight / step);
      const int need = (end - 1) * step + window_.height - top;
      while (w_.strip.rows() <= need) {
        resize_row_cpu(job_.picture, level_.height, *job_.columns, x, pixels, top + w_.strip.rows() - 1,
                       w_.resize_rows, w_.pixels.data());
        w_.strip.add_row(w_.pixels.data(), pixels);
      }
      band_row_ = row;
      octets_ = living_octets_ = 0;
      paired_ = kN16 > 8;
      for (; row < end; ++row) run_row(row - band_row_);
      run_octets();
      run_waiting();
      const int next = row * step - top;
      if (next < w_.strip.rows()) {
        w_.strip.drop_rows(next, std::min(w_.strip.stride(), pixels + 1));
      } else {
        w_.strip.start(step == 2);  // windows one row high, two rows apart: bands share none
      }
      top += next;
    }
  }

  // All windows of one row of the band: their norms, the first stage, which of them are visited; octets with
  // a living window are listed.
  void run_row(int row) {
    const bool norms = program_.flat_windows;
    float* norm = w_.norms.data() + row * kNormStride;
    if (norms) {
      level_.step == 2 ? find_norms<true>(w_.strip, row * 2, window_, cols_, norm)
                       : find_norms<false>(w_.strip, row, window_, cols_, norm);
    }
    auto& skip_next = w_.skip_next[static_cast<std::size_t>(band_row_ + row - job_.first_row)];
    bool skip = skip_next != 0;
    for (int col = 0; col < cols_; col += kGroup, norm += kGroup) {
      const int left = cols_ - col;
      const std::uint32_t valid = left >= kGroup ? ~0u : (1u << left) - 1;
      const std::uint32_t flat = norms ? flat_bits(norm, program_.flat_above) & valid : 0;
      const std::uint32_t alive = valid & ~flat;
      Octet* octets = w_.octets.data() + octets_;
      for (int o = 0; o < kOctets; ++o) {
        octets[o] = Octet(row, col + 8 * o, alive >> (8 * o) & 0xFF);
      }
      const std::uint32_t pass = alive != 0 ? octet_stage(0, octets, kOctets) : 0;
      SkipWord word{0, false};
      if (model_.rules.skip_after_first_stage_reject) word = skip_after_rejects(alive & ~pass, skip);
      skip = word.skip_next;  // windows beyond the row's end are no rejects
      const std::uint32_t visited = valid & ~word.skipped;
      w_.skipped += std::popcount(valid & word.skipped);
      w_.flat += std::popcount(flat & visited);
      count(0, std::popcount(alive & visited));
      octets_ += keep_living(octets, pass & visited, 1, octets);
    }
    skip_next = skip;
  }

  // A band's living octets, stage by stage, four at a time from wherever they are.
  void run_octets() {
    const int stages = static_cast<int>(program_.stages.size());
    Octet* const list = w_.octets.data();
    for (int s = 1; s < stages && octets_ > 0; ++s) {
      if (paired_ && static_cast<double>(living_octets_) < kPairsWorth * static_cast<double>(octets_)) {
        paired_ = false;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < octets_; ++i) {
          const Octet octet = list[i];
          list[kept] = octet;
          kept += octet.alive() != 0;
        }
        octets_ = kept;
      }
      living_octets_ = 0;
      std::size_t kept = 0;
      for (std::size_t i = 0; i < octets_; i += kOctets) {
        const int n = static_cast<int>(std::min<std::size_t>(kOctets, octets_ - i));
        const Octet* octets = list + i;
        std::uint32_t alive = 0;
        for (int o = 0; o < n; ++o) alive |= octets[o].alive() << (8 * o);
        count(s, std::popcount(alive));
        const std::uint32_t pass = octet_stage(s, octets, n);
        if (s + 1 < stages) kept += keep_living(octets, pass, s + 1, list + kept);
      }
      octets_ = kept;
    }
    // A cascade of one stage ends here: its survivors have no verdicts at hand.
    for (const Octet* octet = list; stages == 1 && octet < list + octets_; ++octet) {
      for (std::uint32_t alive = octet->alive(); alive != 0; alive &= alive - 1) {
        const int i = std::countr_zero(alive);
        keep(window_of(*octet, i), stage_sum(model_, model_.stages[0], sums_of(*octet, i)));
      }
    }
  }

  // Lists those of a block's octets of which windows passed for `stage`, and how many. Pairs are kept
  // together, though one of them be dead, as long as their cheaper loads make up for it. Whether an octet
  // lives cannot be predicted, so there is no branch on it.
  std::size_t keep_living(const Octet* octets, std::uint32_t pass, int stage, Octet* list) {
    const int few = stage < static_cast<int>(program_.stages.size())
                        ? program_.stages[static_cast<std::size_t>(stage)].few
                        : 0;
    if (few > 0) pass = send_few(octets, pass, stage, few);
    const auto with_alive = [&](int o) { return octets[o].with(pass >> (8 * o) & 0xFF); };
    std::size_t kept = 0, living = 0;
    if (paired_) {
      for (int o = 0; o < kOctets; o += 2) {
        const Octet first = with_alive(o), second = with_alive(o + 1);
        list[kept] = first;
        list[kept + 1] = second;
        kept += (pass >> (8 * o) & 0xFFFF) != 0 ? 2 : 0;
        living += (first.alive() != 0) + (second.alive() != 0);
      }
    } else {
      for (int o = 0; o < kOctets; ++o) {
        const Octet octet = with_alive(o);
        list[kept] = octet;
        kept += octet.alive() != 0;
      }
      living = kept;
    }
    living_octets_ += living;
    return kept;
  }

  // Octets with so few living windows that they are cheaper packed send them to wait; who is left. All four
  // at once, eight bits each: which ones have few cannot be predicted.
  std::uint32_t send_few(const Octet* octets, std::uint32_t pass, int stage, int few) {
    std::uint32_t living = pass - (pass >> 1 & 0x55555555);
    living = (living & 0x33333333) + (living >> 2 & 0x33333333);
    living = (living + (living >> 4)) & 0x0F0F0F0F;
    const std::uint32_t have_few = (0x80808080 + static_cast<std::uint32_t>(few) * 0x01010101 - living) >> 7;
    const std::uint32_t go = (have_few & 0x01010101) * 0xFF & pass;
    WaitingList& list = w_.waiting[static_cast<std::size_t>(stage)];
    Waiting* next = list.end();
    for (std::uint32_t left = go; left != 0; left &= left - 1) {
      const int bit = std::countr_zero(left), i = bit % 8;
      const Octet& octet = octets[bit / 8];
      *next++ = {place(octet) + i * level_.step, norm_of(octet, i), window_of(octet, i)};
    }
    list.grow_to(next);
    run_full(stage);
    return pass & ~go;
  }

  std::int32_t place(const Octet& octet) const {  // in the planes that lie row by row
    return (octet.row() * w_.strip.stride() + octet.col()) * level_.step;
  }
  std::int32_t narrow_place(const Octet& octet) const {  // in the 16-bit ones, split on levels of step 2
    return octet.row() * level_.step * w_.strip.stride() + octet.col();
  }
  std::int32_t window_of(const Octet& octet, int i) const {
    return (band_row_ + octet.row()) * level_.cols + first_col_ + octet.col() + i;
  }
  const float* norms_of(const Octet& octet) const {
    return w_.norms.data() + octet.row() * kNormStride + octet.col();
  }
  float norm_of(const Octet& octet, int i) const { return program_.flat_windows ? norms_of(octet)[i] : 1.f; }
  WindowSums sums_of(const Octet& octet, int i) const {
    return sums_at(place(octet) + i * level_.step, norm_of(octet, i));
  }

  // Those who wait for a stage, if they are a group; then, if they make one where they come to wait again,
  // the group there.
  void run_full(int stage) {
    const int stages = static_cast<int>(program_.stages.size());
    while (stage < stages && w_.waiting[static_cast<std::size_t>(stage)].size() >= kGroup) {
      stage = run_packed(stage, w_.waiting[static_cast<std::size_t>(stage)].take(kGroup), kGroup);
    }
  }

  // Those who are left at the end of a band, though they make no groups.
  void run_waiting() {
    for (int s = 1; s < static_cast<int>(program_.stages.size()); ++s) {
      WaitingList& list = w_.waiting[static_cast<std::size_t>(s)];
      if (const int n = list.size(); n > 0) run_full(run_packed(s, list.take(n), n));
    }
  }

  // From `stage` on, until all have gone or most: the stage that the rest then waits for, or one past the
  // last.
  int run_packed(int stage, const Waiting* windows, int n) {
    Block block;
    HWY_ALIGN float norms[kGroup];
    for (int i = 0; i < kGroup; ++i) {
      block.at[i] = windows[i < n ? i : 0].at;
      norms[i] = windows[i < n ? i : 0].norm;
    }
    const LaneGeometry& g = program_.geometry;
    pack_plane(w_.strip.low(), g, block.at, w_.patch.data()->window);
    if (program_.tilted) pack_plane(w_.strip.tilted_low(), g, block.at, w_.patch[g.patch_values].window);
    for (int o = 0; o < kOctets; ++o) block.low[o] = block.tilted_low[o] = w_.patch.data()->window;
    block.sum = w_.strip.sum();
    block.tilted = w_.strip.tilted();
    for (int p = 0; p < kParts32; ++p) block.norm[p] = hn::LoadU(DF(), norms + p * kN32);
    std::uint32_t alive = n == kGroup ? ~0u : (1u << n) - 1;
    const int stages = static_cast<int>(program_.stages.size());
    for (int s = stage; alive != 0 && s < stages; ++s) {
      const int living = std::popcount(alive);
      if (s > stage && static_cast<std::int64_t>(living) * program_.pack_cost() * kGroup <
                           static_cast<std::int64_t>(kGroup - living) * program_.cost_from(s)) {
        WaitingList& list = w_.waiting[static_cast<std::size_t>(s)];
        Waiting* next = list.end();
        for (; alive != 0; alive &= alive - 1) *next++ = windows[std::countr_zero(alive)];
        list.grow_to(next);
        return s;
      }
      count(s, living);
      const LaneStage& code = program_.stages[static_cast<std::size_t>(s)];
      const StageBits bits = run_stage<Reach::kPacked>(program_, code, block, w_.verdicts.data());
      alive = settle(s, bits, alive, [&](int i) { return sums_at(windows[i].at, windows[i].norm); });
      if (s == stages - 1) {
        keep_all(
            alive, [&](int i) { return windows[i].window; },
            [&](int i) { return sums_at(windows[i].at, windows[i].norm); });
      }
    }
    return stages;
  }

  // Octets that lie anywhere, n of at most kOctets; their windows that pass, eight bits an octet.
  std::uint32_t octet_stage(int s, const Octet* octets, int n) {
    const Strip& strip = w_.strip;
    const bool split = level_.step == 2;
    const std::uint16_t* low = split ? strip.split() : strip.low();
    const std::uint16_t* tilted_low = !program_.tilted ? low
                                      : split          ? strip.tilted_split()
                                                       : strip.tilted_low();
    Block block;
    block.sum = strip.sum();
    block.tilted = strip.tilted();
    const float* norms[kOctets];
    std::uint32_t alive = 0;
    for (int o = 0; o < kOctets; ++o) {
      const Octet& octet = octets[o < n ? o : paired_ ? o % 2 : 0];  // pairs come in twos
      const std::int32_t narrow = narrow_place(octet);
      block.low[o] = low + narrow;
      block.tilted_low[o] = tilted_low + narrow;
      block.at[o] = place(octet);
      norms[o] = norms_of(octet);
      if (o < n) alive |= octet.alive() << (8 * o);
    }
    for (int p = 0; p < kParts32; ++p) {
      block.norm[p] = program_.flat_windows ? load_norms(norms, p) : hn::Set(DF(), 1.f);
    }
    const LaneStage& code = program_.stages[static_cast<std::size_t>(s)];
    const StageBits bits = run_stage_of(code, block, split);
    const auto sums = [&](int i) { return sums_of(octets[i / 8], i % 8); };
    alive = settle(s, bits, alive, sums);
    if (s > 0 && code.last)
      keep_all(
          alive, [&](int i) { return window_of(octets[i / 8], i % 8); }, sums);
    return alive;
  }

  StageBits run_stage_of(const LaneStage& code, const Block& block, bool split) const {
    std::uint32_t* verdicts = w_.verdicts.data();
    if (paired_) {
      return split ? run_stage<Reach::kSplitPairs>(program_, code, block, verdicts)
                   : run_stage<Reach::kRowPairs>(program_, code, block, verdicts);
    }
    return split ? run_stage<Reach::kSplit>(program_, code, block, verdicts)
                 : run_stage<Reach::kRows>(program_, code, block, verdicts);
  }

  // Those who pass, after a second look at those of whom the lanes are not sure.
  template <class SumsOf>
  std::uint32_t settle(int s, const StageBits& bits, std::uint32_t alive, const SumsOf& sums_of) const {
    std::uint32_t pass = bits.pass & alive;
    const Stage& stage = model_.stages[static_cast<std::size_t>(s)];
    for (std::uint32_t look = bits.unsure & alive; look != 0; look &= look - 1) {
      const int i = std::countr_zero(look);
      if (!stage_rejects(stage_sum(model_, stage, sums_of(i)), stage_limit(stage, model_.rules)))
        pass |= 1u << i;
    }
    return pass;
  }

  // Survivors, with their score from the last stage's verdicts: the same leaves added in the same order.
  template <class WindowOf, class SumsOf>
  void keep_all(std::uint32_t alive, const WindowOf& window_of, const SumsOf& sums_of) {
    const Stage& stage = model_.stages.back();
    for (; alive != 0; alive &= alive - 1) {
      const int i = std::countr_zero(alive);
      if (program_.stages.back().always_look) {
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

  WindowSums sums_at(std::int32_t at, float norm) const {
    const Strip& strip = w_.strip;
    return {program_.wide ? strip.sum() + at : nullptr, program_.tilted ? strip.tilted() + at : nullptr,
            strip.stride(), norm, strip.low() + at};
  }

  void keep(std::int32_t window, double score) {
    ++w_.reached.back();
    w_.survivors.push_back({level_.first_window + window, score});
  }

  void count(int s, int living) {
    w_.reached[static_cast<std::size_t>(s)] += living;
    w_.weak += static_cast<std::int64_t>(living) * program_.stages[static_cast<std::size_t>(s)].trees;
  }

  const SweepJob& job_;
  const LaneProgram& program_;
  const CascadeModel& model_;
  const Level& level_;
  SweepWorker& w_;
  const Size window_;
  int first_col_ = 0, cols_ = 0;   // of the strip
  int band_row_ = 0;               // first row of the band
  std::size_t octets_ = 0;         // listed in the worker
  std::size_t living_octets_ = 0;  // of them
  bool paired_ = true;             // octets are kept in pairs of neighbours
};

void SweepJobNow(const SweepJob& job, SweepWorker& worker) { Sweep(job, worker).run(); }

int TargetNow() { return static_cast<int>(HWY_TARGET); }

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {

HWY_EXPORT(SweepJobNow);
HWY_EXPORT(TargetNow);

int strip_stride(Size window) {
  // Lanes read a whole group beyond the last window, two pixels a window.
  return (kStripWidth + window.width + 1 + 4 * kGroup + 63) / 64 * 64;
}
int strip_rows(Size window) { return window.height + 1 + kBandHeight; }

SweepWorker::SweepWorker(const LaneProgram& program, Size window)
    : strip({strip_stride(window), strip_rows(window), program.wide, program.flat_windows, program.tilted}),
      pixels(static_cast<std::size_t>(strip_stride(window)) + 64),
      norms(static_cast<std::size_t>(kBandHeight) * kNormStride + kGroup),
      skip_next(1),
      octets(kBandOctets + kOctets),
      waiting(program.stages.size()),
      patch(program.packs ? static_cast<std::size_t>(program.packed_corners()) : 0),
      verdicts(static_cast<std::size_t>(program.max_nodes) + 1),
      reached(program.stages.size() + 1) {
  for (auto& row : resize_rows.across) row.resize(static_cast<std::size_t>(strip_stride(window)));
}

void sweep(const SweepJob& job, SweepWorker& worker) { HWY_DYNAMIC_DISPATCH(SweepJobNow)(job, worker); }

std::string sweep_target() { return hwy::TargetName(HWY_DYNAMIC_DISPATCH(TargetNow)()); }

}  // namespace winnow
#endif  // HWY_ONCE
