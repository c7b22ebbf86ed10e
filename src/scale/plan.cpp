#include "scale/plan.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace winnow {
namespace {

int round_even(float v) { return static_cast<int>(std::lrintf(v)); }

Size scaled(Size window, float scale) {
  return {round_even(static_cast<float>(window.width) * scale),
          round_even(static_cast<float>(window.height) * scale)};
}

bool fits(Size inner, Size outer) { return inner.width <= outer.width && inner.height <= outer.height; }

// Returns the scale whose window is nearest to the minimum size, for plans whose limits allow no scale. Of
// equally near scales the first wins.
float nearest_scale(std::span<const Level> all, Size window, Size min_size) {
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

// Appends scales below 1, the smallest first.
void list_enlarged_scales(const PlanRequest& request, std::vector<Level>& levels) {
  // The margin lets 1.1 * 1.1, which is a little more than 1.21 in double, count as 1.21.
  const double most = request.enlarge * (1 + 1e-9);
  for (double enlarged = request.scale_factor; enlarged <= most; enlarged *= request.scale_factor) {
    Level level;
    level.factor = 1 / enlarged;
    level.scale = static_cast<float>(level.factor);
    levels.push_back(level);
  }
  std::reverse(levels.begin(), levels.end());
}

void size_cascade_level(const PlanRequest& request, Level& level) {
  level.width = round_even(static_cast<float>(request.picture.width) / level.scale);
  level.height = round_even(static_cast<float>(request.picture.height) / level.scale);
  level.window = scaled(request.window, level.scale);
  take_step(request.rules, level);
}

// The number of places at which a window of `window` pixels may begin along a side of `side` pixels.
int span_of(int side, int window) { return std::max(side + 1 - window, 0); }
int steps_in(int span, int step) { return (span + step - 1) / step; }

// Appends the enlarged levels whose windows are within the limits, with all their windows.
void list_enlarged_cascade_levels(const PlanRequest& request, std::vector<Level>& levels) {
  list_enlarged_scales(request, levels);
  const Size window = request.window;
  // If one side of `max_size` is 0, the other side has no limit either, as on levels that are not enlarged.
  const bool limited = request.max_size.width > 0 && request.max_size.height > 0;
  for (Level& level : levels) {
    level.factor = 0;
    size_cascade_level(request, level);
    level.cols = steps_in(span_of(level.width, window.width), level.step);
    level.rows = steps_in(span_of(level.height, window.height), level.step);
  }
  std::erase_if(levels, [&](const Level& level) {
    return !fits(window, {level.width, level.height}) || !fits(request.min_size, level.window) ||
           (limited && !fits(level.window, request.max_size));
  });
}

// Appends the levels from scale 1 on, as OpenCV lists them. `enlarged`: the number of levels so far.
void list_cascade_scales(const PlanRequest& request, std::size_t enlarged, std::vector<Level>& levels) {
  const Size picture = request.picture, window = request.window;
  // Lists every scale at which the window, rounded in double, still fits the picture. The comparison is in
  // double, since a large factor would overflow an int.
  for (double factor = 1;; factor *= request.scale_factor) {
    if (std::rint(window.width * factor) > picture.width ||
        std::rint(window.height * factor) > picture.height)
      break;
    Level level;
    level.scale = static_cast<float>(factor);
    levels.push_back(level);
  }
  const auto own = levels.begin() + static_cast<std::ptrdiff_t>(enlarged);
  if (own == levels.end()) return;  // no level from scale 1 on has room for a window
  const float fallback = nearest_scale({own, levels.end()}, window, request.min_size);

  // Keeps the scales whose window, rounded in float, is within the limits.
  Size max_size = request.max_size;
  if (max_size.width == 0 || max_size.height == 0) max_size = picture;
  const auto too_large = std::find_if(
      own, levels.end(), [&](const Level& l) { return !fits(scaled(window, l.scale), max_size); });
  levels.erase(too_large, levels.end());
  const auto kept = std::remove_if(own, levels.end(), [&](const Level& l) {
    const Size size = scaled(window, l.scale);
    return size.width < request.min_size.width || size.height < request.min_size.height;
  });
  levels.erase(kept, levels.end());
  if (levels.empty()) {
    Level level;
    level.scale = fallback;
    levels.push_back(level);
  }
}

void list_cascade_levels(const PlanRequest& request, std::vector<Level>& levels) {
  list_enlarged_cascade_levels(request, levels);
  const std::size_t enlarged = levels.size();
  list_cascade_scales(request, enlarged, levels);
  int stripes = 0;  // OpenCV divides rows among threads in stripes, whose number the first level gives; rows
                    // that fill no stripe are not searched
  for (std::size_t i = enlarged; i < levels.size(); ++i) {
    Level& level = levels[i];
    size_cascade_level(request, level);
    const int span_x = span_of(level.width, request.window.width),
              span_y = span_of(level.height, request.window.height);
    if (i == enlarged) stripes = (span_x + 31) / 32;
    if (stripes > 0) {
      const int stripe = std::max((span_y / level.step + stripes - 1) / stripes, 1) * level.step;
      const auto walked = std::min<std::int64_t>(span_y, static_cast<std::int64_t>(stripes) * stripe);
      level.rows = steps_in(static_cast<int>(walked), level.step);
      level.cols = steps_in(span_x, level.step);
    }
  }
}

Size hog_level_size(Size picture, double factor) {
  return {static_cast<int>(std::lrint(picture.width / factor)),
          static_cast<int>(std::lrint(picture.height / factor))};
}

void list_hog_levels(const PlanRequest& request, std::vector<Level>& levels) {
  constexpr int kUsualLevels = 64;  // OpenCV's HOGDescriptor::DEFAULT_NLEVELS
  const int most_levels = request.max_levels > 0 ? request.max_levels : kUsualLevels;
  const Size picture = request.picture, window = request.window, padding = request.padding;
  // Rounding may make a window a little larger than the picture, so the picture itself is no limit.
  const auto limit = [](int side) { return side > 0 ? side : std::numeric_limits<int>::max(); };
  const Size most{limit(request.max_size.width), limit(request.max_size.height)};
  list_enlarged_scales(request, levels);
  double factor = 1;
  for (int i = 0; i < most_levels; ++i, factor *= request.scale_factor) {
    Level level;
    level.scale = static_cast<float>(factor);
    level.factor = factor;
    // OpenCV searches its first level even if only padding makes room for a window.
    if (i > 0 && !fits(window, hog_level_size(picture, factor))) break;
    levels.push_back(level);
  }
  for (Level& level : levels) {
    const Size size = hog_level_size(picture, level.factor);
    level.width = size.width;
    level.height = size.height;
    take_step(request.rules, level);
    level.corner = {-padding.width, -padding.height};
    level.window = {static_cast<int>(std::lrint(window.width * level.factor)),
                    static_cast<int>(std::lrint(window.height * level.factor))};
    const Size room{level.width + 2 * padding.width, level.height + 2 * padding.height};
    if (!fits(window, room)) continue;  // the level has no windows
    level.cols = (room.width - window.width) / level.step + 1;
    level.rows = (room.height - window.height) / level.row_step + 1;
  }
  std::erase_if(levels, [&](const Level& level) {
    return level.cols == 0 || !fits(level.window, most) || !fits(request.min_size, level.window);
  });
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
  const Size picture = request.picture;
  if (picture.width < 1 || picture.height < 1) return;
  if (!request.locations.empty()) {
    list_locations(request, plan.levels);
  } else if (request.rules.scale == ScaleRule::kOpenCvList) {
    list_cascade_levels(request, plan.levels);
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
  // A level without windows has the same first id as the next level. The window belongs to the last level
  // that starts at or before `id`.
  const Level& level = *(after - 1);
  const PixelPoint corner = window_corner(level, id - level.first_window);
  return {static_cast<int>(after - 1 - plan.levels.begin()), corner.x, corner.y};
}

}  // namespace winnow
