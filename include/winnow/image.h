// Gives pictures: owners and views of pixels, and functions that read, write and draw.
//
//   winnow::Picture picture = winnow::read_picture("group.jpg");   // grey, as the detector wants it
//   winnow::GrayView left = picture.gray.view().crop({0, 0, 320, 480});
//
// In:     files, bytes or streams of pictures; views with any stride.
// Out:    upright pictures, grey and, if asked for, in colour. Bytes that are no picture throw `Error`:
//         kFormat, kUnsupported for a format that Winnow does not read, kLimit for too many pixels.
// Exact:  grey follows one integer formula (`Picture::gray`). Drawing and blurring are integers, too. JPEG
//         samples are those of the linked libjpeg; other formats follow integer rules.
// Memory: an `Image` owns its pixels and copies them only by `clone`. A view owns nothing, copies nothing,
//         and must not outlive the pixels.
// Thread: any thread may call the functions. An image or stream belongs to one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <winnow/box.h>
#include <winnow/export.h>

namespace winnow {

struct Rgb {
  std::uint8_t r = 0, g = 0, b = 0;
  bool operator==(const Rgb&) const = default;
};

// Rows of `Pixel` (`std::uint8_t` or `Rgb`, possibly const), with `stride` bytes from one row to the next.
template <class Pixel>
struct ImageView {
  Pixel* data = nullptr;
  int width = 0;
  int height = 0;
  std::ptrdiff_t stride = 0;

  using Byte = std::conditional_t<std::is_const_v<Pixel>, const std::byte, std::byte>;
  Pixel* row(int y) const { return reinterpret_cast<Pixel*>(reinterpret_cast<Byte*>(data) + y * stride); }
  Size size() const { return {width, height}; }
  bool empty() const { return width <= 0 || height <= 0; }
  // The intersection of the view and `box`.
  ImageView crop(const Box& box) const {
    const Box inside = clip(box, size());
    if (inside.width <= 0 || inside.height <= 0) return {data, 0, 0, stride};
    return {row(inside.y) + inside.x, inside.width, inside.height, stride};
  }
  operator ImageView<const Pixel>() const { return {data, width, height, stride}; }
};

using GrayView = ImageView<const std::uint8_t>;
using RgbView = ImageView<const Rgb>;

// A picture to search: grey always, and colour of the same size if the caller has it. Models of grey ignore
// `color`. Models of colour take grey for all three channels if `color` is empty.
struct PictureView {
  GrayView gray;
  RgbView color;

  PictureView() = default;
  PictureView(GrayView gray_view, RgbView color_view = {}) : gray(gray_view), color(color_view) {}
  Size size() const { return gray.size(); }
  bool empty() const { return gray.empty(); }
  PictureView crop(const Box& box) const {
    return {gray.crop(box), color.data != nullptr ? color.crop(box) : RgbView{}};
  }
};

// Memory for pixels. From 4 MiB on, pixels lie in pages of 2 MiB if the system grants them. With small pages,
// address translation takes a large fraction of the time. `free_pixels` frees the pixels. It needs
// the same `bytes`.
WINNOW_API void* allocate_pixels(std::size_t bytes);
WINNOW_API void free_pixels(void* pixels, std::size_t bytes) noexcept;

template <class Pixel>
struct PixelMemory {
  using value_type = Pixel;
  PixelMemory() = default;
  template <class Other>
  PixelMemory(const PixelMemory<Other>&) {}
  Pixel* allocate(std::size_t count) {
    if (count > PTRDIFF_MAX / sizeof(Pixel)) throw std::bad_array_new_length();
    return static_cast<Pixel*>(allocate_pixels(count * sizeof(Pixel)));
  }
  void deallocate(Pixel* pixels, std::size_t count) noexcept { free_pixels(pixels, count * sizeof(Pixel)); }
  bool operator==(const PixelMemory&) const = default;
};

// Owns its rows, which are packed tightly and zero at first. Sides are 0 or more. A move leaves an empty
// image. Only `clone` copies.
template <class Pixel>
class Image {
 public:
  Image() = default;
  Image(int width, int height)
      : pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)), size_{width, height} {}
  Image(Image&& other) noexcept
      : pixels_(std::move(other.pixels_)), size_(std::exchange(other.size_, Size{})) {}
  Image& operator=(Image&& other) noexcept {
    if (this == &other) return *this;
    pixels_ = std::move(other.pixels_);
    size_ = std::exchange(other.size_, Size{});
    return *this;
  }
  Image clone() const {
    Image copy(size_.width, size_.height);
    copy.pixels_ = pixels_;
    return copy;
  }

  int width() const { return size_.width; }
  int height() const { return size_.height; }
  Size size() const { return size_; }
  bool empty() const { return pixels_.empty(); }
  Pixel* row(int y) { return pixels_.data() + static_cast<std::size_t>(y) * size_.width; }
  const Pixel* row(int y) const { return pixels_.data() + static_cast<std::size_t>(y) * size_.width; }
  ImageView<const Pixel> view() const {
    return {pixels_.data(), size_.width, size_.height,
            static_cast<std::ptrdiff_t>(size_.width * sizeof(Pixel))};
  }
  ImageView<Pixel> view() {
    return {pixels_.data(), size_.width, size_.height,
            static_cast<std::ptrdiff_t>(size_.width * sizeof(Pixel))};
  }

 private:
  std::vector<Pixel, PixelMemory<Pixel>> pixels_;
  Size size_;
};

using GrayImage = Image<std::uint8_t>;
using RgbImage = Image<Rgb>;

// A decoded picture, turned upright by its EXIF orientation.
struct Picture {
  // A JPEG in grey or YCbCr gives the decoder's Y plane. Another grey file gives its own samples, in 8 bits.
  // Other colours give (9798 R + 19235 G + 3735 B + 16384) >> 15. Samples of 16 bits keep their high byte. A
  // PNM whose largest value is neither 255 nor 65535 is scaled and rounded.
  GrayImage gray;
  RgbImage color;  // filled only if asked for; a grey file gives r = g = b
  PictureView view() const { return {gray.view(), color.empty() ? RgbView{} : color.view()}; }
};

struct ReadOptions {
  bool color = false;                   // also fill `Picture::color`
  std::int64_t max_pixels = 1LL << 28;  // a larger picture is a kLimit error, found before decoding
};

// Reads the first picture of a file in one of the formats that docs/detecting.md lists, known by the first
// bytes. Transparency is ignored, and so are bytes behind the picture. A file that cannot be read is a kIo
// error. A file above 1 GiB, or too little memory, is a kLimit error.
WINNOW_API Picture read_picture(const std::string& path, const ReadOptions& options = {});
WINNOW_API Picture decode_picture(std::span<const std::byte> bytes, const ReadOptions& options = {});

// Reads one picture after the other from a byte stream, as `ffmpeg -f image2pipe` writes them. PNM, JPEG and
// PNG may alternate, with white space between them; JPEG and PNG have at most 256 MiB. `read(buffer, n)` gives
// the number of bytes that it put into the buffer: 1 to n, or 0 at the end. `read` throws `Error` if it cannot
// read. The stream may read bytes beyond the picture.
class WINNOW_API PictureStream {
 public:
  using Read = std::function<std::size_t(std::byte* buffer, std::size_t size)>;
  PictureStream(Read read, ReadOptions options);
  ~PictureStream();
  PictureStream(PictureStream&&) noexcept;
  PictureStream& operator=(PictureStream&&) noexcept;
  // False at the end of the stream. Some errors concern one picture only: its end was found, or another JPEG
  // begins inside it. After such an error, the next call reads the next picture. Any other error makes the
  // stream `lost`: a broken PNM, another format, an early end. The beginning of the next picture is then
  // unknown, and each further call throws the same error.
  bool next(Picture& picture);
  bool lost() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Writes the whole file or nothing, and replaces an existing file. The ending of `path` gives the format:
// .jpg .jpeg (quality 92) .png .pgm (grey) .ppm (colour). kUsage for any other ending or an empty picture,
// kLimit for a side that the format cannot hold.
WINNOW_API void write_picture(const std::string& path, GrayView image);
WINNOW_API void write_picture(const std::string& path, RgbView image);
// The bytes of the file that `write_picture` writes. `format` is the ending without its dot: "png". kUsage
// for any other format.
WINNOW_API std::vector<std::byte> encode_picture(GrayView image, const std::string& format);
WINNOW_API std::vector<std::byte> encode_picture(RgbView image, const std::string& format);

// Writes the picture as a JPEG of this quality, from 1 to 100, and reads it again. Colours have half the
// resolution along both sides (4:2:0), as in most photographs. kUsage for another quality or an empty view.
WINNOW_API Picture encode_again(const PictureView& picture, int quality);

// Converts by the formula of `Picture::gray`. An empty view gives an empty image.
WINNOW_API GrayImage to_gray(RgbView image);
// Copies pixels that are stored as blue, green, red, as OpenCV stores them. Rows lie `stride` bytes apart.
WINNOW_API RgbImage from_bgr(const std::uint8_t* pixels, Size size, std::ptrdiff_t stride);
WINNOW_API RgbImage to_color(GrayView image);

// Draws the outline of `box`, clipped to the picture. The outline lies inside the box and is `thickness`
// pixels wide. A `thickness` below 1 is a kUsage error.
WINNOW_API void draw_box(ImageView<Rgb> image, const Box& box, Rgb color, int thickness = 2);
// Draws a line with round ends, `thickness` pixels wide and clipped to the picture. A line between equal
// points is a dot. kUsage for a `thickness` below 1, or a point that is not finite.
WINNOW_API void draw_line(ImageView<Rgb> image, Point from, Point to, Rgb color, int thickness = 2);
// Draws short text in a built-in 5x7 font, with its top left corner at (x, y). Each dot is `scale` pixels
// wide; a `scale` below 1 is a kUsage error. A character that is no printable ASCII becomes a hollow box.
WINNOW_API void draw_text(ImageView<Rgb> image, int x, int y, const std::string& text, Rgb color,
                          int scale = 2);
// Makes the pixels inside `box` unrecognisable: replaces them by at most 6 x 6 averages and smooths these. No
// detail finer than a sixth of the box is left.
WINNOW_API void blur_box(ImageView<Rgb> image, const Box& box);

}  // namespace winnow
