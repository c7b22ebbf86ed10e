// Decodes PNG with libpng, as image/files/decode.h declares; its opening comment holds here. Colour is the
// file's samples in 8 bits: 16-bit samples keep their high byte, transparency is dropped, a grey file gives
// r = g = b.
#include <cstring>
#include <vector>

#include <winnow/error.h>

#include "image/files/decode.h"
#include "image/files/exif.h"
#include "image/files/png_guard.h"
#include "image/gray_rule.h"

namespace winnow {
namespace {

// The most pixels in a row. libpng and this reader hold a few rows of up to 8 bytes a pixel.
constexpr std::int64_t kMaxWidth = std::int64_t{1} << 24;

class Reader {
 public:
  Reader(std::span<const std::byte> bytes, std::int64_t first_byte) : bytes_(bytes), first_byte_(first_byte) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &guard_, PngGuard::on_error, PngGuard::on_warning);
    if (png_ == nullptr) throw Error(ErrorCode::kLimit, "PNG: libpng cannot be started");
    holder_.png = png_;
    guarded([&] {
      holder_.info = info_ = png_create_info_struct(png_);
      png_set_read_fn(png_, this, take);
      // Lifts libpng's own limits: `decode_png` checks the size against the caller's limit.
      png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
      ignore_chunks();
      png_read_info(png_, info_);
    });
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  std::int64_t width() const { return png_get_image_width(png_, info_); }
  std::int64_t height() const { return png_get_image_height(png_, info_); }

  // Checks the size against the number of bytes, before memory is allocated.
  void check_bytes() const {
    if (width() > kMaxWidth) throw error(ErrorCode::kLimit, "PNG: the picture is too wide");
    const std::int64_t bits = std::int64_t{png_get_bit_depth(png_, info_)} * png_get_channels(png_, info_);
    // Deflate expands one byte to at most 1032 bytes.
    if (width() * bits / 8 * height() / 1032 > static_cast<std::int64_t>(bytes_.size())) {
      throw error(ErrorCode::kFormat, "PNG: the picture ends early");
    }
  }

  // Asks libpng for 8 bits a sample, grey or RGB. Returns true for RGB.
  bool start() {
    guarded([&] {
      const int type = png_get_color_type(png_, info_);
      if (type == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png_);
      if (type == PNG_COLOR_TYPE_GRAY) png_set_expand_gray_1_2_4_to_8(png_);
      png_set_strip_16(png_);
      png_set_strip_alpha(png_);
      png_read_update_info(png_, info_);
    });
    return png_get_color_type(png_, info_) != PNG_COLOR_TYPE_GRAY;
  }

  // Decodes everything. Reads each row of each pass into `row`, then calls `done(y, x0, step, count)`. The
  // `count` pixels of `row` belong at x0, x0 + step, ... in row y of the picture. `done` undoes the
  // interlacing, so that no picture is held twice.
  template <class Done>
  void read(png_bytep row, Done done) {
    const bool interlaced = png_get_interlace_type(png_, info_) != PNG_INTERLACE_NONE;
    const auto w = static_cast<png_uint_32>(width()), h = static_cast<png_uint_32>(height());
    guarded([&] {
      for (int pass = 0; pass < (interlaced ? PNG_INTERLACE_ADAM7_PASSES : 1); ++pass) {
        const png_uint_32 count = interlaced ? PNG_PASS_COLS(w, pass) : w;
        const png_uint_32 rows = interlaced ? PNG_PASS_ROWS(h, pass) : h;
        const int x0 = interlaced ? PNG_PASS_START_COL(pass) : 0,
                  y0 = interlaced ? PNG_PASS_START_ROW(pass) : 0;
        const int dx = interlaced ? 1 << PNG_PASS_COL_SHIFT(pass) : 1;
        const int dy = interlaced ? 1 << PNG_PASS_ROW_SHIFT(pass) : 1;
        if (count == 0) continue;
        for (png_uint_32 y = 0; y < rows; ++y) {
          png_read_row(png_, row, nullptr);
          done(y0 + static_cast<int>(y) * dy, x0, dx, static_cast<int>(count));
        }
      }
      png_read_end(png_, info_);
    });
  }

 private:
  struct Holder {
    png_structp png = nullptr;
    png_infop info = nullptr;
    ~Holder() { png_destroy_read_struct(&png, info != nullptr ? &info : nullptr, nullptr); }
  };

  template <class Work>
  void guarded(Work work) {
    if (!guard_.run(work)) throw error(ErrorCode::kFormat, guard_.message());
  }
  Error error(ErrorCode code, const std::string& sentence) const {
    return Error(code, sentence, {}, byte_place(first_byte_ + static_cast<std::int64_t>(used_)));
  }
  static void take(png_structp png, png_bytep to, std::size_t size) {
    auto* self = static_cast<Reader*>(png_get_io_ptr(png));
    if (size > self->bytes_.size() - self->used_) png_error(png, "the picture ends early");
    std::memcpy(to, self->bytes_.data() + self->used_, size);
    self->used_ += size;
  }
  // Ignores chunks that do not affect the wanted pixels. Texts and profiles are never unpacked, tRNS never
  // adds an alpha channel, and gAMA never changes a value.
  void ignore_chunks() {
    static constexpr char kChunks[] =
        "bKGD\0cHRM\0eXIf\0gAMA\0hIST\0iCCP\0iTXt\0oFFs\0pCAL\0pHYs\0sBIT\0sCAL\0sPLT\0sRGB\0sTER\0tEXt\0tIME"
        "\0tRNS"
        "\0zTXt";
    png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, reinterpret_cast<png_const_bytep>(kChunks),
                                static_cast<int>(sizeof kChunks / 5));
  }

  PngGuard guard_;
  Holder holder_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  std::span<const std::byte> bytes_;
  std::int64_t first_byte_;
  std::size_t used_ = 0;
};

}  // namespace

Picture decode_png(std::span<const std::byte> bytes, const ReadOptions& options, std::int64_t first_byte) {
  Reader reader(bytes, first_byte);
  check_picture_size(reader.width(), reader.height(), options);
  reader.check_bytes();
  const int width = static_cast<int>(reader.width()), height = static_cast<int>(reader.height());
  const bool rgb = reader.start();
  Picture picture;
  picture.gray = GrayImage(width, height);
  if (rgb && options.color) picture.color = RgbImage(width, height);
  std::vector<png_byte> row(static_cast<std::size_t>(width) * 4);
  reader.read(row.data(), [&](int y, int x0, int step, int count) {
    std::uint8_t* gray = picture.gray.row(y) + x0;
    if (!rgb) {
      for (std::ptrdiff_t i = 0; i < count; ++i) gray[i * step] = row[static_cast<std::size_t>(i)];
      return;
    }
    Rgb* color = options.color ? picture.color.row(y) + x0 : nullptr;
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      const png_byte* p = row.data() + i * 3;
      const Rgb pixel{p[0], p[1], p[2]};
      gray[i * step] = gray_of(pixel);
      if (color != nullptr) color[i * step] = pixel;
    }
  });
  if (options.color && !rgb) picture.color = to_color(picture.gray.view());
  turn_upright(picture, png_orientation(bytes));
  return picture;
}

}  // namespace winnow
