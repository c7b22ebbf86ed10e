// Gives `TileSieve` and `FixedTileSieve` their common host code: the plan of tiles, the common fields of a
// job, the launch, and the device memory.
//
// In:     a model, its tile program, and two kernels that judge one tile per block. The derived class fills
//         the rest of the job.
// Out:    a `DeviceSieve` that launches a kernel per wave.
// Exact:  the choice of tiles and kernel decides only speed.
// Memory: the sieve owns the model and the layout of tiles on the device. The constructor and `plan`
//         allocate; `begin` and `launch` do not.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include <winnow/cascade_model.h>

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "sieve/device_sieve_cuda.h"
#include "sieve/planes/model_cuda.h"
#include "sieve/tiles/tile_job_cuda.cuh"
#include "sieve/tiles/tile_places.h"
#include "sieve/tiles/tile_program.h"

namespace winnow {

// Whether a tile's row has more pixels than half a warp takes if each lane takes three words of four pixels.
inline bool has_wide_rows(const TileProgram& program) {
  return std::max(program.shape[0].pixels, program.shape[1].pixels) > 16 * 12;
}

// The shared memory of the current device, for a kernel that declares `declared` bytes of it.
inline TileRoom tile_room(int declared) {
  const DeviceRoom room = device_room();
  return {room.block_memory, room.processor_memory, room.block_overhead + declared, declared};
}

class TiledSieve : public DeviceSieve {
 public:
  void plan(const LevelPlan& plan, int batch, int capacity, std::span<const Wave> waves) override {
    TilePlaces tiles = lay_tiles(plan, program_.shape, waves, (enough_tiles() + batch - 1) / batch);
    tiles_ = static_cast<int>(tiles.places.size());
    few_tiles_ =
        waves.empty() && std::int64_t{tiles_} * batch <= std::int64_t{2} * current_processors() * blocks_;
    // In a batch, other frames use the processors that the last tiles of one frame leave idle.
    if (few_tiles_ || batch == 1) put_largest_first(tiles);
    tile_numbers_ = tiles.numbers;
    waves_ = tiles.waves;
    upload(std::span<const TileLevel>(tiles.levels), levels_);
    upload(std::span<const TilePlace>(tiles.places), places_);
    plan_results(batch, capacity);
  }

  int tile_rows(int step) const override { return program_.shape[step - 1].rows; }

 protected:
  // Whether tiles are so few that a device runs all of them in at most two rounds. With few tiles, a frame
  // takes as long as its slowest tile.
  bool few_tiles() const { return few_tiles_; }

  // `kernel`: a kernel whose only parameter begins with a `TileGrid`. `few_kernel`: the kernel for few tiles.
  TiledSieve(const CascadeModel& model, const TileProgram& program, const void* kernel,
             const void* few_kernel)
      : DeviceSieve(model), program_(program), kernel_(kernel), few_kernel_(few_kernel) {
    model_.load(model, program_.corners);
    for (const void* of : {kernel_, few_kernel_}) allow_block_memory(of);
    blocks_ = blocks_at_once(kernel_, kTileThreads, program_.block_bytes);
  }

  // Fills the common fields of a job. False if there is nothing to judge.
  bool begin(const PyramidView& pyramid, int batch, int wave, TileGrid& job) const {
    const WaveItems tiles = waves_.of(wave);
    if (tiles.count == 0 || batch == 0) return false;
    for (int layout = 0; layout < kTileLayouts; ++layout) {
      job.shape[layout] = program_.shape[layout];
      std::copy_n(program_.inner[layout], 4, job.inner[layout]);
      job.model[layout] = model_.view(layout);
    }
    job.pyramid = pyramid;
    job.area = program_.area;
    job.window = program_.window;
    job.flat_above = program_.flat_above;
    job.stage_count = stage_count();
    job.tiles = tiles_;
    job.tile_numbers = tile_numbers_;
    job.capacity = capacity();
    job.counts_per_frame = counts_per_frame();
    job.flat_windows = program_.flat_windows;
    job.skips = program_.skips;
    job.tilted = program_.tilted;
    job.norms = program_.kind == FeatureKind::kHaar;
    job.levels = levels_.data();
    job.places = places_.data() + tiles.first;
    job.ticket = first_word(batch) + std::max(wave, 0);
    job.deferred_count = first_word(batch) + waves_.count();
    job.neighbours = job.deferred_count + 1;
    job.counts = counts_to_write();
    job.survivors = survivors_to_write();
    return true;
  }

  void launch(TileGrid* job, int batch, cudaStream_t stream, int wave) const {
    const unsigned blocks = waves_.of(wave).count * static_cast<unsigned>(batch);
    void* arguments[] = {job};
    check_cuda(cudaLaunchKernel(few_tiles_ ? few_kernel_ : kernel_, dim3(blocks), dim3(kTileThreads),
                                arguments, static_cast<std::size_t>(program_.block_bytes), stream),
               "launching the tiles' kernel");
  }

 private:
  // The number of tiles below which lower tiles are faster. With too few tiles, some processors would have
  // one tile or none, and a frame would wait for the processors with two heavy tiles.
  int enough_tiles() const { return current_processors() * blocks_ * 5 / 4; }

  // The cleared words are a ticket per wave, the number of deferred windows, and the words that tiles publish
  // for their neighbours.
  std::size_t words(int batch) const override {
    return waves_.count() + 1 +
           static_cast<std::size_t>(batch) * static_cast<std::size_t>(tile_numbers_) * kNeighbourWords;
  }

  TileProgram program_;
  const void *kernel_, *few_kernel_;
  int blocks_ = 1;  // blocks that share a processor
  bool few_tiles_ = false;
  int tiles_ = 0, tile_numbers_ = 0;
  WaveEnds waves_;
  DeviceModel model_;
  DeviceBuffer<TileLevel> levels_;
  DeviceBuffer<TilePlace> places_;
};

// The tile sieve of a fixed-point cascade. Null if the cascade's windows are too large.
std::unique_ptr<DeviceSieve> make_fixed_tile_sieve(const Cascade& cascade);

}  // namespace winnow
