// Lists what each backend supplies, as one table per backend: the porting guide.
//
// A port to other hardware fills in one `BackendTable` (see cuda_table.cpp) and adds it to the list in
// backend.cpp. Nothing outside these tables asks which backend it has. A step that a table lacks does not
// exist there. Asking for that step is a kBackend error, never a quiet substitute.
//
// In:     a backend's kind, a model, and the place where its steps run.
// Out:    the backend's table; a sieve, a pipeline, or the steps of training.
// Exact:  every table's steps give the same answers as those of `reference`.
// Memory: tables live as long as the program. The caller owns sieves and pipelines, which keep their model
//         alive.
// Thread: any, but `add_kind_steps` only while no other thread uses the tables.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <winnow/backend.h>
#include <winnow/detector_model.h>
#include <winnow/machine.h>

#include "learn/steps.h"
#include "pipeline/pipeline.h"
#include "sieve/stages.h"

namespace winnow {

class BlockLearner;  // hog/blocks/block_learner.h
class BlockSamples;
struct HogBlock;  // winnow/hog_cascade.h

// Where a sieve or a pipeline runs.
struct StepPlace {
  int threads = 1;                 // of the host, as `BackendTable::threads` gives them
  std::vector<int> devices = {0};  // a sieve takes the first
};

// What a backend does with one kind of model.
struct KindSteps {
  std::string kind;  // `DetectorModel::kind`: "cascade"
  std::unique_ptr<Sieve> (*make_sieve)(const DetectorModel& model, const StepPlace& place);
  // Null: the pipeline runs the sieve, then `merge`, one picture after the other. `merge`: the table's, for
  // what the pipeline does not merge itself.
  std::unique_ptr<Pipeline> (*make_pipeline)(const DetectorModel& model, const StepPlace& place,
                                             const MergeSteps& merge);
};

struct BackendTable {
  BackendKind kind;
  const char* name;
  // Why this machine cannot run the backend; "" if it can.
  std::string (*why_not)();
  // What it runs on, in words: "AVX3_DL, threads".
  std::string (*detail)();
  // `threads`: how many threads of the host the backend uses if the user wants `wanted`; 0 means all cores.
  // `workers`: how many of these threads search at once if each has a picture of its own.
  int (*threads)(int wanted);
  int (*workers)(int threads);
  MergeSteps merge;
  const TrainSteps* training;  // null: no training
  // Null: no training of HOG blocks.
  std::unique_ptr<BlockLearner> (*make_block_learner)(const BlockSamples& samples,
                                                      std::span<const HogBlock> blocks, int threads,
                                                      int device) = nullptr;
  std::vector<KindSteps> kinds;
};

// The table of a backend. `auto` is the fastest backend of this build and machine that knows the kind of
// model; "" asks for no kind. A backend that is absent is a kBackend error that says why. For a backend that
// is named, `model_kind` is ignored: `make_sieve` and `make_pipeline` throw kBackend if it is unknown there.
const BackendTable& find_backend(BackendKind kind, const std::string& model_kind = {});

std::unique_ptr<Sieve> make_sieve(const BackendTable& backend, const DetectorModel& model,
                                  const StepPlace& place);
std::unique_ptr<Pipeline> make_pipeline(const BackendTable& backend, const DetectorModel& model,
                                        const StepPlace& place);
// kBackend if the backend is absent or has no training.
const TrainSteps& find_train_steps(BackendKind kind);

// kUsage if the list is empty.
void check_devices(const std::vector<int>& devices);

// Adds a kind of model to a backend, at the start of a program. Steps of a kind that the backend has already
// are replaced. kBackend if this build lacks the backend; kUsage for `auto`.
void add_kind_steps(BackendKind backend, const KindSteps& steps);

// The tables, one a source file.
BackendTable reference_table();
BackendTable cpu_table();
BackendTable cuda_table();  // in builds with CUDA

}  // namespace winnow
