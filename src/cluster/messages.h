// Writes and reads what the ranks of a run tell each other.
//
// Rank 0 greets each rank (`Hello`), which answers with `Ready`. Then rank 0 deals parcels of pictures and
// frames, and each rank sends back a record for each of them, in the order in which they came. At the end, or
// to stop, rank 0 sends `kEnd` or `kStop`, and each rank says `Done`. In place of parcels, rank 0 may deal
// rows of a picture (split/split_messages.h).
//
// In:     values, or a message that may be hostile.
// Out:    messages; or values. kFormat for bytes that are no such message; kUnsupported for those of another
//         version.
// Exact:  what is read is what was written.
// Memory: files and pixels are parts of a message, and are not copied into its head.
// Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <winnow/answer.h>
#include <winnow/error.h>
#include <winnow/feed.h>

#include "cluster/transport.h"

namespace winnow {

enum class MessageKind : std::uint8_t {
  kHello,
  kReady,
  kParcel,
  kEnd,
  kStop,
  kRecords,
  kDone,
  kRows,    // split/split_messages.h
  kSifted,  // split/split_messages.h
};
// What a message is, by its head.
MessageKind kind_of(const Message& message);

// A message of a kind that says nothing more: kEnd or kStop.
Message plain_message(MessageKind kind);

struct NamedFile {
  std::string name;  // the path that rank 0 has
  std::vector<std::byte> bytes;
};

struct Hello {
  std::string version;                 // of rank 0's Winnow
  std::vector<std::string> arguments;  // of rank 0's command, with the command's name
  std::vector<NamedFile> files;        // models
};
Message to_message(const Hello& hello);
Hello read_hello(const Message& message);

// An error that travels.
struct Failure {
  ErrorCode code = ErrorCode::kUsage;
  bool is_error = true;  // false: an exception of another kind
  std::string sentence, file;
};
// The failure of the exception that is handled now.
WINNOW_API Failure present_failure();
[[noreturn]] void throw_failure(const Failure& failure);

struct Ready {
  bool color = false;  // the rank's work reads colour
  std::optional<Failure> failure;
};
Message to_message(const Ready& ready);
Ready read_ready(const Message& message);

// A picture, a frame of a video, camera or stream, or the end of the frames that came before.
struct Item {
  enum class Kind : std::uint8_t { kPicture, kFrame, kEnd };
  Kind kind = Kind::kEnd;
  // The input, for a picture and for the first frame of a row: path, place and kind. `file` holds the picture.
  std::optional<Input> input;
  // For a frame.
  Picture picture;
  std::int64_t index = 0;
  std::optional<double> time;
  bool video = false;  // whether the frame is of a video or camera
};
class ParcelWriter {
 public:
  void picture(std::shared_ptr<const Input> input, FileBytes file);
  // `first`: the frame begins a row of frames, which `end_frames` ends, in this parcel or a later one.
  void frame(FrameEvent frame, bool first);
  void end_frames();
  bool empty() const { return entries_.empty(); }
  std::size_t items() const { return items_; }  // pictures and frames
  std::size_t bytes() const { return bytes_; }
  // The parcel so far. The writer is empty then.
  Message finish();

 private:
  struct Entry {
    Item::Kind kind = Item::Kind::kEnd;
    std::shared_ptr<const Input> input;
    std::int64_t index = 0;
    std::optional<double> time;
    bool video = false, color = false;
    Size size;
  };
  void add(std::span<const std::byte> bytes, std::shared_ptr<const void> owner);

  std::vector<Entry> entries_;
  std::vector<MessagePart> parts_;
  std::size_t items_ = 0, bytes_ = 0;
};
std::vector<Item> read_parcel(const Message& message);

// What a rank says of one picture or frame: a record or a problem, or the failure that ends the run here.
struct RankAnswer {
  FrameRecord record;
  std::string problem;
  std::optional<Failure> failure;
};
struct RankAnswers {
  std::vector<RankAnswer> answers;
  std::string note;  // why a device does not help; "" if it is known or if all is well
};
Message to_message(const RankAnswers& answers);
RankAnswers read_answers(const Message& message);

// What a rank did, at its end.
struct Done {
  std::int64_t frames = 0;
  double seconds = 0;  // in which the rank answered
};
Message to_message(const Done& done);
Done read_done(const Message& message);

}  // namespace winnow
