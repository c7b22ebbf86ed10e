// Reads and writes Winnow's own file of a linear SVM over HOG, as model/winnow/winnow_file.h declares; its
// opening comment holds here.
#include <algorithm>

#include <winnow/error.h>

#include "model/hog_model.h"
#include "model/winnow/winnow_fields.h"
#include "model/winnow/winnow_file.h"

namespace winnow {
namespace {

Size read_size(const stored::Extent* extent) {
  return extent == nullptr ? Size{} : Size{extent->width(), extent->height()};
}

stored::Extent store(Size size) { return stored::Extent(size.width, size.height); }

}  // namespace

HogSvmModel read_winnow_hog_svm(std::span<const std::byte> bytes) {
  const AlignedBytes aligned(bytes);
  const stored::Model& root = verified_model(aligned.view(), stored::Kind::HogSvm, "a linear SVM over HOG");
  const stored::HogSvm& svm = *root.kind_as_HogSvm();
  if (svm.shape() == nullptr || svm.weights() == nullptr)
    throw Error(ErrorCode::kFormat, "the .winnow file has no shape or no weights");
  const stored::HogShape& stored = *svm.shape();
  HogSvmModel model;
  model.shape = {read_size(stored.window()),
                 read_size(stored.block()),
                 read_size(stored.block_stride()),
                 read_size(stored.cell()),
                 stored.bins(),
                 stored.directed(),
                 stored.gamma(),
                 stored.sigma(),
                 stored.clip()};
  if (svm.weights()->size() > kMaxHogValues)
    throw Error(ErrorCode::kLimit, "a model may have " + std::to_string(kMaxHogValues) + " weights at most");
  model.weights.assign(svm.weights()->begin(), svm.weights()->end());
  model.bias = svm.bias();
  model.card = read_card(root.card());
  model.notes = read_notes(root.notes());
  return model;
}

std::vector<std::byte> write_winnow_hog_svm(const HogSvmModel& model) {
  flatbuffers::FlatBufferBuilder builder(1 << 16);
  builder.ForceDefaults(true);  // writes fields that equal their defaults, too
  const HogShape& shape = model.shape;
  const stored::Extent window = store(shape.window), block = store(shape.block),
                       stride = store(shape.block_stride), cell = store(shape.cell);
  const auto shape_at = stored::CreateHogShape(builder, &window, &block, &stride, &cell, shape.bins,
                                               shape.directed, shape.gamma, shape.sigma, shape.clip);
  const auto weights_at = builder.CreateVector(model.weights);
  const auto svm_at = stored::CreateHogSvm(builder, shape_at, weights_at, model.bias);
  return finish_model(builder, stored::Kind::HogSvm, svm_at.Union(), model.card, model.notes);
}

}  // namespace winnow
