// Trains landmarks: cascaded regression trees that mark points, and how sure they are of each point.
//
//   winnow::Truth truth = winnow::read_truth("points.csv");
//   winnow::FaceSet faces = winnow::find_faces(truth.pictures);
//   winnow::LandmarkResult result = winnow::train_landmarks(faces, {});
//   result.landmarks.save("face.winnow", winnow::LandmarkFormat::kWinnow);
//
// In:     pictures with points, what to learn, and how to run (`machine.h`).
// Out:    a model, and for each stage the errors on faces of the training and on faces that were held back.
// Exact:  the same faces, options and seed give the same model on every backend. The number of threads, the
//         amount of memory and a break do not change it. Draws take the C library's sine, cosine, exp and
//         pow.
// Memory: lists of samples take at most `RunOptions::memory`. Lists beyond lie in a file of the folder
//         `checkpoint`, or of the system's folder for such files. A backend's copy of what is left to learn,
//         4 bytes for each number of a leaf and sample, always lies in memory. One picture a thread is open
//         at a time. Arguments are borrowed for the call; results belong to the caller.
// Thread: any number of trainings at once, each in its own folder.
//
// A stage begins with shapes near the faces. It reads pixels around the points, and its trees learn what is
// still missing. Each face gives many samples: in boxes that differ a little, from shapes of other faces, and
// mirrored.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <winnow/box.h>
#include <winnow/detector.h>
#include <winnow/export.h>
#include <winnow/landmarks.h>
#include <winnow/machine.h>
#include <winnow/pack.h>
#include <winnow/truth.h>

namespace winnow {

struct FaceSetOptions {
  // The detector whose boxes the model will get: the name or file of a model, or "truth" for the boxes of
  // the labels.
  std::string detector = "face";
  DetectOptions detect;
  // The points that are learned, by their numbers in the truth, in the model's order. Empty: all points.
  std::vector<int> points;
  // Pictures without faces: folders, lists of names, and pictures. False alarms of the detector in them teach
  // the model's presence (landmarks.h).
  std::vector<std::string> negatives;
};

struct TrainingFace {
  std::size_t picture = 0;
  std::vector<Point> points;
  Box box;
  bool found = true;  // false: the detector missed the face, and the box is where its boxes usually lie
};

// A box that the detector draws where no face is.
struct FalseBox {
  std::size_t picture = 0;  // the number of the negative
  Box box;
};

// Pictures with faces, their points, and the boxes of a detector.
struct FaceSet {
  std::string detector;               // the name of a built-in model, or ""
  std::vector<int> points;            // `FaceSetOptions::points`
  std::size_t marked = 0;             // the number of points that the labels have; 0: unknown
  std::vector<std::string> pictures;  // paths
  std::vector<Size> sizes;            // of the pictures
  std::vector<TrainingFace> faces;
  std::uint64_t hash = 0;  // of the pictures' bytes, for checkpoints
  // Pictures without faces in which the detector has false alarms, their sizes, and the false alarms.
  std::vector<std::string> negatives = {};
  std::vector<Size> negative_sizes = {};
  std::vector<FalseBox> false_boxes = {};
};

// Searches the pictures for the faces that labels with points mark, and gives each the box that `match_faces`
// (truth.h) finds. A picture that cannot be read is left out, with a note. With "truth", a label without a box
// of its own gets the box around its points.
//
// Negatives are searched as loosely as possible: in steps of 1.05 unless `detect` says otherwise, and each
// object is taken, however few windows support it. At most 4 false boxes for each face are kept; a hash draws
// them. A note says so if there is none. Errors:
// - kFormat: fewer than 2 faces are left, or none is found; a list of negatives is no text.
// - kUsage: a box below 2 pixels with "truth"; a number of `points` beyond those of the labels; faces with
//   different counts; negatives with "truth".
// - kIo: a folder or list of negatives that cannot be read.
WINNOW_API FaceSet find_faces(std::span<const LabelledPicture> pictures, const FaceSetOptions& options = {},
                              const MachineOptions& machine = {}, const PackNote& note = {});

// What to learn. The defaults were chosen on faces of HELEN and AFW that the training did not see.
struct LandmarkOptions {
  int stages = 15, trees = 450, depth = 4;  // trees of a stage; splits on the way to a leaf
  int pixels = 800;                         // pixels that a stage reads
  int splits = 40;                          // splits that are tried at each node, drawn at random
  double rate = 0.1;                        // a tree takes away this fraction of what is missing
  double calm = 20;    // leaves of few samples add less: as if so many samples more had nothing missing
  int samples = 120;   // of each face
  bool mirror = true;  // half of the samples are mirrored, if `mirrored` is known
  // For each learned point the number of the learned point that it becomes in a mirrored picture. Empty: the
  // usual numbers of 68 points, of points chosen from 68, and of `kFiveOf68`. Without numbers no sample is
  // mirrored.
  std::vector<int> mirrored;
  double scale_jitter = 0.08, move_jitter = 0.06;  // of boxes: standard deviations, as fractions of a side
  double mixed = 0.8;  // the fraction of samples that begin with a mixture of two faces, not the mean shape
  // Pixels lie within this distance of a point, as a fraction of the box: in the first and the last stage.
  double first_radius = 0.3, last_radius = 0.04;
  // How far apart the two pixels of a split usually lie, as a fraction of the box: in the first and the last
  // stage. The weight of a pair is exp(-distance / closeness).
  double first_closeness = 0.1, last_closeness = 0.03;
  int basis = 32;  // vectors of a stage that leaves hold numbers of (landmarks.h); 0: leaves of coordinates
  // The fraction of pictures whose faces, if found, trees do not learn from. They give the errors in the report and teach the
  // confidence. 0: no confidence.
  double held_back = 0.15;
  int confidence_trees = 60;
  int presence_trees = 300;  // used if the faces have 8 false boxes or more; 0: no presence
};

// What a finished stage gives, for faces in their own boxes, from the mean shape. An error is the mean
// distance of points over the distance of the pupils. For neither 68 nor 5 points it is over the side of the
// box around the points.
struct LandmarkStage {
  double error = 0, held_back_error = 0;  // of learned and of held-back faces (NaN if there are none)
  double seconds = 0;
};

struct LandmarkStep {
  int stage = 0, tree = 0;  // from 0; trees of the stage so far
  bool stage_done = false;
  LandmarkStage so_far;  // of a finished stage
  double seconds = 0;    // since the start; a resumed training adds the seconds of stages finished before
};
// The training thread calls the watcher between steps. If the watcher returns false, the training stops.
// Finished stages are in the checkpoint, if there is one.
using LandmarkWatcher = std::function<bool(const LandmarkStep&)>;

// A face of the set after the training, in its own box.
struct FittedFace {
  std::size_t face = 0;
  bool held_back = false;
  double error = 0;  // as in `LandmarkStage`
  std::vector<Point> points;
};

// How presence tells held-back faces from false boxes, at a bound of 0.5. Trees that judge a box did not
// learn from its picture.
struct PresenceCheck {
  std::size_t faces = 0, kept_faces = 0;
  std::size_t false_boxes = 0, kept_false_boxes = 0;
};

struct LandmarkResult {
  Landmarks landmarks;
  std::vector<LandmarkStage> stages;
  std::vector<FittedFace> faces;
  std::size_t samples = 0;
  std::optional<PresenceCheck> presence;  // none if the model has no presence
  bool stopped = false;  // by the watcher: the model has the finished stages, and no confidence
  std::string backend;
  double seconds = 0;
};

// A backend on devices uses the first of the machine's devices. Errors:
// - kUsage: options or faces that make no sense; no face left to learn from; a stop by the watcher before the
//   first stage is done.
// - kFormat: a damaged checkpoint or picture.
// - kLimit: more than 4 million samples; a model with more leaves than a file may hold.
// - kIo: a picture that cannot be read any more; a file that cannot be written.
WINNOW_API LandmarkResult train_landmarks(const FaceSet& faces, const LandmarkOptions& options,
                                          const RunOptions& run = {}, const LandmarkWatcher& watcher = {});
// Throws the errors of `train_landmarks` that depend on options alone.
WINNOW_API void check_training(const LandmarkOptions& options, const RunOptions& run);

// One self-contained page of HTML: errors by stage, the distribution of errors, the worst faces. Opens the
// pictures of the worst faces again.
WINNOW_API std::string training_page(const FaceSet& faces, const LandmarkOptions& options,
                                     const RunOptions& run, const LandmarkResult& result);

}  // namespace winnow
