// Keeps answers as hashes in a text file, by which another machine with a device checks its own answers.
//
// In:     a file of hashes, or answers to add.
// Out:    the hash of a model's answer on a picture, if the file has it. `winnow::Error` for other files.
// Exact:  equal answers have equal hashes on every machine.
// Memory: owns all hashes of the file.
// Thread: one thread at a time; several processes may add to one file.
//
// The first line says how the answers were made. Each other line is "MODEL raw|grouped PICTURE PIXELS
// ANSWER", where PIXELS and ANSWER are hashes. Files of the same making may be joined one after the other.
#pragma once

#include <winnow/detector.h>
#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <string>

namespace conformance {

// How the answers were made, beside models and pictures.
struct Making {
  std::string wanted = "cpu";  // the backend that gave the answers
  std::int64_t pixels = 0;     // pictures with more pixels get a `min_size`; 0: no picture does
  std::string sizes;           // sizes of made pictures, such as "640x480,1920x1080"
  int min_neighbors = 2;
  std::string line() const;  // the first line of a file
};

std::uint64_t hash_of(winnow::GrayView picture);
// Hashes all parts of an answer that must be equal: counters, boxes, the bits of scores, neighbours.
std::uint64_t hash_of(const winnow::Detections& answer);

class Hashes {
 public:
  // Reads `path`. Throws winnow::Error if it is no file of hashes.
  static Hashes read(const std::string& path);
  // Opens a file to add hashes. A last line that was cut off is dropped, and a missing file is created.
  // Refuses a file of another making. Several processes may add to one file, since each line is written at
  // once.
  static Hashes open(const std::string& path, const Making& making);

  const Making& making() const { return making_; }
  std::size_t count() const { return hashes_.size(); }
  static std::string key(const std::string& model, bool raw, const std::string& picture,
                         std::uint64_t pixels);
  std::optional<std::uint64_t> find(const std::string& key) const;
  // Also writes the line to the file, if `open` opened it.
  void add(const std::string& key, std::uint64_t hash);

 private:
  Making making_;
  std::map<std::string, std::uint64_t> hashes_;
  std::ofstream out_;
  std::string path_;
};

}  // namespace conformance
