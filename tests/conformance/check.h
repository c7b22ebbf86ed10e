// Compares one model's answers on all pictures with the wanted answers.
//
// In:     a model's path, the pictures, the backend to judge, and optionally hashes of the wanted answers.
// Out:    counts of runs that passed and failed, and the first differences on standard output.
// Exact:  objects, order, the bits of scores, neighbours and counters must be equal.
// Memory: owns the cascade and the wanted backend's detector; `judge` makes another detector. The caller owns
//         pictures and `Making`.
// Thread: one thread at a time.
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
  std::string got = "cuda";  // the backend to judge; `Making::wanted` is the one that counts as right
  std::vector<int> devices = {0};
  std::vector<int> batches = {1, 7, 64};
};

struct Tally {
  long passed = 0, failed = 0;
  long shown = 0;  // number of differences printed
  std::int64_t windows = 0, objects = 0;
};

class Check {
 public:
  // `making` and `pictures` must outlive the check.
  Check(const std::string& path, const Making& making, const std::vector<NamedPicture>& pictures)
      : making_(making), pictures_(pictures), cascade_(winnow::Cascade::load(path)) {}

  // Prints the first differences of a run. With `hashes`, the wanted backend searches only if a hash differs.
  // A missing hash counts as failed.
  void judge(const Backends& backends, const Hashes* hashes, Tally& tally);
  // Adds the hashes that `file` lacks, and returns their number.
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
  std::optional<winnow::Detector> wanted_;  // made at its first use
};

}  // namespace conformance
