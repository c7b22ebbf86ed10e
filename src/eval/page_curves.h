// Draws the curves of a report as figures of a page.
//
// In:     a report.
// Out:    HTML: a <div> of class `plots` with one <figure> per plot. Miss rates over false positives per
//         window and per picture come first and side by side, with the same range of miss rates. Each model
//         has the same colour in all plots.
// Exact:  the same text for the same report.
// Memory: the text belongs to the caller.
// Thread: any.
#pragma once

#include <string>

#include <winnow/eval.h>

namespace winnow {

std::string curve_figures(const EvalReport& report);

}  // namespace winnow
