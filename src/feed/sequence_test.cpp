// Tests the order of a folder's pictures as frames, and what is said about gaps.
#include <gtest/gtest.h>
#include <winnow/error.h>
#include <winnow/feed.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/folder_for_test.h"

namespace winnow {
namespace {

PictureSequence sequence_of(const std::vector<std::string>& names) {
  const TestFolder folder;
  for (const std::string& name : names) std::ofstream(folder.file(name)) << "P5 1 1 255 x";
  return expand_sequence(folder.path());
}

std::vector<std::string> order_of(const PictureSequence& sequence) {
  std::vector<std::string> order;
  for (const Input& input : sequence.pictures) order.push_back(input.place);
  return order;
}

using Names = std::vector<std::string>;

TEST(PictureSequence, IsOrderedByNumber) {
  const PictureSequence sequence = sequence_of({"img10.pgm", "img9.pgm", "img08.pgm", "img11.jpg"});
  EXPECT_EQ(order_of(sequence), (Names{"img08.pgm", "img9.pgm", "img10.pgm", "img11.jpg"}));
  EXPECT_TRUE(sequence.notes.empty());
}

TEST(PictureSequence, CountsTheLastDigitsOfAName) {
  EXPECT_EQ(order_of(sequence_of({"a2_v1.pgm", "a1_v2.pgm", "7.pgm", "3x.pgm"})),
            (Names{"a2_v1.pgm", "a1_v2.pgm", "3x.pgm", "7.pgm"}));
}

TEST(PictureSequence, TellsGapsAndTwins) {
  const PictureSequence sequence =
      sequence_of({"1.pgm", "2.pgm", "002.ppm", "099.pgm", "100.pgm", "103.pgm"});
  EXPECT_EQ(sequence.notes,
            (Names{"002.ppm and 2.pgm have the same number", "no picture has a number between 2 and 99",
                   "no picture has a number between 100 and 103"}));
}

TEST(PictureSequence, CountsBeyondAnyInteger) {
  const PictureSequence sequence =
      sequence_of({"99999999999999999999999.pgm", "100000000000000000000000.pgm", "5.pgm"});
  EXPECT_EQ(order_of(sequence),
            (Names{"5.pgm", "99999999999999999999999.pgm", "100000000000000000000000.pgm"}));
  EXPECT_EQ(sequence.notes.size(), 1u);
}

TEST(PictureSequence, LeavesOutVideosThatAreNamedAsPictures) {
  const TestFolder folder;
  std::ofstream(folder.file("1.pgm")) << "P5 1 1 255 x";
  std::ofstream(folder.file("2.pgm")) << "YUV4MPEG2 W2 H2 F25:1\n";
  const PictureSequence sequence = expand_sequence(folder.path());
  EXPECT_EQ(order_of(sequence), (Names{"1.pgm"}));
  EXPECT_EQ(sequence.notes, (Names{"2.pgm is a video, and is left out"}));
}

TEST(PictureSequence, PutsNamesWithoutNumbersFirst) {
  const PictureSequence sequence = sequence_of({"2.pgm", "title.pgm", "1.pgm", "notes.txt"});
  EXPECT_EQ(order_of(sequence), (Names{"title.pgm", "1.pgm", "2.pgm"}));
  EXPECT_EQ(sequence.notes, (Names{"title.pgm has no number, and is frame 0"}));
}

TEST(PictureSequence, NeedsPictures) {
  EXPECT_THROW(sequence_of({"notes.txt"}), Error);
  EXPECT_THROW(expand_sequence("/no/such/folder"), Error);
}

}  // namespace
}  // namespace winnow
