// Gives the steps with which a device searches each kind of model, as backend/device_kind_cuda.h declares;
// its opening comment holds here.
#include <algorithm>
#include <array>

#include "backend/device_kind_cuda.h"
#include "hog/blocks/blocks_cuda.h"
#include "hog/hog_cuda.h"
#include "model/hog_cascade_model.h"
#include "model/hog_model.h"
#include "model/model_kinds.h"

namespace winnow {
namespace {

void fill_cascade(const DetectorModel& model, DeviceKind& kind) {
  const Cascade cascade = *model.cascade();
  kind.make_sieve = [cascade] { return make_device_sieve(cascade); };
  kind.make_tile_sieve = [cascade] { return make_tile_sieve(cascade); };
  kind.stages = cascade.model().stages.size();
}

void fill_hog_svm(const DetectorModel& model, DeviceKind& kind) {
  kind.make_sieve = [model] { return make_device_hog_sieve(model); };
  kind.stages = 1;
}

void fill_hog_cascade(const DetectorModel& model, DeviceKind& kind) {
  kind.make_sieve = [model] { return make_device_block_sieve(model); };
  kind.stages = HogCascade::from(model)->model().stages.size();
  kind.table = root_table();
}

struct Filler {
  const std::string& kind;
  void (*fill)(const DetectorModel& model, DeviceKind& kind);
};

}  // namespace

DeviceKind device_kind(const DetectorModel& model, const MergeSteps& merge) {
  static const std::array kFillers{Filler{kCascadeKind, fill_cascade}, Filler{kHogSvmKind, fill_hog_svm},
                                   Filler{kHogCascadeKind, fill_hog_cascade}};
  const auto filler =
      std::ranges::find_if(kFillers, [&](const Filler& of) { return of.kind == model.kind(); });
  if (filler == kFillers.end())
    throw Error(ErrorCode::kBackend, "no device searches models of kind " + model.kind());
  DeviceKind kind;
  kind.window = model.window();
  kind.merge = merge;
  filler->fill(model, kind);
  return kind;
}

}  // namespace winnow
