// Names of the fields in the comments are those of the standards.
#include "heif/coded_size.h"

#include <algorithm>
#include <vector>

namespace winnow {
namespace {

constexpr std::int64_t kMostSide = std::int64_t{1} << 30;

// Gives bits, the highest of a byte first. Bits behind the end are 0, and `ended` tells of them.
class Bits {
 public:
  explicit Bits(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::int64_t take(int count) {
    std::int64_t value = 0;
    for (; count > 0; --count) value = value << 1 | bit();
    return value;
  }
  bool flag() { return bit() != 0; }
  void skip(std::size_t count) { at_ += count; }
  // A number as ue(v) and uvlc() code it.
  std::int64_t exp_golomb() {
    int zeros = 0;
    while (zeros < 32 && !ended() && !flag()) ++zeros;
    return (std::int64_t{1} << zeros) - 1 + take(zeros);
  }
  bool ended() const { return at_ > bytes_.size() * 8; }

 private:
  int bit() {
    const std::size_t at = at_++;
    if (at / 8 >= bytes_.size()) return 0;
    return std::to_integer<int>(bytes_[at / 8]) >> (7 - at % 8) & 1;
  }

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

CodedSize limited(std::int64_t width, std::int64_t height) {
  return {std::min(width, kMostSide), std::min(height, kMostSide)};
}

void keep_larger(CodedSize& largest, const CodedSize& size) {
  if (size.pixels() > largest.pixels()) largest = size;
}

// What the sequence header of an AV1 says that the beginning of a frame's header depends on.
struct Av1Sequence {
  CodedSize size, most;  // `most`: the largest size that a frame can give itself
  bool still = false;    // reduced_still_picture_header
  bool timed = false;    // a shown frame has a time of `time_bits`
  int time_bits = 0, id_bits = 0;
  bool chooses_tools = true, tools = true;  // seq_force_screen_content_tools
  bool chooses_integers = true;             // seq_force_integer_mv
};

// Reads the operating points, and before them the times.
void read_points(Bits& bits, Av1Sequence& sequence) {
  bool model = false;
  int delay_bits = 0;
  if (bits.flag()) {  // timing_info_present_flag
    bits.skip(64);
    const bool equal = bits.flag();
    if (equal) bits.exp_golomb();
    model = bits.flag();
    if (model) {
      delay_bits = static_cast<int>(bits.take(5)) + 1;
      bits.skip(32 + 5);
      sequence.time_bits = static_cast<int>(bits.take(5)) + 1;
      sequence.timed = !equal;
    }
  }
  const bool delays = bits.flag();
  for (std::int64_t left = bits.take(5) + 1; left > 0; --left) {
    bits.skip(12);
    if (bits.take(5) > 7) bits.skip(1);
    if (model && bits.flag()) bits.skip(static_cast<std::size_t>(2 * delay_bits + 1));
    if (delays && bits.flag()) bits.skip(4);
  }
}

Av1Sequence read_sequence(std::span<const std::byte> unit) {
  Av1Sequence sequence;
  Bits bits(unit);
  bits.skip(4);
  sequence.still = bits.flag();
  if (sequence.still)
    bits.skip(5);
  else
    read_points(bits, sequence);
  const int width_bits = static_cast<int>(bits.take(4)) + 1, height_bits = static_cast<int>(bits.take(4)) + 1;
  const std::int64_t width = bits.take(width_bits) + 1, height = bits.take(height_bits) + 1;
  if (bits.ended()) return {};
  sequence.size = {width, height};
  sequence.most = {std::int64_t{1} << width_bits, std::int64_t{1} << height_bits};
  if (sequence.still) return sequence;
  if (bits.flag()) {  // frame_id_numbers_present_flag
    const std::int64_t difference = bits.take(4) + 2;
    sequence.id_bits = static_cast<int>(bits.take(3) + difference + 1);
  }
  bits.skip(7);
  if (bits.flag()) bits.skip(2);  // enable_order_hint
  sequence.chooses_tools = bits.flag();
  sequence.tools = sequence.chooses_tools || bits.flag();
  if (sequence.tools) sequence.chooses_integers = bits.flag();
  return sequence;
}

// Whether a frame gives itself a size of its own.
bool overrides_size(std::span<const std::byte> unit, const Av1Sequence& sequence) {
  constexpr std::int64_t kKeyFrame = 0, kSwitchFrame = 3;
  if (sequence.still) return false;
  Bits bits(unit);
  if (bits.flag()) return false;  // show_existing_frame
  const std::int64_t kind = bits.take(2);
  const bool shown = bits.flag();
  if (shown)
    bits.skip(sequence.timed ? static_cast<std::size_t>(sequence.time_bits) : 0);
  else
    bits.skip(1);
  if (kind != kSwitchFrame && !(kind == kKeyFrame && shown)) bits.skip(1);
  bits.skip(1);
  const bool tools = sequence.chooses_tools ? bits.flag() : sequence.tools;
  if (tools && sequence.chooses_integers) bits.skip(1);
  bits.skip(static_cast<std::size_t>(sequence.id_bits));
  return kind == kSwitchFrame || bits.flag();
}

}  // namespace

CodedSize hevc_unit_size(std::span<const std::byte> unit) {
  constexpr int kSequence = 33;
  if (unit.size() < 3 || (std::to_integer<int>(unit[0]) >> 1 & 63) != kSequence) return {};
  // The size lies within this number of bytes. A byte of 3 behind two zeros does not count.
  constexpr std::size_t kMostBytes = 256;
  std::vector<std::byte> bytes;
  int zeros = 0;
  for (const std::byte byte : unit.subspan(2, std::min(unit.size() - 2, kMostBytes))) {
    if (zeros >= 2 && byte == std::byte{3}) {
      zeros = 0;
      continue;
    }
    zeros = byte == std::byte{0} ? zeros + 1 : 0;
    bytes.push_back(byte);
  }
  Bits bits(bytes);
  bits.skip(4);
  const std::int64_t layers = bits.take(3);
  bits.skip(1 + 96);
  std::int64_t skipped = 0;
  for (std::int64_t i = 0; i < layers; ++i) {
    if (bits.flag()) skipped += 88;
    if (bits.flag()) skipped += 8;
  }
  if (layers > 0) bits.skip(static_cast<std::size_t>(2 * (8 - layers)));
  bits.skip(static_cast<std::size_t>(skipped));
  bits.exp_golomb();
  constexpr std::int64_t kFullColors = 3;
  if (bits.exp_golomb() == kFullColors) bits.skip(1);
  const std::int64_t width = bits.exp_golomb(), height = bits.exp_golomb();
  return limited(width, height);  // libde265 takes missing bits for 0, too
}

CodedSize hevc_size(std::span<const std::byte> units) {
  CodedSize largest;
  while (units.size() >= 4) {
    const auto size = static_cast<std::size_t>(Bits(units).take(32));
    units = units.subspan(4);
    const auto unit = units.subspan(0, std::min(size, units.size()));
    keep_larger(largest, hevc_unit_size(unit));
    units = units.subspan(unit.size());
  }
  return largest;
}

CodedSize av1_size(std::span<const std::byte> units, bool& whole) {
  constexpr int kSequence = 1, kFrameHeader = 3, kFrame = 6, kRepeatedHeader = 7;
  CodedSize largest;
  Av1Sequence sequence;
  whole = true;
  while (!units.empty()) {
    const int head = std::to_integer<int>(units[0]);
    const bool extended = (head & 4) != 0, sized = (head & 2) != 0;
    units = units.subspan(std::min<std::size_t>(extended ? 2 : 1, units.size()));
    std::uint64_t size = units.size();
    whole = sized;
    if (sized) {
      size = 0;
      for (int shift = 0; shift < 56; shift += 7) {
        if (units.empty()) {
          whole = false;
          break;
        }
        const auto byte = std::to_integer<std::uint64_t>(units[0]);
        units = units.subspan(1);
        size |= (byte & 127) << shift;
        if (byte < 128) break;
      }
    }
    if (size > units.size()) {
      whole = false;
      size = units.size();
    }
    const auto unit = units.subspan(0, static_cast<std::size_t>(size));
    const int kind = head >> 3 & 15;
    if (kind == kSequence) {
      sequence = read_sequence(unit);
      keep_larger(largest, sequence.size);
    } else if (kind == kFrameHeader || kind == kFrame || kind == kRepeatedHeader) {
      if (overrides_size(unit, sequence)) keep_larger(largest, sequence.most);
    }
    units = units.subspan(unit.size());
  }
  return largest;
}

}  // namespace winnow
