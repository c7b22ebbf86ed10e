#include "scale/device_frames_cuda.h"

#include <algorithm>
#include <cstring>

#include <winnow/error.h>

#include "base/cuda_range.h"
#include "scale/color_planes_cuda.h"
#include "scale/pinned_picture_cuda.h"

namespace winnow {

namespace {

// The bytes that are brought of a picture: its grey rows, or its rows of colours.
GrayView bytes_of(const PictureView& picture, int planes) {
  if (planes == 1) return picture.gray;
  static_assert(sizeof(Rgb) == 3);
  return {reinterpret_cast<const std::uint8_t*>(picture.color.data), picture.color.width * planes,
          picture.color.height, picture.color.stride};
}

}  // namespace

void FrameBatch::plan(Size picture, std::span<const LevelPlan* const> plans, int frames, cudaStream_t stream,
                      int planes, const std::optional<PixelTable>& table) {
  picture_ = picture;
  planes_ = planes;
  table_ = table;
  const auto count = static_cast<std::size_t>(frames), all = bytes() * count;
  staging_.reserve(all);
  std::memset(staging_.data(), 0, all);
  frames_.reserve(static_cast<std::size_t>(frame_bytes(picture)) * count * static_cast<std::size_t>(planes));
  if (planes > 1) colors_.reserve(all);
  check_cuda(cudaMemsetAsync(brought(), 0, all, stream), "clearing frames");
  pyramid_.plan(picture, plans, frames * planes);
}

bool FrameBatch::bring(std::span<const PictureView> pictures, PictureSource source, cudaStream_t stream) {
  if (source.on_device()) {
    const CudaRange range("winnow: copy pictures on the device");
    if (!written_) written_ = make_event();
    // The caller's stream may be the default stream, whose handle is null.
    check_cuda(cudaEventRecord(written_.get(), static_cast<cudaStream_t>(source.stream)),
               "recording an event");
    check_cuda(cudaStreamWaitEvent(stream, written_.get()), "waiting for pictures on the device");
    for (std::size_t i = 0; i < pictures.size(); ++i)
      copy_on_device(pictures[i].gray, frames_.data() + i * bytes(), stream);
    return false;
  }
  rows_.clear();
  for (const PictureView& picture : pictures) rows_.emplace_back(bytes_of(picture, planes_));
  if (std::all_of(rows_.begin(), rows_.end(),
                  [](const PictureView& rows) { return lies_pinned(rows.gray); })) {
    const CudaRange range("winnow: copy pinned pictures");
    for (std::size_t i = 0; i < rows_.size(); ++i)
      copy_pinned(rows_[i].gray, {0, picture_.height}, brought() + i * bytes(), stream);
    return false;
  }
  const CudaRange range("winnow: stage pictures");
  stager_.stage(rows_, staging_.data());
  return true;
}

void FrameBatch::enqueue(bool staged, int frames, cudaStream_t stream) const {
  if (staged) {
    check_cuda(cudaMemcpyAsync(brought(), staging_.data(), bytes() * static_cast<std::size_t>(frames),
                               cudaMemcpyHostToDevice, stream),
               "copying frames to the device");
  }
  if (planes_ > 1) split_colors(colors_.data(), picture_, frames, frames_.data(), stream);
  if (table_) replace_pixels(*table_, frames_.data(), frame_bytes(picture_) * frames * planes_, stream);
  pyramid_.enqueue(frames_.data(), frames * planes_, stream);
}

DeviceFrames::DeviceFrames(int slots) : stream_(make_stream()) {
  for (int i = 0; i < slots; ++i) {
    slots_.push_back(std::make_unique<Slot>());
    slots_.back()->ready = make_event();
  }
}

void DeviceFrames::plan(Size picture, std::span<const LevelPlan* const> plans, int frames) {
  for (const auto& slot : slots_) {
    if (slot->holders > 0)
      throw Error(ErrorCode::kUsage,
                  "frames cannot be planned anew while searches of them are not collected");
  }
  check_cuda(cudaStreamSynchronize(stream_.get()), "waiting for frames");
  for (const auto& slot : slots_) slot->batch.plan(picture, plans, frames, stream_.get());
  frames_ = frames;
}

int DeviceFrames::bring(std::span<const PictureView> pictures, PictureSource source) {
  Slot& slot = at(next_);
  if (slot.holders > 0)
    throw Error(ErrorCode::kUsage, "every slot of these frames is in use: collect a search first");
  if (pictures.size() > static_cast<std::size_t>(frames_))
    throw Error(ErrorCode::kUsage, "more pictures than the frames were planned for");
  for (const PictureView& picture : pictures) {
    if (picture.gray.size() != slot.batch.picture())
      throw Error(ErrorCode::kUsage, "a picture is of another size than the frames were planned for");
  }
  // The device has usually read the staging memory by now, unless no session searched the slot's last frames.
  if (cudaEventQuery(slot.ready.get()) == cudaErrorNotReady)
    check_cuda(cudaEventSynchronize(slot.ready.get()), "waiting for frames");
  cudaGetLastError();
  slot.count = static_cast<int>(pictures.size());
  const bool staged = slot.batch.bring(pictures, source, stream_.get());
  slot.batch.enqueue(staged, slot.count, stream_.get());
  check_cuda(cudaEventRecord(slot.ready.get(), stream_.get()), "recording an event");
  const int brought = next_;
  next_ = (next_ + 1) % static_cast<int>(slots_.size());
  return brought;
}

void DeviceFrames::wait_for(int slot, cudaStream_t stream) const {
  check_cuda(cudaStreamWaitEvent(stream, at(slot).ready.get()), "waiting for frames");
}

}  // namespace winnow
