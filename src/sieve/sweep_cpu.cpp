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

// One thread's way through a job: a strip of columns after the other, each from top to bottom in bands of rows.
class Sweep {
 public:
  Sweep(const SweepJob& job, SweepWorker& worker)
      : job_(job), program_(*job.program), model_(*job.model), level_(*job.level), w_(worker), window_(job.model->window) {}

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
        resize_row_cpu(job_.picture, level_.height, *job_.columns, x, pixels, top + w_.strip.rows() - 1, w_.resize_rows,
                       w_.pixels.data());
        w_.strip.add_row(w_.pixels.data(), pixels);
      }
      for (; row < end; ++row) run_row(row, row * step - top);
      run_waiting();
      const int next = row * step - top;
      w_.strip.drop_rows(next, std::min(w_.strip.stride(), pixels + 1));
      top += next;
    }
  }

  // All windows of one row: their norms, the first stage, which of them are visited, then the later stages.
  void run_row(int row, int strip_row) {
    const int groups = (cols_ + kGroup - 1) / kGroup;
    if (program_.flat_windows) find_norms(strip_row);
    bool skip = w_.skip_next[static_cast<std::size_t>(row - job_.first_row)] != 0;
    for (int g = 0; g < groups; ++g) {
      const int left = cols_ - g * kGroup;
      const std::uint32_t valid = left >= kGroup ? ~0u : (1u << left) - 1;
      const std::uint32_t flat = program_.flat_windows ? flat_bits(g) & valid : 0;
      std::uint32_t alive = valid & ~flat;
      const Block block = dense_block(strip_row, g);
      const std::uint32_t pass = alive != 0 ? dense_stage(0, block, strip_row, g, alive) : 0;
      SkipWord word{0, false};
      if (model_.rules.skip_after_first_stage_reject) word = skip_after_rejects(alive & ~pass, skip);
      skip = word.skip_next;
      const std::uint32_t visited = valid & ~word.skipped;
      w_.skipped += std::popcount(valid & word.skipped);
      w_.flat += std::popcount(flat & visited);
      count(0, alive & visited);
      run_later_stages(block, row, strip_row, g, pass & visited);
    }
    // A word whose windows end early says what follows its last valid window: bits beyond are no rejects.
    w_.skip_next[static_cast<std::size_t>(row - job_.first_row)] = skip;
  }

  void run_later_stages(const Block& block, int row, int strip_row, int g, std::uint32_t alive) {
    const int stages = static_cast<int>(program_.stages.size());
    for (int s = 1; alive != 0 && s < stages; ++s) {
      if (job_.pack && std::popcount(alive) * pack_cost() < cost_from(s)) {
        wait(s, row, strip_row, g, alive);
        return;
      }
      count(s, alive);
      alive = dense_stage(s, block, strip_row, g, alive);
    }
    for (; alive != 0; alive &= alive - 1) {
      const int i = std::countr_zero(alive);
      const std::size_t lane = static_cast<std::size_t>(g * kGroup + i);
      keep(place(strip_row, g * kGroup + i), program_.flat_windows ? w_.norms[lane] : 1.f,
           row * level_.cols + first_col_ + static_cast<int>(lane));
    }
  }

  // Packing a group of windows, and two stages of one, in the same unit (about a cycle).
  int pack_cost() const {
    const LaneGeometry& geometry = program_.geometry;
    const int chunks = (geometry.patch_width + 7) / 8 * (geometry.patch_values / geometry.patch_width);
    return program_.tilted ? 2 * chunks : chunks;  // a window's share of 32 cycles a chunk
  }
  int cost_from(int stage) const {
    const auto& stages = program_.stages;
    int cost = 0;
    for (int s = stage; s < stage + 2 && s < static_cast<int>(stages.size()); ++s) {
      cost += stages[static_cast<std::size_t>(s)].cost;
    }
    return cost;
  }

  std::int32_t place(int strip_row, int col) const { return strip_row * w_.strip.stride() + col * level_.step; }

  void wait(int stage, int row, int strip_row, int g, std::uint32_t alive) {
    auto& list = w_.waiting[static_cast<std::size_t>(stage)];
    for (; alive != 0; alive &= alive - 1) {
      const int lane = g * kGroup + std::countr_zero(alive);
      const float norm = program_.flat_windows ? w_.norms[static_cast<std::size_t>(lane)] : 1.f;
      list.push_back({place(strip_row, lane), norm, row * level_.cols + first_col_ + lane});
    }
  }

  // Windows that wait, stage by stage, a group at a time; those who outlive most of their group wait again further on.
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
    HWY_ALIGN std::int32_t at[kGroup];
    HWY_ALIGN float norms[kGroup];
    for (int i = 0; i < kGroup; ++i) {
      at[i] = windows[i < n ? i : 0].at;
      norms[i] = windows[i < n ? i : 0].norm;
    }
    pack_plane(w_.strip.low(), program_.geometry, at, w_.patch.data());
    if (program_.tilted) {
      pack_plane(w_.strip.tilted_low(), program_.geometry, at,
                 w_.patch.data() + program_.geometry.patch_values * kGroup);
    }
    Block block{w_.patch.data(), w_.patch.data(), w_.strip.sum(), w_.strip.tilted(), at, {}};
    for (int p = 0; p < kParts32; ++p) block.norm[p] = hn::LoadU(DF(), norms + p * kN32);
    std::uint32_t alive = n == kGroup ? ~0u : (1u << n) - 1;
    const int stages = static_cast<int>(program_.stages.size());
    for (int s = stage; alive != 0 && s < stages; ++s) {
      const int living = std::popcount(alive);
      if (s > stage && living * pack_cost() * kGroup < (kGroup - living) * cost_from(s)) {
        auto& list = w_.waiting[static_cast<std::size_t>(s)];
        for (; alive != 0; alive &= alive - 1) list.push_back(windows[std::countr_zero(alive)]);
        return;
      }
      count(s, alive);
      const LaneStage& code = program_.stages[static_cast<std::size_t>(s)];
      StageBits bits = run_stage<LaneLayout::kPacked>(program_, code, block, w_.verdicts.data());
      for (std::uint32_t look = bits.unsure & alive; look != 0; look &= look - 1) {
        const int i = std::countr_zero(look);
        if (accepts(s, at[i], norms[i])) bits.pass |= 1u << i;
      }
      alive &= bits.pass;
    }
    for (; alive != 0; alive &= alive - 1) {
      const int i = std::countr_zero(alive);
      keep(at[i], norms[i], windows[i].window);
    }
  }

  Block dense_block(int strip_row, int g) const {
    const Strip& strip = w_.strip;
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(strip_row) * strip.stride();
    const std::ptrdiff_t wide = row + g * kGroup * level_.step, narrow = row + g * kGroup;
    const bool split = level_.step == 2;
    Block block{(split ? strip.split() : strip.low()) + narrow,
                program_.tilted ? (split ? strip.tilted_split() : strip.tilted_low()) + narrow : nullptr,
                strip.sum() + wide,
                program_.tilted ? strip.tilted() + wide : nullptr,
                nullptr,
                {}};
    for (int p = 0; p < kParts32; ++p) {
      block.norm[p] = program_.flat_windows ? hn::LoadU(DF(), w_.norms.data() + g * kGroup + p * kN32) : hn::Set(DF(), 1.f);
    }
    return block;
  }

  std::uint32_t dense_stage(int s, const Block& block, int strip_row, int g, std::uint32_t alive) {
    const LaneStage& code = program_.stages[static_cast<std::size_t>(s)];
    StageBits bits = level_.step == 2 ? run_stage<LaneLayout::kSplit>(program_, code, block, w_.verdicts.data())
                                      : run_stage<LaneLayout::kRows>(program_, code, block, w_.verdicts.data());
    for (std::uint32_t look = bits.unsure & alive; look != 0; look &= look - 1) {
      const int i = std::countr_zero(look), lane = g * kGroup + i;
      const float norm = program_.flat_windows ? w_.norms[static_cast<std::size_t>(lane)] : 1.f;
      if (accepts(s, place(strip_row, lane), norm)) bits.pass |= 1u << i;
    }
    return bits.pass & alive;
  }

  WindowSums sums_at(std::int32_t at, float norm) const {
    return {w_.strip.sum() + at, program_.tilted ? w_.strip.tilted() + at : nullptr, w_.strip.stride(), norm};
  }
  bool accepts(int s, std::int32_t at, float norm) const {
    const Stage& stage = model_.stages[static_cast<std::size_t>(s)];
    return !stage_rejects(stage_sum(model_, stage, sums_at(at, norm)), stage_limit(stage, model_.rules));
  }

  void keep(std::int32_t at, float norm, std::int32_t window) {
    ++w_.reached.back();
    const double score = stage_sum(model_, model_.stages.back(), sums_at(at, norm));
    w_.survivors.push_back({level_.first_window + window, score});
  }

  void count(int s, std::uint32_t alive) {
    const int n = std::popcount(alive);
    w_.reached[static_cast<std::size_t>(s)] += n;
    w_.weak += static_cast<std::int64_t>(n) * program_.stages[static_cast<std::size_t>(s)].trees;
  }

  std::uint32_t flat_bits(int g) const {
    std::uint32_t fine = 0;
    for (int p = 0; p < kParts32; ++p) {
      const VF norm = hn::LoadU(DF(), w_.norms.data() + g * kGroup + p * kN32);
      fine |= mask_bits(hn::Le(norm, hn::Set(DF(), program_.flat_above))) << (p * kN32);
    }
    return ~fine;
  }

  // `window_norm` for every window of a row; a window without spread gets infinity or NaN, which is above any limit.
  void find_norms(int strip_row) {
    const int inner_width = window_.width - 2, inner_height = window_.height - 2, stride = w_.strip.stride();
    const std::uint32_t* sum = w_.strip.sum() + (strip_row + 1) * static_cast<std::ptrdiff_t>(stride) + 1;
    const std::uint32_t* square = w_.strip.square() + (strip_row + 1) * static_cast<std::ptrdiff_t>(stride) + 1;
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
        return hn::Add(hn::Sub(corner(0), corner(inner_width)), hn::Sub(corner(down + inner_width), corner(down)));
      };
      const auto s = hn::PromoteTo(d, rect(sum));
      // Unsigned to double: move into the signed range and back.
      const auto q = hn::Add(hn::PromoteTo(d, hn::Xor(rect(square), sign)), lift);
      const auto spread = hn::Sub(hn::Mul(area, q), hn::Mul(s, s));
      const auto norm = hn::Div(hn::Set(d, 1.0), hn::Sqrt(spread));
      hn::StoreU(hn::DemoteTo(df, norm), df, w_.norms.data() + i);
    }
  }

  const SweepJob& job_;
  const LaneProgram& program_;
  const CascadeModel& model_;
  const Level& level_;
  SweepWorker& w_;
  const Size window_;
  int first_col_ = 0, cols_ = 0;  // of the strip
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
      norms(kStripWidth + 2 * kGroup),
      skip_next(1),
      waiting(program.stages.size()),
      verdicts(static_cast<std::size_t>(program.max_nodes) + 1),
      reached(program.stages.size() + 1) {}

void sweep(const SweepJob& job, SweepWorker& worker) { HWY_DYNAMIC_DISPATCH(SweepJobNow)(job, worker); }

std::string sweep_target() { return hwy::TargetName(HWY_DYNAMIC_DISPATCH(TargetNow)()); }

}  // namespace winnow
#endif  // HWY_ONCE
