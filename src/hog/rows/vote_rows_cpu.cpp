// Computes what hog/rows/vote_rows.h declares, and `split_channels_cpu` of hog/hog_steps.h; their opening
// comments hold here.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hog/rows/vote_rows_cpu.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

#include "hog/grown.h"
#include "hog/hog_steps.h"
#include "hog/rows/gradient_rule.h"
#include "hog/rows/vote_rows.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::ScalableTag<float>;
using DI = hn::RebindToSigned<DF>;
using VF = hn::Vec<DF>;

// Converts the pixels of a row to floats, or to their square roots.
void Pixels(const std::uint8_t* HWY_RESTRICT bytes, int width, bool gamma, float* HWY_RESTRICT pixels) {
  const DF d;
  const hn::Rebind<std::uint8_t, DF> d8;
  const DI di;
  for (int x = 0; x < width; x += static_cast<int>(hn::Lanes(d))) {
    const VF value = hn::ConvertTo(d, hn::PromoteTo(di, hn::LoadU(d8, bytes + x)));
    hn::StoreU(gamma ? hn::Sqrt(value) : value, d, pixels + x);
  }
}

// Splits a row of colours into planes. `to`: the rows of the blue, the green and the red plane.
void Split(const std::uint8_t* HWY_RESTRICT from, int width, std::uint8_t* const to[3]) {
  const hn::ScalableTag<std::uint8_t> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int x = 0;
  for (; x + lanes <= width; x += lanes) {
    hn::Vec<decltype(d)> r, g, b;
    hn::LoadInterleaved3(d, from + 3 * x, r, g, b);
    hn::StoreU(b, d, to[0] + x);
    hn::StoreU(g, d, to[1] + x);
    hn::StoreU(r, d, to[2] + x);
  }
  for (; x < width; ++x)
    for (int channel = 0; channel < 3; ++channel) to[2 - channel][x] = from[3 * x + channel];
}

// Computes the votes of a row. `rows`: for each plane, the row above, the row itself and the row below.
// `bins` and `next_bins` are offsets of the lower bin and of the next bin in lists that have four sums per
// bin.
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
    const VF fraction = hn::Sub(at, floor);
    auto bin = hn::ConvertTo(di, floor);
    bin = hn::IfThenElse(hn::Lt(bin, hn::Zero(di)), hn::Add(bin, count), bin);
    bin = hn::IfThenElse(hn::Gt(bin, last), hn::Sub(bin, count), bin);
    auto after = hn::Add(bin, hn::Set(di, 1));
    after = hn::IfThenElse(hn::Gt(after, last), hn::Zero(di), after);
    const VF length = hn::Sqrt(squares);
    hn::StoreU(hn::Mul(length, hn::Sub(one, fraction)), d, here + x);
    hn::StoreU(hn::Mul(length, fraction), d, next + x);
    hn::StoreU(hn::ShiftLeft<2>(bin), di, bins + x);
    hn::StoreU(hn::ShiftLeft<2>(after), di, next_bins + x);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {

HWY_EXPORT(Pixels);
HWY_EXPORT(Votes);
HWY_EXPORT(Split);

void split_channels_cpu(RgbView color, std::vector<GrayImage>& planes) {
  const Size size = color.size();
  planes.resize(3);
  for (GrayImage& plane : planes)
    if (plane.size() != size) plane = GrayImage(size.width, size.height);
  for (int y = 0; y < size.height; ++y) {
    std::uint8_t* const to[3] = {planes[0].row(y), planes[1].row(y), planes[2].row(y)};
    HWY_DYNAMIC_DISPATCH(Split)(reinterpret_cast<const std::uint8_t*>(color.row(y)), size.width, to);
  }
}

void VoteRows::begin(const HogForm& form, std::span<const GrayView> planes, Size level, const Box& area) {
  form_ = &form;
  planes_ = planes;
  level_ = level;
  area_ = area;
  made_ = -2;
  // Gradients need one pixel beyond the area on each side.
  inside_first_ = std::clamp(area.x - 1, 0, level.width);
  inside_last_ = std::clamp(area.x + area.width + 1, inside_first_, level.width);
  int first = inside_first_, last = inside_last_;
  if (first == last) first = level.width, last = 0;
  mirrored_.clear();
  for (int to = -1; to <= area.width; ++to) {
    if (to == inside_first_ - area.x && inside_first_ < inside_last_) to = inside_last_ - area.x;
    if (to > area.width) break;
    const int from = mirrored(area.x + to, level.width);
    mirrored_.push_back({to, from});
    first = std::min(first, from);
    last = std::max(last, from + 1);
  }
  first_ = first / kHogLanes * kHogLanes;  // `resize_row_cpu` requires a multiple of this
  count_ = last - first_;
  pitch_ = static_cast<std::size_t>(whole_lanes(area.width) + 3 * kHogLanes);
  grown(columns_, planes.size());
  grown(rows_, planes.size());
  for (std::size_t p = 0; p < planes.size(); ++p) {
    const bool same = planes[p].size() == level;
    if (!same) make_columns(planes[p].width, level.width, columns_[p]);
    columns_[p].same = same;
    rows_[p].forget();
  }
  grown(bytes_, static_cast<std::size_t>(whole_lanes(count_) + 4 * kHogLanes));
  grown(pixels_, planes.size() * 3 * pitch_);
  votes_pitch_ = static_cast<std::size_t>(whole_lanes(area.width));
  grown(lengths_, 2 * kVoteRowsAtOnce * votes_pitch_);
  grown(places_, 2 * kVoteRowsAtOnce * votes_pitch_);
}

void VoteRows::make_pixels(int row) {
  const int y = mirrored(area_.y + row, level_.height);
  for (std::size_t p = 0; p < planes_.size(); ++p) {
    resize_row_cpu(planes_[p], level_.height, columns_[p], first_, count_, y, rows_[p], bytes_.data());
    float* const at = pixels(p, row);
    if (inside_first_ < inside_last_) {
      HWY_DYNAMIC_DISPATCH(Pixels)
      (bytes_.data() + (inside_first_ - first_), inside_last_ - inside_first_, form_->shape.gamma,
       at + (inside_first_ - area_.x));
    }
    for (const Mirrored& pixel : mirrored_) at[pixel.to] = form_->pixel[bytes_[pixel.from - first_]];
  }
}

void VoteRows::make_votes(int y, int place) {
  for (made_ = std::max(made_, y - 2); made_ < y + 1;) make_pixels(++made_);
  const float* rows[3][3];
  for (std::size_t p = 0; p < planes_.size(); ++p) {
    for (int i = 0; i < 3; ++i) rows[p][i] = pixels(p, y - 1 + i);
  }
  float* const here = lengths_.data() + 2 * place * votes_pitch_;
  std::int32_t* const bins = places_.data() + 2 * place * votes_pitch_;
  HWY_DYNAMIC_DISPATCH(Votes)
  (rows, static_cast<int>(planes_.size()), area_.width, *form_, here, here + votes_pitch_, bins,
   bins + votes_pitch_);
  rows_of_votes_[place] = {here, here + votes_pitch_, bins, bins + votes_pitch_};
}

const VoteRow* VoteRows::from(int y) {
  for (int r = 0; r < kVoteRowsAtOnce; ++r) {
    if (y + r < area_.height) {
      make_votes(y + r, r);
    } else {
      rows_of_votes_[r] = rows_of_votes_[0];
    }
  }
  return rows_of_votes_;
}

}  // namespace winnow
#endif  // HWY_ONCE
