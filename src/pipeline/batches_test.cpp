#include "pipeline/batches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace winnow {
namespace {

using testing::ElementsAre;

struct Call {
  std::vector<PictureView> pictures;
  std::vector<Detections> results;
  SearchJob job;

  explicit Call(std::size_t count) : pictures(count), results(count), job{{}, pictures, std::span(results)} {}
};

std::vector<std::size_t> frames_of(std::size_t pictures, std::size_t most, bool fills = true) {
  const Call call(pictures);
  Batches batches;
  batches.add(call.job, most, fills);
  std::vector<std::size_t> frames;
  while (const Batch* batch = batches.next()) frames.push_back(batch->frames);
  return frames;
}

// If the remaining pictures fill at least three quarters of a batch whose size is a power of two, they form
// one batch.
TEST(Batches, FramesWithoutAPictureSpareBatches) {
  EXPECT_THAT(frames_of(64, 32), ElementsAre(32, 32));
  EXPECT_THAT(frames_of(63, 32), ElementsAre(32, 32));
  EXPECT_THAT(frames_of(56, 32), ElementsAre(32, 32));
  EXPECT_THAT(frames_of(55, 32), ElementsAre(32, 16, 8));
  EXPECT_THAT(frames_of(7, 64), ElementsAre(8));
  EXPECT_THAT(frames_of(5, 4), ElementsAre(4, 1));
  EXPECT_THAT(frames_of(3, 2), ElementsAre(2, 1));
  EXPECT_THAT(frames_of(1, 1), ElementsAre(1));
  EXPECT_THAT(frames_of(0, 1), ElementsAre());
}

TEST(Batches, LargePicturesFillNone) {
  EXPECT_THAT(frames_of(63, 32, false), ElementsAre(32, 16, 8, 4, 2, 1));
  EXPECT_THAT(frames_of(7, 4, false), ElementsAre(4, 2, 1));
}

TEST(Batches, EveryPictureIsInOneBatch) {
  for (std::size_t count = 0; count <= 300; ++count) {
    const Call call(count), other(count / 2);
    Batches batches;
    batches.add(call.job, 64, true);
    batches.add(other.job, 32, false);
    std::vector<int> taken(count), taken_of_other(count / 2);
    while (const Batch* batch = batches.next()) {
      EXPECT_TRUE(std::has_single_bit(batch->frames));
      EXPECT_LE(batch->frames, batch->most);
      EXPECT_LE(batch->count, batch->frames);
      EXPECT_GE(4 * batch->count, 3 * batch->frames);
      EXPECT_TRUE(batch->job == &call.job || batch->count == batch->frames);
      EXPECT_EQ(&batch->result(0), &batch->job->results[batch->first]);
      std::vector<int>& of = batch->job == &call.job ? taken : taken_of_other;
      for (std::size_t i = 0; i < batch->count; ++i) ++of[batch->first + i];
    }
    EXPECT_EQ(taken, std::vector<int>(count, 1));
    EXPECT_EQ(taken_of_other, std::vector<int>(count / 2, 1));
  }
}

TEST(Batches, NoneAfterAStop) {
  const Call call(100);
  Batches batches;
  batches.add(call.job, 8, true);
  EXPECT_NE(batches.next(), nullptr);
  batches.stop();
  EXPECT_EQ(batches.next(), nullptr);
  batches.clear();
  EXPECT_TRUE(batches.empty());
}

}  // namespace
}  // namespace winnow
