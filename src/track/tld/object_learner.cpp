#include "track/tld/object_learner.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "base/random.h"
#include "base/real_box.h"
#include "base/shuffle.h"
#include "track/tld/sift/near_windows.h"

namespace winnow {
namespace {

constexpr double kNear = 0.6, kFar = 0.2;  // overlaps of windows of the object, and of its surroundings
constexpr std::size_t kMostNear = 10;
constexpr std::size_t kMostFar = 100;  // patches of surroundings in the first frame
constexpr std::int64_t kMostFarWindows = 1'000'000;
constexpr int kFirstWarps = 20, kWarps = 10;
constexpr double kFirstTurn = 20, kTurn = 10;  // degrees from the leftmost to the rightmost turn
constexpr double kShift = 0.02, kGrowth = 0.02;
// The thresholds of the authors of TLD. The first frame may raise them, that of likeness only to
// kMostRelative: what looks like the object in that frame must not hide it for ever.
constexpr std::int32_t kLeastSum = kFerns * kFernOne / 2;
constexpr double kLeastRelative = 0.65, kMostRelative = 0.7, kLeastOther = 0.5;

// What a random number is for.
enum class Purpose { kWarp, kFernOrder, kTemplateOrder, kFarWindows };

template <class... Index>
Random random_for(const LearntObject& object, std::uint64_t frame, Purpose purpose, Index... index) {
  return Random(object.seed, frame, static_cast<int>(purpose), index...);
}

// A turn by a few degrees, from series that end: machines agree on products, but not on `std::sin`.
struct Turn {
  double cosine, sine;
};
Turn turn_by(double degrees) {
  const double a = degrees * (3.14159265358979323846 / 180), square = a * a;
  return {1 - square / 2 + square * square / 24, a * (1 - square / 6 + square * square / 120)};
}

// A picture that is turned, moved and scaled about a middle, with noise on its pixels.
class Warp {
 public:
  Warp(GrayView picture, const RealBox& hull, double turn, Random random)
      : picture_(picture), x_(middle_x(hull) - 0.5), y_(middle_y(hull) - 0.5) {
    const Turn by = turn_by(random.real(-0.5, 0.5) * turn);
    const double scale = 1 - random.real(-0.5, 0.5) * kGrowth;
    cosine_ = by.cosine * scale;
    sine_ = by.sine * scale;
    right_ = random.real(-0.5, 0.5) * kShift * hull.width;
    down_ = random.real(-0.5, 0.5) * kShift * hull.height;
    noise_ = random.bits();
  }

  // The value of a pixel, in parts of 256 of a grey level.
  std::int32_t at(int x, int y) const {
    const double from_x = x - x_, from_y = y - y_;
    const int u = fixed(x_ + right_ + cosine_ * from_x - sine_ * from_y, picture_.width),
              v = fixed(y_ + down_ + sine_ * from_x + cosine_ * from_y, picture_.height);
    const int left = u >> 8, top = v >> 8, right = u & 255, down = v & 255;
    const std::uint8_t *upper = picture_.row(top),
                       *lower = picture_.row(std::min(top + 1, picture_.height - 1));
    const int next = std::min(left + 1, picture_.width - 1);
    const std::int32_t mean = (upper[left] * (256 - right) + upper[next] * right) * (256 - down) +
                              (lower[left] * (256 - right) + lower[next] * right) * down;
    return (mean >> 8) + noise(x, y);
  }

 private:
  static int fixed(double at, int side) {
    return static_cast<int>(std::min(std::max(at, 0.0), side - 1.0) * 256 + 0.5);  // above 0: no call rounds
  }
  // A nearly normal number of mean 0 and deviation 5 grey levels, in parts of 256: the sum of the bytes of a
  // hash.
  std::int32_t noise(int x, int y) const {
    const std::uint64_t bits = hash(noise_, x, y);
    constexpr std::uint64_t kEvenBytes = 0x00FF00FF00FF00FF, kOnes = 0x0001000100010001;
    const std::uint64_t pairs = (bits & kEvenBytes) + (bits >> 8 & kEvenBytes);
    const std::int32_t sum = static_cast<std::int32_t>(pairs * kOnes >> 48) - 1020;
    return (sum * 49) >> 3;
  }

  GrayView picture_;
  double x_, y_, cosine_ = 1, sine_ = 0, right_ = 0, down_ = 0;
  std::uint64_t noise_ = 0;
};

// The patterns of the windows: as they are, then in pictures that are warped about their hull.
std::vector<FernPattern> object_patterns(const ObjectFrame& frame, const ObjectGrid& grid,
                                         const LearntObject& object, const std::vector<NearWindow>& near,
                                         std::uint64_t frame_number, int warps, double turn) {
  const GrayView blurred = frame.blurred();
  double left = 0, top = 0, right = 0, bottom = 0;
  std::vector<Box> boxes;
  for (const NearWindow& each : near) {
    const Box box = grid_box(grid.windows, each.window);
    const bool first = boxes.empty();
    left = first ? box.x : std::min<double>(left, box.x);
    top = first ? box.y : std::min<double>(top, box.y);
    right = first ? box.x + box.width : std::max<double>(right, box.x + box.width);
    bottom = first ? box.y + box.height : std::max<double>(bottom, box.y + box.height);
    boxes.push_back(box);
  }
  std::vector<FernPattern> patterns;
  const auto offsets_of = [&](std::size_t i) -> const FernOffsets& {
    return grid.offsets[static_cast<std::size_t>(place_window(grid.windows, near[i].window).level)];
  };
  for (std::size_t i = 0; i < boxes.size(); ++i)
    patterns.push_back(fern_pattern(blurred.row(boxes[i].y) + boxes[i].x, offsets_of(i)));
  for (int number = 1; number < warps; ++number) {
    const Warp warp(blurred, {left, top, right - left, bottom - top}, turn,
                    random_for(object, frame_number, Purpose::kWarp, number));
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const FernOffsets& offsets = offsets_of(i);
      patterns.push_back(fern_pattern([&](std::size_t pair, std::size_t end) {
        const std::int32_t offset = offsets[pair][end];
        return warp.at(boxes[i].x + offset % blurred.width, boxes[i].y + offset / blurred.width);
      }));
    }
  }
  return patterns;
}

// Adds patches that the templates do not yet tell apart, in a random order.
void learn_patches(const ObjectPatch& patch, bool certain, const std::vector<ObjectPatch>& others,
                   std::uint64_t frame_number, LearntObject& object) {
  std::vector<const ObjectPatch*> order{&patch};
  for (const ObjectPatch& other : others) order.push_back(&other);
  Random random = random_for(object, frame_number, Purpose::kTemplateOrder);
  shuffle(order, random_for(object, frame_number, Purpose::kTemplateOrder, 1));
  Templates& templates = object.templates;
  for (const ObjectPatch* next : order) {
    const double relative = templates.compare(*next).relative;
    if (next == &patch) {
      if (certain || relative <= object.least_relative) templates.add_object(patch, certain, random);
    } else if (relative > kLeastOther) {
      templates.add_other(*next, random);
    }
  }
}

// False if no window is near to the box.
bool learn_box(const ObjectFrame& frame, const ObjectGrid& grid, const RealBox& box, const ObjectFinds& finds,
               std::uint64_t frame_number, bool certain, LearntObject& object) {
  const std::vector<NearWindow> near = nearest_windows(grid, box, kNear, kMostNear);
  if (near.empty()) return false;
  FarWindows far_windows(grid, box, kFar);
  const auto is_far = [&](const LikelyWindow& window) { return far_windows.holds(window.window); };
  std::vector<ObjectPatch> far_patches;
  for (const ObjectCandidate& candidate : finds.candidates)
    if (overlap_of(box, candidate.box) < kFar) far_patches.push_back(candidate.patch);
  object.ferns.learn_windows(object_patterns(frame, grid, object, near, frame_number, kWarps, kTurn),
                             finds.likely, is_far, object.least_sum,
                             random_for(object, frame_number, Purpose::kFernOrder));
  // Not the nearest window, as in TLD: it lies up to half a step beside the box, and boxes climb to this patch.
  learn_patches(patch_at(frame.level(), box), certain, far_patches, frame_number, object);
  return true;
}

}  // namespace

bool learn_first(const ObjectFrame& frame, const ObjectGrid& grid, LearntObject& object) {
  const std::vector<NearWindow> near = nearest_windows(grid, object.box, kNear, kMostNear);
  if (near.empty()) return false;
  const GrayView level = frame.level();
  const PatchPixels grey = shrunk_at(level, object.box);
  const ObjectPatch patch = patch_of(grey);
  object.least_variance = std::max(kLeastVariance, variance_of(grey) / 2);
  object.least_sum = kLeastSum;
  object.least_relative = kLeastRelative;

  // Every window of the surroundings, or if they are very many, every second, third and so on.
  const std::int64_t every = (grid.windows.window_count + kMostFarWindows - 1) / kMostFarWindows;
  std::vector<FernPattern> far_patterns;
  std::vector<std::int64_t> far;
  for (std::int64_t window = 0; window < grid.windows.window_count; window += every) {
    const Box box = grid_box(grid.windows, window);
    if (overlap_of(object.box, real_box(box)) >= kFar) continue;
    far.push_back(window);
    if (!is_varied(frame, box, object)) continue;
    const auto level_number = static_cast<std::size_t>(place_window(grid.windows, window).level);
    far_patterns.push_back(fern_pattern(frame.blurred().row(box.y) + box.x, grid.offsets[level_number]));
  }
  shuffle(far_patterns, random_for(object, 0, Purpose::kFarWindows, 0));
  shuffle(far, random_for(object, 0, Purpose::kFarWindows, 1));
  std::vector<ObjectPatch> far_patches;
  for (std::size_t i = 0; i < std::min(far.size(), kMostFar); ++i)
    far_patches.push_back(patch_at(level, real_box(grid_box(grid.windows, far[i]))));

  // Half of the surroundings is learnt. The other half shows how much surroundings may look like the object.
  const std::size_t patterns = (far_patterns.size() + 1) / 2, patches = (far_patches.size() + 1) / 2;
  object.ferns.learn(object_patterns(frame, grid, object, near, 0, kFirstWarps, kFirstTurn),
                     std::span(far_patterns).first(patterns), object.least_sum,
                     random_for(object, 0, Purpose::kFernOrder));
  learn_patches(patch, true,
                {far_patches.begin(), far_patches.begin() + static_cast<std::ptrdiff_t>(patches)}, 0, object);
  for (std::size_t i = patterns; i < far_patterns.size(); ++i)
    object.least_sum = std::max(object.least_sum, object.ferns.sum(far_patterns[i]));
  for (std::size_t i = patches; i < far_patches.size(); ++i)
    object.least_relative =
        std::max(object.least_relative, object.templates.compare(far_patches[i]).relative);
  object.least_relative = std::min(object.least_relative, kMostRelative);
  return true;
}

bool learn_marked(const ObjectFrame& frame, const ObjectGrid& grid, const RealBox& box,
                  std::uint64_t frame_number, LearntObject& object) {
  ObjectFinds finds;
  search_object(frame, grid, object, 0, finds);
  return learn_box(frame, grid, box, finds, frame_number, true, object);
}

void learn_more(const ObjectFrame& frame, const ObjectGrid& grid, const RealBox& box,
                const ObjectFinds& finds, std::uint64_t frame_number, LearntObject& object) {
  learn_box(frame, grid, box, finds, frame_number, false, object);
}

}  // namespace winnow
