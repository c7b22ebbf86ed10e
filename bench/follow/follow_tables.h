// Makes the tables of followed faces: numbers that change, trembling of points, and lag.
//
// In:     the data folder, and the machine to run on.
// Out:    tables for bench/results/.
// Exact:  same figures for every backend.
// Thread: one thread at a time.
#pragma once

#include <string>

#include <winnow/machine.h>

#include "results_file.h"

namespace bench {

// Five faces of LFW walk over a scene, cross, and hide behind a pillar; `videos` such videos.
ResultList changed_numbers(const std::string& data, const winnow::MachineOptions& machine, int videos);
// Faces of HELEN in noise, that stand still and that move.
ResultList trembling(const std::string& data, const winnow::MachineOptions& machine, int faces);

}  // namespace bench
