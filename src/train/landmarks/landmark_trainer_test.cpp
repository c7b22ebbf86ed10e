// Checks the training of landmarks on made faces: one model on all backends, with much or little memory, and
// after breaks. The shapes of a result equal those of a fit.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <winnow/error.h>
#include <winnow/landmarker.h>

#include "train/landmarks/landmark_samples.h"
#include "train/landmarks/made_faces_for_test.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;
using sample::bytes_of;
using sample::landmark_run;
using sample::made_faces;
using sample::small_landmark_options;

struct Form {
  const char* name;
  std::size_t points;
  LandmarkOptions options;
};

std::vector<Form> forms() {
  const LandmarkOptions usual = small_landmark_options();
  LandmarkOptions plain = usual, flat = usual, one = usual, whole = usual, listed = usual, deep = usual;
  plain.basis = 0;
  flat.depth = 1;
  flat.mixed = 0;
  one.trees = one.stages = 1;
  whole.held_back = 0;
  listed.mirrored = {1, 0, 2, 4, 3, 5, 6};
  deep.depth = 6;
  deep.samples = 3;
  return {{"basis", 5, usual},     {"coordinates", 5, plain},    {"depth 1, mean shape only", 5, flat},
          {"one tree", 5, one},    {"none held back", 5, whole}, {"a list of mirrored points", 7, listed},
          {"no mirror", 7, usual}, {"depth 6", 68, deep}};
}

TEST(LandmarkTrainer, TheSameFromEveryBackendThreadAndMemory) {
  for (const Form& form : forms()) {
    SCOPED_TRACE(form.name);
    const FaceSet& faces = made_faces(form.points).set;
    const LandmarkResult wanted =
        train_landmarks(faces, form.options, landmark_run(BackendKind::kReference, 1));
    EXPECT_EQ(wanted.backend, "reference");
    for (const int threads : {1, 3}) {
      RunOptions run = landmark_run(BackendKind::kCpu, threads);
      const LandmarkResult got = train_landmarks(faces, form.options, run);
      EXPECT_EQ(got.backend, "cpu");
      EXPECT_EQ(bytes_of(got), bytes_of(wanted)) << threads << " threads";
      ASSERT_EQ(got.stages.size(), wanted.stages.size());
      for (std::size_t s = 0; s < got.stages.size(); ++s)
        EXPECT_EQ(got.stages[s].error, wanted.stages[s].error);
      for (const std::int64_t memory : {std::int64_t{0}, std::int64_t{40'000}}) {
        run.memory = memory;
        EXPECT_EQ(bytes_of(train_landmarks(faces, form.options, run)), bytes_of(wanted))
            << threads << " threads, memory " << memory;
      }
    }
  }
}

// A missing folder for samples is an error only if samples lie in a file.
TEST(LandmarkTrainer, LittleMemoryTakesAFile) {
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  const FaceSet& faces = made_faces().set;
  RunOptions run = landmark_run();
  ASSERT_EQ(setenv("TMPDIR", "/nowhere/at/all", 1), 0);
  EXPECT_NO_THROW(train_landmarks(faces, small_landmark_options(), run));
  run.memory = 1000;
  try {
    train_landmarks(faces, small_landmark_options(), run);
    ADD_FAILURE() << "no file was made";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kIo) << error.what();
  }
  if (before == nullptr) {
    unsetenv("TMPDIR");
  } else {
    setenv("TMPDIR", kept.c_str(), 1);
  }
  const TestFolder folder;
  run.checkpoint = folder.path();
  EXPECT_FALSE(train_landmarks(faces, small_landmark_options(), run).stopped);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1)
      << "the state alone is left";
}

TEST(LandmarkTrainer, SeedsGiveOtherModels) {
  RunOptions run = landmark_run();
  const auto first = bytes_of(train_landmarks(made_faces().set, small_landmark_options(), run));
  run.seed = 2;
  EXPECT_NE(bytes_of(train_landmarks(made_faces().set, small_landmark_options(), run)), first);
}

// Returns the mean error of the mean shape on the faces that a training held back.
double mean_shape_error(const FaceSet& faces, const LandmarkResult& result) {
  const std::vector<ShapePoint>& mean = result.landmarks.model().mean;
  double sum = 0, count = 0;
  for (const FittedFace& fitted : result.faces) {
    if (!fitted.held_back) continue;
    const TrainingFace& face = faces.faces[fitted.face];
    std::vector<Point> points;
    for (const ShapePoint& at : mean)
      points.push_back({face.box.x + (face.box.width - 1) * static_cast<double>(at.x),
                        face.box.y + (face.box.height - 1) * static_cast<double>(at.y)});
    sum += face_error(points, face.points, *result.landmarks.model().scheme);
    ++count;
  }
  return sum / count;
}

TEST(LandmarkTrainer, ErrorsFallFromStageToStage) {
  LandmarkOptions options = small_landmark_options();
  options.trees = 60;
  options.samples = 20;
  for (const std::size_t points : {std::size_t{5}, std::size_t{7}, std::size_t{68}}) {
    SCOPED_TRACE(points);
    const FaceSet& faces = made_faces(points).set;
    const LandmarkResult result = train_landmarks(faces, options, landmark_run());
    ASSERT_EQ(result.stages.size(), 3u);
    for (std::size_t s = 1; s < 3; ++s) {
      EXPECT_LT(result.stages[s].error, result.stages[s - 1].error);
      EXPECT_LT(result.stages[s].held_back_error, 1.1 * result.stages[s - 1].held_back_error);
    }
    EXPECT_LT(result.stages[2].held_back_error, 0.5 * mean_shape_error(faces, result));
    EXPECT_GT(result.stages[0].seconds, 0);
  }
}

TEST(LandmarkTrainer, ResultsNameEachFaceOnce) {
  const FaceSet& faces = made_faces().set;
  const LandmarkOptions options = small_landmark_options();
  const LandmarkResult result = train_landmarks(faces, options, landmark_run());
  ASSERT_EQ(result.faces.size(), faces.faces.size());
  std::vector<int> seen(faces.faces.size()), held(faces.pictures.size(), -1);
  std::size_t learned = 0, held_pictures = 0;
  double error = 0, held_error = 0;
  for (const FittedFace& face : result.faces) {
    ++seen[face.face];
    learned += face.held_back ? 0 : 1;
    (face.held_back ? held_error : error) += face.error;
    int& picture = held[faces.faces[face.face].picture];
    EXPECT_TRUE(picture == -1 || picture == (face.held_back ? 1 : 0)) << "faces of one picture were parted";
    if (picture == -1 && face.held_back) ++held_pictures;
    picture = face.held_back ? 1 : 0;
  }
  EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));
  EXPECT_EQ(held_pictures, 12u) << "0.3 of 40 pictures";
  EXPECT_EQ(result.samples, learned * static_cast<std::size_t>(options.samples));
  EXPECT_NEAR(error / static_cast<double>(learned), result.stages.back().error, 1e-12);
  EXPECT_NEAR(held_error / static_cast<double>(seen.size() - learned), result.stages.back().held_back_error,
              1e-12);
  EXPECT_EQ(result.landmarks.model().card.kind, "");
}

// The faces of a result lie where a fit of the model puts them.
TEST(LandmarkTrainer, ShapesAreThoseOfAFit) {
  for (const Form& form : forms()) {
    SCOPED_TRACE(form.name);
    const FaceSet& faces = made_faces(form.points).set;
    const LandmarkResult result = train_landmarks(faces, form.options, landmark_run());
    Landmarker landmarker(result.landmarks, landmark_run().machine),
        reference(result.landmarks, landmark_run(BackendKind::kReference).machine);
    for (const FittedFace& fitted : result.faces) {
      const TrainingFace& face = faces.faces[fitted.face];
      const Picture picture = read_picture(faces.pictures[face.picture]);
      const Shape shape = landmarker.fit(picture.view().gray, std::vector<Box>{face.box}).front();
      EXPECT_EQ(reference.fit(picture.view().gray, std::vector<Box>{face.box}).front(), shape);
      ASSERT_EQ(shape.points.size(), fitted.points.size());
      for (std::size_t p = 0; p < shape.points.size(); ++p) {
        EXPECT_EQ(shape.points[p].x, fitted.points[p].x);
        EXPECT_EQ(shape.points[p].y, fitted.points[p].y);
      }
      EXPECT_EQ(fitted.error, face_error(fitted.points, face.points, *result.landmarks.model().scheme));
      ASSERT_EQ(shape.confidence.size(), result.landmarks.model().confidence ? form.points : 0);
      for (const float confidence : shape.confidence)
        EXPECT_TRUE(confidence > 0 && confidence < 1) << confidence;
    }
  }
}

TEST(LandmarkTrainer, WithoutHeldBackFaces) {
  LandmarkOptions options = small_landmark_options();
  options.held_back = 0;
  const LandmarkResult result = train_landmarks(made_faces().set, options, landmark_run());
  for (const LandmarkStage& stage : result.stages) {
    EXPECT_TRUE(std::isnan(stage.held_back_error));
    EXPECT_GT(stage.error, 0);
  }
  EXPECT_FALSE(result.landmarks.model().confidence);
}

TEST(LandmarkTrainer, ConfidenceNeedsFacesAndTrees) {
  LandmarkOptions options = small_landmark_options();
  const auto confidence = [&] {
    return train_landmarks(made_faces().set, options, landmark_run()).landmarks.model().confidence;
  };
  const auto usual = confidence();
  ASSERT_TRUE(usual);
  EXPECT_EQ(usual->trees.trees, 8);
  EXPECT_EQ(usual->slope.size(), 5u);
  for (const float slope : usual->slope) EXPECT_GE(slope, 0);
  options.confidence_trees = 0;
  EXPECT_FALSE(confidence());
  options.confidence_trees = 8;
  options.held_back = 0.1;  // 4 pictures of 40, with 7 faces at most
  EXPECT_FALSE(confidence());
}

TEST(LandmarkTrainer, WithoutAMirrorAllSamplesLieInTheirPictures) {
  // 7 points have no usual mirror, so mirroring changes nothing.
  LandmarkOptions options = small_landmark_options();
  const auto mirrored = bytes_of(train_landmarks(made_faces(7).set, options, landmark_run()));
  options.mirror = false;
  EXPECT_EQ(bytes_of(train_landmarks(made_faces(7).set, options, landmark_run())), mirrored);
  // For 5 points, mirroring changes the model. The usual list, given as an option, gives the same model.
  const auto five = bytes_of(train_landmarks(made_faces().set, options, landmark_run()));
  options.mirror = true;
  const auto usual = bytes_of(train_landmarks(made_faces().set, options, landmark_run()));
  EXPECT_NE(five, usual);
  options.mirrored = {3, 2, 1, 0, 4};
  EXPECT_EQ(bytes_of(train_landmarks(made_faces().set, options, landmark_run())), usual);
}

TEST(LandmarkTrainer, TheModelNamesTheDetector) {
  FaceSet faces = made_faces().set;
  faces.detector = "face";
  LandmarkOptions options = small_landmark_options();
  options.stages = 1;
  const LandmarkModel model = train_landmarks(faces, options, landmark_run()).landmarks.model();
  EXPECT_EQ(model.detector, "face");
  EXPECT_EQ(model.card.kind, "face");
  EXPECT_TRUE(model.turned);
}

// Trains until step number `steps`, or to the end. Returns whether the training reached its end.
bool train_until(int steps, const LandmarkOptions& options, const RunOptions& run, const FaceSet& faces,
                 const std::vector<std::byte>& wanted) {
  int own = 0;
  try {
    const LandmarkResult result = train_landmarks(faces, options, run, [&](const LandmarkStep& step) {
      EXPECT_LT(step.stage, options.stages);
      EXPECT_LE(step.tree, options.trees);
      return ++own < steps;
    });
    if (!result.stopped) {
      EXPECT_EQ(bytes_of(result), wanted);
      EXPECT_EQ(result.stages.size(), static_cast<std::size_t>(options.stages));
      return true;
    }
    EXPECT_FALSE(result.landmarks.model().confidence) << "a part of a model";
    EXPECT_EQ(result.stages.size(), static_cast<std::size_t>(result.landmarks.model().trees.stages));
    EXPECT_EQ(result.faces.size(), faces.faces.size());
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage) << error.what();
    EXPECT_EQ(error.sentence(), "stopped before the first stage was done");
  }
  return false;
}

TEST(LandmarkTrainer, GoesOnAfterAnyBreak) {
  LandmarkOptions options = small_landmark_options();
  options.trees = 4;
  for (const int basis : {6, 0}) {
    options.basis = basis;
    const FaceSet& faces = made_faces().set;
    const auto wanted = bytes_of(train_landmarks(faces, options, landmark_run()));
    // A stage has a step for each tree, and one at its end. Runs change backend, threads and memory.
    for (int steps = 1; steps <= 15; ++steps) {
      const TestFolder folder;
      RunOptions run = landmark_run(steps % 2 == 0 ? BackendKind::kReference : BackendKind::kCpu);
      run.checkpoint = folder.path();
      EXPECT_FALSE(train_until(steps, options, run, faces, wanted)) << steps;
      run = landmark_run(BackendKind::kCpu, 1 + steps % 3);
      run.checkpoint = folder.path();
      run.resume = true;
      run.memory = steps % 2 == 0 ? 1000 : 1 << 30;
      EXPECT_TRUE(train_until(1000, options, run, faces, wanted)) << steps;
      EXPECT_TRUE(train_until(1000, options, run, faces, wanted)) << "a finished training, once more";
    }
    // Each run does a little more than a stage.
    const TestFolder folder;
    RunOptions run = landmark_run();
    run.checkpoint = folder.path();
    run.resume = true;
    int runs = 1;
    while (!train_until(7, options, run, faces, wanted)) ASSERT_LT(++runs, 9);
    EXPECT_EQ(runs, 3);
  }
}

// A training that is killed in a later stage leaves the file of an earlier stage.
TEST(LandmarkTrainer, GoesOnFromTheStateOfAnEarlierStage) {
  const FaceSet& faces = made_faces().set;
  const LandmarkOptions options = small_landmark_options();
  const auto wanted = bytes_of(train_landmarks(faces, options, landmark_run()));
  const TestFolder folder, kept;
  RunOptions run = landmark_run();
  run.checkpoint = folder.path();
  train_landmarks(faces, options, run, [&](const LandmarkStep& step) {
    if (step.stage_done) fs::copy_file(folder.file("stage"), kept.file(std::to_string(step.stage)));
    return true;
  });
  run.resume = true;
  for (const char* stage : {"0", "1", "2"}) {
    fs::copy_file(kept.file(stage), folder.file("stage"), fs::copy_options::overwrite_existing);
    int stages = 0;
    const LandmarkResult result = train_landmarks(faces, options, run, [&](const LandmarkStep& step) {
      stages += step.stage_done ? 1 : 0;
      return true;
    });
    EXPECT_EQ(bytes_of(result), wanted) << stage;
    EXPECT_EQ(stages, 2 - (stage[0] - '0')) << "stages that were done are not done again";
    EXPECT_EQ(result.stages.size(), 3u);
    EXPECT_LT(result.stages[2].error, result.stages[0].error);
  }
}

TEST(LandmarkTrainer, StepsTellHowFarATrainingIs) {
  LandmarkOptions options = small_landmark_options();
  options.trees = 2;
  std::string seen;
  double seconds = 0;
  const LandmarkResult result =
      train_landmarks(made_faces().set, options, landmark_run(), [&](const LandmarkStep& step) {
        seen += std::to_string(step.stage) + (step.stage_done ? "!" : "." + std::to_string(step.tree)) + " ";
        EXPECT_GE(step.seconds, seconds);
        seconds = step.seconds;
        if (step.stage_done) {
          EXPECT_GT(step.so_far.error, 0);
          EXPECT_GT(step.so_far.held_back_error, 0);
        }
        return true;
      });
  EXPECT_EQ(seen, "0.1 0.2 0! 1.1 1.2 1! 2.1 2.2 2! ");
  EXPECT_GE(result.seconds, seconds);
}

}  // namespace
}  // namespace winnow
