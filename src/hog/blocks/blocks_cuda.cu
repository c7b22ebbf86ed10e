#include "hog/blocks/blocks_cuda.h"

#include <algorithm>
#include <span>
#include <vector>

#include <winnow/error.h>

#include "base/device/cuda_memory.h"
#include "hog/blocks/block_kernels_cuda.h"
#include "hog/blocks/block_steps.h"
#include "hog/blocks/response_rule.h"
#include "hog/hog_steps.h"
#include "sieve/remapped_sieve_cuda.h"

namespace winnow {
namespace {

std::vector<BlockDeviceStage> device_stages(const HogCascadeModel& model) {
  std::vector<BlockDeviceStage> stages;
  for (const HogBlockStage& from : model.stages) {
    BlockDeviceStage to{};
    to.x = from.block.x, to.y = from.block.y;
    to.cell_width = from.block.cell_width, to.cell_height = from.block.cell_height;
    to.shift = value_shift(to.cell_width * to.cell_height * model.grid * model.grid);
    to.min_sum = from.min_sum;
    to.first = from.first;
    to.bins_per_response = from.bins_per_response;
    for (int cell = 0; cell < 4; ++cell)
      std::copy_n(from.weights.begin() + cell * kHogBlockBins, kHogBlockBins, to.weights[cell]);
    std::copy(from.table.begin(), from.table.end(), to.table);
    stages.push_back(to);
  }
  return stages;
}

struct BlockLayout {
  std::vector<BlockDeviceLevel> levels;  // the levels that have windows
  std::vector<BlockPlace> places;
  std::vector<BlockPass> passes;
  std::int64_t corners = 0;  // the most corners of any pass, over all of the pass's frames
};

BlockLayout lay_blocks(const HogCascadeModel& model, const LevelPlan& plan, int batch,
                       std::int64_t pass_bytes) {
  BlockLayout layout;
  for (std::size_t i = 0; i < plan.levels.size(); ++i) {
    const Level& from = plan.levels[i];
    if (from.cols <= 0 || from.rows <= 0) continue;
    BlockDeviceLevel level{};
    level.first_window = from.first_window;
    level.size = {from.width, from.height};
    level.windows = {from.cols, from.rows};
    level.number = static_cast<std::int32_t>(i);
    level.top = from.corner.y / model.grid;
    level.apart = {from.step / model.grid, from.row_step / model.grid};
    level.cells = {(from.cols - 1) * level.apart.width + model.window.width / model.grid,
                   (from.rows - 1) * level.apart.height + model.window.height / model.grid};
    layout.levels.push_back(level);
  }
  const auto corners_of = [](const BlockDeviceLevel& level) {
    return std::int64_t{level.cells.width + 1} * (level.cells.height + 1);
  };
  constexpr std::int64_t kBytes = kCornerWords * sizeof(std::uint32_t);
  for (std::size_t first = 0, last = 0; first < layout.levels.size(); first = last) {
    BlockPass pass;
    for (; last < layout.levels.size(); ++last) {
      BlockDeviceLevel& level = layout.levels[last];
      if (last > first && (pass.corners + corners_of(level)) * kBytes > pass_bytes) break;
      level.first_corner = pass.corners;
      pass.corners += corners_of(level);
    }
    pass.frames =
        static_cast<std::int32_t>(std::clamp<std::int64_t>(pass_bytes / (pass.corners * kBytes), 1, batch));
    const auto list = [&](std::int32_t& begin, std::int32_t& count, std::int64_t each, auto items_of) {
      begin = static_cast<std::int32_t>(layout.places.size());
      for (std::size_t i = first; i < last; ++i) {
        const std::int64_t items = items_of(layout.levels[i]);
        for (std::int64_t item = 0; item < items; item += each)
          layout.places.push_back({item, static_cast<std::int32_t>(i)});
      }
      count = static_cast<std::int32_t>(layout.places.size()) - begin;
    };
    list(pass.first_row, pass.rows, 1,
         [](const BlockDeviceLevel& level) { return std::int64_t{level.cells.height}; });
    list(pass.first_column, pass.columns, kBlockThreads,
         [](const BlockDeviceLevel& level) { return std::int64_t{level.cells.width + 1} * kCornerWords; });
    list(pass.first_tile, pass.tiles, kTileWindows, [](const BlockDeviceLevel& level) {
      return std::int64_t{level.windows.width} * level.windows.height;
    });
    layout.corners = std::max(layout.corners, pass.corners * pass.frames);
    layout.passes.push_back(pass);
  }
  return layout;
}

class BlockDeviceSieve final : public DeviceSieve {
 public:
  bool wants_remapped_pixels() const override { return true; }
  BlockDeviceSieve(const DetectorModel& model, std::int64_t pass_bytes)
      : DeviceSieve(CountsPerStage{std::vector<std::int32_t>(block_model(model).stages.size(), 1), true}),
        model_(model),
        cascade_(block_model(model_)),
        pass_bytes_(pass_bytes) {
    set_min_sum(SieveOptions{});
    const std::vector<BlockDeviceStage> stages = device_stages(cascade_);
    upload(std::span<const BlockDeviceStage>(stages), stages_);
  }

  bool set_options(const SieveOptions& options) override {
    const std::int64_t before = min_sum_;
    set_min_sum(options);
    return min_sum_ != before;
  }

  void plan(const LevelPlan& plan, int batch, int capacity, std::span<const Wave> waves) override {
    if (!waves.empty()) throw Error(ErrorCode::kUsage, "a cascade of HOG blocks judges whole levels");
    layout_ = lay_blocks(cascade_, plan, batch, pass_bytes_);
    corners_.reserve(static_cast<std::size_t>(layout_.corners * kCornerWords));
    upload(std::span<const BlockDeviceLevel>(layout_.levels), levels_);
    upload(std::span<const BlockPlace>(layout_.places), places_);
    plan_results(batch, capacity);
  }

  void enqueue_wave(const PyramidView& pyramid, int batch, cudaStream_t stream, int /*wave*/) const override {
    BlockJob job{};
    job.pyramid = pyramid;
    job.grid = cascade_.grid;
    job.stage_count = stage_count();
    job.levels = levels_.data();
    job.places = places_.data();
    job.stages = stages_.data();
    job.corners = corners_.data();
    job.min_sum = min_sum_;
    job.zero = cascade_.zero;
    job.counts = counts_to_write();
    job.survivors = survivors_to_write();
    job.counts_per_frame = counts_per_frame();
    job.capacity = capacity();
    for (const BlockPass& pass : layout_.passes) {
      job.pass = pass;
      for (job.first_frame = 0; job.first_frame < batch; job.first_frame += pass.frames) {
        const int frames = std::min(pass.frames, batch - job.first_frame);
        enqueue_corners(job, frames, stream);
        enqueue_block_windows(job, frames, stream);
      }
    }
  }

 private:
  void set_min_sum(const SieveOptions& options) {
    min_sum_ = min_block_sum(cascade_, min_hog_score(options));
  }

  DetectorModel model_;
  const HogCascadeModel& cascade_;
  std::int64_t pass_bytes_, min_sum_ = 0;
  BlockLayout layout_;
  DeviceBuffer<BlockDeviceStage> stages_;
  DeviceBuffer<BlockDeviceLevel> levels_;
  DeviceBuffer<BlockPlace> places_;
  DeviceBuffer<std::uint32_t> corners_;
};

}  // namespace

PixelTable root_table() {
  PixelTable table{};
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = root_pixel(static_cast<std::uint8_t>(i));
  return table;
}

std::unique_ptr<DeviceSieve> make_device_block_sieve(const DetectorModel& model, std::int64_t pass_bytes) {
  return std::make_unique<BlockDeviceSieve>(model, pass_bytes);
}

std::unique_ptr<Sieve> make_block_sieve_cuda(const DetectorModel& model, int device, int frames,
                                             std::int64_t pass_bytes) {
  return make_remapped_sieve([&] { return make_device_block_sieve(model, pass_bytes); }, root_table(), device,
                             frames);
}

}  // namespace winnow
