// Reads and writes Winnow's own model file: a FlatBuffer (winnow_model.fbs) with data, rules, card and notes.
// A further kind of model needs a member of the schema's union `Kind`, a word in `winnow_fields.cpp` and a
// value of `WinnowKind`. A further kind also needs a reader and a writer like those of `winnow_hog.cpp`.
//
// In:     hostile bytes for the reader; a checked model for the writer.
// Out:    a model as the file has it, for the caller to check (`check_model`); or the bytes of a file. The
//         reader throws kFormat for broken bytes, and kUnsupported for a newer version or for an unknown
//         kind of model, kind of score or merge. It throws kLimit for counts and sizes beyond the limits here
//         and in `check.h`.
// Exact:  a model reads back unchanged, and the same model always gives the same bytes.
// Memory: results belong to the caller. FlatBuffers' verifier runs first. No count in a file leads to more
//         memory than the file's size or a limit allows.
// Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <winnow/cascade_model.h>
#include <winnow/hog.h>
#include <winnow/hog_cascade.h>
#include <winnow/landmarks.h>

namespace winnow {

// The newest version that is read. Version 2 added running sums and tables, and version 3 added trees of LBP
// features after tables. A cascade with none of these is written as version 1. Version 4 holds other kinds of
// models.
inline constexpr std::uint32_t kWinnowFileVersion = 4;
inline constexpr std::size_t kMaxWinnowBytes = std::size_t{128} << 20;  // the largest file that is read

bool is_winnow_file(std::span<const std::byte> bytes);
// The kind of model in a file. Only the file's head is read. `kUnknown`: a broken head, or a kind that is not
// known here.
enum class WinnowKind { kNone, kCascade, kHogSvm, kHogCascade, kLandmarks, kUnknown };
WinnowKind winnow_kind(std::span<const std::byte> bytes);

CascadeModel read_winnow_file(std::span<const std::byte> bytes);
std::vector<std::byte> write_winnow_file(const CascadeModel& model);

HogSvmModel read_winnow_hog_svm(std::span<const std::byte> bytes);
std::vector<std::byte> write_winnow_hog_svm(const HogSvmModel& model);

HogCascadeModel read_winnow_hog_cascade(std::span<const std::byte> bytes);
std::vector<std::byte> write_winnow_hog_cascade(const HogCascadeModel& model);

LandmarkModel read_winnow_landmarks(std::span<const std::byte> bytes);
std::vector<std::byte> write_winnow_landmarks(const LandmarkModel& model);

}  // namespace winnow
