// Decides by options first, then by names, by places that leave no doubt, and by the symmetry of the mean
// face. The declaration of `learned_scheme` in winnow/train_landmarks.h says the same.
#include "train/landmarks/landmark_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "train/options.h"
#include "train/samples/positives.h"
#include "truth/points/mean_points.h"
#include "truth/points/mirror_pairs.h"

namespace winnow {
namespace {

std::vector<std::uint16_t> mirrored_by_option(const std::vector<int>& wanted, std::size_t points) {
  if (wanted.size() != points)
    refuse("the list of mirrored points has " + std::to_string(wanted.size()) + " numbers, faces have " +
           std::to_string(points) + " points");
  std::vector<std::uint16_t> mirrored;
  for (const int number : wanted) {
    if (number < 0 || static_cast<std::size_t>(number) >= points)
      refuse("there is no point " + std::to_string(number) + " to mirror: the learned points are 0 to " +
             std::to_string(points - 1));
    mirrored.push_back(static_cast<std::uint16_t>(number));
  }
  for (std::size_t i = 0; i < points; ++i)
    if (mirrored[mirrored[i]] != i)
      refuse("mirrored twice, point " + std::to_string(i) + " must become itself");
  return mirrored;
}

void take_eyes(const std::string& text, std::size_t points, PointScheme& scheme) {
  const EyePoints eyes = parse_eyes(text);
  const auto numbers = [&](const std::vector<std::size_t>& wanted) {
    std::vector<std::uint16_t> list;
    for (const std::size_t number : wanted) {
      if (number >= points)
        refuse("there is no point " + std::to_string(number) + " of an eye: the learned points are 0 to " +
               std::to_string(points - 1));
      list.push_back(static_cast<std::uint16_t>(number));
    }
    return list;
  };
  scheme.left_eye = numbers(eyes.left);
  scheme.right_eye = numbers(eyes.right);
  scheme.outer_corners.clear();
}

std::string point_text(const PointScheme& scheme, std::size_t i) {
  return scheme.names.empty() || scheme.names[i].starts_with("ibug ") ? std::to_string(i) : scheme.names[i];
}

// The pairs as a text: "0 and 1, 3 and 4". Long lists end with their number.
std::string pairs_text(const PointScheme& scheme) {
  constexpr std::size_t kMostShown = 6;
  std::string text;
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < scheme.mirrored.size(); ++i) {
    const std::size_t partner = scheme.mirrored[i];
    if (partner <= i || ++pairs > kMostShown) continue;
    text += (text.empty() ? "" : ", ") + point_text(scheme, i) + " and " + point_text(scheme, partner);
  }
  if (pairs == 0) return "no two points";
  return pairs > kMostShown ? fmt::format("{} pairs, such as {}", pairs, text) : text;
}

std::vector<Point> mean_of_set(const FaceSet& faces) {
  std::vector<std::vector<Point>> points;
  for (const TrainingFace& face : faces.faces) points.push_back(face.points);
  return mean_of_faces(points);
}

}  // namespace

std::string norm_text(const PointScheme& scheme) {
  return scheme.has_eyes() ? "the distance of the pupils" : "the side of the box around the marked points";
}

LearnedScheme learned_scheme(const FaceSet& faces, const LandmarkOptions& options) {
  if (faces.faces.empty()) return {};
  const std::size_t points = faces.faces.front().points.size();
  LearnedScheme learned;
  KnownScheme known;
  if (!faces.names.empty()) {
    if (faces.names.size() != points) refuse("the faces need one name for each point, or none");
    known = known_scheme({}, faces.names);
  } else {
    LabelledPicture all;
    for (const TrainingFace& face : faces.faces) {
      Label& label = all.labels.emplace_back();
      label.points = face.points;
    }
    known = known_scheme({&all, 1});
  }
  PointScheme& scheme = learned.scheme;
  scheme = std::move(known.scheme);
  const bool ibug = !scheme.names.empty() && scheme.names.front().starts_with("ibug ");
  std::string from = ibug ? "as in iBUG's scheme" : "by their names";
  if (!options.mirrored.empty()) {
    scheme.mirrored = mirrored_by_option(options.mirrored, points);
    from = "as --mirrored says";
  }
  if (!options.eyes.empty()) take_eyes(options.eyes, points, scheme);
  std::string why_not;
  if (!options.mirror) {
    scheme.mirrored.clear();
    why_not = "as the options say";
  } else if (scheme.mirrored.empty()) {
    const MirrorPairs pairs = find_mirror_pairs(mean_of_set(faces));
    scheme.mirrored = pairs.mirrored;
    from = fmt::format("by the marks: the next pairs fit {:.0f} times worse",
                       std::clamp(pairs.lead, 1.0, 1000.0));
    why_not = "since neither names nor marks tell which points are left and right; --mirrored says it";
  }
  learned.mirrored_sentence = scheme.mirrored.empty()
                                  ? "no face is mirrored, " + why_not
                                  : "mirrored, " + pairs_text(scheme) + " change places, " + from;
  learned.norm_sentence = "errors are divided by " + norm_text(scheme);
  if (!scheme.has_eyes()) learned.norm_sentence += ", since it is unknown which points are eyes";
  return learned;
}

}  // namespace winnow
