#include "track/cover/face_evidence.h"

#include <algorithm>
#include <cstdlib>

namespace winnow {

void FaceEvidence::found(const Search& search) {
  ++searches_;
  if (sure_ && !remembers_) return;
  kept_.push_back(search);
  sure_ = sure_ || search.certain ||
          (kept_.size() >= needed_ && search.frame - kept_[kept_.size() - needed_].frame <= kSureFrames);
  if (sure_ && !remembers_) kept_.clear();
}

void FaceEvidence::lies_in(std::int64_t frame) {
  first_ = std::min(first_, frame);
  last_ = std::max(last_, frame);
}

void FaceEvidence::take(const FaceEvidence& later) {
  const int all = searches_ + later.searches_;
  for (const Search& search : later.kept_) found(search);
  searches_ = all;
  sure_ = sure_ || later.sure_;
  if (sure_ && !remembers_) kept_.clear();
  first_ = std::min(first_, later.first_);
  last_ = std::max(last_, later.last_);
  followed = later.followed;
}

int FaceEvidence::found_during(const FaceEvidence& other) const {
  return static_cast<int>(std::count_if(kept_.begin(), kept_.end(), [&](const Search& search) {
    return search.frame >= other.first_ && search.frame <= other.last_;
  }));
}

bool FaceEvidence::is_near(std::int64_t frame, std::int64_t frames) const {
  return std::any_of(kept_.begin(), kept_.end(), [&](const Search& search) {
    return std::abs(search.frame - frame) <= (search.likely ? frames : frames / 2);
  });
}

void SharedEvidence::join(const SharedEvidence& earlier) {
  const std::shared_ptr<Link> first = earlier.link_->earlier ? earlier.link_->earlier : earlier.link_;
  first->face.take(link_->face);
  link_->earlier = first;
}

}  // namespace winnow
