// Packing: corners of kGroup windows that lie anywhere in a strip, moved side by side. Included once a SIMD
// target. Afterwards one aligned load brings one corner of 16 windows, whatever distance they had: late
// stages, which few and scattered windows reach, then cost as little a window as early ones. Measured for 20
// x 20 windows: packing costs a window about as much as 8 weak classifiers of a block in which it is the only
// one alive.
#if defined(WINNOW_PACK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WINNOW_PACK_INL_H
#undef WINNOW_PACK_INL_H
#else
#define WINNOW_PACK_INL_H
#endif

#include "sieve/lanes_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {

// Eight columns of one row of kN16 windows (eight to a 128-bit block), turned into eight vectors of kN16
// windows.
template <class D>
HWY_INLINE hn::Vec<D> load_rows(D d, const std::uint16_t* plane, const std::int32_t* at) {
  const hn::CappedTag<std::uint16_t, 8> d8;
  if constexpr (hn::MaxLanes(D()) == 16) {
    return hn::Combine(d, hn::LoadU(d8, plane + at[8]), hn::LoadU(d8, plane + at[0]));
  } else {
    return hn::LoadU(d, plane + at[0]);
  }
}

HWY_INLINE void turn8(const std::uint16_t* plane, const std::int32_t* at, std::uint16_t* out) {
  const DU16 d;
  VU16 row[8], mid[8];
  for (int i = 0; i < 8; ++i) row[i] = load_rows(d, plane, at + i);
  for (int i = 0; i < 4; ++i) {
    mid[2 * i] = hn::InterleaveLower(d, row[i], row[i + 4]);
    mid[2 * i + 1] = hn::InterleaveUpper(d, row[i], row[i + 4]);
  }
  for (int i = 0; i < 4; ++i) {  // mid[0..3] hold rows 0 4 1 5, mid[4..7] rows 2 6 3 7
    row[2 * i] = hn::InterleaveLower(d, mid[i], mid[i + 4]);
    row[2 * i + 1] = hn::InterleaveUpper(d, mid[i], mid[i + 4]);
  }
  for (int i = 0; i < 4; ++i) {  // row[0..3] hold even rows, row[4..7] odd ones
    hn::StoreU(hn::InterleaveLower(d, row[i], row[i + 4]), d, out + (2 * i) * kGroup);
    hn::StoreU(hn::InterleaveUpper(d, row[i], row[i + 4]), d, out + (2 * i + 1) * kGroup);
  }
}

// `at` has kGroup places; the last chunk of a row overlaps the one before.
HWY_INLINE void pack_plane(const std::uint16_t* plane, const LaneGeometry& g, const std::int32_t* at,
                           std::uint16_t* patch) {
  const int rows = g.patch_values / g.patch_width;
  for (int y = 0; y < rows; ++y, plane += g.stride, patch += g.patch_width * kGroup) {
    for (int x = 0; x < g.patch_width; x += 8) {
      const int chunk = x + 8 <= g.patch_width ? x : g.patch_width - 8;
      for (int part = 0; part < kGroup; part += kN16) {
        turn8(plane + chunk, at + part, patch + chunk * kGroup + part);
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#endif  // WINNOW_PACK_INL_H
