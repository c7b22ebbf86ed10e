// Gives one table per backend with the steps that the backend supplies. The porting guide is in HACKING.md,
// "How to add a backend".
//
// A table holds everything that a program may ask of a backend: its name, whether it runs here, its memory,
// and its steps for each kind of model. backend/training.h finds the steps of training in the table. `auto`
// tries the tables in the order of the list. Only the tables, and files named after a backend, may depend on
// the backend in use. If a program asks for a step that a table lacks, the program gets a kBackend error, and
// never another backend's step.
//
// In:     a backend's kind, a model, and the place where its steps run.
// Out:    the backend's table; a sieve or a pipeline.
// Exact:  every table's steps give the same answers as the steps of `reference`.
// Memory: tables and their names live as long as the program, and steps until `add_kind_steps` changes a
//         table. The caller owns sieves and pipelines, which keep their model alive.
// Thread: any thread may use the tables. `add_kind_steps` may run only while no other thread uses them.
#pragma once

#include <any>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <winnow/backend.h>
#include <winnow/detector_model.h>
#include <winnow/machine.h>

#include "backend/auto_backends.h"
#include "pipeline/pipeline.h"
#include "sieve/stages.h"

namespace winnow {

class FlowRunner;     // track/flow/flow_runner.h
struct ObjectSteps;   // track/tld/object_steps.h
class ShapeFitter;    // shape/shape_fit.h
class ShapeLearner;   // shape/shape_learner.h
struct ShapeMarks;    // shape/shape_fit.h
struct ShapeProgram;  // shape/shape_program.h

// The threads and devices that a sieve or a pipeline uses.
struct StepPlace {
  int threads = 1;                 // the number of host threads, from `BackendTable::threads`
  std::vector<int> devices = {0};  // numbers of devices; a sieve uses only the first
};

// A backend's steps for one kind of model that finds objects.
struct KindSteps {
  std::string kind;  // the `DetectorModel::kind`, such as "cascade"
  std::unique_ptr<Sieve> (*make_sieve)(const DetectorModel& model, const StepPlace& place);
  // Makes a pipeline. If the pointer is null, a general pipeline runs the sieve and then the table's merge
  // steps, picture by picture. `merge`: the table's merge steps, for candidates that the new pipeline does
  // not merge itself.
  std::unique_ptr<Pipeline> (*make_pipeline)(const DetectorModel& model, const StepPlace& place,
                                             const MergeSteps& merge);
  // The steps of training this kind, in a struct that its trainer knows (backend/training.h). Empty: the
  // backend does not train this kind, or needs no steps of its own for the training.
  std::any training = {};
  // Makes a pipeline that also marks points in the objects that it finds (`PictureShapes`). If the pointer is
  // null, another step marks the points afterwards.
  std::unique_ptr<Pipeline> (*make_marking_pipeline)(const DetectorModel& model, const StepPlace& place,
                                                     const MergeSteps& merge,
                                                     const ShapeMarks& marks) = nullptr;
};

// A backend's steps for one kind of model that marks points.
struct LandmarkSteps {
  std::string kind;  // the `Model::kind`, such as "landmarks"
  std::unique_ptr<ShapeFitter> (*make_fitter)(std::shared_ptr<const ShapeProgram> program,
                                              const StepPlace& place);
  // Makes the learner that adds up the sums of a training. If the pointer is null, the backend does not train
  // this kind.
  std::unique_ptr<ShapeLearner> (*make_learner)(const StepPlace& place) = nullptr;
};

// The memory functions of a backend on devices. They pin host memory from which pictures are copied, and find
// the device that holds a pointer's memory.
struct DeviceMemory {
  // `pin` and `unpin` work as in base/device/cuda_pinned.h, on any usable device.
  bool (*pin)(const void* memory, std::size_t bytes);
  void (*unpin)(const void* memory, std::size_t bytes, bool registered) noexcept;
  // The number of the device that holds the memory. kUsage if no device holds it; kBackend if there is no
  // device.
  int (*device_of)(const void* memory);
};

struct BackendTable {
  BackendKind kind;
  const char* name;
  bool built = true;  // false: this build has no code for the backend, and only `why_not` may be called
  // Why this machine cannot run the backend; "" if it can.
  std::string (*why_not)();
  // The hardware and mode that the backend runs on, in words, such as "AVX3_DL, threads".
  std::string (*detail)();
  // `threads`: the number of threads of the host that the backend uses if the user asks for `wanted`; 0 means
  // all cores. `workers`: how many of these threads search at once if each has a picture of its own.
  // `pictures_at_once`: the number of small pictures in one call that keeps the backend busy.
  int (*threads)(int wanted);
  int (*workers)(int threads);
  int (*pictures_at_once)(int threads);
  const DeviceMemory* memory = nullptr;  // null: pictures lie in the host's memory
  const DeviceStart* start = nullptr;    // null: the backend needs no start
  MergeSteps merge;                      // the steps with which pipelines merge on the host
  std::vector<KindSteps> kinds;
  std::vector<LandmarkSteps> landmarks;
  // Makes the runner that carries points from picture to picture. Null if the backend cannot carry points.
  std::unique_ptr<FlowRunner> (*make_flow)(const StepPlace& place) = nullptr;
  // The steps of following any object. Null if the backend follows none.
  const ObjectSteps* objects = nullptr;
};

// All tables, in the order in which `auto` tries them, including the tables of backends that are not built.
const std::vector<BackendTable>& backend_tables();

// Returns the table of a backend. `auto` stands for the first backend that runs here and knows models of
// `model_kind`. An empty `model_kind` stands for any kind. If the backend is absent, throws kBackend with the
// reason. If `kind` is not `auto`, `model_kind` is not read. `make_sieve` and `make_pipeline` then throw
// kBackend for a model whose kind the backend does not know.
const BackendTable& find_backend(BackendKind kind, const std::string& model_kind = {});

std::unique_ptr<Sieve> make_sieve(const BackendTable& backend, const DetectorModel& model,
                                  const StepPlace& place);
std::unique_ptr<Pipeline> make_pipeline(const BackendTable& backend, const DetectorModel& model,
                                        const StepPlace& place);
std::unique_ptr<ShapeFitter> make_shape_fitter(const BackendTable& backend,
                                               std::shared_ptr<const ShapeProgram> program,
                                               const StepPlace& place);
std::unique_ptr<ShapeLearner> make_shape_learner(const BackendTable& backend, const StepPlace& place);
// Makes a pipeline that also marks points in the objects of each picture. If the backend has none, calls
// `make_pipeline`.
std::unique_ptr<Pipeline> make_marking_pipeline(const BackendTable& backend, const DetectorModel& model,
                                                const StepPlace& place, const ShapeMarks& marks);
std::unique_ptr<FlowRunner> make_flow_runner(const BackendTable& backend, const StepPlace& place);
// Throws kUsage if the list is empty.
void check_devices(const std::vector<int>& devices);

// Adds a kind of model to a backend, at the start of a program. If the backend already has steps for the
// kind, they are replaced. kBackend if this build lacks the backend; kUsage for `auto`.
void add_kind_steps(BackendKind backend, const KindSteps& steps);

// The steps of a backend for a kind; null if the backend does not know the kind.
const KindSteps* steps_of(const BackendTable& backend, const std::string& model_kind);

// Each table has a source file of its own.
BackendTable reference_table();
BackendTable cpu_table();
BackendTable cuda_table();

}  // namespace winnow
