// The steps of training that backends fill in, as one table.
#pragma once

#include <winnow/backend.h>

#include "train/bins.h"
#include "train/split.h"

namespace winnow {

struct TrainSteps {
  BackendKind kind;
  const char* name;
  void (*bin_block)(const BinFeature&, const BinRule&, const SamplePlanes&, std::size_t block,
                    std::uint8_t* bins);
  BinRule (*choose_rule)(const BinFeature&, const SamplePlanes&);
  void (*weigh_bins)(std::span<const std::uint8_t> bins, std::span<const std::uint32_t> weights,
                     std::size_t positives, BinWeights& sums);
};

// A backend without training steps is a kBackend error; `auto` is the fastest that has them.
const TrainSteps& find_train_steps(BackendKind kind);

}  // namespace winnow
