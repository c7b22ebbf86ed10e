// Compares the backend `cpu` with the reference sieve, for tests.
//
// In:     a cascade, pictures, the scale factor and the smallest window.
// Out:    an assertion result that names the first difference.
// Exact:  every SIMD target and 1 to 3 threads must give the reference's answer.
// Memory: sieves and answers live during a call.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <winnow/backend.h>
#include <winnow/cascade.h>

#include "base/simd_for_test.h"
#include "sieve/results_for_test.h"
#include "sieve/stages.h"

namespace winnow::sample {

struct Tally {
  int cascades = 0;
  std::int64_t windows = 0, survivors = 0, skipped = 0, flat = 0;
};

// Compares every SIMD target and 1 to 3 threads with the reference. For each number of threads, one sieve
// judges all pictures on all targets.
inline testing::AssertionResult same_everywhere(const Cascade& cascade, const std::vector<GrayView>& pictures,
                                                double factor, Size min_size, Tally* tally = nullptr) {
  const GiveTargetBack give_back;
  std::vector<LevelPlan> plans(pictures.size());
  std::vector<SieveResult> wanted(pictures.size());
  const auto reference = make_sieve_ref(cascade);
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    plan_levels({pictures[i].size(), cascade.window(), factor, min_size, {}}, plans[i]);
    reference->run(pictures[i], plans[i], wanted[i]);
    if (tally == nullptr) continue;
    tally->windows += wanted[i].windows;
    tally->survivors += static_cast<std::int64_t>(wanted[i].survivors.size());
    tally->skipped += wanted[i].skipped;
    tally->flat += wanted[i].flat;
  }
  for (const int threads : {1, 2, 3}) {
    const auto sieve = make_sieve_cpu(cascade, threads);
    for (const std::string& target : list_simd_targets()) {
      force_simd_target(target);
      if (sieve->simd() != target)
        return testing::AssertionFailure() << target << " was asked for, not " << sieve->simd();
      for (std::size_t i = 0; i < pictures.size(); ++i) {
        SieveResult got;
        sieve->run(pictures[i], plans[i], got);
        const std::string what = difference(wanted[i], got);
        if (what.empty()) continue;
        return testing::AssertionFailure()
               << target << ", " << threads << " threads, picture " << i << " of " << pictures[i].width << "x"
               << pictures[i].height << ", factor " << factor << ", minimum " << min_size.width << ", window "
               << cascade.window().width << "x" << cascade.window().height << ": " << what;
      }
    }
  }
  return testing::AssertionSuccess();
}

}  // namespace winnow::sample
