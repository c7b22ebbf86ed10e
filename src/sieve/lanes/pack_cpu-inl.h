// Packs windows: copies the corners of kBundle windows, which lie anywhere in a strip, side by side into a
// patch. Included once per SIMD target.
//
// In:     a 16-bit plane of a strip, and the places of kBundle windows.
// Out:    the patch: for each corner of a window, the values of all kBundle windows, one cache line.
// Exact:  corners are copied.
// Memory: the patch is the caller's, with `patch_values` cache lines per plane.
// Cost:   `LaneProgram::pack_cost`.
//
// After packing, one load of half a cache line brings one corner of 16 windows, however far apart the windows
// were. A late stage, which few and scattered windows reach, then costs as little per window as an early
// stage.
#if defined(WINNOW_PACK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WINNOW_PACK_INL_H
#undef WINNOW_PACK_INL_H
#else
#define WINNOW_PACK_INL_H
#endif

#include "sieve/lanes/lanes_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace winnow {
namespace HWY_NAMESPACE {

// The largest number of chunks of eight columns that are loaded together. A window's place is loaded once for
// all of these chunks. With 32 registers, three chunks together save a fifth of the cost of packing.
constexpr int kMostChunks = HWY_TARGET <= HWY_AVX3 ? 3 : 1;

// Transposes eight vectors, each with eight columns of a window, into eight vectors, each with one column of
// kN16 windows. Stores only columns from kFrom on.
template <int kFrom>
HWY_INLINE void transpose8(const VU16 (&row)[8], std::uint16_t* out) {
  const DU16 d;
  VU16 mid[8], pair[8];
  for (int i = 0; i < 4; ++i) {
    mid[2 * i] = hn::InterleaveLower(d, row[i], row[i + 4]);
    mid[2 * i + 1] = hn::InterleaveUpper(d, row[i], row[i + 4]);
  }
  for (int i = 0; i < 4; ++i) {  // mid[0..3] hold rows 0 4 1 5, mid[4..7] rows 2 6 3 7
    pair[2 * i] = hn::InterleaveLower(d, mid[i], mid[i + 4]);
    pair[2 * i + 1] = hn::InterleaveUpper(d, mid[i], mid[i + 4]);
  }
  unrolled<4>([&](auto i) WINNOW_LANE_LAMBDA {  // pair[0..3] hold even rows, pair[4..7] odd rows
    if constexpr (2 * i >= kFrom)
      hn::StoreU(hn::InterleaveLower(d, pair[i], pair[i + 4]), d, out + 2 * i * kBundle);
    if constexpr (2 * i + 1 >= kFrom)
      hn::StoreU(hn::InterleaveUpper(d, pair[i], pair[i + 4]), d, out + (2 * i + 1) * kBundle);
  });
}

// Packs kCount chunks of one row of corners, for kN16 windows. Chunks lie side by side, but the last chunk
// begins `overlap` columns early. Of the last chunk, stores only the columns from kFrom on.
template <int kCount, int kFrom>
HWY_INLINE void pack_chunks(const std::uint16_t* row, const std::int32_t* at, int overlap,
                            std::uint16_t* patch) {
  VU16 columns[kCount][8];
  unrolled<8>([&](auto i) WINNOW_LANE_LAMBDA {
    const std::uint16_t *window = row + at[i], *upper = kN16 > 8 ? row + at[i + 8] : window;
    unrolled<kCount>([&](auto c) WINNOW_LANE_LAMBDA {
      const int first = c + 1 < kCount ? 8 * c : 8 * c - overlap;
      columns[c][i] = load_two(DU16(), window + first, upper + first);
    });
  });
  unrolled<kCount>([&](auto c) WINNOW_LANE_LAMBDA {
    constexpr bool kLast = c + 1 == kCount;
    transpose8<kLast ? kFrom : 0>(columns[c], patch + (kLast ? 8 * c - overlap : 8 * c) * kBundle);
  });
}

// Packs one row of corners, for kN16 windows. Of the last chunk, stores only the columns from kFrom on.
template <int kFrom>
HWY_INLINE void pack_row(const std::uint16_t* row, int chunks, int overlap, const std::int32_t* at,
                         std::uint16_t* patch) {
  if constexpr (kMostChunks == 3) {
    for (; chunks > 4; chunks -= 3, row += 24, patch += 24 * kBundle) pack_chunks<3, 0>(row, at, 0, patch);
    switch (chunks) {
      case 1:
        pack_chunks<1, kFrom>(row, at, overlap, patch);
        break;
      case 2:
        pack_chunks<2, kFrom>(row, at, overlap, patch);
        break;
      case 3:
        pack_chunks<3, kFrom>(row, at, overlap, patch);
        break;
      default:
        pack_chunks<2, 0>(row, at, 0, patch);
        pack_chunks<2, kFrom>(row + 16, at, overlap, patch + 16 * kBundle);
    }
  } else {
    for (; chunks > 1; --chunks, row += 8, patch += 8 * kBundle) pack_chunks<1, 0>(row, at, 0, patch);
    pack_chunks<1, kFrom>(row, at, overlap, patch);
  }
}

// Packs one plane of kBundle windows at the places `at`. The last chunk of a row overlaps the chunk before.
// If the last chunk adds only one column, as with windows of 24 columns (25 corners), only that column is
// stored.
HWY_INLINE void pack_plane(const std::uint16_t* plane, const LaneGeometry& g, const std::int32_t* at,
                           std::uint16_t* patch) {
  const int rows = g.patch_values / g.patch_width, chunks = (g.patch_width + 7) / 8;
  const int overlap = 8 * chunks - g.patch_width;
  for (int first = 0; first < kBundle; first += kN16) {
    const std::uint16_t* row = plane;
    std::uint16_t* out = patch + first;
    for (int y = 0; y < rows; ++y, row += g.stride, out += g.patch_width * kBundle) {
      overlap == 7 ? pack_row<7>(row, chunks, overlap, at + first, out)
                   : pack_row<0>(row, chunks, overlap, at + first, out);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace winnow
HWY_AFTER_NAMESPACE();

#endif  // WINNOW_PACK_INL_H
