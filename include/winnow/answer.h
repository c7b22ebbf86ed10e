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
// Exact:  equal answers give equal bytes of text. Keys and columns keep their order. A number is written in
//         its shortest exact form, except for `seconds`, which has six decimals. PNG and PPM copies hold
//         exactly the drawn frame; JPEG and video copies are compressed with loss.
// Memory: text is a new string. The Annotator keeps copies of its options and stop token; nothing passed to
//         a later call is kept. A video is written as its frames come.
// Thread: an Annotator belongs to one thread at a time; any thread may call the functions.
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
#include <winnow/face_cover.h>
#include <winnow/feed.h>
#include <winnow/follower.h>
#include <winnow/landmarker.h>
#include <winnow/scan.h>
#include <winnow/tracker.h>

namespace winnow {

enum class ResultFormat {
  kJsonLines,  // one line per frame
  kCsv,        // a header line, then one line per object (a frame may have none), quoted as in RFC 4180
};

// The answer for one frame.
struct FrameResult {
  std::string source;          // the name of the input
  std::int64_t frame = 0;      // the frame's number in its video or stream
  std::optional<double> time;  // in seconds, for a frame of a video
  // `picture` and `model` are not written to CSV.
  Size picture;
  std::string model;
  std::vector<Detection> objects;
  // The points of each object, for `face_lines`; `result_lines` does not write them.
  std::vector<Shape> shapes;
  // For `face_lines`: the followed faces of a video's frame. `objects` and `shapes` are empty then.
  std::vector<Followed> followed;
  // Written only if `timing` is asked for.
  std::string backend;
  double seconds = 0;
};

// The header line of CSV, or an empty text for JSON lines.
WINNOW_API std::string result_header(ResultFormat format, bool timing = false);
// Each line ends in a line break. A missing time, or a number that is not finite, is null in JSON; CSV leaves
// a missing time empty. Texts are cleaned by `clean_utf8`. `timing`: also write `backend` and `seconds`.
WINNOW_API std::string result_lines(const FrameResult& result, ResultFormat format = ResultFormat::kJsonLines,
                                    bool timing = false);

// Header and lines for faces with `points` points each. A JSON line holds "faces" in place of "objects". A
// face has x, y, width, height, score, confidence, and points: [x, y, confidence]. A line of CSV has x0, y0,
// c0, x1, ... at its end. Coordinates of points have two decimals and confidences three. A confidence that
// the model does not give is null in JSON and empty in CSV. A face of `followed` also has id and state, which
// are empty in CSV for other faces.
WINNOW_API std::string face_header(std::size_t points, ResultFormat format, bool timing = false);
WINNOW_API std::string face_lines(const FrameResult& result, ResultFormat format = ResultFormat::kJsonLines,
                                  bool timing = false);
// Adds the list `covers` to a frame's line of JSON, after its other fields.
WINNOW_API std::string with_covers(std::string line, std::span<const FaceCover> covers);
// Adds the path `copy`, which is cleaned by `clean_utf8`, to a frame's line of JSON, after its other fields.
WINNOW_API std::string with_copy(std::string line, std::string_view copy);

// What a command tells of a frame that a scan answered: its lines, and what a summary counts. Records may be
// made where the frame is answered, and told elsewhere.
struct FrameRecord {
  std::string lines;  // those of `result_lines` or `face_lines`
  // Objects of the frame. Of a video's followed faces none: the highest number so far counts them.
  std::size_t objects = 0;
  int last_id = 0;  // the highest number of a followed face in this frame
  bool large_window =
      false;  // the model's window is higher than a tenth of the picture: small objects may be missed
  std::int64_t unread = 0;  // further pictures of the frame's file, which are not read
  bool operator==(const FrameRecord&) const = default;
};

// How records are made of frames.
struct RecordRules {
  ResultFormat format = ResultFormat::kJsonLines;
  bool timing = false;
  std::string model;       // its name in lines
  Size window;             // the model's
  std::size_t points = 0;  // of each face; 0: boxes alone
};

// The header line of all records.
WINNOW_API std::string record_header(const RecordRules& rules);
// `frame`: a frame that was answered by the work of `make_detect_work`, or with points by that of
// `make_faces_work` or `make_follow_scan`.
WINNOW_API FrameRecord record_of(const ScanEvent& frame, const RecordRules& rules);

// The tracks of one frame.
struct TrackResult {
  std::string source;          // the name of the video, or of the folder of pictures
  std::int64_t frame = 0;      // the frame's number
  std::optional<double> time;  // in seconds, for a frame of a video
  Size picture;                // not written to CSV
  std::vector<Track> tracks;
  std::string file;  // the name of the frame's picture in the folder; empty for a frame of a video
};

// Header and lines for tracks. A JSON line holds "tracks"; each has id, x, y, width, height, confidence and
// state. "picture" is the name of a picture in a folder, and missing for videos. CSV has a line for each track:
// source, frame, time, id, state, x, y, width, height, confidence, picture. Boxes have two decimals and
// confidences three.
WINNOW_API std::string track_header(ResultFormat format);
WINNOW_API std::string track_lines(const TrackResult& result, ResultFormat format = ResultFormat::kJsonLines);

// Makes bytes valid UTF-8, as for result lines. A byte that belongs to no character becomes U+FFFD.
WINNOW_API std::string clean_utf8(std::string_view bytes);
// Makes bytes valid UTF-8 without control characters: each control character but a line feed becomes '?'. A
// file's name can then not control the terminal that shows the name.
WINNOW_API std::string printable(std::string_view bytes);
// Makes bytes one line of valid UTF-8. Control characters become \n, \t, \r or, for instance, \x1b.
WINNOW_API std::string printable_line(std::string_view bytes);

// Draws a face's number into a field above the top left corner of its box, or below that corner if there is
// no room above. A field that leaves the picture is moved inside. Each dot of the font is `scale` pixels
// wide. kUsage for a `scale` that is not from 1 to 100.
WINNOW_API void draw_number(ImageView<Rgb> image, const Box& box, int number, Rgb color, int scale = 2);

// Draws the points of a shape, `thickness` pixels wide and clipped to the picture. 68 points are joined by
// lines; other shapes have dots, twice as wide. kUsage for a `thickness` below 1, or a point that is not
// finite.
WINNOW_API void draw_shape(ImageView<Rgb> image, const Shape& shape, Rgb color, int thickness = 1);

// The area that an annotator blurs for an object with these points: a tenth wider than both at each side.
WINNOW_API Box blurred_box(const Box& box, const Shape& shape, Size picture);

struct AnnotatorOptions {
  std::string folder;  // made if it does not exist
  bool blur = false;   // blur objects beyond recognition instead of framing them
  int every = 1;       // `FrameReaderOptions::every`; the frame rate of a copied video is divided by it
  int trail = 0;       // `write_tracks` also draws where an object was in so many frames, with the newest one
};

// Writes copies of pictures and videos, with the objects framed or blurred, into a folder.
// - `Input::place` is a copy's path inside the folder. If a file has this path already, a number is added to
//   the copy's name. No file is overwritten.
// - Pictures keep their format; the grey formats of PNM become .ppm.
// - Pictures of a stream become JPEG files with the frame's number.
// - MP4 stays MP4. Any other video becomes Matroska, with the audio of the original.
class WINNOW_API Annotator {
 public:
  // Once a stop is requested, a video keeps only the audio up to its last frame. kUsage if `every` is below
  // 1; kIo or kLimit if the folder cannot be made.
  explicit Annotator(const AnnotatorOptions& options, std::stop_token stop = {});
  // Finishes the input that is open. The audio after the last frame is left out.
  ~Annotator();
  Annotator(Annotator&&) noexcept;
  Annotator& operator=(Annotator&&) noexcept;

  // Draws into the frame's colour picture and writes the picture. Throws `Error` if writing fails, or if the
  // frame was read without `FrameReaderOptions::color`. If a copy of a video cannot be written, the copy is
  // removed, and the video's other frames are skipped.
  void write(const Input& input, FrameEvent& frame, std::span<const Detection> objects);
  // Also draws the points of each object, as `draw_shape` does. A blurred area contains all points of its
  // object. `shapes` has one shape for each object.
  void write(const Input& input, FrameEvent& frame, std::span<const Detection> objects,
             std::span<const Shape> shapes);
  // Draws followed faces with their points and numbers. Faces that are lost are left out.
  void write_followed(const Input& input, FrameEvent& frame, std::span<const Followed> faces);
  // Blurs exactly the boxes of the covers, if `AnnotatorOptions::blur` is set. Returns false if the frame was
  // left as it is, because the copy of its video cannot be written.
  bool write_covered(const Input& input, FrameEvent& frame, std::span<const FaceCover> covers);
  // Draws tracked objects with their numbers: blue where a search found the object, yellow where flow alone
  // carried it, and a dashed red box at the last place of a lost object. Paths have the same colours, and a
  // gap where the object was lost.
  void write_tracks(const Input& input, FrameEvent& frame, std::span<const Track> tracks);
  // The copy that the last frame went into: a file of its own, or its video's. Empty if the frame was not
  // written.
  const std::string& copy() const;
  // Completes the video that is open, even if its input ended early.
  void finish_input();
  // Abandons the video that is open, and removes its file.
  void drop_input();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace winnow
