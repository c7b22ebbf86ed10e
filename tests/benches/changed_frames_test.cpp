// Tests the sequences that the bench of the tracker changes: gaps, and turns of the camera.
#include "tracking/changed_frames.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace bench {
namespace {

using winnow::GrayImage;
using winnow::RealBox;

// A ramp to the right, with a bright object.
MarkedFrames make_sequence(std::size_t count, const RealBox& box) {
  MarkedFrames sequence;
  for (std::size_t i = 0; i < count; ++i) {
    GrayImage frame(90, 40);
    for (int y = 0; y < 40; ++y)
      for (int x = 0; x < 90; ++x) frame.row(y)[x] = static_cast<std::uint8_t>(x);
    for (int y = 10; y < 20; ++y)
      for (int x = 12; x < 22; ++x) frame.row(y)[x] = 250;
    sequence.frames.push_back(std::move(frame));
    sequence.boxes.emplace_back(box);
  }
  return sequence;
}

TEST(ChangedFrames, APaintedBoxIsLinearFromBorderToBorder) {
  MarkedFrames sequence = make_sequence(1, {});
  GrayImage& frame = sequence.frames.front();
  paint_over(frame, {11, 9, 11, 11});
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 90; ++x) EXPECT_EQ(frame.row(y)[x], x) << x << ' ' << y;
}

TEST(ChangedFrames, ABoxBeyondTheFrameIsPaintedWithinIt) {
  MarkedFrames sequence = make_sequence(1, {});
  paint_over(sequence.frames.front(), {-50, -50, 30, 30});
  paint_over(sequence.frames.front(), {5, 9, 17, 400});
  EXPECT_EQ(sequence.frames.front().row(15)[10], 10);
}

TEST(ChangedFrames, GapsHaveNoObject) {
  MarkedFrames sequence = make_sequence(kFirstGap + kGapEvery + kGapLength, {11, 9, 11, 11});
  const std::vector<std::size_t> gaps = add_gaps(sequence);
  ASSERT_EQ(gaps, std::vector<std::size_t>{kFirstGap}) << "the second gap would not end";
  for (std::size_t i = 0; i < sequence.frames.size(); ++i) {
    const bool gap = i >= kFirstGap && i < kFirstGap + kGapLength;
    EXPECT_EQ(sequence.boxes[i].has_value(), !gap) << i;
    EXPECT_EQ(sequence.frames[i].row(15)[15], gap ? 15 : 250) << i;
  }
}

TEST(ChangedFrames, ATurnMovesPictureAndBoxByAThird) {
  MarkedFrames sequence = make_sequence(2 * kTurnEvery + 1, {12, 10, 10, 10});
  sequence.boxes[kTurnEvery + 1].reset();
  ASSERT_EQ(add_turns(sequence), (std::vector<std::size_t>{kTurnEvery, 2 * kTurnEvery}));
  const auto expect = [&](std::size_t i, int moved) {
    EXPECT_EQ(sequence.boxes[i].value().x, 12 + moved) << i;
    for (int x = 0; x < 90; ++x) EXPECT_EQ(sequence.frames[i].row(0)[(x + moved) % 90], x) << i;
    EXPECT_EQ(sequence.frames[i].row(15)[12 + moved], 250) << i;
  };
  expect(kTurnEvery - 1, 0);
  expect(kTurnEvery, 30);
  expect(2 * kTurnEvery - 1, 30);
  expect(2 * kTurnEvery, 0);
}

}  // namespace
}  // namespace bench
