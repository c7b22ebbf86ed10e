// Checks boxes and pictures for `Landmarker`, and passes them to the backend's fitters.
#include <winnow/landmarker.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <winnow/error.h>

#include "backend/auto_engine.h"
#include "backend/backend.h"
#include "base/fan_out.h"
#include "base/real_box.h"
#include "base/threads.h"
#include "model/landmarks/landmark_model.h"
#include "session/written_shape.h"
#include "shape/shape_box.h"
#include "shape/shape_fit.h"

namespace winnow {
namespace {

constexpr int kMaxSide = 1 << 16, kMaxCoordinate = 1 << 28;

void check(GrayView picture) {
  if (picture.width < 0 || picture.height < 0)
    throw Error(ErrorCode::kUsage, "a picture's sides must not be negative");
  if (!picture.empty() && picture.data == nullptr) throw Error(ErrorCode::kUsage, "a picture without pixels");
  if (picture.width > kMaxSide || picture.height > kMaxSide)
    throw Error(ErrorCode::kLimit, "a picture's sides must not exceed 65536 pixels");
}

void check(const Box& box) {
  if (box.width < 1 || box.height < 1)
    throw Error(ErrorCode::kUsage, "a box for landmarks must be 1 pixel wide and high, or more");
  if (std::abs(static_cast<double>(box.x)) > kMaxCoordinate ||
      std::abs(static_cast<double>(box.y)) > kMaxCoordinate || box.width > kMaxCoordinate ||
      box.height > kMaxCoordinate)
    throw Error(ErrorCode::kUsage, "a box for landmarks must lie within 2^28 pixels");
}

}  // namespace

double Shape::mean_confidence() const {
  if (confidence.empty()) return -1;
  double sum = 0;
  for (const float each : confidence) sum += each;
  return sum / static_cast<double>(confidence.size());
}

double Shape::whole_confidence() const {
  return presence >= 0 ? static_cast<double>(presence) : mean_confidence();
}

// A fitter on one device or on the host, and the pictures and boxes of a call that it fits.
struct LandmarkShare {
  std::unique_ptr<ShapeFitter> fitter;
  std::vector<GrayView> pictures;
  std::vector<ShapeTask> tasks;
  FittedShapes shapes;
};

// What a landmarker has for one backend.
struct LandmarkEngine {
  Landmarks model;
  const BackendTable* table;
  int threads;
  std::vector<LandmarkShare> shares;

  LandmarkEngine(Landmarks landmarks, const BackendTable& backend, const MachineOptions& machine)
      : model(std::move(landmarks)), table(&backend), threads(backend.threads(machine.threads)) {
    const auto program = std::make_shared<const ShapeProgram>(model.model());
    const std::size_t count = table->memory != nullptr ? machine.devices.size() : 1;
    for (std::size_t i = 0; i < count; ++i)
      shares.push_back({make_shape_fitter(*table, program, {threads, {machine.devices[i]}}), {}, {}, {}});
  }

  ShapeBox placed(const Box& box) const { return placed_box(real_box(box), model.model().place); }
  static ShapeBox placed(const ShapeBox& box) { return box; }

  // Divides the pictures among the shares, in order, so that each share gets about the same number of boxes.
  template <class BoxesOf>
  void share(std::span<const GrayView> pictures, BoxesOf boxes_of) {
    std::size_t all = 0, given = 0;
    for (std::size_t i = 0; i < pictures.size(); ++i) all += boxes_of(i).size();
    for (LandmarkShare& each : shares) {
      each.pictures.clear();
      each.tasks.clear();
    }
    for (std::size_t i = 0; i < pictures.size(); ++i) {
      const auto boxes = boxes_of(i);
      LandmarkShare& mine = shares[all == 0 ? 0 : std::min(given * shares.size() / all, shares.size() - 1)];
      if (boxes.empty()) continue;
      mine.pictures.push_back(pictures[i]);
      for (const auto& box : boxes)
        mine.tasks.push_back({static_cast<int>(mine.pictures.size()) - 1, placed(box)});
      given += boxes.size();
    }
  }

  template <class BoxesOf, class ShapesOf>
  void fit(std::span<const GrayView> pictures, BoxesOf boxes_of, ShapesOf shapes_of) {
    share(pictures, boxes_of);
    fan_out(shares.size(), [&](std::size_t i) {
      LandmarkShare& mine = shares[i];
      if (!mine.tasks.empty()) mine.fitter->fit(mine.pictures, mine.tasks, mine.shapes);
    });
    std::size_t at = 0, in_share = 0;
    for (std::size_t i = 0; i < pictures.size(); ++i) {
      std::vector<Shape>& shapes = shapes_of(i);
      shapes.resize(boxes_of(i).size());
      for (Shape& shape : shapes) {
        while (in_share == shares[at].tasks.size()) {
          ++at;
          in_share = 0;
        }
        write_shape(model.model(), shares[at].tasks[in_share].box, shares[at].shapes, in_share, shape);
        ++in_share;
      }
    }
  }
};

namespace {

AutoEngine<LandmarkEngine> make_engines(const Landmarks& model, const MachineOptions& machine) {
  check_threads(machine.threads);
  check_devices(machine.devices);
  const AutoBackends backends = backends_for(machine.backend, kLandmarkKind);
  return AutoEngine<LandmarkEngine>(
      std::make_unique<LandmarkEngine>(model, find_backend(backends.first, kLandmarkKind), machine),
      backends.start, machine.devices, [model, kind = backends.later, machine] {
        return std::make_unique<LandmarkEngine>(model, find_backend(kind), machine);
      });
}

}  // namespace

struct Landmarker::State {
  Landmarks model;
  AutoEngine<LandmarkEngine> engines;

  template <class BoxesOf, class ShapesOf>
  void fit(std::span<const GrayView> pictures, BoxesOf boxes_of, ShapesOf shapes_of) {
    std::size_t boxes = 0;
    for (std::size_t i = 0; i < pictures.size(); ++i) boxes += boxes_of(i).size();
    engines.run(boxes, 0, [&](LandmarkEngine& engine) { engine.fit(pictures, boxes_of, shapes_of); });
  }
};

Landmarker::Landmarker(Landmarks model, const MachineOptions& machine) {
  auto engines = make_engines(model, machine);
  state_ = std::make_unique<State>(State{std::move(model), std::move(engines)});
}
Landmarker::~Landmarker() = default;
Landmarker::Landmarker(Landmarker&&) noexcept = default;
Landmarker& Landmarker::operator=(Landmarker&&) noexcept = default;

const Landmarks& Landmarker::model() const { return state_->model; }
BackendKind Landmarker::backend() const {
  return state_->engines.may_have_device() ? BackendKind::kAuto : state_->engines.first().table->kind;
}
std::string Landmarker::note() const { return state_->engines.note(); }
int Landmarker::threads() const { return state_->engines.first().threads; }

std::vector<Shape> Landmarker::fit(GrayView picture, std::span<const Box> boxes) {
  std::vector<Shape> shapes;
  fit(picture, boxes, shapes);
  return shapes;
}

void Landmarker::fit(GrayView picture, std::span<const Box> boxes, std::vector<Shape>& shapes) {
  check(picture);
  for (const Box& box : boxes) check(box);
  state_->fit(
      std::span(&picture, 1), [&](std::size_t) { return boxes; },
      [&](std::size_t) -> std::vector<Shape>& { return shapes; });
}

void Landmarker::fit(std::span<const GrayView> pictures, std::span<const std::vector<Box>> boxes,
                     std::vector<std::vector<Shape>>& shapes) {
  if (boxes.size() != pictures.size())
    throw Error(ErrorCode::kUsage, "there must be a list of boxes for each picture");
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    check(pictures[i]);
    for (const Box& box : boxes[i]) check(box);
  }
  shapes.resize(pictures.size());
  state_->fit(
      pictures, [&](std::size_t i) { return std::span<const Box>(boxes[i]); },
      [&](std::size_t i) -> std::vector<Shape>& { return shapes[i]; });
}

void Landmarker::fit_placed(std::span<const GrayView> pictures, std::span<const std::vector<ShapeBox>> boxes,
                            std::vector<std::vector<Shape>>& shapes) {
  shapes.resize(std::max(shapes.size(), pictures.size()));
  state_->fit(
      pictures, [&](std::size_t i) { return std::span<const ShapeBox>(boxes[i]); },
      [&](std::size_t i) -> std::vector<Shape>& { return shapes[i]; });
}

}  // namespace winnow
