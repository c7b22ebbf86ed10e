#include "judged_covers.h"

#include <winnow/winnow.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "followed_videos.h"
#include "made_faces.h"

namespace bench {
namespace {

using namespace winnow;

constexpr double kEnough = 0.8;  // the fraction of a face's area that must be covered

bool holds_middle(const Box& cover, const Box& face) {
  const double x = face.x + face.width / 2.0, y = face.y + face.height / 2.0;
  return x >= cover.x && x < cover.x + cover.width && y >= cover.y && y < cover.y + cover.height;
}

// The fraction of a box's area that covers hold.
double covered_part(const std::vector<Box>& covers, const Box& box) {
  int covered = 0;
  for (int y = box.y; y < box.y + box.height; ++y)
    for (int x = box.x; x < box.x + box.width; ++x)
      covered += std::any_of(covers.begin(), covers.end(), [&](const Box& cover) {
        return x >= cover.x && x < cover.x + cover.width && y >= cover.y && y < cover.y + cover.height;
      });
  return covered / (static_cast<double>(box.width) * box.height);
}

}  // namespace

void CoverCounts::add(const Faces& faces, const Boxes& boxes, int gap, Size frame) {
  for (std::size_t number = 0; number < faces.size(); ++number) {
    const std::vector<Box>& now = boxes[number];
    for (const FacePlace& face : faces[number]) {
      const bool is_open = std::none_of(now.begin(), now.end(),
                                        [&](const Box& cover) { return holds_middle(cover, face.box); });
      (face.visible ? visible : hidden) += 1;
      (face.visible ? open : hidden_open) += is_open;
      if (face.visible) strict += covered_part(now, face.box) < kEnough;
    }
    const std::size_t first = number - std::min(number, static_cast<std::size_t>(gap)),
                      last = std::min(faces.size() - 1, number + static_cast<std::size_t>(gap));
    for (const Box& cover : now) {
      bool is_needed = false;
      for (std::size_t near = first; near <= last && !is_needed; ++near)
        is_needed = std::any_of(faces[near].begin(), faces[near].end(),
                                [&](const FacePlace& face) { return overlap(face.box, cover) > 0; });
      ++covers;
      needless += !is_needed;
    }
    part += covered_part(now, {0, 0, frame.width, frame.height});
  }
}

void WipedDetail::add(GrayView frame, const std::vector<Box>& covers, const std::vector<FacePlace>& marked) {
  const auto inside = [](const Box& box, int x, int y) {
    return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
  };
  for (int y = 0; y + 1 < frame.height; ++y)
    for (int x = 0; x + 1 < frame.width; ++x) {
      const int here = frame.row(y)[x];
      const double detail = std::abs(frame.row(y)[x + 1] - here) + std::abs(frame.row(y + 1)[x] - here);
      all += detail;
      if (std::any_of(covers.begin(), covers.end(), [&](const Box& cover) { return inside(cover, x, y); }))
        wiped += detail;
      if (std::any_of(marked.begin(), marked.end(),
                      [&](const FacePlace& face) { return inside(face.box, x, y); }))
        faces += detail;
    }
}

void follow(FollowedVideo& video, const FollowOptions& options, const MachineOptions& machine) {
  static const Landmarks landmarks = Landmarks::load("built-in:face-68");
  video.faces = faces_in(video.frames, landmarks, options, machine);
}

Boxes boxes_of(const FollowedVideo& video) {
  Boxes boxes;
  for (const auto& faces : video.faces) {
    boxes.emplace_back();
    for (const Followed& face : faces)
      if (face.state != FaceState::kLost) boxes.back().push_back(face.box);
  }
  return boxes;
}

Boxes covers_of(const FollowedVideo& video, const CoverOptions& options, const MachineOptions& machine) {
  FaceCovers covers(options, machine);
  Boxes all;
  std::vector<Box> boxes;
  for (std::size_t number = 0; number < video.frames.size(); ++number) {
    covers.add(video.frames[number].view(), video.faces[number]);
    while (covers.next(boxes)) all.push_back(boxes);
  }
  covers.finish();
  while (covers.next(boxes)) all.push_back(boxes);
  return all;
}

}  // namespace bench
