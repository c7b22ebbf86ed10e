// Encodes a picture in the format that a word or the ending of a file name gives, and encodes PNM, as
// winnow/image.h and image/files/encode.h declare. Their opening comments hold here.
#include <string>
#include <type_traits>

#include <winnow/error.h>
#include <winnow/image.h>

#include "base/file.h"
#include "image/files/encode.h"
#include "image/picture_format.h"

namespace winnow {
namespace {

template <class Pixel>
std::vector<std::byte> encode_pixels(const char* kind, ImageView<const Pixel> image) {
  const std::string header =
      std::string(kind) + "\n" + std::to_string(image.width) + " " + std::to_string(image.height) + "\n255\n";
  std::vector<std::byte> bytes;
  bytes.reserve(header.size() + sizeof(Pixel) * static_cast<std::size_t>(image.width) *
                                    static_cast<std::size_t>(image.height));
  const auto* text = reinterpret_cast<const std::byte*>(header.data());
  bytes.insert(bytes.end(), text, text + header.size());
  for (int y = 0; y < image.height; ++y) {
    const auto* row = reinterpret_cast<const std::byte*>(image.row(y));
    bytes.insert(bytes.end(), row, row + sizeof(Pixel) * static_cast<std::size_t>(image.width));
  }
  return bytes;
}

// `wrong` is the error's sentence if the format is unknown.
template <class View>
std::vector<std::byte> encode_as(const std::string& format, View image, const std::string& wrong) {
  constexpr bool kGray = std::is_same_v<View, GrayView>;
  if (image.empty()) throw Error(ErrorCode::kUsage, "an empty picture cannot be written");
  if (image.data == nullptr) throw Error(ErrorCode::kUsage, "a picture without pixels cannot be written");
  if (format == "jpg" || format == "jpeg") return encode_jpeg(image);
  if (format == "png") return encode_png(image);
  if constexpr (kGray) {
    if (format == "pgm") return encode_pnm(image);
    if (format == "ppm") return encode_pnm(RgbView(to_color(image).view()));
  } else {
    if (format == "pgm") return encode_pnm(GrayView(to_gray(image).view()));
    if (format == "ppm") return encode_pnm(image);
  }
  throw Error(ErrorCode::kUsage, wrong);
}

template <class View>
void write(const std::string& path, View image) {
  std::vector<std::byte> bytes;
  try {
    const std::string ending = ending_of(path);
    bytes = encode_as(ending.empty() ? ending : ending.substr(1), image,
                      "a picture's name must end in .jpg, .jpeg, .png, .pgm or .ppm");
  } catch (const Error& error) {
    throw error.in_file(path);
  }
  write_file(path, bytes);
}

template <class View>
std::vector<std::byte> encode(View image, const std::string& format) {
  return encode_as(format, image,
                   "'" + format + "' is no format of pictures; known are jpg, jpeg, png, pgm, ppm");
}

}  // namespace

std::vector<std::byte> encode_pnm(GrayView image) { return encode_pixels<std::uint8_t>("P5", image); }
std::vector<std::byte> encode_pnm(RgbView image) { return encode_pixels<Rgb>("P6", image); }

void write_picture(const std::string& path, GrayView image) { write(path, image); }
void write_picture(const std::string& path, RgbView image) { write(path, image); }

std::vector<std::byte> encode_picture(GrayView image, const std::string& format) {
  return encode(image, format);
}
std::vector<std::byte> encode_picture(RgbView image, const std::string& format) {
  return encode(image, format);
}

}  // namespace winnow
