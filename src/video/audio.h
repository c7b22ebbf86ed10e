// Copies the audio of one input, packet by packet and unchanged, into an output that is being written.
//
// In:     a file with any number of audio streams; all are taken.
// Out:    packets in the output. Their times are the input's, counted from the input's beginning. The
//         writer's pictures must count from there, too. A stream that the container cannot hold is a
//         kUnsupported error, found before anything is written.
// Exact:  the bytes of a packet are unchanged. Its times are shifted, and raised where they would decrease.
//         Packets that cannot be read are left out.
// Memory: owns the input. The output belongs to the writer and must live longer.
// Thread: one thread at a time.
// Cost:   reads the input once, while the writer writes pictures; nothing is decoded.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "video/ffmpeg.h"

namespace winnow {

class AudioCopy {
 public:
  // Adds the audio streams of `source` to `output`, whose header must not be written yet.
  AudioCopy(const std::string& source, AVFormatContext& output);

  bool has_audio() const { return has_audio_; }
  double start() const { return start_; }  // the beginning of the input, in seconds
  // Writes the packets before `time` (in `base`, from the beginning of the input). The output's header must
  // be written first.
  void write_until(std::int64_t time, AVRational base);
  void write_rest();

 private:
  bool load();  // reads the next audio packet into `packet_`, in the input's time base; false at the end
  void write();

  AVFormatContext& output_;
  VideoInput input_;
  AvOwner<AVPacket> packet_;
  std::vector<int> stream_of_;         // the output stream of each input stream, -1 for none
  std::vector<std::int64_t> next_of_;  // first free decoding time per input stream, in the output's time base
  std::int64_t broken_ = 0;
  bool has_audio_ = false, loaded_ = false, ended_ = false;
  double start_ = 0;
};

}  // namespace winnow
