// Copies a cascade's own arrays to a device, for windows that are judged as the reference judges them.
//
// In:     a checked model, and the corners of its features in each layout of planes.
// Out:    a `ModelView`: device pointers for kernels.
// Exact:  the arrays are copied as they are.
// Memory: a `DeviceModel` owns the device memory and does not refer to the model. `load` allocates it on the
//         current device, and waits for the copies. A view is valid until the next `load`. Kernels that use
//         the view must have ended by then.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>
#include <vector>

#include <winnow/cascade_model.h>

#include "base/device/cuda_memory.h"
#include "sieve/tiles/tile_program.h"

namespace winnow {

struct ModelView {
  const std::int32_t* corners;  // from `corner_offsets`: 12 values per Haar feature
  const std::int32_t* grids;    // from `corner_offsets`: 16 values per LBP feature
  const float* weights;         // three per Haar feature
  const float* leaves;
  const Tree* trees;
  const TreeNode* nodes;
  const std::int32_t* subsets;  // 8 words per node
  const Table* tables;
  std::int32_t table_count;
};

class DeviceModel {
 public:
  // `corners`: one list per layout of planes. `view` takes a layout's number.
  void load(const CascadeModel& model, std::span<const CornerOffsets> corners) {
    std::vector<float> weights;
    for (const HaarFeature& f : model.haar) {
      for (const HaarRect& rect : f.rects) weights.push_back(rect.weight);
    }
    first_grid_ = 12 * model.haar.size();
    table_count_ = static_cast<std::int32_t>(model.tables.size());
    corners_.resize(corners.size());
    for (std::size_t i = 0; i < corners.size(); ++i) upload(std::span(corners[i]), corners_[i]);
    upload(std::span<const float>(weights), weights_);
    upload(std::span(model.leaves), leaves_);
    upload(std::span(model.trees), trees_);
    upload(std::span(model.nodes), nodes_);
    upload(std::span(model.subsets), subsets_);
    upload(std::span(model.tables), tables_);
  }
  ModelView view(int layout) const {
    const std::int32_t* corners = corners_[static_cast<std::size_t>(layout)].data();
    return {corners,
            corners + first_grid_,
            weights_.data(),
            leaves_.data(),
            trees_.data(),
            nodes_.data(),
            reinterpret_cast<const std::int32_t*>(subsets_.data()),
            tables_.data(),
            table_count_};
  }

 private:
  std::size_t first_grid_ = 0;
  std::int32_t table_count_ = 0;
  std::vector<DeviceBuffer<std::int32_t>> corners_;
  DeviceBuffer<float> weights_, leaves_;
  DeviceBuffer<Tree> trees_;
  DeviceBuffer<TreeNode> nodes_;
  DeviceBuffer<LbpSubset> subsets_;
  DeviceBuffer<Table> tables_;
};

}  // namespace winnow
