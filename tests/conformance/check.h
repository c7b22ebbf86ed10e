// One model's answers about the pictures, and what they should be.
#pragma once

#include <winnow/cascade.h>
#include <winnow/detector.h>
#include <optional>
#include <string>
#include <vector>

#include "hashes.h"
#include "pictures.h"

namespace conformance {

struct Backends {
  std::string got = "cuda";  // is judged; the one that is right is `Making::wanted`
  std::vector<int> devices = {0};
  std::vector<int> batches = {1, 7, 64};
};

struct Tally {
  long passed = 0, failed = 0;
  long shown = 0;  // of the differences
  std::int64_t windows = 0, objects = 0;
};

class Check {
 public:
  // All but the path must live as long as this does.
  Check(const std::string& path, const Making& making, const std::vector<NamedPicture>& pictures)
      : making_(making), pictures_(pictures), cascade_(winnow::Cascade::load(path)) {}

  // Prints the first differences of a run. With `hashes` the wanted backend is asked only where those differ.
  void judge(const Backends& backends, const Hashes* hashes, Tally& tally);
  // Adds the hashes that `file` lacks; returns how many.
  long write(Hashes& file);

 private:
  winnow::DetectOptions options(const NamedPicture& picture, bool raw) const;
  std::vector<winnow::Detections> ask_all(winnow::Detector& detector, bool raw, std::size_t batch) const;
  winnow::Detector& wanted();
  winnow::Detections ask_wanted(const NamedPicture& picture, bool raw);
  std::string key(const NamedPicture& picture, bool raw) const;
  long without_hash(const Hashes& hashes, bool raw) const;
  std::string explain(std::uint64_t hash, const NamedPicture& picture, bool raw,
                      const winnow::Detections& answer);

  const Making& making_;
  const std::vector<NamedPicture>& pictures_;
  winnow::Cascade cascade_;
  std::optional<winnow::Detector> wanted_;  // made when it is asked first
};

}  // namespace conformance
