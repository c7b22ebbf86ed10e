#include "train/steps.h"

#include <winnow/error.h>

#include "backend/backend.h"
#include "train/share_work.h"

namespace winnow {

const TrainSteps& find_train_steps(BackendKind kind) {
  static constexpr TrainSteps kReference{BackendKind::kReference, "reference", choose_rule_ref,
                                         make_table_ref};
  static constexpr TrainSteps kCpu{BackendKind::kCpu, "cpu", choose_rule_cpu, make_table_cpu};
  if (kind == BackendKind::kReference) return kReference;
  if (kind == BackendKind::kCuda)
    throw Error(ErrorCode::kBackend, "the backend cuda has no training steps yet; cpu and reference have");
  if (kind == BackendKind::kCpu) find_backend(kind);  // says if this machine cannot
  if (kind == BackendKind::kAuto) {
    for (const BackendInfo& info : list_backends()) {
      if (info.kind == BackendKind::kCpu && !info.available) return kReference;
    }
  }
  return kCpu;
}

void choose_rules(const TrainSteps& steps, const SamplePlanes& planes, int threads, RunFeatures& features) {
  features.rules.assign(features.compiled.size(), {});
  if (features.list.kind != FeatureKind::kHaar) return;
  share_work(threads, features.compiled.size(), 1024, [&](std::size_t, std::size_t f) {
    features.rules[f] = steps.choose_rule(features.compiled[f], planes);
  });
}

}  // namespace winnow
