// Reads videos and landmarks of 68 points, and follows faces through the frames of a video.
//
// In:     names of files, and how to follow.
// Out:    landmarks with their names, grey frames, and the faces of each frame. Throws if a video has no
//         frame.
// Exact:  same faces for every backend.
// Memory: the caller owns what is read; all frames of a video are in memory.
// Thread: any.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <winnow/follower.h>
#include <winnow/image.h>
#include <winnow/landmarks.h>
#include <winnow/machine.h>

namespace bench {

struct NamedLandmarks {
  std::string name;
  winnow::Landmarks landmarks;
};
// The built-in face-68, and the file of 68 points that dlib's authors trained. If `dlib` is not there, a line
// on standard error names the file, and the list has one entry.
std::vector<NamedLandmarks> landmarks_of_68_points(const std::string& dlib);

// A video, whose frames are enlarged `times` times.
struct VideoName {
  std::string file;
  int times = 1;
};
// Reads "FILE" or "FILE@N", where N is a digit from 1 to 9.
VideoName parse_video(const std::string& text);
// The file's name without its folders, and "@N" if frames are enlarged.
std::string short_name(const VideoName& video);
std::vector<winnow::GrayImage> frames_of(const VideoName& video);

// Follows faces of the built-in detector.
std::vector<std::vector<winnow::Followed>> faces_in(std::span<const winnow::GrayImage> frames,
                                                    const winnow::Landmarks& landmarks,
                                                    const winnow::FollowOptions& options,
                                                    const winnow::MachineOptions& machine);

}  // namespace bench
