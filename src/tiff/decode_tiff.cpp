// Decodes the first page of a TIFF with libtiff, as image/formats/opened_decoders.h declares; its opening
// comment holds here. Transparency is dropped, samples of 9 to 16 bits keep their high 8, and CMYK becomes
// colours as in a JPEG. Kinds of pixels beside grey, palette, RGB and CMYK are left to libtiff's own rules.
#include <algorithm>
#include <array>
#include <new>
#include <vector>

#include "image/formats/opened_decoders.h"
#include "tiff/tiff_file.h"

namespace winnow {
namespace {

// A tile or a row of all samples may take this number of bytes.
constexpr std::int64_t kMostTileBytes = std::int64_t{1} << 28;
constexpr std::int64_t kMostPages = 1000;  // further pages are not counted

// How samples become pixels.
class Pixels {
 public:
  explicit Pixels(TiffFile& file)
      : kind_(file.small(TIFFTAG_PHOTOMETRIC)),
        bits_(file.small(TIFFTAG_BITSPERSAMPLE)),
        samples_(file.small(TIFFTAG_SAMPLESPERPIXEL)) {
    // libtiff converts the colours of a JPEG itself.
    if (kind_ == PHOTOMETRIC_YCBCR && file.small(TIFFTAG_COMPRESSION) == COMPRESSION_JPEG &&
        file.small(TIFFTAG_PLANARCONFIG) == PLANARCONFIG_CONTIG) {
      TIFFSetField(file.get(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
      kind_ = PHOTOMETRIC_RGB;
    }
    const std::uint16_t format = file.small(TIFFTAG_SAMPLEFORMAT);
    if (format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_VOID && format != 0)
      file.fail(ErrorCode::kUnsupported, "its samples are no numbers from 0 on");
    const bool many = bits_ >= 8 && bits_ <= 16, few = bits_ == 1 || bits_ == 2 || bits_ == 4;
    switch (kind_) {
      case PHOTOMETRIC_MINISBLACK:
      case PHOTOMETRIC_MINISWHITE:
        known_ = samples_ >= 1 && (many || (few && samples_ == 1));
        break;
      case PHOTOMETRIC_PALETTE:
        known_ = samples_ == 1 && (bits_ == 8 || few) && read_palette(file);
        break;
      case PHOTOMETRIC_RGB:
        known_ = samples_ >= 3 && many;
        break;
      case PHOTOMETRIC_SEPARATED:
        known_ = samples_ >= 4 && many && file.small(TIFFTAG_INKSET) == INKSET_CMYK;
        break;
      default:
        break;
    }
  }

  bool known() const { return known_; }
  bool gray() const { return kind_ == PHOTOMETRIC_MINISBLACK || kind_ == PHOTOMETRIC_MINISWHITE; }
  int bits() const { return bits_; }
  int samples() const { return samples_; }
  // The number of samples of a pixel that count.
  int wanted() const { return kind_ == PHOTOMETRIC_RGB ? 3 : kind_ == PHOTOMETRIC_SEPARATED ? 4 : 1; }

  std::uint8_t gray_of(std::uint8_t value) const {
    const int scaled = bits_ < 8 ? value * 255 / ((1 << bits_) - 1) : value;
    return static_cast<std::uint8_t>(kind_ == PHOTOMETRIC_MINISWHITE ? 255 - scaled : scaled);
  }
  Rgb color_of(const std::uint8_t* values) const {
    if (kind_ == PHOTOMETRIC_PALETTE) return palette_[values[0]];
    if (kind_ == PHOTOMETRIC_RGB) return {values[0], values[1], values[2]};
    const auto mix = [&](int i) {
      return static_cast<std::uint8_t>(((255 - values[i]) * (255 - values[3]) + 127) / 255);
    };
    return {mix(0), mix(1), mix(2)};
  }

 private:
  // Old programs wrote colours of 8 bits into the palette's 16.
  bool read_palette(TiffFile& file) {
    std::uint16_t *red = nullptr, *green = nullptr, *blue = nullptr;
    if (TIFFGetField(file.get(), TIFFTAG_COLORMAP, &red, &green, &blue) != 1) return false;
    const std::size_t colors = std::size_t{1} << bits_;
    int shift = 0;
    for (const std::uint16_t* part : {red, green, blue}) {
      if (std::any_of(part, part + colors, [](std::uint16_t value) { return value > 255; })) shift = 8;
    }
    const auto channel = [&](std::uint16_t value) { return static_cast<std::uint8_t>(value >> shift); };
    for (std::size_t i = 0; i < colors; ++i)
      palette_[i] = {channel(red[i]), channel(green[i]), channel(blue[i])};
    return true;
  }

  std::uint16_t kind_;
  int bits_, samples_;
  bool known_ = false;
  std::array<Rgb, 256> palette_{};
};

// A row or a tile's row: takes sample `s` of pixel `x`, and of more than 8 bits the high ones.
class Packed {
 public:
  // `stride`: samples from one pixel to the next.
  Packed(const std::uint8_t* row, int bits, int stride) : row_(row), bits_(bits), stride_(stride) {}
  std::uint8_t operator()(std::int64_t x, int s) const {
    const std::int64_t at = x * stride_ + s;
    if (bits_ == 8) return row_[at];
    if (bits_ == 16) {
      std::uint16_t value = 0;  // in the order of this machine
      std::copy_n(row_ + at * 2, 2, reinterpret_cast<std::uint8_t*>(&value));
      return static_cast<std::uint8_t>(value >> 8);
    }
    const std::int64_t bit = at * bits_;
    if (bits_ > 8) {  // the high bits lie in this byte and the next one
      const auto* from = row_ + bit / 8;
      return static_cast<std::uint8_t>((from[0] << 8 | from[1]) >> (8 - bit % 8));
    }
    return static_cast<std::uint8_t>(row_[bit / 8] >> (8 - bits_ - bit % 8) & ((1 << bits_) - 1));
  }

 private:
  const std::uint8_t* row_;
  int bits_, stride_;
};

class Decoder {
 public:
  Decoder(TiffFile& file, PictureSink& sink)
      : file_(file),
        sink_(sink),
        width_(file.large(TIFFTAG_IMAGEWIDTH)),
        height_(file.large(TIFFTAG_IMAGELENGTH)) {
    sink.start(width_, height_);
  }

  void run() {
    const Pixels pixels(file_);
    const bool separate = file_.small(TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE;
    if (!pixels.known()) return read_by_libtiff();
    if (TIFFIsTiled(file_.get()) != 0) return read_tiles(pixels, separate);
    if (separate && pixels.wanted() > 1) return read_planes(pixels);
    read_rows(pixels, separate ? 1 : pixels.samples());
  }

 private:
  std::vector<std::uint8_t> buffer(std::int64_t bytes) const {
    if (bytes <= 0) file_.fail_damaged();
    if (bytes > kMostTileBytes) file_.fail(ErrorCode::kLimit, "a tile or row takes too much memory");
    return std::vector<std::uint8_t>(static_cast<std::size_t>(bytes));
  }
  // Fails if a row of `count` pixels, `stride` samples apart, is longer than libtiff's own row.
  void check_row(const Pixels& pixels, std::int64_t count, int stride, std::int64_t bytes) const {
    if ((count * stride * pixels.bits() + 7) / 8 > bytes) file_.fail_damaged();
  }

  // Hands a row of values, `wanted` for each pixel, to the sink.
  void give(const Pixels& pixels, std::int64_t y, const std::uint8_t* values) {
    if (pixels.gray()) {
      grays_.resize(static_cast<std::size_t>(width_));
      std::transform(values, values + width_, grays_.begin(),
                     [&](std::uint8_t value) { return pixels.gray_of(value); });
      return sink_.gray_row(static_cast<int>(y), grays_.data());
    }
    colors_.resize(static_cast<std::size_t>(width_));
    for (std::int64_t x = 0; x < width_; ++x)
      colors_[static_cast<std::size_t>(x)] = pixels.color_of(values + x * pixels.wanted());
    sink_.color_row(static_cast<int>(y), colors_.data());
  }

  // Rows that hold all samples of their pixels, or one plane only.
  void read_rows(const Pixels& pixels, int stride) {
    std::vector<std::uint8_t> row = buffer(TIFFScanlineSize64(file_.get()));
    check_row(pixels, width_, stride, static_cast<std::int64_t>(row.size()));
    const int wanted = pixels.wanted();
    std::vector<std::uint8_t> values(static_cast<std::size_t>(width_ * wanted));
    const Packed packed(row.data(), pixels.bits(), stride);
    for (std::int64_t y = 0; y < height_; ++y) {
      if (TIFFReadScanline(file_.get(), row.data(), static_cast<std::uint32_t>(y), 0) != 1)
        file_.fail_damaged();
      for (std::int64_t x = 0; x < width_; ++x) {
        for (int s = 0; s < wanted; ++s) values[static_cast<std::size_t>(x * wanted + s)] = packed(x, s);
      }
      give(pixels, y, values.data());
    }
  }

  // Planes that lie one behind the other.
  void read_planes(const Pixels& pixels) {
    std::vector<std::uint8_t> row = buffer(TIFFScanlineSize64(file_.get()));
    check_row(pixels, width_, 1, static_cast<std::int64_t>(row.size()));
    const int wanted = pixels.wanted();
    std::vector<std::uint8_t> values(static_cast<std::size_t>(width_ * height_ * wanted));
    const Packed packed(row.data(), pixels.bits(), 1);
    for (int s = 0; s < wanted; ++s) {
      for (std::int64_t y = 0; y < height_; ++y) {
        if (TIFFReadScanline(file_.get(), row.data(), static_cast<std::uint32_t>(y),
                             static_cast<std::uint16_t>(s)) != 1)
          file_.fail_damaged();
        for (std::int64_t x = 0; x < width_; ++x)
          values[static_cast<std::size_t>((y * width_ + x) * wanted + s)] = packed(x, 0);
      }
    }
    for (std::int64_t y = 0; y < height_; ++y) give(pixels, y, values.data() + y * width_ * wanted);
  }

  // Tiles, a row of them at a time.
  void read_tiles(const Pixels& pixels, bool separate) {
    const std::int64_t tile_width = file_.large(TIFFTAG_TILEWIDTH),
                       tile_height = file_.large(TIFFTAG_TILELENGTH);
    if (tile_width <= 0 || tile_height <= 0) file_.fail_damaged();
    std::vector<std::uint8_t> tile = buffer(static_cast<std::int64_t>(TIFFTileSize64(file_.get())));
    const auto row_bytes = static_cast<std::int64_t>(TIFFTileRowSize64(file_.get()));
    const int wanted = pixels.wanted(), stride = separate ? 1 : pixels.samples();
    check_row(pixels, tile_width, stride, row_bytes);
    if (row_bytes * tile_height > static_cast<std::int64_t>(tile.size())) file_.fail_damaged();
    const std::int64_t most_rows = std::min(tile_height, height_);
    std::vector<std::uint8_t> values(static_cast<std::size_t>(most_rows * width_ * wanted));
    for (std::int64_t y0 = 0; y0 < height_; y0 += tile_height) {
      const std::int64_t rows = std::min(tile_height, height_ - y0);
      for (std::int64_t x0 = 0; x0 < width_; x0 += tile_width) {
        const std::int64_t count = std::min(tile_width, width_ - x0);
        for (int plane = 0; plane < (separate ? wanted : 1); ++plane) {
          if (TIFFReadTile(file_.get(), tile.data(), static_cast<std::uint32_t>(x0),
                           static_cast<std::uint32_t>(y0), 0, static_cast<std::uint16_t>(plane)) < 0)
            file_.fail_damaged();
          for (std::int64_t y = 0; y < rows; ++y) {
            const Packed packed(tile.data() + y * row_bytes, pixels.bits(), stride);
            std::uint8_t* to = values.data() + (y * width_ + x0) * wanted;
            for (std::int64_t x = 0; x < count; ++x) {
              for (int s = 0; s < (separate ? 1 : wanted); ++s) to[x * wanted + s + plane] = packed(x, s);
            }
          }
        }
      }
      for (std::int64_t y = 0; y < rows; ++y) give(pixels, y0 + y, values.data() + y * width_ * wanted);
    }
  }

  // Other kinds of pixels: libtiff makes red, green, blue and alpha of the whole picture.
  void read_by_libtiff() {
    std::array<char, 1024> why{};
    TIFFRGBAImage image;
    if (TIFFRGBAImageOK(file_.get(), why.data()) != 1)
      file_.fail(ErrorCode::kUnsupported, "its kind of pixels is not read: convert the picture");
    std::vector<std::uint32_t> raster(static_cast<std::size_t>(width_ * height_));
    if (TIFFRGBAImageBegin(&image, file_.get(), 1, why.data()) != 1) file_.fail_damaged();
    image.req_orientation = image.orientation;  // the caller turns the picture
    const int done = TIFFRGBAImageGet(&image, raster.data(), static_cast<std::uint32_t>(width_),
                                      static_cast<std::uint32_t>(height_));
    TIFFRGBAImageEnd(&image);
    if (done != 1) file_.fail_damaged();
    colors_.resize(static_cast<std::size_t>(width_));
    const auto channel = [](std::uint32_t value) { return static_cast<std::uint8_t>(value & 255); };
    for (std::int64_t y = 0; y < height_; ++y) {
      const std::uint32_t* row = raster.data() + y * width_;
      for (std::int64_t x = 0; x < width_; ++x)
        colors_[static_cast<std::size_t>(x)] = {channel(row[x]), channel(row[x] >> 8), channel(row[x] >> 16)};
      sink_.color_row(static_cast<int>(y), colors_.data());
    }
  }

  TiffFile& file_;
  PictureSink& sink_;
  const std::int64_t width_, height_;
  std::vector<std::uint8_t> grays_;
  std::vector<Rgb> colors_;
};

// Counts the pages behind the first, without small copies of pages. A damaged one ends the count.
std::int64_t count_others(TiffFile& file) {
  std::int64_t count = 0;
  for (std::int64_t page = 1; page < kMostPages && TIFFReadDirectory(file.get()) == 1; ++page) {
    if ((file.large(TIFFTAG_SUBFILETYPE) & FILETYPE_REDUCEDIMAGE) == 0) ++count;
  }
  return count;
}

FileFacts decode(std::span<const std::byte> bytes, PictureSink& sink) {
  TiffFile file(bytes);
  FileFacts facts;
  const int orientation = file.small(TIFFTAG_ORIENTATION);
  if (orientation >= 1 && orientation <= 8) facts.orientation = orientation;
  Decoder(file, sink).run();
  facts.others = count_others(file);
  return facts;
}

}  // namespace

const PictureDecoder* winnow_tiff_decoder() {
  static constexpr PictureDecoder kDecoder{WINNOW_TIFF_STAMP, decode};
  return &kDecoder;
}

}  // namespace winnow
