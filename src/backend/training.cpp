#include "backend/training.h"

#include <winnow/error.h>

#include "backend/backend.h"

namespace winnow {

const std::any& training_of(BackendKind kind, const std::string& model_kind) {
  static const std::any none;
  if (kind == BackendKind::kAuto) {
    for (const BackendTable& table : backend_tables()) {
      const KindSteps* steps = steps_of(table, model_kind);
      if (steps != nullptr && steps->training.has_value() && table.why_not().empty()) return steps->training;
    }
    return none;
  }
  const KindSteps* steps = steps_of(find_backend(kind), model_kind);
  return steps != nullptr ? steps->training : none;
}

void refuse_training(BackendKind kind, const std::string& model_kind) {
  std::string others;
  for (const BackendTable& table : backend_tables()) {
    const KindSteps* steps = steps_of(table, model_kind);
    if (table.kind != kind && steps != nullptr && steps->training.has_value())
      others += (others.empty() ? "; " : ", ") + std::string(table.name);
  }
  throw Error(ErrorCode::kBackend, std::string("the backend ") + backend_name(kind) +
                                       " does not train models of kind " + model_kind + others +
                                       (others.empty() ? ", and no other does" : " can"));
}

}  // namespace winnow
