// Makes small HOG SVMs for tests, and the texts of their files.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <winnow/error.h>
#include <winnow/hog.h>

#include "base/random.h"

namespace winnow::sample {

// Makes an SVM whose weights are numbers of ordinary size, numbers of about 1e-6, a 0 and a subnormal number.
inline HogSvmModel hog_svm(const HogShape& shape, std::uint64_t seed) {
  winnow::Random random(seed);
  HogSvmModel model;
  model.shape = shape;
  for (std::size_t i = 0; i < shape.values(); ++i)
    model.weights.push_back(static_cast<float>(random.bell()) * (i % 7 == 0 ? 1e-6f : 1.f));
  model.weights[0] = 0;
  model.weights.back() = 1e-38f;
  model.bias = static_cast<double>(static_cast<float>(random.real(-9, 9)));
  model.card.name = "sample";
  return model;
}

inline std::vector<HogSvmModel> hog_svms() {
  return {hog_svm({{16, 16}, {16, 16}, {8, 8}, {8, 8}, 2}, 1),
          hog_svm({{48, 96}, {16, 16}, {8, 8}, {8, 8}, 9, false, false, 0, 0.2}, 2),
          hog_svm({{24, 36}, {12, 12}, {6, 6}, {6, 6}, 7, true, true, 2.1, 0.3}, 3)};
}

inline HogSvm parse_hog(const std::string& text) {
  return HogSvm::parse(std::as_bytes(std::span(text)), "sample");
}

// The Error of reading `text` as an SVM. The test fails if reading succeeds.
inline Error refused_hog(const std::string& text) {
  try {
    parse_hog(text);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "was read without an error";
  return Error(ErrorCode::kUsage, "no error");
}

// Returns `text` with the first occurrence of `from` replaced by `to`.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("not in the text: " + from);
  return text.replace(at, from.size(), to);
}

// A descriptor of one block with 8 values, as OpenCV 4 writes it.
inline const std::string kHogXml =
    "<?xml version=\"1.0\"?>\n<opencv_storage>\n<people type_id=\"opencv-object-detector-hog\">\n"
    "  <winSize>\n    16 16</winSize>\n  <blockSize>\n    16 16</blockSize>\n"
    "  <blockStride>\n    8 8</blockStride>\n  <cellSize>\n    8 8</cellSize>\n"
    "  <nbins>2</nbins>\n  <derivAperture>1</derivAperture>\n  <winSigma>4.</winSigma>\n"
    "  <histogramNormType>0</histogramNormType>\n  <L2HysThreshold>0.20000000000000001</L2HysThreshold>\n"
    "  <gammaCorrection>1</gammaCorrection>\n  <nlevels>64</nlevels>\n"
    "  <signedGradient>0</signedGradient>\n"
    "  <SVMDetector>\n    1. 2. 3. 4. 5. 6. 7. 8. -9.5</SVMDetector></people>\n</opencv_storage>\n";

inline const std::string kHogYaml =
    "%YAML:1.0\n---\npeople: !!opencv-object-detector-hog\n   winSize: [ 16, 16 ]\n"
    "   blockSize: [ 16, 16 ]\n   blockStride: [ 8, 8 ]\n   cellSize: [ 8, 8 ]\n   nbins: 2\n"
    "   derivAperture: 1\n   winSigma: 4.\n   histogramNormType: 0\n"
    "   L2HysThreshold: 0.20000000000000001\n   gammaCorrection: 1\n   nlevels: 64\n"
    "   signedGradient: 0\n   SVMDetector: [ 1., 2., 3., 4., 5.,\n       6., 7., 8., -9.5 ]\n";

inline const std::string kHogJson =
    "{\n    \"people\": {\n        \"type_id\": \"opencv-object-detector-hog\",\n"
    "        \"winSize\": [ 16, 16 ],\n        \"blockSize\": [ 16, 16 ],\n"
    "        \"blockStride\": [ 8, 8 ],\n        \"cellSize\": [ 8, 8 ],\n        \"nbins\": 2,\n"
    "        \"derivAperture\": 1,\n        \"winSigma\": 4.0,\n        \"histogramNormType\": 0,\n"
    "        \"L2HysThreshold\": 0.20000000000000001,\n        \"gammaCorrection\": 1,\n"
    "        \"nlevels\": 64,\n        \"signedGradient\": 0,\n"
    "        \"SVMDetector\": [ 1.0, 2.0, 3.0, 4.0, 5.0,\n            6.0, 7.0, 8.0, -9.5 ]\n    }\n}\n";

}  // namespace winnow::sample
