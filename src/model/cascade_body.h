// Gives a cascade the interface that all models have.
//
// Out:    the body of a cascade, and the entry for cascades in the list of kinds (`model_kinds.h`).
// Memory: a body is immutable. References that a body returns live as long as the body.
// Thread: any.
#pragma once

#include <winnow/cascade.h>

#include <memory>
#include <string>
#include <utility>

#include "model/model_body.h"
#include "model/model_kinds.h"

namespace winnow {

class CascadeBody final : public DetectorBody {
 public:
  explicit CascadeBody(Cascade cascade) : cascade_(std::move(cascade)) {
    rules_.scale = cascade_.model().rules.scale;
    rules_.step = cascade_.model().rules.step;
  }
  const std::string& kind() const override { return kCascadeKind; }
  const ModelCard& card() const override { return cascade_.model().card; }
  const std::vector<std::string>& notes() const override { return cascade_.model().notes; }
  std::string holds() const override;
  std::shared_ptr<const ModelBody> with_card(const ModelCard& card) const override;
  Size window() const override { return cascade_.window(); }
  const PlanRules& plan_rules() const override { return rules_; }
  const Cascade& cascade() const { return cascade_; }

 private:
  Cascade cascade_;
  PlanRules rules_;
};

ModelKind cascade_kind();

}  // namespace winnow
