#include "cluster/split/split_work.h"

#include <utility>

#include <winnow/error.h>

#include "cluster/split/split_sieve.h"
#include "session/pipeline_change.h"
#include "session/region.h"

namespace winnow {
namespace {

PipelineChange split(Transport& transport, Size window) {
  return {[&transport, window](const BackendTable& backend, std::unique_ptr<Pipeline> own) {
    const int rounds = backend.start != nullptr ? 1 : 4;  // docs/design/026-many-hosts.md
    return make_host_pipeline(std::make_unique<SplitSieve>(transport, std::move(own), window, rounds),
                              backend.merge);
  }};
}

}  // namespace

void SplitWork::check_model(const DetectorModel& model) {
  if (model.cascade() == nullptr)
    throw Error(ErrorCode::kUsage,
                "one picture is divided among ranks for cascades of Haar and LBP features; "
                "this model is " +
                    model.kind_words());
}

SplitWork::SplitWork(Transport& transport, const DetectorModel& model, DetectOptions options,
                     const MachineOptions& machine)
    : options_(std::move(options)), detector_(model, machine, split(transport, model.window())) {
  check_model(model);
  if (has_region(options_)) check_region_sides(options_.region);
  DetectOptions any = options_;
  any.region = {};
  const GrayImage nothing;
  detector_.detect(nothing.view(), any);  // throws what every picture would
}

void SplitWork::answer(std::span<ScanEvent* const> frames) {
  for (ScanEvent* frame : frames) {
    if (frame->sequence)
      throw Error(ErrorCode::kUsage,
                  "only single pictures are divided among ranks; leave out --split-picture for frames of a "
                  "video, camera or stream, which go to ranks whole");
    const PictureView view = frame->picture.view();
    if (has_region(options_) && view.crop(options_.region).empty()) {
      frame->problem = "the region of interest lies outside the picture";
      continue;
    }
    try {
      detector_.detect(view, options_, frame->found);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kUsage) throw;
      frame->problem = error.sentence();  // the options were found valid, so they do not fit this picture
    }
  }
}

}  // namespace winnow
