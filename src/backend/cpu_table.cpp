// Fills the table of the backend cpu, as backend/backend.h declares; its opening comment holds here.
#include "backend/backend.h"
#include "base/simd.h"
#include "base/threads.h"
#include "hog/blocks/block_learner.h"
#include "hog/blocks/block_steps.h"
#include "hog/hog_steps.h"
#include "learn/steps.h"
#include "model/hog_cascade_model.h"
#include "model/hog_model.h"
#include "model/landmarks/landmark_model.h"
#include "model/model_kinds.h"
#include "shape/shape_fit.h"
#include "shape/shape_learner.h"
#include "track/flow/flow_runner.h"
#include "track/tld/object_steps.h"

namespace winnow {
namespace {

// SIMD lanes need SSSE3 (2006) or later: docs/design/004-dependencies.md.
std::string why_not() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("ssse3") == 0) return "this processor has no SSSE3";
#endif
  return {};
}

}  // namespace

BackendTable cpu_table() {
  BackendTable table;
  table.kind = BackendKind::kCpu;
  table.name = "cpu";
  table.why_not = why_not;
  table.detail = [] { return simd_target() + ", threads"; };
  table.threads = threads_for;
  table.workers = [](int threads) { return threads; };
  table.pictures_at_once = [](int threads) { return 8 * threads; };
  table.merge = {group_cpu, mean_shift_cpu, support_cpu};
  table.kinds.push_back({kCascadeKind,
                         [](const DetectorModel& model, const StepPlace& place) {
                           return make_sieve_cpu(*model.cascade(), place.threads);
                         },
                         nullptr, TrainSteps{choose_rule_cpu, bin_chunk_cpu, make_table_cpu}});
  table.kinds.push_back({kHogSvmKind,
                         [](const DetectorModel& model, const StepPlace& place) {
                           return make_hog_sieve_cpu(model, place.threads);
                         },
                         nullptr});
  table.kinds.push_back(
      {kHogCascadeKind,
       [](const DetectorModel& model, const StepPlace& place) {
         return make_block_sieve_cpu(model, place.threads);
       },
       nullptr,
       BlockSteps{[](const BlockSamples& samples, std::span<const HogBlock> blocks, int threads, int) {
         return make_block_learner_cpu(samples, blocks, threads);
       }}});
  table.landmarks.push_back({kLandmarkKind,
                             [](SharedShapeProgram program, const StepPlace& place) {
                               return make_shape_fitter_cpu(std::move(program), place.threads);
                             },
                             [](const StepPlace& place) { return make_shape_learner_cpu(place.threads); }});
  table.make_flow = [](const StepPlace& place) { return make_flow_runner_cpu(place.threads); };
  table.objects = &kObjectStepsCpu;
  return table;
}

}  // namespace winnow
