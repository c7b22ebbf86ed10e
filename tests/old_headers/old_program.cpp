// A program as users wrote it for the first headers. It must still compile and mean the same, so nothing here
// may be updated.
#include <winnow/winnow.h>

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace {

// A cascade of two stages that finds dark squares on bright ground.
winnow::Cascade square_finder() {
  winnow::CascadeModel model;
  model.window = {24, 24};
  const auto feature = [&](const winnow::Box& part, float weight) {
    model.haar.push_back(
        {{winnow::HaarRect{{0, 0, 24, 24}, -1.f}, winnow::HaarRect{part, weight}, {}}, false});
  };
  feature({6, 6, 12, 12}, 4.f);
  feature({0, 0, 24, 4}, 6.f), feature({0, 20, 24, 4}, 6.f);
  for (std::int32_t i = 0; i < 3; ++i) {
    model.nodes.push_back({0, -1, i, i == 0 ? -0.5f : 0.3f});
    model.leaves.push_back(i == 0 ? 1.f : -1.f);
    model.leaves.push_back(i == 0 ? -1.f : 1.f);
    model.trees.push_back({i, 1, 2 * i});
  }
  model.stages = {{0, 1, 0.5f}, {1, 2, 1.f}};
  model.rules.step = winnow::StepRule::kTwoBelowScaleTwo;
  model.card.name = "squares";
  return winnow::Cascade(std::move(model));
}

winnow::GrayImage scene() {
  winnow::GrayImage image(160, 120);
  for (int y = 0; y < 120; ++y) {
    for (int x = 0; x < 160; ++x) {
      const bool inside = x >= 60 && x < 80 && y >= 40 && y < 60;
      image.row(y)[x] = static_cast<std::uint8_t>((inside ? 40 : 200) + (x * 3 + y * 5) % 9);
    }
  }
  return image;
}

}  // namespace

int main() {
  const winnow::Cascade cascade = square_finder();
  const std::vector<std::byte> bytes = cascade.to_bytes(winnow::CascadeFormat::kWinnow);
  const winnow::Cascade again = winnow::Cascade::parse(bytes, "again");
  std::optional<winnow::Error> error;
  if (winnow::Cascade::try_load("/no/such/file", &error) || !error) return 1;

  winnow::DetectorOptions machine;
  machine.backend = winnow::BackendKind::kCpu;
  machine.threads = 1;
  winnow::Detector detector(again, machine);
  winnow::Detector other(cascade, {winnow::BackendKind::kReference, 1, {0}});
  winnow::DetectOptions options;
  options.scale_factor = 1.2;
  options.min_neighbors = 0;
  winnow::GrayImage image = scene();
  const winnow::GrayView view = image.view();
  const winnow::Detections all = detector.detect(view, options);
  winnow::Detections same;
  other.detect(image.view(), options, same);  // the view of a non-const image
  std::vector<winnow::Detections> several;
  const std::vector<winnow::GrayView> views(3, view);
  detector.detect(views, options, several);
  const winnow::Detections braces =
      detector.detect({view.data, view.width, view.height, view.stride}, options);
  if (all.objects.empty() || !all.counters.same_answer(same.counters)) return 2;
  if (all.objects != same.objects || all.objects != several[2].objects || all.objects != braces.objects)
    return 3;
  if (detector.cascade().name() != "squares" || detector.backend() != winnow::BackendKind::kCpu) return 4;
  if (winnow::group_boxes(all.objects, 1, 0.2).size() > all.objects.size()) return 5;
  (void)detector.simd();
  (void)winnow::window_score(detector, view.crop({58, 38, 24, 24}));

  winnow::LabelledPicture labelled;
  winnow::Label label;
  label.box = winnow::RealBox{58, 38, 24, 24};
  label.points.push_back(winnow::Point{70, 50});
  labelled.labels.push_back(label);
  const winnow::Evaluation result =
      winnow::evaluate(std::vector<winnow::LabelledPicture>{labelled},
                       std::vector<std::vector<winnow::Detection>>{all.objects});
  if (result.labels != 1) return 6;

  winnow::TrainOptions training;
  training.features = winnow::FeatureSet::kHaar;
  training.boost = winnow::BoostKind::kGentle;
  training.weak = winnow::WeakKind::kTree;
  training.soft = true;
  training.stages = 2;
  training.min_hit = 0.99;
  training.max_false = 0.4;
  training.max_weak = 8;
  training.seed = 3;
  training.threads = 2;
  training.backend = winnow::BackendKind::kCpu;
  training.memory = std::int64_t{1} << 28;
  training.checkpoint = "";
  training.resume = false;
  winnow::check_training(training);
  winnow::Pack pack;
  try {
    const winnow::TrainResult trained =
        winnow::train_cascade(pack, training, [](const winnow::TrainStep& step) { return step.stage < 9; });
    (void)winnow::training_page(pack, training, trained);
    return 7;
  } catch (const winnow::Error&) {  // the pack has no samples
  }
  winnow::JoinOptions join;
  join.min_hit = 0.97;
  join.threads = 1;
  join.memory = std::int64_t{1} << 28;
  try {
    winnow::check_join({cascade}, join);
    (void)winnow::join_cascades({cascade}, pack, join);
    return 8;
  } catch (const winnow::Error&) {  // the cascades are not soft
  }
  std::puts("the old program runs");
  return 0;
}
