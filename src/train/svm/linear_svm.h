// Solves a linear SVM: weights and a bias that separate two classes.
//
// In:     rows of 16-bit values in units of 2^-15, positives first; the costs of errors of both classes.
// Out:    the weights w that minimise |w|^2 / 2 + the sum of cost * error over all rows, within a tolerance.
//         The bias counts as a weight, of a value that is always 1. The error of a row is max(0, 1 - label *
//         score), or the square of this.
// Exact:  one thread and sums in a fixed order give the same result on every machine.
// Memory: two dozen bytes per row, beside the rows.
// Thread: any.
// Cost:   ten to a hundred passes over the rows whose multipliers still change.
//
// Coordinate descent in the dual (Hsieh and others, 2008): each row has a multiplier from 0 to its cost. With
// squared errors the multiplier has no upper bound, and the row's sum of squares grows by 1 / (2 * cost). A
// pass visits the rows in an order drawn by the seed, and sets each multiplier to its best value. A row is
// left out while its multiplier is at a bound that its best value would cross. Before the end, these rows are
// checked again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace winnow {

struct SvmRows {
  std::span<const std::int16_t> values;  // the values of all rows, row after row
  std::size_t length = 0;                // values per row
  std::size_t positives = 0;             // number of positives, which are the first rows
  std::size_t count() const { return values.size() / length; }
  const std::int16_t* row(std::size_t i) const { return values.data() + i * length; }
};

struct SvmRules {
  double cost = 0.01;           // factor of an error on a negative
  double positive_cost = 0.01;  // factor of an error on a positive
  double tolerance = 0.02;      // at the end, the dual's gradients differ by at most this
  bool squared = false;         // whether errors are squared
  int most_passes = 500;
  std::uint64_t seed = 1;
};

struct SvmSolution {
  std::vector<float> weights;
  double bias = 0;
  int passes = 0;
  bool done = false;  // whether the gradients came within the tolerance
};

// Returns the sum of the row's values times `weights`. The order of addition does not depend on the machine.
double row_score(const std::int16_t* row, std::span<const float> weights);

// Calls `go_on(passes)` after each pass that has not reached the tolerance. If `go_on` returns false, returns
// the solution so far.
SvmSolution solve_svm(const SvmRows& rows, const SvmRules& rules, const std::function<bool(int)>& go_on);

}  // namespace winnow
