// Judges a picture's windows in plain loops, as sieve/stages.h declares; its opening comment holds here.
#include <algorithm>

#include "scale/integral.h"
#include "scale/resize.h"
#include "sieve/stages.h"
#include "sieve/stages_rule.h"

namespace winnow {
namespace {

template <class T>
T upright_sum_in(const T* plane, std::ptrdiff_t stride, const Box& r) {
  const T* top = plane + r.y * stride + r.x;
  const T* bottom = top + r.height * stride;
  return static_cast<T>(top[0] - top[r.width] - bottom[0] + bottom[r.width]);
}

// The sum of a tilted rectangle. From the topmost corner, one side runs `width` pixels down to the right, and
// the other `height` pixels down to the left.
template <class T>
T tilted_sum_in(const T* plane, std::ptrdiff_t stride, const Box& r) {
  const auto at = [&](int x, int y) { return plane[y * stride + x]; };
  return static_cast<T>(at(r.x, r.y) - at(r.x - r.height, r.y + r.height) - at(r.x + r.width, r.y + r.width) +
                        at(r.x + r.width - r.height, r.y + r.width + r.height));
}

// The largest number of pixels whose sum always fits 16 bits.
constexpr std::int64_t kNarrowPixels = 65535 / 255;

// The sum of a rectangle from 16-bit planes. A rectangle with too many pixels is halved across its longer
// side, and each half is summed in the same way.
std::uint32_t narrow_sum(const WindowSums& w, const Box& r, bool tilted) {
  if (std::int64_t{r.width} * r.height * (tilted ? 2 : 1) <= kNarrowPixels)
    return tilted ? tilted_sum_in(w.tilted_low, w.stride, r) : upright_sum_in(w.low, w.stride, r);
  Box first = r, second = r;
  if (r.width > r.height) {
    first.width = r.width / 2;
    second.width = r.width - first.width;
    second.x += first.width;
    if (tilted) second.y += first.width;
  } else {
    first.height = r.height / 2;
    second.height = r.height - first.height;
    second.y += first.height;
    if (tilted) second.x -= first.height;
  }
  return narrow_sum(w, first, tilted) + narrow_sum(w, second, tilted);
}

std::uint32_t upright_sum(const WindowSums& w, const Box& r) {
  return w.sum != nullptr ? upright_sum_in(w.sum, w.stride, r) : narrow_sum(w, r, false);
}

std::uint32_t tilted_sum(const WindowSums& w, const Box& r) {
  return w.tilted != nullptr ? tilted_sum_in(w.tilted, w.stride, r) : narrow_sum(w, r, true);
}

float value_of(const HaarFeature& feature, const WindowSums& w) {
  std::uint32_t sums[3];
  for (int i = 0; i < 3; ++i) {
    sums[i] = feature.tilted ? tilted_sum(w, feature.rects[i].box) : upright_sum(w, feature.rects[i].box);
  }
  return haar_value(feature, sums[0], sums[1], sums[2]);
}

bool haar_left(const CascadeModel& model, const TreeNode& node, const WindowSums& w) {
  return haar_goes_left(value_of(model.haar[node.feature], w), w.norm, node.threshold);
}

float table_leaf(const CascadeModel& model, const Table& table, const WindowSums& w) {
  return table.leaves[table_bin(value_of(model.haar[table.feature], w), w.norm, table.low, table.per_unit)];
}

bool lbp_left(const CascadeModel& model, const TreeNode& node, const WindowSums& w) {
  const Box cell = model.lbp[node.feature].cell;
  std::uint32_t cells[9];
  for (int i = 0; i < 9; ++i) {
    cells[i] =
        upright_sum(w, {cell.x + i % 3 * cell.width, cell.y + i / 3 * cell.height, cell.width, cell.height});
  }
  return lbp_goes_left(model.subsets[static_cast<std::size_t>(&node - model.nodes.data())], lbp_code(cells));
}

class SieveRef final : public Sieve {
 public:
  explicit SieveRef(const Cascade& cascade) : cascade_(cascade) {}

  void run(const PictureView& view, const LevelPlan& plan, SieveResult& result) override {
    const GrayView picture = view.gray;
    result.survivors.clear();
    result.windows = plan.window_count;
    result.skipped = result.flat = result.weak = 0;
    result.reached.assign(cascade_.model().stages.size() + 1, 0);
    for (const Level& level : plan.levels) run_level(picture, level, result);
  }

 private:
  enum class Verdict { kFlat, kRejectedFirst, kRejectedLater, kPassed };

  void run_level(GrayView picture, const Level& level, SieveResult& result) {
    GrayImage scaled(level.width, level.height);
    resize_ref(picture, scaled.view());
    Image<std::uint32_t> sum(level.width + 1, level.height + 1), square(level.width + 1, level.height + 1),
        tilted(level.width + 1, level.height + 1);
    integral_ref(scaled.view(), {sum.view(), square.view(), tilted.view()});
    for (int row = 0; row < level.rows; ++row) {
      bool skip = false;
      for (int col = 0; col < level.cols; ++col) {
        if (skip) {
          ++result.skipped;
          skip = false;
          continue;
        }
        const int x = level.corner.x + col * level.step, y = level.corner.y + row * level.step;
        const WindowSums window{sum.row(y) + x, tilted.row(y) + x, level.width + 1, 1.f};
        double score = 0;
        const Verdict verdict = judge(window, square.row(y) + x, score, result);
        if (verdict == Verdict::kPassed) {
          result.survivors.push_back(
              {level.first_window + static_cast<std::int64_t>(row) * level.cols + col, score});
        }
        skip = verdict == Verdict::kRejectedFirst && cascade_.model().rules.skip_after_first_stage_reject;
      }
    }
  }

  Verdict judge(WindowSums window, const std::uint32_t* square, double& score, SieveResult& result) const {
    const CascadeModel& model = cascade_.model();
    if (model.rules.flat == FlatRule::kOpenCvVariance) {
      const Box inner{1, 1, model.window.width - 2, model.window.height - 2};
      const WindowSums squares{square, nullptr, window.stride, 1.f};
      const WindowNorm norm = window_norm(static_cast<double>(inner.width) * inner.height,
                                          upright_sum(window, inner), upright_sum(squares, inner));
      if (norm.flat) {
        ++result.flat;
        return Verdict::kFlat;
      }
      window.norm = norm.factor;
    }
    for (std::size_t i = 0; i < model.stages.size(); ++i) {
      const Stage& stage = model.stages[i];
      ++result.reached[i];
      result.weak += stage.tree_count;
      score = stage_sum(model, stage, window, model.rules.sum == SumRule::kRunning ? score : 0);
      if (stage_rejects(score, stage_limit(stage, model.rules))) {
        return i == 0 ? Verdict::kRejectedFirst : Verdict::kRejectedLater;
      }
    }
    ++result.reached.back();
    return Verdict::kPassed;
  }

  Cascade cascade_;
};

}  // namespace

double stage_sum(const CascadeModel& model, const Stage& stage, const WindowSums& window, double before) {
  double sum = before;
  for (int t = stage.first_tree; t < stage.first_tree + stage.tree_count; ++t) {
    if (model.is_table(t)) {
      sum += table_leaf(model, model.tables[t], window);
      continue;
    }
    const Tree& tree = model.tree_of(t);
    int at = 0;
    do {
      const TreeNode& node = model.nodes[tree.first_node + at];
      const bool left = model.tree_kind() == FeatureKind::kHaar ? haar_left(model, node, window)
                                                                : lbp_left(model, node, window);
      at = left ? node.left : node.right;
    } while (at > 0);
    sum += model.leaves[tree.first_leaf - at];
  }
  return sum;
}

std::unique_ptr<Sieve> make_sieve_ref(const Cascade& cascade) { return std::make_unique<SieveRef>(cascade); }

}  // namespace winnow
