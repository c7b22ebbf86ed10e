// Fills the table of the backend cuda, as backend/backend.h declares; its opening comment holds here. The
// file's name begins with cuda_, so that cmake/rooms.cmake takes it only in builds with CUDA.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "backend/backend.h"
#include "backend/device_kind_cuda.h"
#include "base/device/cuda_device.h"
#include "base/device/cuda_pinned.h"
#include "base/device/cuda_pointer.h"
#include "base/threads.h"
#include "hog/blocks/block_learner.h"
#include "hog/blocks/blocks_cuda.h"
#include "hog/hog_cuda.h"
#include "learn/steps.h"
#include "model/hog_cascade_model.h"
#include "model/hog_model.h"
#include "model/landmarks/landmark_model.h"
#include "model/model_kinds.h"
#include "pipeline/device_pipeline_cuda.h"
#include "shape/shape_fit.h"
#include "shape/shape_learner.h"
#include "track/flow/flow_runner.h"
#include "track/tld/object_steps.h"

namespace winnow {
namespace {

// Lists the usable devices in `detail`. Returns "" if a device is usable, else why the last device cannot be
// used.
std::string list_usable_devices(std::string* detail) {
  std::string why;
  bool usable = false;
  for (const CudaDeviceInfo& device : cuda_devices(&why)) {
    if (!device.usable) {
      if (!usable) why = device.why_not;
      continue;
    }
    usable = true;
    if (detail == nullptr) continue;
    *detail += (detail->empty() ? "" : "; ") + std::to_string(device.number) + ": " + device.name + ", " +
               std::to_string(device.memory >> 30) + " GiB, compute capability " + device.capability + ", " +
               device.code;
  }
  return usable ? std::string() : why;
}

bool pin_for_devices(const void* memory, std::size_t bytes) {
  const std::vector<CudaDeviceInfo> devices = cuda_devices();
  const auto usable = std::find_if(devices.begin(), devices.end(),
                                   [](const CudaDeviceInfo& device) { return device.usable; });
  require_cuda_device(usable != devices.end() ? usable->number : 0);
  const OnDevice on(usable->number);
  return pin_memory(memory, bytes);
}

// The files that NVIDIA's drivers make for their devices: on Linux, in WSL, and on Tegra.
bool may_have_device() {
  if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES"); visible != nullptr) {
    const std::string_view devices(visible);
    if (devices.empty() || devices == "-1") return false;
  }
  std::error_code ignored;
  for (const char* file : {"/dev/nvidiactl", "/dev/dxg", "/dev/nvmap"})
    if (std::filesystem::exists(file, ignored)) return true;
  return false;
}

std::unique_ptr<Pipeline> make_pipeline_on(const DetectorModel& model, const StepPlace& place,
                                           const MergeSteps& merge) {
  return make_device_pipeline(device_kind(model, merge), place.devices);
}

std::unique_ptr<Pipeline> make_marking_on(const DetectorModel& model, const StepPlace& place,
                                          const MergeSteps& merge, const ShapeMarks& marks) {
  DeviceKind kind = device_kind(model, merge);
  kind.marks = marks;
  return make_device_pipeline(kind, place.devices);
}

}  // namespace

BackendTable cuda_table() {
  static constexpr DeviceMemory kMemory{pin_for_devices, unpin_memory, device_that_holds};
  // Measured: docs/design/024-auto.md.
  static constexpr DeviceStart kStart{may_have_device, start_cuda_device, .3};
  BackendTable table;
  table.kind = BackendKind::kCuda;
  table.name = "cuda";
  table.why_not = [] { return list_usable_devices(nullptr); };
  table.detail = [] {
    std::string detail;
    list_usable_devices(&detail);
    return detail;
  };
  table.threads = threads_for;
  // A few threads keep a device busy while they also decode pictures.
  table.workers = [](int threads) { return std::min(threads, 8); };
  table.pictures_at_once = [](int) { return 2048; };
  // A block of threads groups up to 2,048 candidates of a frame. The host groups frames with more candidates,
  // and merges by mean shift and support: docs/design/015-people.md.
  table.merge = {group_cpu, mean_shift_cpu, support_cpu};
  table.memory = &kMemory;
  table.start = &kStart;
  table.kinds.push_back({kCascadeKind,
                         [](const DetectorModel& model, const StepPlace& place) {
                           return make_sieve_cuda(*model.cascade(), place.devices.front());
                         },
                         make_pipeline_on,
                         // The host chooses the rules of bins, once per training, from a thousand samples.
                         TrainSteps{choose_rule_cpu, bin_chunk_cpu, make_table_cuda}, make_marking_on});
  table.kinds.push_back({kHogSvmKind,
                         [](const DetectorModel& model, const StepPlace& place) {
                           return make_hog_sieve_cuda(model, place.devices.front());
                         },
                         make_pipeline_on});
  table.kinds.push_back(
      {kHogCascadeKind,
       [](const DetectorModel& model, const StepPlace& place) {
         return make_block_sieve_cuda(model, place.devices.front());
       },
       make_pipeline_on,
       BlockSteps{[](const BlockSamples& samples, std::span<const HogBlock> blocks, int, int device) {
         return make_block_learner_cuda(samples, blocks, device);
       }}});
  table.landmarks.push_back(
      {kLandmarkKind,
       [](SharedShapeProgram program, const StepPlace& place) {
         return make_shape_fitter_cuda(std::move(program), place.devices.front());
       },
       [](const StepPlace& place) { return make_shape_learner_cuda(place.devices.front()); }});
  table.make_flow = [](const StepPlace& place) { return make_flow_runner_cuda(place.devices.front()); };
  // The host learns, and compares candidates with templates. It halves and integrates marked frames alone.
  static constexpr ObjectSteps kObjects{halve_cpu, integral_cpu, make_sieve_frames_cuda};
  table.objects = &kObjects;
  return table;
}

}  // namespace winnow
