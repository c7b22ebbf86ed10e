// Writes the objects that were found: lines of JSON or CSV, and annotated copies of pictures and videos.
//
//   std::fputs(winnow::result_lines(result).c_str(), stdout);
//
//   winnow::Annotator annotator({.folder = "marked"});
//   annotator.write(inputs[event.input], event, found.objects);   // for each frame
//   annotator.finish_input();                                      // at the end of each input
//
// In:     frames as a FrameReader gives them, and the objects found in them.
// Out:    text, or files in a folder.
// Exact:  equal answers are equal bytes of text. Keys and columns keep their order. A number has its shortest
//         exact form, but `seconds` has six decimals. PNG and PPM copies hold exactly the drawn frame; JPEG
//         and video copies are compressed with loss.
// Memory: text is a new string. The Annotator keeps copies of its options and stop token; nothing passed to
//         a later call is kept. A video is written as its frames come.
// Thread: an Annotator belongs to one thread at a time; the functions may be called from any.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <winnow/detector.h>
#include <winnow/export.h>
#include <winnow/feed.h>
#include <winnow/follower.h>
#include <winnow/landmarker.h>

namespace winnow {

enum class ResultFormat {
  kJsonLines,  // one line a frame
  kCsv,        // one line an object (a frame may have none), quoted as RFC 4180 says, after a header line
};

// The answer for one frame.
struct FrameResult {
  std::string source;          // the name of the input
  std::int64_t frame = 0;      // the frame's number in its video or stream
  std::optional<double> time;  // in seconds, for a frame of a video
  // Picture and model are not in CSV.
  Size picture;
  std::string model;
  std::vector<Detection> objects;
  // The points of each object, for `face_lines`; `result_lines` does not write them.
  std::vector<Shape> shapes;
  // Faces of a frame of a video, for `face_lines`: `objects` and `shapes` are empty then.
  std::vector<Followed> followed;
  // Written only if `timing` is asked for.
  std::string backend;
  double seconds = 0;
};

// The header line of CSV, or an empty text for JSON lines.
WINNOW_API std::string result_header(ResultFormat format, bool timing = false);
// Each line ends in a line break. A missing time, or a number that is not finite, is null in JSON; CSV leaves
// a missing time empty. Texts are cleaned by `clean_utf8`. `timing`: write backend and seconds, too.
WINNOW_API std::string result_lines(const FrameResult& result, ResultFormat format = ResultFormat::kJsonLines,
                                    bool timing = false);

// The same for faces with `points` points. A JSON line holds "faces" in place of "objects". A face has x, y,
// width, height, score, confidence, and points: [x, y, confidence]. A line of CSV has x0, y0, c0, x1, ... at
// its end. Places have two decimals and confidences three. A confidence that the model does not give is null,
// or empty. A face of `followed` also has id and state, which are empty in CSV for other faces.
WINNOW_API std::string face_header(std::size_t points, ResultFormat format, bool timing = false);
WINNOW_API std::string face_lines(const FrameResult& result, ResultFormat format = ResultFormat::kJsonLines,
                                  bool timing = false);

// Makes bytes valid UTF-8, as result lines hold it. A byte that belongs to no character becomes U+FFFD.
WINNOW_API std::string clean_utf8(std::string_view bytes);
// Makes bytes valid UTF-8 without control characters: each becomes '?', except line feeds. So no name of a
// file controls the terminal that shows it.
WINNOW_API std::string printable(std::string_view bytes);

// Draws a face's number into a field above the left corner of its box, or below that corner if the picture
// ends above. The field is moved into the picture. Each dot of the font is `scale` pixels wide. kUsage for a
// `scale` that is not from 1 to 100.
WINNOW_API void draw_number(ImageView<Rgb> image, const Box& box, int number, Rgb color, int scale = 2);

// Draws the points of a shape, `thickness` pixels wide and clipped to the picture. 68 points are joined by
// lines; other shapes have dots, twice as wide. kUsage for a `thickness` below 1, or a point that is not
// finite.
WINNOW_API void draw_shape(ImageView<Rgb> image, const Shape& shape, Rgb color, int thickness = 1);

struct AnnotatorOptions {
  std::string folder;  // made if it does not exist
  bool blur = false;   // blur objects beyond recognition instead of framing them
  int every = 1;       // the FrameReader's `every`; a copied video has its frame rate divided by `every`
};

// Writes copies of pictures and videos, with the objects framed or blurred, into a folder.
// - `Input::place` is a copy's path inside the folder. If the path is taken, a number is added to the copy's
//   name. No file is overwritten.
// - Pictures keep their format; the grey formats of PNM become .ppm.
// - Pictures of a stream become JPEG files with the frame's number.
// - MP4 stays MP4. Any other video becomes Matroska, with the audio of the original.
class WINNOW_API Annotator {
 public:
  // Once `stop` is requested, a video keeps only the audio that goes with its frames. kUsage if `every` is
  // below 1; kIo or kLimit if the folder cannot be made.
  explicit Annotator(const AnnotatorOptions& options, std::stop_token stop = {});
  // Finishes the input that is open. The audio after the last frame is left out.
  ~Annotator();
  Annotator(Annotator&&) noexcept;
  Annotator& operator=(Annotator&&) noexcept;

  // Draws into the frame's colour picture and writes it. Throws `Error` if that fails, or if the frame was
  // read without `FrameReaderOptions::color`. If a video cannot be written, its file is removed, and its
  // other frames are skipped.
  void write(const Input& input, FrameEvent& frame, std::span<const Detection> objects);
  // Also draws the points of each object, with lines between those of 68 points; a blur holds all points.
  // `shapes` has one shape for each object.
  void write(const Input& input, FrameEvent& frame, std::span<const Detection> objects,
             std::span<const Shape> shapes);
  // Draws followed faces with their points and numbers. Faces that are lost are left out.
  void write_followed(const Input& input, FrameEvent& frame, std::span<const Followed> faces);
  // Completes the video that is open, even if its input ended early.
  void finish_input();
  // Gives the video that is open up: its file is removed.
  void drop_input();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace winnow
