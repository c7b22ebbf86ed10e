#include "train/steps.h"

#include <winnow/error.h>

#include "backend/backend.h"

namespace winnow {

const TrainSteps& find_train_steps(BackendKind kind) {
  static constexpr TrainSteps kReference{BackendKind::kReference, "reference", bin_block_ref, choose_rule_ref,
                                         weigh_bins_ref};
  static constexpr TrainSteps kCpu{BackendKind::kCpu, "cpu", bin_block_cpu, choose_rule_cpu, weigh_bins_cpu};
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

}  // namespace winnow
