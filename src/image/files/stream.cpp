// Reads one picture after the other from a stream of bytes, as winnow/image.h declares; its opening comment
// holds here. The stream owns the function `read`, a buffer of 64 KiB, and the bytes of one JPEG or PNG.
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include <winnow/error.h>
#include <winnow/image.h>

#include "image/files/byte_reader.h"
#include "image/files/decode.h"
#include "image/files/jpeg_walk.h"
#include "image/files/png_walk.h"

namespace winnow {

// After an error inside a whole JPEG or PNG, the stream continues with the next picture. If a second JPEG cuts
// off the first, the second is read next. After any other error the beginning of the next picture is unknown.
// Then `broken` keeps the error, and every later call throws it again.
struct PictureStream::State {
  ByteReader reader;
  ReadOptions options;
  bool begun = false;  // the first two bytes of a JPEG were read
  std::optional<Error> broken;
};

namespace {

// The most bytes of a JPEG or PNG in a stream. Both are held in memory until their ends are found.
constexpr std::int64_t kMaxBytes = std::int64_t{1} << 28;

}  // namespace

PictureStream::PictureStream(Read read, ReadOptions options)
    : state_(new State{ByteReader(std::move(read)), options, false, std::nullopt}) {}
PictureStream::~PictureStream() = default;
PictureStream::PictureStream(PictureStream&&) noexcept = default;
PictureStream& PictureStream::operator=(PictureStream&&) noexcept = default;

bool PictureStream::next(Picture& picture) {
  if (state_->broken) throw Error(*state_->broken);
  ByteReader& reader = state_->reader;
  std::vector<std::byte> whole;  // the JPEG or PNG, once its end was found
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
        whole = take_jpeg(reader, kMaxBytes, state_->begun);
        picture = decode_jpeg(whole, state_->options, first_byte);
        return true;
      case 0x89:
        whole = take_png(reader, kMaxBytes);
        picture = decode_png(whole, state_->options, first_byte);
        return true;
      default:
        throw Error(ErrorCode::kFormat, "no JPEG, PNG or PNM picture begins here", {},
                    byte_place(first_byte));
    }
  } catch (const std::bad_alloc&) {
    const Error error(ErrorCode::kLimit, "there is not enough memory for the picture", {},
                      byte_place(first_byte));
    if (whole.empty()) state_->broken = error;
    throw error;
  } catch (const Error& error) {
    if (whole.empty() && !state_->begun) state_->broken = error;
    throw;
  }
}

bool PictureStream::lost() const { return state_->broken.has_value(); }

}  // namespace winnow
