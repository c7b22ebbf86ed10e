// Reads OpenCV's XML of a HOGDescriptor.
#include <cmath>
#include <cstring>
#include <string_view>

#include <winnow/error.h>

#include "base/clean_text.h"
#include "model/file_kind.h"
#include "model/hog_model.h"
#include "model/xml_file.h"

namespace winnow {
namespace {

constexpr std::string_view kType = "opencv-object-detector-hog";

Size read_size(const XmlFile& file, pugi::xml_node hog, const char* name) {
  XmlNumbers numbers(file, file.require(hog, name));
  Size size;
  size.width = numbers.next<std::int32_t>();
  size.height = numbers.next<std::int32_t>();
  numbers.expect_end();
  return size;
}

// The number of an element, or `otherwise` if the file has none, as OpenCV's reader keeps its default.
template <class T>
T read_number(const XmlFile& file, pugi::xml_node hog, const char* name, T otherwise) {
  const pugi::xml_node element = file.find(hog, name);
  return element ? file.number<T>(element) : otherwise;
}

}  // namespace

bool is_hog_xml(std::span<const std::byte> bytes) {
  constexpr std::size_t kHead = 4096;
  const std::string_view head(reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), kHead));
  return looks_like_xml(bytes) && head.find(kType) != std::string_view::npos;
}

HogSvmModel read_hog_xml(std::span<const std::byte> bytes, const std::string& name) {
  const XmlFile file(bytes);
  const pugi::xml_node root = file.root();
  if (std::strcmp(root.name(), "opencv_storage") != 0)
    file.fail(root, std::string("the root element is <") + clean_text(root.name()) +
                        ">, OpenCV's has <opencv_storage>");
  pugi::xml_node hog = root.first_child();
  while (hog && hog.type() != pugi::node_element) hog = hog.next_sibling();
  if (!hog) file.fail(root, "<opencv_storage> is empty");
  if (hog.attribute("type_id").value() != kType)
    file.fail(hog, std::string("<") + clean_text(hog.name()) + "> is no HOGDescriptor");
  HogSvmModel model;
  HogShape& shape = model.shape;
  shape.window = read_size(file, hog, "winSize");
  shape.block = read_size(file, hog, "blockSize");
  shape.block_stride = read_size(file, hog, "blockStride");
  shape.cell = read_size(file, hog, "cellSize");
  shape.bins = file.number<std::int32_t>(file.require(hog, "nbins"));
  const float sigma = read_number<float>(file, hog, "winSigma", -1);
  shape.sigma = sigma > 0 ? static_cast<double>(sigma) : 0;
  // As OpenCV's default is a double, 0.2 is meant and not its float.
  const float clip = read_number<float>(file, hog, "L2HysThreshold", 0.2f);
  shape.clip = clip == 0.2f ? 0.2 : static_cast<double>(clip);
  shape.gamma = read_number<std::int32_t>(file, hog, "gammaCorrection", 1) != 0;
  shape.directed = read_number<std::int32_t>(file, hog, "signedGradient", 0) != 0;
  if (const int type = read_number<std::int32_t>(file, hog, "histogramNormType", 0); type != 0)
    file.fail(
        hog,
        std::string("blocks are normalised in way ") + std::to_string(type) + ", only 0 (L2Hys) is known",
        ErrorCode::kUnsupported);
  if (const int levels = read_number<std::int32_t>(file, hog, "nlevels", 64); levels != 64)
    model.notes.push_back("The file asks for at most " + std::to_string(levels) +
                          " levels; Winnow takes 64.");
  const pugi::xml_node vector = file.find(hog, "SVMDetector");
  if (!vector) file.fail(hog, "there is no <SVMDetector>, so that nothing can be found with this file");
  check_hog_shape(shape);
  const std::size_t values = shape.values();
  XmlNumbers numbers(file, vector);
  for (; !numbers.at_end() && model.weights.size() <= values;) model.weights.push_back(numbers.next<float>());
  if (model.weights.size() == values + 1) {
    model.bias = static_cast<double>(model.weights.back());
    model.weights.pop_back();
  }
  if (model.weights.size() != values || !numbers.at_end())
    file.fail(vector, std::string("<SVMDetector> must have ") + std::to_string(values) + " or " +
                          std::to_string(values + 1) + " numbers");
  model.card.name = name;
  return model;
}

}  // namespace winnow
