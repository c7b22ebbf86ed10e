// Gives one type for all kinds of models that find objects, to load and to pass to a `Detector`.
//
// In:     a model file of a known kind, recognised by its content.
// Out:    the model, completely checked; `cascade()` gives the cascade inside. kUsage for a model that finds
//         no objects.
// Memory: immutable; copies refer to the same data. `bytes` are read only during `parse`.
// Thread: any number of threads may use one model.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include <winnow/cascade.h>
#include <winnow/export.h>
#include <winnow/model.h>
#include <winnow/plan_rules.h>

namespace winnow {

class DetectorBody;  // src/model/model_body.h: what each kind of detector model implements

class WINNOW_API DetectorModel : public Model {
 public:
  // Not explicit: a cascade is a detector model.
  DetectorModel(Cascade cascade);
  explicit DetectorModel(const Model& model);                        // kUsage if the model finds no objects
  explicit DetectorModel(std::shared_ptr<const DetectorBody> body);  // kUsage if it is null

  // Like `Model::load` and `Model::parse`, but kUsage if the model finds no objects.
  static DetectorModel load(const std::string& path);
  static DetectorModel parse(std::span<const std::byte> bytes, const std::string& name);

  Size window() const;
  const PlanRules& plan_rules() const;
  bool reads_color() const;  // whether pictures should come with their colour view
  // How the model is searched unless `DetectOptions` say otherwise: what its card says, or else what OpenCV
  // does with models of this kind.
  const SearchDefaults& search_defaults() const;

  // The cascade inside, which lives as long as any copy of this model; null for a model of another kind.
  const Cascade* cascade() const;
  const DetectorBody& body() const;
};

}  // namespace winnow
