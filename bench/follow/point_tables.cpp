#include "point_tables.h"

#include <winnow/winnow.h>

#include <algorithm>
#include <cstddef>
#include <map>

#include "point_errors.h"
#include "still_faces.h"

namespace bench {

using namespace winnow;

ResultList points_in_videos(std::span<const VideoName> videos, std::span<const NamedLandmarks> landmarks,
                            const MachineOptions& machine, const std::string& command) {
  ResultList list{
      .name = "followed_points",
      .title = "Errors of points between searches",
      .unit = "percent of the distance of the outer eye corners; frames",
      .command = command,
      .about =
          "A search every 10 frames. The error is the mean distance of a face's points from those that a "
          "search of each frame gives, with `between` fit. `n` counts frames since a search found the face. "
          "Ways of placing points ask for searches in other frames. So \"1 to 4\" and \"5 to 9\" are means "
          "over faces for which these numbers hold with `steady` and with `fit`. A few large errors can "
          "make a mean, so they are counted, too. The aim is that `steady` stays below a multiple of `fit`, "
          "or below `fit` "
          "plus 0.4. The multiple is 1.5 for \"1 to 4\", and 1.25 for \"5 to 9\".",
      .columns = {"video", "landmarks", "between", "n1", "n3", "n5", "n7", "n9", "early", "late", "frames",
                  "large"},
      .by = {{"video", "video"}, {"landmarks", "landmarks"}, {"between", "`between`"}},
      .values = {{"n1", "n = 1", 2},
                 {"n3", "3", 2},
                 {"n5", "5", 2},
                 {"n7", "7", 2},
                 {"n9", "9", 2},
                 {"early", "1 to 4", 2},
                 {"late", "5 to 9", 2},
                 {"frames", "frames", 0},
                 {"large", "frames above 10 %", 0}}};
  for (const VideoName& video : videos) {
    const std::vector<GrayImage> frames = frames_of(video);
    for (const NamedLandmarks& named : landmarks) {
      FollowOptions options;
      options.detect_every = 1;
      options.between = Between::kFit;
      const auto yardstick = faces_in(frames, named.landmarks, options, machine);
      options.detect_every = 10;
      std::map<Between, AgeErrors> all;
      for (const Between way : kWays) {
        options.between = way;
        const auto faces = faces_in(frames, named.landmarks, options, machine);
        for (std::size_t i = 0; i < frames.size(); ++i) all[way].add(yardstick[i], faces[i]);
      }
      const AgeErrors* const fitted[] = {&all[Between::kSteady], &all[Between::kFit]};
      for (const Between way : kWays) {
        const AgeErrors& errors = all[way];
        list.rows.push_back({short_name(video), named.name, between_name(way), errors.mean(1, 1),
                             errors.mean(3, 3), errors.mean(5, 5), errors.mean(7, 7), errors.mean(9, 9),
                             errors.mean_beside(fitted, 1, 4), errors.mean_beside(fitted, 5, 9),
                             errors.count(1, AgeErrors::kMost), errors.large()});
      }
    }
  }
  return list;
}

ResultList still_points(const std::string& data, std::span<const NamedLandmarks> landmarks,
                        const MachineOptions& machine, int faces) {
  const std::vector<GrayImage> pictures = still_faces(data, machine, faces);
  ResultList list{
      .name = "followed_still",
      .title = "Trembling of points, by how they are placed between searches",
      .unit = "pixels a frame",
      .command = "winnow_following --tables still",
      .about = "The pictures of the table of trembling (" + std::to_string(pictures.size()) +
               "), which stand still in noise. Trembling is the mean step of a point. The share is that of "
               "a search of each frame with `between` fit. The aim is a share of at most 0.3 for `steady` "
               "in noise of 3.",
      .columns = {"landmarks", "noise", "detect_every", "between", "trembling", "share"},
      .by = {{"landmarks", "landmarks"},
             {"noise", "deviation of the noise"},
             {"detect_every", "`detect_every`"},
             {"between", "`between`"}},
      .values = {{"trembling", "pixels a frame", 2}, {"share", "share", 2}}};
  const auto mean = [&](const NamedLandmarks& named, const FollowOptions& options, double noise) {
    double sum = 0;
    for (const GrayImage& picture : pictures)
      sum += steadiness_of(named.landmarks, machine, picture.view(), options, Stand::kStill, noise).trembling;
    return sum / std::max(1.0, static_cast<double>(pictures.size()));
  };
  for (const NamedLandmarks& named : landmarks)
    for (const int noise : {3, 6}) {
      FollowOptions options;
      options.detect_every = 1;
      options.between = Between::kFit;
      const double found = mean(named, options, noise);
      list.rows.push_back({named.name, noise, 1, between_name(options.between), found, 1.0});
      options.detect_every = 10;
      for (const Between way : kWays) {
        options.between = way;
        const double trembling = mean(named, options, noise);
        list.rows.push_back({named.name, noise, 10, between_name(way), trembling, trembling / found});
      }
    }
  return list;
}

}  // namespace bench
