// Makes a thesis's tables on faces in frames: one of detection, one of flow, and one of detection with points
// and flow.
//
// In:     models, a picture of a face or an empty picture, and sizes of frames or numbers of points. The
//         program makes the frames.
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
  std::string command;  // the command that makes the table, as the table shows it
};

// Times detection in frames of size `whole` that are scaled by each input scale. On the host, also times
// `scaled_search`.
ResultList haar_results(const winnow::Cascade& cascade, winnow::GrayView face, winnow::Size whole,
                        std::span<const double> scales, const TableRun& run);

// The thesis's setup, setups in which its levels, window or iterations are changed one at a time, and the
// most expensive setup.
std::vector<winnow::FlowOptions> flow_setups();
ResultList flow_results(std::span<const int> points, winnow::Size size, const TableRun& run);

// Times faces that are followed with a search in every frame, and in every tenth frame.
ResultList pipeline_results(const winnow::DetectorModel& detector, const winnow::Landmarks& landmarks,
                            winnow::GrayView face, std::span<const winnow::Size> sizes, const TableRun& run);

}  // namespace bench
