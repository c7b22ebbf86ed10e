#include "model/cascade_body.h"

#include "base/count_text.h"
#include "model/file_kind.h"
#include "model/model_bytes.h"
#include "model/winnow/winnow_file.h"

namespace winnow {
namespace {

template <CascadeFormat format>
std::vector<std::byte> write(const ModelBody& body) {
  return dynamic_cast<const CascadeBody&>(body).cascade().to_bytes(format);
}

}  // namespace

std::string CascadeBody::holds() const {
  return count_text(static_cast<std::int64_t>(cascade_.model().stages.size()), "stage");
}

std::shared_ptr<const ModelBody> CascadeBody::with_card(const ModelCard& card) const {
  CascadeModel model = cascade_.model();
  model.card = card;
  return std::make_shared<CascadeBody>(Cascade(std::move(model)));
}

ModelKind cascade_kind() {
  return {
      .name = kCascadeKind,
      .words = "a cascade",
      .files = "OpenCV's XML of a cascade",
      .recognizes =
          [](std::span<const std::byte> bytes) { return is_winnow_file(bytes) || is_probably_xml(bytes); },
      .parse = [](std::span<const std::byte> bytes,
                  const std::string& name) -> std::shared_ptr<const ModelBody> {
        return std::make_shared<CascadeBody>(Cascade(read_cascade(bytes, name)));
      },
      .writers = {{{kWinnowFormat, kWinnowEnding}, write<CascadeFormat::kWinnow>},
                  {{cascade_format_name(CascadeFormat::kOpenCvXml), ".xml", false},
                   write<CascadeFormat::kOpenCvXml>},
                  {{cascade_format_name(CascadeFormat::kOpenCvOldXml), ".xml", false},
                   write<CascadeFormat::kOpenCvOldXml>}},
      .endings = {kWinnowEnding, ".xml"}};
}

}  // namespace winnow
