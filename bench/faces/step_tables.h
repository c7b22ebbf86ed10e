// Makes the tables of a thesis on faces that concern frames: detection, flow, and both with points.
//
// In:     models, a picture of a face or an empty one, and sizes or numbers. Frames are made from them.
// Out:    tables in the form of `results_file.h`. Without a picture they have no rows with a face.
// Exact:  objects, points and faces are those of the library. Times vary.
// Memory: the caller owns models, picture and tables.
// Thread: one thread at a time.
//
// Each frame goes from host memory to host results.
#pragma once

#include <winnow/cascade.h>
#include <winnow/detector_model.h>
#include <winnow/flow_options.h>
#include <winnow/image.h>
#include <winnow/landmarks.h>
#include <winnow/machine.h>

#include <span>
#include <string>
#include <vector>

#include "results_file.h"

namespace bench {

struct TableRun {
  winnow::MachineOptions machine;
  int repeat = 31;
  std::string command;  // as the table names it
};

// Frames of `whole` size times each input scale. On the host, scaled features follow in plain loops.
ResultList haar_results(const winnow::Cascade& cascade, winnow::GrayView face, winnow::Size whole,
                        std::span<const double> scales, const TableRun& run);

// The setups whose levels, windows and iterations are varied one at a time, and the dearest.
std::vector<winnow::FlowOptions> flow_setups();
ResultList flow_results(std::span<const int> points, winnow::Size size, const TableRun& run);

// Faces followed with a search in every frame and in every tenth.
ResultList pipeline_results(const winnow::DetectorModel& detector, const winnow::Landmarks& landmarks,
                            winnow::GrayView face, std::span<const winnow::Size> sizes, const TableRun& run);

}  // namespace bench
