// Reads and checks models of landmarks.
//
// In:     hostile bytes, or plain data.
// Out:    models, or an `Error` that names the place or the value.
// Exact:  numbers are those of the file.
// Memory: results belong to the caller. References that a body returns live as long as the body.
// Thread: any.
//
// After `check_landmarks` a reader of the model needs no further checks: lists have the lengths that the
// counts ask for, numbers of points and pixels are in range, floats are finite, and no sum of fixed-point
// leaves overflows 32 bits.
#pragma once

#include <winnow/landmarks.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/model_body.h"
#include "model/model_kinds.h"

namespace winnow {

inline const std::string kLandmarkKind = "landmarks";

inline constexpr std::size_t kMaxPoints = 512;
inline constexpr std::int32_t kMaxShapeStages = 256, kMaxStageTrees = 65'535, kMaxStagePixels = 16'384,
                              kMaxTreeDepth = 8, kMaxUnitBits = 40;
inline constexpr std::size_t kMaxLeafNumbers = std::size_t{1} << 26;

// The limit for the trees of a stage times the numbers in a leaf, in models with a basis. Within the limit a
// double holds each sum of a stage exactly.
inline constexpr std::size_t kMaxBasisNumbers = std::size_t{1} << 22;

// Bounds of numbers in a file. Pixels differ by at most 255, so no useful threshold is out of bounds.
inline constexpr float kMaxCoordinate = 100, kMaxLeaf = 1e6F, kMaxThreshold = 1e6F;
// Bounds of fixed-point models.
inline constexpr float kMaxFixedCoordinate = 4, kMaxFixedThreshold = 256;

// Where a box of dlib's face detector lies in a box of the built-in detector `face`. The numbers are medians
// over 600 faces of HELEN and AFW, measured with the mean shape of dlib's 68-point file.
inline constexpr BoxPlace kDlibInFace{1.08, 0.02, 0.055};

void check_landmarks(const LandmarkModel& model);

// Whether the bytes are a file of landmarks, in any form that `read_landmarks` reads.
bool is_landmarks(std::span<const std::byte> bytes);
// `name` goes on the model's card if the bytes hold no name. The caller checks the model.
LandmarkModel read_landmarks(std::span<const std::byte> bytes, const std::string& name);

// Returns the model with leaves of 16 bits, as `Landmarks::with_16_bits` does.
LandmarkModel with_fixed_leaves(const LandmarkModel& model);

class LandmarkBody final : public ModelBody {
 public:
  explicit LandmarkBody(std::shared_ptr<const LandmarkModel> model) : model_(std::move(model)) {}
  const std::string& kind() const override { return kLandmarkKind; }
  const ModelCard& card() const override { return model_->card; }
  const std::vector<std::string>& notes() const override { return model_->notes; }
  std::string does() const override;
  std::string holds() const override;
  std::shared_ptr<const ModelBody> with_card(const ModelCard& card) const override;
  const std::shared_ptr<const LandmarkModel>& model() const { return model_; }

 private:
  std::shared_ptr<const LandmarkModel> model_;
};

ModelKind landmark_kind();

}  // namespace winnow
