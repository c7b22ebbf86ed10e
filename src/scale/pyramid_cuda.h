// Makes every level of a batch of frames on a device.
//
// In:     frames of one size in device memory, `frame_pitch` bytes a row (a multiple of 16), one after the
//         other; one or several level plans.
// Out:    each level of each frame, or certain rows of a level, resized from the frame (`resize_rule.h`).
//         A level as large as the frame is the frame, not a copy.
// Exact:  the bytes of `resize_ref`.
// Memory: `DevicePyramid` owns the levels. `plan` allocates them, waits, and keeps no level plan. Views live
//         until the next `plan`. `enqueue` allocates nothing and does not wait. The frames belong to the
//         caller.
// Thread: one thread at a time. The device that was current in `plan` must be current.
// Cost:   one launch per wave, and the time to write all levels: 4.8 times the frame's bytes at factor 1.1.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>
#include <vector>

#include <winnow/image.h>

#include "base/device/cuda_memory.h"
#include "base/device/host_device.h"
#include "scale/frames/frame.h"
#include "scale/plan.h"
#include "scale/waves.h"

namespace winnow {

struct LevelImage {
  std::int64_t offset;                // the image's first byte, counted from the start of a frame's levels
  std::int32_t width, height, pitch;  // rows from `height` on are not made
  std::int32_t same;                  // not 0 if the level is the frame itself
};

struct PyramidView {
  const std::uint8_t* frames;
  const std::uint8_t* levels;
  const LevelImage* images;  // one per level
  std::int64_t frame_bytes, level_bytes;
  std::int32_t planes = 1;  // planes of a frame, which lie one after the other as frames do

  // The pixels of `image` in one of the frames.
  WINNOW_HOST_DEVICE const std::uint8_t* pixels(std::int64_t frame, const LevelImage& image,
                                                int plane = 0) const {
    const std::int64_t at = frame * planes + plane;
    return image.same != 0 ? frames + at * frame_bytes : levels + at * level_bytes + image.offset;
  }
};

class DevicePyramid {
 public:
  // `batch`: the number of frames. `waves`: the rows of pixels to make, wave by wave; empty: all rows in one
  // wave.
  void plan(Size picture, const LevelPlan& plan, int batch, std::span<const Wave> waves = {}) {
    const LevelPlan* one = &plan;
    this->plan(picture, std::span(&one, 1), batch, waves);
  }
  // Plans the levels of several plans of one picture size. A level size that occurs twice is made once. With
  // `waves` there must be one plan, and each of its levels is made.
  void plan(Size picture, std::span<const LevelPlan* const> plans, int batch,
            std::span<const Wave> waves = {});
  void enqueue(const std::uint8_t* frames, int batch, cudaStream_t stream, int wave = kEveryWave) const;
  // The levels of one of the plans, in the plan's order.
  PyramidView view(const std::uint8_t* frames, std::size_t plan = 0) const {
    return {frames, levels_.data(), images_.data() + first_image_[plan], frame_bytes_, level_bytes_};
  }

  // The taps of a level's columns, or of its rows, one after the other. `TapList`, `Job` and `Place` are
  // arguments of the kernels.
  struct TapList {
    std::uint32_t first, count;
    std::int32_t source_size, target_size;
  };
  // Rows of one level that one wave makes.
  struct Job {
    LevelImage image;
    RowRange rows;
    std::uint32_t across, down;  // index of the first column's tap, and of the first row's tap
  };
  // The piece of a job that one block of threads makes.
  struct Place {
    std::int32_t job, first_column, first_row;
  };

 private:
  std::int64_t frame_bytes_ = 0, level_bytes_ = 0;
  std::int32_t frame_pitch_ = 0;
  WaveEnds blocks_;
  std::vector<std::size_t> first_image_ = {0};  // index in `images_` of each plan's first level
  DeviceBuffer<std::uint8_t> levels_;
  DeviceBuffer<LevelImage> images_;
  DeviceBuffer<Job> jobs_;
  DeviceBuffer<Place> places_;
  DeviceBuffer<TapList> tap_lists_;
  DeviceBuffer<std::uint32_t> taps_;
};

}  // namespace winnow
