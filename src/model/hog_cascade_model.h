// Reads and checks cascades of HOG blocks.
//
// In:     hostile bytes, or plain data.
// Out:    models, or an `Error` that names the stage or the value.
// Exact:  numbers are those of the file, as `winnow_file.h` says.
// Memory: results belong to the caller. References that a body returns live as long as the body.
// Thread: any.
#pragma once

#include <winnow/hog_cascade.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/hog_model.h"
#include "model/model_body.h"
#include "model/model_kinds.h"

namespace winnow {

inline const std::string kHogCascadeKind = "hog-cascade";

inline constexpr std::size_t kMaxHogStages = 16384;

void check_hog_cascade(const HogCascadeModel& model);

// The caller checks the model. `name` goes on the model's card if the file has no name.
HogCascadeModel read_hog_cascade(std::span<const std::byte> bytes, const std::string& name);

class HogCascadeBody final : public DetectorBody {
 public:
  explicit HogCascadeBody(std::shared_ptr<const HogCascadeModel> model);
  const std::string& kind() const override { return kHogCascadeKind; }
  const ModelCard& card() const override { return model_->card; }
  const std::vector<std::string>& notes() const override { return model_->notes; }
  std::string holds() const override;
  std::shared_ptr<const ModelBody> with_card(const ModelCard& card) const override;
  Size window() const override { return model_->window; }
  const PlanRules& plan_rules() const override { return rules_; }
  const std::shared_ptr<const HogCascadeModel>& model() const { return model_; }

 private:
  std::shared_ptr<const HogCascadeModel> model_;
  PlanRules rules_;
};

ModelKind hog_cascade_kind();

}  // namespace winnow
