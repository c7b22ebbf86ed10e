// Remembers which searches found a covered face, so that little is covered where hardly any search found one.
//
// In:     the searches that found a face, and joins of paths that cover one face.
// Out:    whether the face is sure, how many searches found it, and whether a frame is near them.
// Exact:  whole numbers, and boxes as they were given.
// Memory: a box for each search that found an unsure face; for each search if all are remembered.
// Thread: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include <winnow/box.h>

namespace winnow {

// A face is sure once some searches in so many frames found it. Others are often false alarms.
inline constexpr std::int64_t kSureFrames = 60;

class FaceEvidence {
 public:
  struct Search {
    std::int64_t frame;
    RealBox box;
    bool likely = true;    // the search itself was sure of the face
    bool certain = false;  // this search alone makes the face sure
  };

  // `number`: that of the face's first path. `needed`: how many searches make the face sure; 1 or more.
  // `remembers`: keeps the searches of a sure face, too.
  FaceEvidence(int number, std::size_t needed, bool remembers)
      : number_(number), needed_(needed), remembers_(remembers) {}

  void found(const Search& search);
  // The face has a place in this frame.
  void lies_in(std::int64_t frame);
  // Takes over what a later path of the same face has.
  void take(const FaceEvidence& later);

  int number() const { return number_; }
  int searches() const { return searches_; }
  bool is_sure() const { return sure_; }
  // All searches that found an unsure face. Those of a sure face only if they are remembered.
  const std::vector<Search>& kept() const { return kept_; }
  // How many of the kept searches found the face while the other face had places.
  int found_during(const FaceEvidence& other) const;
  // Whether a search of an unsure face lies near this frame: within `frames`, or within half of them unless the
  // search itself was sure of the face.
  bool is_near(std::int64_t frame, std::int64_t frames) const;

  bool followed = true;            // its newest path has not ended
  std::optional<bool> is_no_face;  // set once this was judged

 private:
  int number_, searches_ = 0;
  std::size_t needed_;
  bool remembers_, sure_ = false;
  std::int64_t first_ = std::numeric_limits<std::int64_t>::max(), last_ = -1;
  std::vector<Search> kept_;
};

// The evidence of a path. Paths that are joined share one.
class SharedEvidence {
 public:
  SharedEvidence(int path, std::size_t needed, bool remembers)
      : link_(std::make_shared<Link>(Link{FaceEvidence(path, needed, remembers), nullptr})) {}

  FaceEvidence& face() const { return link_->earlier ? link_->earlier->face : link_->face; }
  // Joins a path that has just begun to an earlier path. No other path was joined to the new one yet.
  void join(const SharedEvidence& earlier);

 private:
  struct Link {
    FaceEvidence face;
    std::shared_ptr<Link> earlier;  // of the face's first path; null for that path itself
  };
  std::shared_ptr<Link> link_;
};

}  // namespace winnow
