// Makes the tables of followed faces: how often a face's number changes, how much points tremble, and how far
// they lag behind.
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

// Counts changes of numbers in `videos` videos. In each, five faces of LFW walk over a scene, cross, and hide
// behind a pillar.
ResultList changed_numbers(const std::string& data, const winnow::MachineOptions& machine, int videos);
// Measures trembling and lag with faces of HELEN in noise, which stand still and which move.
ResultList trembling(const std::string& data, const winnow::MachineOptions& machine, int faces);

}  // namespace bench
