#include "scale/share.h"

#include <algorithm>

#include "scale/resize_rule.h"

namespace winnow {

std::vector<std::vector<RowRange>> share_rows(const LevelPlan& plan, int devices, const TileRows& tile_rows) {
  const auto count = static_cast<std::size_t>(devices);
  std::vector<std::vector<RowRange>> shares(count);
  // `before`: for each cut between shares, the number of windows before it on the levels so far. The cuts of
  // a level even out the differences that the cuts of earlier levels left between the shares.
  std::vector<std::int64_t> before(count + 1);
  std::int64_t all = 0;
  for (const Level& level : plan.levels) {
    const int rows = tile_rows(level.step);
    const std::int64_t in_band = std::int64_t{rows} * level.cols;
    all += std::int64_t{level.rows} * level.cols;
    int cut = 0;
    for (std::size_t device = 0; device < count; ++device) {
      const std::int64_t wanted = all * static_cast<std::int64_t>(device + 1) / devices - before[device + 1];
      const std::int64_t bands =
          in_band > 0 ? std::max<std::int64_t>(0, (wanted + in_band / 2) / in_band) : 0;
      const int next = device + 1 == count
                           ? level.rows
                           : static_cast<int>(std::clamp<std::int64_t>(bands * rows, cut, level.rows));
      shares[device].push_back({cut, next});
      cut = next;
      before[device + 1] += std::int64_t{cut} * level.cols;
    }
  }
  return shares;
}

RowRange pixel_rows(const Level& level, RowRange windows, Size window) {
  if (windows.first >= windows.last) return {};
  return {level.corner.y + windows.first * level.step,
          std::min(level.height, level.corner.y + (windows.last - 1) * level.step + window.height)};
}

RowRange source_rows(const Level& level, RowRange pixels, int picture_height) {
  if (pixels.first >= pixels.last) return {};
  if (level.height == picture_height) return pixels;
  const ResizeTap top = resize_tap(pixels.first, picture_height, level.height),
                  bottom = resize_tap(pixels.last - 1, picture_height, level.height);
  return {top.offset, bottom.offset + (bottom.weight > 0 ? 2 : 1)};
}

std::vector<RowRange> arrivals(RowRange own, int least, int picture_height) {
  std::vector<RowRange> there;
  for (int rows = own.last - own.first; there.empty() || rows >= least; rows /= 2)
    there.push_back({own.first, own.first + rows});
  std::reverse(there.begin(), there.end());
  if (own != RowRange{0, picture_height}) there.push_back({0, picture_height});
  return there;
}

namespace {

// Windows of two waves may cover the same rows of pixels. Removes from each wave the rows that an earlier
// wave makes.
void leave_what_is_made(std::span<Wave> pixels) {
  for (std::size_t wave = 1; wave < pixels.size(); ++wave) {
    for (auto& [level, rows] : pixels[wave]) {
      for (const Wave& before : pixels.first(wave)) {
        for (const auto& [of, made] : before) {
          if (of != level || made.first >= made.last) continue;
          if (made.first <= rows.first) rows.first = std::clamp(made.last, rows.first, rows.last);
          if (made.last >= rows.last) rows.last = std::clamp(made.first, rows.first, rows.last);
        }
      }
    }
  }
}

}  // namespace

DeviceWaves device_waves(const LevelPlan& plan, Size picture, Size window, std::span<const RowRange> own,
                         const TileRows& tile_rows, std::span<const RowRange> there) {
  DeviceWaves waves{std::vector<Wave>(there.size()), std::vector<Wave>(there.size())};
  for (std::size_t l = 0; l < plan.levels.size(); ++l) {
    const Level& level = plan.levels[l];
    const int number = static_cast<int>(l), rows = tile_rows(level.step);
    for (int first = own[l].first; first < own[l].last; first += rows) {
      const RowRange windows{first, std::min(first + rows, own[l].last)},
          pixels = pixel_rows(level, windows, window), needed = source_rows(level, pixels, picture.height);
      std::size_t wave = 0;
      while (wave + 1 < there.size() && (needed.first < there[wave].first || needed.last > there[wave].last))
        ++wave;
      Wave& mine = waves.windows[wave];
      Wave& made = waves.pixels[wave];
      if (!mine.empty() && mine.back().level == number && mine.back().rows.last == first) {
        mine.back().rows.last = windows.last;
        made.back().rows.last = pixels.last;
      } else {
        mine.push_back({number, windows});
        made.push_back({number, pixels});
      }
    }
  }
  leave_what_is_made(waves.pixels);
  return waves;
}

RowRange equal_share(int rows, int device, int devices) {
  const auto edge = [&](int i) { return static_cast<int>(std::int64_t{rows} * i / devices); };
  return {edge(device), edge(device + 1)};
}

}  // namespace winnow
