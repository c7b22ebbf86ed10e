// The steps as one table, filled once a backend. A step that a backend lacks does not exist: there is no
// fallback.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <winnow/backend.h>

#include "group/group.h"
#include "sieve/stages.h"

namespace winnow {

struct SieveRequest {
  int threads = 1;
  int device = 0;
};

struct BackendTable {
  BackendKind kind;
  const char* name;
  std::unique_ptr<Sieve> (*make_sieve)(const Cascade& cascade, const SieveRequest& request);
  void (*group)(std::span<const Candidate>, int min_neighbors, double eps, GroupScratch&,
                std::vector<Candidate>&);
};

// `auto` is the fastest backend of this build and machine; an absent one is a kBackend error that says why.
const BackendTable& find_backend(BackendKind kind);

}  // namespace winnow
