#include "base/device/cuda_pointer.h"

#include <cuda_runtime_api.h>

#include <string>

#include <winnow/error.h>

#include "base/device/cuda_device.h"

namespace winnow {

int device_that_holds(const void* memory) {
  std::string why;
  if (cuda_devices(&why).empty()) throw Error(ErrorCode::kBackend, why);
  cudaPointerAttributes of{};
  const bool known = cudaPointerGetAttributes(&of, memory) == cudaSuccess;
  cudaGetLastError();
  if (!known || (of.type != cudaMemoryTypeDevice && of.type != cudaMemoryTypeManaged))
    throw Error(ErrorCode::kUsage, "this pointer is no memory of a device");
  return of.device;
}

}  // namespace winnow
