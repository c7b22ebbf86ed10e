// Merges candidates by support: the window that most others agree with becomes an object, and takes all
// windows that lie on it.
//
// In:     candidates, the score at which a candidate weighs 0 (`floor`), and the number of candidates that an
//         object must exceed. The candidates' own `count` is not read.
// Out:    objects in the order of their first candidate. An object has the box of its best supported
//         candidate, that candidate's support as its score, and the number of its candidates. `objects` is
//         overwritten, and must not be the list that holds the candidates.
// Exact:  equal on every backend. A device's candidates are merged on the host, by `support_cpu`.
// Memory: the caller owns lists and scratch. `support_cpu` allocates only for more candidates than scratch
//         and list held before. `support_ref` allocates in each call.
// Thread: one thread per `SupportScratch`.
// Cost:   `support_ref`: n^2 pairs. `support_cpu`: pairs of similar size that lie near each other. Both
//         compare each candidate with the objects so far.
//
// Candidates are taken in falling order of support; candidates with equal support keep their order. Each
// candidate joins the first object whose box covers enough of it (`same_object`), or becomes an object. So a
// box around a part of an object does not become an object of its own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "group/group.h"
#include "group/support_rule.h"

namespace winnow {

// Buffers of one thread.
struct SupportScratch {
  std::vector<int> sorted;            // candidates by width, then by top edge
  std::vector<std::int64_t> support;  // the support of each candidate
  std::vector<int> order;             // candidates by falling support
  std::vector<Candidate> made;        // objects in the order in which they were made
  std::vector<int> first;             // the first candidate of each object
  std::vector<int> object_order;
};

void support_ref(std::span<const Candidate> candidates, double floor, int min_neighbors,
                 SupportScratch& scratch, std::vector<Candidate>& objects);
void support_cpu(std::span<const Candidate> candidates, double floor, int min_neighbors,
                 SupportScratch& scratch, std::vector<Candidate>& objects);

// The step that `support_ref` and `support_cpu` share. Makes the objects from `scratch.support`.
void keep_supported(std::span<const Candidate> candidates, int min_neighbors, SupportScratch& scratch,
                    std::vector<Candidate>& objects);

}  // namespace winnow
