#include "model/model_kinds.h"

#include <algorithm>

#include <winnow/error.h>

#include "model/cascade_body.h"
#include "model/hog_cascade_model.h"
#include "model/hog_model.h"
#include "model/landmarks/landmark_model.h"

namespace winnow {
namespace {

std::vector<ModelKind>& kinds() {
  static std::vector<ModelKind> kinds = {cascade_kind(), hog_svm_kind(), hog_cascade_kind(), landmark_kind()};
  return kinds;
}

}  // namespace

void add_model_kind(const ModelKind& kind) { kinds().push_back(kind); }

const std::vector<ModelKind>& model_kinds() { return kinds(); }

const ModelKind& model_kind(const std::string& name) {
  const auto kind = std::find_if(kinds().rbegin(), kinds().rend(),
                                 [&](const ModelKind& each) { return each.name == name; });
  if (kind == kinds().rend())
    throw Error(ErrorCode::kUsage, "there is no kind of model that is called " + name);
  return *kind;
}

std::vector<std::string> model_endings() {
  std::vector<std::string> endings;
  for (const ModelKind& kind : kinds())
    for (const std::string& ending : kind.endings)
      if (std::find(endings.begin(), endings.end(), ending) == endings.end()) endings.push_back(ending);
  return endings;
}

}  // namespace winnow
