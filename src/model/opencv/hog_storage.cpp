#include "model/opencv/hog_storage.h"

#include "model/hog_model.h"

namespace winnow {
namespace {

Size read_size(const HogStorage& storage, const char* field) {
  const std::vector<std::int32_t> sides = storage.integers(field, 2);
  return {sides[0], sides[1]};
}

std::int32_t read_integer(const HogStorage& storage, const char* field) {
  return storage.integers(field, 1)[0];
}

std::int32_t read_integer(const HogStorage& storage, const char* field, std::int32_t otherwise) {
  return storage.has(field) ? read_integer(storage, field) : otherwise;
}

}  // namespace

std::string no_descriptor(const std::string& name) {
  if (name != kOpenCvSvmName) return "'" + name + "' is no HOGDescriptor";
  return "'" + name +
         "' is an SVM of cv::ml, which does not say how windows are described; give it to setSVMDetector of "
         "a HOGDescriptor, and save that";
}

void read_hog_fields(const HogStorage& storage, HogSvmModel& model) {
  HogShape& shape = model.shape;
  shape.window = read_size(storage, "winSize");
  shape.block = read_size(storage, "blockSize");
  shape.block_stride = read_size(storage, "blockStride");
  shape.cell = read_size(storage, "cellSize");
  shape.bins = read_integer(storage, "nbins");
  // The default sigma is 0 in Winnow and -1 in OpenCV. A sigma that equals the default becomes 0, so that
  // models of the same meaning compare equal.
  const double sigma = storage.has("winSigma") ? storage.real("winSigma") : -1;
  const std::int64_t sides = std::int64_t{shape.block.width} + shape.block.height;
  shape.sigma = sigma > 0 && sigma != static_cast<double>(sides) / 8 ? sigma : 0;
  // OpenCV reads a missing field as 0, not as its default. Files that OpenCV writes always have the next two
  // fields.
  shape.clip = storage.real("L2HysThreshold");
  shape.gamma = read_integer(storage, "gammaCorrection") != 0;
  shape.directed = read_integer(storage, "signedGradient", 0) != 0;
  if (const std::int32_t type = read_integer(storage, "histogramNormType", 0); type != 0)
    storage.fail("histogramNormType",
                 "blocks are normalised in way " + std::to_string(type) + ", only 0 (L2Hys) is known",
                 ErrorCode::kUnsupported);
  if (const std::int32_t levels = read_integer(storage, "nlevels", 64); levels != 64)
    model.notes.push_back("The file asks for at most " + std::to_string(levels) +
                          " levels; Winnow takes 64.");
  const std::string vector = storage.shown("SVMDetector");
  if (!storage.has("SVMDetector"))
    storage.fail("", "there is no " + vector +
                         ", so that nothing can be found with this file; call setSVMDetector before save");
  check_hog_shape(shape);
  const std::size_t values = shape.values();
  model.weights = storage.reals("SVMDetector", values + 1);
  if (model.weights.size() == values + 1) {
    model.bias = static_cast<double>(model.weights.back());
    model.weights.pop_back();
  }
  if (model.weights.size() != values)
    storage.fail("SVMDetector", vector + " must have " + std::to_string(values) + " or " +
                                    std::to_string(values + 1) + " numbers");
}

}  // namespace winnow
