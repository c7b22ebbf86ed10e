// Finds the device that holds a pointer's memory.
//
// In:     any pointer.
// Out:    CUDA's number of the device. kUsage if no device holds the memory; kBackend if there is no device.
// Memory: nothing is allocated, and the memory is not read.
// Thread: any.
#pragma once

namespace winnow {

int device_that_holds(const void* memory);

}  // namespace winnow
