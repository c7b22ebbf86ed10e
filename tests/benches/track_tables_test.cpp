// Tests how frames and boxes are read for benches of trackers, and the tables of a paper on trackers.
#include "tracking/table_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "tracking/read_frames.h"

namespace bench {
namespace {

using namespace winnow;

TEST(Boxes, AreReadAsText) {
  const RealBox box = parse_box("1,2.5,30,40");
  EXPECT_EQ(box.y, 2.5);
  EXPECT_EQ(box.height, 40);
  for (const char* bad : {"", "1,2,3", "1,2,3,4,5", "1;2;3;4", "a,2,3,4"})
    EXPECT_THROW(parse_box(bad), std::runtime_error) << bad;
}

TEST(RawFrames, AreReadOneAfterTheOther) {
  const std::string path = testing::TempDir() + "/two_frames.raw";
  std::ofstream(path, std::ios::binary) << "abcdefGHIJKLmn";  // 3 x 2, twice, and two bytes more
  const std::vector<GrayImage> frames = read_frames({"", path, "3x2"}, 9);
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_EQ(*frames[1].view().row(1), 'J');
  EXPECT_EQ(read_frames({"", path, "2x1"}, 3).size(), 3U);
  EXPECT_THROW(read_frames({"", path, "4x3"}, 9), std::runtime_error);
  EXPECT_THROW(read_frames({"a video", path, "3x2"}, 9), std::runtime_error);
}

TEST(TrackTables, LeaveOutWhatWasNotMeasured) {
  SizeMeasures of{{480, 270}, {}, {}, 2};
  for (const char* part :
       {"variance", "indices", "confidence", "blur", "integral", "flow", "learn", "others"})
    for (const char* machine : {"cpu_1 ", "cpu_n "}) of.measures.add(std::string(machine) + part, 2);
  of.measures.add("cpu_1 blur", 4);  // the median of 2 and 4
  of.measures.add("windows", 100);
  const std::vector<ResultList> tables = track_tables({of}, 4, "a command", "One object.");
  const auto find = [&](const std::string& name) {
    return std::find_if(tables.begin(), tables.end(),
                        [&](const ResultList& list) { return list.name == name; });
  };
  ASSERT_NE(find("track_components"), tables.end());
  EXPECT_EQ(find("track_clusters"), tables.end());
  EXPECT_EQ(find("track_indices"), tables.end());
  const ResultList& parts = *find("track_components");
  const auto at = [&](const nlohmann::ordered_json& row, const std::string& column) {
    const auto place = std::find(parts.columns.begin(), parts.columns.end(), column);
    return row[static_cast<std::size_t>(place - parts.columns.begin())];
  };
  for (const nlohmann::ordered_json& row : parts.rows) ASSERT_EQ(row.size(), parts.columns.size());
  EXPECT_EQ(at(parts.rows[0], "cpu_1"), 6);
  EXPECT_EQ(at(parts.rows[1], "cpu_1"), 3);
  EXPECT_EQ(at(parts.rows[1], "calls"), 2);
  EXPECT_EQ(at(parts.rows.back(), "cpu_1"), 17);
  // 6 + 2 x 3 + 2 + 2 + 2 + 2 milliseconds of the sequence, in which blur has two calls.
  EXPECT_EQ(at(parts.rows[0], "cpu_1_share"), 30);
  EXPECT_TRUE(at(parts.rows[0], "device").is_null());
  EXPECT_TRUE(at(parts.rows.back(), "split_share").is_null());
}

}  // namespace
}  // namespace bench
