#include "base/device/cuda_uploads.h"

#include <algorithm>
#include <cstring>

namespace winnow {
namespace {

// The bytes of a part of a `TableMemory`, if no table is larger. The tables of a plan take about as much.
constexpr std::size_t kPartBytes = std::size_t{512} << 10;
constexpr std::size_t kTableAlignment = 16;

thread_local const UploadsOn* uploads = nullptr;

}  // namespace

void TableMemory::clear() {
  part_ = used_ = 0;
  constexpr std::size_t kMostParts = 4;
  if (parts_.size() <= kMostParts) return;
  std::size_t bytes = 0;
  for (const auto& part : parts_) bytes += part.size();
  parts_.clear();
  parts_.emplace_back(bytes);
}

const void* TableMemory::keep(const void* table, std::size_t bytes) {
  while (part_ < parts_.size() && parts_[part_].size() < used_ + bytes) {
    ++part_;
    used_ = 0;
  }
  if (part_ == parts_.size()) parts_.emplace_back(std::max(bytes, kPartBytes));
  std::uint8_t* const to = parts_[part_].data() + used_;
  used_ += (bytes + kTableAlignment - 1) / kTableAlignment * kTableAlignment;
  return std::memcpy(to, table, bytes);
}

UploadsOn::UploadsOn(cudaStream_t stream, TableMemory& memory)
    : stream_(stream), memory_(memory), before_(uploads) {
  memory_.clear();
  uploads = this;
}
UploadsOn::~UploadsOn() { uploads = before_; }

cudaStream_t upload_stream() { return uploads != nullptr ? uploads->stream() : cudaStreamLegacy; }

void end_uploads(const char* doing) {
  if (uploads == nullptr) check_cuda(cudaStreamSynchronize(cudaStreamLegacy), doing);
}

void upload_bytes(const void* from, std::size_t bytes, void* to) {
  const char* const doing = "copying to the device";
  if (uploads != nullptr) from = uploads->memory().keep(from, bytes);
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, upload_stream()), doing);
  end_uploads(doing);
}

}  // namespace winnow
