#include "train/landmarks/presence.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/random.h"
#include "shape/shape_program.h"
#include "train/landmarks/confidence_trees.h"
#include "train/landmarks/point_confidence.h"
#include "train/landmarks/stage_learner.h"

namespace winnow {
namespace {

constexpr std::uint64_t kBoxes = 0x70626f78, kTrees = 0x70747265;
constexpr int kSamples = 8;    // samples for each face or false box
constexpr int kGoalBits = 16;  // finer than kConfidenceBits, because leaves of few samples are small

// Returns the false boxes in the form of faces. Their points only fill the form.
FaceSet false_faces(const FaceSet& faces) {
  FaceSet set;
  set.pictures = faces.negatives;
  set.sizes = faces.negative_sizes;
  for (const FalseBox& box : faces.false_boxes)
    set.faces.push_back({box.picture, faces.faces.front().points, box.box, true});
  return set;
}

std::vector<std::uint32_t> all_of(const FaceSet& faces) {
  std::vector<std::uint32_t> all(faces.faces.size());
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

// Samples of faces, then samples of false boxes.
class PresenceSamples {
 public:
  PresenceSamples(const PresenceWork& work, const LandmarkModel& model)
      : work_(work),
        false_set_(false_faces(work.faces)),
        faces_(work.faces, work.mirrored, all_of(work.faces), kSamples),
        false_(false_set_, work.mirrored, all_of(false_set_), kSamples) {
    const ShapeProgram program(model);
    for (LandmarkSamples* samples : {&faces_, &false_}) {
      samples->draw_boxes(work.as_used, hash(work.seed, kBoxes));
      samples->draw_starts(work.as_used, hash(work.seed, kBoxes), work.mean, work.memory);
      for (int stage = 0; stage < program.trees.stages; ++stage)
        move_by_stage(*samples, program, stage, work.threads);
    }
  }

  std::size_t count() const { return faces_.count() + false_.count(); }
  bool is_face(std::size_t i) const { return i < faces_.count(); }
  bool is_first(std::size_t i) const { return i % kSamples == 0; }
  std::uint32_t face(std::size_t i) const { return faces_[i].face; }
  // All samples of a picture are in the same half, because they are alike.
  std::size_t half(std::size_t i) const {
    return is_face(i) ? work_.faces.faces[faces_[i].face].picture % 2
                      : false_set_.faces[false_[i - faces_.count()].face].picture % 2;
  }

  JudgedSamples judged(const StagePixels& pixels) const {
    const std::size_t rows = pixels.list.size();
    JudgedSamples all{count(), 1, std::vector<std::uint8_t>(rows * count()), {}};
    for (const LandmarkSamples* samples : {&faces_, &false_}) {
      std::vector<std::uint8_t> own(rows * samples->count());
      gather_pixels(*samples, work_.mean, pixels, work_.threads, own.data());
      const std::size_t first = all.right.size();
      for (std::size_t row = 0; row < rows; ++row)
        std::copy_n(own.data() + row * samples->count(), samples->count(),
                    all.matrix.data() + row * count() + first);
      all.right.resize(first + samples->count(), samples == &faces_);
    }
    return all;
  }

 private:
  const PresenceWork& work_;
  FaceSet false_set_;
  LandmarkSamples faces_, false_;
};

// Adds presence to a confidence, as one more number behind the points. The trees of the points get 0 for
// presence, and the trees of presence get 0 for the points.
void append(const std::vector<GrownTree>& trees, const ConfidenceCurve& curve, PointConfidence& confidence) {
  const auto points = static_cast<std::size_t>(confidence.leaves.values);
  std::vector<std::int16_t> numbers;
  for (std::size_t at = 0; at < confidence.leaves.numbers.size(); ++at) {
    numbers.push_back(confidence.leaves.numbers[at]);
    if (at % points == points - 1) numbers.push_back(0);
  }
  for (const GrownTree& tree : trees) {
    for (const VisitSplit& split : tree.splits) confidence.trees.splits.push_back(model_split(split));
    for (const std::int16_t leaf : tree.leaves) {
      numbers.insert(numbers.end(), points, 0);
      numbers.push_back(leaf);
    }
  }
  confidence.trees.trees += static_cast<std::int32_t>(trees.size());
  confidence.leaves.values += 1;
  confidence.leaves.numbers = std::move(numbers);
  confidence.slope.push_back(static_cast<float>(curve.slope));
  confidence.shift.push_back(static_cast<float>(curve.shift));
}

}  // namespace

std::optional<PresenceCheck> learn_presence(const PresenceWork& work, LandmarkModel& model) {
  if (!model.confidence || work.options.presence_trees == 0 ||
      work.faces.false_boxes.size() < kLeastFalseBoxes)
    return std::nullopt;
  const PresenceSamples samples(work, model);
  std::vector<std::size_t> all, halves[2];
  bool has[2][2] = {};  // for each half: whether it has false boxes, whether it has faces
  for (std::size_t i = 0; i < samples.count(); ++i) {
    all.push_back(i);
    halves[samples.half(i)].push_back(i);
    has[samples.half(i)][samples.is_face(i) ? 1 : 0] = true;
  }
  if (!(has[0][0] && has[0][1] && has[1][0] && has[1][1])) return std::nullopt;
  const StagePixels pixels = confidence_pixels(model.mean, work.options, work.seed);
  const ConfidenceTrees own(work.options, work.options.presence_trees, kGoalBits, kSamples, pixels,
                            samples.judged(pixels), work.learner, hash(work.seed, kTrees));

  std::vector<double> sums;
  std::vector<bool> right, first;
  for (int half = 0; half < 2; ++half) {
    const std::vector<GrownTree> trees = own.teach(halves[half]);
    for (const std::size_t i : halves[1 - half]) {
      // The stages fit the faces they learned from too well, so the curve leaves these faces out.
      if (samples.is_face(i) &&
          !std::binary_search(work.held_back.begin(), work.held_back.end(), samples.face(i)))
        continue;
      std::int64_t sum = 0;
      own.ask(trees, i, &sum);
      sums.push_back(std::ldexp(static_cast<double>(sum), -kConfidenceBits));
      right.push_back(samples.is_face(i));
      first.push_back(samples.is_first(i));
    }
  }
  const auto faces = static_cast<double>(work.held_back.size());
  const double of_all = faces / static_cast<double>(work.faces.false_boxes.size());
  const ConfidenceCurve curve = fit_curve(sums, right, 1.0 / kSamples, of_all / kSamples);
  append(own.teach(all), curve, *model.confidence);

  PresenceCheck check;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (!first[i]) continue;
    const bool kept = curve.slope * sums[i] + curve.shift >= 0;
    ++(right[i] ? check.faces : check.false_boxes);
    if (kept) ++(right[i] ? check.kept_faces : check.kept_false_boxes);
  }
  return check;
}

}  // namespace winnow
