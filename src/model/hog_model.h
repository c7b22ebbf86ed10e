// Reads and checks models of histograms of oriented gradients.
//
// In:     hostile bytes, or plain data.
// Out:    models, or an `Error` that names the line, the place or the value.
// Exact:  numbers are those of the file, as `hog_storage.h` and `winnow_file.h` say.
// Memory: results belong to the caller. References that a body returns live as long as the body.
// Thread: any.
#pragma once

#include <winnow/hog.h>

#include <memory>
#include <span>
#include <string>

#include "model/model_body.h"
#include "model/model_kinds.h"

namespace winnow {

inline const std::string kHogSvmKind = "hog-svm";

// Limits of a shape. They bound the cost of a block and of a window.
inline constexpr int kMaxHogBins = 512, kMaxHogBlockValues = 4096;
inline constexpr std::size_t kMaxHogValues = std::size_t{1} << 20;

void check_hog_svm(const HogSvmModel& model);

// Whether the bytes are a file of a linear SVM over HOG, in any form that `read_hog_svm` reads.
bool is_hog_svm(std::span<const std::byte> bytes);
// `name` goes on the model's card if the bytes hold no name. The caller checks the model.
HogSvmModel read_hog_svm(std::span<const std::byte> bytes, const std::string& name);
class HogSvmBody final : public DetectorBody {
 public:
  static PlanRules rules_of(const HogShape& shape);
  explicit HogSvmBody(std::shared_ptr<const HogSvmModel> model);
  const std::string& kind() const override { return kHogSvmKind; }
  const ModelCard& card() const override { return model_->card; }
  const std::vector<std::string>& notes() const override { return model_->notes; }
  std::string holds() const override;
  std::shared_ptr<const ModelBody> with_card(const ModelCard& card) const override;
  Size window() const override { return model_->shape.window; }
  const PlanRules& plan_rules() const override { return rules_; }
  bool reads_color() const override { return true; }
  // OpenCV's defaults of HOGDescriptor::detectMultiScale.
  const SearchDefaults& kind_defaults() const override {
    static constexpr SearchDefaults kOpenCvHog{.scale_factor = 1.05, .min_neighbors = 2, .min_score = 0};
    return kOpenCvHog;
  }
  const std::shared_ptr<const HogSvmModel>& model() const { return model_; }

 private:
  std::shared_ptr<const HogSvmModel> model_;
  PlanRules rules_;
};

ModelKind hog_svm_kind();

}  // namespace winnow
