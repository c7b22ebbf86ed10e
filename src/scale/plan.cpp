#include "scale/plan.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace winnow {
namespace {

int round_even(float v) { return static_cast<int>(std::lrintf(v)); }

Size scaled(Size window, float scale) {
  return {round_even(static_cast<float>(window.width) * scale),
          round_even(static_cast<float>(window.height) * scale)};
}

bool fits(Size inner, Size outer) { return inner.width <= outer.width && inner.height <= outer.height; }

// The scale whose window is nearest to the minimum size, for limits that allow no scale. The first wins ties.
float nearest_scale(const std::vector<Level>& all, Size window, Size min_size) {
  double best = 0;
  float scale = 1;
  bool first = true;
  for (const Level& level : all) {
    const Size size = scaled(window, level.scale);
    const double dx = static_cast<double>(min_size.width) - size.width;
    const double dy = static_cast<double>(min_size.height) - size.height;
    const double distance = dx * dx + dy * dy;
    if (first || distance < best) {
      best = distance;
      scale = level.scale;
      first = false;
    }
  }
  return scale;
}

void take_step(const PlanRules& rules, Level& level) {
  if (rules.step == StepRule::kFixed) {
    level.step = std::max(rules.fixed_step.width, 1);
    level.row_step = std::max(rules.fixed_step.height, 1);
  } else {
    level.step = level.row_step = level.scale >= 2 ? 1 : 2;
  }
}

void list_cascade_scales(const PlanRequest& request, std::vector<Level>& levels) {
  const Size picture = request.picture, window = request.window;
  // Every scale at which the window, rounded from doubles, still fits the picture. The comparison is in
  // double, since a large factor would overflow an int.
  for (double factor = 1;; factor *= request.scale_factor) {
    if (std::rint(window.width * factor) > picture.width ||
        std::rint(window.height * factor) > picture.height)
      break;
    Level level;
    level.scale = static_cast<float>(factor);
    levels.push_back(level);
  }
  const float fallback = nearest_scale(levels, window, request.min_size);

  // Keeps the scales whose window, rounded from floats, is within the limits.
  Size max_size = request.max_size;
  if (max_size.width == 0 || max_size.height == 0) max_size = picture;
  const auto too_large = std::find_if(
      levels.begin(), levels.end(), [&](const Level& l) { return !fits(scaled(window, l.scale), max_size); });
  levels.erase(too_large, levels.end());
  std::erase_if(levels, [&](const Level& l) {
    const Size size = scaled(window, l.scale);
    return size.width < request.min_size.width || size.height < request.min_size.height;
  });
  if (levels.empty()) {
    Level level;
    level.scale = fallback;
    levels.push_back(level);
  }
}

void lay_cascade_windows(const PlanRequest& request, std::vector<Level>& levels) {
  const Size picture = request.picture, window = request.window;
  int stripes = 0;  // OpenCV splits rows among threads in stripes, counted on the first level; rows that fill
                    // no stripe are left out
  for (std::size_t i = 0; i < levels.size(); ++i) {
    Level& level = levels[i];
    level.width = round_even(static_cast<float>(picture.width) / level.scale);
    level.height = round_even(static_cast<float>(picture.height) / level.scale);
    take_step(request.rules, level);
    level.window = scaled(window, level.scale);
    const int span_x = std::max(level.width + 1 - window.width, 0);
    const int span_y = std::max(level.height + 1 - window.height, 0);
    if (i == 0) stripes = (span_x + 31) / 32;
    if (stripes > 0) {
      const int stripe = std::max((span_y / level.step + stripes - 1) / stripes, 1) * level.step;
      const auto walked = std::min<std::int64_t>(span_y, static_cast<std::int64_t>(stripes) * stripe);
      level.rows = static_cast<int>((walked + level.step - 1) / level.step);
      level.cols = (span_x + level.step - 1) / level.step;
    }
  }
}

void list_hog_levels(const PlanRequest& request, std::vector<Level>& levels) {
  constexpr int kUsualLevels = 64;  // OpenCV's HOGDescriptor::DEFAULT_NLEVELS
  const int most_levels = request.max_levels > 0 ? request.max_levels : kUsualLevels;
  const Size picture = request.picture, window = request.window, padding = request.padding;
  // Without limits, rounding may make a window a little larger than the picture.
  const auto limit = [](int side) { return side > 0 ? side : std::numeric_limits<int>::max(); };
  const Size most{limit(request.max_size.width), limit(request.max_size.height)};
  double factor = 1;
  for (int i = 0; i < most_levels; ++i, factor *= request.scale_factor) {
    Level level;
    level.scale = static_cast<float>(factor);
    level.factor = factor;
    level.width = static_cast<int>(std::lrint(picture.width / factor));
    level.height = static_cast<int>(std::lrint(picture.height / factor));
    // OpenCV searches its first level even if only padding makes room for a window.
    if (i > 0 && !fits(window, {level.width, level.height})) break;
    take_step(request.rules, level);
    level.corner = {-padding.width, -padding.height};
    level.window = {static_cast<int>(std::lrint(window.width * factor)),
                    static_cast<int>(std::lrint(window.height * factor))};
    if (!fits(level.window, most)) break;
    if (!fits(request.min_size, level.window)) continue;
    level.cols = (level.width + 2 * padding.width - window.width) / level.step + 1;
    level.rows = (level.height + 2 * padding.height - window.height) / level.row_step + 1;
    levels.push_back(level);
  }
}

void list_locations(const PlanRequest& request, std::vector<Level>& levels) {
  Level level;
  level.factor = 1;
  level.width = request.picture.width;
  level.height = request.picture.height;
  level.window = request.window;
  level.cols = level.rows = 1;
  take_step(request.rules, level);
  for (const PixelPoint& corner : request.locations) {
    level.corner = corner;
    levels.push_back(level);
  }
}

}  // namespace

void plan_levels(const PlanRequest& request, LevelPlan& plan) {
  plan.levels.clear();
  plan.window_count = 0;
  const Size picture = request.picture, padding = request.padding;
  if (!fits(request.window, {picture.width + 2 * padding.width, picture.height + 2 * padding.height}) ||
      picture.width < 1 || picture.height < 1)
    return;
  if (!request.locations.empty()) {
    list_locations(request, plan.levels);
  } else if (request.rules.scale == ScaleRule::kOpenCvList) {
    list_cascade_scales(request, plan.levels);
    lay_cascade_windows(request, plan.levels);
  } else {
    list_hog_levels(request, plan.levels);
  }
  for (Level& level : plan.levels) {
    level.first_window = plan.window_count;
    plan.window_count += static_cast<std::int64_t>(level.rows) * level.cols;
  }
}

WindowPlace place_window(const LevelPlan& plan, std::int64_t id) {
  const auto after =
      std::upper_bound(plan.levels.begin(), plan.levels.end(), id,
                       [](std::int64_t value, const Level& level) { return value < level.first_window; });
  // A level without windows has the same first id as the next level. So this takes the last level that starts
  // at or before `id`.
  const Level& level = *(after - 1);
  const PixelPoint corner = window_corner(level, id - level.first_window);
  return {static_cast<int>(after - 1 - plan.levels.begin()), corner.x, corner.y};
}

}  // namespace winnow
