// Makes the tables of covers: faces left visible, and covers that no face needs.
//
// In:     the data folder, and the machine to run on.
// Out:    tables for bench/results/.
// Exact:  same figures for every backend.
// Thread: one thread at a time.
#pragma once

#include <string>
#include <vector>

#include <winnow/machine.h>

#include "results_file.h"

namespace bench {

// Faces that hide for 1, 5 and 10 frames in made videos: one table by hiding, and one by `linger`. `seeds`: videos
// for each hiding, place, length and speed.
std::vector<ResultList> made_covers(const std::string& data, const winnow::MachineOptions& machine,
                                    int seeds);
// Videos with a marked face: `tracks/NAME/NAME.mpg` and its gt.txt.
ResultList marked_covers(const std::string& data, const winnow::MachineOptions& machine,
                         const std::vector<std::string>& names);
// Pans over scenes without faces, by the presence with which a face begins.
ResultList needless_covers(const std::string& data, const winnow::MachineOptions& machine, int videos);
// Marked points of faces inside of covers, by margin.
ResultList cover_margins(const std::string& data, const winnow::MachineOptions& machine);

}  // namespace bench
