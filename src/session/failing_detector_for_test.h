// Makes a detector that stands for one whose device fails.
//
// In:     how many searches fail, and how many sessions cannot be made.
// Out:    a model for the backend `reference`, which finds nothing; `FailingDevice` counts its sessions.
// Thread: one thread at a time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <winnow/detector_model.h>
#include <winnow/error.h>

#include "backend/backend.h"
#include "model/model_body.h"
#include "sieve/stages.h"

namespace winnow::sample {

struct FailingDevice {
  static inline int left = 0;      // so many searches fail
  static inline int refused = 0;   // so many sessions cannot be made
  static inline int sessions = 0;  // made so far
};

class FailingModel final : public DetectorBody {
 public:
  const std::string& kind() const override { return kind_; }
  const ModelCard& card() const override { return card_; }
  const std::vector<std::string>& notes() const override { return notes_; }
  std::string holds() const override { return "nothing"; }
  std::shared_ptr<const ModelBody> with_card(const ModelCard&) const override { return nullptr; }
  Size window() const override { return {24, 24}; }
  const PlanRules& plan_rules() const override { return rules_; }

 private:
  std::string kind_ = "failing";
  ModelCard card_;
  std::vector<std::string> notes_;
  PlanRules rules_;
};

class FailingSieve final : public Sieve {
 public:
  FailingSieve() {
    if (FailingDevice::refused > 0 && FailingDevice::refused-- > 0)
      throw Error(ErrorCode::kDevice, "the device lets no session begin");
    ++FailingDevice::sessions;
  }
  void run(const PictureView&, const LevelPlan&, SieveResult& result) override {
    if (FailingDevice::left > 0 && FailingDevice::left-- > 0)
      throw Error(ErrorCode::kDevice, "the device is gone");
    result = {};
    result.reached = {0};
  }
};

inline DetectorModel failing_detector() {
  add_kind_steps(BackendKind::kReference,
                 {"failing",
                  [](const DetectorModel&, const StepPlace&) -> std::unique_ptr<Sieve> {
                    return std::make_unique<FailingSieve>();
                  },
                  nullptr});
  return DetectorModel(std::make_shared<FailingModel>());
}

}  // namespace winnow::sample
