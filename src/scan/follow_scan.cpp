// Follows faces through the inputs of a scan that have several frames (`make_follow_scan`, winnow/scan.h).
#include <winnow/scan.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include <winnow/error.h>

#include "scan/laned_work.h"
#include "session/follow_options.h"
#include "session/region.h"

namespace winnow {
namespace {

// Answers frames that are single pictures, and leaves frames of sequences to `FollowState`.
class PictureFaces final : public LanedWork {
 public:
  explicit PictureFaces(std::unique_ptr<ScanWork> marks) : marks_(std::move(marks)) {}

  void answer(std::span<ScanEvent* const> frames) override {
    pictures_.clear();
    std::copy_if(frames.begin(), frames.end(), std::back_inserter(pictures_),
                 [](const ScanEvent* frame) { return !frame->sequence; });
    if (!pictures_.empty()) marks_->answer(pictures_);
  }
  bool reads_color() const override { return marks_->reads_color(); }
  int threads() const override { return marks_->threads(); }
  void rest() override {
    if (auto* laned = dynamic_cast<LanedWork*>(marks_.get())) laned->rest();
  }
  Lanes lanes() const override {
    Lanes lanes;
    if (const auto* laned = dynamic_cast<const LanedWork*>(marks_.get())) lanes = laned->lanes();
    lanes.pictures_only = true;
    for (Lane& lane : lanes.lanes)
      lane.make = [make = std::move(lane.make)] { return std::make_unique<PictureFaces>(make()); };
    return lanes;
  }

 private:
  std::unique_ptr<ScanWork> marks_;
  std::vector<ScanEvent*> pictures_;
};

// Whether the input is searched until a face is found, if the caller does not say so. A camera or a stream
// may be live, and a face is to be found at once. A video file is to be done fast.
bool searches_until_found(const Input& input) {
  return input.kind == InputKind::kCamera || input.kind == InputKind::kStream;
}

// The follower of a scan. The follower is made when the first frame comes. The scan's inputs use it one after
// the other. An input with another `until_found` than the input before gets a new follower.
struct Following {
  DetectorModel model;
  Landmarks landmarks;
  FollowOptions options;
  MachineOptions machine;
  std::optional<Follower> follower{};
  bool until_found = false;  // of `follower`
  bool has_failed = false;   // the device failed at the frame before

  void begin(const Input& input) {
    const bool wanted = options.until_found.value_or(searches_until_found(input));
    if (wanted != until_found) follower.reset();
    until_found = wanted;
    if (follower) follower->restart();
  }

  Follower& ready() {
    if (!follower) {
      FollowOptions complete = options;
      complete.until_found = until_found;
      follower.emplace(model, landmarks, std::move(complete), machine);
    }
    return *follower;
  }
};

class FollowState final : public ScanState {
 public:
  FollowState(std::shared_ptr<Following> following, const Input& input) : following_(std::move(following)) {
    check_followed_search(following_->options.search);
    following_->begin(input);
  }

  void next(ScanEvent& frame) override {
    const DetectOptions& search = following_->options.search;
    const PictureView view = frame.picture.view();
    if (has_region(search) && view.crop(search.region).empty()) {
      begin_anew();
      frame.problem = "the region of interest lies outside the picture";
      return;
    }
    std::vector<Followed> faces;
    try {
      following_->ready().next(view, faces);
    } catch (const Error& error) {
      begin_anew();
      // The options are valid, so a kUsage error means that they do not fit this frame.
      if (error.code() == ErrorCode::kUsage) {
        frame.problem = error.sentence();
        return;
      }
      // A follower itself gives up a device that fails twice in a row, but a device may also let none be made.
      // kBackend ends the scan.
      if (error.code() == ErrorCode::kDevice && std::exchange(following_->has_failed, true))
        throw Error(ErrorCode::kBackend, error.sentence());
      throw;
    } catch (...) {
      begin_anew();
      throw;
    }
    following_->has_failed = false;
    write(frame, std::move(faces));
  }
  std::string note() const override {
    return following_->follower ? following_->follower->note() : std::string();
  }

 private:
  // After `restart`, the follower numbers faces from 1 again. Within an input numbers must go on, so
  // `before_` is added to them.
  void begin_anew() {
    if (following_->follower) following_->follower->restart();
    before_ = last_;
  }

  void write(ScanEvent& frame, std::vector<Followed> faces) {
    frame.found.objects.clear();
    frame.found.counters = {};
    frame.found.picture = frame.picture.gray.size();
    frame.found.backend = backend_name(following_->follower->last_backend());
    for (Followed& face : faces) {
      face.id += before_;
      last_ = std::max(last_, face.id);
      if (face.state != FaceState::kLost) frame.found.objects.push_back({face.box, face.score, 0});
    }
    frame.answer = std::move(faces);
  }

  std::shared_ptr<Following> following_;
  int before_ = 0;  // the highest number of a face before the last problem
  int last_ = 0;    // the highest number of a face so far
};

}  // namespace

FollowScan make_follow_scan(DetectorModel model, Landmarks landmarks, FollowOptions options,
                            MachineOptions machine) {
  check_following(options);
  FollowScan scan;
  scan.work = std::make_unique<PictureFaces>(
      make_faces_work(model, landmarks, options.search, machine, options.min_confidence));
  const auto following = std::make_shared<Following>(
      Following{std::move(model), std::move(landmarks), std::move(options), std::move(machine)});
  scan.make_state = [following](const Input& input, const ScanEvent& first) -> std::unique_ptr<ScanState> {
    if (!first.sequence) return nullptr;
    return std::make_unique<FollowState>(following, input);
  };
  return scan;
}

}  // namespace winnow
