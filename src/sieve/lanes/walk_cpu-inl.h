// Walks through a job on one thread: strip after strip of columns. A strip is walked from top to bottom, band
// after band of rows. Included once per SIMD target.
//
// In:     a job and a worker. The class derived from `Walk` runs the stages.
// Out:    survivors and counters, added to the survivors and counters of the worker.
// Exact:  windows are visited by OpenCV's rule (`skip_rule.h`). The order and bundling of windows change no
//         verdict.
// Memory: all memory is the worker's. Only the worker's list of survivors may grow. Job and worker must
//         outlive the walk.
//
// An octet is eight neighbouring windows. The octets of a band are judged in place, one stage after the
// other. Windows of octets in which few windows live are packed instead.
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

// Octets are no longer kept in pairs if fewer than this fraction of the listed octets live. Fractions from
// 0.7 to 0.9 were equally fast.
constexpr double kPairsWorth = 0.85;

// The derived class `Sweep` gives:
// - `kKeepsPairs`: whether octets are kept in pairs of neighbours as long as pairs pay.
// - `kHasLines`: whether each listed octet has an OctetLine.
// - `judge(stage, listed, n, pass)`: judges n octets of the worker's list from place `listed` on, at most
//   kSquad bundles. Counts the windows that enter the stage, and writes for each bundle the windows that
//   pass, eight bits per octet. Keeps survivors if the stage is the last and not the first.
// - `first_stage(octets, bundles, pass)`: judges whole bundles of a row in the first stage, without counting
//   windows.
// - `move_line(bundle, o, listed)`: writes the `OctetLine` at place `listed`, for octet o of a bundle that
//   was just judged.
// - `pending(octet, bundle, o, i)`: makes the `PendingWindow` of window i of octet o of a bundle that was
//   just judged.
// - `keep_listed(listed, i)`: keeps window i of the octet at place `listed` as a survivor, in a cascade of
//   one stage.
// - `run_packed(stage, windows, n)`: runs packed windows from `stage` on, until no window lives or so few
//   live that they should be deferred. Returns the stage that comes next for the deferred windows, or one
//   past the last stage.
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

  // Judges all pending windows: at the end of a picture, or after each band if the program has no memory
  // to keep pending windows (`Shelf` in pending.h).
  void run_pending() {
    for (int s = 1; s < stages(); ++s) run_rest(s);
  }

 protected:
  int stages() const { return static_cast<int>(program_.stages.size()); }
  const LaneStage& stage(int s) const { return program_.stages[static_cast<std::size_t>(s)]; }

  // The place of an octet's first window. `place`: in planes that lie row by row. `narrow_place`: in 16-bit
  // planes, whose even and odd columns lie apart on levels of step 2.
  std::int32_t place(const Octet& octet) const {
    return (octet.row() * w_.strip.stride() + octet.col()) * level_.step;
  }
  std::int32_t narrow_place(const Octet& octet) const {
    return octet.row() * level_.step * w_.strip.stride() + octet.col();
  }
  std::int64_t window_of(const Octet& octet, int i) const {
    return level_.first_window + std::int64_t{band_row_ + octet.row()} * level_.cols + first_col_ +
           octet.col() + i;
  }
  // The octet that stands in for octet o if a bundle has only n octets. While octets are in pairs, n is even.
  int padding_octet(int o, int n) const { return o < n ? o : paired_ ? o % 2 : 0; }

  // Places the windows of n octets in `bundle`, without their norms. Returns the windows that live.
  // `kInLine`: octets follow each other in a row.
  template <bool kInLine = false>
  std::uint32_t place_bundle(const Octet* octets, int n, Bundle& bundle) const {
    const Strip& strip = w_.strip;
    const bool split = level_.step == 2;
    const std::uint16_t* low = split ? strip.split() : strip.low();
    const std::uint16_t* tilted_low = !program_.tilted ? low
                                      : split          ? strip.tilted_split()
                                                       : strip.tilted_low();
    bundle.sum = strip.sum();
    bundle.tilted = strip.tilted();
    std::uint32_t alive = 0;
    for (int o = 0; o < kOctets; ++o) {
      const Octet& octet = octets[kInLine ? 0 : padding_octet(o, n)];
      const std::int32_t beyond = kInLine ? 8 * o : 0;
      const std::int32_t narrow = narrow_place(octet) + beyond;
      bundle.low[o] = low + narrow;
      bundle.tilted_low[o] = tilted_low + narrow;
      bundle.at[o] = place(octet) + beyond * level_.step;
      if (o < n) alive |= octets[o].alive() << (8 * o);
    }
    return alive;
  }

  // Packs n windows, at most kBundle, and places them in `bundle` with their norms.
  void pack_bundle(const PendingWindow* windows, int n, Bundle& bundle) {
    HWY_ALIGN float norms[kBundle];
    for (int i = 0; i < kBundle; ++i) {
      bundle.at[i] = windows[i < n ? i : 0].at;
      norms[i] = windows[i < n ? i : 0].norm;
    }
    const LaneGeometry& g = program_.geometry;
    pack_plane(w_.strip.low(), g, bundle.at, w_.patch.data()->window);
    if (program_.tilted) pack_plane(w_.strip.tilted_low(), g, bundle.at, w_.patch[g.patch_values].window);
    for (int o = 0; o < kOctets; ++o) bundle.low[o] = bundle.tilted_low[o] = w_.patch.data()->window;
    bundle.sum = w_.strip.sum();
    bundle.tilted = w_.strip.tilted();
    for (int p = 0; p < kVectors32; ++p) bundle.norm[p] = hn::LoadU(DF(), norms + p * kN32);
  }

  // Whether deferring a packed bundle before stage s is cheaper than judging the bundle. `living`: the number
  // of living windows in the bundle. Deferred windows are packed again with others.
  bool should_defer(int living, int s) const {
    return static_cast<std::int64_t>(living) * program_.pack_cost() * kBundle <
           static_cast<std::int64_t>(kBundle - living) * program_.cost_from(s);
  }

  // Whether n windows, fewer than a bundle, should be deferred on the shelf instead of packed now. Shelving a
  // window costs about as much as packing it.
  bool worth_shelving(int n, int s) const {
    const std::int64_t pack = std::int64_t{program_.pack_cost()} * kBundle;
    return n * pack < (kBundle - n) * (pack + program_.cost_from(s));
  }

  void keep(std::int64_t window, double score) {
    ++w_.reached.back();
    w_.survivors.push_back({window, score});
  }

  // Makes the packed windows in `alive` pending for stage s, and frees the shelf places of the other packed
  // windows. `change(window, i)` updates the i-th window.
  template <class Change>
  void let_wait(const PendingWindow* windows, int n, std::uint32_t alive, int s, const Change& change) {
    if (program_.shelves) {
      for (int i = 0; i < n; ++i) {
        if ((alive >> i & 1) == 0) w_.shelf.let_go(windows[i]);
      }
    }
    if (alive == 0) return;
    PendingList& list = w_.pending[static_cast<std::size_t>(s)];
    PendingWindow* next = list.end();
    for (; alive != 0; alive &= alive - 1) {
      const int i = std::countr_zero(alive);
      *next = windows[i];
      change(*next++, i);
    }
    list.grow_to(next);
  }

  void count(int s, int living) { w_.reached[static_cast<std::size_t>(stage(s).first_stage)] += living; }

  const SweepJob& job_;
  const LaneProgram& program_;
  const CascadeModel& model_;
  const Level& level_;
  SweepWorker& w_;
  const Size window_;
  bool paired_ = true;  // whether octets are kept in pairs of neighbours

 private:
  Sweep& sweep() { return static_cast<Sweep&>(*this); }

  void run_strip(int x) {
    const int step = level_.step, pixels = (cols_ - 1) * step + window_.width;
    w_.strip.start(step == 2);
    w_.resize_rows.forget();
    int top = job_.first_row * step;  // the planes' first row of pixels, counted from the level's corner
    for (int row = job_.first_row; row < job_.last_row;) {
      const int end = std::min(job_.last_row, row + kBandHeight / step);
      const int need = (end - 1) * step + window_.height - top;
      while (w_.strip.rows() <= need) {
        resize_row_cpu(job_.picture, level_.height, *job_.columns, x, pixels,
                       level_.corner.y + top + w_.strip.rows() - 1, w_.resize_rows, w_.pixels.data());
        w_.strip.add_row(w_.pixels.data(), pixels);
      }
      band_row_ = row;
      octets_ = living_octets_ = 0;
      paired_ = Sweep::kKeepsPairs && kN16 > 8;
      for (; row < end; ++row) run_row(row - band_row_);
      run_octets();
      program_.shelves ? shelve_pending() : run_pending();
      const int next = row * step - top;
      if (next < w_.strip.rows()) {
        w_.strip.drop_rows(next, std::min(w_.strip.stride(), pixels + 1));
      } else {
        w_.strip.start(step == 2);  // bands of windows one row high and two rows apart share no pixels
      }
      top += next;
    }
  }

  // Judges all windows of one row of the band in the first stage, and decides which windows are visited.
  // Lists octets that have a living window.
  void run_row(int row) {
    const bool norms = program_.flat_windows;
    // A sweep with `OctetLine`s copies the norms to these lines, so one row of norms serves all rows of
    // windows.
    float* norm = w_.norms.data() + (Sweep::kHasLines ? 0 : row * kNormStride);
    if (norms) find_norms(w_.strip, level_.step, program_.wide, row * level_.step, window_, cols_, norm);
    auto& skip_next = w_.skip_next[static_cast<std::size_t>(band_row_ + row - job_.first_row)];
    bool skip = skip_next != 0;
    for (int first = 0; first < cols_; first += kSquad * kBundle) {
      const int bundles = std::min(kSquad, (cols_ - first + kBundle - 1) / kBundle);
      std::uint32_t valid[kSquad], flat[kSquad], pass[kSquad];
      Octet* octets = w_.octets.data() + octets_;
      for (int g = 0; g < bundles; ++g) {
        const int col = first + g * kBundle, left = cols_ - col;
        valid[g] = left >= kBundle ? ~0u : (1u << left) - 1;
        flat[g] = norms ? flat_bits(norm + col, program_.flat_above) & valid[g] : 0;
        for (int o = 0; o < kOctets; ++o) {
          octets[g * kOctets + o] = Octet(row, col + 8 * o, (valid[g] & ~flat[g]) >> (8 * o) & 0xFF);
        }
      }
      sweep().first_stage(octets, bundles, pass);
      for (int g = 0; g < bundles; ++g) {
        const std::uint32_t alive = valid[g] & ~flat[g];
        SkipWord word{0, false};
        if (model_.rules.skip_after_first_stage_reject) word = skip_after_rejects(alive & ~pass[g], skip);
        skip = word.skip_next;  // windows beyond the row's end do not count as rejects
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

  // Runs the living octets of a band stage by stage, up to kSquad bundles of octets at a time. Octets of a
  // bundle may lie anywhere in the band.
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

  // Lists the octets of a bundle that have windows in `pass`, for stage s to judge. The list is written from
  // place `at` on. Returns the number of listed octets. While octets are in pairs, both octets of a pair are
  // listed if one of the two lives. The processor cannot predict whether an octet lives, so the code has no
  // branch for this question.
  std::size_t keep_living(const Octet* octets, int bundle, std::uint32_t pass, int s, std::size_t at) {
    const int limit = s < stages() ? stage(s).pack_limit : 0;
    if (limit > 0) pass = defer(octets, bundle, pass, s, limit);
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
        sweep().move_line(bundle, o, at + kept);
        kept += octet.alive() != 0;
      }
      living = kept;
    }
    living_octets_ += living;
    return kept;
  }

  // Defers the windows of octets with at most `limit` living windows, since packing them is cheaper. Returns
  // the windows that stay. Handles all four octets at once, eight bits each, because a branch per octet could
  // not be predicted.
  std::uint32_t defer(const Octet* octets, int bundle, std::uint32_t pass, int s, int limit) {
    std::uint32_t living = pass - (pass >> 1 & 0x55555555);
    living = (living & 0x33333333) + (living >> 2 & 0x33333333);
    living = (living + (living >> 4)) & 0x0F0F0F0F;
    const std::uint32_t within = (0x80808080 + static_cast<std::uint32_t>(limit) * 0x01010101 - living) >> 7;
    const std::uint32_t go = (within & 0x01010101) * 0xFF & pass;
    PendingList& list = w_.pending[static_cast<std::size_t>(s)];
    PendingWindow* next = list.end();
    for (std::uint32_t left = go; left != 0; left &= left - 1) {
      const int bit = std::countr_zero(left);
      *next++ = sweep().pending(octets[bit / 8], bundle, bit / 8, bit % 8);
    }
    list.grow_to(next);
    run_full(s);
    return pass & ~go;
  }

  // Packs and runs windows that are pending for stage s, as long as a whole bundle is pending. The windows
  // that pass may complete a bundle at a later stage, which runs next.
  void run_full(int s) {
    while (s < stages() && w_.pending[static_cast<std::size_t>(s)].size() >= kBundle)
      s = sweep().run_packed(s, w_.pending[static_cast<std::size_t>(s)].take(kBundle), kBundle);
  }

  // At the end of a band, puts the pending windows on the shelf. Judges the pending windows of a stage at
  // once if that is cheaper or the shelf has no room.
  void shelve_pending() {
    for (int s = 1; s < stages(); ++s) {
      PendingList& list = w_.pending[static_cast<std::size_t>(s)];
      if (list.size() > w_.shelf.room() || !worth_shelving(list.size(), s)) {
        run_rest(s);
        continue;
      }
      for (PendingWindow& window : list.all()) {
        if (window.shelf < 0) w_.shelf.put(w_.strip, window);
      }
    }
  }

  // Judges the windows that are pending for stage s, although they are fewer than a bundle.
  void run_rest(int s) {
    PendingList& list = w_.pending[static_cast<std::size_t>(s)];
    if (const int n = list.size(); n > 0) run_full(sweep().run_packed(s, list.take(n), n));
  }

  int first_col_ = 0, cols_ = 0;   // the strip's first column and number of columns, in windows
  int band_row_ = 0;               // the band's first row of windows
  std::size_t octets_ = 0;         // the number of octets in the worker's list
  std::size_t living_octets_ = 0;  // the number of listed octets that have a living window
};

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#endif  // WINNOW_WALK_INL_H
