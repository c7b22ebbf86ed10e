#include "follow_tables.h"

#include <winnow/winnow.h>

#include <algorithm>
#include <map>
#include <utility>

#include "made_faces.h"
#include "still_faces.h"

namespace bench {
namespace {

using namespace winnow;

constexpr Size kFrame{1280, 720};
constexpr int kSide = 150, kFaces = 5, kFrames = 400, kPillar = 560, kPillarWidth = 170, kGap = 60;

struct Numbered {
  int id;
  Box box;
};
struct Place {
  Box box;
  bool visible;
};

// Counts how often a visible face's number changes between two frames in which the face is found.
class Changes {
 public:
  void add(const std::vector<Place>& faces, const std::vector<Numbered>& found) {
    std::vector<bool> used(found.size());
    for (std::size_t face = 0; face < faces.size(); ++face) {
      if (!faces[face].visible) continue;
      ++visible;
      std::size_t best = found.size();
      double most = 0.3;
      for (std::size_t i = 0; i < found.size(); ++i)
        if (const double both = overlap(faces[face].box, found[i].box); both > most && !used[i]) {
          most = both;
          best = i;
        }
      if (best == found.size()) continue;
      used[best] = true;
      ++hit;
      const auto last = last_.find(face);
      changes += last != last_.end() && last->second != found[best].id;
      last_[face] = found[best].id;
    }
  }
  void next_video() { last_.clear(); }

  int visible = 0, hit = 0, changes = 0;

 private:
  std::map<std::size_t, int> last_;
};

// Links boxes of neighbouring frames that overlap.
class PlainTracker {
 public:
  std::vector<Numbered> next(const std::vector<Detection>& objects) {
    std::vector<bool> used(last_.size());
    std::vector<Numbered> now;
    for (const Detection& object : objects) {
      std::size_t best = last_.size();
      double most = 0.3;
      for (std::size_t i = 0; i < last_.size(); ++i)
        if (const double both = overlap(last_[i].box, object.box); !used[i] && both > most) {
          most = both;
          best = i;
        }
      if (best < last_.size()) used[best] = true;
      now.push_back({best < last_.size() ? last_[best].id : ++ids_, object.box});
    }
    last_ = now;
    return now;
  }

 private:
  std::vector<Numbered> last_;
  int ids_ = 0;
};

void draw_pillar(GrayImage& frame) {
  for (int y = 0; y < frame.height(); ++y)
    for (int x = kPillar; x < kPillar + kPillarWidth; ++x)
      frame.row(y)[x] = static_cast<std::uint8_t>(90 + (x * 7 + y * 3) % 23);
}

// Whether a face is neither behind the pillar nor behind a later face.
bool is_visible(const std::vector<Box>& boxes, std::size_t face) {
  const Box& box = boxes[face];
  const int hidden = std::min(kPillar + kPillarWidth, box.x + box.width) - std::max(kPillar, box.x);
  for (std::size_t other = face + 1; other < boxes.size(); ++other)
    if (overlap(box, boxes[other]) > 0.3) return false;
  return hidden < box.width / 4;
}

}  // namespace

ResultList changed_numbers(const std::string& data, const MachineOptions& machine, int videos) {
  const DetectorModel model = DetectorModel::load("built-in:face");
  const Landmarks landmarks = Landmarks::load("built-in:face-68");
  const std::vector<std::string> faces = pictures_in(data + "/faces/lfw"),
                                 scenes = pictures_in(data + "/scenes");
  Changes followed, plain;
  for (int video = 1; video <= videos; ++video) {
    std::mt19937 random(static_cast<std::uint32_t>(video));
    std::uniform_real_distribution<double> part(0, 1);
    std::vector<GrayImage> cuts;
    std::vector<Walk> walks;
    for (int i = 0; i < kFaces; ++i) {
      cuts.push_back(lfw_face(faces[random() % faces.size()], kSide));
      walks.push_back({100 + 200. * i + 40 * part(random), 80 + 400 * part(random),
                       (part(random) < 0.5 ? -1 : 1) * (2 + 5 * part(random)), (part(random) - 0.5) * 3});
    }
    const GrayImage ground = resized(read_picture(scenes[random() % scenes.size()]).gray.view(), kFrame);
    FollowOptions options;
    options.gap = kGap;
    Follower follower(model, landmarks, options, machine);
    Detector detector(model, machine);
    PlainTracker tracker;
    for (int number = 0; number < kFrames; ++number) {
      GrayImage frame = ground.clone();
      std::vector<Box> boxes;
      for (std::size_t i = 0; i < walks.size(); ++i) {
        step(walks[i], kFrame, kSide);
        const int x = static_cast<int>(walks[i].x), y = static_cast<int>(walks[i].y);
        paste(frame, std::as_const(cuts[i]).view(), x, y);
        boxes.push_back(place_of(x, y, kSide));
      }
      draw_pillar(frame);
      std::vector<Place> places;
      for (std::size_t i = 0; i < boxes.size(); ++i) places.push_back({boxes[i], is_visible(boxes, i)});
      const GrayView view = std::as_const(frame).view();
      std::vector<Numbered> found;
      for (const Followed& face : follower.next(view))
        if (face.state != FaceState::kLost) found.push_back({face.id, face.box});
      followed.add(places, found);
      plain.add(places, tracker.next(detector.detect(view).objects));
    }
    followed.next_video();
    plain.next_video();
  }
  ResultList list{.name = "followed_numbers",
                  .title = "Changes of a face's number",
                  .unit = "faces in frames; percent; changes",
                  .command = "winnow_following --tables numbers",
                  .about =
                      "Five faces of LFW, 150 pixels wide, walk over a scene of 1280x720, cross, and hide "
                      "behind a pillar of 170 pixels. There are " +
                      std::to_string(videos) + " videos of " + std::to_string(kFrames) +
                      " frames; the gap is " + std::to_string(kGap) +
                      ". The plain tracker searches each frame and links boxes that overlap.",
                  .columns = {"tracker", "visible", "hit", "changes"},
                  .by = {{"tracker", "tracker"}},
                  .values = {{"visible", "visible faces", 0},
                             {"hit", "percent found", 1},
                             {"changes", "changes of a number", 0}}};
  for (const auto& [name, changes] : {std::pair("`Follower`, a search every 10 frames", &followed),
                                      std::pair("plain overlap, a search every frame", &plain)})
    list.rows.push_back(
        {name, changes->visible, 100.0 * changes->hit / std::max(1, changes->visible), changes->changes});
  return list;
}

ResultList trembling(const std::string& data, const MachineOptions& machine, int faces) {
  const Landmarks landmarks = Landmarks::load("built-in:face-68");
  const std::vector<GrayImage> pictures = still_faces(data, machine, faces);
  ResultList list{
      .name = "followed_trembling",
      .title = "Trembling of points, and lag",
      .unit = "pixels a frame; frames",
      .command = "winnow_following --tables trembling",
      .about = "The first faces of HELEN's training part that are found alone (" +
               std::to_string(pictures.size()) +
               "), pupils 80 pixels apart, in noise of deviation 3: 50 frames. Trembling is the mean "
               "step of a point of a face that stands still. Lag is that of the points' middle at 4 "
               "pixels a frame.",
      .columns = {"detect_every", "smooth", "trembling", "lag", "most"},
      .by = {{"detect_every", "`detect_every`"}, {"smooth", "`smooth`"}},
      .values = {{"trembling", "pixels a frame", 2},
                 {"lag", "mean lag, frames", 2},
                 {"most", "most lag, frames", 2}}};
  for (const int every : {1, 10})
    for (const double smooth : {0., 0.5, 1.}) {
      FollowOptions options;
      options.detect_every = every;
      options.smooth = smooth;
      double sum = 0, lag = 0, most = 0;
      for (const GrayImage& picture : pictures) {
        const auto run = [&](Stand stand) {
          return steadiness_of(landmarks, machine, picture.view(), options, stand, 3);
        };
        sum += run(Stand::kStill).trembling;
        const double behind = run(Stand::kMoves).lag;
        lag += behind;
        most = std::max(most, behind);
      }
      const double count = std::max(1.0, static_cast<double>(pictures.size()));
      list.rows.push_back({every, smooth, sum / count, lag / count, most});
    }
  return list;
}

}  // namespace bench
