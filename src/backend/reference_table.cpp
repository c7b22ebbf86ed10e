// Fills the table of the backend reference, as backend/backend.h declares; its opening comment holds here.
//
// Exact:  `reference` is the measure: every backend's steps give the answers of `reference`.
// Memory: the caller owns the table, and the sieves and learners that the table makes. Sieves keep
//         their model alive. Learners borrow their samples.
#include "backend/backend.h"
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

BackendTable reference_table() {
  BackendTable table;
  table.kind = BackendKind::kReference;
  table.name = "reference";
  table.why_not = [] { return std::string(); };
  table.detail = [] { return std::string("plain loops, one thread"); };
  table.threads = [](int) { return 1; };
  table.workers = [](int) { return 1; };
  table.pictures_at_once = [](int) { return 8; };
  table.merge = {group_ref, mean_shift_ref, support_ref};
  table.kinds.push_back(
      {kCascadeKind,
       [](const DetectorModel& model, const StepPlace&) { return make_sieve_ref(*model.cascade()); }, nullptr,
       TrainSteps{choose_rule_ref, bin_chunk_ref, make_table_ref}});
  table.kinds.push_back(
      {kHogSvmKind, [](const DetectorModel& model, const StepPlace&) { return make_hog_sieve_ref(model); },
       nullptr});
  table.kinds.push_back(
      {kHogCascadeKind,
       [](const DetectorModel& model, const StepPlace&) { return make_block_sieve_ref(model); }, nullptr,
       BlockSteps{[](const BlockSamples& samples, std::span<const HogBlock> blocks, int, int) {
         return make_block_learner_ref(samples, blocks);
       }}});
  table.landmarks.push_back(
      {kLandmarkKind,
       [](SharedShapeProgram program, const StepPlace&) { return make_shape_fitter_ref(std::move(program)); },
       [](const StepPlace&) { return make_shape_learner_ref(); }});
  table.make_flow = [](const StepPlace&) { return make_flow_runner_ref(); };
  table.objects = &kObjectStepsRef;
  return table;
}

}  // namespace winnow
