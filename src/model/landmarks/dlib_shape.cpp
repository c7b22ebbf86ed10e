// The file is a sequence of integers. An integer is a byte with its length and sign, then its magnitude, the
// lowest byte first. A float is two integers: mantissa, then exponent. A list is its length, then its
// elements. A column vector is the negated number of rows, the negated number of columns (-1), then its
// elements.
#include "model/landmarks/dlib_shape.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include <winnow/error.h>

#include "model/landmarks/landmark_model.h"

namespace winnow {
namespace {

constexpr int kVersion = 1;
constexpr unsigned kSign = 0x80, kLength = 0x0F;
// dlib's exponents for numbers that are not finite.
constexpr std::int64_t kInfinite = 32000, kMostSpecial = 32002;

class DlibReader {
 public:
  explicit DlibReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  [[noreturn]] void fail(const std::string& sentence, ErrorCode code = ErrorCode::kFormat) const {
    throw Error(code, sentence, {}, "byte " + std::to_string(at_));
  }

  std::int64_t integer() {
    if (at_ >= bytes_.size()) fail("the file is cut off");
    const auto head = static_cast<unsigned>(bytes_[at_]);
    const unsigned length = head & kLength;
    if (length < 1 || length > 8 || (head & ~(kSign | kLength)) != 0) fail("an integer is broken");
    if (bytes_.size() - at_ - 1 < length) fail("the file is cut off");
    std::uint64_t value = 0;
    for (unsigned i = 0; i < length; ++i) value |= static_cast<std::uint64_t>(bytes_[at_ + 1 + i]) << (8 * i);
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      fail("an integer is too large");
    at_ += 1 + length;
    const auto signed_value = static_cast<std::int64_t>(value);
    return (head & kSign) != 0 ? -signed_value : signed_value;
  }

  float real() {
    const std::int64_t mantissa = integer(), exponent = integer();
    if (exponent >= kInfinite && exponent <= kMostSpecial) fail("a number is not finite");
    if (exponent < -2000 || exponent > 2000) fail("a number is out of range");
    const double value = std::ldexp(static_cast<double>(mantissa), static_cast<int>(exponent));
    if (!(std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max())))
      fail("a number is out of range");
    return static_cast<float>(value);
  }

  // Reads the length of a list. An element takes at least `least_bytes` bytes, so a length that the rest of
  // the file cannot hold is refused.
  std::size_t length(std::int64_t most, std::size_t least_bytes, const char* of_what) {
    const std::int64_t value = integer();
    if (value < 0) fail(std::string("the number of ") + of_what + " is negative");
    if (value > most)
      fail(std::string("there are ") + std::to_string(value) + " " + of_what + ", " + std::to_string(most) +
               " are taken",
           ErrorCode::kLimit);
    if (static_cast<std::size_t>(value) > (bytes_.size() - at_) / least_bytes) fail("the file is cut off");
    return static_cast<std::size_t>(value);
  }

  // Reads the head of a column vector, and returns the number of elements that follow.
  std::size_t column(std::size_t most) {
    const std::int64_t rows = integer(), columns = integer();
    if (rows >= 0 || columns != -1) fail("a column of numbers is broken");
    if (rows < -static_cast<std::int64_t>(most)) fail("a column of numbers is too long", ErrorCode::kLimit);
    const auto count = static_cast<std::size_t>(-rows);
    if (count > (bytes_.size() - at_) / 4) fail("the file is cut off");
    return count;
  }

  std::uint16_t number_below(std::size_t end, const char* of_what) {
    const std::int64_t value = integer();
    if (value < 0 || value >= static_cast<std::int64_t>(end))
      fail(std::string("there is no ") + of_what + " " + std::to_string(value));
    return static_cast<std::uint16_t>(value);
  }

  bool at_end() const { return at_ == bytes_.size(); }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

// Reads the trees of one stage. `stage` counts from 0. Stage 0 sets the number and depth of trees that all
// other stages must have.
void read_stage(DlibReader& in, std::size_t stage, LandmarkModel& model) {
  ShapeTrees& trees = model.trees;
  const std::size_t coordinates = 2 * model.mean.size();
  const std::size_t count = in.length(kMaxStageTrees, 4, "trees");
  if (count == 0) in.fail("a stage has no trees");
  if (stage == 0) trees.trees = static_cast<std::int32_t>(count);
  if (count != static_cast<std::size_t>(trees.trees))
    in.fail("the stages have different numbers of trees", ErrorCode::kUnsupported);
  for (std::size_t tree = 0; tree < count; ++tree) {
    const std::size_t splits = in.length((std::int64_t{1} << kMaxTreeDepth) - 1, 8, "splits");
    if (splits == 0 || (splits & (splits + 1)) != 0) in.fail("a tree is not complete");
    if (stage == 0 && tree == 0) {
      while (trees.splits_per_tree() < splits) ++trees.depth;
      // `in.length` checks each count against the rest of the file. Only their product is checked here.
      if (static_cast<std::size_t>(trees.stages) * count * (splits + 1) * coordinates > kMaxLeafNumbers)
        in.fail("the leaves hold more than " + std::to_string(kMaxLeafNumbers) + " numbers",
                ErrorCode::kLimit);
    }
    if (splits != trees.splits_per_tree())
      in.fail("the trees have different depths", ErrorCode::kUnsupported);
    for (std::size_t i = 0; i < splits; ++i) {
      ShapeSplit& split = trees.splits.emplace_back();
      split.first = in.number_below(kMaxStagePixels, "pixel");
      split.second = in.number_below(kMaxStagePixels, "pixel");
      split.threshold = in.real();
    }
    if (in.length(std::int64_t{1} << kMaxTreeDepth, 4, "leaves") != splits + 1)
      in.fail("a tree has too few or too many leaves");
    for (std::size_t i = 0; i <= splits; ++i) {
      if (in.column(coordinates) != coordinates) in.fail("a leaf has too few or too many numbers");
      for (std::size_t c = 0; c < coordinates; ++c) model.float_leaves.push_back(in.real());
    }
  }
}

class DlibWriter {
 public:
  void integer(std::int64_t value) {
    const std::size_t head = bytes_.size();
    const unsigned sign = value < 0 ? kSign : 0;
    auto magnitude = static_cast<std::uint64_t>(value < 0 ? -value : value);
    bytes_.push_back({});
    do {
      bytes_.push_back(static_cast<std::byte>(magnitude & 0xFF));
      magnitude >>= 8;
    } while (magnitude != 0);
    bytes_[head] = static_cast<std::byte>((bytes_.size() - head - 1) | sign);
  }

  void length(std::size_t value) { integer(static_cast<std::int64_t>(value)); }

  void real(float value) {
    constexpr int kDigits = std::numeric_limits<float>::digits;
    int exponent = 0;
    auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), kDigits));
    exponent -= kDigits;
    for (int i = 0; i < 8 && (mantissa & 0xFF) == 0; ++i) {
      mantissa >>= 8;
      exponent += 8;
    }
    integer(mantissa);
    integer(exponent);
  }

  void column(std::size_t rows) {
    integer(-static_cast<std::int64_t>(rows));
    integer(-1);
  }

  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace

// Checks the first bytes: the version, then the sizes of the mean shape, which are a negative number of rows
// and -1 columns.
bool is_dlib_shape(std::span<const std::byte> bytes) {
  if (bytes.size() < 6 || bytes[0] != std::byte{1}) return false;
  const auto head = static_cast<unsigned>(bytes[2]);
  const std::size_t columns = 3 + (head & kLength);
  return (head & kSign) != 0 && (head & kLength) <= 8 && columns + 1 < bytes.size() &&
         bytes[columns] == static_cast<std::byte>(kSign | 1U) && bytes[columns + 1] == std::byte{1};
}

LandmarkModel read_dlib_shape(std::span<const std::byte> bytes) {
  DlibReader in(bytes);
  if (in.integer() != kVersion) in.fail("this version of dlib's file is not known", ErrorCode::kUnsupported);
  LandmarkModel model;
  const std::size_t coordinates = in.column(2 * kMaxPoints);
  if (coordinates % 2 != 0) in.fail("the mean shape has half a point");
  for (std::size_t i = 0; i < coordinates / 2; ++i) {
    const float x = in.real();
    model.mean.push_back({x, in.real()});
  }
  ShapeTrees& trees = model.trees;
  trees.stages = static_cast<std::int32_t>(in.length(kMaxShapeStages, 2, "stages"));
  if (trees.stages == 0) in.fail("there are no stages");
  for (std::size_t stage = 0; stage < static_cast<std::size_t>(trees.stages); ++stage)
    read_stage(in, stage, model);

  const auto stage_lists = [&](const char* what) {
    if (in.length(kMaxShapeStages, 1, "stages") != static_cast<std::size_t>(trees.stages))
      in.fail(std::string("the stages of trees and of ") + what + " differ in number");
  };
  stage_lists("anchors");
  for (std::int32_t stage = 0; stage < trees.stages; ++stage) {
    const std::size_t count = in.length(kMaxStagePixels, 2, "pixels");
    if (stage == 0) trees.pixels = static_cast<std::int32_t>(count);
    if (count != static_cast<std::size_t>(trees.pixels))
      in.fail("the stages have different numbers of pixels", ErrorCode::kUnsupported);
    for (std::size_t i = 0; i < count; ++i)
      trees.pixel_list.push_back({in.number_below(model.mean.size(), "point"), {}});
  }
  stage_lists("offsets");
  std::size_t pixel = 0;
  for (std::int32_t stage = 0; stage < trees.stages; ++stage) {
    if (in.length(kMaxStagePixels, 8, "offsets") != static_cast<std::size_t>(trees.pixels))
      in.fail("a stage has too few or too many offsets");
    for (std::int32_t i = 0; i < trees.pixels; ++i, ++pixel) {
      const float x = in.real();
      trees.pixel_list[pixel].offset = {x, in.real()};
    }
  }
  if (!in.at_end()) in.fail("the file goes on behind its end");
  return model;
}

std::vector<std::byte> write_dlib_shape(const LandmarkModel& model) {
  if (model.fixed_point())
    throw Error(ErrorCode::kUnsupported, "dlib's file holds leaves of floats, this model has whole numbers");
  if (model.confidence || model.scheme || !model.detector.empty() || model.place != BoxPlace{})
    throw Error(
        ErrorCode::kUnsupported,
        "dlib's file holds no confidence, names of points, detector or place of boxes, this model has "
        "them");
  const ShapeTrees& trees = model.trees;
  DlibWriter out;
  const std::size_t coordinates = 2 * model.mean.size();
  out.integer(kVersion);
  out.column(coordinates);
  for (const ShapePoint& point : model.mean) {
    out.real(point.x);
    out.real(point.y);
  }
  const auto stages = static_cast<std::size_t>(trees.stages),
             per_stage = static_cast<std::size_t>(trees.trees),
             pixels = static_cast<std::size_t>(trees.pixels);
  out.length(stages);
  auto split = trees.splits.begin();
  auto leaf = model.float_leaves.begin();
  for (std::size_t stage = 0; stage < stages; ++stage) {
    out.length(per_stage);
    for (std::size_t tree = 0; tree < per_stage; ++tree) {
      out.length(trees.splits_per_tree());
      for (std::size_t i = 0; i < trees.splits_per_tree(); ++i, ++split) {
        out.integer(split->first);
        out.integer(split->second);
        out.real(split->threshold);
      }
      out.length(trees.leaves_per_tree());
      for (std::size_t i = 0; i < trees.leaves_per_tree(); ++i) {
        out.column(coordinates);
        for (std::size_t c = 0; c < coordinates; ++c) out.real(*leaf++);
      }
    }
  }
  out.length(stages);
  for (std::size_t stage = 0; stage < stages; ++stage) {
    out.length(pixels);
    for (std::size_t i = 0; i < pixels; ++i) out.integer(trees.pixel_list[stage * pixels + i].point);
  }
  out.length(stages);
  for (std::size_t stage = 0; stage < stages; ++stage) {
    out.length(pixels);
    for (std::size_t i = 0; i < pixels; ++i) {
      out.real(trees.pixel_list[stage * pixels + i].offset.x);
      out.real(trees.pixel_list[stage * pixels + i].offset.y);
    }
  }
  return out.take();
}

}  // namespace winnow
