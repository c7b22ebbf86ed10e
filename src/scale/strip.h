// Keeps integral planes of a strip: some columns of a level, a few rows at a time, small enough for the
// cache.
//
// In:     rows of pixels from top to bottom.
// Out:    planes whose row r, column c hold the sum of the strip's pixels above row r and left of column c.
//         Sums are kept modulo 2^16, and modulo 2^32 if `wide`; tilted sums modulo both; squared sums modulo
//         2^32.
// Exact:  sums of a rectangle do not depend on pixels outside the strip.
// Memory: the strip owns its planes, which the constructor allocates. Pointers to planes live as long as the
//         strip.
// Thread: one thread at a time.
//
// The planes `low` and `tilted_low` may have a shelf: further rows behind their own rows, for copies of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace winnow {

struct StripShape {
  int stride = 0;  // values in a row; a multiple of 64; at least a row's pixels + 17 + the values that lanes
                   // read beyond the row
  int rows = 0;    // integral rows that the strip holds, the row of zeros included
  bool wide = true;     // also 32-bit sums
  bool square = false;  // also squared sums
  bool tilted = false;  // also tilted sums
  int shelf_rows = 0;   // rows of the shelf
};
constexpr int kShelfWidth = 32;  // values that are copied to the shelf at once

// The places of a new row and of the row above it in each plane, from column 1 on. `sum`, `square`, and the
// pair `even` and `odd` may be null. If `square_odd` is not null, `square` has the even columns only.
struct StripRow {
  const std::uint16_t* above_low;
  const std::uint32_t *above_sum, *above_square, *above_square_odd;
  std::uint16_t *low, *even, *odd;
  std::uint32_t *sum, *square, *square_odd;
};

// A plane in which item 1 of each row begins a cache line. Writes of whole rows begin at item 1, which is
// column 1. Writes of even columns that lie apart begin at item 1, too, which is then column 2.
template <class T>
class StripPlane {
 public:
  StripPlane() = default;
  explicit StripPlane(std::size_t values) : storage_(values + 2 * kLine) {
    const std::size_t past = reinterpret_cast<std::uintptr_t>(storage_.data()) % 64 / sizeof(T);
    data_ = storage_.data() + (kLine - past) % kLine + kLine - 1;
  }
  StripPlane(StripPlane&& other) noexcept = default;
  StripPlane& operator=(StripPlane&& other) noexcept = default;
  T* data() { return data_; }
  const T* data() const { return data_; }

 private:
  static constexpr std::size_t kLine = 64 / sizeof(T);
  std::vector<T> storage_;
  T* data_ = nullptr;
};

class Strip {
 public:
  explicit Strip(const StripShape& shape);

  // Forgets all rows, and sets integral row 0 to zeros. `split`: also fill the planes that keep even and odd
  // columns apart, and keep the plane of squares in this form.
  void start(bool split);
  int rows() const { return rows_; }  // the number of integral rows that are filled
  // Adds a row of `count` pixels, after `start`. A row must be free: `rows()` is below the shape's `rows`,
  // which is not checked. Every row since `start` has the same `count`. Pixels up to the next multiple of 16
  // must be readable; their values do not matter.
  void add_row(const std::uint8_t* pixels, int count);
  // Moves rows [first, rows()) to the top, and forgets the rows above. `first` is above 0 and below `rows()`.
  // `used`: the number of values of a row that are moved; after `start(true)` at most stride - 2.
  void drop_rows(int first, int used);
  // Copies `rows` rows of `width` values, a multiple of kShelfWidth, from the offset `from` to the offset
  // `to` on the shelf. An offset is row * stride + column. Only the planes `low` and `tilted_low` have a
  // shelf. Values beyond the end of a row may be copied, too; nothing reads them.
  void shelve(std::int32_t from, std::int32_t to, int width, int rows);

  int stride() const { return shape_.stride; }
  std::int32_t shelf() const { return shape_.stride * shape_.rows; }  // the offset at which the shelf begins
  // Planes that the shape does not ask for are null. `split` and `tilted_split` are filled only after
  // `start(true)`.
  const std::uint16_t* low() const { return low_.data(); }
  // Each row has its even columns first, then its odd columns from `stride` / 2 on.
  const std::uint16_t* split() const { return split_.data(); }
  const std::uint32_t* sum() const { return sum_.data(); }
  const std::uint32_t* square() const { return square_.data(); }  // split after `start(true)`
  // Tilted planes are defined in `scale/integral.h`.
  const std::uint16_t* tilted_low() const { return tilted_low_.data(); }
  const std::uint16_t* tilted_split() const { return tilted_split_.data(); }
  const std::uint32_t* tilted() const { return tilted_.data(); }

 private:
  void add_tilted_row(const std::uint8_t* pixels, int count);

  StripShape shape_;
  bool split_rows_ = false;
  int rows_ = 0;
  StripPlane<std::uint16_t> low_, split_, tilted_low_, tilted_split_;
  StripPlane<std::uint32_t> sum_, square_, tilted_;
  // Sums along the diagonals that end in the newest row.
  std::vector<std::uint32_t> up_left_, up_right_, next_left_, next_right_;
};

}  // namespace winnow
