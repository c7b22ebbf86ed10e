// Candidates in, objects out: boxes that are similar, directly or through others, become one mean box.
// In: candidates, how many a group must exceed, how far similar edges may lie apart. Out: objects in the
// order of their first candidate, with the number of candidates and the largest score. exact: equal on every
// backend, and the boxes are those of OpenCV's groupRectangles. `min_neighbors` <= 0 passes the candidates
// through. reference: n^2 comparisons. cpu: sorted bands, n log n on spread-out boxes; allocates nothing once
// it has seen n. cuda: one block, up to 2,048 candidates; more are grouped by the host, which is faster then.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <winnow/box.h>

namespace winnow {

struct Candidate {
  Box box;
  double score = 0;
  int count = 1;
  bool operator==(const Candidate&) const = default;
};

// A candidate's box and the band of rows that its top lies in.
struct BandBox {
  std::int64_t band;
  int candidate;
  Box box;
};

// Buffers of one thread.
struct GroupScratch {
  std::vector<int> parent, label, order, run_end;
  std::vector<std::uint64_t> keys;
  std::vector<BandBox> sorted, spare;
  std::vector<std::int64_t> sums;
  std::vector<Candidate> groups;
  std::int64_t looks = 0;  // pairs of boxes that the last group_cpu compared
};

void group_ref(std::span<const Candidate> candidates, int min_neighbors, double eps, GroupScratch& scratch,
               std::vector<Candidate>& objects);
void group_cpu(std::span<const Candidate> candidates, int min_neighbors, double eps, GroupScratch& scratch,
               std::vector<Candidate>& objects);
// On the current device.
void group_cuda(std::span<const Candidate> candidates, int min_neighbors, double eps, GroupScratch& scratch,
                std::vector<Candidate>& objects);

// The second half, shared: `scratch.label[i]` is the group of candidate i, groups numbered by their first
// member.
void merge_labels(std::span<const Candidate> candidates, int groups, int min_neighbors, double eps,
                  GroupScratch& scratch, std::vector<Candidate>& objects);

}  // namespace winnow
