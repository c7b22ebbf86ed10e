// Tests that a tracker with sieves follows as a tracker without, with sieves that work on the host.
#include "track/tld/sift/window_sieve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "track/tld/object_scene_for_test.h"
#include "track/tld/object_tracker.h"

namespace winnow {
namespace {

// What a device does, on the host. A sieve's results are those of the frame and of the tables at `begin`.
class HostFrames final : public SieveFrames {
 public:
  void keep(GrayView frame) override { frame_ = frame; }
  std::unique_ptr<WindowSieve> make_sieve() override { return std::make_unique<Sieve>(*this); }

 private:
  class Sieve final : public WindowSieve {
   public:
    explicit Sieve(const HostFrames& frames) : frames_(frames) {}
    void begin(const ObjectGrid& grid, const LearntObject& object) override {
      made_.make(frames_.frame_, object.halvings, kObjectStepsCpu);
      EXPECT_EQ(grid.level, made_.level().size()) << "the grid is planned for the frame";
      sift_windows_ref(made_, grid, object, 1, likely_);
    }
    std::span<const LikelyWindow> finish(ObjectFrame& frame) override {
      frame.show({made_.halvings(), made_.level(), made_.blurred()});
      return likely_;
    }

   private:
    const HostFrames& frames_;
    ObjectFrame made_;
    std::vector<LikelyWindow> likely_;
  };

  GrayView frame_;
};

RealBox place_at(int frame, double side) {
  return {70 + 30 * std::cos(frame * 0.07), 50 + 20 * std::sin(frame * 0.07), side, side * 1.2};
}

// The flow of a box that moves with the object.
std::vector<FlowResult> flow_of(const std::vector<FlowPlace>& points, const RealBox& from,
                                const RealBox& to) {
  std::vector<FlowResult> results;
  for (const FlowPlace& point : points)
    results.push_back(
        {{point.x + static_cast<float>(to.x - from.x), point.y + static_cast<float>(to.y - from.y)},
         0,
         0,
         1,
         1});
  return results;
}

TEST(WindowSieve, ATrackerWithSievesFollowsAlike) {
  for (const double side : {30.0, 60.0}) {
    HostFrames frames;
    ObjectTracker with(kObjectStepsCpu, 3, &frames), without(kObjectStepsCpu, 3);
    const auto scene = [&](int frame, Size size) {
      return make_scene(size, frame >= 12 && frame < 15 ? std::vector<Shown>()
                                                        : std::vector<Shown>{{place_at(frame, side)}});
    };
    int seen = 0;
    for (ObjectTracker* tracker : {&with, &without})
      ASSERT_TRUE(tracker->mark(scene(0, {220, 160}).view(), place_at(0, side)));
    for (int frame = 1; frame < 30; ++frame) {
      // One frame has another size. Another is a correction, which needs sums again.
      const GrayFrame picture = scene(frame, frame == 20 ? Size{230, 150} : Size{220, 160});
      frames.keep(picture.view());
      with.begin(picture.view());
      std::vector<FlowPlace> points, same;
      without.points(points);
      with.points(same);
      if (frame != 20 && frame != 21) {
        ASSERT_EQ(points.size(), same.size()) << frame;
      }
      const RealBox from = place_at(frame - 1, side), to = place_at(frame, side);
      const TrackedObject& a = without.next(picture.view(), points, flow_of(points, from, to));
      const TrackedObject& b = with.next(picture.view(), same, flow_of(same, from, to));
      ASSERT_EQ(a.box, b.box) << frame;
      ASSERT_EQ(a.confidence, b.confidence) << frame;
      ASSERT_EQ(a.state, b.state) << frame;
      seen += a.state != ObjectState::kLost ? 1 : 0;
      if (frame == 8) {
        for (ObjectTracker* tracker : {&with, &without}) ASSERT_TRUE(tracker->mark(picture.view(), to));
      }
    }
    EXPECT_GT(seen, 15);
    EXPECT_EQ(with.object().templates.objects(), without.object().templates.objects());
    EXPECT_EQ(with.object().templates.others(), without.object().templates.others());
  }
}

}  // namespace
}  // namespace winnow
