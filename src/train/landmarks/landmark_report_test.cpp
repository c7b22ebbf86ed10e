// Checks the page of a training of landmarks: figures, the worst faces, and pictures that are gone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "train/landmarks/made_faces_for_test.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct Trained {
  std::unique_ptr<sample::MadeFaces> made = sample::make_faces(5, 40, 1);
  LandmarkOptions options = sample::small_landmark_options();
  RunOptions run = sample::landmark_run();
  LandmarkResult result = train_landmarks(made->set, options, run);
  std::string page() const { return training_page(made->set, options, run, result); }
  // The page without its pictures, because their bytes, as text, may contain any word.
  std::string text() const {
    std::string text = page();
    for (std::size_t at = 0; (at = text.find("base64,", at)) != std::string::npos; ++at)
      text.erase(at, text.find('"', at) - at);
    return text;
  }
};

TEST(LandmarkReport, HoldsTheFigures) {
  const Trained trained;
  const std::string page = trained.text();
  EXPECT_TRUE(has(page, "Training of points"));
  const auto held =
      static_cast<std::size_t>(std::count_if(trained.result.faces.begin(), trained.result.faces.end(),
                                             [](const FittedFace& face) { return face.held_back; }));
  EXPECT_TRUE(has(page, "5 points, 3 stages of 12 trees in "));
  EXPECT_TRUE(has(page, fmt::format("from {} samples of {} faces. {} faces were held back. Seed 1.",
                                    trained.result.samples, 48 - held, held)));
  EXPECT_TRUE(has(page, "the distance of the pupils"));
  EXPECT_TRUE(has(page, "Boxes: as they were given"));
  for (std::size_t s = 0; s < 3; ++s) {
    const LandmarkStage& stage = trained.result.stages[s];
    EXPECT_TRUE(has(page, fmt::format("<tr><td>{}</td><td>{:.2f} %</td><td>{:.2f} %</td>", s + 1,
                                      100 * stage.error, 100 * stage.held_back_error)))
        << s;
  }
  EXPECT_FALSE(has(page, "nan"));
  EXPECT_TRUE(has(page, "Mean error after each stage"));
  EXPECT_TRUE(has(page, "Faces with at most this error"));
}

TEST(LandmarkReport, TellsWhatPresenceKeeps) {
  Trained trained;
  EXPECT_FALSE(has(trained.text(), "Presence"));
  trained.result.presence = PresenceCheck{30, 29, 80, 2};
  EXPECT_TRUE(has(trained.text(), "keeps 29 of 30 held-back faces, and 2 of 80 false alarms"));
}

TEST(LandmarkReport, ShowsTheWorstFacesTheWorstFirst) {
  Trained trained;
  trained.made->set.faces[trained.result.faces[3].face].found = false;
  trained.result.faces[3].error = 0.77;
  trained.result.faces[5].error = 0.55;
  const std::string page = trained.page();
  const std::size_t worst = page.find("77.00 %, not found"), next = page.find("55.00 %<br>");
  ASSERT_NE(worst, std::string::npos);
  ASSERT_NE(next, std::string::npos);
  EXPECT_LT(page.find("Worst faces of the training"), worst);
  EXPECT_LT(worst, next);
  EXPECT_LT(page.find("Worst held-back faces"), page.find("Worst faces of the training"));
  const auto held =
      static_cast<std::size_t>(std::count_if(trained.result.faces.begin(), trained.result.faces.end(),
                                             [](const FittedFace& face) { return face.held_back; }));
  ASSERT_LT(held, 24u);
  EXPECT_EQ(count_of(page, "<figure title"), 24 + held) << "24 of each at most";
  EXPECT_EQ(count_of(page, "data:image/jpeg"), 24 + held);
}

TEST(LandmarkReport, LivesWithoutPicturesAndHeldBackFaces) {
  Trained trained;
  for (FittedFace& face : trained.result.faces) face.held_back = false;
  for (LandmarkStage& stage : trained.result.stages) stage.held_back_error = NAN;
  trained.result.faces[0].error = 5;
  trained.result.faces[1].error = NAN;
  fs::remove(trained.made->set.pictures[trained.made->set.faces[trained.result.faces[0].face].picture]);
  const std::string page = trained.text();
  EXPECT_TRUE(has(page, "500.00 %")) << "a face without its picture";
  EXPECT_LE(count_of(page, "data:image/jpeg"), 23u);
  EXPECT_GE(count_of(page, "data:image/jpeg"), 22u);
  EXPECT_EQ(count_of(page, "<td>none</td>"), 3u);
  EXPECT_FALSE(has(page, "nan"));
  EXPECT_FALSE(has(page, "Worst held-back faces"));
  EXPECT_TRUE(has(page, "0 faces were held back"));
  trained.result.faces.clear();
  EXPECT_FALSE(has(trained.page(), "Worst faces"));
}

// The charts lie side by side, in the size that other trainings' pages give them.
TEST(LandmarkReport, ChartsAreThoseOfOtherPages) {
  const std::string page = Trained().page();
  const std::size_t begin = page.find("<div class=\"plots\">\n<figure><svg "),
                    end = page.find("</div>", begin);
  ASSERT_NE(begin, std::string::npos);
  EXPECT_EQ(count_of(page.substr(begin, end - begin), "<figure><svg "), 2u);
  EXPECT_EQ(count_of(page, "role=\"img\""), 2u) << "no chart lies elsewhere";
}

TEST(LandmarkReport, EscapesNames) {
  Trained trained;
  for (std::string& path : trained.made->set.pictures) {
    const std::string other = trained.made->folder.file("<b>&\"" + fs::path(path).filename().string());
    fs::rename(path, other);
    path = other;
  }
  trained.made->set.detector = "a<i>";
  trained.result.backend = "b<u>";
  LandmarkModel model = trained.result.landmarks.model();
  model.card.name = "eyes & <s>";
  trained.result.landmarks = Landmarks(model);
  const std::string page = trained.page();
  for (const char* raw : {"<b>&", "a<i>", "b<u>", "<s>"}) EXPECT_FALSE(has(page, raw)) << raw;
  EXPECT_TRUE(has(page, "Training of eyes &amp; &lt;s&gt;"));
  EXPECT_TRUE(has(page, "of the detector a&lt;i&gt;"));
  EXPECT_TRUE(has(page, "&lt;b&gt;&amp;&quot;1"));
}

TEST(LandmarkReport, OtherPointsAreMeasuredByTheirBox) {
  const FaceSet& faces = sample::made_faces(7).set;
  const LandmarkOptions options = sample::small_landmark_options();
  const LandmarkResult result = train_landmarks(faces, options, sample::landmark_run());
  EXPECT_TRUE(has(training_page(faces, options, sample::landmark_run(), result),
                  "divided by the side of the box around the marked points"));
}

}  // namespace
}  // namespace winnow
