// What a user asks of `winnow track`, and the videos that its inputs stand for.
//
// In:     names of videos, folders, cameras and streams.
// Out:    a source for each video; kUsage for what cannot be followed.
// Memory: results belong to the caller.
#pragma once

#include <winnow/feed.h>
#include <winnow/image.h>
#include <winnow/machine.h>
#include <winnow/tracker.h>

#include <cstdint>
#include <string>
#include <vector>

namespace winnow::cli {

struct TrackJob {
  std::vector<std::string> inputs, boxes;
  std::string load, save;  // files of objects; empty: none
  std::string format = "jsonl", out, backend = "auto";
  TrackOptions options;
  MachineOptions machine;
  std::int64_t max_pixels = ReadOptions().max_pixels;
  int trail = 0;
  bool backward = false, quiet = false;
};

// What is read for one video, and what its frames are called.
struct TrackSource {
  std::vector<Input> inputs;
  std::string name;
  bool pictures = false;  // each input is a frame
};

std::vector<TrackSource> find_sources(const TrackJob& job);

}  // namespace winnow::cli
