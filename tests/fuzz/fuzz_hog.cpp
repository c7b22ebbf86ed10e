// Fuzzes the readers and writers of HOG SVMs with any bytes.
// The bytes are refused with an `Error`, or read. A model that was read is written in every format and read
// again, and must be the same model.
#include <winnow/detector_model.h>
#include <winnow/error.h>
#include <winnow/hog.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <vector>

namespace {

using winnow::HogFormat;
using winnow::HogSvm;

void require(bool good) {
  if (!good) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
  std::optional<HogSvm> svm;
  try {
    svm.emplace(HogSvm::parse(bytes, "fuzz"));
  } catch (const winnow::Error&) {
    return 0;
  }
  const std::vector<std::byte> own = svm->to_bytes(HogFormat::kWinnow);
  const HogSvm again = HogSvm::parse(own, "fuzz");
  require(again.model().same_as(svm->model()));
  require(again.model().card == svm->model().card && again.model().notes == svm->model().notes);
  require(again.to_bytes(HogFormat::kWinnow) == own);
  require(HogSvm::from(winnow::DetectorModel::parse(own, "fuzz"))->model().same_as(svm->model()));
  std::vector<std::byte> xml;
  try {
    xml = svm->to_bytes(HogFormat::kOpenCvXml);
  } catch (const winnow::Error& error) {
    require(error.code() == winnow::ErrorCode::kUnsupported);  // the bias is no float
    return 0;
  }
  require(HogSvm::parse(xml, "fuzz").model().same_as(svm->model()));
  return 0;
}
