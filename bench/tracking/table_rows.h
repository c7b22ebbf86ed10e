// Makes the tables of a paper on heterogeneous TLD (Gurcan and Temizel 2015) from measured times.
//
// In:     for each size of frames, times and counts by name, and how windows were grouped.
// Out:    tables as tools/results.py reads them. A figure that was not measured is null.
// Memory: the caller owns measures and tables.
// Thread: any.
#pragma once

#include <winnow/box.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frame_times.h"
#include "results_file.h"
#include "tracking/recall/recall_cuda.h"

namespace bench {

// Figures by name.
class Measures {
 public:
  void add(const std::string& name, double figure);
  // The median over all frames; none if nothing was measured.
  std::optional<double> of(const std::string& name) const;
  // The sum of several; none if one of them is missing.
  std::optional<double> sum(const std::vector<std::string>& names) const;
  std::int64_t calls(const std::string& name) const;

 private:
  const FrameTimes* find(const std::string& name) const;
  std::vector<std::pair<std::string, FrameTimes>> lists_;
};

struct SizeMeasures {
  winnow::Size size;
  Measures measures;
  std::vector<ClusterForm> forms = {};  // empty without a device
  int frames = 0;
};

// `about`: what was followed, and with how many threads.
std::vector<ResultList> track_tables(const std::vector<SizeMeasures>& sizes, int threads,
                                     const std::string& command, const std::string& about);

}  // namespace bench
