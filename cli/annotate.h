// Pictures and videos with the objects framed, or blurred, in an output folder. A file keeps its place below
// the folder that was named; no file is ever written over: a name that is taken gets a number. Pictures keep
// their format (the grey ones of PNM become .ppm); MP4 stays MP4 and any other video becomes Matroska, with
// the audio of the original. Stream pictures become JPEG files with the frame's number. A video is complete
// after `finish_input`, also when its input broke off; of one that cannot be written nothing is left.
#pragma once

#include <winnow/detector.h>
#include <winnow/image.h>
#include <winnow/video.h>

#include <optional>
#include <string>
#include <vector>

#include "frame_reader.h"
#include "inputs.h"

namespace winnow::cli {

class Annotator {
 public:
  // Makes the folder if it is not there.
  Annotator(const std::string& folder, bool blur, int every);
  ~Annotator();
  Annotator(const Annotator&) = delete;
  Annotator& operator=(const Annotator&) = delete;

  // Draws into the frame's colour picture and writes it.
  void write(const Input& input, FrameEvent& frame, const std::vector<Detection>& objects);
  // `given_up`: a stop was asked for; of a video's audio only what goes with its frames is kept.
  void finish_input(bool given_up);

 private:
  std::string free_path(const std::string& place, const std::string& ending) const;

  std::string folder_;
  bool blur_;
  int every_;
  std::optional<VideoWriter> writer_;
  bool video_failed_ = false;
};

// The box with a tenth of its size added on each side, inside the picture.
Box widened(const Box& box, Size picture);

}  // namespace winnow::cli
