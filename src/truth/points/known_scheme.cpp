// Tells what the points of labels mean, as winnow/truth.h declares; its opening comment holds here.
#include <winnow/truth.h>

#include "truth/face_rule.h"
#include "truth/points/known_shapes.h"
#include "truth/points/mean_points.h"
#include "truth/points/point_names.h"

namespace winnow {

KnownScheme known_scheme(std::span<const LabelledPicture> pictures, const std::vector<std::string>& names) {
  if (!names.empty()) return {scheme_of_names(names), "names"};
  std::vector<std::vector<Point>> faces;
  for (const LabelledPicture& picture : pictures)
    for (const Label& label : picture.labels)
      if (marks_face(label) && (faces.empty() || faces.front().size() == label.points.size()))
        faces.push_back(label.points);
  const std::vector<std::string> known = names_of_shape(mean_of_faces(faces));
  if (known.empty()) return {};
  return {scheme_of_names(known), "places"};
}

}  // namespace winnow
