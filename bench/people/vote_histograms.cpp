#include "people/vote_histograms.h"

#include <algorithm>

namespace bench {

HardVotes hard_votes(winnow::GrayView picture) {
  HardVotes votes;
  votes.size = picture.size();
  for (int y = 0; y < picture.height; ++y) {
    const std::uint8_t *row = picture.row(y), *above = picture.row(mirrored_place(y - 1, picture.height)),
                       *below = picture.row(mirrored_place(y + 1, picture.height));
    for (int x = 0; x < picture.width; ++x) {
      const std::int32_t dx = row[mirrored_place(x + 1, picture.width)] -
                              row[mirrored_place(x - 1, picture.width)],
                         dy = below[x] - above[x];
      votes.bins.push_back(static_cast<std::uint8_t>(hard_bin(dx, dy)));
      votes.lengths.push_back(hard_length(dx, dy));
      votes.whole.push_back(whole_length(dx, dy));
    }
  }
  return votes;
}

template <class T>
void integrate_planes(const HardVotes& votes, std::vector<T>& planes) {
  const auto width = static_cast<std::size_t>(votes.size.width), pixels = votes.pixels();
  planes.resize(kBins * pixels);
  for (int bin = 0; bin < kBins; ++bin) {
    T* const plane = planes.data() + static_cast<std::size_t>(bin) * pixels;
    T row{};
    for (std::size_t at = 0, x = 0; at < pixels; ++at) {
      T vote{};
      if constexpr (std::is_same_v<T, std::uint32_t>) {
        vote = votes.bins[at] == bin ? votes.whole[at] : 0;
      } else {
        vote = votes.bins[at] == bin ? static_cast<T>(votes.lengths[at]) : T{};
      }
      row += vote;
      plane[at] = at >= width ? plane[at - width] + row : row;
      if (++x == width) x = 0, row = T{};
    }
  }
}
template void integrate_planes(const HardVotes&, std::vector<float>&);
template void integrate_planes(const HardVotes&, std::vector<double>&);
template void integrate_planes(const HardVotes&, std::vector<std::uint32_t>&);

void integrate_float4(const HardVotes& votes, std::vector<Float4>& fours, std::vector<float>& ninth) {
  const auto width = static_cast<std::size_t>(votes.size.width), pixels = votes.pixels();
  fours.resize(2 * pixels);
  ninth.resize(pixels);
  for (int plane = 0; plane < 2; ++plane) {
    Float4* const to = fours.data() + static_cast<std::size_t>(plane) * pixels;
    Float4 row{};
    for (std::size_t at = 0, x = 0; at < pixels; ++at) {
      const int bin = votes.bins[at] - 4 * plane;
      for (int k = 0; k < 4; ++k) row.bins[k] += bin == k ? votes.lengths[at] : 0.f;
      Float4 sum = row;
      if (at >= width) {
        for (int k = 0; k < 4; ++k) sum.bins[k] += to[at - width].bins[k];
      }
      to[at] = sum;
      if (++x == width) x = 0, row = {};
    }
  }
  float row = 0;
  for (std::size_t at = 0, x = 0; at < pixels; ++at) {
    row += votes.bins[at] == kBins - 1 ? votes.lengths[at] : 0.f;
    ninth[at] = at >= width ? ninth[at - width] + row : row;
    if (++x == width) x = 0, row = 0;
  }
}

winnow::GrayImage tiled_picture(winnow::GrayView picture, winnow::Size size) {
  winnow::GrayImage tiled(size.width, size.height);
  const auto place = [](int at, int length) {
    const int tile = at / length, inside = at % length;
    return tile % 2 == 0 ? inside : length - 1 - inside;
  };
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      tiled.row(y)[x] = picture.row(place(y, picture.height))[place(x, picture.width)];
  return tiled;
}

}  // namespace bench
