// Fits shapes on a device, as shape/shape_steps_cuda.h declares; its opening comment holds here.
//
// A block of threads fits one shape. Its threads read pixels, then visit trees. Leaves of floats are added in
// the order of the trees, by a thread for each coordinate. The leaves lie far apart, so all threads copy them
// ahead into a ring of chunks in shared memory.
//
// If there are very few shapes and the leaves are floats, a cluster of blocks fits each shape. Each block
// visits all trees. It copies its share of each leaf, adds this to its share of the coordinates, and writes
// that share into the shared memory of every block.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <algorithm>
#include <vector>

#include <winnow/error.h>

#include "base/device/cuda_device.h"
#include "model/landmarks/landmark_model.h"
#include "shape/shape_steps_cuda.h"

namespace winnow {
namespace {

constexpr int kThreads = 512;
constexpr int kPiece = 16;      // bytes that a thread copies at once
constexpr int kChunks = 4;      // chunks in a ring
constexpr int kMostRows = 128;  // leaves in a chunk
constexpr int kCluster = 8;     // blocks in a cluster
// Bytes for the sums of all groups of threads in `add_whole`. A piece has up to 16 numbers of 8 bits, and
// their sums have 32 bits each.
constexpr int kPartBytes = kThreads * kPiece * 4;

// Where the lists of a block lie in its shared memory.
struct BlockPlan {
  int turn, centred, leaf_rows, shape, next_shape, fixed, steps, sums, pixels, ring;
};

int rounded_up(int bytes) { return (bytes + kPiece - 1) / kPiece * kPiece; }

// Makes a plan with room for the largest stage of a program. The ring comes last.
BlockPlan plan_block(const DeviceShapeView& view) {
  const int pixels = std::max(view.trees.pixels, view.confidence.pixels),
            trees = std::max(view.trees.trees, view.confidence.trees),
            values = std::max(view.trees.values, view.confidence.values), coordinates = 2 * view.points;
  BlockPlan plan{};
  plan.turn = 0;
  plan.centred = rounded_up(static_cast<int>(sizeof(ShapeTurn)));
  plan.leaf_rows = plan.centred + rounded_up(coordinates * 8);
  plan.shape = plan.leaf_rows + rounded_up(trees * 4);
  plan.next_shape = plan.shape + rounded_up(coordinates * 4);
  plan.fixed = plan.next_shape + rounded_up(coordinates * 4);
  plan.steps = plan.fixed + rounded_up(coordinates * 4);
  plan.sums = plan.steps + (view.turned ? rounded_up(coordinates * 4) : 0);
  plan.pixels = plan.sums + rounded_up(values * 4);
  plan.ring = plan.pixels + rounded_up(pixels);
  return plan;
}

struct Block {
  void* centred;  // the mean shape minus its middle, in doubles or 64-bit integers
  std::uint32_t* leaf_rows;
  float* shape;
  float* next_shape;  // used in a cluster: the shape after this stage
  std::int32_t* fixed;
  std::int32_t* steps;  // what a stage adds, if the model's steps turn
  std::int32_t* sums;
  std::uint8_t* pixels;
  char* ring;
};

// The first warp finds the turn of a shape, and writes it to `turn` in shared memory. `turn` in
// shape_fit_ref.cpp makes the same sums.
template <class Wide, class Number>
__device__ void find_turn(const Wide* centred, Wide spread, const Number* shape, int points,
                          ShapeTurn& turn) {
  if (threadIdx.x >= 32) return;
  Wide same = 0, cross = 0;
  if (threadIdx.x < kTurnLanes) {
#pragma unroll 3
    for (int i = static_cast<int>(threadIdx.x); i < points; i += kTurnLanes) {
      const auto x = static_cast<Wide>(shape[i]), y = static_cast<Wide>(shape[points + i]);
      same += turn_same(centred[i], centred[points + i], x, y);
      cross += turn_cross(centred[i], centred[points + i], x, y);
    }
  }
  // Lane 0 gets the sum in the order of `sum_of_lanes`.
  for (int step = kTurnLanes / 2; step > 0; step /= 2) {
    same += __shfl_down_sync(~0U, same, step);
    cross += __shfl_down_sync(~0U, cross, step);
  }
  if (threadIdx.x == 0) turn = turn_of(same, cross, spread);
}

// The pixel at a place inside the picture. Sets `*beyond` to 1 if the pixel lies outside the window that was
// copied.
__device__ std::uint8_t pixel_at(const DeviceShapeTask& task, std::int64_t column, std::int64_t row,
                                 std::int32_t* beyond) {
  const PixelWindow& there = task.there;
  if (column >= there.left && column < there.right && row >= there.top && row < there.bottom)
    return task.pixels[row * task.stride + column];
  *beyond = 1;
  return 0;
}

__device__ void read_pixels(const DeviceTrees& trees, int stage, const DeviceShapeTask& task, int points,
                            const ShapeTurn& turn, std::int32_t* beyond, const Block& block) {
  const std::size_t first = static_cast<std::size_t>(stage) * trees.pixels;
  for (int i = static_cast<int>(threadIdx.x); i < trees.pixels; i += kThreads) {
    const float x = trees.x[first + i], y = trees.y[first + i];
    const int point = trees.point[first + i];
    const double column =
        pixel_place(turn.same * x + -turn.cross * y, block.shape[point], task.box.left, task.box.across);
    const double row =
        pixel_place(turn.cross * x + turn.same * y, block.shape[points + point], task.box.top, task.box.down);
    block.pixels[i] =
        is_inside(column, row, task.width, task.height)
            ? pixel_at(task, static_cast<std::int64_t>(column), static_cast<std::int64_t>(row), beyond)
            : std::uint8_t{0};
  }
}

__device__ void visit_trees(const DeviceTrees& trees, int stage, const Block& block) {
  const std::size_t splits = (std::size_t{1} << trees.depth) - 1;
  for (int tree = static_cast<int>(threadIdx.x); tree < trees.trees; tree += kThreads) {
    const std::size_t number = static_cast<std::size_t>(stage) * trees.trees + tree;
    const int leaf = visit_tree(trees.splits + number * splits, trees.depth, block.pixels);
    block.leaf_rows[tree] = static_cast<std::uint32_t>((number << trees.depth) + leaf);
  }
}

// The pieces of each leaf that a block adds.
struct PieceRange {
  int first, count;
};

__device__ PieceRange pieces_of(const DeviceTrees& trees, int rank, int blocks) {
  const int pieces = trees.pitch * static_cast<int>(sizeof(float)) / kPiece, first = pieces * rank / blocks;
  return {first, pieces * (rank + 1) / blocks - first};
}

// Copies pieces of `count` leaves into a chunk of the ring; none if `count` is 0 or less. If a leaf has more
// than 32 pieces, a thread copies two of them.
__device__ void copy_leaves(const DeviceTrees& trees, const PieceRange& pieces,
                            const std::uint32_t* leaf_rows, int count, char* to) {
  const std::size_t row_bytes = static_cast<std::size_t>(trees.pitch) * sizeof(float);
  const int across = max(1, min(pieces.count > 32 ? (pieces.count + 1) / 2 : pieces.count, kThreads)),
            groups = kThreads / across;
  const int group = static_cast<int>(threadIdx.x) / across,
            lane = static_cast<int>(threadIdx.x) - group * across;
  const char* const leaves = reinterpret_cast<const char*>(trees.floats) + pieces.first * kPiece;
  for (int row = group; row < count && group < groups; row += groups) {
    const char* const from = leaves + leaf_rows[row] * row_bytes;
    for (int piece = lane; piece < pieces.count; piece += across)
      __pipeline_memcpy_async(to + (row * pieces.count + piece) * kPiece, from + piece * kPiece, kPiece);
  }
  __pipeline_commit();
}

// Adds pieces of a stage's leaves to the shape, each coordinate in the order of the trees, and writes the
// sums to `sum_to`. While one chunk is added, the other chunks of the ring are being copied.
template <class SumTo>
__device__ void add_floats(const DeviceTrees& trees, const PieceRange& pieces, const Block& block,
                           int rows_at_once, SumTo sum_to) {
  constexpr int kNumbers = kPiece / static_cast<int>(sizeof(float));
  const int chunk_bytes = rows_at_once * pieces.count * kPiece, pitch = pieces.count * kNumbers;
  const int first_value = pieces.first * kNumbers, values = min(pitch, trees.values - first_value);
  const auto copy = [&](int chunk) {
    const int first = chunk * rows_at_once;
    copy_leaves(trees, pieces, block.leaf_rows + first, min(rows_at_once, trees.trees - first),
                block.ring + chunk % kChunks * chunk_bytes);
  };
  for (int chunk = 0; chunk < kChunks - 1; ++chunk) copy(chunk);
  for (int chunk = 0; chunk * rows_at_once < trees.trees; ++chunk) {
    copy(chunk + kChunks - 1);
    __pipeline_wait_prior(kChunks - 1);
    __syncthreads();
    const int first = chunk * rows_at_once, count = min(rows_at_once, trees.trees - first);
    const bool last = first + count == trees.trees;
    const auto* const rows = reinterpret_cast<const float*>(block.ring + chunk % kChunks * chunk_bytes);
    for (int i = static_cast<int>(threadIdx.x); i < values; i += kThreads) {
      float sum = block.shape[first_value + i];
#pragma unroll 16
      for (int row = 0; row < count; ++row) sum += rows[row * pitch + i];
      if (last) {
        sum_to(first_value + i, sum);
      } else {
        block.shape[first_value + i] = sum;
      }
    }
    __syncthreads();
  }
  __pipeline_wait_prior(0);
}

// Adds up a stage's leaves of whole numbers, for which the order does not matter. Each group of threads takes
// some trees. Each thread of a group takes one piece of their leaves.
template <class Leaf>
__device__ void add_whole(const DeviceTrees& trees, const Leaf* leaves, const Block& block) {
  constexpr int kNumbers = kPiece / static_cast<int>(sizeof(Leaf));
  struct alignas(kPiece) Piece {
    Leaf numbers[kNumbers];
  };
  static_assert(2 * kMaxPoints <= kThreads * kNumbers, "a group has a thread for each piece of a leaf");
  const int pieces = trees.pitch / kNumbers, groups = kThreads / pieces;
  const int group = static_cast<int>(threadIdx.x) / pieces,
            piece = static_cast<int>(threadIdx.x) - group * pieces;
  auto* const parts = reinterpret_cast<int*>(block.ring);  // the sums of each group
  if (group < groups) {
    int sums[kNumbers] = {};
    const auto* const column = reinterpret_cast<const Piece*>(leaves) + piece;
#pragma unroll 4
    for (int tree = group; tree < trees.trees; tree += groups) {
      const Piece leaf = column[static_cast<std::size_t>(block.leaf_rows[tree]) * pieces];
#pragma unroll
      for (int i = 0; i < kNumbers; ++i) sums[i] += leaf.numbers[i];
    }
#pragma unroll
    for (int i = 0; i < kNumbers; ++i) parts[(group * pieces + piece) * kNumbers + i] = sums[i];
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < trees.values; i += kThreads) {
    int sum = 0;
#pragma unroll 8
    for (int g = 0; g < groups; ++g) sum += parts[g * pieces * kNumbers + i];
    block.sums[i] = sum;
  }
  __syncthreads();
}

__device__ void add_whole(const DeviceTrees& trees, const Block& block) {
  if (trees.small != nullptr) {
    add_whole(trees, trees.small, block);
  } else {
    add_whole(trees, trees.numbers, block);
  }
}

__device__ void move_to(std::int64_t step, int i, const Block& block) {
  const std::int32_t moved = moved_coordinate(block.fixed[i], step);
  block.fixed[i] = moved;
  block.shape[i] = float_coordinate(moved);
}

__device__ void move_fixed(const DeviceTrees& trees, int stage, int points, bool turned,
                           const ShapeTurn& turn, const Block& block) {
  const int coordinates = 2 * points;
  const int bits = trees.sum_bits[stage];
  for (int i = static_cast<int>(threadIdx.x); i < coordinates; i += kThreads) {
    std::int64_t sum = 0;
    if (trees.basis == nullptr) {
      sum = block.sums[i];
    } else {
      const std::int16_t* column =
          trees.basis + static_cast<std::size_t>(stage) * trees.values * coordinates + i;
#pragma unroll 8
      for (int v = 0; v < trees.values; ++v)
        sum += static_cast<std::int64_t>(block.sums[v]) * column[static_cast<std::size_t>(v) * coordinates];
    }
    if (turned) {
      block.steps[i] = bounded_step(coordinate_of(sum, bits));
    } else {
      move_to(coordinate_of(sum, bits), i, block);
    }
  }
  if (!turned) return;
  __syncthreads();
  const StepTurn by = step_turn(turn);
  for (int i = static_cast<int>(threadIdx.x); i < points; i += kThreads) {
    const std::int32_t x = block.steps[i], y = block.steps[points + i];
    move_to(turned_x(by, x, y), i, block);
    move_to(turned_y(by, x, y), points + i, block);
  }
}

using Results = DeviceShapeProgram::Results;

// `kBlocks`: the number of blocks that fit one shape together: 1, or kCluster for models with leaves of
// floats.
template <int kBlocks>
__global__ void __launch_bounds__(kThreads)
    fit_kernel(DeviceShapeView program, const DeviceShapeTask* tasks, const int* count, int rows_at_once,
               BlockPlan plan, Results results) {
  extern __shared__ __align__(16) char memory[];
  ShapeTurn& turn = *reinterpret_cast<ShapeTurn*>(memory + plan.turn);
  Block block{memory + plan.centred,
              reinterpret_cast<std::uint32_t*>(memory + plan.leaf_rows),
              reinterpret_cast<float*>(memory + plan.shape),
              reinterpret_cast<float*>(memory + plan.next_shape),
              reinterpret_cast<std::int32_t*>(memory + plan.fixed),
              reinterpret_cast<std::int32_t*>(memory + plan.steps),
              reinterpret_cast<std::int32_t*>(memory + plan.sums),
              reinterpret_cast<std::uint8_t*>(memory + plan.pixels),
              memory + plan.ring};
  const int points = program.points, both = 2 * points;
  const int rank = static_cast<int>(blockIdx.x) % kBlocks, group = static_cast<int>(blockIdx.x) / kBlocks,
            groups = static_cast<int>(gridDim.x) / kBlocks, all = *count;
  std::int32_t ignored = 0;
#if __CUDA_ARCH__ >= 900
  // No block may write into the memory of a block that has not begun.
  if constexpr (kBlocks > 1) cooperative_groups::this_cluster().sync();
#endif
  const auto look = [&](const DeviceTrees& trees, int stage, const DeviceShapeTask& task, int t) {
    if (program.fixed_point) {
      find_turn(static_cast<const std::int64_t*>(block.centred), program.fixed_spread, block.fixed, points,
                turn);
    } else {
      find_turn(static_cast<const double*>(block.centred), program.float_spread, block.shape, points, turn);
    }
    __syncthreads();
    read_pixels(trees, stage, task, points, turn, results.beyond != nullptr ? results.beyond + t : &ignored,
                block);
    __syncthreads();
    visit_trees(trees, stage, block);
    __syncthreads();
  };
  // Adds a stage with leaves of floats: to all coordinates or, in a cluster, to this block's share of them.
  const auto add_stage = [&] {
    const PieceRange pieces = pieces_of(program.trees, rank, kBlocks);
    if constexpr (kBlocks == 1) {
      add_floats(program.trees, pieces, block, rows_at_once, [&](int i, float sum) { block.shape[i] = sum; });
    } else {
#if __CUDA_ARCH__ >= 900
      const auto cluster = cooperative_groups::this_cluster();
      add_floats(program.trees, pieces, block, rows_at_once, [&](int i, float sum) {
#pragma unroll
        for (int to = 0; to < kBlocks; ++to) cluster.map_shared_rank(block.next_shape, to)[i] = sum;
      });
      cluster.sync();
      float* const shape = block.shape;
      block.shape = block.next_shape;
      block.next_shape = shape;
#endif
    }
  };
  for (int i = static_cast<int>(threadIdx.x); i < both; i += kThreads) {
    if (program.fixed_point) {
      static_cast<std::int64_t*>(block.centred)[i] = program.fixed_centred[i];
    } else {
      static_cast<double*>(block.centred)[i] = program.float_centred[i];
    }
  }
  for (int t = group; t < all; t += groups) {
    const DeviceShapeTask task = tasks[t];
    for (int i = static_cast<int>(threadIdx.x); i < both; i += kThreads) {
      if (program.fixed_point) {
        block.fixed[i] = program.fixed_start[i];
        block.shape[i] = float_coordinate(program.fixed_start[i]);
      } else {
        block.shape[i] = program.float_start[i];
      }
    }
    __syncthreads();
    for (int stage = 0; stage < program.trees.stages; ++stage) {
      look(program.trees, stage, task, t);
      if (program.fixed_point) {
        add_whole(program.trees, block);
        move_fixed(program.trees, stage, points, program.turned, turn, block);
      } else {
        add_stage();
      }
      __syncthreads();
    }
    if (rank == 0) {
      for (int i = static_cast<int>(threadIdx.x); i < both; i += kThreads)
        results.coordinates[static_cast<std::size_t>(t) * both + i] =
            program.fixed_point ? static_cast<double>(block.fixed[i]) / (std::int64_t{1} << kCoordinateBits)
                                : static_cast<double>(block.shape[i]);
    }
    if (program.has_confidence && results.confidence != nullptr) {
      look(program.confidence, 0, task, t);
      add_whole(program.confidence, block);
      if (rank == 0) {
        const int sums = program.confidence.values;
        for (int i = static_cast<int>(threadIdx.x); i < sums; i += kThreads)
          results.confidence[static_cast<std::size_t>(t) * sums + i] = block.sums[i];
      }
    }
    __syncthreads();
  }
}

// `attribute` must live until the launch.
cudaLaunchConfig_t cluster_launch(int blocks, int of_cluster, int block_bytes, cudaLaunchAttribute& attribute,
                                  cudaStream_t stream) {
  cudaLaunchConfig_t launch{};
  launch.gridDim = static_cast<unsigned>(blocks);
  launch.blockDim = kThreads;
  launch.dynamicSmemBytes = static_cast<std::size_t>(block_bytes);
  launch.stream = stream;
  if (of_cluster == 1) return launch;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {static_cast<unsigned>(of_cluster), 1, 1};
  launch.attrs = &attribute;
  launch.numAttrs = 1;
  return launch;
}

// Whether the current device runs clusters of this kernel, and the build has the kernel's code for clusters.
bool runs_clusters(int block_bytes) {
  const auto* const kernel = reinterpret_cast<const void*>(fit_kernel<kCluster>);
  cudaFuncAttributes code{};
  check_cuda(cudaFuncGetAttributes(&code, kernel), "asking for a kernel's code");
  if (code.ptxVersion < 90 || code.binaryVersion < 90) return false;
  allow_block_memory(kernel);
  cudaLaunchAttribute cluster{};
  const cudaLaunchConfig_t launch = cluster_launch(kCluster, kCluster, block_bytes, cluster, nullptr);
  int clusters = 0;
  check_cuda(cudaOccupancyMaxActiveClusters(&clusters, kernel, &launch), "asking for clusters of blocks");
  return clusters > 0;
}

template <class List, class T>
const T* put(const List& values, DeviceBuffer<T>& buffer) {
  if (values.empty()) return nullptr;
  upload(std::span<const T>(values), buffer);
  return buffer.data();
}

}  // namespace

DeviceTrees DeviceShapeProgram::Trees::put(const TreeProgram& program) {
  std::vector<std::int32_t> bits;
  if (!program.unit_bits.empty())
    for (int stage = 0; stage < program.stages; ++stage) bits.push_back(program.sum_bits(stage));
  return {program.stages,
          program.trees,
          program.pixels,
          program.depth,
          program.values,
          static_cast<int>(program.pitch),
          winnow::put(program.pixel.point, point),
          winnow::put(program.pixel.x, x),
          winnow::put(program.pixel.y, y),
          winnow::put(program.splits, splits),
          winnow::put(program.floats, floats),
          winnow::put(program.numbers, numbers),
          winnow::put(program.small, small),
          winnow::put(bits, sum_bits),
          winnow::put(program.basis, basis)};
}

DeviceShapeProgram::DeviceShapeProgram(const ShapeProgram& program) : processors_(current_processors()) {
  view_.points = program.points;
  view_.fixed_point = program.fixed_point;
  view_.turned = program.turned;
  view_.has_confidence = program.has_confidence;
  view_.float_start = put(program.float_mean.start, float_start_);
  view_.float_centred = put(program.float_mean.centred, float_centred_);
  view_.float_spread = program.float_mean.spread;
  view_.fixed_start = put(program.fixed_mean.start, fixed_start_);
  view_.fixed_centred = put(program.fixed_mean.centred, fixed_centred_);
  view_.fixed_spread = program.fixed_mean.spread;
  view_.trees = trees_.put(program.trees);
  if (program.has_confidence) view_.confidence = confidence_.put(program.confidence);

  const int row_bytes = program.fixed_point ? 0 : view_.trees.pitch * static_cast<int>(sizeof(float));
  const int share_bytes = (row_bytes / kPiece + kCluster - 1) / kCluster * kPiece;
  const int least_bytes = plan_block(view_).ring;
  const DeviceRoom room = device_room();
  const bool whole = program.fixed_point || program.has_confidence;
  const auto ring_of = [&](int blocks, int memory, int bytes_of_row) {
    Ring ring{blocks, 0, 0};
    if (bytes_of_row > 0)
      ring.rows = std::clamp((memory - least_bytes) / (kChunks * bytes_of_row), 1, kMostRows);
    ring.block_bytes = least_bytes + std::max(kChunks * ring.rows * bytes_of_row, whole ? kPartBytes : 0);
    if (ring.block_bytes > room.block_memory)
      throw Error(
          ErrorCode::kBackend,
          "the model's stages are too large for the shared memory of this device; use the backend cpu");
    return ring;
  };
  // If there are few shapes, each has a multiprocessor to itself. If there are many, two share a
  // multiprocessor.
  rings_[1] = ring_of(1, room.block_memory, row_bytes);
  rings_[2] =
      ring_of(1, std::min(room.block_memory, room.processor_memory / 2 - room.block_overhead), row_bytes);
  allow_block_memory(reinterpret_cast<const void*>(fit_kernel<1>));
  rings_[0] = rings_[1];
  if (row_bytes == 0) return;
  const Ring shared = ring_of(kCluster, room.block_memory, share_bytes);
  if (runs_clusters(shared.block_bytes)) rings_[0] = shared;
}

void DeviceShapeProgram::enqueue(const DeviceShapeTask* tasks, const int* count, int most,
                                 const Results& results, cudaStream_t stream) const {
  const Ring& ring = rings_[most > processors_ ? 2 : most > processors_ / kCluster ? 1 : 0];
  const int groups = std::max(1, std::min(most, 2 * processors_));
  cudaLaunchAttribute cluster{};
  const cudaLaunchConfig_t launch =
      cluster_launch(groups * ring.blocks, ring.blocks, ring.block_bytes, cluster, stream);
  check_cuda(cudaLaunchKernelEx(&launch, ring.blocks > 1 ? fit_kernel<kCluster> : fit_kernel<1>, view_, tasks,
                                count, ring.rows, plan_block(view_), results),
             "fitting shapes");
}

}  // namespace winnow
