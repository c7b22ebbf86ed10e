// Finds the device that holds a pointer's memory, through the backend that has devices, as
// winnow/device_picture.h declares; its opening comment holds here.
#include <winnow/device_picture.h>

#include <winnow/error.h>

#include "backend/backend.h"

namespace winnow {

int device_of(const void* memory) {
  for (const BackendTable& table : backend_tables()) {
    if (table.memory != nullptr) return table.memory->device_of(memory);
  }
  throw Error(ErrorCode::kBackend, "this build has no backend on devices");
}

}  // namespace winnow
