// Gives a small training for tests: options, a pack, and checks of the result.
//
// Out:    `small_pack` is made once for each program, and is the same each time.
// Memory: `small_pack` lives until the program ends.
#pragma once

#include <gtest/gtest.h>
#include <winnow/error.h>
#include <winnow/train.h>

#include <cstddef>
#include <string>
#include <vector>

#include "learn/samples_for_test.h"

namespace winnow::sample {

inline TrainOptions small_options() {
  TrainOptions options;
  options.stages = 5;
  options.negatives = 300;
  options.features_per_round = 400;
  options.backend = BackendKind::kCpu;
  options.threads = 2;
  return options;
}

inline const Pack& small_pack() {
  static const Pack pack = sample::make_sample_pack({16, 16}, 80, 20, 1);
  return pack;
}

inline std::vector<std::byte> bytes_of(const TrainResult& result) {
  return result.cascade.to_bytes(CascadeFormat::kWinnow);
}

inline void expect_refused(const Pack& pack, const TrainOptions& options, const std::string& part) {
  try {
    train_cascade(pack, options);
    ADD_FAILURE() << "not refused: " << part;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

}  // namespace winnow::sample
