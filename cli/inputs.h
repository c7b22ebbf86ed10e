// What the command line names, as a flat list in order: files as they are; folders as the pictures and videos
// in them (sorted by name, hidden ones left out, deeper folders only if asked for, links to folders not
// followed); patterns that no file has as its name; lists of names. What cannot be used (missing, a pattern
// without a match) stays in the list with the reason, so that it is reported in its place and the others are
// done. No file is opened here.
#pragma once

#include <string>
#include <vector>

namespace winnow::cli {

enum class InputKind {
  kPicture,
  kVideo,
  kCamera,   // a device: frames come when they come
  kStream,   // pictures one after the other: standard input or a named pipe
  kUnknown,  // a file whose ending says nothing: its first bytes decide when it is read
  kBroken,   // `problem` says why
};

struct Input {
  InputKind kind = InputKind::kBroken;
  std::string path;  // as it was named; "-" is standard input
  // Its path below an output folder: the file's name, or its path below the folder that was named.
  std::string place;
  std::string problem;  // a sentence
};

struct InputRequest {
  std::vector<std::string> names;
  // A file with one name a line (or ended by a zero byte each); "-" is standard input.
  std::string files_from;
  bool recursive = false;
};

std::vector<Input> expand_inputs(const InputRequest& request);

// Decides a kUnknown file: kPicture or kVideo, or a winnow::Error that says what it is not.
InputKind look_inside(const std::string& path);

}  // namespace winnow::cli
