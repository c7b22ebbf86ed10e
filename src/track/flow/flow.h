// Carries points from one picture to the next by pyramidal Lucas-Kanade.
//
// In:     the Gaussian pyramids of two pictures of one size, places of points in the first (any floats), and
//         rules whose numbers are in the ranges of `FlowOptions`.
// Out:    a result for each point.
// Exact:  all forms give the bits of `flow_ref`, for every number of threads and of points in a call.
// Memory: the caller owns pyramids, points and results.
// Thread: any.
#pragma once

#include <span>

#include "scale/gaussian/gaussian_pyramid.h"
#include "track/flow/flow_rule.h"

namespace winnow {

// A form of the step on the host. The pyramids must have as many levels as `flow_levels` says; further levels
// are not read. `results` has room for one result per point.
using FlowForm = void (*)(const GaussianPyramid& before, const GaussianPyramid& now,
                          std::span<const FlowPlace> points, const FlowRules& rules, int threads,
                          FlowResult* results);
void flow_ref(const GaussianPyramid& before, const GaussianPyramid& now, std::span<const FlowPlace> points,
              const FlowRules& rules, int threads, FlowResult* results);
void flow_cpu(const GaussianPyramid& before, const GaussianPyramid& now, std::span<const FlowPlace> points,
              const FlowRules& rules, int threads, FlowResult* results);

}  // namespace winnow
