// Carries points in plain loops, as track/flow/flow.h declares; its opening comment holds here.
#include "track/flow/flow.h"
#include "track/flow/flow_walk.h"

namespace winnow {
namespace {

// Reads windows of two pyramids pixel by pixel.
class PlainWindows {
 public:
  PlainWindows(const GaussianPyramid& before, const GaussianPyramid& now, const FlowRules& rules)
      : before_(&before),
        now_(&now),
        rules_(rules),
        levels_(flow_levels(before.level(0).width, before.level(0).height, rules)) {}

  int levels() const { return levels_; }
  int width(int level) const { return before_->level(level).width; }
  int height(int level) const { return before_->level(level).height; }

  FlowSums open(int level, const FlowCorner& at) {
    const GrayView picture = before_->level(level);
    FlowSums sums;
    for (int y = 0; y < rules_.height; ++y) {
      for (int x = 0; x < rules_.width; ++x) {
        const int px = at.x + x, py = at.y + y;
        Value& value = values_[y][x];
        value.patch = patch(picture, at, x, y);
        value.slope_x =
            flow_mean<kFlowSlopeShift>(at.weight, slope_x(picture, px, py), slope_x(picture, px + 1, py),
                                       slope_x(picture, px, py + 1), slope_x(picture, px + 1, py + 1));
        value.slope_y =
            flow_mean<kFlowSlopeShift>(at.weight, slope_y(picture, px, py), slope_y(picture, px + 1, py),
                                       slope_y(picture, px, py + 1), slope_y(picture, px + 1, py + 1));
        sums.xx += value.slope_x * value.slope_x;
        sums.xy += value.slope_x * value.slope_y;
        sums.yy += value.slope_y * value.slope_y;
      }
    }
    return sums;
  }

  FlowPull pull(int level, const FlowCorner& at) const {
    const GrayView picture = now_->level(level);
    FlowPull sums;
    for (int y = 0; y < rules_.height; ++y) {
      for (int x = 0; x < rules_.width; ++x) {
        const Value& value = values_[y][x];
        const int difference = patch(picture, at, x, y) - value.patch;
        sums.x += difference * value.slope_x;
        sums.y += difference * value.slope_y;
      }
    }
    return sums;
  }

  FlowLikeness likeness(const FlowCorner& before, const FlowCorner& now) const {
    const GrayView picture = now_->level(0);
    FlowLikeness sums;
    for (int y = 0; y < rules_.height; ++y) {
      for (int x = 0; x < rules_.width; ++x) {
        const int first = values_[y][x].patch, other = patch(picture, now, x, y);
        sums.difference += first < other ? other - first : first - other;
      }
    }
    if (!rules_.ncc) return sums;
    const Size window = flow_ncc_window(rules_);
    const FlowCorner first_at = flow_ncc_corner(before, rules_), other_at = flow_ncc_corner(now, rules_);
    for (int y = 0; y < window.height; ++y) {
      for (int x = 0; x < window.width; ++x) {
        const int first = patch(before_->level(0), first_at, x, y), other = patch(picture, other_at, x, y);
        sums.first += first;
        sums.other += other;
        sums.first_square += first * first;
        sums.other_square += other * other;
        sums.product += first * other;
      }
    }
    return sums;
  }

  void turn() { std::swap(before_, now_); }

 private:
  struct Value {
    int patch, slope_x, slope_y;
  };

  static int pixel(GrayView picture, int x, int y) {
    return picture.row(mirrored(y, picture.height))[mirrored(x, picture.width)];
  }

  static int patch(GrayView picture, const FlowCorner& at, int x, int y) {
    const int px = at.x + x, py = at.y + y;
    return flow_mean<kFlowPatchShift>(at.weight, pixel(picture, px, py), pixel(picture, px + 1, py),
                                      pixel(picture, px, py + 1), pixel(picture, px + 1, py + 1));
  }

  // Slopes outside of the picture are 0.
  static bool is_outside(GrayView picture, int x, int y) {
    return x < 0 || x >= picture.width || y < 0 || y >= picture.height;
  }
  static int slope_x(GrayView picture, int x, int y) {
    if (is_outside(picture, x, y)) return 0;
    const auto column = [&](int at) {
      return scharr(pixel(picture, at, y - 1), pixel(picture, at, y), pixel(picture, at, y + 1));
    };
    return column(x + 1) - column(x - 1);
  }
  static int slope_y(GrayView picture, int x, int y) {
    if (is_outside(picture, x, y)) return 0;
    const auto row = [&](int at) {
      return scharr(pixel(picture, x - 1, at), pixel(picture, x, at), pixel(picture, x + 1, at));
    };
    return row(y + 1) - row(y - 1);
  }

  const GaussianPyramid *before_, *now_;
  FlowRules rules_;
  int levels_;
  Value values_[kMostFlowWindow][kMostFlowWindow];
};

}  // namespace

void flow_ref(const GaussianPyramid& before, const GaussianPyramid& now, std::span<const FlowPlace> points,
              const FlowRules& rules, int, FlowResult* results) {
  PlainWindows windows(before, now, rules);
  for (const FlowPlace& point : points) *results++ = flow_carry(windows, point, rules);
}

}  // namespace winnow
