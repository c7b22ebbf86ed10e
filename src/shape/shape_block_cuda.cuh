// Fits one shape with a block of threads.
//
// The threads read pixels, then visit trees. Leaves of floats are added in the order of the trees, by a
// thread for each coordinate. The leaves lie far apart, so all threads copy them ahead into a ring of chunks
// in shared memory. Leaves of whole numbers are added in any order, straight from device memory.
//
// In:     trees and pixels in device memory, and the lists of a block in shared memory (`plan_block`).
// Out:    the shape in the block's lists, after each stage.
// Exact:  the bits of `make_shape_fitter_ref`.
// Memory: the kernel owns the shared memory.
// Thread: all threads of a block call each function.
#pragma once

#include <cuda_pipeline.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "model/landmarks/landmark_model.h"
#include "shape/shape_rule.h"
#include "shape/shape_steps_cuda.h"
#include "shape/shape_turn.h"

namespace winnow {

constexpr int kFitThreads = 512;
constexpr int kLeafPiece = 16;  // bytes that a thread copies at once
constexpr int kRingChunks = 4;  // chunks in a ring
constexpr int kMostRows = 128;  // leaves in a chunk
constexpr int kFitCluster = 8;  // blocks in a cluster
// Bytes for the sums of all groups of threads in `add_whole`. A piece has up to 16 numbers of 8 bits, and
// their sums have 32 bits each.
constexpr int kPartBytes = kFitThreads * kLeafPiece * 4;

// Where the lists of a block lie in its shared memory.
struct ShapeBlockPlan {
  int turn, centred, leaf_rows, shape, next_shape, fixed, steps, sums, pixels, ring;
};

inline int rounded_up(int bytes) { return (bytes + kLeafPiece - 1) / kLeafPiece * kLeafPiece; }

// Makes a plan with room for the largest stage of a program. The ring comes last.
inline ShapeBlockPlan plan_block(const DeviceShapeView& view) {
  const int pixels = std::max(view.trees.pixels, view.confidence.pixels),
            trees = std::max(view.trees.trees, view.confidence.trees),
            values = std::max(view.trees.values, view.confidence.values), coordinates = 2 * view.points;
  ShapeBlockPlan plan{};
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

struct ShapeBlock {
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
inline __device__ std::uint8_t pixel_at(const DeviceShapeTask& task, std::int64_t column, std::int64_t row,
                                        std::int32_t* beyond) {
  const PixelWindow& there = task.there;
  if (column >= there.left && column < there.right && row >= there.top && row < there.bottom)
    return task.pixels[row * task.stride + column];
  *beyond = 1;
  return 0;
}

inline __device__ void read_pixels(const DeviceTrees& trees, int stage, const DeviceShapeTask& task,
                                   int points, const ShapeTurn& turn, std::int32_t* beyond,
                                   const ShapeBlock& block) {
  const std::size_t first = static_cast<std::size_t>(stage) * trees.pixels;
  for (int i = static_cast<int>(threadIdx.x); i < trees.pixels; i += kFitThreads) {
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

inline __device__ void visit_trees(const DeviceTrees& trees, int stage, const ShapeBlock& block) {
  const std::size_t splits = (std::size_t{1} << trees.depth) - 1;
  for (int tree = static_cast<int>(threadIdx.x); tree < trees.trees; tree += kFitThreads) {
    const std::size_t number = static_cast<std::size_t>(stage) * trees.trees + tree;
    const int leaf = visit_tree(trees.splits + number * splits, trees.depth, block.pixels);
    block.leaf_rows[tree] = static_cast<std::uint32_t>((number << trees.depth) + leaf);
  }
}

// The pieces of each leaf that a block adds. A piece has `kLeafPiece` bytes.
struct PieceRange {
  int first, count;
};

inline __device__ PieceRange pieces_of(const DeviceTrees& trees, int rank, int blocks) {
  const int pieces = trees.pitch * static_cast<int>(sizeof(float)) / kLeafPiece,
            first = pieces * rank / blocks;
  return {first, pieces * (rank + 1) / blocks - first};
}

// Copies pieces of `count` leaves into a chunk of the ring; none if `count` is 0 or less. If a leaf has more
// than 32 pieces, a thread copies two of them.
inline __device__ void copy_leaves(const DeviceTrees& trees, const PieceRange& pieces,
                                   const std::uint32_t* leaf_rows, int count, char* to) {
  const std::size_t row_bytes = static_cast<std::size_t>(trees.pitch) * sizeof(float);
  const int across = max(1, min(pieces.count > 32 ? (pieces.count + 1) / 2 : pieces.count, kFitThreads)),
            groups = kFitThreads / across;
  const int group = static_cast<int>(threadIdx.x) / across,
            lane = static_cast<int>(threadIdx.x) - group * across;
  const char* const leaves = reinterpret_cast<const char*>(trees.floats) + pieces.first * kLeafPiece;
  for (int row = group; row < count && group < groups; row += groups) {
    const char* const from = leaves + leaf_rows[row] * row_bytes;
    for (int piece = lane; piece < pieces.count; piece += across)
      __pipeline_memcpy_async(to + (row * pieces.count + piece) * kLeafPiece, from + piece * kLeafPiece,
                              kLeafPiece);
  }
  __pipeline_commit();
}

// Adds pieces of a stage's leaves to the shape, each coordinate in the order of the trees, and writes the
// sums to `sum_to`. While one chunk is added, the other chunks of the ring are being copied.
template <class SumTo>
__device__ void add_floats(const DeviceTrees& trees, const PieceRange& pieces, const ShapeBlock& block,
                           int rows_at_once, SumTo sum_to) {
  constexpr int kNumbers = kLeafPiece / static_cast<int>(sizeof(float));
  const int chunk_bytes = rows_at_once * pieces.count * kLeafPiece, pitch = pieces.count * kNumbers;
  const int first_value = pieces.first * kNumbers, values = min(pitch, trees.values - first_value);
  const auto copy = [&](int chunk) {
    const int first = chunk * rows_at_once;
    copy_leaves(trees, pieces, block.leaf_rows + first, min(rows_at_once, trees.trees - first),
                block.ring + chunk % kRingChunks * chunk_bytes);
  };
  for (int chunk = 0; chunk < kRingChunks - 1; ++chunk) copy(chunk);
  for (int chunk = 0; chunk * rows_at_once < trees.trees; ++chunk) {
    copy(chunk + kRingChunks - 1);
    __pipeline_wait_prior(kRingChunks - 1);
    __syncthreads();
    const int first = chunk * rows_at_once, count = min(rows_at_once, trees.trees - first);
    const bool last = first + count == trees.trees;
    const auto* const rows = reinterpret_cast<const float*>(block.ring + chunk % kRingChunks * chunk_bytes);
    for (int i = static_cast<int>(threadIdx.x); i < values; i += kFitThreads) {
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
__device__ void add_whole(const DeviceTrees& trees, const Leaf* leaves, const ShapeBlock& block) {
  constexpr int kNumbers = kLeafPiece / static_cast<int>(sizeof(Leaf));
  struct alignas(kLeafPiece) Piece {
    Leaf numbers[kNumbers];
  };
  static_assert(2 * kMaxPoints <= kFitThreads * kNumbers, "a group has a thread for each piece of a leaf");
  const int pieces = trees.pitch / kNumbers, groups = kFitThreads / pieces;
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
  for (int i = static_cast<int>(threadIdx.x); i < trees.values; i += kFitThreads) {
    int sum = 0;
#pragma unroll 8
    for (int g = 0; g < groups; ++g) sum += parts[g * pieces * kNumbers + i];
    block.sums[i] = sum;
  }
  __syncthreads();
}

inline __device__ void add_whole(const DeviceTrees& trees, const ShapeBlock& block) {
  if (trees.small != nullptr) {
    add_whole(trees, trees.small, block);
  } else {
    add_whole(trees, trees.numbers, block);
  }
}

inline __device__ void move_to(std::int64_t step, int i, const ShapeBlock& block) {
  const std::int32_t moved = moved_coordinate(block.fixed[i], step);
  block.fixed[i] = moved;
  block.shape[i] = float_coordinate(moved);
}

inline __device__ void move_fixed(const DeviceTrees& trees, int stage, int points, bool turned,
                                  const ShapeTurn& turn, const ShapeBlock& block) {
  const int coordinates = 2 * points;
  const int bits = trees.sum_bits[stage];
  for (int i = static_cast<int>(threadIdx.x); i < coordinates; i += kFitThreads) {
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
  for (int i = static_cast<int>(threadIdx.x); i < points; i += kFitThreads) {
    const std::int32_t x = block.steps[i], y = block.steps[points + i];
    move_to(turned_x(by, x, y), i, block);
    move_to(turned_y(by, x, y), points + i, block);
  }
}

}  // namespace winnow
