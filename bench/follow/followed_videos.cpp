#include "followed_videos.h"

#include <winnow/feed.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "made_faces.h"

namespace bench {

using namespace winnow;

std::vector<NamedLandmarks> landmarks_of_68_points(const std::string& dlib) {
  std::vector<NamedLandmarks> all = {{"face-68", Landmarks::load("built-in:face-68")}};
  if (std::filesystem::is_regular_file(dlib)) {
    all.push_back({"dlib's 68 points", Landmarks::load(dlib)});
  } else {
    std::fprintf(stderr,
                 "winnow_following: rows of dlib's 68 points are left out, since %s is not there; install "
                 "libdlib-data or pass --dlib\n",
                 dlib.c_str());
  }
  return all;
}

VideoName parse_video(const std::string& text) {
  const std::size_t size = text.size();
  if (size < 3 || text[size - 2] != '@' || text[size - 1] < '1' || text[size - 1] > '9') return {text};
  return {text.substr(0, size - 2), text[size - 1] - '0'};
}

std::string short_name(const VideoName& video) {
  const std::string name = std::filesystem::path(video.file).filename().string();
  return video.times == 1 ? name : name + "@" + std::to_string(video.times);
}

std::vector<GrayImage> frames_of(const VideoName& video) {
  std::vector<GrayImage> frames;
  InputRequest request;
  request.names = {video.file};
  FrameReader reader(expand_inputs(request));
  for (FrameEvent event; reader.next(event);) {
    if (event.kind != FrameEvent::Kind::kFrame) continue;
    GrayImage gray = std::move(event.picture.gray);
    const Size size{gray.width() * video.times, gray.height() * video.times};
    frames.push_back(video.times == 1 ? std::move(gray) : resized(std::as_const(gray).view(), size));
  }
  if (frames.empty()) throw std::runtime_error(video.file + ": no video");
  return frames;
}

std::vector<std::vector<Followed>> faces_in(std::span<const GrayImage> frames, const Landmarks& landmarks,
                                            const FollowOptions& options, const MachineOptions& machine) {
  static const DetectorModel model = DetectorModel::load("built-in:face");
  Follower follower(model, landmarks, options, machine);
  std::vector<std::vector<Followed>> faces;
  for (const GrayImage& frame : frames) faces.push_back(follower.next(frame.view()));
  return faces;
}

}  // namespace bench
