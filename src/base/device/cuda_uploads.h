// Lets a thread's calls of `upload` copy in the order of a stream, without waiting.
//
// In:     tables that a plan makes in host memory, and that kernels read.
// Out:    the same values in a device's buffer, for later work on the stream. Without an `UploadsOn`,
//         `upload` waits for its copy, and so for other work that keeps the device busy.
// Memory: the values may be freed when `upload` returns. A `TableMemory` owns the pinned memory through which
//         they travel; it must outlive the copies.
// Thread: an `UploadsOn` counts for its own thread alone.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/device/cuda_memory.h"

namespace winnow {

// Pinned memory for the tables of one plan at a time.
class TableMemory {
 public:
  // Copies a table into this memory. It lies there until `clear`.
  const void* keep(const void* table, std::size_t bytes);
  // Makes room for other tables. The copies of the earlier ones must have ended.
  void clear();

 private:
  std::vector<PinnedBuffer<std::uint8_t>> parts_;
  std::size_t part_ = 0, used_ = 0;  // the part that is filled, and its bytes in use
};

// While this object lives, tables that its thread uploads travel on `stream`. All earlier work on the stream
// must have ended.
class UploadsOn {
 public:
  UploadsOn(cudaStream_t stream, TableMemory& memory);
  ~UploadsOn();
  UploadsOn(const UploadsOn&) = delete;
  UploadsOn& operator=(const UploadsOn&) = delete;

  cudaStream_t stream() const { return stream_; }
  TableMemory& memory() const { return memory_; }

 private:
  cudaStream_t stream_;
  TableMemory& memory_;
  const UploadsOn* before_;
};

// The stream of this thread's uploads. Kernels that turn uploaded tables into others run on it, too.
cudaStream_t upload_stream();
// Ends a plan's work on `upload_stream`: waits for the work unless an `UploadsOn` lives.
void end_uploads(const char* doing);

}  // namespace winnow
