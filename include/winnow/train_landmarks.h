// Trains landmarks: cascaded regression trees that mark points and give a confidence for each point.
//
//   winnow::Truth truth = winnow::read_truth("points.csv");
//   winnow::FaceSet faces = winnow::find_faces(truth.pictures);
//   winnow::LandmarkResult result = winnow::train_landmarks(faces, {});
//   result.landmarks.save("face.winnow", winnow::LandmarkFormat::kWinnow);
//
// In:     pictures with points, what to learn, and how to run (`machine.h`).
// Out:    a model, and for each stage the errors on the learned faces and on the held-back faces.
// Exact:  the same faces, options and seed give the same model on every backend. The number of threads, the
//         amount of memory and an interruption do not change it. The training uses the C library's sine,
//         cosine, exp and pow, so another C library may give another model.
// Memory: lists of samples take at most `RunOptions::memory`. Further lists lie in a file in the folder
//         `checkpoint`, or in the system's temporary folder. The backend always keeps in memory a copy
//         of the distances that trees must still learn: 4 bytes for each sample and each number of a leaf.
//         Each thread opens one picture at a time. Arguments are borrowed for the call; results belong to the
//         caller.
// Thread: any number of trainings at once, each in its own folder.
//
// A stage begins with shapes near the faces. It reads pixels around the points of these shapes, and its trees
// learn the remaining distance to the marked points. Each face gives many samples: they begin in boxes that
// differ a little, with shapes of other faces, and some are mirrored.
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
  // The detector whose boxes the model will take: the name or file of a model, or "truth" for the boxes of
  // the labels.
  std::string detector = "face";
  DetectOptions detect;
  // The points to learn, by their numbers in the labels. The model's points have this order. Empty: all
  // points.
  std::vector<int> points;
  // The names of the labels' points (`Truth::point_names`). Empty: they have numbers only.
  std::vector<std::string> names = {};
  // Pictures without faces: folders, lists of names, and pictures. The detector's false alarms in these
  // pictures teach the model's presence (landmarks.h). Pictures with labels are left out.
  std::vector<std::string> negatives;
};

struct TrainingFace {
  std::size_t picture = 0;  // the picture's number in `FaceSet::pictures`
  std::vector<Point> points;
  Box box;
  bool found = true;  // false: the detector missed the face; `box` is where its boxes usually lie
};

// A box that the detector draws where no face is.
struct FalseBox {
  std::size_t picture = 0;  // the picture's number in `FaceSet::negatives`
  Box box;
};

// Pictures with faces, their points, and the boxes of a detector.
struct FaceSet {
  std::string detector;               // the name of a built-in model, or ""
  std::vector<int> points;            // `FaceSetOptions::points`
  std::size_t marked = 0;             // the number of points that the labels have; 0: unknown
  std::vector<std::string> pictures;  // paths
  std::vector<Size> sizes;            // the sizes of the pictures
  std::vector<TrainingFace> faces;
  std::uint64_t hash = 0;  // a hash of the pictures' bytes, for checkpoints
  // The negatives in which the detector has false alarms, their sizes, and the boxes of the false alarms.
  std::vector<std::string> negatives = {};
  std::vector<Size> negative_sizes = {};
  std::vector<FalseBox> false_boxes = {};
  // The names of the learned points. Empty if neither the labels nor the places of their points tell them.
  std::vector<std::string> names = {};
};

// Searches the pictures for the faces that labels with points mark, and gives each face the box that
// `match_faces` (truth.h) finds. A picture that cannot be read is left out, with a note. With "truth", a
// label without a box of its own gets the box around its points.
//
// Negatives are searched as loosely as possible: with a `scale_factor` of 1.05 unless `detect` has a value,
// and each object is taken, however few windows it was merged from. At most 4 false boxes for each face are
// kept; a hash chooses them. If there is no false box, a note says so. Errors:
// - kFormat: fewer than 2 faces are left; the detector misses more than half of them; a list of negatives is
//   no text.
// - kUsage: a box below 2 pixels with "truth"; an entry of `points` that the labels do not have; faces with
//   different numbers of points; negatives with "truth".
// - kIo: a folder or list of negatives that cannot be read.
WINNOW_API FaceSet find_faces(std::span<const LabelledPicture> pictures, const FaceSetOptions& options = {},
                              const MachineOptions& machine = {}, const PackNote& note = {});

// What to learn. The defaults were chosen on faces of HELEN and AFW that the training did not see.
struct LandmarkOptions {
  int stages = 15, trees = 450, depth = 4;  // `trees`: per stage; `depth`: splits on the way to a leaf
  int pixels = 800;                         // pixels that a stage reads
  int splits = 40;                          // number of random splits that are tried at each node
  double rate = 0.1;                        // the fraction of the remaining distance that a tree adds
  double calm = 20;    // makes small leaves add less: a leaf's sum is divided by (its samples + `calm`)
  int samples = 120;   // samples made from each face
  bool mirror = true;  // half of the samples are mirrored, if `mirrored` is known
  // For each learned point: the number of the learned point that it becomes in a mirrored picture. Empty:
  // `learned_scheme` finds the numbers. If it finds none, no sample is mirrored.
  std::vector<int> mirrored;
  // The learned points of the eyes, as "0/1" or "36-41/42-47". "": `learned_scheme` finds them.
  std::string eyes = {};
  double scale_jitter = 0.08, move_jitter = 0.06;  // standard deviations of boxes, as fractions of a side
  double mixed = 0.8;  // the fraction of samples that begin with a mixture of two faces, not the mean shape
  // The largest distance of a pixel from its point in the first and in the last stage, as a fraction of the
  // box.
  double first_radius = 0.3, last_radius = 0.04;
  // How far apart the two pixels of a split usually lie in the first and in the last stage, as a fraction of
  // the box. A pair of pixels is drawn with the weight exp(-distance / closeness).
  double first_closeness = 0.1, last_closeness = 0.03;
  int basis = 32;  // vectors in the basis of a stage (`FixedLeaves::basis`); 0: no basis
  // The fraction of pictures that are held back: trees do not learn from faces that the detector found in
  // those pictures. These faces give the errors in the report and teach the confidence. 0: no confidence.
  double held_back = 0.15;
  int confidence_trees = 60;
  int presence_trees = 300;  // used if the faces have 8 false boxes or more; 0: no presence
};

// What a training takes the points for, and sentences that say where this comes from.
struct LearnedScheme {
  PointScheme scheme;             // no sample is mirrored if `mirrored` is empty
  std::string mirrored_sentence;  // such as "mirrored, 0 and 1, 3 and 4 change places, by their names"
  std::string norm_sentence;      // such as "errors are divided by the distance of the pupils"
};
// Options come first, then names of points, then places that leave no doubt (`known_scheme` in truth.h).
// Without these, the mean face tells pairs if they fit clearly better than all others; eyes then stay
// unknown. kUsage if an option does not fit the points.
WINNOW_API LearnedScheme learned_scheme(const FaceSet& faces, const LandmarkOptions& options = {});

// The errors after a finished stage. Each face is fitted in its own box, from the mean shape. Its error is
// the mean distance of its points, divided by the distance of the pupils. If the scheme has no eyes, the
// divisor is the side of the box around the points.
struct LandmarkStage {
  double error = 0, held_back_error = 0;  // means of learned and of held-back faces (NaN if there are none)
  double seconds = 0;
};

struct LandmarkStep {
  int stage = 0, tree = 0;  // `stage`: from 0; `tree`: number of trees of this stage so far
  bool stage_done = false;
  LandmarkStage so_far;  // filled if `stage_done`
  double seconds = 0;    // since the start; a resumed training adds the seconds of stages finished before
};
// The training thread calls the watcher between steps. If the watcher returns false, the training stops.
// Finished stages are in the checkpoint, if there is one.
using LandmarkWatcher = std::function<bool(const LandmarkStep&)>;

// A face of the training's `FaceSet`, fitted in its own box by the trained model.
struct FittedFace {
  std::size_t face = 0;
  bool held_back = false;
  double error = 0;  // measured as in `LandmarkStage`
  std::vector<Point> points;
};

// How well presence tells held-back faces from false boxes. A box is kept if its presence is at least 0.5.
// The trees that judge a box did not learn from its picture.
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
  LearnedScheme scheme = {};              // what the points were taken for
  bool stopped = false;  // by the watcher: the model then has the finished stages, and no confidence
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

// One self-contained page of HTML with the errors by stage, the distribution of errors, and the worst faces.
// Opens the pictures of the worst faces again.
WINNOW_API std::string training_page(const FaceSet& faces, const LandmarkOptions& options,
                                     const RunOptions& run, const LandmarkResult& result);

}  // namespace winnow
