#include "model/winnow/winnow_file.h"

#include <array>
#include <string>

#include <winnow/error.h>

#include "model/check.h"
#include "model/winnow/winnow_fields.h"

namespace winnow {
namespace {

// The only kind of score so far is the sum of the last stage. The file has a field for the kind, so that
// later versions can add other kinds.
constexpr std::uint8_t kLastStageSum = 0;

[[noreturn]] void fail(const std::string& sentence, const std::string& place = {}) {
  throw Error(ErrorCode::kFormat, sentence, {}, place);
}

// Throws unless every offset in the buffer is valid and the version is known.
const stored::Cascade& verified_root(std::span<const std::byte> bytes) {
  const stored::Head& head = verified_head(bytes);
  if (head.version() >= kWinnowModelVersion) refuse_kind(head, "a cascade");
  flatbuffers::Verifier verifier = winnow_verifier(bytes);
  if (!stored::VerifyCascadeBuffer(verifier)) fail("a broken or cut off .winnow file", "byte 0");
  return *stored::GetCascade(bytes.data());
}

// Calls `make` for each item of a list. A list that is missing from the file counts as empty.
template <class List, class Make>
void read_list(const List* list, std::size_t limit, const char* what, Make make) {
  if (list == nullptr) return;
  if (list->size() > limit) throw Error(ErrorCode::kLimit, std::string("the cascade has too many ") + what);
  for (flatbuffers::uoffset_t i = 0; i < list->size(); ++i) make(list->Get(i));
}

std::int32_t as_count(std::uint32_t count, std::size_t limit, const char* what) {
  if (count > limit)
    fail(std::string("the count of ") + what + " is " + std::to_string(count) + ", more than can be");
  return static_cast<std::int32_t>(count);
}

// Computes the ranges of trees, nodes and leaves from the counts in the file. `check_model` tests whether the
// counts add up to the lists' lengths.
void read_shape(const stored::Cascade& root, CascadeModel& model) {
  std::int64_t trees = 0, nodes = 0;
  read_list(root.stages(), kMaxStages, "stages", [&](const stored::Stage* stored) {
    if (trees > static_cast<std::int64_t>(kMaxNodes)) fail("the stages have more trees than can be");
    Stage stage;
    stage.first_tree = static_cast<std::int32_t>(trees);
    stage.tree_count = as_count(stored->tree_count(), kMaxNodes, "trees in a stage");
    stage.threshold = stored->threshold();
    trees += stage.tree_count;
    model.stages.push_back(stage);
  });
  read_list(root.tree_node_counts(), kMaxNodes, "trees", [&](std::uint32_t count) {
    if (nodes > static_cast<std::int64_t>(kMaxNodes)) fail("the trees have more nodes than can be");
    Tree tree;
    tree.first_node = static_cast<std::int32_t>(nodes);
    tree.first_leaf = static_cast<std::int32_t>(nodes + static_cast<std::int64_t>(model.trees.size()));
    tree.node_count = as_count(count, kMaxNodes, "nodes in a tree");
    nodes += tree.node_count;
    model.trees.push_back(tree);
  });
}

void read_features(const stored::Cascade& root, CascadeModel& model) {
  read_list(root.haar(), kMaxFeatures, "features", [&](const stored::HaarFeature* stored) {
    HaarFeature feature;
    for (flatbuffers::uoffset_t i = 0; i < 3; ++i) {
      const stored::Rect& rect = *stored->rects()->Get(i);
      feature.rects[i] = {{rect.x(), rect.y(), rect.width(), rect.height()}, rect.weight()};
    }
    feature.tilted = stored->tilted() != 0;
    model.haar.push_back(feature);
  });
  read_list(root.lbp(), kMaxFeatures, "features", [&](const stored::LbpFeature* stored) {
    model.lbp.push_back({{stored->x(), stored->y(), stored->width(), stored->height()}});
  });
}

void read_words(const stored::Cascade& root, CascadeModel& model) {
  if (root.rules() == nullptr) fail("the .winnow file does not say its rules");
  const stored::Rules& rules = *root.rules();
  if (rules.score() != kLastStageSum) {
    throw Error(ErrorCode::kUnsupported,
                "the cascade scores windows by a rule that this version does not know");
  }
  model.rules.step = static_cast<StepRule>(rules.step());
  model.rules.scale = static_cast<ScaleRule>(rules.scale());
  model.rules.flat = static_cast<FlatRule>(rules.flat());
  model.rules.skip_after_first_stage_reject = rules.skip_after_first_stage_reject();
  model.rules.threshold_slack = rules.threshold_slack();
  model.rules.sum = static_cast<SumRule>(rules.sum());
  model.card = read_card(root.card());
  model.notes = read_notes(root.notes());
}

stored::HaarFeature store(const HaarFeature& feature) {
  std::array<stored::Rect, 3> rects{};
  for (std::size_t i = 0; i < rects.size(); ++i) {
    const Box& box = feature.rects[i].box;  // `check_model` keeps boxes in a window of 4096 x 4096
    rects[i] = stored::Rect(static_cast<std::int16_t>(box.x), static_cast<std::int16_t>(box.y),
                            static_cast<std::int16_t>(box.width), static_cast<std::int16_t>(box.height),
                            feature.rects[i].weight);
  }
  return stored::HaarFeature(flatbuffers::make_span(rects), feature.tilted ? 1 : 0);
}

// Leaves of tables are whole units that fit 16 bits, as `check_model` ensures.
stored::Table store(const Table& table) {
  std::array<std::int16_t, kTableBins> leaves{};
  for (std::size_t i = 0; i < leaves.size(); ++i)
    leaves[i] = static_cast<std::int16_t>(table.leaves[i] * static_cast<float>(kScoreUnit));
  return stored::Table(table.feature, table.low, table.per_unit, flatbuffers::make_span(leaves));
}

flatbuffers::Offset<stored::Cascade> store(flatbuffers::FlatBufferBuilder& builder,
                                           const CascadeModel& model) {
  std::vector<stored::Stage> stages;
  for (const Stage& stage : model.stages)
    stages.emplace_back(static_cast<std::uint32_t>(stage.tree_count), stage.threshold);
  std::vector<std::uint32_t> counts;
  for (const Tree& tree : model.trees) counts.push_back(static_cast<std::uint32_t>(tree.node_count));
  std::vector<stored::Node> nodes;
  for (const TreeNode& node : model.nodes)
    nodes.emplace_back(node.left, node.right, node.feature, node.threshold);
  std::vector<stored::Subset> subsets;
  for (const LbpSubset& subset : model.subsets) subsets.emplace_back(flatbuffers::make_span(subset));
  std::vector<stored::HaarFeature> haar;
  for (const HaarFeature& feature : model.haar) haar.push_back(store(feature));
  std::vector<stored::LbpFeature> lbp;
  for (const LbpFeature& feature : model.lbp) {
    const Box& cell = feature.cell;
    lbp.emplace_back(static_cast<std::int16_t>(cell.x), static_cast<std::int16_t>(cell.y),
                     static_cast<std::int16_t>(cell.width), static_cast<std::int16_t>(cell.height));
  }
  std::vector<stored::Table> tables;
  for (const Table& table : model.tables) tables.push_back(store(table));
  const ModelRules& rules = model.rules;
  const auto rules_at = stored::CreateRules(
      builder, kLastStageSum, static_cast<std::uint8_t>(rules.step), static_cast<std::uint8_t>(rules.scale),
      static_cast<std::uint8_t>(rules.flat), rules.skip_after_first_stage_reject, rules.threshold_slack,
      static_cast<std::uint8_t>(rules.sum));
  const auto card_at = store_card(builder, model.card);
  const auto stages_at = builder.CreateVectorOfStructs(stages);
  const auto counts_at = builder.CreateVector(counts);
  const auto nodes_at = builder.CreateVectorOfStructs(nodes);
  const auto leaves_at = builder.CreateVector(model.leaves);
  const auto subsets_at = builder.CreateVectorOfStructs(subsets);
  const auto haar_at = builder.CreateVectorOfStructs(haar);
  const auto lbp_at = builder.CreateVectorOfStructs(lbp);
  const auto notes_at = builder.CreateVectorOfStrings(model.notes);
  const auto tables_at = builder.CreateVectorOfStructs(tables);
  const std::uint32_t version = model.mixed() ? 3 : model.fixed_point() ? 2 : 1;
  return stored::CreateCascade(builder, version, static_cast<std::uint8_t>(model.kind), model.window.width,
                               model.window.height, stages_at, counts_at, nodes_at, leaves_at, subsets_at,
                               haar_at, lbp_at, rules_at, card_at, notes_at, tables_at);
}

}  // namespace

CascadeModel read_winnow_file(std::span<const std::byte> bytes) {
  const AlignedBytes aligned(bytes);
  const stored::Cascade& root = verified_root(aligned.view());
  CascadeModel model;
  model.kind = static_cast<FeatureKind>(root.kind());
  model.window = {root.width(), root.height()};
  read_shape(root, model);
  read_list(root.nodes(), kMaxNodes, "tree nodes", [&](const stored::Node* node) {
    model.nodes.push_back({node->left(), node->right(), node->feature(), node->threshold()});
  });
  read_list(root.leaves(), 2 * kMaxNodes, "leaves", [&](float leaf) { model.leaves.push_back(leaf); });
  read_list(root.subsets(), kMaxNodes, "subsets", [&](const stored::Subset* stored) {
    LbpSubset& subset = model.subsets.emplace_back();
    for (flatbuffers::uoffset_t i = 0; i < subset.size(); ++i) subset[i] = stored->bits()->Get(i);
  });
  read_list(root.tables(), kMaxFixedPointWeak, "tables", [&](const stored::Table* stored) {
    Table& table = model.tables.emplace_back();
    table.feature = stored->feature();
    table.low = stored->low();
    table.per_unit = stored->per_unit();
    for (flatbuffers::uoffset_t i = 0; i < kTableBins; ++i)
      table.leaves[i] = static_cast<float>(stored->leaves()->Get(i)) / static_cast<float>(kScoreUnit);
  });
  read_features(root, model);
  read_words(root, model);
  return model;
}

std::vector<std::byte> write_winnow_file(const CascadeModel& model) {
  flatbuffers::FlatBufferBuilder builder(1 << 16);
  builder.ForceDefaults(true);  // writes fields that equal their defaults, too
  stored::FinishCascadeBuffer(builder, store(builder, model));
  return bytes_of(builder);
}

}  // namespace winnow
