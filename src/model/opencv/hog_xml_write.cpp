// Writes OpenCV's XML of a HOGDescriptor, as model/opencv/hog_storage.h declares; its opening comment holds
// here.
#include "model/numbers.h"
#include "model/opencv/hog_storage.h"
#include "model/opencv/opencv_comment.h"
#include "model/opencv/xml_file.h"

namespace winnow {
namespace {

void put_element(std::string& out, const char* name, const std::string& text) {
  out.append("  <").append(name).append(">").append(text).append("</").append(name).append(">\n");
}

std::string sides(Size size) { return std::to_string(size.width) + " " + std::to_string(size.height); }

std::string real(double value) {
  std::string text;
  append_real(text, value);
  return text;
}

}  // namespace

std::string write_hog_xml(const HogSvmModel& model) {
  const auto bias = static_cast<float>(model.bias);  // a checked bias is far from a float's limits
  if (static_cast<double>(bias) != model.bias)
    throw Error(ErrorCode::kUnsupported, "the bias " + real(model.bias) +
                                             " is no float, which is all that OpenCV's files hold; write "
                                             "it as .winnow, or round the bias first");
  const HogShape& shape = model.shape;
  std::string out;
  put_head(out, model.card);
  out += "<opencv_storage>\n<hog type_id=\"" + std::string(kOpenCvHogType) + "\">\n";
  put_element(out, "winSize", sides(shape.window));
  put_element(out, "blockSize", sides(shape.block));
  put_element(out, "blockStride", sides(shape.block_stride));
  put_element(out, "cellSize", sides(shape.cell));
  put_element(out, "nbins", std::to_string(shape.bins));
  put_element(out, "derivAperture", "1");
  put_element(out, "winSigma", shape.sigma > 0 ? real(shape.sigma) : "-1.");
  put_element(out, "histogramNormType", "0");
  put_element(out, "L2HysThreshold", real(shape.clip));
  put_element(out, "gammaCorrection", shape.gamma ? "1" : "0");
  put_element(out, "nlevels", "64");
  put_element(out, "signedGradient", shape.directed ? "1" : "0");
  out += "  <SVMDetector>";
  constexpr std::size_t kOfLine = 5;
  std::size_t count = 0;
  const auto put = [&](float value) {
    out += count++ % kOfLine == 0 ? "\n    " : " ";
    append_real(out, value);
  };
  for (const float weight : model.weights) put(weight);
  put(bias);
  out += "</SVMDetector></hog>\n</opencv_storage>\n";
  check_xml_size(out);
  return out;
}

}  // namespace winnow
