// Makes the curve of a thesis on faces anew: the time of each of 850 frames, in three settings. In the first
// no face is there, and each frame is searched. In the second a face is searched in each frame, without flow.
// In the third a face is searched in every tenth frame, and flow carries the face between searches.
//
// In:     models, a picture of a face, and the size and number of frames. A moving picture makes the frames.
// Out:    the times of all frames; a table of their mean, median, 95 % and greatest; an SVG picture.
// Exact:  faces and points are those of the library. Times vary.
// Memory: the caller owns all that is returned.
// Thread: one thread at a time.
//
// Each frame goes from host memory to host results. Frames before the first counted frame make plans and
// graphs.
#pragma once

#include <winnow/detector_model.h>
#include <winnow/image.h>
#include <winnow/landmarks.h>
#include <winnow/machine.h>

#include <span>
#include <string>
#include <vector>

#include "frame_times.h"
#include "results_file.h"

namespace bench {

struct FrameCurve {
  std::string setting;
  double faces = 0;  // mean faces of a frame
  FrameTimes times;
};

struct CurveRun {
  winnow::Size size{720, 1280};
  int frames = 850;
  winnow::MachineOptions machine;
};

// With an empty picture there is only the setting without a face.
std::vector<FrameCurve> frame_curves(const winnow::DetectorModel& detector,
                                     const winnow::Landmarks& landmarks, winnow::GrayView face,
                                     const CurveRun& run);

// The table has the figures of the thesis, too. `command`: the command that makes the table.
ResultList curve_results(std::span<const FrameCurve> curves, const CurveRun& run, const std::string& backend,
                         const std::string& command);

std::string curve_picture(std::span<const FrameCurve> curves, const CurveRun& run);

}  // namespace bench
