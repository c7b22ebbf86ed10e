// Makes the table of detection, points and flow in videos.
#include <winnow/follower.h>

#include "faces/call_time.h"
#include "faces/moving_picture.h"
#include "faces/step_tables.h"

namespace bench {
namespace {

constexpr int kFrames = 10;  // frames per call; with a search in every tenth frame, a call has one search

struct Timed {
  double faces = 0, milliseconds = 0;  // per frame
};

Timed time_frames(winnow::Follower& follower, const MovingPicture& video, const Calls& calls) {
  std::vector<winnow::Followed> faces;
  int number = 0;
  std::size_t seen = 0;
  const double ms = median_milliseconds(calls, [&] {
    for (int i = 0; i < kFrames; ++i, ++number) {
      follower.next(video.frame(number), faces);
      seen += faces.size();
    }
  });
  return {static_cast<double>(seen) / number, ms / kFrames};
}

}  // namespace

ResultList pipeline_results(const winnow::DetectorModel& detector, const winnow::Landmarks& landmarks,
                            winnow::GrayView face, std::span<const winnow::Size> sizes, const TableRun& run) {
  const Calls calls = calls_on(run.machine, run.repeat);
  const std::string backend =
      winnow::backend_name(winnow::Follower(detector, landmarks, {}, run.machine).backend());
  ResultList list{
      "face_pipeline_" + backend,
      "Detection, points and flow of videos on `" + backend + "`",
      "frames a second; milliseconds",
      run.command,
      "`" + detector.card().name + "` searches, `" + landmarks.model().card.name +
          "` marks points. In frames that are not searched flow carries the face, and the points are fitted "
          "anew. With a face, a picture moves over ground with texture. "
          "Nothing is decoded or shown. A call takes ten frames. " +
          calls_in_words(calls) +
          "The thesis follows one face of live video, and searches in every frame while there is none. "
          "Winnow keeps to every tenth frame then, unless `until_found` is set. "
          "So the thesis's row without a face stands beside a search in every frame.",
      {"on", "size", "search", "scene", "faces", "rate", "ms"},
      {{"on", "on"}, {"size", "frames"}, {"search", "searched"}, {"scene", "scene"}},
      {{"faces", "faces a frame", 2}, {"rate", "frames a second", 1}, {"ms", "ms a frame", 2}}};
  for (const winnow::Size size : sizes) {
    for (const bool with_face : {false, true}) {
      if (with_face && face.empty()) continue;
      const MovingPicture video(with_face ? face : winnow::GrayView(), size);
      for (const int every : {1, 10}) {
        winnow::FollowOptions options;
        options.detect_every = every;
        winnow::Follower follower(detector, landmarks, options, run.machine);
        const Timed timed = time_frames(follower, video, calls);
        list.rows.push_back({"this machine", std::to_string(size.width) + "x" + std::to_string(size.height),
                             every == 1 ? "every frame" : "every 10th frame",
                             with_face ? "a face" : "no face", timed.faces, 1e3 / timed.milliseconds,
                             timed.milliseconds});
      }
    }
  }
  const char *thesis = "the thesis, iPhone 7", *size = "720x1280";
  list.rows.push_back({thesis, size, "every frame", "no face", 0, 40.33, 24.7958});
  list.rows.push_back({thesis, size, "every frame", "a face", 1, 24.20, 41.3066});
  list.rows.push_back({thesis, size, "every 10th frame", "a face", 1, 39.9, 25.0506});
  return list;
}

}  // namespace bench
