// Judges all windows of a grid on a processor in the parts that a paper on heterogeneous TLD times (Gurcan
// and Temizel 2015): variance, indices of ferns, confidence. The paper calls the whole "total recall".
//
// In:     a prepared frame with sums, a grid of windows, and what is known of the object.
// Out:    the windows that vary enough, their patterns, and the sums of the ferns' values.
// Exact:  the windows and sums of `sift_windows_ref` (sift_windows.h), for every number of threads.
// Memory: the caller owns all lists, whose memory is used again.
// Thread: one thread at a time. A `Team` works with several.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "track/tld/learnt_object.h"
#include "track/tld/object_frame.h"
#include "track/tld/object_search.h"
#include "tracking/team.h"

namespace bench {

struct SearchedFrame {
  const winnow::ObjectFrame& frame;
  const winnow::ObjectGrid& grid;
  const winnow::LearntObject& object;
};

struct Recall {
  std::vector<std::uint32_t> varied;          // numbers of windows, in their order
  std::vector<winnow::FernPattern> patterns;  // of each varied window
  std::vector<std::int32_t> confidences;      // of every window of the grid; 0 if it does not vary enough
};

void find_varied(const SearchedFrame& in, Team& team, std::vector<std::uint32_t>& varied);
void find_patterns(const SearchedFrame& in, Team& team, std::span<const std::uint32_t> varied,
                   std::vector<winnow::FernPattern>& patterns);

// The indices of the ferns for a list of windows, the form in which they lie.
struct FernIndices {
  const std::uint16_t* first;
  std::size_t fern_step, window_step;  // from one fern to the next; from one window to the next
};

// Writes the sum of each listed window to `confidences[window]`. `own_arrays`: each thread writes into an
// array of its own, and one thread then spreads the sums. Without, threads write to neighbouring places.
class ConfidenceSums {
 public:
  void find(std::span<const std::uint32_t> windows, const FernIndices& indices,
            std::span<const std::uint16_t> values, bool own_arrays, Team& team,
            std::span<std::int32_t> confidences);

 private:
  std::vector<std::vector<std::int32_t>> own_;
};

// Throws if the sums are not those of the likely windows.
void check_recall(const Recall& recall, std::span<const winnow::LikelyWindow> likely);

}  // namespace bench
