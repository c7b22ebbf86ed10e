#include <winnow/detector_model.h>

#include <algorithm>
#include <utility>
#include <vector>

#include <winnow/error.h>

#include "model/file_kind.h"
#include "model/hog_cascade_model.h"
#include "model/hog_model.h"
#include "model/model_bytes.h"
#include "model/model_kinds.h"
#include "model/winnow_file.h"

namespace winnow {
namespace {

class CascadeBody final : public ModelBody {
 public:
  explicit CascadeBody(Cascade cascade) : cascade_(std::move(cascade)) {
    rules_.scale = cascade_.model().rules.scale;
    rules_.step = cascade_.model().rules.step;
  }
  const std::string& kind() const override { return kCascadeKind; }
  const ModelCard& card() const override { return cascade_.model().card; }
  Size window() const override { return cascade_.window(); }
  const PlanRules& plan_rules() const override { return rules_; }
  const Cascade& cascade() const { return cascade_; }

 private:
  Cascade cascade_;
  PlanRules rules_;
};

std::vector<ModelKind>& kinds() {
  static std::vector<ModelKind> kinds = {
      {kCascadeKind,
       [](std::span<const std::byte> bytes) { return is_winnow_file(bytes) || looks_like_xml(bytes); },
       [](std::span<const std::byte> bytes, const std::string& name) -> std::shared_ptr<const ModelBody> {
         return std::make_shared<CascadeBody>(Cascade(read_cascade(bytes, name)));
       }},
      {kHogSvmKind, is_hog_svm,
       [](std::span<const std::byte> bytes, const std::string& name) -> std::shared_ptr<const ModelBody> {
         auto model = std::make_shared<const HogSvmModel>(read_hog_svm(bytes, name));
         check_hog_svm(*model);
         return std::make_shared<HogSvmBody>(std::move(model));
       }},
      {kHogCascadeKind,
       [](std::span<const std::byte> bytes) { return winnow_kind(bytes) == WinnowKind::kHogCascade; },
       [](std::span<const std::byte> bytes, const std::string& name) -> std::shared_ptr<const ModelBody> {
         auto model = std::make_shared<const HogCascadeModel>(read_hog_cascade(bytes, name));
         check_hog_cascade(*model);
         return std::make_shared<HogCascadeBody>(std::move(model));
       }}};
  return kinds;
}

// `name` goes on the card, `file` into errors.
DetectorModel parse_as(std::span<const std::byte> bytes, const std::string& name, const std::string& file) {
  const auto kind = std::find_if(kinds().rbegin(), kinds().rend(),
                                 [&](const ModelKind& each) { return each.recognizes(bytes); });
  if (kind == kinds().rend())
    throw Error(ErrorCode::kFormat,
                std::string("this is ") + describe_bytes(bytes) +
                    "; a model is needed: a .winnow file, OpenCV's XML of a cascade, or OpenCV's "
                    "HOGDescriptor in XML, YAML, JSON or as numbers",
                file);
  return parse_in_file(file, kind->name, [&] { return DetectorModel(kind->parse(bytes, name)); });
}

}  // namespace

void add_model_kind(const ModelKind& kind) { kinds().push_back(kind); }

DetectorModel::DetectorModel(Cascade cascade) : body_(std::make_shared<CascadeBody>(std::move(cascade))) {}
DetectorModel::DetectorModel(std::shared_ptr<const ModelBody> body) : body_(std::move(body)) {
  if (body_ == nullptr) throw Error(ErrorCode::kUsage, "a detector model must not be empty");
}

DetectorModel DetectorModel::load(const std::string& path) {
  const ModelBytes bytes(path);
  return parse_as(bytes.view(), bytes.name(), path);
}

DetectorModel DetectorModel::parse(std::span<const std::byte> bytes, const std::string& name) {
  return parse_as(bytes, name, name);
}

const std::string& DetectorModel::kind() const { return body_->kind(); }
const ModelCard& DetectorModel::card() const { return body_->card(); }
Size DetectorModel::window() const { return body_->window(); }
const PlanRules& DetectorModel::plan_rules() const { return body_->plan_rules(); }
bool DetectorModel::reads_color() const { return body_->reads_color(); }
double DetectorModel::usual_border() const { return body_->usual_border(); }

const Cascade* DetectorModel::cascade() const {
  const auto* body = dynamic_cast<const CascadeBody*>(body_.get());
  return body != nullptr ? &body->cascade() : nullptr;
}

}  // namespace winnow
