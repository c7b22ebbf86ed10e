#include "train/mine.h"

#include <algorithm>
#include <exception>

#include <winnow/error.h>
#include <winnow/image.h>

#include "base/random.h"
#include "base/share_work.h"
#include "base/threads.h"
#include "hog/blocks/histograms.h"
#include "hog/hog_steps.h"
#include "learn/sample_planes.h"
#include "model/model_kinds.h"
#include "scale/resize_rule.h"

namespace winnow {
namespace {

constexpr std::uint32_t kFlipCount = 4;
constexpr double kScaleFactor = 1.1;
// Constants in the hashes of random choices, so that each choice has its own random numbers.
constexpr std::uint64_t kForOrder = 0x6f72646572, kForWindow = 0x77696e646f77, kForNoise = 0x6e6f697365;

template <class Pixel>
Image<Pixel> flipped(Image<Pixel>&& picture, std::uint32_t flips) {
  if (flips == 0) return std::move(picture);
  Image<Pixel> other(picture.width(), picture.height());
  for (int y = 0; y < picture.height(); ++y) {
    const Pixel* from = picture.row((flips & 2) != 0 ? picture.height() - 1 - y : y);
    if ((flips & 1) != 0) {
      std::reverse_copy(from, from + picture.width(), other.row(y));
    } else {
      std::copy_n(from, picture.width(), other.row(y));
    }
  }
  return other;
}

// Adds noise to the picture, or leaves the picture unchanged; a hash of `key` decides, with even chances. The
// standard deviation is up to `most` grey levels. The noise is a sum of eight random bytes: exact, and nearly
// normal.
void add_noise(GrayImage& picture, double most, std::uint64_t key) {
  constexpr double kByteDeviation = 209.02;  // standard deviation of the sum of eight bytes
  const std::uint64_t draw = hash(key, 0);
  if (draw % 2 == 0) return;
  const auto scale = static_cast<std::int64_t>(static_cast<double>(draw >> 32) / 4294967296.0 * most /
                                               kByteDeviation * 65536);
  for (int y = 0; y < picture.height(); ++y) {
    std::uint8_t* row = picture.row(y);
    for (int x = 0; x < picture.width(); ++x) {
      const std::uint64_t bytes = hash(key, y, x);
      std::int64_t sum = -1020;
      for (int b = 0; b < 64; b += 8) sum += static_cast<std::int64_t>(bytes >> b & 255);
      row[x] =
          static_cast<std::uint8_t>(std::clamp<std::int64_t>(row[x] + ((sum * scale + 32768) >> 16), 0, 255));
    }
  }
}

// Interpolates between four grey pixels as the exact resize does.
std::uint8_t between(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d, const ResizeTap& across,
                     const ResizeTap& down) {
  return resize_down(resize_across(a, b, across.weight), resize_across(c, d, across.weight), down.weight);
}
// Interpolates each channel as if it were grey.
Rgb between(Rgb a, Rgb b, Rgb c, Rgb d, const ResizeTap& across, const ResizeTap& down) {
  return {between(a.r, b.r, c.r, d.r, across, down), between(a.g, b.g, c.g, d.g, across, down),
          between(a.b, b.b, c.b, d.b, across, down)};
}

// Writes the pixels of a box in a level to `pixels`, with the values of the exact resize. Beyond the edges of
// the level, the box shows the level mirrored.
template <class Pixel>
void cut_window(const Image<Pixel>& picture, const Level& level, int x, int y, Size size, Pixel* pixels) {
  for (int row = 0; row < size.height; ++row) {
    const ResizeTap down = resize_tap(mirrored(y + row, level.height), picture.height(), level.height);
    const Pixel* top = picture.row(down.offset);
    const Pixel* bottom = down.weight > 0 ? picture.row(down.offset + 1) : top;
    for (int column = 0; column < size.width; ++column) {
      const ResizeTap across = resize_tap(mirrored(x + column, level.width), picture.width(), level.width);
      const int right = across.offset + (across.weight > 0 ? 1 : 0);
      *pixels++ = between(top[across.offset], top[right], bottom[across.offset], bottom[right], across, down);
    }
  }
}

}  // namespace

struct Miner::Found {
  std::vector<MinedPlace> places;
  std::vector<std::uint8_t> pixels;
  std::int64_t windows = 0;
  std::exception_ptr failure;
};

struct Miner::Worker {
  std::unique_ptr<Sieve> sieve;
  SieveResult result;
};

Miner::Miner(const Pack& pack, MineTask task, const MachineOptions& machine, std::uint64_t seed)
    : pack_(pack),
      task_(std::move(task)),
      backend_(find_backend(machine.backend, task_.kind)),
      place_{1, machine.devices},
      workers_(backend_.workers(threads_for(machine.threads))),
      seed_(seed) {
  for (std::size_t i = 0; i < pack.negatives.size(); ++i) {
    const Size size = pack.negatives[i].size;
    if (size.width >= task_.window.width && size.height >= task_.window.height)
      usable_.push_back(static_cast<std::uint32_t>(i));
  }
  if (usable_.empty()) {
    throw Error(ErrorCode::kFormat, pack.negatives.empty()
                                        ? "there are no negatives: pictures without the object are needed"
                                        : "every negative is smaller than the window");
  }
  std::sort(usable_.begin(), usable_.end(), [&](std::uint32_t a, std::uint32_t b) {
    const std::uint64_t first = hash(seed_, kForOrder, a), second = hash(seed_, kForOrder, b);
    return first != second ? first < second : a < b;
  });
}

Miner::Found Miner::search(const std::optional<DetectorModel>& so_far, std::uint64_t visit, std::size_t most,
                           Worker& worker) const {
  const std::uint32_t number = usable_[visit % usable_.size()];
  const auto flips = static_cast<std::uint32_t>(visit / usable_.size() % kFlipCount);
  const Pack::Negative& negative = pack_.negatives[number];
  Picture picture;
  try {
    ReadOptions how;
    how.color = task_.color;
    picture = decode_picture(negative.file, how);
    picture = {flipped(std::move(picture.gray), flips), flipped(std::move(picture.color), flips)};
    if (task_.noise > 0) add_noise(picture.gray, task_.noise * 255, hash(seed_, kForNoise, visit));
  } catch (const Error& error) {
    throw error.in_file(negative.name);
  }
  LevelPlan plan;
  plan_levels({picture.gray.size(), task_.window, kScaleFactor, {}, {}, task_.rules}, plan);
  Found found;
  found.windows = plan.window_count;
  std::vector<std::int64_t> windows;
  if (so_far) {
    if (worker.sieve == nullptr) worker.sieve = make_sieve(backend_, *so_far, place_);
    // A picture is searched in grey in two of its four flips, and in colour in the other two.
    const bool gray =
        !task_.color || (task_.gray_too && (visit % usable_.size() + visit / usable_.size()) % 2 == 1);
    worker.sieve->set_options({task_.min_score, gray});
    worker.sieve->run(picture.view(), plan, worker.result);
    for (const Survivor& survivor : worker.result.survivors) windows.push_back(survivor.window);
    if (windows.size() > most) {
      const auto rank = [&](std::int64_t window) { return hash(seed_, kForWindow, visit, window); };
      std::nth_element(windows.begin(), windows.begin() + static_cast<std::ptrdiff_t>(most), windows.end(),
                       [&](std::int64_t a, std::int64_t b) { return rank(a) < rank(b); });
      windows.resize(most);
      std::sort(windows.begin(), windows.end());
    }
  } else if (plan.window_count > 0) {
    for (std::size_t i = 0; i < most; ++i) {
      windows.push_back(static_cast<std::int64_t>(hash(seed_, kForWindow, visit, i) %
                                                  static_cast<std::uint64_t>(plan.window_count)));
    }
    std::sort(windows.begin(), windows.end());
    windows.erase(std::unique(windows.begin(), windows.end()), windows.end());
  }
  if (task_.pixels == MineTask::Pixels::kRoots && !windows.empty()) {
    GrayImage roots;
    take_roots(std::as_const(picture.gray).view(), roots);
    picture.gray = std::move(roots);
  }
  std::vector<std::uint8_t> pixels(task_.bytes());
  const Size size = task_.mined();
  for (const std::int64_t window : windows) {
    const WindowPlace place = place_window(plan, window);
    const Level& level = plan.levels[static_cast<std::size_t>(place.level)];
    const int x = place.x - task_.border, y = place.y - task_.border;
    if (task_.color) {
      cut_window(picture.color, level, x, y, size, reinterpret_cast<Rgb*>(pixels.data()));
    } else {
      cut_window(picture.gray, level, x, y, size, pixels.data());
    }
    if (!so_far && task_.needs_contrast &&
        sample_norm({pixels.data(), size.width, size.height, size.width}).flat)
      continue;
    found.places.push_back({number, flips, window});
    found.pixels.insert(found.pixels.end(), pixels.begin(), pixels.end());
  }
  return found;
}

void Miner::mine(const std::optional<DetectorModel>& so_far, std::size_t wanted,
                 const std::vector<MinedPlace>& known, const std::function<bool(const Mined&)>& go_on,
                 Mined& mined) {
  // The most windows per flip of a picture, so that no picture supplies all negatives.
  const auto cap_factor = static_cast<std::size_t>(task_.cap_factor);
  const std::size_t most = std::max(2 * cap_factor, cap_factor * wanted / usable_.size() + 1);
  const std::uint64_t last = position_ + usable_.size() * kFlipCount;
  const std::size_t bytes = task_.bytes(), target = mined.places.size() + wanted;
  std::vector<Worker> workers(static_cast<std::size_t>(workers_));
  while (mined.places.size() < target && position_ < last) {
    const std::size_t wave =
        std::min<std::uint64_t>(static_cast<std::uint64_t>(workers_) * 4, last - position_);
    std::vector<Found> found(wave);
    share_work(workers_, wave, 1, [&](std::size_t thread, std::size_t i) {
      try {
        found[i] = search(so_far, position_ + i, most, workers[thread]);
      } catch (...) {
        found[i].failure = std::current_exception();
      }
    });
    for (std::size_t i = 0; i < wave && mined.places.size() < target; ++i) {
      // Threads search pictures in advance. An error counts only when the picture's turn comes, so the number
      // of threads does not decide whether a broken picture ends the training.
      if (found[i].failure != nullptr) std::rethrow_exception(found[i].failure);
      ++position_;
      ++mined.pictures;
      mined.windows += so_far ? found[i].windows : static_cast<std::int64_t>(found[i].places.size());
      for (std::size_t k = 0; k < found[i].places.size() && mined.places.size() < target; ++k) {
        if (std::binary_search(known.begin(), known.end(), found[i].places[k])) continue;
        const auto at = found[i].pixels.begin() + static_cast<std::ptrdiff_t>(k * bytes);
        mined.places.push_back(found[i].places[k]);
        mined.pixels.insert(mined.pixels.end(), at, at + static_cast<std::ptrdiff_t>(bytes));
      }
    }
    if (!go_on(mined)) return;
  }
}

}  // namespace winnow
