#include "track/cover/face_evidence.h"

#include <algorithm>
#include <cstdlib>

namespace winnow {

void FaceEvidence::found(const Search& search) {
  ++searches_;
  if (sure_) return;
  kept_.push_back(search);
  sure_ = search.certain ||
          (kept_.size() >= needed_ && search.frame - kept_[kept_.size() - needed_].frame <= kSureFrames);
  if (sure_) kept_.clear();
}

void FaceEvidence::take(const FaceEvidence& later) {
  const int all = searches_ + later.searches_;
  for (const Search& search : later.kept_) found(search);
  searches_ = all;
  sure_ = sure_ || later.sure_;
  if (sure_) kept_.clear();
  searches_inside = std::max(searches_inside, later.searches_inside);
  followed = later.followed;
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
