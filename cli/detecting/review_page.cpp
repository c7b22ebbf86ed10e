#include "detecting/review_page.h"

#include <winnow/answer.h>
#include <winnow/error.h>

#include <utility>

namespace winnow::cli {

ReviewPage::ReviewPage(const std::string& folder, std::function<void(const std::string&)> report)
    : folder_(folder), report_(std::move(report)), review_(folder) {}

template <class Work>
void ReviewPage::guard(Work work) {
  if (!review_) return;
  try {
    work(*review_);
  } catch (const Error& error) {
    review_.reset();
    report_(printable(folder_) + ": there is no page to check the copies: " + error.what());
  }
}

void ReviewPage::add(const Input& input, const FrameEvent& frame, std::span<const FaceCover> covers) {
  guard([&](CoverReview& review) { review.add(input, frame, covers); });
}

void ReviewPage::finish_input(const Input& input, bool whole) {
  const bool is_whole = !std::exchange(failed_, false) && whole;
  guard([&](CoverReview& review) { review.finish_input(input, is_whole); });
}

bool ReviewPage::finish() {
  guard([](CoverReview& review) { review.finish(); });
  return review_.has_value();
}

}  // namespace winnow::cli
