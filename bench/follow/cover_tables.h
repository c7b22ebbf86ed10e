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

// Judges made videos in which a face hides for 1, 5 or 10 frames: one table by kind of hiding, and one by
// `linger`. `seeds`: how many videos are made for each kind of hiding, place, length and speed.
std::vector<ResultList> made_covers(const std::string& data, const winnow::MachineOptions& machine,
                                    int seeds);
// Judges videos with a marked face: `tracks/NAME/NAME.mpg` and its gt.txt.
ResultList marked_covers(const std::string& data, const winnow::MachineOptions& machine,
                         const std::vector<std::string>& names);
// Counts covers in pans over scenes without faces, by the presence with which a face begins.
ResultList needless_covers(const std::string& data, const winnow::MachineOptions& machine, int videos);
// Counts the marked points of faces that lie inside covers, by margin.
ResultList cover_margins(const std::string& data, const winnow::MachineOptions& machine);

}  // namespace bench
