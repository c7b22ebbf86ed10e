// Writes the page on which a person checks blurred copies, without a risk for the copies.
//
// In:     the frames of the copies with their covers, and what could not be read or written.
// Out:    the page of a `CoverReview`. If it cannot be written, one problem is reported, and the rest of the
//         page is left out.
// Memory: as `CoverReview` (winnow/cover_review.h).
// Thread: the main thread.
#pragma once

#include <winnow/cover_review.h>

#include <functional>
#include <optional>
#include <span>
#include <string>

namespace winnow::cli {

class ReviewPage {
 public:
  // Throws what `CoverReview` throws.
  ReviewPage(const std::string& folder, std::function<void(const std::string& problem)> report);

  void add(const Input& input, const FrameEvent& frame, std::span<const FaceCover> covers,
           const std::string& copy);
  void add_problem(const Input& input, const std::string& sentence);
  void finish_input(const Input& input, bool whole);
  // Returns whether there is a page.
  bool finish();

 private:
  template <class Work>
  void guard(Work work);

  std::string folder_;
  std::function<void(const std::string&)> report_;
  std::optional<CoverReview> review_;
};

}  // namespace winnow::cli
