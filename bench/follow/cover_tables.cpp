#include "cover_tables.h"

#include <winnow/winnow.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "followed_videos.h"
#include "judged_covers.h"
#include "made_faces.h"

namespace bench {
namespace {

using namespace winnow;

constexpr Size kFrame{640, 360};
constexpr int kFrames = 100, kGap = 30, kDimFrames = 40;

FollowOptions hiding_options(double begin) {
  FollowOptions options;
  options.gap = kGap;
  options.begin = begin;
  return options;
}

CoverOptions cover_options(bool whole) {
  CoverOptions options;
  options.gap = kGap;
  options.whole = whole;
  return options;
}

struct MadeVideo {
  FollowedVideo video;
  Faces faces;
};

// Chooses a face that a search finds in the scene when the face is neither hidden nor dark.
GrayImage found_face(FaceFinder& finder, const std::vector<std::string>& files, const GrayImage& ground,
                     int side, std::mt19937& random) {
  constexpr int kTries = 50, kX = 200, kY = 100;
  for (int i = 0; i < kTries; ++i) {
    GrayImage face = lfw_face(files[random() % files.size()], side), frame = ground.clone();
    paste(frame, std::as_const(face).view(), kX, kY);
    const FoundFaces found = finder.find(std::as_const(frame).view());
    for (std::size_t k = 0; k < found.shapes.size(); ++k)
      if (overlap(found.found.objects[k].box, place_of(kX, kY, side)) > 0.4 &&
          found.shapes[k].presence > 0.5F)
        return face;
  }
  throw std::runtime_error("no face that is found");
}

// How far a turned face is rolled in frame `number`, in degrees. The face turns over the first three
// hidden frames, and turns back over the last three.
double roll_at(int number, int from, int to) {
  constexpr double kMost = 70, kTurn = 3;
  const double since = from == 0 ? kTurn : number - from + 1, until = to == kFrames ? kTurn : to - number;
  return kMost * std::min(1.0, std::min(since, until) / kTurn);
}

MadeVideo made_video(FaceFinder& finder, const std::vector<std::string>& faces,
                     const std::vector<std::string>& scenes, Hiding hiding, int from, int to, double speed,
                     std::mt19937& random) {
  const int side = 80 + static_cast<int>(random() % 60);
  const GrayImage ground = resized(read_picture(scenes[random() % scenes.size()]).gray.view(), kFrame);
  const GrayImage face = found_face(finder, faces, ground, side, random);
  const double way = static_cast<double>(random() % 628) / 100;
  Walk walk{static_cast<double>(random() % static_cast<unsigned>(kFrame.width - side)),
            static_cast<double>(random() % static_cast<unsigned>(kFrame.height - side)),
            speed * std::cos(way), speed * std::sin(way)};
  MadeVideo made;
  for (int number = 0; number < kFrames; ++number) {
    GrayImage frame = ground.clone();
    const int x = static_cast<int>(walk.x), y = static_cast<int>(walk.y);
    const bool hides = number >= from && number < to;
    const bool is_there = !hides || hiding != Hiding::kGround;
    const double roll = hides && hiding == Hiding::kTurned ? roll_at(number, from, to) : 0;
    if (is_there) paste(frame, face.view(), x, y, roll);
    if (hides && hiding == Hiding::kNoise) cover_with_noise(frame, {x, y, side, side}, random);
    const double dim = 0.08 + 0.92 * std::pow(static_cast<double>(number) / kDimFrames, 3);
    const double light = !hides ? 1 : hiding == Hiding::kDark ? 0.04 : hiding == Hiding::kDim ? dim : 1;
    darken(frame, light, light < 0.05 ? 1.5 : 2, random);
    const bool visible = is_there && !(hides && hiding == Hiding::kNoise);
    made.faces.push_back({{place_of(x, y, side), visible}});
    made.video.frames.push_back(std::move(frame));
    step(walk, kFrame, side);
  }
  return made;
}

// Reads a box from a line "x1,y1,x2,y2" of gt.txt. The box is empty if the object is not in the frame.
Box marked_box(std::string line) {
  std::replace(line.begin(), line.end(), ',', ' ');
  std::istringstream text(line);
  double left = 0, top = 0, right = 0, bottom = 0;
  if (!(text >> left >> top >> right >> bottom)) return {};
  return {static_cast<int>(left), static_cast<int>(top), static_cast<int>(right - left),
          static_cast<int>(bottom - top)};
}

}  // namespace

std::vector<ResultList> made_covers(const std::string& data, const MachineOptions& machine, int seeds) {
  const std::vector<std::string> faces = pictures_in(data + "/faces/lfw"),
                                 scenes = pictures_in(data + "/scenes");
  FaceFinder finder(DetectorModel::load("built-in:face"), Landmarks::load("built-in:face-68"), machine);
  static constexpr const char* kPlaces[] = {"at the start", "in the middle", "at the end"};
  struct Row {
    CoverCounts follower, live, whole;
  };
  std::map<std::pair<int, int>, Row> rows;
  const std::vector<int> lingers = {0, 5, 10, 20};
  std::vector<CoverCounts> by_linger(lingers.size());
  std::uint32_t seed = 0;
  int videos = 0;
  for (int kind = 0; kind <= static_cast<int>(Hiding::kDim); ++kind)
    for (int place = 0; place < 3; ++place)
      for (const int length : {1, 5, 10})
        for (const double speed : {1.5, 10.0})
          for (int i = 0; i < seeds; ++i) {
            const Hiding hiding = static_cast<Hiding>(kind);
            const bool dims = hiding == Hiding::kDim;
            if (dims && place > 0) continue;
            std::mt19937 random(++seed);
            const int from = dims || place == 0 ? 0 : place == 1 ? 45 : kFrames - length;
            MadeVideo made = made_video(finder, faces, scenes, hiding, from,
                                        dims ? kDimFrames : from + length, speed, random);
            follow(made.video, hiding_options(kFacePresence), machine);
            Row& row = rows[{kind, place}];
            row.follower.add(made.faces, boxes_of(made.video), kGap, kFrame);
            row.live.add(made.faces, covers_of(made.video, cover_options(false), machine), kGap, kFrame);
            row.whole.add(made.faces, covers_of(made.video, cover_options(true), machine), kGap, kFrame);
            for (std::size_t k = 0; k < lingers.size() && !dims; ++k) {
              CoverOptions options = cover_options(true);
              options.linger = lingers[k];
              by_linger[k].add(made.faces, covers_of(made.video, options, machine), kGap, kFrame);
            }
            videos += !dims;
          }
  ResultList hidings{
      .name = "covers_made",
      .title = "Faces that hide in made videos",
      .unit = "faces in frames; boxes",
      .command = "winnow_following --tables made",
      .about =
          "A face of LFW, 80 to 139 pixels wide, walks over a scene of 640x360 by 1.5 or 10 pixels a frame. "
          "Noise has a deviation of 2. A row has " +
          std::to_string(6 * seeds) +
          " videos of 100 frames. It hides for 1, 5 or 10 frames. A face counts as open if no box holds its "
          "middle. "
          "`FaceCovers` gives its covers live, 30 frames late, and for the whole video. A box is needless if "
          "no face touches it within 30 frames.",
      .columns = {"hiding", "place", "visible", "follower", "live", "whole", "strict", "hidden",
                  "hidden_open", "needless_boxes", "needless"},
      .by = {{"hiding", "the face"}, {"place", "when"}},
      .values = {{"visible", "visible", 0},
                 {"follower", "open, `Follower` alone", 0},
                 {"live", "open, live", 0},
                 {"whole", "open, whole", 0},
                 {"strict", "below 80 % covered", 0},
                 {"hidden", "hidden", 0},
                 {"hidden_open", "hidden and open", 0},
                 {"needless_boxes", "needless boxes, `Follower`", 0},
                 {"needless", "needless covers", 0}}};
  for (const auto& [key, row] : rows)
    hidings.rows.push_back(
        {name_of(static_cast<Hiding>(key.first)),
         static_cast<Hiding>(key.first) == Hiding::kDim ? "the first 40 frames" : kPlaces[key.second],
         row.whole.visible, row.follower.open, row.live.open, row.whole.open, row.whole.strict,
         row.whole.hidden, row.whole.hidden_open, row.follower.needless, row.whole.needless});
  ResultList linger{
      .name = "covers_linger",
      .title = "Frames that covers linger",
      .unit = "faces in frames; percent",
      .command = "winnow_following --tables made",
      .about = "The " + std::to_string(videos) +
               " videos in which a face hides, without those that begin dark. Covers for the whole "
               "video.",
      .columns = {"linger", "open", "strict", "hidden_open", "part"},
      .by = {{"linger", "`linger`"}},
      .values = {{"open", "open", 0},
                 {"strict", "below 80 % covered", 0},
                 {"hidden_open", "hidden and open", 0},
                 {"part", "percent of the frame covered", 2}}};
  for (std::size_t k = 0; k < lingers.size(); ++k)
    linger.rows.push_back({lingers[k], by_linger[k].open, by_linger[k].strict, by_linger[k].hidden_open,
                           100 * by_linger[k].part / (videos * kFrames)});
  return {hidings, linger};
}

ResultList marked_covers(const std::string& data, const MachineOptions& machine,
                         const std::vector<std::string>& names) {
  ResultList list{.name = "covers_marked",
                  .title = "Frames that leave a marked face visible",
                  .unit = "frames; boxes",
                  .command = "winnow_following --tables marked",
                  .about =
                      "Gap 30. A frame leaves the face visible if no box holds the middle of the marked box. "
                      "`begin` is the presence with which a face begins. The detail of a frame is the sum of "
                      "the absolute differences of pixels that lie side by side or one below the other. "
                      "Covers wipe the detail inside of them. With `between` carry the points lie where flow "
                      "carried them, and no fit asks for a search.",
                  .columns = {"video", "between", "begin", "frames", "follower", "live", "whole",
                              "live_strict", "strict", "needless", "wiped", "in_faces"},
                  .by = {{"video", "video"}, {"between", "`between`"}, {"begin", "`begin`"}},
                  .values = {{"frames", "frames with a face", 0},
                             {"follower", "`Follower` alone", 0},
                             {"live", "live", 0},
                             {"whole", "whole", 0},
                             {"live_strict", "live, below 80 % covered", 0},
                             {"strict", "whole, below 80 % covered", 0},
                             {"needless", "needless covers", 0},
                             {"wiped", "percent of detail wiped, whole", 1},
                             {"in_faces", "percent of detail in marked boxes", 1}}};
  for (const std::string& name : names) {
    const std::string folder = data + "/tracks/" + name + "/";
    FollowedVideo video;
    video.frames = frames_of({folder + name + ".mpg"});
    std::ifstream marks(folder + "gt.txt");
    Faces faces(video.frames.size());
    std::string line;
    for (std::size_t i = 0; i < faces.size() && std::getline(marks, line); ++i)
      if (const Box box = marked_box(line); box.width > 0) faces[i].push_back({box});
    for (const Between between : {Between::kCarry, Between::kSteady})
      for (const double begin : {0.5, kFacePresence}) {
        FollowOptions options = hiding_options(begin);
        options.between = between;
        follow(video, options, machine);
        CoverCounts follower, live, whole;
        WipedDetail detail;
        const Size frame = video.frames[0].size();
        const Boxes covers = covers_of(video, cover_options(true), machine);
        follower.add(faces, boxes_of(video), kGap, frame);
        live.add(faces, covers_of(video, cover_options(false), machine), kGap, frame);
        whole.add(faces, covers, kGap, frame);
        for (std::size_t i = 0; i < faces.size(); ++i)
          detail.add(video.frames[i].view(), covers[i], faces[i]);
        list.rows.push_back({name, between_name(between), begin, whole.visible, follower.open, live.open,
                             whole.open, live.strict, whole.strict, whole.needless, detail.percent_wiped(),
                             detail.percent_in_faces()});
      }
  }
  return list;
}

ResultList needless_covers(const std::string& data, const MachineOptions& machine, int videos) {
  constexpr int kPanFrames = 60;
  const std::vector<std::string> scenes = pictures_in(data + "/scenes");
  const std::vector<double> begins = {0.5, 0.3, 0.2, kFacePresence};
  FaceFinder finder(DetectorModel::load("built-in:face"), Landmarks::load("built-in:face-68"), machine);
  std::vector<int> followed(begins.size()), covered(begins.size());
  int searched = 0;
  std::mt19937 random(3);
  for (int video = 0; video < videos; ++video) {
    const GrayImage scene = resized(read_picture(scenes[random() % scenes.size()]).gray.view(), {800, 600});
    FollowedVideo pan;
    for (int number = 0; number < kPanFrames; ++number) {
      GrayImage frame(kFrame.width, kFrame.height);
      for (int y = 0; y < kFrame.height; ++y)
        std::memcpy(frame.row(y), scene.row(y + 2 * number) + 2 * number,
                    static_cast<std::size_t>(kFrame.width));
      darken(frame, 1, 2, random);
      searched += !finder.find(std::as_const(frame).view()).shapes.empty();
      pan.frames.push_back(std::move(frame));
    }
    for (std::size_t i = 0; i < begins.size(); ++i) {
      follow(pan, hiding_options(begins[i]), machine);
      const auto frames_with = [](const Boxes& boxes) {
        return static_cast<int>(std::count_if(boxes.begin(), boxes.end(),
                                              [](const std::vector<Box>& frame) { return !frame.empty(); }));
      };
      followed[i] += frames_with(boxes_of(pan));
      covered[i] += frames_with(covers_of(pan, cover_options(true), machine));
    }
  }
  ResultList list{
      .name = "covers_needless",
      .title = "Frames without faces in which something is covered",
      .unit = "frames of " + std::to_string(videos * kPanFrames),
      .command = "winnow_following --tables needless",
      .about = "Pans over scenes: " + std::to_string(videos) + " videos of " + std::to_string(kPanFrames) +
               " frames. A search of each frame alone finds something in " + std::to_string(searched) +
               " frames. `begin` is the presence with which a face begins.",
      .columns = {"begin", "followed", "covered"},
      .by = {{"begin", "`begin`"}},
      .values = {{"followed", "`Follower` alone", 0}, {"covered", "covers", 0}}};
  for (std::size_t i = 0; i < begins.size(); ++i) list.rows.push_back({begins[i], followed[i], covered[i]});
  return list;
}

ResultList cover_margins(const std::string& data, const MachineOptions& machine) {
  FaceFinder finder(DetectorModel::load("built-in:face"), Landmarks::load("built-in:face-68"), machine);
  const std::string folder = data + "/faces/helen-test/";
  std::ifstream marks(folder + "points.csv");
  std::string line;
  std::getline(marks, line);
  const std::vector<double> margins = {0, 0.05, 0.1, 0.15, 0.2, 0.3};
  std::vector<int> whole(margins.size()), inside(margins.size());
  int faces = 0;
  std::size_t points = 0;
  while (std::getline(marks, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream text(line);
    std::string file;
    text >> file;
    std::vector<LandmarkPoint> truth;
    for (LandmarkPoint point; text >> point.x >> point.y;) truth.push_back(point);
    double x = 0, y = 0;
    for (const LandmarkPoint& point : truth) {
      x += point.x / static_cast<double>(truth.size());
      y += point.y / static_cast<double>(truth.size());
    }
    const Picture picture = read_picture(folder + file);
    const FoundFaces found = finder.find(picture.view());
    for (std::size_t k = 0; k < found.shapes.size(); ++k) {
      const Box& box = found.found.objects[k].box;
      if (x < box.x || y < box.y || x > box.x + box.width || y > box.y + box.height) continue;
      ++faces;
      points += truth.size();
      for (std::size_t i = 0; i < margins.size(); ++i) {
        FaceCovers covers({.linger = 0, .margin = margins[i], .sure = 1, .whole = true}, machine);
        covers.add(picture.gray.view(), std::vector{Followed{1, FaceState::kFound, box, 0, found.shapes[k]}});
        covers.finish();
        std::vector<Box> boxes;
        covers.next(boxes);
        const auto held = std::count_if(truth.begin(), truth.end(), [&](const LandmarkPoint& point) {
          const Box& cover = boxes.front();
          return point.x >= cover.x && point.y >= cover.y && point.x <= cover.x + cover.width &&
                 point.y <= cover.y + cover.height;
        });
        inside[i] += static_cast<int>(held);
        whole[i] += static_cast<std::size_t>(held) == truth.size();
      }
      break;
    }
  }
  ResultList list{
      .name = "covers_margin",
      .title = "Marked points inside of covers",
      .unit = "percent",
      .command = "winnow_following --tables margin",
      .about = std::to_string(faces) +
               " faces of HELEN's test part that are found, 68 marked points each. A cover holds the "
               "found box and the fitted points, and is wider by `margin` of its sides at each side.",
      .columns = {"margin", "faces", "points"},
      .by = {{"margin", "`margin`"}},
      .values = {{"faces", "faces with all points inside", 1}, {"points", "points inside", 2}}};
  for (std::size_t i = 0; i < margins.size(); ++i)
    list.rows.push_back({margins[i], 100.0 * whole[i] / std::max(1, faces),
                         100.0 * inside[i] / std::max<double>(1, static_cast<double>(points))});
  return list;
}

}  // namespace bench
