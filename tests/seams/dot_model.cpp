#include "dot_model.h"

#include <winnow/error.h>

#include <cstring>
#include <iomanip>
#include <limits>
#include <memory>
#include <sstream>
#include <utility>
#include <vector>

#include "answer/inspect/model_pages.h"
#include "model/model_kinds.h"

namespace winnow::sample {
namespace {

struct Dot {
  double x, y;
};

struct DotData {
  std::vector<Dot> dots;
  ModelCard card;
  std::vector<std::string> notes;
};

void check_dots(const DotData& data) {
  if (data.dots.empty()) throw Error(ErrorCode::kFormat, "there are no dots");
  check_card(data.card);
}

class DotModel final : public ModelBody {
 public:
  explicit DotModel(std::shared_ptr<const DotData> data) : data_(std::move(data)) {}
  const std::string& kind() const override { return kDotKind; }
  const ModelCard& card() const override { return data_->card; }
  const std::vector<std::string>& notes() const override { return data_->notes; }
  std::string does() const override { return "marks points of " + data_->card.kind; }
  std::string holds() const override { return std::to_string(data_->dots.size()) + " points"; }
  std::shared_ptr<const ModelBody> with_card(const ModelCard& card) const override {
    DotData data = *data_;
    data.card = card;
    return checked_body<DotModel>(std::move(data), check_dots);
  }
  const DotData& data() const { return *data_; }

 private:
  std::shared_ptr<const DotData> data_;
};

const DotData& data_of(const ModelBody& body) { return dynamic_cast<const DotModel&>(body).data(); }

bool recognizes(std::span<const std::byte> bytes) {
  return bytes.size() >= 5 && std::memcmp(bytes.data(), "dots ", 5) == 0;
}

std::shared_ptr<const ModelBody> parse(std::span<const std::byte> bytes, const std::string& name) {
  std::istringstream text(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  std::string word;
  DotData data;
  ModelCard& card = data.card;
  text >> word >> std::quoted(card.name) >> std::quoted(card.kind) >> std::quoted(card.source) >>
      std::quoted(card.terms);
  if (card.name.empty()) card.name = name;
  for (Dot dot{}; text >> dot.x >> dot.y;) data.dots.push_back(dot);
  return checked_body<DotModel>(std::move(data), check_dots);
}

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto view = std::as_bytes(std::span(text));
  return {view.begin(), view.end()};
}

std::vector<std::byte> write(const ModelBody& body) {
  std::ostringstream text;
  const ModelCard& card = body.card();
  text << "dots " << std::quoted(card.name) << ' ' << std::quoted(card.kind) << ' '
       << std::quoted(card.source) << ' ' << std::quoted(card.terms) << '\n';
  text.precision(std::numeric_limits<double>::max_digits10);
  for (const Dot& dot : data_of(body).dots) text << dot.x << ' ' << dot.y << '\n';
  return bytes_of(text.str());
}

std::vector<std::byte> write_rows(const ModelBody& body) {
  std::ostringstream text;
  for (const Dot& dot : data_of(body).dots) text << dot.x << '\t' << dot.y << '\n';
  return bytes_of(text.str());
}

}  // namespace

void add_dot_kind() {
  static const bool added = [] {
    add_model_kind({.name = kDotKind,
                    .words = "a model of dots",
                    .files = "a text of dots",
                    .recognizes = recognizes,
                    .parse = parse,
                    .writers = {{{"dots", ".dots"}, write}, {{"table", ".tsv", false}, write_rows}},
                    .endings = {".dots"}});
    return true;
  }();
  static_cast<void>(added);
}

void add_dot_pages() {
  add_model_pages({.kind = kDotKind,
                   .text =
                       [](const ModelBody& body) {
                         return ModelText{
                             "kind       dots in a face\n",
                             "\nfirst dot  at " + std::to_string(data_of(body).dots.front().x) + "\n"};
                       },
                   .fields =
                       [](const ModelBody& body) {
                         nlohmann::ordered_json fields;
                         fields["dots"] = data_of(body).dots.size();
                         return fields;
                       },
                   .draw =
                       [](const ModelBody&) {
                         return ModelPicture{RgbImage(8, 4), "only the ground is drawn"};
                       }});
}

}  // namespace winnow::sample
