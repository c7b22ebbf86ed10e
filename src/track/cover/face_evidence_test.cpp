// Tests `FaceEvidence`: when a face is sure, which frames are near its searches, and what a join adds.
#include "track/cover/face_evidence.h"

#include <gtest/gtest.h>

namespace winnow {
namespace {

FaceEvidence::Search at(std::int64_t frame, bool likely = true) {
  return {frame, {100, 100, 40, 40}, likely};
}

TEST(FaceEvidence, IsSureAfterEnoughSearchesInSixtyFrames) {
  for (const auto& [second, third, sure] : {std::tuple<int, int, bool>{10, 20, true},
                                            {0, kSureFrames, true},
                                            {0, kSureFrames + 1, false},
                                            {kSureFrames, kSureFrames + 1, false}}) {
    FaceEvidence face(1, 3, false);
    face.found(at(0));
    face.found(at(second));
    EXPECT_FALSE(face.is_sure());
    face.found(at(third));
    EXPECT_EQ(face.is_sure(), sure) << second << " " << third;
    EXPECT_EQ(face.searches(), 3);
  }
  FaceEvidence certain(1, 3, false);
  certain.found({7, {100, 100, 40, 40}, false, true});
  EXPECT_TRUE(certain.is_sure());
  FaceEvidence one(1, 1, false);
  one.found(at(5));
  EXPECT_TRUE(one.is_sure());
}

TEST(FaceEvidence, AnUnsureFaceKeepsAllSearchesAndASureOneNone) {
  FaceEvidence face(1, 3, false);
  for (int i = 0; i < 50; ++i) face.found(at(40 * i));
  EXPECT_FALSE(face.is_sure());
  EXPECT_EQ(face.kept().size(), 50U);
  for (int i = 0; i < 50; ++i) face.found(at(2000 + i));
  EXPECT_TRUE(face.is_sure());
  EXPECT_EQ(face.searches(), 100);
  EXPECT_TRUE(face.kept().empty());
}

TEST(FaceEvidence, CountsTheSearchesWhileAnotherFaceHadPlaces) {
  FaceEvidence face(1, 3, true), none(3, 3, true);
  for (int i = 0; i < 50; ++i) face.found(at(10 * i));
  EXPECT_EQ(face.kept().size(), 50U);
  const SharedEvidence other(2, 3, true);
  other.face().lies_in(110);
  other.face().lies_in(100);
  EXPECT_EQ(face.found_during(other.face()), 2);
  EXPECT_EQ(face.found_during(none), 0) << "a face without places";
  SharedEvidence later(4, 3, true);
  later.face().lies_in(139);
  later.join(other);
  EXPECT_EQ(face.found_during(other.face()), 4);
}

TEST(FaceEvidence, ASearchThatIsNotSureReachesHalfAsFar) {
  FaceEvidence face(1, 3, false);
  face.found(at(100));
  face.found(at(200, false));
  for (const auto& [frame, near] : {std::pair{90, true},
                                    {110, true},
                                    {89, false},
                                    {111, false},
                                    {195, true},
                                    {205, true},
                                    {194, false},
                                    {206, false}})
    EXPECT_EQ(face.is_near(frame, 10), near) << frame;
}

TEST(FaceEvidence, AJoinAddsSearchesToTheFirstPath) {
  const SharedEvidence first(1, 3, false), second(2, 3, false), third(3, 3, false);
  first.face().found(at(0));
  first.face().followed = false;
  SharedEvidence later = second, last = third;
  later.face().found(at(10));
  later.join(first);
  EXPECT_EQ(second.face().number(), 1) << "copies share what is known";
  EXPECT_EQ(first.face().searches(), 2);
  EXPECT_TRUE(first.face().followed);
  EXPECT_FALSE(first.face().is_sure());
  last.join(second);
  last.face().found(at(20));
  EXPECT_EQ(&last.face(), &first.face());
  EXPECT_TRUE(first.face().is_sure());
}

TEST(FaceEvidence, ASureLaterPathMakesTheFaceSure) {
  const SharedEvidence first(1, 2, false);
  first.face().found(at(0));
  SharedEvidence later(2, 2, false);
  later.face().found(at(100));
  later.face().found(at(101));
  later.join(first);
  EXPECT_TRUE(first.face().is_sure());
  EXPECT_EQ(first.face().searches(), 3);
}

}  // namespace
}  // namespace winnow
