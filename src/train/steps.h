// What backends do in training, as one table.
#pragma once

#include <winnow/backend.h>

#include "train/bin_table.h"

namespace winnow {

struct TrainSteps {
  BackendKind kind;
  const char* name;
  BinRule (*choose_rule)(const BinFeature&, const SamplePlanes&);
  void (*bin_block)(const BinFeature&, const BinRule&, const SamplePlanes&, std::size_t block,
                    std::uint8_t* bins);
  std::unique_ptr<BinTable> (*make_table)(const TableRequest& request);
};

// A backend without training is a kBackend error; `auto` is the fastest that has it.
const TrainSteps& find_train_steps(BackendKind kind);

// The run's rules, from the first stage's samples.
void choose_rules(const TrainSteps& steps, const SamplePlanes& planes, int threads, WeakKind weak,
                  RunFeatures& features);

}  // namespace winnow
