// Writes detections in the form that FDDB's own evaluation reads.
#include <fmt/format.h>

#include <iterator>

#include <winnow/error.h>
#include <winnow/eval.h>

namespace winnow {

std::string fddb_text(std::span<const LabelledPicture> pictures,
                      std::span<const std::vector<Detection>> found) {
  if (pictures.size() != found.size())
    throw Error(ErrorCode::kUsage, "there must be a list of detections for each picture");
  std::string text;
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    fmt::format_to(std::back_inserter(text), "{}\n{}\n", pictures[i].name, found[i].size());
    for (const Detection& each : found[i]) {
      fmt::format_to(std::back_inserter(text), "{} {} {} {} {}\n", each.box.x, each.box.y, each.box.width,
                     each.box.height, each.score);
    }
  }
  return text;
}

}  // namespace winnow
