// Makes the tables of followed points, by `FollowOptions::between`: errors between searches in videos,
// trembling in pictures that stand still, and errors in videos whose motion is known.
//
// In:     the data folder, videos, landmarks of 68 points, and the machine to run on.
// Out:    tables for bench/results/.
// Exact:  same figures for every backend.
// Memory: all frames of a video.
// Thread: one thread at a time.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <winnow/follower.h>
#include <winnow/machine.h>

#include "followed_videos.h"
#include "results_file.h"

namespace bench {

// The ways to place points between searches, in the order of the tables.
inline constexpr winnow::Between kWays[] = {winnow::Between::kSteady, winnow::Between::kFit,
                                            winnow::Between::kCarry};

// Compares points between searches with those of a search of each frame. `command`: the command that makes
// the table, as the table shows it.
ResultList points_in_videos(std::span<const VideoName> videos, std::span<const NamedLandmarks> landmarks,
                            const winnow::MachineOptions& machine, const std::string& command);
// Measures trembling with `faces` faces of HELEN in noise.
ResultList still_points(const std::string& data, std::span<const NamedLandmarks> landmarks,
                        const winnow::MachineOptions& machine, int faces);
// Measures errors with `faces` faces of HELEN whose motion is known: a table of all points, and one of mouths.
std::vector<ResultList> moved_points(const std::string& data, std::span<const NamedLandmarks> landmarks,
                                     const winnow::MachineOptions& machine, int faces);

}  // namespace bench
