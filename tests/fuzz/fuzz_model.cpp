// Fuzzes the readers and writers of cascades with any bytes.
// The bytes are refused with an `Error`, or read. A model that was read is written in every format and read
// again, and must be the same model. In the old format, a second writing must give the same bytes. Cascades
// of HOG blocks and landmarks are written in Winnow's own format.
#include <winnow/cascade.h>
#include <winnow/detector_model.h>
#include <winnow/hog_cascade.h>
#include <winnow/landmarks.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <vector>

namespace {

using winnow::Cascade;
using winnow::CascadeFormat;

void require(bool good) {
  if (!good) std::abort();
}

// Returns nothing if the format cannot hold this cascade, which is no error.
std::vector<std::byte> write(const Cascade& cascade, CascadeFormat format) {
  try {
    return cascade.to_bytes(format);
  } catch (const winnow::Error& error) {
    require(error.code() == winnow::ErrorCode::kUnsupported || error.code() == winnow::ErrorCode::kUsage);
    return {};
  }
}

void keep_blocks(const winnow::HogCascade& blocks) {
  const std::vector<std::byte> own = blocks.to_bytes();
  try {
    const winnow::HogCascade again = winnow::HogCascade::parse(own, "fuzz");
    require(again.model().same_as(blocks.model()) && again.model().mean == blocks.model().mean);
    require(again.to_bytes() == own);
  } catch (const winnow::Error&) {
    std::abort();
  }
}

void keep_landmarks(const winnow::Landmarks& landmarks) {
  try {
    const std::vector<std::byte> own = landmarks.to_bytes(winnow::LandmarkFormat::kWinnow);
    const winnow::Landmarks again = winnow::Landmarks::parse(own, "fuzz");
    require(again.model().same_as(landmarks.model()));
    require(again.to_bytes(winnow::LandmarkFormat::kWinnow) == own);
  } catch (const winnow::Error&) {
    std::abort();
  }
}

void parse_landmarks(std::span<const std::byte> bytes) {
  try {
    keep_landmarks(winnow::Landmarks::parse(bytes, "fuzz"));
  } catch (const winnow::Error&) {
  }
}

// Parses models of any kind, cascades among them.
void parse_any(std::span<const std::byte> bytes) {
  try {
    const winnow::DetectorModel model = winnow::DetectorModel::parse(bytes, "fuzz");
    require(model.window().width > 0 && model.window().height > 0);
    if (const auto blocks = winnow::HogCascade::from(model)) keep_blocks(*blocks);
  } catch (const winnow::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
  parse_any(bytes);
  parse_landmarks(bytes);
  std::optional<Cascade> cascade;
  try {
    cascade.emplace(Cascade::parse(bytes, "fuzz"));
  } catch (const winnow::Error&) {
    return 0;
  }
  const std::vector<std::byte> own = cascade->to_bytes(CascadeFormat::kWinnow);
  const Cascade again = Cascade::parse(own, "fuzz");
  require(again.model().same_as(cascade->model()));
  require(again.model().card == cascade->model().card && again.model().notes == cascade->model().notes);
  require(again.to_bytes(CascadeFormat::kWinnow) == own);
  if (const auto xml = write(*cascade, CascadeFormat::kOpenCvXml); !xml.empty()) {
    require(Cascade::parse(xml, "fuzz").model().same_as(cascade->model()));
  }
  if (const auto xml = write(*cascade, CascadeFormat::kOpenCvOldXml); !xml.empty()) {
    const Cascade old = Cascade::parse(xml, "fuzz");
    require(Cascade::parse(old.to_bytes(CascadeFormat::kOpenCvXml), "fuzz").model().same_as(old.model()));
    require(Cascade::parse(old.to_bytes(CascadeFormat::kOpenCvOldXml), "fuzz").model().same_as(old.model()));
  }
  return 0;
}
