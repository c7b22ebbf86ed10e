// Answers as hashes: made where there is time, checked where there is a device. A text file, a line for each
// answer ("MODEL raw|grouped PICTURE PIXELS ANSWER", the last two are hashes) under one that says what they
// were made with. Such files of the same making, one after the other, are one too.
#pragma once

#include <winnow/detector.h>
#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <string>

namespace conformance {

// What decides about the answers, beside models and pictures.
struct Making {
  std::string wanted = "cpu";  // the backend
  std::int64_t pixels = 0;     // larger pictures get a minimum size; 0: none do
  std::string sizes;           // of made pictures
  int min_neighbors = 2;
  std::string line() const;  // the first of a file
};

std::uint64_t hash_of(winnow::GrayView picture);
// Of what must be equal: counters, boxes, the bits of scores, neighbours.
std::uint64_t hash_of(const winnow::Detections& answer);

class Hashes {
 public:
  // Reads `path`; throws winnow::Error if it is not such a file.
  static Hashes read(const std::string& path);
  // Reads it to go on with it: without a last line that was cut off, and empty if there is none. Refuses one
  // of another making. Several processes may go on with one file, since each line is written at once.
  static Hashes open(const std::string& path, const Making& making);

  const Making& making() const { return making_; }
  std::size_t count() const { return answers_.size(); }
  static std::string key(const std::string& model, bool raw, const std::string& picture,
                         std::uint64_t pixels);
  std::optional<std::uint64_t> find(const std::string& key) const;
  // Written through to an opened file.
  void add(const std::string& key, std::uint64_t answer);

 private:
  Making making_;
  std::map<std::string, std::uint64_t> answers_;
  std::ofstream out_;
  std::string path_;
};

}  // namespace conformance
