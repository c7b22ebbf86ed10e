// Gives a small training for tests: options, a run, a pack, and checks of the result.
//
// Out:    `small_pack` is made once per program, with the same content in every program.
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

inline CascadeOptions small_options() {
  CascadeOptions options;
  options.negatives = 300;
  options.features_per_round = 400;
  options.form = StageOptions{.stages = 5};
  return options;
}

inline RunOptions small_run() {
  RunOptions run;
  run.machine = {BackendKind::kCpu, 2};
  return run;
}

inline const Pack& small_pack() {
  static const Pack pack = sample::make_sample_pack({16, 16}, 80, 20, 1);
  return pack;
}

inline std::vector<std::byte> bytes_of(const TrainResult& result) {
  return result.cascade.to_bytes(CascadeFormat::kWinnow);
}

inline void expect_refused(const Pack& pack, const CascadeOptions& options, const std::string& words,
                           const RunOptions& run = small_run()) {
  try {
    train_cascade(pack, options, run);
    ADD_FAILURE() << "not refused: " << words;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

}  // namespace winnow::sample
