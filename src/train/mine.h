// Negatives: windows of pictures without the object that the cascade so far takes for one.
// In: a pack's negatives, the cascade so far. Out: windows' pixels as the detector sees them, in an order
// that depends on neither threads nor backend. exact. Walks pictures in turn, goes on where it stopped, and
// after the last picture walks them again mirrored, upside down, and both. Costs a detection a picture.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <winnow/cascade.h>
#include <winnow/pack.h>
#include <winnow/train.h>

#include "backend/backend.h"

namespace winnow {

// Where a negative is from.
struct MinedPlace {
  std::uint32_t picture = 0, way = 0;
  std::int64_t window = 0;
  auto operator<=>(const MinedPlace&) const = default;
};

struct Mined {
  std::vector<MinedPlace> places;
  std::vector<std::uint8_t> pixels;  // one window after the other
  std::int64_t windows = 0;          // looked at
  std::size_t pictures = 0;          // walked, each way counted
};

class Miner {
 public:
  // `pack` must outlive this.
  // `noise`: as `CascadeOptions::negative_noise`.
  Miner(const Pack& pack, const MachineOptions& machine, double noise, std::uint64_t seed);

  // Adds up to `wanted` negatives to `mined`, none of those in `known` (sorted). Without a cascade, windows
  // at random. Fewer if a whole round through all pictures and ways has no more. `go_on(mined)` is asked
  // after every few pictures; if it says no, what there is so far is all.
  void mine(const std::optional<Cascade>& so_far, std::size_t wanted, const std::vector<MinedPlace>& known,
            const std::function<bool(const Mined&)>& go_on, Mined& mined);

  // How far it has come, to go on from.
  std::uint64_t position() const { return position_; }
  void set_position(std::uint64_t position) { position_ = position; }
  std::size_t pictures() const { return usable_.size(); }

 private:
  struct Found;
  struct Worker;
  Found search(const std::optional<Cascade>& so_far, std::uint64_t turn, std::size_t most,
               Worker& worker) const;

  const Pack& pack_;
  const BackendTable& backend_;
  StepPlace place_;
  int workers_;
  std::uint64_t seed_;
  double noise_;
  std::vector<std::uint32_t> usable_;  // pictures that hold a window
  std::uint64_t position_ = 0;         // pictures walked, way after way
};

}  // namespace winnow
