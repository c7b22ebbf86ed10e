// Gives the interface by which every kind of detector model is known to the rooms after `model`.
//
// Out:    the model's kind, card, window and plan rules.
// Memory: immutable once made; shared by all copies of a `DetectorModel`.
// Thread: any number of threads may read one.
//
// A new kind derives from this class, adds its reader (`add_model_kind` in `model_kinds.h`), and adds its
// steps to each backend (`add_kind_steps` in `backend/backend.h`). Sessions, evaluation and the command then
// take the kind without a change.
#pragma once

#include <string>

#include <winnow/cascade_model.h>
#include <winnow/plan_rules.h>

namespace winnow {

class ModelBody {
 public:
  virtual ~ModelBody() = default;
  virtual const std::string& kind() const = 0;  // finds the kind's reader and steps: "cascade"
  virtual const ModelCard& card() const = 0;
  virtual Size window() const = 0;
  virtual const PlanRules& plan_rules() const = 0;
  // True if the model's steps read `PictureView::color`. Callers then decode pictures in colour.
  virtual bool reads_color() const { return false; }
  // The border that suits pictures in which objects fill the height (`DetectOptions::border`).
  virtual double usual_border() const { return 0; }
};

}  // namespace winnow
