#include <gtest/gtest.h>
#include <libheif/heif.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include <winnow/error.h>
#include <winnow/image.h>

#include "base/error_for_test.h"
#include "image/files/decode.h"

namespace winnow {
namespace {

using Bytes = std::vector<std::byte>;

// Four flat areas, no two alike.
Rgb color_at(Size size, int x, int y) {
  const bool right = x >= size.width / 2, low = y >= size.height / 2;
  if (low) return right ? Rgb{240, 240, 250} : Rgb{20, 30, 160};
  return right ? Rgb{20, 160, 60} : Rgb{200, 90, 40};
}

void require(const heif_error& error) {
  if (error.code != heif_error_Ok) throw std::runtime_error(error.message);
}

heif_error append(heif_context*, const void* data, std::size_t size, void* to) {
  const auto* begin = static_cast<const std::byte*>(data);
  static_cast<Bytes*>(to)->insert(static_cast<Bytes*>(to)->end(), begin, begin + size);
  return {heif_error_Ok, heif_suberror_Unspecified, "ok"};
}

struct HeifKind {
  heif_compression_format format = heif_compression_HEVC;
  int pictures = 1;
  heif_orientation orientation = heif_orientation_normal;
};

// The picture at `primary` is the one that the file names as its primary. The others are black.
Bytes make_heif(Size size, const HeifKind& kind, int primary = 0) {
  heif_context* context = heif_context_alloc();
  heif_encoder* encoder = nullptr;
  require(heif_context_get_encoder_for_format(context, kind.format, &encoder));
  heif_encoder_set_lossy_quality(encoder, 95);
  for (int i = 0; i < kind.pictures; ++i) {
    heif_image* image = nullptr;
    require(
        heif_image_create(size.width, size.height, heif_colorspace_RGB, heif_chroma_interleaved_RGB, &image));
    require(heif_image_add_plane(image, heif_channel_interleaved, size.width, size.height, 8));
    int stride = 0;
    std::uint8_t* plane = heif_image_get_plane(image, heif_channel_interleaved, &stride);
    for (int y = 0; y < size.height; ++y) {
      auto* row = reinterpret_cast<Rgb*>(plane + std::ptrdiff_t{y} * stride);
      for (int x = 0; x < size.width; ++x) row[x] = i == primary ? color_at(size, x, y) : Rgb{};
    }
    heif_encoding_options* options = heif_encoding_options_alloc();
    options->image_orientation = kind.orientation;
    heif_image_handle* handle = nullptr;
    require(heif_context_encode_image(context, image, encoder, options, &handle));
    if (i == primary) require(heif_context_set_primary_image(context, handle));
    heif_encoding_options_free(options);
    heif_image_handle_release(handle);
    heif_image_release(image);
  }
  Bytes bytes;
  heif_writer writer{1, append};
  require(heif_context_write(context, &writer, &bytes));
  heif_encoder_release(encoder);
  heif_context_free(context);
  return bytes;
}

void expect_near(Rgb a, Rgb b) {
  EXPECT_NEAR(a.r, b.r, 12);
  EXPECT_NEAR(a.g, b.g, 12);
  EXPECT_NEAR(a.b, b.b, 12);
}

constexpr Size kSize{64, 48};

TEST(Heif, HeicAndAvif) {
  for (const heif_compression_format format : {heif_compression_HEVC, heif_compression_AV1}) {
    const Bytes file = make_heif(kSize, {.format = format});
    const Picture picture = decode_picture(file, {.color = true});
    ASSERT_EQ(picture.gray.size(), kSize);
    for (const auto& [x, y] : {std::pair{12, 10}, {50, 10}, {12, 38}, {50, 38}})
      expect_near(picture.color.row(y)[x], color_at(kSize, x, y));
    const GrayImage gray = to_gray(picture.color.view());
    for (int y = 0; y < kSize.height; ++y) {
      for (int x = 0; x < kSize.width; ++x) ASSERT_EQ(picture.gray.row(y)[x], gray.row(y)[x]);
    }
    EXPECT_TRUE(decode_picture(file).color.empty());
  }
}

TEST(Heif, IsTurnedUpright) {
  const Picture picture =
      decode_picture(make_heif(kSize, {.orientation = heif_orientation_rotate_90_cw}), {.color = true});
  ASSERT_EQ(picture.gray.size(), (Size{48, 64}));
  expect_near(picture.color.row(10)[38], color_at(kSize, 12, 10));
  expect_near(picture.color.row(50)[38], color_at(kSize, 50, 10));
}

TEST(Heif, ThePrimaryPictureIsReadAndOthersAreCounted) {
  for (const int primary : {0, 2}) {
    const DecodedFile file = decode_file(make_heif(kSize, {.pictures = 3}, primary), {.color = true});
    EXPECT_EQ(file.others, 2);
    expect_near(file.picture.color.row(10)[12], color_at(kSize, 12, 10));
  }
  EXPECT_EQ(decode_file(make_heif(kSize, {}), {}).others, 0);
}

TEST(Heif, ShorterFilesAreErrors) {
  const Bytes whole = make_heif(kSize, {});
  for (std::size_t size = 24; size < whole.size(); size += 7) {
    const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_NE(error_of([&] { decode_picture(cut); }).sentence().find("HEIC or AVIF: "), std::string::npos)
        << size;
  }
}

TEST(Heif, AnyBrokenByteIsAnErrorOrAPicture) {
  const Bytes whole = make_heif({16, 16}, {});
  int errors = 0;
  for (std::size_t i = 0; i < whole.size(); i += 2) {
    Bytes broken = whole;
    broken[i] ^= std::byte{0x11};
    try {
      decode_picture(broken, {.max_pixels = 1 << 20});
    } catch (const Error&) {
      ++errors;
    }
  }
  EXPECT_GT(errors, 20);
}

TEST(Heif, SizesAreCheckedBeforeDecoding) {
  const Bytes file = make_heif(kSize, {});
  EXPECT_NO_THROW(decode_picture(file, {.max_pixels = 64 * 48}));
  EXPECT_EQ(error_of([&] { decode_picture(file, {.max_pixels = 64 * 48 - 1}); }).code(), ErrorCode::kLimit);
}

}  // namespace
}  // namespace winnow
