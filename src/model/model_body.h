// Gives the interfaces through which other rooms use models of every kind.
//
// Out:    `ModelBody`: a model's kind, card and size in words. `DetectorBody`: also window and plan rules.
// Memory: immutable once made; all copies of a `Model` use it. References live as long as the body.
// Thread: any number of threads may read one body.
//
// A new kind derives from one of these classes. The kind needs a line in the list of kinds
// (`model/model_kinds.cpp`) and in the list of pages (`answer/inspect/inspect.cpp`). A kind that finds
// objects also needs a line in the backends' tables. HACKING.md lists the steps. Tests that add a kind
// call `add_model_kind`, `add_model_pages` and `add_kind_steps`, which the library does not export. Sessions,
// evaluation and the command then take the kind without a change.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <winnow/cascade_model.h>
#include <winnow/plan_rules.h>

namespace winnow {

class ModelBody {
 public:
  virtual ~ModelBody() = default;
  virtual const std::string& kind() const = 0;  // the name of the kind in each list: "cascade"
  virtual const ModelCard& card() const = 0;
  virtual const std::vector<std::string>& notes() const = 0;
  virtual std::string does() const = 0;   // "finds face"
  virtual std::string holds() const = 0;  // "22 stages"
  // The same model with another card. Throws `Error` if the card fails `check_card`.
  virtual std::shared_ptr<const ModelBody> with_card(const ModelCard& card) const = 0;
};

// Checks `data` with `check`, and returns a body that holds the data.
template <class Body, class Data>
std::shared_ptr<const ModelBody> checked_body(Data data, void (*check)(const Data&)) {
  check(data);
  return std::make_shared<Body>(std::make_shared<const Data>(std::move(data)));
}

// A model that finds objects.
class DetectorBody : public ModelBody {
 public:
  std::string does() const override;  // names the card's kind ("finds face"), or "finds objects"
  virtual Size window() const = 0;
  virtual const PlanRules& plan_rules() const = 0;
  // True if the model's steps read `PictureView::color`. Callers then decode pictures in colour.
  virtual bool reads_color() const { return false; }
  // The search defaults for models of this kind that have none on their card.
  virtual const SearchDefaults& kind_defaults() const {
    static constexpr SearchDefaults kOpenCvCascade;
    return kOpenCvCascade;
  }
};

}  // namespace winnow
