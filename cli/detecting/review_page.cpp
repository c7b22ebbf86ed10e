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

void ReviewPage::add(const Input& input, const FrameEvent& frame, std::span<const FaceCover> covers,
                     const std::string& copy) {
  guard([&](CoverReview& review) { review.add(input, frame, covers, copy); });
}

void ReviewPage::add_problem(const Input& input, const std::string& sentence) {
  guard([&](CoverReview& review) { review.add_problem(input, sentence); });
}

void ReviewPage::finish_input(const Input& input, bool whole) {
  guard([&](CoverReview& review) { review.finish_input(input, whole); });
}

bool ReviewPage::finish() {
  guard([](CoverReview& review) { review.finish(); });
  return review_.has_value();
}

}  // namespace winnow::cli
