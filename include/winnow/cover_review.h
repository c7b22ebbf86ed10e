// Writes a page of small pictures, on which a person checks what copies hide.
//
//   winnow::Annotator annotator({.folder = "safe", .blur = true});
//   winnow::CoverReview review("review");
//   for (std::size_t i = 0; i < frames.size(); ++i)
//     if (annotator.write_covered(input, frames[i], covers[i]))
//       review.add(input, frames[i], covers[i], annotator.copy());
//   annotator.finish_input();
//   review.finish_input(input);
//   review.finish();  // writes review/index.html
//
// Pictures alone are all shown. A video, camera or stream shows its last frame and these:
// - one frame for each second, or each 25th frame if frames have no time,
// - the first frame and the last frame of each cover, and the frames beside them, where a face may be open,
// - each frame with a large cover: one that takes more than a fifth of the frame, or more than twice the area
//   that it had when a search found its face last.
//
// In:     the frames of copies in order, as they are published, with the covers that hide faces in them.
// Out:    `index.html`, and small JPEG pictures in `pictures/` beside it. The page needs no network. It
//         frames each cover with its number, and tells the searches behind it. It links each copy, and names
//         inputs without covers and what could not be read or written. An input adds at most 4000 pictures
//         of begins and ends, and 1000 of large covers. The page counts the frames that are left out.
// Exact:  the same page for the same frames, covers and copies.
// Memory: one small picture; some words for each video, and for each of the first 1000 inputs of a list.
// Thread: one thread at a time.
#pragma once

#include <memory>
#include <span>
#include <string>

#include <winnow/export.h>
#include <winnow/face_cover.h>
#include <winnow/feed.h>

namespace winnow {

class WINNOW_API CoverReview {
 public:
  // Makes the folder. kUsage if the folder holds a review already; kIo or kLimit if it cannot be made, or if
  // nothing can be written there.
  explicit CoverReview(const std::string& folder);
  // Without `finish` there is no page, but the pictures stay.
  ~CoverReview();
  CoverReview(CoverReview&&) noexcept;
  CoverReview& operator=(CoverReview&&) noexcept;

  // Takes the next frame of an input's copy, in which the covers are hidden already. `copy`: the path of the
  // file that holds the frame, for a link (`Annotator::copy`). Throws `Error` if a picture cannot be written,
  // or if the frame has no colour picture.
  void add(const Input& input, const FrameEvent& frame, std::span<const FaceCover> covers,
           const std::string& copy = {});
  // Lists what could not be read or written of the next or current input, in one sentence that names the
  // input, such as `FrameEvent::problem`.
  void add_problem(const Input& input, const std::string& sentence);
  // Ends the input, whose copy must be there under its name. `whole`: false if the copy lacks frames or was
  // not written; the page then says so.
  void finish_input(const Input& input, bool whole = true);
  // Writes the page. A last input that was not finished counts as not whole.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace winnow
