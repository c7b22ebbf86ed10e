// Prints the rows of `winnow bench`, each as soon as it is measured: as a table, or as lines of JSON.
//
// In:     rows, one after the other.
// Out:    text on standard output; `OutputClosed` or kIo as `print` throws them.
// Memory: keeps counts only.
// Thread: the main thread.
#pragma once

#include <cstddef>
#include <string>

#include "benching/bench_row.h"

namespace winnow::cli {

struct BenchForm {
  bool json = false;
  bool stages = false;         // with `json`: also the number of windows that reached each stage
  bool files = false;          // whether the rows are of files, which have parts
  std::size_t name_width = 5;  // of the longest model's name
  int repeat = 1;
};

class BenchOutput {
 public:
  explicit BenchOutput(const BenchForm& form) : form_(form) {}

  void add(const BenchRow& row);
  // Explains the columns of a table. Nothing to explain if no row was measured.
  void finish() const;
  std::size_t measured() const { return measured_; }

 private:
  std::string head() const;
  std::string line(const BenchRow& row) const;

  BenchForm form_;
  std::size_t rows_ = 0, measured_ = 0;
  std::string inputs_;  // the last measured row's pictures and problems in words
};

}  // namespace winnow::cli
