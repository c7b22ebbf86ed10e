// The integral planes of a strip: some columns of a level, a few rows at a time, small enough for the cache.
// In: rows of pixels from top to bottom. Out: planes whose row r, column c hold the sums of the strip's
// pixels above and to the left, modulo 2^32 and, where lanes want them, modulo 2^16. Sums of a rectangle come
// out right whatever lies outside the strip. exact. The strip owns its memory, asked for once; one thread.
// Below the rows of the planes modulo 2^16 that lie row by row there may be a shelf, for copies of what is
// above.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace winnow {

struct StripShape {
  int stride =
      0;  // values in a row; a multiple of 64; at least the pixels of a row + 17 and what lanes read beyond
  int rows = 0;      // integral rows that fit
  bool wide = true;  // 32-bit sums
  bool square = false;
  bool tilted = false;
  int shelf_rows = 0;
};
constexpr int kShelfWidth = 32;  // values that are copied together

// One row as the lanes see it: column 1 and on. `sum`, `square`, and what is odd with its even may be null;
// with `square_odd` `square` is of even columns.
struct StripRow {
  const std::uint16_t* above_low;
  const std::uint32_t *above_sum, *above_square, *above_square_odd;
  std::uint16_t *low, *even, *odd;
  std::uint32_t *sum, *square, *square_odd;
};

// Values whose second column begins a cache line in every row, as all writes of whole rows and even columns
// do.
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

  // Forgets all rows; integral row 0 (zeros) is there. `split`: fill the planes with even and odd columns
  // apart, of which that of squares is one then.
  void start(bool split);
  int rows() const { return rows_; }  // integral rows that are filled
  // One more row of `count` pixels (readable, and of any value, up to the next multiple of 16).
  void add_row(const std::uint8_t* pixels, int count);
  // Moves rows [first, rows()) to the top; `used` values of each.
  void drop_rows(int first, int used);
  // Rows of `width` values, a multiple of kShelfWidth, to a place on the shelf. (Of some that lie beyond the
  // row something is copied that nobody reads.)
  void shelve(std::int32_t from, std::int32_t to, int width, int rows);

  int stride() const { return shape_.stride; }
  std::int32_t shelf() const { return shape_.stride * shape_.rows; }  // the place where it begins
  const std::uint16_t* low() const { return low_.data(); }
  const std::uint16_t* split() const { return split_.data(); }
  const std::uint32_t* sum() const { return sum_.data(); }        // null without wide sums
  const std::uint32_t* square() const { return square_.data(); }  // apart after `start(true)`
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
  // Diagonals that end in the newest row.
  std::vector<std::uint32_t> up_left_, up_right_, next_left_, next_right_;
};

}  // namespace winnow
