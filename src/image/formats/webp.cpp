// Decodes the first picture of a WebP with libwebp, as image/files/decode.h declares; its opening comment
// holds here. Transparency is dropped. Where the first picture of an animation does not cover the animation's
// area, the background colour shows. Errors name no byte.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>

#include <webp/decode.h>
#include <webp/demux.h>

#include <winnow/error.h>

#include "image/files/decode.h"
#include "image/files/exif.h"

namespace winnow {
namespace {

[[noreturn]] void fail(const char* sentence, ErrorCode code = ErrorCode::kFormat) {
  throw Error(code, std::string("WebP: ") + sentence);
}

// The parts of a WebP's file. The bytes are not copied.
class Parts {
 public:
  explicit Parts(std::span<const std::byte> bytes) {
    const WebPData data{reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
    WebPDemuxState state = WEBP_DEMUX_PARSE_ERROR;
    demuxer_.reset(WebPDemuxPartial(&data, &state));
    if (state == WEBP_DEMUX_PARSING_HEADER || state == WEBP_DEMUX_PARSED_HEADER)
      fail("the picture ends early");
    if (demuxer_ == nullptr || state != WEBP_DEMUX_DONE) fail("the file is damaged");
  }
  std::int64_t number(WebPFormatFeature feature) const { return WebPDemuxGetI(demuxer_.get(), feature); }

  // Calls `work` with the first picture. False if there is none.
  template <class Work>
  bool with_first(Work work) const {
    WebPIterator frame{};
    if (WebPDemuxGetFrame(demuxer_.get(), 1, &frame) == 0) return false;
    const std::unique_ptr<WebPIterator, void (*)(WebPIterator*)> release(&frame, WebPDemuxReleaseIterator);
    work(frame);
    return true;
  }

  int orientation() const {
    WebPChunkIterator chunk{};
    if (WebPDemuxGetChunk(demuxer_.get(), "EXIF", 1, &chunk) == 0) return 1;
    std::span<const std::byte> exif(reinterpret_cast<const std::byte*>(chunk.chunk.bytes), chunk.chunk.size);
    constexpr std::string_view kPrefix("Exif\0\0", 6);  // of a JPEG's segment; some programs copy it
    if (exif.size() >= kPrefix.size() && std::memcmp(exif.data(), kPrefix.data(), kPrefix.size()) == 0)
      exif = exif.subspan(kPrefix.size());
    const int orientation = exif_orientation(exif);
    WebPDemuxReleaseChunkIterator(&chunk);
    return orientation;
  }

 private:
  struct Delete {
    void operator()(WebPDemuxer* demuxer) const { WebPDemuxDelete(demuxer); }
  };
  std::unique_ptr<WebPDemuxer, Delete> demuxer_;
};

// Decodes a picture into its place of `canvas`.
void decode_into(const WebPIterator& frame, RgbImage& canvas) {
  if (frame.x_offset < 0 || frame.y_offset < 0 || frame.width > canvas.width() - frame.x_offset ||
      frame.height > canvas.height() - frame.y_offset)
    fail("a picture leaves its area");
  WebPDecoderConfig config;
  if (WebPInitDecoderConfig(&config) == 0) fail("libwebp is of another version", ErrorCode::kUnsupported);
  const std::size_t stride = static_cast<std::size_t>(canvas.width()) * sizeof(Rgb);
  config.output.colorspace = MODE_RGB;
  config.output.is_external_memory = 1;
  config.output.u.RGBA.rgba = &canvas.row(frame.y_offset)[frame.x_offset].r;
  config.output.u.RGBA.stride = static_cast<int>(stride);
  config.output.u.RGBA.size = stride * static_cast<std::size_t>(frame.height - 1) +
                              static_cast<std::size_t>(frame.width) * sizeof(Rgb);
  switch (WebPDecode(frame.fragment.bytes, frame.fragment.size, &config)) {
    case VP8_STATUS_OK:
      return;
    case VP8_STATUS_OUT_OF_MEMORY:
      fail("there is not enough memory for the picture", ErrorCode::kLimit);
    case VP8_STATUS_NOT_ENOUGH_DATA:
      fail("the picture ends early");
    default:
      fail("the picture is damaged");
  }
}

}  // namespace

DecodedFile decode_webp(std::span<const std::byte> bytes, const ReadOptions& options) {
  const Parts parts(bytes);
  const std::int64_t width = parts.number(WEBP_FF_CANVAS_WIDTH), height = parts.number(WEBP_FF_CANVAS_HEIGHT);
  check_picture_size(width, height, options);
  DecodedFile file;
  RgbImage canvas(static_cast<int>(width), static_cast<int>(height));
  const bool found = parts.with_first([&](const WebPIterator& frame) {
    if (frame.width != width || frame.height != height) {
      const auto color = static_cast<std::uint32_t>(parts.number(WEBP_FF_BACKGROUND_COLOR));
      const auto channel = [&](int shift) { return static_cast<std::uint8_t>(color >> shift & 255); };
      std::fill_n(canvas.row(0), width * height, Rgb{channel(16), channel(8), channel(0)});
    }
    decode_into(frame, canvas);
  });
  if (!found) fail("it holds no picture");
  file.others = std::max<std::int64_t>(parts.number(WEBP_FF_FRAME_COUNT) - 1, 0);
  file.picture.gray = to_gray(canvas.view());
  if (options.color) file.picture.color = std::move(canvas);
  turn_upright(file.picture, parts.orientation());
  return file;
}

}  // namespace winnow
