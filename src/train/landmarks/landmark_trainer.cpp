// Trains landmarks stage by stage, and keeps their state, as winnow/train_landmarks.h declares; its opening
// comment holds here.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <numeric>
#include <optional>

#include <winnow/error.h>
#include <winnow/train_landmarks.h>

#include "backend/backend.h"
#include "base/random.h"
#include "base/simd.h"
#include "model/landmarks/landmark_model.h"
#include "shape/shape_learner.h"
#include "train/checkpoint.h"
#include "train/landmarks/far_points.h"
#include "train/landmarks/landmark_options.h"
#include "train/landmarks/landmark_samples.h"
#include "train/landmarks/point_confidence.h"
#include "train/landmarks/presence.h"
#include "train/landmarks/stage_learner.h"
#include "train/options.h"
#include "train/rounds.h"
#include "train/state_file.h"

namespace winnow {
namespace {

constexpr std::uint64_t kMagic = 0x314b52414d444e4c;  // "LNDMARK1"
constexpr std::uint64_t kBoxes = 1, kStarts = 2, kHeldBack = 3, kConfidence = 4;
// A held-back face gives at most this many samples. More would add little, because samples of a face differ
// less than faces do.
constexpr int kMostHeldBackSamples = 20;

// The numbers of the faces that trees learn from, and of those that are held back. All found faces of a
// picture are in the same list. A face that the detector missed is never held back, because a user would get
// no points for it.
struct Halves {
  std::vector<std::uint32_t> learned, held_back;
};

Halves part_faces(const FaceSet& faces, double held_back, std::uint64_t seed) {
  std::vector<std::size_t> order(faces.pictures.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return hash(seed, kHeldBack, a) < hash(seed, kHeldBack, b);
  });
  const auto count = static_cast<std::size_t>(held_back * static_cast<double>(order.size()));
  std::vector<std::uint8_t> is_held(order.size(), 0);
  for (std::size_t i = 0; i < count; ++i) is_held[order[i]] = 1;
  Halves halves;
  for (std::size_t f = 0; f < faces.faces.size(); ++f)
    (is_held[faces.faces[f].picture] != 0 && faces.faces[f].found ? halves.held_back : halves.learned)
        .push_back(static_cast<std::uint32_t>(f));
  return halves;
}

void check_faces(const FaceSet& faces) {
  if (faces.faces.size() < 2) refuse("landmarks are learned from 2 faces or more");
  if (faces.sizes.size() != faces.pictures.size() ||
      std::any_of(faces.sizes.begin(), faces.sizes.end(),
                  [](Size size) { return size.width < 1 || size.height < 1; }))
    refuse("each picture of the faces needs a size");
  const std::size_t points = faces.faces.front().points.size();
  if (points < 1 || points > kMaxPoints) refuse("a face must have 1 to 512 points");
  std::size_t before = 0;
  for (const TrainingFace& face : faces.faces) {
    if (face.points.size() != points) refuse("all faces must have the same number of points");
    if (face.picture >= faces.pictures.size() || face.picture < before)
      refuse("faces must stand in the order of their pictures");
    if (face.box.width < 2 || face.box.height < 2) refuse("a face's box must be 2 pixels wide and high");
    if (is_far(face.points)) refuse("a face has a point that lies in no picture");
    before = face.picture;
  }
}

void check_negatives(const FaceSet& faces) {
  if (faces.negative_sizes.size() != faces.negatives.size() ||
      std::any_of(faces.negative_sizes.begin(), faces.negative_sizes.end(),
                  [](Size size) { return size.width < 1 || size.height < 1; }))
    refuse("each negative needs a size");
  std::size_t before = 0;
  for (const FalseBox& each : faces.false_boxes) {
    if (each.picture >= faces.negatives.size() || each.picture < before)
      refuse("false boxes must stand in the order of their negatives");
    if (each.box.width < 2 || each.box.height < 2) refuse("a false box must be 2 pixels wide and high");
    before = each.picture;
  }
}

std::uint64_t fingerprint(const FaceSet& faces, const LandmarkOptions& o, const PointScheme& scheme,
                          std::uint64_t seed) {
  std::uint64_t key = hash(faces.hash, seed, faces.faces.size());
  for (const TrainingFace& face : faces.faces) {
    key = hash(key, face.picture, face.box.x, face.box.y, face.box.width, face.box.height, face.found,
               faces.sizes[face.picture].width, faces.sizes[face.picture].height);
    key = hash_bytes(std::as_bytes(std::span(face.points)), key);
  }
  const double reals[] = {o.rate,         o.calm,        o.scale_jitter,    o.move_jitter,    o.mixed,
                          o.first_radius, o.last_radius, o.first_closeness, o.last_closeness, o.held_back};
  key = hash_bytes(std::as_bytes(std::span(reals)), key);
  for (const auto* list : {&scheme.mirrored, &scheme.left_eye, &scheme.right_eye})
    key = hash_bytes(std::as_bytes(std::span(*list)), hash(key, list->size()));
  for (const std::string& name : scheme.names) key = hash_bytes(std::as_bytes(std::span(name)), key);
  return hash(key, o.stages, o.trees, o.depth, o.pixels, o.splits, o.samples, o.mirror, o.basis);
}

class LandmarkTrainer {
 public:
  LandmarkTrainer(const FaceSet& faces, const LandmarkOptions& options, const RunOptions& run,
                  const LandmarkWatcher& watcher)
      : faces_(faces),
        options_(options),
        run_(run),
        watcher_(watcher),
        backend_(find_backend(run.machine.backend, kLandmarkKind)),
        threads_(backend_.threads(run.machine.threads)),
        learned_(learned_scheme(faces, options)),
        scheme_(learned_.scheme),
        mirrored_(scheme_.mirrored.begin(), scheme_.mirrored.end()),
        memory_(run.memory, run.checkpoint),
        halves_(part_faces(faces, options.held_back, run.seed)),
        samples_(faces, mirrored_, halves_.learned, options.samples),
        held_back_(faces, mirrored_, halves_.held_back, std::min(options.samples, kMostHeldBackSamples)),
        learner_(make_shape_learner(backend_, {threads_, run.machine.devices})) {
    if (halves_.learned.empty()) refuse("no face is left to learn from; hold back fewer");
    const std::size_t leaves =
        (static_cast<std::size_t>(options.stages) * static_cast<std::size_t>(options.trees)) << options.depth;
    if (leaves * leaf_values(options, samples_.points()) > kMaxLeafNumbers)
      throw Error(ErrorCode::kLimit, "the leaves of the model would hold more than " +
                                         std::to_string(kMaxLeafNumbers) + " numbers");
    if (halves_.learned.size() * static_cast<std::size_t>(options.samples) > std::size_t{kMostSamples})
      throw Error(ErrorCode::kLimit, "more than " + std::to_string(kMostSamples) + " samples");
  }

  LandmarkResult train() {
    begin();
    StageLearner stage_learner(samples_, options_, mean_, *learner_, threads_, run_.seed, memory_);
    while (stage() < options_.stages && !stopped_) {
      const auto start = std::chrono::steady_clock::now();
      if (!stage_learner.learn(stage(), model_, [&](int trees) { return notify(trees, {}); })) break;
      finish_stage(start);
    }
    if (stages_.empty()) throw Error(ErrorCode::kUsage, "stopped before the first stage was done");
    std::optional<PresenceCheck> presence;
    if (!stopped_) {
      const std::uint64_t seed = hash(run_.seed, kConfidence);
      model_.confidence = learn_confidence(faces_, scheme_, options_, held_back_, mean_, model_.mean,
                                           *learner_, threads_, seed);
      presence = learn_presence({faces_, options_, as_used(2), mirrored_, halves_.held_back, mean_, *learner_,
                                 threads_, seed, memory_},
                                model_);
    }
    LandmarkResult result{Landmarks(model_), stages_,       {},       samples_.count(), presence, learned_,
                          stopped_,          backend_.name, seconds()};
    put_faces(samples_, false, result.faces);
    put_faces(held_back_, true, result.faces);
    return result;
  }

 private:
  int stage() const { return static_cast<int>(stages_.size()); }
  double seconds() const { return seconds_before_ + seconds_since(start_); }
  // Returns options for samples that begin like a user's fit: with the mean shape, in boxes near the
  // detector's. The jitter of boxes is divided by `parts`.
  LandmarkOptions as_used(double parts) const {
    LandmarkOptions options = options_;
    options.mixed = 0;
    options.scale_jitter /= parts;
    options.move_jitter /= parts;
    return options;
  }
  std::string path() const { return (std::filesystem::path(run_.checkpoint) / "stage").string(); }

  bool notify(int trees, const std::optional<LandmarkStage>& done) {
    if (!watcher_) return true;
    LandmarkStep step;
    step.stage = done ? stage() - 1 : stage();
    step.tree = trees;
    step.stage_done = done.has_value();
    if (done) step.so_far = *done;
    step.seconds = seconds();
    if (!watcher_(step)) stopped_ = true;
    return !stopped_;
  }

  // Makes the samples. If the checkpoint has stages, these stages move the shapes of the samples.
  void begin() {
    if (!run_.checkpoint.empty()) make_state_folder(run_.checkpoint);
    model_.mean = mean_shape(faces_, mirrored_, halves_.learned);
    model_.detector = faces_.detector;
    model_.turned = true;
    model_.scheme = scheme_;
    if (faces_.detector == "face") model_.card.kind = "face";
    mean_ = fixed_mean_of(model_.mean);
    samples_.draw_boxes(options_, hash(run_.seed, kBoxes));
    samples_.draw_starts(options_, hash(run_.seed, kStarts), mean_, memory_);
    held_back_.draw_boxes(as_used(4), hash(run_.seed, kBoxes));
    held_back_.draw_starts(as_used(4), hash(run_.seed, kStarts), mean_, memory_);
    if (!run_.checkpoint.empty() && is_state_file(path())) {
      if (!run_.resume)
        refuse("the folder " + run_.checkpoint +
               " holds the state of a training; resume it, or take another");
      load();
    }
    if (stages_.empty()) return;
    const ShapeProgram program(model_);
    for (int i = 0; i < stage(); ++i) {
      move_by_stage(samples_, program, i, threads_);
      move_by_stage(held_back_, program, i, threads_);
    }
  }

  void finish_stage(std::chrono::steady_clock::time_point start) {
    move_by_stage(held_back_, ShapeProgram(model_), stage(), threads_);
    LandmarkStage done;
    done.error = samples_.mean_error(scheme_);
    done.held_back_error =
        halves_.held_back.empty() ? std::numeric_limits<double>::quiet_NaN() : held_back_.mean_error(scheme_);
    done.seconds = seconds_since(start);
    stages_.push_back(done);
    save();
    notify(options_.trees, done);
  }

  void save() const {
    if (run_.checkpoint.empty()) return;
    StateWriter out;
    out.put(kMagic);
    out.put(fingerprint(faces_, options_, scheme_, run_.seed));
    out.put_list(Landmarks(model_).to_bytes(LandmarkFormat::kWinnow));
    out.put(static_cast<std::uint64_t>(stages_.size()));
    for (const LandmarkStage& each : stages_) {
      out.put(each.error);
      out.put(each.held_back_error);
      out.put(each.seconds);
    }
    out.put(seconds());
    out.write(path());
  }

  void load() {
    StateReader in(path());
    if (in.get<std::uint64_t>() != kMagic) in.fail("another version wrote it, or something else");
    if (in.get<std::uint64_t>() != fingerprint(faces_, options_, scheme_, run_.seed))
      refuse_other_state(path());
    const LandmarkModel model = Landmarks::parse(in.get_list<std::byte>(), path()).model();
    const std::size_t count = in.get_count(3 * sizeof(double));
    for (std::size_t i = 0; i < count; ++i) {
      LandmarkStage& each = stages_.emplace_back();
      each.error = in.get<double>();
      each.held_back_error = in.get<double>();
      each.seconds = in.get<double>();
    }
    seconds_before_ = in.get<double>();
    if (stages_.empty() || stage() > options_.stages || model.trees.stages != stage() ||
        model.mean != model_.mean || !model.turned || model.trees.trees != options_.trees ||
        model.trees.depth != options_.depth || model.trees.pixels != options_.pixels ||
        static_cast<std::size_t>(model.fixed_leaves.values) != leaf_values(options_, samples_.points()) ||
        model.fixed_leaves.basis.empty() == has_basis(options_, samples_.points()) || model.confidence ||
        model.detector != model_.detector)
      in.fail("it makes no sense");
    model_.trees = model.trees;
    model_.fixed_leaves = model.fixed_leaves;
  }

  void put_faces(const LandmarkSamples& samples, bool held_back, std::vector<FittedFace>& faces) const {
    for (std::size_t i = 0; i < samples.count(); i += static_cast<std::size_t>(samples.per_face())) {
      FittedFace face;
      face.face = samples[i].face;
      face.held_back = held_back;
      face.points = samples.points_of(i);
      face.error = face_error(face.points, faces_.faces[face.face].points, scheme_);
      faces.push_back(std::move(face));
    }
  }

  const FaceSet& faces_;
  const LandmarkOptions options_;
  const RunOptions run_;
  const LandmarkWatcher& watcher_;
  const BackendTable& backend_;
  int threads_;
  LearnedScheme learned_;
  PointScheme scheme_;
  std::vector<std::size_t> mirrored_;
  SampleMemory memory_;
  Halves halves_;
  LandmarkSamples samples_, held_back_;
  std::unique_ptr<ShapeLearner> learner_;
  FixedMean mean_;
  LandmarkModel model_;
  std::vector<LandmarkStage> stages_;
  bool stopped_ = false;
  double seconds_before_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

LandmarkResult train_landmarks(const FaceSet& faces, const LandmarkOptions& options, const RunOptions& run,
                               const LandmarkWatcher& watcher) {
  check_training(options, run);
  check_faces(faces);
  check_negatives(faces);
  simd_target();  // reads WINNOW_SIMD before the first dispatch
  return LandmarkTrainer(faces, options, run, watcher).train();
}

}  // namespace winnow
