#include <winnow/device_picture.h>

#ifdef WINNOW_HAVE_CUDA
#include "base/cuda_pointer.h"
#else
#include <winnow/error.h>
#endif

namespace winnow {

#ifdef WINNOW_HAVE_CUDA
int device_of(const void* memory) { return device_that_holds(memory); }
#else
int device_of(const void*) { throw Error(ErrorCode::kBackend, "this build has no backend cuda"); }
#endif

}  // namespace winnow
