#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <winnow/cover_review.h>
#include <winnow/error.h>

#include "answer/review_choice.h"
#include "base/folder_for_test.h"

namespace winnow {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace fs = std::filesystem;

FaceCover cover(int path, CoverReason reason = CoverReason::kFound, Box box = {10, 10, 20, 20}) {
  return {box, path, 3, reason};
}

FrameEvent frame_of(std::int64_t index, std::optional<double> time, bool video = true) {
  FrameEvent frame;
  frame.kind = FrameEvent::Kind::kFrame;
  frame.index = index;
  frame.time = time;
  if (video) frame.video = std::make_shared<VideoInfo>();
  frame.sequence = video;
  frame.picture.color = RgbImage(100, 80);
  std::fill_n(frame.picture.color.row(0), 100 * 80, Rgb{200, 40, 40});
  return frame;
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t count_of(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

std::vector<std::string> files_of(const fs::path& folder) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

const Input kWalk{InputKind::kVideo, "in/walk.mp4", "walk.mp4", ""};
const Input kPhoto{InputKind::kPicture, "in/a&b.jpg", "a&b.jpg", ""};

TEST(ReviewChoice, ASecondShowsOneFrame) {
  ReviewChoice rule;
  std::vector<bool> shown;
  for (const double time : {0.5, 0.9, 1.0, 1.9, 2.5, 1.5})
    shown.push_back(rule.is_shown(rule.look(time, {100, 80}, {})));
  EXPECT_THAT(shown, ElementsAre(true, false, true, false, true, true));
}

TEST(ReviewChoice, FramesWithoutATimeShowEach25th) {
  ReviewChoice rule;
  std::vector<int> shown;
  for (int i = 0; i < 60; ++i)
    if (rule.is_shown(rule.look({}, {100, 80}, {}))) shown.push_back(i);
  EXPECT_THAT(shown, ElementsAre(0, 25, 50));
}

TEST(ReviewChoice, EndsOfACoverAndTheFramesBesideAreShown) {
  ReviewChoice rule;
  const std::vector<std::vector<FaceCover>> video = {{},         {},         {cover(4)}, {cover(4), cover(4)},
                                                     {cover(4)}, {cover(4)}, {},         {}};
  std::vector<FrameSigns> signs;
  for (std::size_t i = 0; i < video.size(); ++i) {
    signs.push_back(rule.look(0.1, {100, 80}, video[i]));
    if (i > 0) rule.look_ahead(signs[i - 1], video[i - 1], video[i], false);
  }
  EXPECT_THAT(signs[0].words, IsEmpty());
  EXPECT_THAT(signs[1].words, ElementsAre("cover 4 is about to begin"));
  EXPECT_THAT(signs[2].words, ElementsAre("cover 4 begins"));
  EXPECT_THAT(signs[3].words, IsEmpty());
  EXPECT_THAT(signs[4].words, IsEmpty());
  EXPECT_THAT(signs[5].words, ElementsAre("cover 4 ends"));
  EXPECT_THAT(signs[6].words, ElementsAre("cover 4 has ended"));
  for (std::size_t i = 0; i < signs.size(); ++i)
    EXPECT_EQ(rule.is_shown(signs[i]), i == 0 || i == 1 || i == 2 || i == 5 || i == 6) << i;
  rule.look_ahead(signs[7], {}, {}, true);
  EXPECT_TRUE(rule.is_shown(signs[7]));
}

TEST(ReviewChoice, ACoverIsLargeInItsFrameOrBesideItsLastFoundPlace) {
  const Size frame{100, 100};
  const auto large = [&](ReviewChoice& rule, CoverReason reason, Box box) {
    const FaceCover each = cover(1, reason, box);
    return rule.look(0.0, frame, {&each, 1}).large;
  };
  ReviewChoice whole;
  EXPECT_FALSE(large(whole, CoverReason::kFound, {0, 0, 40, 50}));  // a fifth
  EXPECT_TRUE(large(whole, CoverReason::kFound, {0, 0, 41, 50}));
  ReviewChoice grown;
  EXPECT_FALSE(large(grown, CoverReason::kCarried, {0, 0, 10, 10}));
  EXPECT_FALSE(large(grown, CoverReason::kCarried, {0, 0, 30, 30}));  // no search found it yet
  EXPECT_FALSE(large(grown, CoverReason::kFound, {0, 0, 10, 10}));
  EXPECT_FALSE(large(grown, CoverReason::kJoined, {0, 0, 10, 20}));  // twice the area
  EXPECT_TRUE(large(grown, CoverReason::kJoined, {0, 0, 10, 21}));
  EXPECT_TRUE(large(grown, CoverReason::kFound, {0, 0, 10, 30}));
  EXPECT_FALSE(large(grown, CoverReason::kLingering, {0, 0, 10, 30}));  // as it was found last
}

TEST(ReviewChoice, AnInputHasABoundedNumberOfPictures) {
  ReviewChoice rule;
  FrameSigns event, large;
  event.event = true;
  large.large = true;
  int events = 0, others = 0;
  for (int i = 0; i < 6000; ++i) {
    events += rule.is_shown(event);
    others += rule.is_shown(large);
  }
  EXPECT_EQ(events, 4000);
  EXPECT_EQ(others, 1000);
  EXPECT_EQ(rule.left_out(), 2000 + 5000);
  FrameSigns second;
  second.second = true;
  EXPECT_TRUE(rule.is_shown(second));
}

TEST(CoverReview, APageShowsVideosAndPictures) {
  const TestFolder folder;
  const std::string place = folder.path() + "/deep/review";
  CoverReview review(place);
  const FaceCover found = cover(1), away = cover(2, CoverReason::kLingering, {50, 40, 25, 20});
  const std::vector<FaceCover> both = {found, away};
  for (int i = 0; i < 30; ++i)
    review.add(kWalk, frame_of(i, 61.25 + i * 0.01),
               i < 10 || i > 19 ? std::span<const FaceCover>() : std::span(both));
  review.finish_input(kWalk);
  for (int i = 0; i < 2; ++i) {
    review.add(kPhoto, frame_of(0, {}, false), {&found, i == 0 ? 1u : 0u});
    review.finish_input(kPhoto);
  }
  review.finish();
  // The first frame, the last one, and two at each end of the covers.
  EXPECT_THAT(files_of(place + "/pictures/000001"), ElementsAre("000000.jpg", "000009.jpg", "000010.jpg",
                                                                "000019.jpg", "000020.jpg", "000029.jpg"));
  EXPECT_THAT(files_of(place), ElementsAre("index.html", "pictures"));
  const std::string page = text_of(place + "/index.html");
  EXPECT_THAT(page,
              HasSubstr("1:01.3, frame 10<br><strong>cover 1 begins</strong><br><strong>cover 2 begins"));
  EXPECT_THAT(page, HasSubstr("cover 2: lingering, 3 searches</figcaption>"));
  EXPECT_THAT(page, HasSubstr("<i style=\"left:10.0%;top:12.5%;width:20.0%;height:25.0%\" "
                              "title=\"cover 1: found, 3 searches\"><b>1</b></i>"));
  EXPECT_THAT(page, HasSubstr("<i class=\"away\" style=\"left:50.0%;top:50.0%;width:25.0%;height:25.0%\""));
  EXPECT_THAT(page, HasSubstr("<a href=\"#input-1\">in/walk.mp4</a>: 30 frames, 10 with covers, 6 shown; the "
                              "largest cover takes 6.2 % of frame 10"));
  EXPECT_THAT(
      page,
      HasSubstr("<h2>Nothing was hidden: 1</h2>\n<ul>\n<li><a href=\"#input-3\">in/a&amp;b.jpg</a></li>"));
  EXPECT_EQ(count_of(page, "<h2 id="), 1u);
  EXPECT_EQ(count_of(page, "<h2>Pictures</h2>"), 1u);
  EXPECT_EQ(count_of(page, "<figure><div>"), 6u);
  EXPECT_THAT(page, HasSubstr("<figure id=\"input-2\"><div>"));
  EXPECT_THAT(page, HasSubstr("<figure id=\"input-3\"><div>"));
  EXPECT_THAT(page, Not(HasSubstr("<strong>Nothing was hidden.")));
  EXPECT_THAT(page, Not(HasSubstr("not whole")));
  EXPECT_THAT(page, Not(HasSubstr("http")));
  const RgbImage small = read_picture(place + "/pictures/000001/000010.jpg", {true}).color;
  EXPECT_EQ((Size{small.width(), small.height()}), (Size{100, 80}));
  EXPECT_NEAR(small.row(40)[50].r, 200, 4);
}

TEST(CoverReview, LargeFramesBecomeSmall) {
  const TestFolder folder;
  CoverReview review(folder.path());
  // Photos stay larger, since each is shown once.
  for (const bool video : {false, true}) {
    FrameEvent frame = frame_of(0, {}, video);
    if (video) frame.time = 0;
    frame.picture.color = RgbImage(1000, 401);
    std::fill_n(frame.picture.color.row(0), 1000 * 401, Rgb{90, 90, 90});
    for (int y = 0; y < 401; ++y) std::fill_n(frame.picture.color.row(y), 500, Rgb{250, 0, 0});
    review.add(video ? kWalk : kPhoto, frame, {});
    review.finish_input(video ? kWalk : kPhoto);
    const std::string place = folder.path() + "/pictures/00000" + (video ? "2" : "1") + "/000000.jpg";
    const RgbImage small = read_picture(place, {true}).color;
    const int part = video ? 4 : 2;
    EXPECT_EQ((Size{small.width(), small.height()}), (Size{1000 / part, 400 / part}));
    EXPECT_NEAR(small.row(200 / part)[400 / part].r, 250, 6);
    EXPECT_NEAR(small.row(200 / part)[600 / part].r, 90, 6);
  }
}

TEST(CoverReview, CopiesThatAreNotWholeAreNamed) {
  const TestFolder folder;
  CoverReview review(folder.path());
  review.add(kWalk, frame_of(0, std::numeric_limits<double>::quiet_NaN()), {});  // a time that is none
  review.finish_input(kWalk, false);
  review.finish_input(kPhoto, false);  // without a frame
  review.finish();
  const std::string page = text_of(folder.file("index.html"));
  EXPECT_THAT(
      page,
      HasSubstr("<h2>Copies that are not whole: 2</h2>\n<ul>\n<li><a href=\"#input-1\">in/walk.mp4</a></li>\n"
                "<li><a href=\"#input-2\">in/a&amp;b.jpg</a></li>"));
  EXPECT_THAT(page, HasSubstr("in/walk.mp4</h2>\n<p><strong>Nothing was hidden.</strong> Look at the whole "
                              "copy.</p>\n<p><strong>The copy is not whole.</strong></p>\n<div"));
  EXPECT_THAT(page, HasSubstr("<figure id=\"input-2\"><figcaption>in/a&amp;b.jpg<br>no copy</figcaption>"));
  EXPECT_THAT(page, HasSubstr("<figcaption>frame 0<br><strong>last frame</strong><br>nothing hidden<"));
  EXPECT_THAT(page,
              HasSubstr("<h2>Nothing was hidden: 1</h2>\n<ul>\n<li><a href=\"#input-1\">in/walk.mp4</a>"));
}

// The part of the page below the lists that begins with these words, up to the next headline.
std::string part_of(const std::string& page, const std::string& words) {
  const std::size_t at = page.find(words);
  return at == std::string::npos ? "" : page.substr(at, page.find("<h2", at + 1) - at);
}

TEST(CoverReview, NamesLeadToTheCopies) {
  const TestFolder folder, other;
  fs::create_directories(folder.file("safe"));
  fs::create_directories(folder.file("deep"));
  const std::string film = folder.file("safe/50% & \"more\" #1.mp4"), away = other.file("a.jpg");
  std::ofstream(film).put('x');
  const FaceCover found = cover(1);
  CoverReview review(folder.path() + "/deep/../review/");
  for (int i = 0; i < 2; ++i) review.add(kWalk, frame_of(i, i), {&found, 1}, film);
  review.finish_input(kWalk);
  review.add(kWalk, frame_of(0, 0.0), {}, folder.file("safe/gone.mp4"));
  review.finish_input(kWalk, false);
  review.add(kPhoto, frame_of(0, {}, false), {&found, 1}, away);
  review.finish_input(kPhoto);
  const Input many{InputKind::kStream, "-", "stream", ""};
  for (int i = 0; i < 2; ++i) {
    FrameEvent frame = frame_of(i, {});
    frame.video = nullptr;
    review.add(many, frame, {}, folder.file("safe/stream-" + std::to_string(i) + ".jpg"));
  }
  review.finish_input(many);
  review.finish();
  const std::string page = text_of(folder.file("review/index.html"));
  const std::string words = folder.path() + "/safe/50% &amp; &quot;more&quot; #1.mp4";
  EXPECT_THAT(
      part_of(page, "<h2 id=\"input-1\">"),
      HasSubstr("in/walk.mp4</h2>\n<p>The copy: <a href=\"../safe/50%25%20%26%20%22more%22%20%231.mp4\">" +
                words + "</a></p>\n<div"));
  EXPECT_THAT(page, HasSubstr("<figcaption>0:00.0, frame 0<"));
  const std::string gone = part_of(page, "<h2 id=\"input-2\">");
  EXPECT_THAT(gone, HasSubstr("</h2>\n<p><strong>There is no copy.</strong></p>\n<div"));
  EXPECT_THAT(page, Not(HasSubstr("gone.mp4")));
  const std::string way = fs::path(away).lexically_relative(folder.file("review")).string();
  EXPECT_THAT(page, HasSubstr("<figcaption><a href=\"" + way + "\">in/a&amp;b.jpg</a><br>cover 1: "));
  const std::string stream = part_of(page, "<h2 id=\"input-4\">");
  EXPECT_THAT(stream,
              HasSubstr("standard input</h2>\n<p><strong>Nothing was hidden.</strong> Look at the whole "
                        "copy.</p>\n<div"));
  EXPECT_THAT(stream, HasSubstr("<a href=\"../safe/stream-0.jpg\">frame 0</a>"));
  EXPECT_THAT(stream, HasSubstr("<a href=\"../safe/stream-1.jpg\">frame 1</a>"));
}

TEST(CoverReview, WhatCouldNotBeReadOrWrittenIsListed) {
  const TestFolder folder;
  const FaceCover found = cover(1);
  CoverReview review(folder.path());
  review.add(kWalk, frame_of(0, 0.0), {&found, 1});
  for (int i = 0; i < 22; ++i)
    review.add_problem(kWalk, "in/walk.mp4, frame " + std::to_string(i) + ": <cut>");
  review.finish_input(kWalk);
  review.add(kPhoto, frame_of(0, {}, false), {&found, 1});
  review.finish_input(kPhoto);
  const Input bad{InputKind::kBroken, "in/bad.jpg", "", "there is no such file"};
  review.add_problem(bad, "in/bad.jpg: there is no such file");
  review.finish_input(bad);
  const Input none{InputKind::kVideo, "in/none.mp4", "none.mp4", ""};
  review.add_problem(none, "in/none.mp4: is no video");
  review.finish_input(none);
  review.finish();
  const std::string page = text_of(folder.file("index.html"));
  EXPECT_THAT(page, HasSubstr("<h2>What could not be read or written: 24</h2>\n<ul>\n"
                              "<li><a href=\"#input-1\">in/walk.mp4, frame 0: &lt;cut&gt;</a></li>\n"));
  EXPECT_THAT(page, HasSubstr("<li><a href=\"#input-3\">in/bad.jpg: there is no such file</a></li>\n"));
  EXPECT_THAT(part_of(page, "<h2 id=\"input-1\">"),
              HasSubstr("in/walk.mp4</h2>\n<ul>\n<li>in/walk.mp4, frame 0: &lt;cut&gt;</li>\n"));
  EXPECT_THAT(page, HasSubstr("frame 19: &lt;cut&gt;</li>\n<li>and 2 more</li>\n</ul>\n<div"));
  // The pictures share a section, and each picture without a copy stands at its place.
  EXPECT_THAT(
      part_of(page, "<h2>Pictures</h2>"),
      HasSubstr("</figure>\n<figure id=\"input-3\"><figcaption>in/bad.jpg<br><strong>in/bad.jpg: there is "
                "no such file</strong><br>no copy</figcaption></figure>\n</div>\n"));
  EXPECT_THAT(part_of(page, "<h2 id=\"input-4\">"),
              HasSubstr("in/none.mp4</h2>\n<p><strong>There is no copy.</strong></p>\n<ul>\n"
                        "<li>in/none.mp4: is no video</li>\n</ul>\n</body>"));
  EXPECT_THAT(page, HasSubstr("<h2>Videos and streams: 1</h2>"));
  EXPECT_THAT(page, Not(HasSubstr("No copy was written")));
  EXPECT_THAT(files_of(folder.path() + "/pictures"), ElementsAre("000001", "000002"));
}

TEST(CoverReview, APageWithoutCopiesSaysSo) {
  const TestFolder folder;
  for (const bool problem : {false, true}) {
    const std::string place = folder.file(problem ? "problem" : "nothing");
    CoverReview review(place);
    if (problem) review.add_problem(kPhoto, "in/a&b.jpg: is no picture");  // and is not finished
    review.finish();
    const std::string page = text_of(place + "/index.html");
    EXPECT_THAT(page,
                HasSubstr("<p><strong>No copy was written, so there is nothing to check.</strong></p>\n"));
    EXPECT_EQ(count_of(page, "is no picture"), problem ? 2u : 0u);
    EXPECT_THAT(files_of(place), ElementsAre("index.html"));
  }
}

TEST(CoverReview, NoFileIsWrittenOver) {
  const TestFolder folder;
  CoverReview(folder.path()).finish();
  EXPECT_THROW(CoverReview{folder.path()}, Error);
  fs::remove(folder.file("index.html"));
  fs::create_directories(folder.file("pictures"));
  EXPECT_THROW(CoverReview{folder.path()}, Error);
  std::ofstream(folder.file("file")).put('x');
  try {
    CoverReview review(folder.file("file"));
    ADD_FAILURE() << "a file is no folder";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kIo);
  }
  FrameEvent grey = frame_of(0, 0.0);
  grey.picture.color = {};
  CoverReview review(folder.path() + "/new");
  EXPECT_THROW(review.add(kWalk, grey, {}), Error);
}

}  // namespace
}  // namespace winnow
