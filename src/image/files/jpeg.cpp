// Decodes JPEG with libjpeg, as image/files/decode.h declares; its opening comment holds here.
#include <algorithm>
#include <vector>

#include "image/files/decode.h"
#include "image/files/exif.h"
#include "image/files/jpeg_guard.h"
#include "image/gray_rule.h"

namespace winnow {
namespace {

static_assert(sizeof(Rgb) == 3, "rows of Rgb are handed to libjpeg as bytes");

// The limit for all of libjpeg's memory. Only the coefficients of a progressive picture come near the limit.
// With the largest allowed grey picture beside them, the total stays below 1 GiB.
constexpr long kMaxDecoderMemory = 700L << 20;

// Frees libjpeg's memory, also if the reader's constructor throws.
struct Handle {
  jpeg_decompress_struct info{};
  Handle() = default;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { jpeg_destroy_decompress(&info); }
};

// Reads a JPEG from memory.
class Reader {
 public:
  Reader(std::span<const std::byte> bytes, std::int64_t first_byte) : bytes_(bytes), first_byte_(first_byte) {
    info_.err = guard_.manager();
    guarded([&] {
      jpeg_create_decompress(&info_);
      info_.mem->max_memory_to_use = kMaxDecoderMemory;
      info_.client_data = this;
      source_.next_input_byte = reinterpret_cast<const JOCTET*>(bytes_.data());
      source_.bytes_in_buffer = bytes_.size();
      source_.init_source = [](j_decompress_ptr) {};
      source_.term_source = [](j_decompress_ptr) {};
      source_.fill_input_buffer = end;
      source_.skip_input_data = skip;
      source_.resync_to_restart = jpeg_resync_to_restart;
      info_.src = &source_;
      jpeg_read_header(&info_, TRUE);
    });
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  int width() const { return static_cast<int>(info_.image_width); }
  int height() const { return static_cast<int>(info_.image_height); }
  J_COLOR_SPACE stored() const { return info_.jpeg_color_space; }
  bool adobe() const { return info_.saw_Adobe_marker; }

  // True if the bytes cannot hold the picture: Huffman codes take at least one bit for each block of 8 x 8
  // samples of the first component. This check keeps a tiny file from causing a huge allocation.
  bool too_short() const {
    const jpeg_component_info& first = info_.comp_info[0];
    const std::int64_t units = std::int64_t{first.width_in_blocks} * first.height_in_blocks;
    return !info_.arith_code && units / 8 > static_cast<std::int64_t>(bytes_.size());
  }

  // Decodes everything. Row y is written to `row(y)`, then `done(y)` is called. Neither function may hold an
  // object with a destructor, since errors leave both by longjmp.
  template <class Row, class Done>
  void read(J_COLOR_SPACE wanted, Row row, Done done) {
    // A scan costs time for every pixel, even if it has few bytes. So larger pictures may have fewer scans:
    // 500 up to 2^24 pixels, 32 from 2^28 pixels on.
    const std::int64_t pixels = std::int64_t{width()} * height();
    watch_.max_scans = static_cast<int>(std::clamp<std::int64_t>((std::int64_t{1} << 33) / pixels, 32, 500));
    watch_.manager.progress_monitor = count_scans;
    guarded([&] {
      info_.progress = &watch_.manager;
      info_.out_color_space = wanted;
      jpeg_start_decompress(&info_);
      scanning_ = true;
      for (int y = 0; y < height(); ++y) {
        JSAMPROW to = row(y);
        jpeg_read_scanlines(&info_, &to, 1);
        done(y);
      }
      jpeg_finish_decompress(&info_);
    });
  }

  Error error(ErrorCode code, const char* sentence) const { return Error(code, sentence, {}, place()); }

 private:
  struct Watch {
    jpeg_progress_mgr manager{};  // the first member, because libjpeg passes back its address
    int max_scans = 0;
  };

  template <class Work>
  void guarded(Work work) {
    if (guard_.run(work)) return;
    throw ended_ ? error(ErrorCode::kFormat, "JPEG: the picture ends early") : guard_.error(place());
  }
  std::string place() const {
    const std::size_t left = ended_ ? 0 : source_.bytes_in_buffer;
    return byte_place(first_byte_ + static_cast<std::int64_t>(bytes_.size() - left));
  }
  [[noreturn]] static void ends_early(j_decompress_ptr info) {
    JpegGuard::fail(reinterpret_cast<j_common_ptr>(info), ErrorCode::kFormat, "the picture ends early");
  }
  // libjpeg calls this at the end of the bytes. `end` supplies a missing end marker, once. libjpeg itself
  // notices if bits of Huffman codes are missing. It would not notice if bits of arithmetic codes or the last
  // of several scans (read while `scanning_` is false) are missing, so `end` fails in these cases.
  static boolean end(j_decompress_ptr info) {
    static constexpr JOCTET kEnd[] = {0xFF, 0xD9};
    auto& reader = *static_cast<Reader*>(info->client_data);
    if (reader.ended_ || !reader.scanning_ || info->arith_code) ends_early(info);
    reader.ended_ = true;
    info->src->next_input_byte = kEnd;
    info->src->bytes_in_buffer = sizeof(kEnd);
    return TRUE;
  }
  static void skip(j_decompress_ptr info, long count) {
    if (count <= 0) return;
    if (static_cast<std::size_t>(count) > info->src->bytes_in_buffer) ends_early(info);
    info->src->next_input_byte += count;
    info->src->bytes_in_buffer -= static_cast<std::size_t>(count);
  }
  static void count_scans(j_common_ptr common) {
    const auto* info = reinterpret_cast<j_decompress_ptr>(common);
    if (info->input_scan_number > reinterpret_cast<const Watch*>(info->progress)->max_scans) {
      JpegGuard::fail(common, ErrorCode::kLimit, "the picture has too many scans");
    }
  }

  JpegGuard guard_;
  bool scanning_ = false, ended_ = false;  // `ended_`: a missing end marker was replaced
  Watch watch_;
  jpeg_source_mgr source_{};
  Handle handle_;
  jpeg_decompress_struct& info_ = handle_.info;
  std::span<const std::byte> bytes_;
  std::int64_t first_byte_;
};

// Adobe's programs store CMYK inverted: 255 is no ink. In files of other programs 255 is full ink.
Rgb rgb_of_cmyk(const JSAMPLE* cmyk, bool inverted) {
  const auto light = [&](int i) { return inverted ? cmyk[i] : 255 - cmyk[i]; };
  const auto mix = [&](int i) { return static_cast<std::uint8_t>((light(i) * light(3) + 127) / 255); };
  return {mix(0), mix(1), mix(2)};
}

// For YCbCr and grey: takes the Y plane as it is. Colour needs a second pass over the bytes.
void read_luma(Reader& reader, Picture& picture) {
  picture.gray = GrayImage(reader.width(), reader.height());
  reader.read(
      JCS_GRAYSCALE, [&](int y) { return picture.gray.row(y); }, [](int) {});
}

void read_color(Reader& reader, Picture& picture) {
  picture.color = RgbImage(reader.width(), reader.height());
  reader.read(
      JCS_RGB, [&](int y) { return reinterpret_cast<JSAMPROW>(picture.color.row(y)); }, [](int) {});
}

// For RGB, CMYK and YCCK: there is no Y plane of the picture, so grey follows `gray_rule.h`.
void read_without_luma(Reader& reader, Picture& picture, bool color) {
  const bool rgb = reader.stored() == JCS_RGB;
  std::vector<JSAMPLE> row(static_cast<std::size_t>(reader.width()) * 4);
  picture.gray = GrayImage(reader.width(), reader.height());
  if (color) picture.color = RgbImage(reader.width(), reader.height());
  const auto done = [&](int y) {
    for (int x = 0; x < reader.width(); ++x) {
      const JSAMPLE* p = row.data() + static_cast<std::ptrdiff_t>(x) * (rgb ? 3 : 4);
      const Rgb pixel = rgb ? Rgb{p[0], p[1], p[2]} : rgb_of_cmyk(p, reader.adobe());
      picture.gray.row(y)[x] = gray_of(pixel);
      if (color) picture.color.row(y)[x] = pixel;
    }
  };
  reader.read(
      rgb ? JCS_RGB : JCS_CMYK, [&](int) { return row.data(); }, done);
}

}  // namespace

Picture decode_jpeg(std::span<const std::byte> bytes, const ReadOptions& options, std::int64_t first_byte) {
  Picture picture;
  Reader reader(bytes, first_byte);
  check_picture_size(reader.width(), reader.height(), options);
  if (reader.too_short()) throw reader.error(ErrorCode::kFormat, "JPEG: the picture ends early");
  switch (reader.stored()) {
    case JCS_GRAYSCALE:
      read_luma(reader, picture);
      if (options.color) picture.color = to_color(picture.gray.view());
      break;
    case JCS_YCbCr:
      read_luma(reader, picture);
      if (options.color) {
        Reader again(bytes, first_byte);
        read_color(again, picture);
      }
      break;
    case JCS_RGB:
    case JCS_CMYK:
    case JCS_YCCK:
      read_without_luma(reader, picture, options.color);
      break;
    default:
      throw reader.error(ErrorCode::kUnsupported, "JPEG: the colours are of an unknown kind");
  }
  turn_upright(picture, jpeg_orientation(bytes));
  return picture;
}

}  // namespace winnow
