// One thread's way through a job: a strip of columns after the other, each from top to bottom in bands of
// rows; a band's windows stage by stage, as octets where they are, or packed. How a stage is run, the class
// says that is derived from it. Included once a SIMD target.
#if defined(WINNOW_WALK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WINNOW_WALK_INL_H
#undef WINNOW_WALK_INL_H
#else
#define WINNOW_WALK_INL_H
#endif

#include <algorithm>
#include <bit>

#include "sieve/lanes/lanes_cpu-inl.h"
#include "sieve/lanes/norms_cpu-inl.h"
#include "sieve/lanes/pack_cpu-inl.h"
#include "sieve/lanes/sweep.h"
#include "sieve/skip_rule.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {

// Octets that live, of those kept in pairs, below which pairs are given up (measured: 0.7 to 0.9 are alike).
constexpr double kPairsWorth = 0.85;

// Sweep::kKeepsPairs: whether octets are kept in pairs of neighbours as long as it pays.
// Sweep::kHasLines: whether an OctetLine goes with each octet that is listed.
// Sweep::judge(stage, listed, n, pass): n listed octets, of at most kSquad groups; counts who enters, and
//   writes for each group which windows pass, eight bits an octet. Keeps survivors of a last stage that is
//   not the first.
// Sweep::first_stage(octets, groups, pass): the same for whole groups of a row, but nobody is counted.
// Sweep::move_line(group, o, listed): of the octets judged last, one goes with its line to its new place.
// Sweep::waiting(octet, group, o, i): a window of one of them that is to be packed.
// Sweep::keep_listed(listed, i): a survivor of a cascade of one stage.
// Sweep::run_packed(stage, windows, n): from `stage` on, until all have gone or most: the stage that the rest
//   then waits for, or one past the last.
template <class Sweep>
class Walk {
 public:
  Walk(const SweepJob& job, SweepWorker& worker)
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

  // All who still wait: in the end, or after each band if there is no shelf.
  void run_waiting() {
    for (int s = 1; s < stages(); ++s) run_rest(s);
  }

 protected:
  int stages() const { return static_cast<int>(program_.stages.size()); }
  const LaneStage& stage(int s) const { return program_.stages[static_cast<std::size_t>(s)]; }

  std::int32_t place(const Octet& octet) const {  // in the planes that lie row by row
    return (octet.row() * w_.strip.stride() + octet.col()) * level_.step;
  }
  std::int32_t narrow_place(const Octet& octet) const {  // in the 16-bit ones, split on levels of step 2
    return octet.row() * level_.step * w_.strip.stride() + octet.col();
  }
  std::int64_t window_of(const Octet& octet, int i) const {
    return level_.first_window + std::int64_t{band_row_ + octet.row()} * level_.cols + first_col_ +
           octet.col() + i;
  }
  // Of a group of n octets, what stands in for those that are not there; pairs come in twos.
  int standing_in(int o, int n) const { return o < n ? o : paired_ ? o % 2 : 0; }

  // Where the windows of n octets are (but not their norms), `kInLine` one after the other; who of them
  // lives.
  template <bool kInLine = false>
  std::uint32_t place_block(const Octet* octets, int n, Block& block) const {
    const Strip& strip = w_.strip;
    const bool split = level_.step == 2;
    const std::uint16_t* low = split ? strip.split() : strip.low();
    const std::uint16_t* tilted_low = !program_.tilted ? low
                                      : split          ? strip.tilted_split()
                                                       : strip.tilted_low();
    block.sum = strip.sum();
    block.tilted = strip.tilted();
    std::uint32_t alive = 0;
    for (int o = 0; o < kOctets; ++o) {
      const Octet& octet = octets[kInLine ? 0 : standing_in(o, n)];
      const std::int32_t beyond = kInLine ? 8 * o : 0;
      const std::int32_t narrow = narrow_place(octet) + beyond;
      block.low[o] = low + narrow;
      block.tilted_low[o] = tilted_low + narrow;
      block.at[o] = place(octet) + beyond * level_.step;
      if (o < n) alive |= octets[o].alive() << (8 * o);
    }
    return alive;
  }

  // The same for windows that are packed now, n of at most kGroup; and their norms.
  void pack_block(const Waiting* windows, int n, Block& block) {
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
  }

  // Whether so few of a packed group live that they had better wait to be packed with others.
  bool should_wait(int living, int s) const {
    return static_cast<std::int64_t>(living) * program_.pack_cost() * kGroup <
           static_cast<std::int64_t>(kGroup - living) * program_.cost_from(s);
  }

  // Whether n windows, fewer than a group, had better wait for others than be packed as they are: putting one
  // on the shelf costs about what packing it does.
  bool worth_shelving(int n, int s) const {
    const std::int64_t pack = std::int64_t{program_.pack_cost()} * kGroup;
    return n * pack < (kGroup - n) * (pack + program_.cost_from(s));
  }

  void keep(std::int64_t window, double score) {
    ++w_.reached.back();
    w_.survivors.push_back({window, score});
  }

  // Of n packed windows, those that live come to wait for a later stage; others have their places no longer.
  // `change(window, i)`: what is new of the i-th.
  template <class Change>
  void part(const Waiting* windows, int n, std::uint32_t alive, int s, const Change& change) {
    if (program_.shelves) {
      for (int i = 0; i < n; ++i) {
        if ((alive >> i & 1) == 0) w_.shelf.let_go(windows[i]);
      }
    }
    if (alive == 0) return;
    WaitingList& list = w_.waiting[static_cast<std::size_t>(s)];
    Waiting* next = list.end();
    for (; alive != 0; alive &= alive - 1) {
      const int i = std::countr_zero(alive);
      *next = windows[i];
      change(*next++, i);
    }
    list.grow_to(next);
  }

  void count(int s, int living) { w_.reached[static_cast<std::size_t>(stage(s).enters)] += living; }

  const SweepJob& job_;
  const LaneProgram& program_;
  const CascadeModel& model_;
  const Level& level_;
  SweepWorker& w_;
  const Size window_;
  bool paired_ = true;  // octets are kept in pairs of neighbours

 private:
  Sweep& sweep() { return static_cast<Sweep&>(*this); }

  void run_strip(int x) {
    const int step = level_.step, pixels = (cols_ - 1) * step + window_.width;
    w_.strip.start(step == 2);
    w_.resize_rows.forget();
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
      paired_ = Sweep::kKeepsPairs && kN16 > 8;
      for (; row < end; ++row) run_row(row - band_row_);
      run_octets();
      program_.shelves ? shelve_waiting() : run_waiting();
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
    // Lines have their own copies of norms: one row of them is enough.
    float* norm = w_.norms.data() + (Sweep::kHasLines ? 0 : row * kNormStride);
    if (norms) find_norms(w_.strip, level_.step, program_.wide, row * level_.step, window_, cols_, norm);
    auto& skip_next = w_.skip_next[static_cast<std::size_t>(band_row_ + row - job_.first_row)];
    bool skip = skip_next != 0;
    for (int first = 0; first < cols_; first += kSquad * kGroup) {
      const int groups = std::min(kSquad, (cols_ - first + kGroup - 1) / kGroup);
      std::uint32_t valid[kSquad], flat[kSquad], pass[kSquad];
      Octet* octets = w_.octets.data() + octets_;
      for (int g = 0; g < groups; ++g) {
        const int col = first + g * kGroup, left = cols_ - col;
        valid[g] = left >= kGroup ? ~0u : (1u << left) - 1;
        flat[g] = norms ? flat_bits(norm + col, program_.flat_above) & valid[g] : 0;
        for (int o = 0; o < kOctets; ++o) {
          octets[g * kOctets + o] = Octet(row, col + 8 * o, (valid[g] & ~flat[g]) >> (8 * o) & 0xFF);
        }
      }
      sweep().first_stage(octets, groups, pass);
      for (int g = 0; g < groups; ++g) {
        const std::uint32_t alive = valid[g] & ~flat[g];
        SkipWord word{0, false};
        if (model_.rules.skip_after_first_stage_reject) word = skip_after_rejects(alive & ~pass[g], skip);
        skip = word.skip_next;  // windows beyond the row's end are no rejects
        const std::uint32_t visited = valid[g] & ~word.skipped;
        w_.skipped += std::popcount(valid[g] & word.skipped);
        w_.flat += std::popcount(flat[g] & visited);
        count(0, std::popcount(alive & visited));
        if ((pass[g] & visited) != 0)
          octets_ += keep_living(octets + g * kOctets, g, pass[g] & visited, 1, octets_);
      }
    }
    skip_next = skip;
  }

  // A band's living octets, stage by stage, four at a time from wherever they are.
  void run_octets() {
    Octet* const list = w_.octets.data();
    for (int s = 1; s < stages() && octets_ > 0; ++s) {
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
      for (std::size_t i = 0; i < octets_; i += kSquad * kOctets) {
        const int n = static_cast<int>(std::min<std::size_t>(kSquad * kOctets, octets_ - i));
        std::uint32_t pass[kSquad];
        sweep().judge(s, i, n, pass);
        if (s + 1 == stages()) continue;
        for (int g = 0; g * kOctets < n; ++g)
          kept += keep_living(list + i + g * kOctets, g, pass[g], s + 1, kept);
      }
      octets_ = kept;
    }
    for (std::size_t i = 0; stages() == 1 && i < octets_; ++i) {
      for (std::uint32_t alive = list[i].alive(); alive != 0; alive &= alive - 1)
        sweep().keep_listed(i, std::countr_zero(alive));
    }
  }

  // Lists those of a squad's group's octets of which windows passed for a stage, from `at` on, and how many.
  // Pairs are kept
  // together, though one of them be dead, as long as their cheaper loads make up for it. Whether an octet
  // lives cannot be predicted, so there is no branch on it.
  std::size_t keep_living(const Octet* octets, int group, std::uint32_t pass, int s, std::size_t at) {
    const int limit = s < stages() ? stage(s).pack_limit : 0;
    if (limit > 0) pass = send_to_wait(octets, group, pass, s, limit);
    Octet* const list = w_.octets.data() + at;
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
        sweep().move_line(group, o, at + kept);
        kept += octet.alive() != 0;
      }
      living = kept;
    }
    living_octets_ += living;
    return kept;
  }

  // Octets with up to `limit` living windows send them to wait, since they are cheaper packed; returns the
  // windows that are left. All four octets at once, eight bits each: a branch on an octet could not be
  // predicted.
  std::uint32_t send_to_wait(const Octet* octets, int group, std::uint32_t pass, int s, int limit) {
    std::uint32_t living = pass - (pass >> 1 & 0x55555555);
    living = (living & 0x33333333) + (living >> 2 & 0x33333333);
    living = (living + (living >> 4)) & 0x0F0F0F0F;
    const std::uint32_t within = (0x80808080 + static_cast<std::uint32_t>(limit) * 0x01010101 - living) >> 7;
    const std::uint32_t go = (within & 0x01010101) * 0xFF & pass;
    WaitingList& list = w_.waiting[static_cast<std::size_t>(s)];
    Waiting* next = list.end();
    for (std::uint32_t left = go; left != 0; left &= left - 1) {
      const int bit = std::countr_zero(left);
      *next++ = sweep().waiting(octets[bit / 8], group, bit / 8, bit % 8);
    }
    list.grow_to(next);
    run_full(s);
    return pass & ~go;
  }

  // Those who wait for a stage, if they are a group; then, if they make one where they come to wait again,
  // the group there.
  void run_full(int s) {
    while (s < stages() && w_.waiting[static_cast<std::size_t>(s)].size() >= kGroup)
      s = sweep().run_packed(s, w_.waiting[static_cast<std::size_t>(s)].take(kGroup), kGroup);
  }

  // At the end of a band: those who are left wait on the shelf, or go if there is no room.
  void shelve_waiting() {
    for (int s = 1; s < stages(); ++s) {
      WaitingList& list = w_.waiting[static_cast<std::size_t>(s)];
      if (list.size() > w_.shelf.room() || !worth_shelving(list.size(), s)) {
        run_rest(s);
        continue;
      }
      for (Waiting& window : list.all()) {
        if (window.shelf < 0) w_.shelf.put(w_.strip, window);
      }
    }
  }

  // Those who are left, though they make no group.
  void run_rest(int s) {
    WaitingList& list = w_.waiting[static_cast<std::size_t>(s)];
    if (const int n = list.size(); n > 0) run_full(sweep().run_packed(s, list.take(n), n));
  }

  int first_col_ = 0, cols_ = 0;   // of the strip
  int band_row_ = 0;               // first row of the band
  std::size_t octets_ = 0;         // listed in the worker
  std::size_t living_octets_ = 0;  // of them
};

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#endif  // WINNOW_WALK_INL_H
