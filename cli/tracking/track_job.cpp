#include "tracking/track_job.h"

#include <winnow/answer.h>

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "terminal/arguments.h"
#include "terminal/terminal.h"

namespace winnow::cli {
namespace {

void add_sources(const TrackJob& job, const std::string& name, std::vector<TrackSource>& sources) {
  if (std::error_code error; std::filesystem::is_directory(name, error)) {
    PictureSequence sequence = expand_sequence(name);
    if (!job.quiet)
      for (const std::string& note : sequence.notes) say(printable(name + ": " + note));
    sources.push_back({std::move(sequence.pictures), name, true});
    return;
  }
  for (const Input& input : expand_inputs({.names = {name}, .files_from = {}, .addresses = true})) {
    require(input.kind != InputKind::kPicture,
            fmt::format("'{}' is one picture; objects are followed through a video, or a folder of pictures",
                        printable(input.path)));
    sources.push_back({{input}, input.path, false});
  }
}

}  // namespace

std::vector<TrackSource> find_sources(const TrackJob& job) {
  std::vector<TrackSource> sources;
  for (const std::string& name : job.inputs) add_sources(job, name, sources);
  require(!sources.empty(), "there is no video");
  const bool several = sources.size() > 1;
  require(
      !several || job.boxes.empty(),
      fmt::format("--box marks objects in one video, and these are {}; learn the objects in one video with "
                  "--save FILE, and give the others --load FILE",
                  sources.size()));
  require(!several || job.save.empty(), "--save takes what was learnt in one video; name one");
  for (const TrackSource& source : sources) {
    const InputKind kind = source.inputs.front().kind;
    require(!job.backward || (kind != InputKind::kCamera && kind != InputKind::kStream),
            fmt::format("--backward reads the frames before a mark once more, and {} gives them only once; "
                        "name a video file or a folder of pictures",
                        printable(input_name(source.inputs.front()))));
  }
  return sources;
}

}  // namespace winnow::cli
