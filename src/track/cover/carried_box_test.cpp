// Tests `carry_box`: when a face is there, and where its box and points go.
#include "track/cover/carried_box.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace winnow {
namespace {

GrayImage textured(int shift) {
  GrayImage frame(120, 100);
  for (int y = 0; y < 100; ++y)
    for (int x = 0; x < 120; ++x) {
      const auto u = static_cast<std::uint32_t>((x - shift + 240) / 3), v = static_cast<std::uint32_t>(y / 3);
      frame.row(y)[x] = static_cast<std::uint8_t>((u * 2654435761U ^ v * 40503U * 65537U) >> 24);
    }
  return frame;
}

struct Scene {
  GrayImage before = textured(0), after = textured(4);
  CarriedBox face;
  std::vector<FlowPoint> carried;

  Scene() {
    face.box = {30, 20, 60, 60};
    face.look = look_at(before.view(), face.box);
    for (int i = 0; i < 9; ++i) {
      const double x = 40 + 20.0 * (i % 3), y = 30 + 20.0 * (i / 3);
      face.points.push_back({x, y});
      carried.push_back({x + 4, y, true, 0, 0.1F, 0});
    }
  }
  bool carry() {
    CarryScratch scratch;
    return carry_box(face, carried, std::as_const(after).view(), scratch);
  }
};

TEST(CarriedBox, MovesWithItsPoints) {
  Scene scene;
  // Flow carries three of the nine points there and back. The other six points must move with the face.
  for (std::size_t i = 3; i < 9; ++i) scene.carried[i] = {0, 0, i % 2 == 0, 0, 50, 0};
  ASSERT_TRUE(scene.carry());
  EXPECT_EQ(scene.face.box.x, 34);
  EXPECT_EQ(scene.face.box.width, 60);
  EXPECT_EQ(scene.face.points[8].x, 84);
  EXPECT_EQ(scene.face.points[8].y, 70);
}

TEST(CarriedBox, StaysIfFewPointsHold) {
  Scene scene;
  for (std::size_t i = 2; i < 9; ++i) scene.carried[i].found = false;
  EXPECT_FALSE(scene.carry());
  EXPECT_EQ(scene.face.box.x, 30);
  EXPECT_EQ(scene.face.points[0].x, 40);
  scene.carried.clear();
  scene.face.points.clear();
  EXPECT_FALSE(scene.carry());
}

TEST(CarriedBox, StaysIfAnotherThingIsThere) {
  Scene scene;
  for (int y = 0; y < 100; ++y)
    for (int x = 0; x < 120; ++x) scene.after.row(y)[x] = static_cast<std::uint8_t>(x * 7 + y * y);
  EXPECT_FALSE(scene.carry());
}

}  // namespace
}  // namespace winnow
