#include "red_model.h"

#include <winnow/error.h>

#include <cstring>
#include <memory>
#include <sstream>
#include <utility>

#include "backend/backend.h"
#include "model/model_kinds.h"
#include "scale/resize.h"

namespace winnow::sample {
namespace {

class RedModel final : public DetectorBody {
 public:
  RedModel(Size window, int step, double min_score, const std::string& name)
      : window_(window), min_score_(min_score) {
    rules_ = {ScaleRule::kOpenCvHog, StepRule::kFixed, {step, step}};
    card_.name = name;
    card_.kind = "red patch";
  }
  const std::string& kind() const override { return kRedKind; }
  const ModelCard& card() const override { return card_; }
  const std::vector<std::string>& notes() const override { return notes_; }
  std::string holds() const override { return "1 rule"; }
  std::shared_ptr<const ModelBody> with_card(const ModelCard& card) const override {
    check_card(card);
    auto copy = std::make_shared<RedModel>(*this);
    copy->card_ = card;
    return copy;
  }
  Size window() const override { return window_; }
  const PlanRules& plan_rules() const override { return rules_; }
  bool reads_color() const override { return true; }
  double min_score() const { return min_score_; }

 private:
  Size window_;
  double min_score_;
  PlanRules rules_;
  ModelCard card_;
  std::vector<std::string> notes_;
};

bool recognizes(std::span<const std::byte> bytes) {
  return bytes.size() >= kRedKind.size() && std::memcmp(bytes.data(), kRedKind.data(), kRedKind.size()) == 0;
}

std::shared_ptr<const ModelBody> parse(std::span<const std::byte> bytes, const std::string& name) {
  std::istringstream text(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  std::string kind;
  Size window;
  int step = 0;
  double min_score = 0;
  if (!(text >> kind >> window.width >> window.height >> step >> min_score) || window.width < 1 ||
      window.height < 1)
    throw Error(ErrorCode::kFormat, "this is no model of red patches");
  return std::make_shared<RedModel>(window, step, min_score, name);
}

class RedSieve final : public Sieve {
 public:
  explicit RedSieve(DetectorModel model) : model_(std::move(model)) {}

  void run(const PictureView& picture, const LevelPlan& plan, SieveResult& result) override {
    const auto& model = dynamic_cast<const RedModel&>(model_.body());
    const Size window = model.window();
    result = {};
    result.windows = plan.window_count;
    result.reached = {plan.window_count, 0};
    for (const Level& level : plan.levels) {
      const GrayImage red = channel_of(picture.color, &Rgb::r, level),
                      green = channel_of(picture.color, &Rgb::g, level);
      for (int row = 0; row < level.rows; ++row) {
        for (int col = 0; col < level.cols; ++col) {
          const std::int64_t inside = static_cast<std::int64_t>(row) * level.cols + col;
          const PixelPoint corner = window_corner(level, inside);
          double sum = 0;
          for (int y = corner.y; y < corner.y + window.height; ++y) {
            for (int x = corner.x; x < corner.x + window.width; ++x) sum += red.row(y)[x] - green.row(y)[x];
          }
          const double score = sum / (window.width * window.height);
          if (score < model.min_score()) continue;
          ++result.reached[1];
          result.survivors.push_back({level.first_window + inside, score});
        }
      }
    }
    result.weak = plan.window_count;
  }

  std::unique_ptr<Sieve> clone_for_thread() const override { return std::make_unique<RedSieve>(model_); }

 private:
  static GrayImage channel_of(RgbView color, std::uint8_t Rgb::*channel, const Level& level) {
    GrayImage whole(color.width, color.height), scaled(level.width, level.height);
    for (int y = 0; y < color.height; ++y) {
      for (int x = 0; x < color.width; ++x) whole.row(y)[x] = color.row(y)[x].*channel;
    }
    resize_ref(whole.view(), scaled.view());
    return scaled;
  }

  DetectorModel model_;
};

}  // namespace

void add_red_kind() {
  static const bool added = [] {
    add_model_kind({.name = kRedKind,
                    .words = "a model of red patches",
                    .files = "a text of red patches",
                    .recognizes = recognizes,
                    .parse = parse,
                    .writers = {},
                    .endings = {}});
    return true;
  }();
  static_cast<void>(added);
  const KindSteps steps{kRedKind,
                        [](const DetectorModel& model, const StepPlace&) -> std::unique_ptr<Sieve> {
                          return std::make_unique<RedSieve>(model);
                        },
                        nullptr};
  add_kind_steps(BackendKind::kReference, steps);
  add_kind_steps(BackendKind::kCpu, steps);
}

}  // namespace winnow::sample
