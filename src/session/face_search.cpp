// Chooses the search for landmarks, as winnow/face_search.h declares; its opening comment holds here.
#include <winnow/face_search.h>

#include <cctype>
#include <string>
#include <utility>

#include <winnow/error.h>

namespace winnow {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

void check_kinds(const DetectorModel& detector, const Landmarks& landmarks) {
  const ModelCard& card = detector.card();
  const std::string& kind = landmarks.model().card.kind;
  const std::string found = lower(card.kind), marked = lower(kind);
  if (found.find(marked) != std::string::npos || marked.find(found) != std::string::npos) return;
  throw Error(ErrorCode::kUsage, "the landmarks mark points of a " + kind + ", and " +
                                     (card.name.empty() ? "the detector" : card.name) + " finds " +
                                     card.kind + "; name a detector of a " + kind);
}

FaceSearch face_search(const DetectorModel& detector, const Landmarks& landmarks, DetectOptions options,
                       std::optional<double> min_confidence) {
  const LandmarkModel& model = landmarks.model();
  if (min_confidence) {
    if (!(*min_confidence >= 0 && *min_confidence <= 1))
      throw Error(ErrorCode::kUsage, "the least confidence must be from 0 to 1");
    if (*min_confidence > 0 && !model.confidence)
      throw Error(ErrorCode::kUsage, "the landmarks have no confidence, so no face can have the least one");
  }
  const bool grouped =
      !options.raw && options.merge.value_or(detector.search_defaults().merge) == Merge::kGroups;
  const bool known =
      model.has_presence() && !model.detector.empty() && detector.card().name == model.detector && grouped;
  FaceSearch search{std::move(options), min_confidence.value_or(known ? kFacePresence : 0)};
  if (!known) return search;
  if (!min_confidence) {
    search.small_face = kSmallFace;
    search.small_neighbors = 2 * detector.search_defaults().min_neighbors;
  }
  if (!search.options.scale_factor) search.options.scale_factor = kFaceScale;
  if (!search.options.min_neighbors) search.options.min_neighbors = kFaceNeighbors;
  return search;
}

bool is_unlikely(const FaceSearch& search, const Detection& object, const Shape& shape) {
  if (search.min_confidence <= 0) return false;
  if (object.box.width < search.small_face && object.neighbors > search.small_neighbors) return false;
  return !(shape.whole_confidence() >= search.min_confidence);
}

void drop_unlikely(const FaceSearch& search, std::vector<Detection>& objects, std::vector<Shape>& shapes) {
  if (search.min_confidence <= 0) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (is_unlikely(search, objects[i], shapes[i])) continue;
    if (kept != i) {
      objects[kept] = objects[i];
      shapes[kept] = std::move(shapes[i]);
    }
    ++kept;
  }
  objects.resize(kept);
  shapes.resize(kept);
}

}  // namespace winnow
