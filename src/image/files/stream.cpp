// Reads one picture after the other from a stream of bytes, as winnow/image.h declares; its opening comment
// holds here. The stream owns the function `read`, a buffer of 64 KiB, and the bytes of one JPEG.
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include <winnow/error.h>
#include <winnow/image.h>

#include "image/files/byte_reader.h"
#include "image/files/decode.h"
#include "image/files/jpeg_walk.h"

namespace winnow {

// After an error inside a whole JPEG, the stream continues with the next picture. If a second JPEG cuts off
// the first, the second is read next. After any other error the beginning of the next picture is unknown.
// Then `broken` keeps the error, and every later call throws it again.
struct PictureStream::State {
  ByteReader reader;
  ReadOptions options;
  bool begun = false;  // the first two bytes of a JPEG were read
  std::optional<Error> broken;
};

namespace {

// The most bytes of a JPEG in a stream. A JPEG is held in memory until its end is found.
constexpr std::int64_t kMaxJpegBytes = std::int64_t{1} << 28;

void skip_space(ByteReader& reader) {
  for (int byte = reader.peek(); byte == ' ' || (byte >= '\t' && byte <= '\r'); byte = reader.peek())
    reader.get();
}

}  // namespace

PictureStream::PictureStream(Read read, ReadOptions options)
    : state_(new State{ByteReader(std::move(read)), options, false, std::nullopt}) {}
PictureStream::~PictureStream() = default;
PictureStream::PictureStream(PictureStream&&) noexcept = default;
PictureStream& PictureStream::operator=(PictureStream&&) noexcept = default;

bool PictureStream::next(Picture& picture) {
  if (state_->broken) throw Error(*state_->broken);
  ByteReader& reader = state_->reader;
  std::vector<std::byte> jpeg;
  std::int64_t first_byte = 0;
  try {
    if (!state_->begun) skip_space(reader);
    first_byte = reader.position() - (state_->begun ? 2 : 0);
    switch (state_->begun ? 0xFF : reader.peek()) {
      case -1:
        return false;
      case 'P':
        picture = decode_pnm(reader, state_->options);
        return true;
      case 0xFF:
        jpeg = take_jpeg(reader, kMaxJpegBytes, state_->begun);
        break;
      default:
        throw Error(ErrorCode::kFormat, "neither a JPEG nor a PNM picture begins here", {},
                    byte_place(first_byte));
    }
    picture = decode_jpeg(jpeg, state_->options, first_byte);
  } catch (const std::bad_alloc&) {
    const Error error(ErrorCode::kLimit, "there is not enough memory for the picture", {},
                      byte_place(first_byte));
    if (jpeg.empty()) state_->broken = error;
    throw error;
  } catch (const Error& error) {
    if (jpeg.empty() && !state_->begun) state_->broken = error;
    throw;
  }
  return true;
}

bool PictureStream::lost() const { return state_->broken.has_value(); }

}  // namespace winnow
