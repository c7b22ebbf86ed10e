// Draws the figures of an evaluation of landmarks: curves, reliability, the error of each point, and crops
// with points.
//
// In:     reports and faces, not copied.
// Out:    HTML and SVG.
// Exact:  the same text for the same input.
// Memory: text belongs to the caller.
// Thread: any.
#pragma once

#include <string>

#include <winnow/eval_landmarks.h>

#include "page/thumb.h"

namespace winnow {

// Gives the words for the length by which distances are divided.
const char* norm_words(LandmarkNorm norm);

// A <div> with a plot of cumulative curves for each norm that a model has. If a model has confidence, a plot
// of its reliability follows.
std::string landmark_curves(const LandmarkReport& report);
// A <div> with a drawing for each model. The mean shape of the found faces has a circle around each compared
// point, whose radius is the point's mean error.
std::string point_errors(const LandmarkReport& report);
// The points of a label and of a shape, as an <svg> that covers the crop `thumb`. `place`: the place in the
// picture that the crop shows.
std::string points_over(const Thumb& thumb, const RealBox& place, const Label& label, const Shape& shape,
                        const LandmarkEvaluation& compared);
// The box around all points of the label and of the shape.
RealBox box_of_points(const Label& label, const Shape& shape);

}  // namespace winnow
