#include "train/steps.h"

#include <winnow/error.h>

#include "backend/backend.h"
#include "train/share_work.h"

namespace winnow {

const TrainSteps& find_train_steps(BackendKind kind) {
  static constexpr TrainSteps kReference{BackendKind::kReference, "reference", choose_rule_ref,
                                         make_table_ref};
  static constexpr TrainSteps kCpu{BackendKind::kCpu, "cpu", choose_rule_cpu, make_table_cpu};
#ifdef WINNOW_HAVE_CUDA
  // A device needs no rules of its own: they are chosen once a run, from a thousand samples.
  static constexpr TrainSteps kCuda{BackendKind::kCuda, "cuda", choose_rule_cpu, make_table_cuda};
#endif
  switch (find_backend(kind).kind) {  // says if this machine cannot
#ifdef WINNOW_HAVE_CUDA
    case BackendKind::kCuda:
      return kCuda;
#endif
    case BackendKind::kCpu:
      return kCpu;
    default:
      return kReference;
  }
}

void choose_rules(const TrainSteps& steps, const SamplePlanes& planes, int threads, RunFeatures& features) {
  features.rules.assign(features.compiled.size(), {});
  if (features.list.kind != FeatureKind::kHaar) return;
  share_work(threads, features.compiled.size(), 1024, [&](std::size_t, std::size_t f) {
    features.rules[f] = steps.choose_rule(features.compiled[f], planes);
  });
}

}  // namespace winnow
