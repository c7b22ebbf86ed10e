#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hog/hog_lanes_cpu.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "hog/gradient_rule.h"
#include "hog/hog_lanes.h"
#include "hog/lattice.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::ScalableTag<float>;
using DI = hn::RebindToSigned<DF>;
using D16 = hn::RepartitionToNarrow<DI>;
using D4 = hn::FixedTag<float, 4>;
using VF = hn::Vec<DF>;

// Pixels of a row as numbers, or their square roots.
void Pixels(const std::uint8_t* HWY_RESTRICT bytes, int width, bool gamma, float* HWY_RESTRICT pixels) {
  const DF d;
  const hn::Rebind<std::uint8_t, DF> d8;
  const DI di;
  for (int x = 0; x < width; x += static_cast<int>(hn::Lanes(d))) {
    const VF value = hn::ConvertTo(d, hn::PromoteTo(di, hn::LoadU(d8, bytes + x)));
    hn::StoreU(gamma ? hn::Sqrt(value) : value, d, pixels + x);
  }
}

// The votes of a row. `rows`: for each plane the rows above, here and below. Bins are written as offsets into
// four sums a bin: the lower bin, then the next.
void Votes(const float* const (*rows)[3], int planes, int width, const HogForm& form,
           float* HWY_RESTRICT here, float* HWY_RESTRICT next, std::int32_t* HWY_RESTRICT bins,
           std::int32_t* HWY_RESTRICT next_bins) {
  const DF d;
  const DI di;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const VF zero = hn::Zero(d), one = hn::Set(d, 1.f), full = hn::Set(d, 180.f);
  const auto count = hn::Set(di, form.shape.bins), last = hn::Set(di, form.shape.bins - 1);
  for (int x = 0; x < width; x += lanes) {
    VF dx = zero, dy = zero, squares = zero;
    for (int p = 0; p < planes; ++p) {
      const VF across = hn::Sub(hn::LoadU(d, rows[p][1] + x + 1), hn::LoadU(d, rows[p][1] + x - 1));
      const VF down = hn::Sub(hn::LoadU(d, rows[p][2] + x), hn::LoadU(d, rows[p][0] + x));
      const VF both = hn::Add(hn::Mul(across, across), hn::Mul(down, down));
      if (p == 0) {
        dx = across, dy = down, squares = both;
      } else {
        const auto longer = hn::Gt(both, squares);
        dx = hn::IfThenElse(longer, across, dx);
        dy = hn::IfThenElse(longer, down, dy);
        squares = hn::IfThenElse(longer, both, squares);
      }
    }
    const VF ax = hn::Abs(dx), ay = hn::Abs(dy);
    const VF small = hn::Min(ax, ay), large = hn::Max(ax, ay);
    const VF c = hn::Div(small, hn::Add(large, hn::Set(d, kNoGradient)));
    const VF c2 = hn::Mul(c, c);
    VF degrees = hn::Add(hn::Mul(c2, hn::Set(d, kAtan7)), hn::Set(d, kAtan5));
    degrees = hn::Add(hn::Mul(degrees, c2), hn::Set(d, kAtan3));
    degrees = hn::Add(hn::Mul(degrees, c2), hn::Set(d, kAtan1));
    degrees = hn::Mul(degrees, c);
    degrees = hn::IfThenElse(hn::Gt(ay, ax), hn::Sub(hn::Set(d, 90.f), degrees), degrees);
    const auto left = hn::Lt(dx, zero), up = hn::Lt(dy, zero);
    if (form.shape.directed) {
      degrees = hn::IfThenElse(left, hn::Sub(full, degrees), degrees);
      degrees = hn::IfThenElse(up, hn::Sub(hn::Set(d, 360.f), degrees), degrees);
    } else {
      degrees = hn::IfThenElse(hn::Xor(left, up), hn::Sub(full, degrees), degrees);
    }
    const VF at = hn::Sub(hn::Mul(degrees, hn::Set(d, form.bins_per_degree)), hn::Set(d, 0.5f));
    const VF floor = hn::Floor(at);
    const VF part = hn::Sub(at, floor);
    auto bin = hn::ConvertTo(di, floor);
    bin = hn::IfThenElse(hn::Lt(bin, hn::Zero(di)), hn::Add(bin, count), bin);
    bin = hn::IfThenElse(hn::Gt(bin, last), hn::Sub(bin, count), bin);
    auto after = hn::Add(bin, hn::Set(di, 1));
    after = hn::IfThenElse(hn::Gt(after, last), hn::Zero(di), after);
    const VF length = hn::Sqrt(squares);
    hn::StoreU(hn::Mul(length, hn::Sub(one, part)), d, here + x);
    hn::StoreU(hn::Mul(length, part), d, next + x);
    hn::StoreU(hn::ShiftLeft<2>(bin), di, bins + x);
    hn::StoreU(hn::ShiftLeft<2>(after), di, next_bins + x);
  }
}

// Sums the votes of two rows along x. `votes[r]` are here and next, `places[r]` the offsets of both bins. A
// cell's pixels vote for the block that begins with the cell (its left and right cell), and for the block
// that ends with it. Row sums are [block][bin][left, right].
void AddAcross(const float* const votes[2][2], const std::int32_t* const places[2][2], int cells, int cell,
               int bins, const float* HWY_RESTRICT beside, float* const row_sums[2]) {
  const D4 d;
  const hn::FixedTag<float, 2> d2;
  HWY_ALIGN float sums[2][4 * kMaxHogLaneBins];
  std::fill_n(&sums[0][0], 2 * 4 * kMaxHogLaneBins, 0.f);
  for (int c = 0, x = 0; c < cells; ++c) {
    for (int i = 0; i < cell; ++i, ++x) {
      const auto parts = hn::Load(d, beside + 4 * i);
      for (int r = 0; r < 2; ++r) {
        float* const at = sums[r] + places[r][0][x];
        hn::Store(hn::Add(hn::Load(d, at), hn::Mul(hn::Set(d, votes[r][0][x]), parts)), d, at);
        float* const after = sums[r] + places[r][1][x];
        hn::Store(hn::Add(hn::Load(d, after), hn::Mul(hn::Set(d, votes[r][1][x]), parts)), d, after);
      }
    }
    for (int r = 0; r < 2; ++r) {
      float* to = row_sums[r] + static_cast<std::ptrdiff_t>(c - 1) * 2 * bins;
      for (int bin = 0; bin < bins; ++bin) {
        const auto all = hn::Load(d, sums[r] + 4 * bin);
        if (c > 0) hn::StoreU(hn::UpperHalf(d2, all), d2, to + 2 * bin);
        hn::Store(hn::Combine(d, hn::LowerHalf(d2, all), hn::Zero(d2)), d, sums[r] + 4 * bin);
      }
    }
  }
}

// Adds the rows of a band. `old` are the sums of the row of blocks that ends with the band, upper cells and
// lower cells; `fresh` those of the row of blocks that begins with it. Row i lies `apart` floats after row 0.
void AddDown(const float* HWY_RESTRICT rows, std::ptrdiff_t apart, int cell, const float* HWY_RESTRICT down,
             int count, float* const old[2], float* const fresh[2]) {
  const DF d;
  const float *upper = down, *lower = down + 2 * cell;
  for (int x = 0; x < count; x += static_cast<int>(hn::Lanes(d))) {
    VF old0 = hn::LoadU(d, old[0] + x), old1 = hn::LoadU(d, old[1] + x), new0 = hn::Zero(d),
       new1 = hn::Zero(d);
    for (int i = 0; i < cell; ++i) {
      const VF row = hn::LoadU(d, rows + i * apart + x);
      new0 = hn::Add(new0, hn::Mul(row, hn::Set(d, upper[i])));
      if (lower[i] != 0) new1 = hn::Add(new1, hn::Mul(row, hn::Set(d, lower[i])));
      if (upper[cell + i] != 0) old0 = hn::Add(old0, hn::Mul(row, hn::Set(d, upper[cell + i])));
      old1 = hn::Add(old1, hn::Mul(row, hn::Set(d, lower[cell + i])));
    }
    hn::StoreU(old0, d, old[0] + x);
    hn::StoreU(old1, d, old[1] + x);
    hn::StoreU(new0, d, fresh[0] + x);
    hn::StoreU(new1, d, fresh[1] + x);
  }
}

// Normalises a row of blocks, a block a lane, and packs pairs of values. `turned`: value by value, `pitch`
// floats apart.
void Normalise(float* HWY_RESTRICT turned, int values, int pitch, float calm, float clip,
               std::int32_t* HWY_RESTRICT blocks) {
  const DF d;
  const DI di;
  const VF limit = hn::Set(d, clip), unit = hn::Set(d, static_cast<float>(1 << kHogValueBits)),
           most = hn::Set(d, 32767.f), one = hn::Set(d, 1.f);
  for (int x = 0; x < pitch; x += static_cast<int>(hn::Lanes(d))) {
    float* const at = turned + x;
    VF squares = hn::Zero(d);
    for (int i = 0; i < values; ++i) {
      const VF sum = hn::LoadU(d, at + i * pitch);
      squares = hn::Add(squares, hn::Mul(sum, sum));
    }
    const VF first = hn::Div(one, hn::Add(hn::Sqrt(squares), hn::Set(d, calm)));
    squares = hn::Zero(d);
    for (int i = 0; i < values; ++i) {
      const VF value = hn::Min(hn::Mul(hn::LoadU(d, at + i * pitch), first), limit);
      hn::StoreU(value, d, at + i * pitch);
      squares = hn::Add(squares, hn::Mul(value, value));
    }
    const VF second = hn::Div(one, hn::Add(hn::Sqrt(squares), hn::Set(d, 1e-3f)));
    const auto whole = [&](int i) {
      return hn::ConvertTo(
          di, hn::Min(hn::Round(hn::Mul(hn::Mul(hn::LoadU(d, at + i * pitch), second), unit)), most));
    };
    for (int i = 0; i < values; i += 2) {
      auto pair = whole(i);
      if (i + 1 < values) pair = hn::Or(pair, hn::ShiftLeft<16>(whole(i + 1)));
      hn::StoreU(pair, di, blocks + (i / 2) * pitch + x);
    }
  }
}

// Adds a row of blocks to the sums of the windows that hold it. `scores[j]`: sums of the row of windows in
// which this row of blocks is number j.
void AddScores(const std::int32_t* HWY_RESTRICT blocks, int pitch, const HogLanes& lanes, int columns,
               int count, std::int32_t* const* scores) {
  const DI di;
  const D16 d16;
  const int rows = lanes.form.shape.blocks().height;
  for (int first = 0; first < rows; first += kHogRowsAtOnce) {
    for (int x = 0; x < count; x += static_cast<int>(hn::Lanes(di))) {
      auto t0 = hn::Zero(di), t1 = t0, t2 = t0, t3 = t0, t4 = t0;
      for (int i = 0; i < columns; ++i) {
        auto s0 = hn::Zero(di), s1 = s0, s2 = s0, s3 = s0, s4 = s0;
        const std::int32_t* weights = lanes.pairs.data() +
                                      static_cast<std::ptrdiff_t>(i) * lanes.pair_count * lanes.rows_padded +
                                      first;
        const std::int32_t* from = blocks + x + i;
        for (int k = 0; k < lanes.pair_count; ++k, weights += lanes.rows_padded, from += pitch) {
          const auto values = hn::BitCast(d16, hn::LoadU(di, from));
          const auto add = [&](int j, auto& sum) {
            // Each lane adds the products of its own pair; on x86-64 nothing is reordered.
            auto none = hn::Zero(di);
            sum = hn::ReorderWidenMulAccumulate(di, values, hn::BitCast(d16, hn::Set(di, weights[j])), sum,
                                                none);
          };
          add(0, s0);
          add(1, s1);
          add(2, s2);
          add(3, s3);
          add(4, s4);
        }
        const int shift = lanes.form.shift;
        t0 = hn::Add(t0, hn::ShiftRightSame(s0, shift));
        t1 = hn::Add(t1, hn::ShiftRightSame(s1, shift));
        t2 = hn::Add(t2, hn::ShiftRightSame(s2, shift));
        t3 = hn::Add(t3, hn::ShiftRightSame(s3, shift));
        t4 = hn::Add(t4, hn::ShiftRightSame(s4, shift));
      }
      const decltype(t0) sums[kHogRowsAtOnce] = {t0, t1, t2, t3, t4};
      for (int j = 0; j < kHogRowsAtOnce && first + j < rows; ++j) {
        std::int32_t* const to = scores[first + j] + x;
        hn::StoreU(hn::Add(hn::LoadU(di, to), sums[j]), di, to);
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {
namespace {

HWY_EXPORT(Pixels);
HWY_EXPORT(Votes);
HWY_EXPORT(AddAcross);
HWY_EXPORT(AddDown);
HWY_EXPORT(Normalise);
HWY_EXPORT(AddScores);

constexpr int kPad = 16;  // room for whole vectors of 16 lanes

int padded(int count) { return (count + kPad - 1) / kPad * kPad; }

template <class T>
T* room(std::vector<T>& list, std::size_t count) {
  if (list.size() < count) list.resize(count);
  return list.data();
}

// The rows of a level as numbers, three at a time.
class PixelRows {
 public:
  PixelRows(std::span<const GrayView> planes, const Level& level, bool gamma, HogScratch& scratch)
      : planes_(planes),
        level_(level),
        gamma_(gamma),
        scratch_(scratch),
        pitch_(padded(level.width) + 3 * kPad) {
    scratch.columns.resize(planes.size());
    scratch.rows.resize(planes.size());
    for (std::size_t p = 0; p < planes.size(); ++p) {
      make_columns(planes[p].width, level.width, scratch.columns[p]);
      scratch.columns[p].same = planes[p].width == level.width && planes[p].height == level.height;
      scratch.rows[p].forget();
    }
    room(scratch.bytes, static_cast<std::size_t>(padded(level.width)) + 4 * kPad);
    room(scratch.pixels, planes.size() * 3 * static_cast<std::size_t>(pitch_));
  }

  // Row y of a plane; the rows before must have been made in order.
  const float* row(std::size_t plane, int y) { return slot(plane, y); }
  void make(int y) {
    for (std::size_t p = 0; p < planes_.size(); ++p) {
      resize_row_cpu(planes_[p], level_.height, scratch_.columns[p], 0, level_.width, y, scratch_.rows[p],
                     scratch_.bytes.data());
      float* const at = slot(p, y);
      HWY_DYNAMIC_DISPATCH(Pixels)(scratch_.bytes.data(), level_.width, gamma_, at);
      const int width = level_.width;
      at[-1] = at[width > 1 ? 1 : 0];
      at[width] = at[width > 1 ? width - 2 : 0];
    }
  }

 private:
  float* slot(std::size_t plane, int y) {
    return scratch_.pixels.data() +
           (plane * 3 + static_cast<std::size_t>(y % 3)) * static_cast<std::size_t>(pitch_) + kPad;
  }

  std::span<const GrayView> planes_;
  const Level& level_;
  bool gamma_;
  HogScratch& scratch_;
  int pitch_;
};

}  // namespace

bool lanes_fit(const HogShape& shape) {
  return shape.cells() == Size{2, 2} && shape.block_stride == shape.cell &&
         shape.cell.width == shape.cell.height && shape.cell.width % 2 == 0 && shape.bins <= kMaxHogLaneBins;
}

HogLanes make_hog_lanes(const HogForm& form) {
  HogLanes lanes;
  lanes.form = form;
  const HogShape& shape = form.shape;
  const int cell = shape.cell.width, values = shape.block_values();
  for (int i = 0; i < cell; ++i) {
    for (const int block : {0, 1})
      for (const int side : {0, 1})
        lanes.beside.push_back(form.across[static_cast<std::size_t>(side * 2 * cell + block * cell + i)]);
  }
  const Size blocks = shape.blocks();
  lanes.pair_count = (values + 1) / 2;
  lanes.rows_padded = (blocks.height + kHogRowsAtOnce - 1) / kHogRowsAtOnce * kHogRowsAtOnce;
  lanes.pairs.assign(static_cast<std::size_t>(blocks.width) * lanes.pair_count * lanes.rows_padded, 0);
  for (int i = 0; i < blocks.width; ++i) {
    for (int j = 0; j < blocks.height; ++j) {
      const std::int16_t* weights =
          form.weights.data() + static_cast<std::ptrdiff_t>(i * blocks.height + j) * values;
      for (int k = 0; k < values; ++k) {
        const auto weight = static_cast<std::uint32_t>(static_cast<std::uint16_t>(weights[k]));
        auto& pair =
            lanes.pairs[(static_cast<std::size_t>(i) * lanes.pair_count + k / 2) * lanes.rows_padded + j];
        pair = static_cast<std::int32_t>(static_cast<std::uint32_t>(pair) | weight << (16 * (k % 2)));
      }
    }
  }
  return lanes;
}

namespace {

// Appends the survivors of one lattice.
void search_lattice(const HogLanes& lanes, std::span<const GrayView> planes, const Level& level,
                    const Lattice& lattice, std::int64_t least, HogScratch& scratch) {
  const HogForm& form = lanes.form;
  const HogShape& shape = form.shape;
  const int cell = shape.cell.width, bins = shape.bins, values = shape.block_values();
  const Size window = shape.blocks();
  const int block_columns = lattice.cols + window.width - 1, block_rows = lattice.rows + window.height - 1;
  const int cells = block_columns + 1, width = cells * cell;
  const int row_length = block_columns * 2 * bins;  // of row sums
  const auto row_pitch = static_cast<std::ptrdiff_t>(padded(row_length));
  const int pitch = padded(block_columns) + kPad;  // of blocks; windows read a few lanes beyond
  const int score_pitch = padded(lattice.cols);

  PixelRows pixels(planes, level, shape.gamma, scratch);
  const auto votes_pitch = static_cast<std::size_t>(padded(width));
  float *here = room(scratch.here, 2 * votes_pitch), *next = room(scratch.next, 2 * votes_pitch);
  std::int32_t* bin_places = room(scratch.bins, 4 * votes_pitch);
  float* row_sums = room(scratch.row_sums, static_cast<std::size_t>(cell * row_pitch));
  float* sums = room(scratch.sums, static_cast<std::size_t>(4 * row_pitch));
  std::fill_n(sums, 4 * row_pitch, 0.f);
  float* turned = room(scratch.turned, static_cast<std::size_t>(values) * pitch);
  std::fill_n(turned, static_cast<std::ptrdiff_t>(values) * pitch, 0.f);
  std::int32_t* blocks = room(scratch.blocks, static_cast<std::size_t>(lanes.pair_count) * pitch + 2 * kPad);
  std::int32_t* scores = room(scratch.scores, static_cast<std::size_t>(window.height) * score_pitch);
  std::vector<std::int32_t*> rows_of_windows(static_cast<std::size_t>(window.height));

  const auto mirrored = [&](int y) { return y < 0 ? -y : y < level.height ? y : 2 * level.height - 2 - y; };
  int made = std::max(lattice.y - 2, -1);  // the last row of pixels
  for (int band = 0; band <= block_rows; ++band) {
    for (int i = 0; i < cell; i += 2) {
      const float* votes[2][2];
      const std::int32_t* places[2][2];
      float* to[2];
      for (int r = 0; r < 2; ++r) {
        const int y = lattice.y + band * cell + i + r;
        while (made < std::min(y + 1, level.height - 1)) pixels.make(++made);
        const float* rows[3][3];
        for (std::size_t p = 0; p < planes.size(); ++p) {
          rows[p][0] = pixels.row(p, std::abs(y - 1)) + lattice.x;
          rows[p][1] = pixels.row(p, y) + lattice.x;
          rows[p][2] = pixels.row(p, mirrored(y + 1)) + lattice.x;
        }
        float *h = here + r * votes_pitch, *n = next + r * votes_pitch;
        std::int32_t *b = bin_places + 2 * r * votes_pitch, *nb = b + votes_pitch;
        HWY_DYNAMIC_DISPATCH(Votes)(rows, static_cast<int>(planes.size()), width, form, h, n, b, nb);
        votes[r][0] = h, votes[r][1] = n, places[r][0] = b, places[r][1] = nb;
        to[r] = row_sums + (i + r) * row_pitch;
      }
      HWY_DYNAMIC_DISPATCH(AddAcross)(votes, places, cells, cell, bins, lanes.beside.data(), to);
    }
    float* const old[2] = {sums + (band % 2) * 2 * row_pitch, sums + ((band % 2) * 2 + 1) * row_pitch};
    float* const fresh[2] = {sums + ((band + 1) % 2) * 2 * row_pitch,
                             sums + (((band + 1) % 2) * 2 + 1) * row_pitch};
    HWY_DYNAMIC_DISPATCH(AddDown)(row_sums, row_pitch, cell, form.down.data(), row_length, old, fresh);
    const int row = band - 1;  // of blocks: complete now
    if (row < 0) continue;
    for (int upper = 0; upper < 2; ++upper) {
      const float* from = old[upper];
      for (int column = 0; column < block_columns; ++column)
        for (int bin = 0; bin < bins; ++bin)
          for (int side = 0; side < 2; ++side, ++from)
            turned[static_cast<std::ptrdiff_t>((side * 2 + upper) * bins + bin) * pitch + column] = *from;
    }
    HWY_DYNAMIC_DISPATCH(Normalise)(turned, values, pitch, form.calm, form.clip, blocks);
    for (int j = 0; j < window.height; ++j)
      rows_of_windows[j] =
          scores + static_cast<std::ptrdiff_t>((row - j + window.height) % window.height) * score_pitch;
    std::fill_n(rows_of_windows[0], score_pitch, 0);
    HWY_DYNAMIC_DISPATCH(AddScores)(blocks, pitch, lanes, window.width, lattice.cols, rows_of_windows.data());
    const int finished = row - (window.height - 1);  // of the lattice
    if (finished < 0 || finished % lattice.stride != 0) continue;
    const std::int32_t* const wholes = rows_of_windows[window.height - 1];
    std::int64_t id = lattice.first_window +
                      static_cast<std::int64_t>(finished / lattice.stride) * lattice.period * level.cols;
    for (int x = 0; x < lattice.cols; x += lattice.stride, id += lattice.period)
      if (wholes[x] >= least) scratch.survivors.push_back({id, form.score(wholes[x])});
  }
}

}  // namespace

void hog_level_cpu(const HogLanes& lanes, std::span<const GrayView> planes, const Level& level,
                   std::int64_t least, HogScratch& scratch) {
  const std::size_t before = scratch.survivors.size();
  int lattices = 0;
  each_lattice(level, lanes.form.shape.cell.width, [&](const Lattice& lattice) {
    search_lattice(lanes, planes, level, lattice, least, scratch);
    ++lattices;
  });
  if (lattices > 1) {
    std::sort(scratch.survivors.begin() + static_cast<std::ptrdiff_t>(before), scratch.survivors.end(),
              [](const Survivor& a, const Survivor& b) { return a.window < b.window; });
  }
}

}  // namespace winnow
#endif  // HWY_ONCE
