// Groups candidates into objects: boxes that are similar, directly or through others, become one mean box.
//
// In:     candidates, the number of candidates that a group must exceed, and `eps`: how far similar edges may
//         lie apart, as a fraction of the boxes' size. The candidates' own `count` is not read.
// Out:    objects in the order of their first candidate, each with the number of candidates and the largest
//         score. `min_neighbors` <= 0 passes the candidates through. `objects` is overwritten, and must not
//         be the list that holds the candidates.
// Exact:  equal on every backend. The boxes are those of OpenCV's groupRectangles.
// Memory: the caller owns lists and scratch. `group_cpu` allocates only for more candidates than scratch and
//         list held before. `group_ref` and `group_cuda` allocate in each call; `group_cuda` also waits.
// Thread: one thread per `GroupScratch`.
// Cost:   `group_ref`: n^2 comparisons. `group_cpu`: sorted bands, n log n for spread-out boxes.
//         `group_cuda`: one block of threads, for up to 16,384 candidates. Beyond 2,048 (fewer if blocks have
//         little memory), the block uses slower memory. Beyond 16,384, the host groups the candidates.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <winnow/box.h>
#include <winnow/plan_rules.h>

namespace winnow {

// A box before or after grouping.
struct Candidate {
  Box box;
  double score = 0;
  int count = 1;  // the number of candidates in the group
  bool operator==(const Candidate&) const = default;
};

// A candidate's box and the band of rows that holds its top edge.
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
  MeanRule mean = MeanRule::kFloat;  // set by the caller
  // The work of the last `group_cpu`: compared pairs of boxes or of groups, plus skipped runs of boxes.
  std::int64_t comparisons = 0;
};

void group_ref(std::span<const Candidate> candidates, int min_neighbors, double eps, GroupScratch& scratch,
               std::vector<Candidate>& objects);
void group_cpu(std::span<const Candidate> candidates, int min_neighbors, double eps, GroupScratch& scratch,
               std::vector<Candidate>& objects);
// Runs on the current device.
void group_cuda(std::span<const Candidate> candidates, int min_neighbors, double eps, GroupScratch& scratch,
                std::vector<Candidate>& objects);

// The last step of `group_ref` and `group_cpu`. Merges each group into one box. Drops groups that are too
// small, and groups that other groups swallow. `scratch.label[i]` is the group of candidate i. Groups are
// numbered in the order of their first members.
void merge_labels(std::span<const Candidate> candidates, int groups, int min_neighbors, double eps,
                  GroupScratch& scratch, std::vector<Candidate>& objects);

}  // namespace winnow
