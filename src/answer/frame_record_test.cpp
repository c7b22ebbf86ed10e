// Tests what is kept of an answered frame.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include <winnow/answer.h>

namespace winnow {
namespace {

ScanEvent answered() {
  ScanEvent event;
  event.kind = FrameEvent::Kind::kFrame;
  event.from = std::make_shared<const Input>(Input{InputKind::kPicture, "a.jpg", "a.jpg", ""});
  event.picture.gray = GrayImage(30, 20);
  event.found.objects = {{{1, 2, 3, 4}, 0.5, 6}, {{7, 8, 9, 10}, 0.25, 1}};
  return event;
}

TEST(FrameRecord, HoldsTheLinesAndTheNumberOfObjects) {
  const ScanEvent event = answered();
  FrameResult result;
  result.source = "a.jpg";
  result.picture = {30, 20};
  result.model = "square";
  result.objects = event.found.objects;
  for (const ResultFormat format : {ResultFormat::kJsonLines, ResultFormat::kCsv}) {
    const RecordRules rules{format, false, "square", {2, 2}, 0};
    const FrameRecord record = record_of(event, rules);
    EXPECT_EQ(record.lines, result_lines(result, format));
    EXPECT_EQ(record.objects, 2u);
    EXPECT_EQ(record.last_id, 0);
    EXPECT_EQ(record_header(rules), result_header(format));
  }
}

TEST(FrameRecord, SaysIfTheWindowIsLarge) {
  EXPECT_FALSE(record_of(answered(), {ResultFormat::kCsv, false, "square", {9, 2}, 0}).large_window);
  EXPECT_TRUE(record_of(answered(), {ResultFormat::kCsv, false, "square", {2, 3}, 0}).large_window);
}

TEST(FrameRecord, CountsFollowedFacesByTheirNumbers) {
  ScanEvent event = answered();
  std::vector<Followed> faces(3);
  const int ids[] = {4, 9, 7};
  for (std::size_t i = 0; i < faces.size(); ++i) {
    faces[i].id = ids[i];
    faces[i].shape.points.resize(5);
  }
  event.answer = faces;
  const RecordRules rules{ResultFormat::kJsonLines, false, "face", {2, 2}, 5};
  const FrameRecord record = record_of(event, rules);
  EXPECT_EQ(record.objects, 0u);
  EXPECT_EQ(record.last_id, 9);
  FrameResult result;
  result.source = "a.jpg";
  result.picture = {30, 20};
  result.model = "face";
  result.followed = faces;
  EXPECT_EQ(record.lines, face_lines(result));
  EXPECT_EQ(record_header({ResultFormat::kCsv, true, "face", {2, 2}, 5}),
            face_header(5, ResultFormat::kCsv, true));
}

}  // namespace
}  // namespace winnow
