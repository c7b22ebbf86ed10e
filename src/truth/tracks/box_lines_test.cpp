// Tests tracks of one box a line: OTB, TLD, VOT and TLP.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/file.h"
#include "base/folder_for_test.h"
#include "truth/tracks/track_for_test.h"

namespace winnow {
namespace {

using testing::HasSubstr;

// The box of a frame, or a box of zeros if there is none.
RealBox box_of(const BoxTrack& track, std::size_t frame) {
  return track.frames.at(frame).box.value_or(RealBox{});
}

TEST(BoxLines, OtbCountsFromOne) {
  const BoxTrack track = track_of("205\t151\t17\t50\n202.5 150 19 49\r\n1,1,2,3\n", "otb");
  EXPECT_EQ(track.format, BoxTrackFormat::kOtb);
  ASSERT_EQ(track.frames.size(), 3u);
  EXPECT_EQ(box_of(track, 0), (RealBox{204, 150, 17, 50}));
  EXPECT_EQ(box_of(track, 1), (RealBox{201.5, 149, 19, 49}));
  EXPECT_EQ(box_of(track, 2), (RealBox{0, 0, 2, 3}));
  EXPECT_TRUE(std::isnan(track.frames[0].confidence));
}

TEST(BoxLines, TldHoldsItsLastColumnAndRow) {
  const BoxTrack track = track_of("142,125,232,164\nNaN,NaN,NaN,NaN\n-1.5,0,3,4.25\n7,7,7,7\n", "tld");
  EXPECT_EQ(track.format, BoxTrackFormat::kTld);
  ASSERT_EQ(track.frames.size(), 4u);
  EXPECT_EQ(box_of(track, 0), (RealBox{142, 125, 91, 40}));
  EXPECT_FALSE(track.frames[1].box.has_value());
  EXPECT_EQ(box_of(track, 2), (RealBox{-1.5, 0, 5.5, 5.25}));
  EXPECT_EQ(box_of(track, 3), (RealBox{7, 7, 1, 1}));
}

TEST(BoxLines, VotHasPolygonsAndBoxes) {
  const BoxTrack track = track_of("5,1,9,4,6,8,2,3\nnan,nan,nan,nan,nan,nan,nan,nan\n");
  EXPECT_EQ(track.format, BoxTrackFormat::kVot);
  ASSERT_EQ(track.frames.size(), 2u);
  EXPECT_EQ(box_of(track, 0), (RealBox{2, 1, 7, 7}));
  EXPECT_FALSE(track.frames[1].box.has_value());
  EXPECT_EQ(box_of(track_of("5,1,9,4\n", "vot"), 0), (RealBox{5, 1, 9, 4}));
}

TEST(BoxLines, TlpHasFramesAndLostOnes) {
  const BoxTrack track = track_of("1,495,343,172,109,0\n2,5,6,7,8,1\n3,7,8,9,10,0\n");
  EXPECT_EQ(track.format, BoxTrackFormat::kTlp);
  ASSERT_EQ(track.frames.size(), 3u);
  EXPECT_EQ(box_of(track, 0), (RealBox{495, 343, 172, 109}));
  EXPECT_FALSE(track.frames[1].box.has_value());
  EXPECT_EQ(box_of(track, 2), (RealBox{7, 8, 9, 10}));
  EXPECT_EQ(box_of(track_of("7 8 9 10\n", "tlp"), 0), (RealBox{7, 8, 9, 10}));
}

TEST(BoxLines, AFifthNumberIsAConfidence) {
  const BoxTrack track =
      track_of("10,10,20,20,0.5\nNaN,NaN,NaN,NaN,NaN\n10,10,20,20,1\nnan nan nan nan 0\n", "tld");
  ASSERT_EQ(track.frames.size(), 4u);
  EXPECT_EQ(track.frames[0].confidence, 0.5);
  EXPECT_EQ(box_of(track, 0), (RealBox{10, 10, 11, 11}));
  EXPECT_TRUE(std::isnan(track.frames[1].confidence));
  EXPECT_EQ(track.frames[2].confidence, 1);
  EXPECT_EQ(track.frames[3].confidence, 0);
}

TEST(BoxLines, FourZerosAreNoBoxWhereThereAreSides) {
  EXPECT_FALSE(track_of("0,0,0,0\n", "otb").frames[0].box.has_value());
  EXPECT_FALSE(track_of("0,0,0,0\n", "vot").frames[0].box.has_value());
  EXPECT_EQ(box_of(track_of("0,0,0,0\n", "tld"), 0), (RealBox{0, 0, 1, 1}));
}

TEST(BoxLines, ContentDecidesWhatItCan) {
  // A third number below the first is no right edge, and only OTB has blanks or tabs.
  EXPECT_EQ(track_of("205 151 17 50\n").format, BoxTrackFormat::kOtb);
  EXPECT_EQ(track_of("5 5 17 50\n5 60 17 50\n").format, BoxTrackFormat::kOtb);
  EXPECT_EQ(
      track_refused("205,151,17,50\n"),
      "the boxes are x,y,width,height, and otb counts pixels from 1 where vot counts from 0; name the format "
      "otb or vot");
  EXPECT_THAT(track_refused("5,60,17,50\n"), HasSubstr("name the format otb or vot"));
  const std::string doubt =
      "four numbers may be x,y,width,height (otb from pixel 1, vot from pixel 0) or x1,y1,x2,y2 (tld); name "
      "the "
      "format otb, vot or tld";
  EXPECT_EQ(track_refused("10,20,30,40\n"), doubt);
  EXPECT_EQ(track_refused("10 20 30 40\n"), doubt);
  EXPECT_EQ(track_refused("10,20,30,40,0.5\n"), doubt);
  EXPECT_EQ(track_refused("NaN,NaN,NaN,NaN\n"), doubt);
}

TEST(BoxLines, AnotherFormatDecidesOnlyWhatContentLeaves) {
  const auto format = [](std::string_view text, const std::string& or_else) {
    return track_of(text, BoxTrackOptions{{}, or_else, {}}).format;
  };
  for (const char* name : {"otb", "vot", "tlp", "tld"})
    EXPECT_STREQ(box_track_format_name(format("10,20,30,40\n", name)), name);
  EXPECT_EQ(format("205,151,17,50\n", "vot"), BoxTrackFormat::kVot);
  EXPECT_EQ(format("205 151 17 50\n", "vot"), BoxTrackFormat::kOtb);
  EXPECT_EQ(format("1,2,3,4,5,6,7,8\n", "tld"), BoxTrackFormat::kVot);
  EXPECT_EQ(format("1,2,3,4,5,0\n", "tld"), BoxTrackFormat::kTlp);
  // No corner, though the truth has corners.
  EXPECT_THAT(track_refused("205,151,17,50\n", BoxTrackOptions{{}, "tld", {}}),
              HasSubstr("name the format otb or vot"));
  EXPECT_THAT(track_refused("10,20,30,40\n", BoxTrackOptions{{}, "json", {}}), HasSubstr("name the format"));
}

TEST(BoxLines, RefusesWithALine) {
  const std::string good = "10,10,20,20\n";
  EXPECT_EQ(track_refused("", "tld"), "the file is empty");
  EXPECT_EQ(track_refused(" \n\r\n", "tld"), "the file is empty");
  EXPECT_EQ(track_refused(good + "10,10,20\n", "tld"), "line 2: the line has 3 numbers, line 1 has 4");
  EXPECT_EQ(track_refused(good + "10,10,20,20,\n", "tld"), "line 2: the line has 5 numbers, line 1 has 4");
  EXPECT_THAT(track_refused("1,2,3\n"), HasSubstr("line 1: the line has 3 numbers; a box has 4, or 5"));
  EXPECT_THAT(track_refused("1,2,3,4,5,6,7\n"), HasSubstr("line 1: the line has 7 numbers; a box"));
  EXPECT_THAT(track_refused("1,2,3,4,5,6,7,8,9\n"), HasSubstr("line 1: the line has 9 numbers; a box"));
  EXPECT_EQ(track_refused(good + "10,ten,20,20\n", "tld"), "line 2: number 2: 'ten' is not a number");
  EXPECT_EQ(track_refused(good + "10,,20,20\n", "tld"), "line 2: number 2 is missing");
  EXPECT_EQ(track_refused(good + "10,10,1e999,20\n", "tld"),
            "line 2: number 3: '1e999' is beyond the range of numbers");
  EXPECT_EQ(track_refused(good + "10,10,inf,20\n", "tld"), "line 2: number 3: 'inf' is not a finite number");
  EXPECT_EQ(track_refused(good + "10,10,2e9,20\n", "tld"),
            "line 2: number 3: '2e9' is more than any picture has pixels");
  EXPECT_EQ(track_refused(good + "10,NaN,20,20\n", "tld"),
            "line 2: some numbers of the box are NaN, and others are not");
  EXPECT_EQ(track_refused(good + "\n" + good, "tld"),
            "line 2: the line is empty; NaN stands for a frame without the object");
  EXPECT_EQ(track_refused(good + "\n\n", "tld"), "read");
  EXPECT_EQ(track_refused(good + "20,10,18,20\n", "tld"),
            "line 2: the box is -1 pixels wide and 11 high, so it has no area");
  EXPECT_EQ(track_refused(good + "20,10,19,20\n", "tld"),
            "line 2: the box is 0 pixels wide and 11 high, so it has no area");
  EXPECT_EQ(track_refused(good + "20,10,5,0\n", "otb"),
            "line 2: the box is 5 pixels wide and 0 high, so it has no area");
  EXPECT_EQ(track_refused("1,1,2,2,3,3,4,4\n1,1,1,2,1,3,1,4\n"),
            "line 2: the box is 0 pixels wide and 3 high, so it has no area");
  EXPECT_EQ(track_refused("10,10,20,20,0.5\n10,10,20,20,1.5\n", "tld"),
            "line 2: the confidence is 1.5, and must be from 0 to 1");
  EXPECT_EQ(track_refused("10,10,20,20,-0.5\n", "tld"),
            "line 1: the confidence is -0.5, and must be from 0 to 1");
}

TEST(BoxLines, RefusesFormatsThatDoNotFit) {
  EXPECT_EQ(track_refused("1,2,3,4,5,6,7,8\n", "tld"), "8 numbers are a polygon of vot, not a box of tld");
  EXPECT_EQ(track_refused("1,2,3,4,5,0\n", "otb"),
            "6 numbers are frame,x,y,width,height,lost of tlp, not a box of otb");
  EXPECT_EQ(track_refused("1,2,3,4,5,6,7,8\n", "tlp"), "8 numbers are a polygon of vot, not a box of tlp");
  EXPECT_EQ(track_refused("1,2,3,4\n", "otc"),
            "there is no format 'otc' of tracks, but otb, tld, vot, tlp, json, csv");
  EXPECT_EQ(track_refused("1,2,3,4,5,0\n3,2,3,4,5,0\n"), "line 2: frame 3 follows frame 1");
  EXPECT_EQ(track_refused("1,2,3,4,5,0\n2,2,3,4,5,2\n"), "line 2: lost is 2, and must be 0 or 1");
  EXPECT_EQ(track_refused("1,2,3,4,5,0\nNaN,2,3,4,5,0\n"), "line 2: frame nan follows frame 1");
}

TEST(BoxLines, RefusesHostileBytes) {
  EXPECT_THAT(track_refused(std::string("1,2,3\0", 6)), HasSubstr("zero bytes"));
  EXPECT_THAT(track_refused("1,2,3," + std::string(2 << 20, '4') + "\n", "tld"),
              HasSubstr("line 1: a line may have"));
  EXPECT_THAT(track_refused("1,2,3," + std::string(1000, '4') + "\n", "tld"),
              HasSubstr("line 1: number 4: '44"));
  EXPECT_THAT(track_refused("\"1,2,3,4\n", "tld"), HasSubstr("line 1: a quote is not closed"));
  EXPECT_THAT(track_refused("[1,2,3,4]\n"), HasSubstr("line 1: number 1: '[1' is not a number"));
}

TEST(BoxTrack, ErrorsNameTheFile) {
  const TestFolder made;
  const std::string path = made.file("gt.txt");
  write_file(path, std::as_bytes(std::span(std::string_view("1,2,3,4\n1,2,3\n"))));
  try {
    read_box_track(path, {.format = "tld"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), path + ": line 2: the line has 3 numbers, line 1 has 4");
    EXPECT_EQ(error.code(), ErrorCode::kFormat);
  }
  EXPECT_THROW(read_box_track(made.file("none.txt")), Error);
  EXPECT_THROW(read_box_track(made.path()), Error);
}

}  // namespace
}  // namespace winnow
