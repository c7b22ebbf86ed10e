#include "video/frame.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "image/gray_rule.h"

extern "C" {
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
}

namespace winnow {
namespace {

// Writes `rule` of each pixel to the pixel's turned place. If rows become columns, goes square by square, so
// that both reads and writes stay in the cache.
template <class From, class To, class Rule>
void place(ImageView<const From> from, QuarterTurns turns, Image<To>& to, Rule rule) {
  const int width = from.width, height = from.height;
  const Size size = turns.swap ? Size{height, width} : Size{width, height};
  if (to.size() != size) to = Image<To>(size.width, size.height);
  if (!turns.swap) {
    for (int y = 0; y < height; ++y) {
      const From* in = from.row(y);
      To* out = to.row(turns.mirror_y ? height - 1 - y : y);
      if (turns.mirror_x) {
        for (int x = 0; x < width; ++x) out[width - 1 - x] = rule(in[x]);
      } else {
        for (int x = 0; x < width; ++x) out[x] = rule(in[x]);
      }
    }
    return;
  }
  constexpr int kSquare = 32;
  for (int y0 = 0; y0 < height; y0 += kSquare) {
    const int y1 = std::min(y0 + kSquare, height);
    for (int x0 = 0; x0 < width; x0 += kSquare) {
      const int x1 = std::min(x0 + kSquare, width);
      for (int x = x0; x < x1; ++x) {
        To* out = to.row(turns.mirror_y ? width - 1 - x : x);
        for (int y = y0; y < y1; ++y) out[turns.mirror_x ? height - 1 - y : y] = rule(from.row(y)[x]);
      }
    }
  }
}

// Whether the format's name alone says that values have the full range ("J" for JPEG).
bool is_full_range_format(int format) {
  switch (format) {
    case AV_PIX_FMT_YUVJ420P:
    case AV_PIX_FMT_YUVJ411P:
    case AV_PIX_FMT_YUVJ422P:
    case AV_PIX_FMT_YUVJ440P:
    case AV_PIX_FMT_YUVJ444P:
      return true;
    default:
      return false;
  }
}

}  // namespace

QuarterTurns quarter_turns_of_matrix(const std::int32_t (&matrix)[9]) {
  // The matrix moves (x, y) to (a x + c y, b x + d y).
  const std::int64_t a = matrix[0], b = matrix[1], c = matrix[3], d = matrix[4];
  if (std::llabs(b) + std::llabs(c) > std::llabs(a) + std::llabs(d)) return {true, c < 0, b < 0};
  return {false, a < 0, d < 0};
}

QuarterTurns quarter_turns_of(const AVFrame& frame, const AVStream& stream) {
  std::int32_t matrix[9] = {};
  const AVFrameSideData* own = av_frame_get_side_data(&frame, AV_FRAME_DATA_DISPLAYMATRIX);
  if (own != nullptr && static_cast<std::size_t>(own->size) >= sizeof matrix) {
    std::memcpy(matrix, own->data, sizeof matrix);
    return quarter_turns_of_matrix(matrix);
  }
  std::size_t size = 0;
  const std::uint8_t* data = av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
  if (data == nullptr || size < sizeof matrix) return {};
  std::memcpy(matrix, data, sizeof matrix);
  return quarter_turns_of_matrix(matrix);
}

Size upright_size(const AVFrame& frame, QuarterTurns turns) {
  return turns.swap ? Size{frame.height, frame.width} : Size{frame.width, frame.height};
}

void FrameConverter::prepare(const Shape& shape) {
  if (scaler_ && shape == shape_) return;
  const auto format = static_cast<AVPixelFormat>(shape.format);
  if (!sws_isSupportedInput(format)) {
    const char* name = av_get_pix_fmt_name(format);
    throw Error(ErrorCode::kUnsupported, std::string("its pixels are of a kind that cannot be converted: ") +
                                             (name ? name : "unknown"));
  }
  shape_ = {};  // stays empty if an error follows, so that the scaler is made again
  scaler_.reset(allocated(sws_alloc_context()));
  const int stride = (shape.width * 3 + 63) / 64 * 64;
  rgb_.reset(static_cast<std::uint8_t*>(
      allocated(av_malloc(static_cast<std::size_t>(stride) * static_cast<std::size_t>(shape.height) + 64))));
  stride_ = stride;
  SwsContext* scaler = scaler_.get();
  av_opt_set_int(scaler, "srcw", shape.width, 0);
  av_opt_set_int(scaler, "srch", shape.height, 0);
  av_opt_set_int(scaler, "src_format", shape.format, 0);
  av_opt_set_int(scaler, "dstw", shape.width, 0);
  av_opt_set_int(scaler, "dsth", shape.height, 0);
  av_opt_set_int(scaler, "dst_format", AV_PIX_FMT_RGB24, 0);
  // Fixed flags, so that the same frame gives the same pixels on every processor.
  av_opt_set_int(scaler, "sws_flags", SWS_BILINEAR | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_BITEXACT, 0);
  const int status = sws_init_context(scaler, nullptr, nullptr);
  if (status < 0) {
    scaler_.reset();
    throw ffmpeg_error(ErrorCode::kUnsupported, "its pixels cannot be converted", status, {});
  }
  // FFmpeg refuses this call for RGB input, which needs no matrix.
  sws_setColorspaceDetails(scaler, sws_getCoefficients(shape.matrix), shape.full_range ? 1 : 0,
                           sws_getCoefficients(SWS_CS_DEFAULT), 1, 0, 1 << 16, 1 << 16);
  shape_ = shape;
}

void FrameConverter::convert(const AVFrame& frame, QuarterTurns turns, bool color, Picture& picture) {
  const auto same = [](std::uint8_t v) { return v; };
  if (!color && !picture.color.empty()) picture.color = RgbImage();
  if (frame.format == AV_PIX_FMT_GRAY8) {
    const GrayView gray{frame.data[0], frame.width, frame.height, frame.linesize[0]};
    place(gray, turns, picture.gray, same);
    if (color) place(gray, turns, picture.color, [](std::uint8_t v) { return Rgb{v, v, v}; });
    return;
  }
  prepare({frame.width, frame.height, frame.format, frame.colorspace,
           frame.color_range == AVCOL_RANGE_JPEG || is_full_range_format(frame.format)});
  std::uint8_t* const rows[4] = {rgb_.get(), nullptr, nullptr, nullptr};
  const int strides[4] = {stride_, 0, 0, 0};
  const int status = sws_scale(scaler_.get(), frame.data, frame.linesize, 0, frame.height, rows, strides);
  if (status < 0) throw ffmpeg_error(ErrorCode::kFormat, "a frame cannot be converted", status, {});
  const RgbView rgb{reinterpret_cast<const Rgb*>(rgb_.get()), frame.width, frame.height, stride_};
  place(rgb, turns, picture.gray, gray_of);
  if (color) place(rgb, turns, picture.color, [](Rgb p) { return p; });
}

}  // namespace winnow
