#include <winnow/detector_model.h>

#include <filesystem>
#include <new>
#include <utility>
#include <vector>

#include <winnow/error.h>

#include "base/file.h"
#include "model/built_in.h"
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

std::vector<ModelKind>& added_kinds() {
  static std::vector<ModelKind> kinds;
  return kinds;
}

// `name` goes on the card, `file` into errors.
DetectorModel parse_as(std::span<const std::byte> bytes, const std::string& name, const std::string& file) {
  const std::vector<ModelKind>& kinds = added_kinds();
  for (auto kind = kinds.rbegin(); kind != kinds.rend(); ++kind) {
    if (!kind->recognizes(bytes)) continue;
    try {
      return DetectorModel(kind->parse(bytes, name));
    } catch (const Error& error) {
      throw error.in_file(file);
    } catch (const std::bad_alloc&) {
      throw Error(ErrorCode::kLimit, "not enough memory to read the model", file);
    }
  }
  return DetectorModel(Cascade::parse(bytes, name, file));
}

}  // namespace

void add_model_kind(const ModelKind& kind) { added_kinds().push_back(kind); }

DetectorModel::DetectorModel(Cascade cascade) : body_(std::make_shared<CascadeBody>(std::move(cascade))) {}
DetectorModel::DetectorModel(std::shared_ptr<const ModelBody> body) : body_(std::move(body)) {
  if (body_ == nullptr) throw Error(ErrorCode::kUsage, "a detector model must not be empty");
}

DetectorModel DetectorModel::load(const std::string& path) {
  if (const auto bytes = built_in_bytes(path); !bytes.empty()) return parse_as(bytes, "", path);
  const std::vector<std::byte> bytes = read_file(path, static_cast<std::int64_t>(kMaxWinnowBytes));
  return parse_as(bytes, std::filesystem::path(path).stem().string(), path);
}

DetectorModel DetectorModel::parse(std::span<const std::byte> bytes, const std::string& name) {
  return parse_as(bytes, name, name);
}

const std::string& DetectorModel::kind() const { return body_->kind(); }
const ModelCard& DetectorModel::card() const { return body_->card(); }
Size DetectorModel::window() const { return body_->window(); }
const PlanRules& DetectorModel::plan_rules() const { return body_->plan_rules(); }
bool DetectorModel::reads_color() const { return body_->reads_color(); }

const Cascade* DetectorModel::cascade() const {
  const auto* body = dynamic_cast<const CascadeBody*>(body_.get());
  return body != nullptr ? &body->cascade() : nullptr;
}

}  // namespace winnow
