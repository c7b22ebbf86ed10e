#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sieve/sweep_cpu.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "sieve/lanes_cpu-inl.h"
#include "sieve/pack_cpu-inl.h"
#include "sieve/skip_rule.h"
#include "sieve/stages_rule.h"
#include "sieve/sweep.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {

using D64 = hn::CappedTag<double, 8>;
using D32x = hn::Rebind<std::int32_t, D64>;
constexpr int kN64 = static_cast<int>(hn::MaxLanes(D64()));

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
      for (const int first = row; row < end; ++row)
        run_row(row, row * step - top, (row - first) * kNormStride);
      run_octets();
      run_waiting();
      const int next = row * step - top;
      w_.strip.drop_rows(next, std::min(w_.strip.stride(), pixels + 1));
      top += next;
    }
  }

  // All windows of one row: their norms, the first stage, which of them are visited; the living go to
  // `octets`.
  void run_row(int row, int strip_row, int norms) {
    const int groups = (cols_ + kGroup - 1) / kGroup;
    if (program_.flat_windows) find_norms(strip_row, w_.norms.data() + norms);
    bool skip = w_.skip_next[static_cast<std::size_t>(row - job_.first_row)] != 0;
    for (int g = 0; g < groups; ++g, norms += kGroup) {
      const int left = cols_ - g * kGroup;
      const std::uint32_t valid = left >= kGroup ? ~0u : (1u << left) - 1;
      const std::uint32_t flat = program_.flat_windows ? flat_bits(norms) & valid : 0;
      std::uint32_t alive = valid & ~flat, pass = 0;
      Octet octets[kOctets];
      for (int o = 0; o < kOctets; ++o) {
        const int col = g * kGroup + 8 * o;
        octets[o] = {strip_row * w_.strip.stride() + col, place(strip_row, col), norms + 8 * o,
                     row * level_.cols + first_col_ + col, alive >> (8 * o) & 0xFF};
      }
      if (alive != 0) pass = octet_stage(0, octets, kOctets);
      SkipWord word{0, false};
      if (model_.rules.skip_after_first_stage_reject) word = skip_after_rejects(alive & ~pass, skip);
      skip = word.skip_next;  // windows beyond the row's end are no rejects
      const std::uint32_t visited = valid & ~word.skipped;
      w_.skipped += std::popcount(valid & word.skipped);
      w_.flat += std::popcount(flat & visited);
      count(0, std::popcount(alive & visited));
      for (int o = 0; o < kOctets; ++o) octets[o].alive = (pass & visited) >> (8 * o) & 0xFF;
      w_.octets.insert(w_.octets.end(), octets, octets + kOctets);
      w_.octets.resize(w_.octets.size() - kOctets +
                       keep_living(w_.octets.data() + w_.octets.size() - kOctets, kOctets));
    }
    w_.skip_next[static_cast<std::size_t>(row - job_.first_row)] = skip;
  }

  // Moves the octets in which a window lives to the front, in pairs while they are kept in pairs. No branch:
  // whether an octet lives cannot be predicted.
  std::size_t keep_living(Octet* octets, std::size_t n) const {
    std::size_t kept = 0;
    if (paired_) {
      for (std::size_t i = 0; i < n; i += 2) {
        const Octet a = octets[i], b = octets[i + 1];
        octets[kept] = a;
        octets[kept + 1] = b;
        kept += (a.alive | b.alive) != 0 ? 2 : 0;
      }
    } else {
      for (std::size_t i = 0; i < n; ++i) {
        const Octet octet = octets[i];
        octets[kept] = octet;
        kept += octet.alive != 0;
      }
    }
    return kept;
  }

  // A band's living octets, stage by stage, four at a time from wherever they are. An octet with so few
  // living windows that they are cheaper packed sends them to wait. Pairs are kept together, though one of
  // them be dead, as long as their cheaper loads make up for it.
  void run_octets() {
    const int stages = static_cast<int>(program_.stages.size());
    auto& list = w_.octets;
    for (int s = 1; s < stages && !list.empty(); ++s) {
      const int few = job_.pack ? few_windows(s) : 0;
      std::size_t living_octets = 0;
      for (Octet& octet : list) {
        if (few > 0 && octet.alive != 0 && std::popcount(octet.alive) <= few) {
          wait(s, octet);
          octet.alive = 0;
        }
        living_octets += octet.alive != 0;
      }
      if (paired_ && static_cast<double>(living_octets) < kPairsWorth * static_cast<double>(list.size()))
        paired_ = false;
      list.resize(keep_living(list.data(), list.size()));
      for (std::size_t i = 0; i < list.size(); i += kOctets) {
        const int n = static_cast<int>(std::min<std::size_t>(kOctets, list.size() - i));
        Octet* octets = list.data() + i;
        int living = 0;
        for (int o = 0; o < n; ++o) living += std::popcount(octets[o].alive);
        count(s, living);
        const std::uint32_t pass = octet_stage(s, octets, n);
        for (int o = 0; o < n; ++o) octets[o].alive = pass >> (8 * o) & 0xFF;
      }
      list.resize(keep_living(list.data(), list.size()));
    }
    // A cascade of one stage ends here: its survivors have no verdicts at hand.
    for (const Octet& octet : list) {
      if (stages > 1) break;
      for (std::uint32_t alive = octet.alive; alive != 0; alive &= alive - 1) {
        const int i = std::countr_zero(alive);
        const WindowSums sums = sums_at(octet.at + i * level_.step, norm_at(octet.norm + i));
        keep(octet.window + i, stage_sum(model_, model_.stages[0], sums));
      }
    }
    list.clear();
    paired_ = kN16 > 8;
  }

  // At most so many living windows of an octet cost less packed than left where they are, for the next two
  // stages.
  int few_windows(int stage) const {
    const int cost = cost_from(stage);
    int n = 0;
    while (n < 8 && (n + 1) * (pack_cost() + cost / 28) < cost / kOctets) ++n;
    return n;
  }

  // Packing a group of windows, and two stages of one, in the same unit (about a cycle).
  int pack_cost() const {
    const LaneGeometry& geometry = program_.geometry;
    const int chunks = (geometry.patch_width + 7) / 8 * (geometry.patch_values / geometry.patch_width);
    return chunks * (program_.tilted ? 2 : 1) * 3 / 2;  // a window's share, as measured
  }
  int cost_from(int stage) const {
    const auto& stages = program_.stages;
    int cost = 0;
    for (int s = stage; s < stage + 2 && s < static_cast<int>(stages.size()); ++s) {
      cost += stages[static_cast<std::size_t>(s)].cost;
    }
    return cost;
  }

  std::int32_t place(int strip_row, int col) const {
    return strip_row * w_.strip.stride() + col * level_.step;
  }

  void wait(int stage, const Octet& octet) {
    auto& list = w_.waiting[static_cast<std::size_t>(stage)];
    for (std::uint32_t alive = octet.alive; alive != 0; alive &= alive - 1) {
      const int i = std::countr_zero(alive);
      list.push_back({octet.at + i * level_.step, norm_at(octet.norm + i), octet.window + i});
    }
  }

  // Windows that wait, stage by stage, a group at a time; those who outlive most of their group wait again
  // further on.
  void run_waiting() {
    const int stages = static_cast<int>(program_.stages.size());
    for (int s = 1; s < stages; ++s) {
      auto& list = w_.waiting[static_cast<std::size_t>(s)];
      for (std::size_t i = 0; i < list.size(); i += kGroup) {
        run_packed(s, list.data() + i, static_cast<int>(std::min<std::size_t>(kGroup, list.size() - i)));
      }
      list.clear();
    }
  }

  void run_packed(int stage, const Waiting* windows, int n) {
    Block block;
    HWY_ALIGN float norms[kGroup];
    for (int i = 0; i < kGroup; ++i) {
      block.at[i] = windows[i < n ? i : 0].at;
      norms[i] = windows[i < n ? i : 0].norm;
    }
    const LaneGeometry& g = program_.geometry;
    pack_plane(w_.strip.low(), g, block.at, w_.patch.data());
    if (program_.tilted)
      pack_plane(w_.strip.tilted_low(), g, block.at, w_.patch.data() + g.patch_values * kGroup);
    block.low[0] = block.tilted_low[0] = w_.patch.data();
    block.sum = w_.strip.sum();
    block.tilted = w_.strip.tilted();
    for (int p = 0; p < kParts32; ++p) block.norm[p] = hn::LoadU(DF(), norms + p * kN32);
    std::uint32_t alive = n == kGroup ? ~0u : (1u << n) - 1;
    const int stages = static_cast<int>(program_.stages.size());
    for (int s = stage; alive != 0 && s < stages; ++s) {
      const int living = std::popcount(alive);
      if (s > stage && static_cast<std::int64_t>(living) * pack_cost() * kGroup <
                           static_cast<std::int64_t>(kGroup - living) * cost_from(s)) {
        auto& list = w_.waiting[static_cast<std::size_t>(s)];
        for (; alive != 0; alive &= alive - 1) list.push_back(windows[std::countr_zero(alive)]);
        return;
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
  }

  // Octets that lie anywhere, n of at most kOctets; their windows that pass, eight bits an octet.
  std::uint32_t octet_stage(int s, const Octet* octets, int n) {
    const Strip& strip = w_.strip;
    const bool split = level_.step == 2;
    const std::uint16_t* low = split ? strip.split() : strip.low();
    const std::uint16_t* tilted_low = split ? strip.tilted_split() : strip.tilted_low();
    Block block;
    block.sum = strip.sum();
    block.tilted = strip.tilted();
    HWY_ALIGN float norms[kGroup];
    std::uint32_t alive = 0;
    for (int o = 0; o < kOctets; ++o) {
      const Octet& octet = octets[o < n ? o : paired_ ? o % 2 : 0];  // pairs come in twos
      block.low[o] = low + octet.narrow;
      block.tilted_low[o] = tilted_low + octet.narrow;
      block.at[o] = octet.at;
      if (o < n) alive |= octet.alive << (8 * o);
      if (program_.flat_windows) std::memcpy(norms + 8 * o, w_.norms.data() + octet.norm, 8 * sizeof(float));
    }
    for (int p = 0; p < kParts32; ++p) {
      block.norm[p] = program_.flat_windows ? hn::LoadU(DF(), norms + p * kN32) : hn::Set(DF(), 1.f);
    }
    const LaneStage& code = program_.stages[static_cast<std::size_t>(s)];
    const StageBits bits = run_stage_of(code, block, split);
    const auto sums = [&](int i) {
      const Octet& octet = octets[i / 8];
      return sums_at(octet.at + i % 8 * level_.step, norm_at(octet.norm + i % 8));
    };
    alive = settle(s, bits, alive, sums);
    if (s > 0 && code.last)
      keep_all(
          alive, [&](int i) { return octets[i / 8].window + i % 8; }, sums);
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
    return {w_.strip.sum() + at, program_.tilted ? w_.strip.tilted() + at : nullptr, w_.strip.stride(), norm};
  }
  float norm_at(std::int32_t index) const {
    return program_.flat_windows ? w_.norms[static_cast<std::size_t>(index)] : 1.f;
  }

  void keep(std::int32_t window, double score) {
    ++w_.reached.back();
    w_.survivors.push_back({level_.first_window + window, score});
  }

  void count(int s, int living) {
    w_.reached[static_cast<std::size_t>(s)] += living;
    w_.weak += static_cast<std::int64_t>(living) * program_.stages[static_cast<std::size_t>(s)].trees;
  }

  std::uint32_t flat_bits(int norms) const {
    std::uint32_t fine = 0;
    for (int p = 0; p < kParts32; ++p) {
      const VF norm = hn::LoadU(DF(), w_.norms.data() + norms + p * kN32);
      fine |= mask_bits(hn::Le(norm, hn::Set(DF(), program_.flat_above))) << (p * kN32);
    }
    return ~fine;
  }

  // `window_norm` for every window of a row; a window without spread gets infinity or NaN, which is above any
  // limit.
  void find_norms(int strip_row, float* norms) const {
    const int inner_width = window_.width - 2, inner_height = window_.height - 2, stride = w_.strip.stride();
    const std::uint32_t* sum = w_.strip.sum() + (strip_row + 1) * static_cast<std::ptrdiff_t>(stride) + 1;
    const std::uint32_t* square =
        w_.strip.square() + (strip_row + 1) * static_cast<std::ptrdiff_t>(stride) + 1;
    const std::ptrdiff_t down = static_cast<std::ptrdiff_t>(inner_height) * stride;
    const D64 d;
    const D32x d32;
    const hn::Rebind<float, D64> df;
    const auto area = hn::Set(d, static_cast<double>(inner_width) * inner_height);
    const auto sign = hn::Set(d32, std::numeric_limits<std::int32_t>::min());
    const auto lift = hn::Set(d, 2147483648.0);
    for (int i = 0; i < cols_; i += kN64) {
      const int x = i * level_.step;
      const auto rect = [&](const std::uint32_t* plane) HWY_ATTR {
        const auto corner = [&](std::ptrdiff_t offset) HWY_ATTR {
          const auto* at = reinterpret_cast<const std::int32_t*>(plane) + x + offset;
          hn::Vec<D32x> even, odd;
          if (level_.step == 1) return hn::LoadU(d32, at);
          hn::LoadInterleaved2(d32, at, even, odd);
          return even;
        };
        return hn::Add(hn::Sub(corner(0), corner(inner_width)),
                       hn::Sub(corner(down + inner_width), corner(down)));
      };
      const auto s = hn::PromoteTo(d, rect(sum));
      // Unsigned to double: move into the signed range and back.
      const auto q = hn::Add(hn::PromoteTo(d, hn::Xor(rect(square), sign)), lift);
      const auto spread = hn::Sub(hn::Mul(area, q), hn::Mul(s, s));
      const auto norm = hn::Div(hn::Set(d, 1.0), hn::Sqrt(spread));
      hn::StoreU(hn::DemoteTo(df, norm), df, norms + i);
    }
  }

  const SweepJob& job_;
  const LaneProgram& program_;
  const CascadeModel& model_;
  const Level& level_;
  SweepWorker& w_;
  const Size window_;
  int first_col_ = 0, cols_ = 0;  // of the strip
  bool paired_ = kN16 > 8;        // octets are kept in pairs of neighbours
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

SweepWorker::SweepWorker(const LaneProgram& program, Size window, bool square)
    : strip({strip_stride(window), strip_rows(window), square, program.tilted}),
      pixels(static_cast<std::size_t>(strip_stride(window)) + 64),
      norms(static_cast<std::size_t>(kBandHeight) * kNormStride + kGroup),
      skip_next(1),
      waiting(program.stages.size()),
      verdicts(static_cast<std::size_t>(program.max_nodes) + 1),
      reached(program.stages.size() + 1) {}

void sweep(const SweepJob& job, SweepWorker& worker) { HWY_DYNAMIC_DISPATCH(SweepJobNow)(job, worker); }

std::string sweep_target() { return hwy::TargetName(HWY_DYNAMIC_DISPATCH(TargetNow)()); }

}  // namespace winnow
#endif  // HWY_ONCE
