// Compares two results of a sieve, for tests.
//
// In:     a wanted and a found `SieveResult`. `weak` is not compared.
// Out:    a description of the first difference, or an empty string.
// Exact:  windows, scores and counters must be equal, without a tolerance.
// Memory: the results are only read; the string is the caller's.
#pragma once

#include <cstdint>
#include <string>

#include "sieve/stages.h"

namespace winnow::sample {

// Both results list their survivors in rising window order.
inline std::string difference(const SieveResult& wanted, const SieveResult& got) {
  const auto text = [](std::int64_t n) { return std::to_string(n); };
  if (wanted.windows != got.windows) return "windows " + text(wanted.windows) + ", got " + text(got.windows);
  if (wanted.flat != got.flat) return "flat " + text(wanted.flat) + ", got " + text(got.flat);
  if (wanted.skipped != got.skipped) return "skipped " + text(wanted.skipped) + ", got " + text(got.skipped);
  if (wanted.reached.size() != got.reached.size()) return "the number of stages";
  for (std::size_t s = 0; s < wanted.reached.size(); ++s) {
    if (wanted.reached[s] == got.reached[s]) continue;
    return "reached stage " + std::to_string(s) + ": " + text(wanted.reached[s]) + ", got " +
           text(got.reached[s]);
  }
  if (wanted.survivors.size() != got.survivors.size()) return "the number of survivors";
  for (std::size_t i = 0; i < wanted.survivors.size(); ++i) {
    if (wanted.survivors[i] == got.survivors[i]) continue;
    return "survivor " + std::to_string(i) + ": window " + text(wanted.survivors[i].window) + ", got " +
           text(got.survivors[i].window) + "; scores differ by " +
           std::to_string(got.survivors[i].score - wanted.survivors[i].score);
  }
  return {};
}

}  // namespace winnow::sample
