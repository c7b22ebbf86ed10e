// Fits shapes on a device, as shape/shape_steps_cuda.h declares; its opening comment holds here.
//
// A block of threads fits one shape (shape/shape_block_cuda.cuh). If there are very few shapes and the leaves
// are floats, a cluster of blocks fits each shape. Each block visits all trees. It copies its share of each
// leaf, adds this to its share of the coordinates, and writes that share into the shared memory of every
// block.
#include <cooperative_groups.h>

#include <algorithm>
#include <vector>

#include <winnow/error.h>

#include "base/device/cuda_device.h"
#include "model/landmarks/landmark_model.h"
#include "shape/shape_block_cuda.cuh"
#include "shape/shape_steps_cuda.h"

namespace winnow {
namespace {

using Results = DeviceShapeProgram::Results;

// `kBlocks`: the number of blocks that fit one shape together: 1, or kFitCluster for models with leaves of
// floats.
template <int kBlocks>
__global__ void __launch_bounds__(kFitThreads)
    fit_kernel(DeviceShapeView program, const DeviceShapeTask* tasks, const int* count, int rows_at_once,
               ShapeBlockPlan plan, Results results) {
  extern __shared__ __align__(16) char memory[];
  ShapeTurn& turn = *reinterpret_cast<ShapeTurn*>(memory + plan.turn);
  ShapeBlock block{memory + plan.centred,
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
  for (int i = static_cast<int>(threadIdx.x); i < both; i += kFitThreads) {
    if (program.fixed_point) {
      static_cast<std::int64_t*>(block.centred)[i] = program.fixed_centred[i];
    } else {
      static_cast<double*>(block.centred)[i] = program.float_centred[i];
    }
  }
  for (int t = group; t < all; t += groups) {
    const DeviceShapeTask task = tasks[t];
    if (task.pixels == nullptr) continue;  // the same for all threads that fit this shape
    for (int i = static_cast<int>(threadIdx.x); i < both; i += kFitThreads) {
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
      for (int i = static_cast<int>(threadIdx.x); i < both; i += kFitThreads)
        results.coordinates[static_cast<std::size_t>(t) * both + i] =
            program.fixed_point ? static_cast<double>(block.fixed[i]) / (std::int64_t{1} << kCoordinateBits)
                                : static_cast<double>(block.shape[i]);
    }
    if (program.has_confidence && results.confidence != nullptr) {
      look(program.confidence, 0, task, t);
      add_whole(program.confidence, block);
      if (rank == 0) {
        const int sums = program.confidence.values;
        for (int i = static_cast<int>(threadIdx.x); i < sums; i += kFitThreads)
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
  launch.blockDim = kFitThreads;
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
  const auto* const kernel = reinterpret_cast<const void*>(fit_kernel<kFitCluster>);
  cudaFuncAttributes code{};
  check_cuda(cudaFuncGetAttributes(&code, kernel), "asking for a kernel's code");
  if (code.ptxVersion < 90 || code.binaryVersion < 90) return false;
  allow_block_memory(kernel);
  cudaLaunchAttribute cluster{};
  const cudaLaunchConfig_t launch = cluster_launch(kFitCluster, kFitCluster, block_bytes, cluster, nullptr);
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
  const int share_bytes = (row_bytes / kLeafPiece + kFitCluster - 1) / kFitCluster * kLeafPiece;
  const int least_bytes = plan_block(view_).ring;
  const DeviceRoom room = device_room();
  const bool whole = program.fixed_point || program.has_confidence;
  const auto ring_of = [&](int blocks, int memory, int bytes_of_row) {
    Ring ring{blocks, 0, 0};
    if (bytes_of_row > 0)
      ring.rows = std::clamp((memory - least_bytes) / (kRingChunks * bytes_of_row), 1, kMostRows);
    ring.block_bytes = least_bytes + std::max(kRingChunks * ring.rows * bytes_of_row, whole ? kPartBytes : 0);
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
  const Ring shared = ring_of(kFitCluster, room.block_memory, share_bytes);
  if (runs_clusters(shared.block_bytes)) rings_[0] = shared;
}

void DeviceShapeProgram::enqueue(const DeviceShapeTask* tasks, const int* count, int most,
                                 const Results& results, cudaStream_t stream) const {
  const Ring& ring = rings_[most > processors_ ? 2 : most > processors_ / kFitCluster ? 1 : 0];
  const int groups = std::max(1, std::min(most, 2 * processors_));
  cudaLaunchAttribute cluster{};
  const cudaLaunchConfig_t launch =
      cluster_launch(groups * ring.blocks, ring.blocks, ring.block_bytes, cluster, stream);
  check_cuda(cudaLaunchKernelEx(&launch, ring.blocks > 1 ? fit_kernel<kFitCluster> : fit_kernel<1>, view_,
                                tasks, count, ring.rows, plan_block(view_), results),
             "fitting shapes");
}

}  // namespace winnow
