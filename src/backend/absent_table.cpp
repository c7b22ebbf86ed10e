// Fills the tables of backends that this build has no code for, so that users can name these backends. The
// opening comment of backend/backend.h, which declares the tables, holds here.
#include "backend/backend.h"

namespace winnow {

#ifndef WINNOW_HAVE_CUDA
BackendTable cuda_table() {
  BackendTable table{};
  table.kind = BackendKind::kCuda;
  table.name = "cuda";
  table.built = false;
  table.why_not = [] { return std::string("this build has no CUDA backend"); };
  return table;
}
#endif

}  // namespace winnow
