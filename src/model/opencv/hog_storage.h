// Reads and writes OpenCV's HOGDescriptor in each of OpenCV's formats: XML, YAML or JSON.
//
// In:     hostile bytes, or a checked model.
// Out:    a model as the file has it, for the caller to check; or the text of a file. Errors name the line.
// Exact:  numbers are OpenCV's. The text of `write_hog_xml` reads back as the same model.
// Memory: results belong to the caller. Bytes are read only during a call.
// Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <winnow/error.h>
#include <winnow/hog.h>

namespace winnow {

// The type by which OpenCV's files name a HOGDescriptor.
inline constexpr std::string_view kOpenCvHogType = "opencv-object-detector-hog";
// The name of cv::ml's SVMs in OpenCV's files, which people mistake for detectors.
inline constexpr std::string_view kOpenCvSvmName = "opencv_ml_svm";
// Returns the error message for an object that is no HOGDescriptor. `name`: the object's name in the file,
// cleaned by `clean_text`.
std::string no_descriptor(const std::string& name);
inline constexpr const char* kMoreThanOneThing =
    "The file holds more than one thing; only the first was read, as OpenCV does.";

// The fields of a HOGDescriptor.
class HogStorage {
 public:
  virtual ~HogStorage() = default;
  virtual bool has(const char* field) const = 0;
  // The next three functions throw if the field is missing or has another type. `reals` stops after `most` +
  // 1 numbers.
  virtual std::vector<std::int32_t> integers(const char* field, std::size_t count) const = 0;
  virtual double real(const char* field) const = 0;
  virtual std::vector<float> reals(const char* field, std::size_t most) const = 0;
  // The field's name in error messages: "<nbins>" or "nbins".
  virtual std::string shown(const char* field) const = 0;
  // Throws with the line of the field, or of the descriptor if there is no such field.
  [[noreturn]] virtual void fail(const char* field, const std::string& sentence,
                                 ErrorCode code = ErrorCode::kFormat) const = 0;
};

// Adds shape, weights, bias and notes to the model.
void read_hog_fields(const HogStorage& storage, HogSvmModel& model);

bool is_hog_xml(std::span<const std::byte> bytes);
HogSvmModel read_hog_xml(std::span<const std::byte> bytes);
// kUnsupported if a float cannot hold the bias.
std::string write_hog_xml(const HogSvmModel& model);

// These read YAML. JSON is read as YAML, too.
bool is_hog_yaml(std::span<const std::byte> bytes);
HogSvmModel read_hog_yaml(std::span<const std::byte> bytes);

// These read a file of numbers alone, with white space, commas and brackets between them. The count of
// numbers gives the shape.
bool is_hog_text(std::span<const std::byte> bytes);
HogSvmModel read_hog_text(std::span<const std::byte> bytes);

}  // namespace winnow
