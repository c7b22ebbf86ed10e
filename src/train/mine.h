// Mines negatives: searches pictures without the object for windows that a model takes for the object.
//
// In:     a pack's negatives, and the model so far.
// Out:    the places of windows, and their pixels as the detector's resize makes them.
// Exact:  the same windows in the same order for every backend and number of threads.
// Memory: a miner owns only the order of the pictures; the pack must outlive it. `Mined` owns the negatives.
//         During mining, each thread holds a decoded picture and a sieve.
// Thread: one thread at a time; the miner uses more threads inside.
// Cost:   one detection for each picture.
//
// The miner walks the pictures in an order drawn by the seed. Each call continues where the last call
// stopped. After the last picture, the miner walks all pictures mirrored, then upside down, then both at
// once.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <winnow/detector_model.h>
#include <winnow/image.h>
#include <winnow/pack.h>
#include <winnow/train.h>

#include "backend/backend.h"
#include "model/model_kinds.h"

namespace winnow {

// The origin of a negative: the picture's number in the pack, how the picture was flipped, and the window's
// number in the picture's level plan. In `flips`, bit 0 means mirrored, and bit 1 means upside down.
struct MinedPlace {
  std::uint32_t picture = 0, flips = 0;
  std::int64_t window = 0;
  auto operator<=>(const MinedPlace&) const = default;
};

struct Mined {
  std::vector<MinedPlace> places;
  std::vector<std::uint8_t> pixels;  // one window after the other
  std::int64_t windows = 0;          // windows searched; without a model, windows drawn
  std::size_t pictures = 0;          // pictures searched; each flip of a picture counts as one
};

// What a miner looks for, and in which form it returns pixels. The defaults suit a `Cascade`.
struct MineTask {
  Size window;                      // the model's window
  std::string kind = kCascadeKind;  // the model's kind
  PlanRules rules{};
  // Which pixels a window gets. kGray: the resized grey picture. kRoots: the square roots of grey pixels,
  // resized (`take_roots`).
  enum class Pixels { kGray, kRoots } pixels = Pixels::kGray;
  bool color = false;     // the model reads colours, and a window's pixels are red, green and blue
  bool gray_too = false;  // with `color`: half of the searches read only grey
  int border = 0;         // pixels returned on each side of a window; levels are mirrored beyond their edges
  // Noise that is added to about half of the pictures: `CascadeOptions::negative_noise`.
  double noise = 0;
  bool needs_contrast = true;  // if there is no model yet: only windows with contrast are drawn
  // The least score of a mined window, for models that judge a window by one score.
  double min_score = std::numeric_limits<double>::lowest();
  // A picture gives at most `cap_factor` times its even share: the number of wanted windows over the number
  // of pictures. A larger factor ends the search sooner. A smaller factor spreads the windows over more
  // pictures.
  int cap_factor = 4;

  Size mined() const { return {window.width + 2 * border, window.height + 2 * border}; }
  std::size_t bytes() const {
    return static_cast<std::size_t>(mined().width) * static_cast<std::size_t>(mined().height) *
           (color ? sizeof(Rgb) : 1);
  }
};

class Miner {
 public:
  // `pack` must outlive the miner. kFormat if no negative picture is as large as the window.
  Miner(const Pack& pack, MineTask task, const MachineOptions& machine, std::uint64_t seed);

  // Adds up to `wanted` negatives to `mined`, but none whose place is in the sorted list `known`. `so_far` is
  // the model, of the task's kind and window.
  // - Without a model, windows are drawn at random: only those with contrast if `MineTask::needs_contrast`.
  // - Each flip of a picture gives at most `MineTask::cap_factor` * `wanted` / number of pictures + 1
  //   windows, but the limit is never below 2 * `MineTask::cap_factor`. If more windows pass, the seed
  //   chooses among them.
  // - Fewer negatives are added if a whole round through all pictures and flips gives no more.
  // - `go_on(mined)` is called after every few pictures, on the caller's thread. Mining stops if `go_on`
  //   returns false.
  // - Throws the error of a picture that cannot be decoded, if that picture is needed.
  void mine(const std::optional<DetectorModel>& so_far, std::size_t wanted,
            const std::vector<MinedPlace>& known, const std::function<bool(const Mined&)>& go_on,
            Mined& mined);

  // Number of pictures searched so far; each flip of a picture counts as one. A checkpoint keeps this number.
  std::uint64_t position() const { return position_; }
  void set_position(std::uint64_t position) { position_ = position; }
  // Number of pictures that are as large as the window.
  std::size_t pictures() const { return usable_.size(); }

 private:
  struct Found;
  struct Worker;
  Found search(const std::optional<DetectorModel>& so_far, std::uint64_t visit, std::size_t most,
               Worker& worker) const;

  const Pack& pack_;
  MineTask task_;
  const BackendTable& backend_;
  StepPlace place_;
  int workers_;
  std::uint64_t seed_;
  std::vector<std::uint32_t> usable_;  // pictures as large as the window, in the order of the search
  std::uint64_t position_ = 0;         // number of pictures searched; each flip counts as one
};

}  // namespace winnow
