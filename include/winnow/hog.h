// Loads and saves linear SVMs over histograms of oriented gradients (HOG), as Dalal and Triggs described them
// and OpenCV reads them.
//
//   winnow::HogSvm people = winnow::HogSvm::load("people.xml");       // cv::HOGDescriptor::save wrote it
//   winnow::Detector detector(people);
//
// In:     a file, recognised by its content, or a model as plain data.
// Out:    a checked `HogSvm`, or the bytes of a file. `Error` for a file that cannot be read (kIo), is no
//         such model (kFormat), or fails the check (kFormat, kLimit, kUnsupported).
// Exact:  scores have the same bits on every backend, since sums are integers (docs/design/015-people.md).
//         With OpenCV's people model, they differ from OpenCV's scores by less than 1e-3. The bytes of
//         `to_bytes` read back as an equal model; only Winnow's own format keeps the card and the notes.
// Memory: a `HogSvm` is immutable and cheap to copy. `model()` and `name()` live as long as any copy. Names
//         of formats live as long as the program. Bytes to parse are read only during the call.
// Thread: any number of threads may use one SVM.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <winnow/box.h>
#include <winnow/cascade_model.h>
#include <winnow/detector_model.h>
#include <winnow/export.h>

namespace winnow {

// How a window is described. A block consists of cells that are normalised together; blocks overlap.
struct HogShape {
  Size window{64, 128};
  Size block{16, 16};
  Size block_stride{8, 8};  // from one block of a window to the next
  Size cell{8, 8};
  int bins = 9;           // number of orientations
  bool directed = false;  // whether opposite gradients differ: bins cover 360 degrees, not 180
  bool gamma = true;      // whether pixels are replaced by their square roots first
  double sigma = 0;       // sigma of the Gaussian over a block; 0: (block's width + height) / 8
  double clip = 0.2;      // larger values of a normalised block are cut to this value
  bool operator==(const HogShape&) const = default;

  Size cells() const { return {block.width / cell.width, block.height / cell.height}; }  // cells of a block
  Size blocks() const {                                                                  // blocks of a window
    return {(window.width - block.width) / block_stride.width + 1,
            (window.height - block.height) / block_stride.height + 1};
  }
  int block_values() const { return cells().width * cells().height * bins; }
  std::size_t values() const {
    return static_cast<std::size_t>(blocks().width) * static_cast<std::size_t>(blocks().height) *
           static_cast<std::size_t>(block_values());
  }
};

// Throws kFormat or kLimit for a shape that makes no sense.
WINNOW_API void check_hog_shape(const HogShape& shape);

struct HogSvmModel {
  HogShape shape;
  // A weight for each value of a window, in OpenCV's order: blocks column by column, in each block its cells
  // column by column, in each cell its bins.
  std::vector<float> weights;
  double bias = 0;  // added to every score
  ModelCard card;
  std::vector<std::string> notes;  // unusual facts about the file, in sentences

  // Compares all that changes a verdict; card and notes are not compared.
  bool same_as(const HogSvmModel& other) const {
    return shape == other.shape && weights == other.weights && bias == other.bias;
  }
};

enum class HogFormat {
  kOpenCvXml,  // cv::HOGDescriptor's XML
  kWinnow,     // Winnow's own format
};
WINNOW_API const char* hog_format_name(HogFormat format);

class WINNOW_API HogSvm {
 public:
  // `name` stands for the file in errors, and becomes the model's name if the bytes hold none.
  static HogSvm load(const std::string& path);
  static HogSvm parse(std::span<const std::byte> bytes, const std::string& name);
  // Checks `model` and takes it over.
  explicit HogSvm(HogSvmModel model);
  // The SVM inside a detector model; empty for a model of another kind.
  static std::optional<HogSvm> from(const DetectorModel& model);

  const HogSvmModel& model() const { return *model_; }
  const std::string& name() const { return model_->card.name; }
  Size window() const { return model_->shape.window; }
  operator DetectorModel() const;

  // The bytes of a file in this format. kUnsupported if the format cannot express the model, such as a bias
  // that is not a float in OpenCV's XML.
  std::vector<std::byte> to_bytes(HogFormat format) const;
  // Replaces an existing file only after all bytes are written. kIo if the file cannot be written.
  void save(const std::string& path, HogFormat format) const;

 private:
  explicit HogSvm(std::shared_ptr<const HogSvmModel> checked);

  std::shared_ptr<const HogSvmModel> model_;
};

}  // namespace winnow
